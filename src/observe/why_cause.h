/* The causes of why.h: each recognises itself on the critical path, adds the verdict with the change to make, and proposes a rerun. */
#ifndef TESSERA_OBSERVE_WHY_CAUSE_H
#define TESSERA_OBSERVE_WHY_CAUSE_H

#include "observe/why_step.h"
#include "observe/why_value.h"

struct why_verdict {
  const struct obs_why *why;
  struct sim_text *out;
  const struct obs_why_tile *tile;
  const struct obs_profile *p;
  const struct obs_path *path;
  unsigned main;               /* the agent with the most cycles on the path */
  const struct why_part *part; /* of its program; NULL: not known */
  struct obs_what_if *what_if;
};

/* Two pages are a change of one number: it precedes a change of the program that saves up to so many times as much. */
#define WHY_BUFFERS_WEIGHT 4u

static inline double obs_why_path_share(const struct obs_path *path, uint64_t cycles) {
  return obs_why_share(cycles, path->until - path->from);
}
static inline double obs_why_agent_share(const struct why_verdict *v, unsigned agent) {
  return obs_why_path_share(v->path, v->path->cycles[agent]);
}

/* Adds the verdict and returns true, or does not apply. */
typedef bool why_cause_fn(const struct why_verdict *);
#define WHY_CAUSES 12u
#define WHY_STRUCTURES 6u /* the first causes are of the program's structure: another cause may be the larger one */
extern why_cause_fn *const obs_why_cause_table[WHY_CAUSES]; /* most specific first */
why_cause_fn obs_why_bound_by_unit, obs_why_bound_by_core, obs_why_bound_by_unit_time;
/* Would the first of two causes save enough, by the path, if there are no reruns? */
bool obs_why_first_by_path(const struct why_verdict *v, why_cause_fn *first);

#endif
