/* The size of the chip's grid and the number of tiles of each kind; grid.def has their positions. ISA: NoC/Coordinates.md
 * (Blackhole) */
#ifndef TESSERA_CHIPS_BLACKHOLE_GRID_H
#define TESSERA_CHIPS_BLACKHOLE_GRID_H

#define NOC_GRID_X 17u /* the torus: raw coordinates of both NoCs are below this */
#define NOC_GRID_Y 12u

#define CHIP_COLUMNS 14u /* Tensix columns, and Ethernet tiles */
#define CHIP_ROWS 10u    /* Tensix tiles of a column */
#define CHIP_TENSIX_TILES (CHIP_COLUMNS * CHIP_ROWS)
#define CHIP_DRAMS 8u /* controllers */
#define CHIP_DRAM_PORTS 3u

#endif
