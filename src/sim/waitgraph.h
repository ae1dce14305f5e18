/* The wait-for graph: each waiting agent and its possible releasers.
 *
 * Built on demand from every agent's blocked_on (struct sim_wait). The machine supplies, for a wait, the set of
 * agents that could end it. An agent that is done or off can release nothing: a wait whose every releaser is such an agent is
 * reported as hopeless, a closed chain of waits as a cycle. */
#ifndef TESSERA_SIM_WAITGRAPH_H
#define TESSERA_SIM_WAITGRAPH_H

#include <stddef.h>

#include "sim/engine.h"

struct sim_words {
  /* "thread 1 (math)" */
  void (*agent)(const void *machine, unsigned agent, char *text, size_t size);
  /* "semaphore 1 (MATH_PACK) to be below its maximum: value 2, max 2" */
  void (*wait)(const void *machine, const struct sim_wait *wait, char *text, size_t size);
  /* bit per agent that could end this wait */
  uint64_t (*releasers)(const void *machine, unsigned agent, const struct sim_wait *wait);
};

struct sim_waitgraph {
  uint64_t blocked;  /* agents that wait for something */
  uint64_t in_cycle; /* of these, the ones on a closed chain */
  uint64_t hopeless; /* of these, the ones no remaining agent can release */
  uint64_t releasers[SIM_AGENTS_MAX];
};

void sim_waitgraph_build(struct sim_waitgraph *graph, const struct sim_engine *engine, const struct sim_words *words,
                         const void *machine);
/* The shortest closed chain through `start`, an agent of in_cycle: each waits for the next, the last for the first. Its length. */
unsigned sim_waitgraph_cycle(const struct sim_waitgraph *graph, unsigned start, unsigned path[SIM_AGENTS_MAX]);

#endif
