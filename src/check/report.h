/* Findings of a checker, with the names of their sides. */
#ifndef TESSERA_CHECK_REPORT_H
#define TESSERA_CHECK_REPORT_H

#include "check/internal.h"

/* The instruction whose body runs now, as an access of `entity`. */
struct chk_mark chk_now(const struct chk *c, unsigned entity);
/* The same with the calls around a core's store. */
struct chk_call chk_now_called(const struct chk *c, unsigned entity);
/* That store; where the kernel library stores: the user's call of its function. */
struct chk_mark chk_users_call(const struct chk *c, const struct chk_call *call);
/* A finding with two sides. */
void chk_report(struct chk *c, enum tx_diag_id id, const struct chk_mark *other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const char *chk_entity_name(unsigned entity); /* "the packer for thread 2" */

/* The same of an access: a request of another tile, or of this tile to itself. */
const char *chk_mark_name(const struct chk *c, const struct chk_mark *m);

/* A NoC write of a core reads what the core itself has stored. */
static inline bool chk_is_own_store(unsigned entity, const struct chk_mark *store) {
  return entity >= CHK_NOC_OUT && entity < CHK_NOC_OUT + TX_CORES && store->entity == CHK_STORES + (entity - CHK_NOC_OUT);
}
#define CHK_NO_FENCE "a store of %s may not have arrived: no load back of it before"

#endif
