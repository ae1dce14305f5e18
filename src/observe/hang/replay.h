/* Finds the last writer of a word of L1. A run is deterministic, so it is repeated from its start on a second tile, which
 * records the writers of a few words. This costs a copy of the state at the start of a run and nothing during it. */
#ifndef TESSERA_OBSERVE_HANG_REPLAY_H
#define TESSERA_OBSERVE_HANG_REPLAY_H

#include "tensix/tile/tile.h"

#define OBS_HOST_WRITES 64u
#define OBS_HOST_WRITE_BYTES 8u
#define OBS_REPLAY_CYCLES (UINT64_C(1) << 26) /* a longer run is not repeated */

/* A write of the host between two parts of the run. */
struct obs_host_write {
  sim_time cycle;
  uint32_t address, length;
  uint8_t bytes[OBS_HOST_WRITE_BYTES];
};

struct obs_history {
  struct tx_tile *start; /* the state before the run, NULL: none; memory of the caller */
  bool whole;            /* all changes to the tile since then are recorded */
  uint32_t taken;        /* number of times that `start` was filled */
  uint32_t write_count;
  struct obs_host_write writes[OBS_HOST_WRITES];
};

/* Before a run: copies the state unless `start` already holds it. */
void obs_history_begin(struct obs_history *h, const struct tx_tile *t);
/* The host has written. A long write, or too many writes, end the history. */
void obs_history_write(struct obs_history *h, sim_time cycle, uint32_t address, const void *bytes, uint32_t length);

/* Fills t->unsaved.writers with the last writers of the words of L1 that waiters poll. `scratch`: memory for a tile. Does nothing if
 * no word is polled, the history is incomplete or the run was too long. */
bool obs_replay_wanted(const struct obs_history *h, const struct tx_tile *t);
void obs_replay(const struct obs_history *h, struct tx_tile *t, struct tx_tile *scratch);

#endif
