/* The order of two accesses to a cell, and accesses without an order. */
#ifndef TESSERA_CHECK_ORDER_H
#define TESSERA_CHECK_ORDER_H

#include "check/clock.h"

bool chk_in_order(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m);
/* Records the access `now`. true: it is unordered with `*other`, and one of the two writes. */
bool chk_use(const struct chk_clocks *c, struct chk_cell *cell, const struct chk_mark *now, bool write,
             struct chk_mark *other);
/* Is a read by `now` unordered with a write? Records nothing. */
bool chk_races(const struct chk_clocks *c, const struct chk_cell *cell, const struct chk_mark *now, struct chk_mark *other);

#endif
