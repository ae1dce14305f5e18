/* A tile whose cores only poll comes back to a state that it was in before, a number of cycles later in every time that the state holds.
 * From then on the tile goes through the same states again and again until something from outside reaches it. Such a tile is dormant: it is
 * not run. When a packet arrives or the tile is read, whole rounds are skipped and the rest of the last one is executed, so that the
 * tile is in the state, to the bit, that it would have been in.
 *
 * riscv/spin.h parks one core whose loop loads one word. An orbit holds for the whole tile, so the cores may meet at the ports of L1 as
 * they like: what they do to each other is part of what repeats. The idle loops of tt-metal's firmware are such a case.
 *
 * How a repetition is found. One load of one core is the anchor: the engine pauses after the cycle in which it is granted. The state
 * there is compared with that of an earlier anchor (Brent's method: the reference moves on after 1, 2, 4, 8 ... anchors). Two states
 * are the same when every word is equal, or is a time and lies as much later as the anchors lie apart. A second round must move the same words
 * again. Then a word that has not moved was not written in two rounds: it is a time before all that moved, and stays one.
 *
 * What is compared: the cores without local RAM and instruction cache, their agents, the ports of L1. Nothing else can have changed when no
 * effect was created, no other agent had a time, and no core executed anything but arithmetic, branches, fences and loads from L1 and local
 * RAM; `acts` of the core cache counts the rest. A line that came into an instruction cache shows in fetch.arrival. */
#ifndef TESSERA_CHIP_ORBIT_H
#define TESSERA_CHIP_ORBIT_H

#include <stdbool.h>

#include "sim/engine.h"

struct tx_tile;
struct chip_orbit;

struct chip_orbit *chip_orbit_create(void); /* NULL: no memory; all functions take that and never find an orbit */
void chip_orbit_destroy(struct chip_orbit *orbit);
/* tx_tile_run_window, and looks for an orbit where `may_rest` allows it. */
enum sim_end chip_orbit_run(struct chip_orbit *orbit, struct tx_tile *t, bool may_rest, sim_time until, sim_time ahead);
bool chip_orbit_dormant(const struct chip_orbit *orbit);
/* Everything up to and including `now` has happened in the tile. It is no longer dormant. */
void chip_orbit_wake(struct chip_orbit *orbit, struct tx_tile *t, sim_time now);
/* The tile was changed from outside, after it was woken; or is to be replaced, dormant or not. */
void chip_orbit_forget(struct chip_orbit *orbit);
void chip_orbit_reset(struct chip_orbit *orbit);

#endif
