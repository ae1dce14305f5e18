/* The chip: the endpoints of the grid, the network between them, and time.
 *
 * Tiles run independently for a window that is shorter than the latency of any packet; between two windows one thread moves
 * the packets. The result does not depend on the number of host threads. A tile that is idle in a window is not run, idle
 * time is skipped, and a tile that is the only active one runs until it sends a packet. */
#ifndef TESSERA_CHIP_CHIP_H
#define TESSERA_CHIP_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/config.h"
#include "chip/endpoint.h"
#include "chip/grid.h"
#include "chip/network.h"
#include "chip/service.h"

struct tx_tile;
struct chip_holds;

struct chip;

/* NULL: out of memory, or `why` is set to the error in the configuration. */
struct chip *chip_create(const struct chip_config *config, const char **why);
void chip_destroy(struct chip *chip);

const struct chip_network *chip_network(const struct chip *chip);                   /* for its traffic */
bool chip_waiting(struct chip *chip, unsigned which, struct chip_waiting *waiting); /* network.h */

/* Frames of Ethernet links (link.h of the tile) that tiles have sent, in the order of their departure from each tile; NULL: there are no
 * more. The caller owns it. `tile` is that of the sender, `arrives` the cycle at the other end. */
struct noc_packet *chip_take_frame(struct chip *chip);
/* A frame arrives at an Ethernet tile of this chip in a later cycle. false: there is no such tile, and the frame is freed. */
bool chip_put_frame(struct chip *chip, unsigned tile, struct noc_packet *frame);
/* The earliest cycle in which anything of the chip acts, if no frame arrives before; SIM_NEVER: nothing does. Never too late. */
sim_time chip_next(struct chip *chip);

/* Restores the state after creation; tiles whose struct a caller holds are reset in place. */
void chip_clear(struct chip *chip);
/* Clears packets, network and fault; tiles and memories are unchanged. */
void chip_clear_packets(struct chip *chip);

/* Runs all cycles up to and including `until`. Time advances to there even if the chip is idle. */
enum chip_end chip_run(struct chip *chip, sim_time until);

/* The Tensix tile there, advanced to the chip's time; NULL: another kind of tile. The caller may change it, so from now on the tile is
 * never dormant (orbit.h). */
struct tx_tile *chip_tensix(struct chip *chip, unsigned tile);
/* The same to look at before the chip runs on, without a lasting effect. NULL also: nothing has accessed the tile yet. */
const struct tx_tile *chip_tensix_seen(struct chip *chip, unsigned tile);

/* Memory and registers of a tile, from outside and at once. Tile ids: grid.h. false: no such address, or a fault was
 * recorded. */
bool chip_read(struct chip *chip, unsigned tile, uint64_t address, void *bytes, size_t length);
bool chip_write(struct chip *chip, unsigned tile, uint64_t address, const void *bytes, size_t length);
/* Writes to every tile that takes part in broadcasts in a rectangle of raw coordinates of a NoC; returns their number. */
unsigned chip_write_rectangle(struct chip *chip, unsigned noc, struct noc_place start, struct noc_place end,
                              uint64_t address, const void *bytes, size_t length);

/* Requests to tiles that are fused off, which are never answered: their number, and the last few. */
unsigned chip_lost_count(const struct chip *chip);
const struct noc_packet *chip_lost(const struct chip *chip, unsigned index);
/* Packets that a tile has sent and received. */
uint64_t chip_traffic(const struct chip *chip, unsigned tile);
/* No packet is in flight and no NIU waits for one. */
bool chip_quiet(const struct chip *chip);
void chip_watch(struct chip *chip, chip_packet_fn *watch, void *context); /* network.h */
void chip_watch_memory(struct chip *chip, chip_memory_fn *watch, void *context);
uint64_t chip_dram_busy(const struct chip *chip,
                        unsigned controller); /* cycles of its accesses since the chip was created */
void chip_watch_bursts(struct chip *chip, chip_burst_fn *watch, void *context);
void chip_hold_packets(struct chip *chip, struct chip_holds *holds); /* network.h */
uint64_t chip_packets(const struct chip *chip); /* delivered so far; a broadcast counts once per receiver */

uint64_t chip_hash(const struct chip *chip);
/* Advances dormant tiles (orbit.h) to the chip's time, for a caller that reads a tile through its endpoint. */
void chip_wake(const struct chip *chip);
/* The state as bytes: all accessed tiles, with a version and a checksum. false: out of memory. */
bool chip_save(const struct chip *chip, struct chip_stream *to);
/* NULL, or the reason why the bytes are rejected; the chip is then unchanged. */
const char *chip_restore(struct chip *chip, struct chip_stream *from);
/* Recomputes the checksum of a saved chip: for tests that damage one. */
void chip_seal(void *state, size_t length);

#endif
