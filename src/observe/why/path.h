/* The critical path of a run, followed backwards from its end.
 *
 * At each time the path is on one agent of one tile. While that agent works, the path stays on it. Where it waited for another agent, the
 * path moves to that one at the time at which the wait ended; where it waited for a packet of another tile, to the core that sent it, at
 * the time of its departure. Waits are recorded in a ring: for a long run the path covers the last part. */
#ifndef TESSERA_OBSERVE_WHY_PATH_H
#define TESSERA_OBSERVE_WHY_PATH_H

#include "observe/account/account.h"

#define OBS_WAITS (1u << 17)
#define OBS_PATH_AGENTS (TX_AGENT_NCRISC + 1u)

/* The core of another tile whose packet ended a wait, or the agent of the same tile whose write did. */
struct obs_sender {
  uint16_t tile; /* its number in the chip + 1; 0: none */
  uint16_t agent;
  uint32_t flight; /* cycles from the departure, or from the write, to the end of the wait */
};
#define OBS_OWN_TILE 0xffffu /* in `tile` */

struct obs_wait {
  sim_time begin, end;
  uint32_t pc, object;
  uint16_t agent, category;
  uint32_t before; /* the wait of the same agent before this one, + 1; 0: none */
  struct obs_sender sender;
};

struct obs_waits {
  uint32_t count; /* number of all waits; the ring holds the last OBS_WAITS */
  uint32_t last[OBS_PATH_AGENTS];
  struct obs_wait ring[OBS_WAITS];
};

/* A wait (all but `before`); merged with the agent's last one if it continues it. */
void obs_waits_add(struct obs_waits *w, const struct obs_wait *wait);

/* One pair of agents between which the path moves. */
struct obs_turns {
  uint32_t times;
  uint64_t cycles; /* cycles on `to` before the moves */
  uint32_t object, category;
};

#define OBS_OWN_WAITS 64u
struct obs_own_wait {
  uint64_t cycles;
  uint32_t pc, object;
  uint16_t agent, category;
};

/* Waits on the path for a word of L1 that another agent of the tile writes. */
#define OBS_HANDED 16u
struct obs_handed {
  uint64_t cycles; /* of these waits; 0: a free entry */
  uint32_t times, pc, object;
  uint16_t agent, from; /* waiter, writer */
};

struct obs_path {
  sim_time from, until;             /* what the path covers, in all tiles */
  uint64_t cycles[OBS_PATH_AGENTS]; /* on each agent of this tile; over all tiles they sum to until - from */
  uint64_t own_wait[OBS_PATH_AGENTS][OBS_CATEGORIES];       /* of these: waits for no other agent of this tile */
  struct obs_own_wait own[OBS_OWN_WAITS];                   /* the same by instruction; cycles 0: a free entry */
  struct obs_turns turns[OBS_PATH_AGENTS][OBS_PATH_AGENTS]; /* [waiter][awaited agent] */
  struct obs_handed handed[OBS_HANDED];                     /* by instruction and word */
};

struct obs_path_tile {
  const struct obs_waits *waits;
  const struct tx_tile *t;
  sim_time from, until; /* of its account */
  unsigned number;      /* in the chip */
  uint32_t cursor[OBS_PATH_AGENTS];
  struct obs_path path;
};

/* The agent of the same tile that ends a wait of `agent`, by category, object and length; OBS_PATH_AGENTS: none. */
typedef unsigned obs_ender_fn(const struct tx_tile *t, unsigned agent, unsigned category, uint32_t object, uint64_t cycles);

/* From an agent of the tile `last` at the end of the run. The accounts must be settled. */
void obs_path_find(struct obs_path_tile *tiles, unsigned count, unsigned last, unsigned agent, obs_ender_fn *ender);
/* Cycles of the agent's own waits of this category that `is` accepts. */
uint64_t obs_path_own(const struct obs_path *path, unsigned agent, unsigned category,
                      bool (*is)(const void *context, const struct obs_own_wait *own), const void *context);

#endif
