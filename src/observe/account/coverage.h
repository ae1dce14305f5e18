/* The lines of the programs of a tile, and how often each was executed, in the format of LCOV (genhtml). */
#ifndef TESSERA_OBSERVE_ACCOUNT_COVERAGE_H
#define TESSERA_OBSERVE_ACCOUNT_COVERAGE_H

#include "debug/frames.h"
#include "observe/account/profile.h"
#include "sim/text.h"

/* index[core].elf NULL: the core has no program. */
void obs_profile_lcov(const struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out);

#endif
