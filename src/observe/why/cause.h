/* The causes of why.h: each recognises itself on the critical path, adds the verdict with the change to make, and proposes a rerun. */
#ifndef TESSERA_OBSERVE_WHY_CAUSE_H
#define TESSERA_OBSERVE_WHY_CAUSE_H

#include "observe/why/verdict.h"

#define WHY_CAUSES 14u
#define WHY_STRUCTURES 8u /* the first causes are of the program's structure: another cause may be the larger one */
extern why_cause_fn *const obs_why_cause_table[WHY_CAUSES]; /* most specific first */
why_cause_fn obs_why_bound_by_unit, obs_why_bound_by_core, obs_why_bound_by_unit_time;
/* Would the first of two causes save enough, by the path, if there are no reruns? */
bool obs_why_first_by_path(const struct why_verdict *v, why_cause_fn *first);

#endif
