/* What a cause of why/cause.h judges, and what it writes. */
#ifndef TESSERA_OBSERVE_WHY_VERDICT_H
#define TESSERA_OBSERVE_WHY_VERDICT_H

#include "observe/why/step.h"
#include "observe/why/value.h"

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

#endif
