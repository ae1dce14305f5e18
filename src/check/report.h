/* Findings of a checker, with the names of their sides. */
#ifndef TESSERA_CHECK_REPORT_H
#define TESSERA_CHECK_REPORT_H

#include "check/internal.h"

/* The instruction whose body runs now, as an access of `entity`. */
struct chk_mark chk_now(const struct chk *c, unsigned entity);
/* A finding with two sides. */
void chk_report(struct chk *c, enum tx_diag_id id, const struct chk_mark *other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const char *chk_entity_name(unsigned entity); /* "the packer for thread 2" */

#endif
