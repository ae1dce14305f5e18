/* A profile in the formats of other tools: callgrind (KCachegrind, callgrind_annotate) and speedscope.
 *
 * Costs are at the source line of the innermost frame. callgrind: one entry per caller, line and callee, with the number of calls and the
 * costs until they return; a function that was inlined is called from the line into which it was inlined. Calls that were not inlined are
 * those of the cores; speedscope's stacks have inlined functions only. Tensix instructions are at the lines that pushed them, under the
 * name of their thread, and have no call but the inlined ones. */
#ifndef TESSERA_OBSERVE_PROFILE_TEXT_H
#define TESSERA_OBSERVE_PROFILE_TEXT_H

#include "debug/frames.h"
#include "observe/profile.h"
#include "sim/text.h"

/* index[core].elf NULL: the core has no program. */
void obs_profile_callgrind(struct obs_profile *p, const struct dbg_index index[TX_CORES], void *memory,
                           struct sim_text *out);
size_t obs_profile_callgrind_bytes(const struct dbg_index index[TX_CORES]); /* of `memory`, aligned as malloc's */
void obs_profile_speedscope(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out);

#endif
