/* The critical path of a run, followed backwards from its end.
 *
 * At each time the path is on one agent. While that agent works, the path stays on it. Where it waited for another agent, the path
 * moves to that one at the time at which the wait ended. Waits are recorded in a ring: for a long run the path covers the last part. */
#ifndef TESSERA_OBSERVE_PATH_H
#define TESSERA_OBSERVE_PATH_H

#include "observe/account.h"

#define OBS_WAITS (1u << 17)
#define OBS_PATH_AGENTS (TX_AGENT_NCRISC + 1u)

struct obs_wait {
  sim_time begin, end;
  uint32_t pc, object;
  uint16_t agent, category;
  uint32_t before; /* the wait of the same agent before this one, + 1; 0: none */
};

struct obs_waits {
  uint32_t count; /* number of all waits; the ring holds the last OBS_WAITS */
  uint32_t last[OBS_PATH_AGENTS];
  struct obs_wait ring[OBS_WAITS];
};

/* A wait that ends at `end`; merged with the agent's last one if it continues it. */
void obs_waits_add(struct obs_waits *w, unsigned agent, unsigned category, uint32_t pc, uint32_t object, sim_time end,
                   uint64_t cycles);

/* The agent that ends a wait of `agent`, by category, object and length; OBS_PATH_AGENTS: none, the cycles count for the
 * agent itself. */
typedef unsigned obs_ender_fn(const struct tx_tile *t, unsigned agent, unsigned category, uint32_t object, uint64_t cycles);

/* One pair of agents between which the path moves. */
struct obs_turns {
  uint32_t times;
  uint64_t cycles; /* cycles on `to` before the moves */
  uint32_t object, category;
};

struct obs_path {
  sim_time from, until;                                     /* what it covers */
  uint64_t cycles[OBS_PATH_AGENTS];                         /* cycles on each agent; they sum to until - from */
  uint64_t own_wait[OBS_PATH_AGENTS][OBS_CATEGORIES];       /* of these: waits for no other agent */
  struct obs_turns turns[OBS_PATH_AGENTS][OBS_PATH_AGENTS]; /* [waiter][awaited agent] */
};

/* From the agent at the end of the run. The account must be settled. */
void obs_path_find(struct obs_path *path, const struct obs_waits *w, const struct tx_tile *t, sim_time from, unsigned agent,
                   obs_ender_fn *ender);

#endif
