/* A core's stores to L1 in their order, and words of L1 by which cores synchronise. */
#ifndef TESSERA_CHECK_FLAGS_H
#define TESSERA_CHECK_FLAGS_H

#include "check/internal.h"

void chk_lines_note(struct chk *c, unsigned core);   /* must precede every other action of the core */
void chk_lines_fenced(struct chk *c, unsigned core); /* the core has executed a fence */
void chk_lines_arrive(struct chk *c, unsigned core, const struct tx_range *r);
/* Must precede every access to L1: reads the values of stores that arrived last. */
void chk_stored_read(struct chk *c);
bool chk_is_flag(const struct chk *c, uint32_t address);
/* The core has read what the host wrote. */
void chk_after_host(struct chk *c, unsigned core);
/* A unit has waited for the word's last change: orders the entity after the store, and after its core's earlier actions. */
void chk_word_acquire(struct chk *c, unsigned entity, uint32_t address);
/* Adds what a core's store with this clock has released. */
void chk_line_released(const struct chk *c, struct chk_vector *v, unsigned from, uint32_t clock);
/* Adds what the last change of the word has released. */
void chk_word_released(struct chk *c, struct chk_vector *v, uint32_t address);
void chk_flag_load(struct chk *c, unsigned core, const struct tx_range *r);

#endif
