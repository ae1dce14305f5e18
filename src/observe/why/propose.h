/* The rerun that confirms a cause (why/cause.h). */
#ifndef TESSERA_OBSERVE_WHY_PROPOSE_H
#define TESSERA_OBSERVE_WHY_PROPOSE_H

#include "observe/why/verdict.h"

void obs_why_propose(const struct why_verdict *v, const char *what_if); /* by its name */
/* Without the time of this part of the agent's program, or of this line of the core with most of the path. */
void obs_why_propose_extent(const struct why_verdict *v, unsigned agent, const struct dbg_extent *extent);
void obs_why_propose_line(const struct why_verdict *v, const struct why_line *line);

#endif
