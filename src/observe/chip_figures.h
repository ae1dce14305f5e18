/* What the reports of a chip say about a tile and about the links that leave it. */
#ifndef TESSERA_OBSERVE_CHIP_FIGURES_H
#define TESSERA_OBSERVE_CHIP_FIGURES_H

#include "chip/chip.h"
#include "tensix/tile/tile.h"

/* The tile there; NULL: no Tensix tile, or nothing has touched it. */
const struct tx_tile *obs_chip_cores(struct chip *chip, unsigned tile);
uint64_t obs_chip_instructions(const struct tx_tile *t);
/* When the last core of the tile stopped; SIM_NEVER: one runs; 0: none has run. */
sim_time obs_chip_tile_end(const struct tx_tile *t);
/* From the first cycle of the tile's first kernel_main to its last core's stop, or to `now`; of a program without one, from cycle 0. */
sim_time obs_chip_kernel_cycles(const struct tx_tile *t, sim_time now);
/* When the last core of the chip stopped; now, while a core runs or when none has run. */
sim_time obs_chip_end(struct chip *chip);
/* The link of the tile's router: CHIP_PORT_NIU leads into the tile. Links are counted with timing on. */
struct chip_link_counts obs_chip_link(const struct chip *chip, unsigned noc, unsigned tile, enum chip_router_port port);
/* Flits over all links along one axis; *busiest becomes the most over one link when that is more than it was. */
uint64_t obs_chip_flits(const struct chip *chip, unsigned noc, enum chip_router_port port, uint64_t *busiest);
/* Tiles that ran, and their instructions. */
unsigned obs_chip_tiles_ran(struct chip *chip, uint64_t *instructions);

#endif
