/* Cores apart: firmware that waits for the wall clock, as the vendor's BRISC does between two looks at a command, never returns to an earlier state together with
 * the kernel beside it. If such a core only reads (the clock, its own memory, L1 where nothing is written), and no other core uses the ports of L1 meanwhile, the
 * rest of the tile does not depend on it: its loads take no cycle from the streams of unpackers and packer, and none where the mover streams. Then laps are found and repeated without it, and it is simulated alone for the same cycles, before the laps. */
#ifndef TESSERA_TENSIX_LAP_APART_H
#define TESSERA_TENSIX_LAP_APART_H

#include "tensix/state.h"

#define TX_LAP_APART 2u /* BRISC and NCRISC */

/* The cores apart, and what they alone change, as they were before they ran ahead of the laps. */
struct tx_lap_apart {
  uint32_t cores;  /* bit per core */
  sim_time behind; /* timing off: cycles that they are behind the tile */
  sim_time begin;  /* of the laps */
  sim_time ran;    /* cycles after which the last run ended that did not come to its end */
  struct tx_core core[TX_LAP_APART];
  struct sim_agent agent[TX_LAP_APART];
  struct tx_core_port port[TX_LAP_APART];
  sim_time last_access[TX_LAP_APART];
  struct tx_l1_ports ports;
  uint32_t wall_high;
};

/* Could this core be apart from now on? */
bool tx_lap_may_be_apart(const struct tx_tile *t, unsigned core);
/* Once before laps are repeated. */
void tx_lap_apart_begin(struct tx_lap_apart *a, const struct tx_tile *t);
/* The cores run alone from now, the beginning of a lap, for these cycles. `unwritten`: the pages of L1 that are not written in the laps. false: they cannot, and are as
 * before; they can for less than a->ran cycles. */
bool tx_lap_apart_run(struct tx_lap_apart *a, struct tx_tile *t, struct tx_lap_notes *notes, const uint64_t *unwritten,
                      sim_time cycles);
/* Fewer laps were repeated than they ran ahead for: now is the end of the last one. */
void tx_lap_apart_return(struct tx_lap_apart *a, struct tx_tile *t, struct tx_lap_notes *notes, const uint64_t *unwritten);

#endif
