/* An instruction passes the gate of a thread. */
#ifndef TESSERA_CHECK_ISSUE_H
#define TESSERA_CHECK_ISSUE_H

#include "check/internal.h"

void chk_issue(struct chk *c, unsigned thread, uint32_t word);

#endif
