/* Laps: a tile in a steady loop returns to an earlier state in which only times, counts and data are different. From then on it does the same again: the same
 * words pass the gates in the same cycles of the lap, and the cores store the same values to the same addresses. So a lap is noted once and then
 * repeated: the bodies of the words and their effects are executed, and what leads to them is not simulated again. Front ends, gates, cores and agents are
 * moved forward at the end, by whole laps. The run is the same to the cycle and to the bit.
 *
 * Detection: a turn of one core at one pc is the anchor, and the engine pauses after it. The run goes on until no core is ahead of the tile, and is cut there. The
 * state at the cut is compared with that at an earlier anchor, the reference (Brent's method: the reference moves on after 8, 16, 32 ... anchors); most states are
 * told apart by a number (sign.h). From the reference on notes are taken (lap_notes.h). When both states are the same (same.h), the notes are those of a lap. Registers and
 * local RAM of a core may differ from lap to lap, as loop counters do: a lap is repeated if each core would take the same path and do the same to its
 * outside (trace.h), which is tested before the lap begins. When a loop ends, the cores are simulated again.
 *
 * No lap is searched while something observes the tile (a checker, a trace, breakpoints, performance counters), or while its NIUs work. A lap with an access of a core
 * to a register that has no entry in lap_notes.c, an atomic or an instruction that waits in the scalar unit is not repeated. */
#ifndef TESSERA_TENSIX_LAP_H
#define TESSERA_TENSIX_LAP_H

#include "sim/engine.h"

struct tx_tile;
struct tx_lap;

struct tx_lap *tx_lap_create(void); /* NULL: out of memory; all functions accept NULL and then find no lap */
void tx_lap_destroy(struct tx_lap *lap);
/* The tile was changed from outside or will be replaced: what is known of its laps is forgotten. */
void tx_lap_forget(struct tx_lap *lap);
/* As tx_tile_run up to `until`, but laps may be repeated up to `furthest`. */
enum sim_end tx_lap_run(struct tx_lap *lap, struct tx_tile *t, sim_time until, sim_time furthest);

/* The caller gets the tile: no notes are taken meanwhile. */
void tx_lap_pause(struct tx_lap *lap, struct tx_tile *t);
struct tx_lap_told {
  sim_time
      last_word;     /* the cycle of the last word in the last lap that the last run has repeated; 0: it has repeated none */
  sim_time repeated; /* cycles that were repeated, in all runs */
};
struct tx_lap_told tx_lap_told(const struct tx_lap *lap);

#endif
