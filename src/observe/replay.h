/* Who wrote a word of L1 last? A run is deterministic, so it is repeated from its start on a second tile, which notes the writers of a few
 * words. That costs a copy of the state at the start of a run and nothing while it runs. */
#ifndef TESSERA_OBSERVE_REPLAY_H
#define TESSERA_OBSERVE_REPLAY_H

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
  struct tx_tile *start; /* as it was before the run, NULL: none; memory of the caller's */
  bool whole;            /* what was done to the tile since then is known */
  uint32_t taken;        /* how often `start` was filled */
  uint32_t write_count;
  struct obs_host_write writes[OBS_HOST_WRITES];
};

/* Before a run: keeps the state unless it has the start of this run already. */
void obs_history_begin(struct obs_history *h, const struct tx_tile *t);
/* The host has written; a long write, or too many, ends the history. */
void obs_history_write(struct obs_history *h, sim_time cycle, uint32_t address, const void *bytes, uint32_t length);

/* Fills t->unsaved.writers with the last writers of the words of L1 that waiters poll. `scratch`: memory for a tile. Nothing is filled
 * when no word is polled, the history is not whole or the run was too long. */
bool obs_replay_wanted(const struct obs_history *h, const struct tx_tile *t);
void obs_replay(const struct obs_history *h, struct tx_tile *t, struct tx_tile *scratch);

/* The polled word's writer as noted, NULL: the run was not repeated. */
const struct tx_writer *obs_writer_of(const struct tx_tile *t, uint32_t address);

#endif
