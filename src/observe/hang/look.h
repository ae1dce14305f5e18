/* Examines the cores of a tile that run without progress: are they all in loops that cannot end (orbit.h)? */
#ifndef TESSERA_OBSERVE_HANG_LOOK_H
#define TESSERA_OBSERVE_HANG_LOOK_H

#include "observe/hang/orbit.h"
#include "tensix/tile/tile.h"

struct obs_look {
  struct tx_tile *t;
  unsigned cores;                    /* bit per core that is traced */
  unsigned late;                     /* bit per core that waited for a known time when the examination began */
  int handle;                        /* of the log */
  struct tx_atomic_listener atomics; /* during a run */
  sim_time settled;                  /* orbits are confirmed from this cycle on */
  struct obs_orbit orbit[TX_CORES];
};

/* A sum of all counters of a tile that indicate progress, and the number of stores of its cores, which may repeat. */
uint64_t obs_work_done(const struct tx_tile *t);
uint64_t obs_stores_done(const struct tx_tile *t);
/* Only cores are awake: no effect but their stores to L1 is pending, and every other agent waits for an event. */
bool obs_only_cores_act(const struct tx_tile *t);
/* A core runs and waits for nothing. */
bool obs_some_core_spins(const struct tx_tile *t);

/* Starts to trace the instructions of the tile's spinning cores; the examination lasts for up to so many cycles. false: none spins, or the log is full. */
bool obs_look_begin(struct obs_look *look, struct tx_tile *t, sim_time cycles);
/* Between two runs: detaches from the tile's log, and attaches again. false: the log is full. */
void obs_look_pause(struct obs_look *look);
bool obs_look_resume(struct obs_look *look, struct tx_tile *t);
/* Every core has returned to an earlier state. */
bool obs_look_closed(const struct obs_look *look);
/* A core computes, or is not understood: the examination has failed. */
bool obs_look_lost(const struct obs_look *look);
/* `hangs`: the spinning cores get a wait for the reports, starting at `since` at the latest. */
void obs_look_end(struct obs_look *look, bool hangs, sim_time since);

#endif
