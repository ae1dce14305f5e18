/* NoC increments that a core sends to words of its own tile, until it has waited for them. */
#ifndef TESSERA_CHECK_OWN_H
#define TESSERA_CHECK_OWN_H

#include "check/internal.h"

/* The increment leaves; it has changed the word; the core has waited for the answers of all its atomics. */
void chk_own_sent(struct chk *c, const struct chk_request *s, uint32_t address, uint32_t operand);
void chk_own_arrived(struct chk *c, const struct chk_request *s, uint32_t address, uint32_t operand);
void chk_own_answered(struct chk *c, unsigned core);
/* The core loads a word. */
void chk_own_load(struct chk *c, unsigned core, const struct tx_range *r);

#endif
