/* Why a PTO program is not faster: one sentence with what bounds it, who waits for that, and what to change. */
#ifndef TESSERA_OBSERVE_PTO_WHY_H
#define TESSERA_OBSERVE_PTO_WHY_H

#include "pto/runtime/grid.h"
#include "sim/text.h"

/* Without a newline; nothing of a run without work. `m`: the block of the report. */
void obs_pto_why(const struct pto_grid *grid, const struct pto_machine *m, struct sim_text *out);

#endif
