/* Is this load the load of a polling loop? */
#ifndef TESSERA_CHECK_POLLS_H
#define TESSERA_CHECK_POLLS_H

#include "check/internal.h"

bool chk_in_a_poll(struct chk *c, unsigned core, uint32_t pc, uint32_t value);
/* After chk_in_a_poll was false: does the load have the shape of a poll, which this value and its neighbours end at once? */
bool chk_may_poll(const struct chk *c, unsigned core, uint32_t pc);

#endif
