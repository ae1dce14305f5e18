/* Accesses to L1. */
#ifndef TESSERA_CHECK_L1_H
#define TESSERA_CHECK_L1_H

#include "check/internal.h"

bool chk_formats_differ(unsigned a, unsigned b);

void chk_l1_access(struct tx_tile *t, const struct tx_range *r);
/* Records a read that may be a poll: it is compared with nothing, and a later write is a suspect. */
void chk_lines_pulled(struct chk *c, unsigned entity, const struct tx_range *r);
/* What the core's NoC requests have read and written in this range counts as done by the core itself. */
void chk_l1_adopt(struct chk *c, unsigned core, uint32_t address, uint32_t length);
void chk_l1_written(struct tx_tile *t, uint32_t address, uint32_t length);
/* A polled word: an increment by another tile and a store by this tile are unordered, so one of them can be lost. */
void chk_flag_changed(struct chk *c, unsigned entity, const struct tx_range *r);

#endif
