/* Orbits: the repeating states of a tile whose cores only poll. Such a tile returns to an earlier state in which only the times are
 * larger, all by the same number of cycles. From then on it repeats the same states until a packet or the host reaches it. The tile is
 * then dormant: it is not run. When a packet arrives or the tile is read, whole rounds are skipped and the rest of the last one is
 * executed, so that the tile is in exactly the state of a complete run.
 *
 * riscv/spin.h parks one core whose loop loads one word. An orbit covers the whole tile, so its cores may compete for the ports of L1:
 * their interaction repeats too. The idle loops of tt-metal's firmware are such a case.
 *
 * Detection: one load of one core is the anchor, and the engine pauses after the cycle in which it is granted. The state there is
 * compared with that of an earlier anchor (Brent's method: the reference moves on after 1, 2, 4, 8 ... anchors). Two states are the
 * same if every word is equal, or is a time that has grown by the distance of the two anchors. A second round must change the same
 * words again. A word that did not change was then not written in two rounds: it is a time before all that changed, and stays one.
 *
 * Compared are the cores without local RAM and instruction cache, their agents, and the ports of L1. No other state can have changed if
 * no effect was created, no other agent had a time, and the cores executed only arithmetic, branches, fences and loads from L1 and
 * local RAM; `acts` of the core cache counts all other instructions. A new line in an instruction cache changes fetch.arrival. */
#ifndef TESSERA_CHIP_ORBIT_H
#define TESSERA_CHIP_ORBIT_H

#include <stdbool.h>

#include "sim/engine.h"

struct tx_tile;
struct chip_orbit;

struct chip_orbit *chip_orbit_create(void); /* NULL: out of memory; all functions accept NULL and then find no orbit */
void chip_orbit_destroy(struct chip_orbit *orbit);
/* tx_tile_run_window, with a search for an orbit where `may_rest` allows it. */
enum sim_end chip_orbit_run(struct chip_orbit *orbit, struct tx_tile *t, bool may_rest, sim_time until, sim_time ahead);
bool chip_orbit_dormant(const struct chip_orbit *orbit);
/* Advances the tile to the state after cycle `now`. It is no longer dormant. */
void chip_orbit_wake(struct chip_orbit *orbit, struct tx_tile *t, sim_time now);
/* The tile was changed from outside after it was woken, or will be replaced, dormant or not. */
void chip_orbit_forget(struct chip_orbit *orbit);
void chip_orbit_reset(struct chip_orbit *orbit);

#endif
