/* Figures for the reports of a chip: of a tile, and of the links that leave it. */
#ifndef TESSERA_OBSERVE_REPORT_CHIP_FIGURES_H
#define TESSERA_OBSERVE_REPORT_CHIP_FIGURES_H

#include "chip/chip.h"
#include "tensix/tile/tile.h"

/* The tile there; NULL: no Tensix tile, or it was not accessed. */
const struct tx_tile *obs_chip_cores(struct chip *chip, unsigned tile);
uint64_t obs_chip_instructions(const struct tx_tile *t);
/* The cycle at which the last core of the tile stopped; SIM_NEVER: one runs; 0: none has run. */
sim_time obs_chip_tile_end(const struct tx_tile *t);
/* From the first cycle of the tile's first kernel_main to its last core's stop, or to `now`; without a kernel_main, from
 * cycle 0. */
sim_time obs_chip_kernel_cycles(const struct tx_tile *t, sim_time now);
/* The cycle at which the last core of the chip stopped; the present cycle if a core runs or none has run. */
sim_time obs_chip_end(struct chip *chip);
/* The same; after a finding that stopped the run (--strict), its cycle. */
sim_time obs_chip_stop(struct chip *chip);
/* The link of the tile's router: CHIP_PORT_NIU leads into the tile. Links are counted with timing on. */
struct chip_link_counts obs_chip_link(const struct chip *chip, unsigned noc, unsigned tile, enum chip_router_port port);
/* Flits over all links along one axis; raises *busiest to the largest number over one link. */
uint64_t obs_chip_flits(const struct chip *chip, unsigned noc, enum chip_router_port port, uint64_t *busiest);
/* Tiles that ran, and their instructions. */
unsigned obs_chip_tiles_ran(struct chip *chip, uint64_t *instructions);

#endif
