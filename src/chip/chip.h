/* The chip: the endpoints of the grid, the network between them, and time.
 *
 * Tiles run independently for a window that is shorter than any packet's way; between two windows one thread moves the packets. The
 * result does not depend on the number of host threads. A tile with nothing to do in a window is not touched, time in which nothing
 * happens is skipped, and while a single tile is active it runs on until it sends something. */
#ifndef TESSERA_CHIP_CHIP_H
#define TESSERA_CHIP_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/config.h"
#include "chip/endpoint.h"
#include "chip/grid.h"
#include "chip/network.h"

struct tx_tile;

struct chip;

/* NULL: no memory, or `why` is set to what is wrong with the configuration. */
struct chip *chip_create(const struct chip_config *config, const char **why);
void chip_destroy(struct chip *chip);

const struct chip_grid *chip_grid(const struct chip *chip);
const struct chip_config *chip_config(const struct chip *chip);
const struct chip_host *chip_host(const struct chip *chip);
const struct chip_network *chip_network(const struct chip *chip); /* for its traffic */
bool chip_timing(const struct chip *chip);
const struct noc_times *chip_times(const struct chip *chip);
sim_time chip_now(const struct chip *chip);

/* Runs all cycles up to and including `until`. Time has moved there also when nothing could happen any more. */
enum chip_end chip_run(struct chip *chip, sim_time until);

/* The endpoint at a tile id, created on the first call; NULL: no such place or no memory. */
struct chip_endpoint *chip_endpoint(struct chip *chip, unsigned tile);
/* The same without creating it: `self` is NULL when nothing has touched it. */
struct chip_endpoint *chip_endpoint_peek(struct chip *chip, unsigned tile);
/* The Tensix tile there, brought up to the chip's time; NULL: another kind of tile. */
struct tx_tile *chip_tensix(struct chip *chip, unsigned tile);

/* Memory and registers of a tile, from outside and at once. Tile ids: grid.h. false: nothing there, or a fault was recorded. */
bool chip_read(struct chip *chip, unsigned tile, uint64_t address, void *bytes, size_t length);
bool chip_write(struct chip *chip, unsigned tile, uint64_t address, const void *bytes, size_t length);
/* Writes to every tile of a rectangle of raw coordinates of a NoC that takes part in broadcasts; answers how many did. */
unsigned chip_write_rectangle(struct chip *chip, unsigned noc, struct noc_place start, struct noc_place end,
                              uint64_t address, const void *bytes, size_t length);

/* The first fault of the chip, and where; NULL: none. */
const struct sim_fault *chip_fault(const struct chip *chip, unsigned *tile);
/* Requests to tiles that are fused off: they are never answered. The last few of them. */
unsigned chip_lost_count(const struct chip *chip);
const struct noc_packet *chip_lost(const struct chip *chip, unsigned index);
/* Packets that a tile has sent and received. */
uint64_t chip_traffic(const struct chip *chip, unsigned tile);
/* No packet is under way and no NIU waits for one. */
bool chip_quiet(const struct chip *chip);
void chip_watch(struct chip *chip, chip_packet_fn *watch, void *context); /* network.h */
void chip_watch_memory(struct chip *chip, chip_memory_fn *watch, void *context);
uint64_t chip_packets(const struct chip *chip); /* delivered so far; a broadcast counts once per receiver */
/* When something last happened. */
sim_time chip_last_progress(const struct chip *chip);

uint64_t chip_hash(const struct chip *chip);
/* Brings the tiles that were dormant (orbit.h) to the chip's time: for who looks at a tile through its endpoint. */
void chip_wake(const struct chip *chip);
/* The state as bytes: what was touched, with a version and a checksum. false: no memory. */
bool chip_save(const struct chip *chip, struct chip_stream *to);
/* NULL, or why the bytes are refused; the chip is then as before. */
const char *chip_restore(struct chip *chip, struct chip_stream *from);

#endif
