/* The bottleneck of a run: the critical path from the end of the run back, the agent with most of it, and the part of its program. Computed
 * from accounts and profiles; the tiles must not be running. */
#ifndef TESSERA_OBSERVE_WHY_WHY_H
#define TESSERA_OBSERVE_WHY_WHY_H

#include "observe/why/value.h"
#include "sim/text.h"

/* Finds the path and sets `main`; obs_why_causes, with the lines of that tile, finds the causes. */
void obs_why_find(struct obs_why *why);
void obs_why_causes(struct obs_why *why);
/* The cause that reruns of these lengths confirm, by its number; OBS_WHY_NONE: they refute all. 0: no rerun, or one that failed. */
bool obs_why_confirms(uint64_t cycles, uint64_t rerun);
unsigned obs_why_decide(uint64_t cycles, const uint64_t reruns[OBS_WHY_CAUSES]);
/* The verdict of the chosen cause in one sentence with its line, the change to make, the path, and the chain of waits. */
void obs_why_text(const struct obs_why *why, struct sim_text *out);
/* {"verdict":"...","change":"...","what_if":"...","critical_path":[...]} */
void obs_why_json(const struct obs_why *why, struct sim_text *out);

#endif
