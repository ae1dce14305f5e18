/* The grid of a Blackhole chip: the position of every tile, the fused-off tiles, and the coordinate translation that the management
 * firmware programs into every NIU before software runs.
 *
 * Three numberings. Raw NoC 0: x 0..16 rightwards, y 0..11 downwards; a tile's id is y * 17 + x of it. Raw NoC 1: (16 - x, 11 - y) of
 * the same tile. Die columns: the order of harvesting masks. Software addresses tiles by translated coordinates (grid.c).
 *
 * ISA: NoC/Coordinates.md, NoC/MemoryMap.md; tt-zephyr-platforms noc_init.c for what firmware leaves in the registers. */
#ifndef TESSERA_CHIP_GRID_H
#define TESSERA_CHIP_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/chip_map.h"
#include "chips/blackhole/grid.h"
#include "noc/translation.h"

#define CHIP_GRID_X NOC_GRID_X
#define CHIP_GRID_Y NOC_GRID_Y
#define CHIP_TILES (CHIP_GRID_X * CHIP_GRID_Y)
#define CHIP_NO_TILE 0xffffu
#define CHIP_NOCS 2u

enum chip_kind {
#define GRID_KIND(id, name, type) CHIP_##id,
#include "chips/blackhole/grid.def"
  CHIP_KINDS
};

/* The fused-off parts, and the PCIe tile to which the host is connected. */
struct chip_harvest {
  uint16_t tensix;   /* bit per die column */
  uint16_t ethernet; /* bit per Ethernet tile; the lowest 12 of the rest have translated coordinates */
  uint8_t dram;      /* bit per controller, at most one */
  uint8_t pcie;      /* 0 or 1 */
};

struct chip_product {
  const char *name;
  struct chip_harvest harvest;
  const char *text;
};

struct chip_slot {
  uint8_t kind;     /* enum chip_kind */
  uint8_t index;    /* of NOC_ENDPOINT_ID: Tensix 0..139, DRAM controller 0..7, Ethernet 0..13 */
  uint8_t port;     /* DRAM: 0..2 in the order of translated y */
  uint8_t good;     /* 0: fused off, the tile's clock is off */
  uint8_t x, y;     /* raw NoC 0 */
  uint16_t logical; /* NOC_ID_LOGICAL: translated x | y << 6 */
};

struct chip_grid {
  struct chip_harvest harvest;
  struct chip_slot slot[CHIP_TILES];
  struct noc_translation translation[CHIP_NOCS];
  uint32_t opt_out_columns[CHIP_NOCS], opt_out_rows[CHIP_NOCS]; /* ROUTER_CFG_1 and ROUTER_CFG_3 */
};

const char *chip_kind_name(unsigned kind);
const struct chip_product *chip_product_at(unsigned index); /* NULL after the last */
const struct chip_product *chip_product_find(const char *name);

/* Fills `grid`. NULL, or the reason why no card is like this: more than seven bad columns, two bad DRAM controllers, ... */
const char *chip_grid_init(struct chip_grid *grid, const struct chip_harvest *harvest);

/* Tile ids. Raw coordinates of a NoC; CHIP_NO_TILE outside the grid. */
unsigned chip_tile_of_raw(unsigned noc, unsigned x, unsigned y);
void chip_raw_of_tile(unsigned noc, unsigned tile, unsigned *x, unsigned *y);
/* Translated coordinates with the tables of this grid. */
unsigned chip_tile_of(const struct chip_grid *grid, unsigned noc, unsigned x, unsigned y);
/* The id of tile `index` of a kind (Ethernet by tile number, DRAM: controller * 3 + port); CHIP_NO_TILE when there is none. */
unsigned chip_tile_of_kind(const struct chip_grid *grid, unsigned kind, unsigned index);

/* Registers of an NIU as firmware leaves them. */
void chip_niu_config(const struct chip_grid *grid, unsigned tile, unsigned noc, uint32_t config[NOC_CONFIG_WORDS]);
uint32_t chip_node_id(unsigned tile, unsigned noc);
uint32_t chip_endpoint_id(const struct chip_grid *grid, unsigned tile, unsigned noc);
bool chip_opted_out(const struct chip_grid *grid, unsigned tile, unsigned noc);

#endif
