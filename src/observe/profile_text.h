/* A profile in the formats of other tools: callgrind (KCachegrind, callgrind_annotate) and speedscope.
 *
 * Costs are at the source line of the innermost frame; a function that was inlined is shown as called from the line into
 * which it was inlined. Calls that were not inlined are not followed: the simulator does not unwind the core's stack.
 * Tensix instructions are at the lines that pushed them, under the name of their thread. */
#ifndef TESSERA_OBSERVE_PROFILE_TEXT_H
#define TESSERA_OBSERVE_PROFILE_TEXT_H

#include "debug/frames.h"
#include "observe/profile.h"
#include "sim/text.h"

/* index[core].elf NULL: the core has no program. */
void obs_profile_callgrind(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out);
void obs_profile_speedscope(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out);

#endif
