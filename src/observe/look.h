/* A close look at the cores of a tile that run without a sign of progress: are they all in loops that nothing will end (orbit.h)? */
#ifndef TESSERA_OBSERVE_LOOK_H
#define TESSERA_OBSERVE_LOOK_H

#include "observe/orbit.h"
#include "tensix/tile/tile.h"

struct obs_look {
  struct tx_tile *t;
  unsigned cores; /* bit per core that is followed */
  int handle;     /* of the log */
  struct obs_orbit orbit[TX_CORES];
};

/* Everything in a tile that counts as progress, added up. */
uint64_t obs_work_done(const struct tx_tile *t);
/* Only cores are awake: no effect is pending, and every other agent waits for an event. */
bool obs_only_cores_act(const struct tx_tile *t);
/* Some core runs and waits for nothing. */
bool obs_some_core_spins(const struct tx_tile *t);

/* From now on the instructions of the tile's spinning cores are followed. false: none spins, or there is no room in the log. */
bool obs_look_begin(struct obs_look *look, struct tx_tile *t);
/* Between two runs: the tile's log does not hold the look. false: there is no room in the log any more. */
void obs_look_pause(struct obs_look *look);
bool obs_look_resume(struct obs_look *look, struct tx_tile *t);
/* Every core has come back to where it was. */
bool obs_look_closed(const struct obs_look *look);
/* A core computes, or is not understood: the look is in vain. */
bool obs_look_lost(const struct obs_look *look);
/* `hangs`: the cores that spin get a wait that reports can name, since `since` at the latest. */
void obs_look_end(struct obs_look *look, bool hangs, sim_time since);

#endif
