/* A profile in the formats of other tools: callgrind (KCachegrind, callgrind_annotate) and speedscope.
 *
 * Costs are at the source line of the innermost frame. callgrind: one entry per caller, line and callee, with the number of calls and the
 * costs until they return; a function that was inlined is called from the line into which it was inlined. Calls that were not inlined are
 * those of the cores; speedscope's stacks have inlined functions only. Tensix instructions are at the lines that pushed them, under the
 * name of their thread, and have no call but the inlined ones. */
#ifndef TESSERA_OBSERVE_ACCOUNT_PROFILE_TEXT_H
#define TESSERA_OBSERVE_ACCOUNT_PROFILE_TEXT_H

#include "debug/frames.h"
#include "observe/account/profile.h"
#include "sim/text.h"

/* A callgrind profile of several parts: tiles, or sums of tiles, that have different programs. First the columns of every part, then
 * the begin, the parts and the end. index[core].elf NULL: the core has no program. */
struct obs_callgrind {
  struct sim_text *out;
  bool used[OBS_CATEGORIES];              /* columns */
  uint64_t total, totals[OBS_CATEGORIES]; /* cycles; of each category */
};
void obs_callgrind_columns(struct obs_callgrind *c, struct obs_profile *p);
void obs_callgrind_begin(struct obs_callgrind *c);
void obs_callgrind_add(struct obs_callgrind *c, struct obs_profile *p, const struct dbg_index index[TX_CORES], void *memory);
size_t obs_callgrind_bytes(const struct dbg_index index[TX_CORES]); /* of `memory`, aligned as malloc's */
void obs_callgrind_end(struct obs_callgrind *c);

/* The same for speedscope: a part adds one profile per core and thread, named "NCRISC" and `whose`. obs_speedscope_end frees the names. */
struct obs_speedscope {
  struct sim_text *out;
  struct obs_frame_list *list;
  const char *between;
};
bool obs_speedscope_begin(struct obs_speedscope *s, struct sim_text *out, unsigned parts); /* false: out of memory */
void obs_speedscope_add(struct obs_speedscope *s, struct obs_profile *p, const struct dbg_index index[TX_CORES],
                        const char *whose);
void obs_speedscope_end(struct obs_speedscope *s);

#endif
