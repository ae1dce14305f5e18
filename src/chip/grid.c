/* The grid of grid.h, built from chips/blackhole/grid.def.
 *
 * Translated coordinates on NoC 0 (NoC 1 holds 16 - x, 11 - y of every entry, the same masks and the same NOC_ID_LOGICAL):
 *
 *   x 1..7, 10..16  y 2..11    Tensix: good columns in rising x, then bad ones from 16 downwards in the order of the die
 *   x any           y 0, 1     x stays raw (ROW_MASK = 3)
 *   x 0, 8, 9                  identity
 *   x 17, 18        y 12..23   DRAM: three ports of one controller after the other; a bad controller is last, in column 18
 *   x 19            y 24       the PCIe tile in use
 *   x 20..31        y 25       Ethernet
 *   x 8             y 26..29   L2CPU; y 30 security */
#include "chip/grid.h"

#include <stddef.h>
#include <string.h>

#include "noc/node.h"
#include "noc/state.h"

static const uint8_t column_x[CHIP_COLUMNS] = {
#define GRID_COLUMN(die, x) [die] = x,
#include "chips/blackhole/grid.def"
};
static const uint8_t dram_y[CHIP_DRAMS / 2][CHIP_DRAM_PORTS] = {
#define GRID_DRAM(group, port, y) [group][port] = y,
#include "chips/blackhole/grid.def"
};
static const struct {
  uint8_t kind, index, x, y;
} places[] = {
#define GRID_PLACE(kind, index, x, y) {CHIP_##kind, index, x, y},
#include "chips/blackhole/grid.def"
};
static const uint16_t endpoint_types[CHIP_KINDS] = {
#define GRID_KIND(id, name, type) [CHIP_##id] = type,
#include "chips/blackhole/grid.def"
};
static const struct chip_product products[] = {
#define GRID_PRODUCT(product, tensix_mask, dram_mask, ethernet_mask, pcie_tile, words) \
  {.name = product, \
   .harvest = {.tensix = tensix_mask, .dram = dram_mask, .ethernet = ethernet_mask, .pcie = pcie_tile}, \
   .text = words},
#include "chips/blackhole/grid.def"
};

const char *chip_kind_name(unsigned kind) {
  static const char *const names[CHIP_KINDS] = {
#define GRID_KIND(id, name, type) [CHIP_##id] = name,
#include "chips/blackhole/grid.def"
  };
  return kind < CHIP_KINDS ? names[kind] : "unknown";
}

const struct chip_product *chip_product_at(unsigned index) {
  return index < sizeof products / sizeof *products ? &products[index] : NULL;
}

const struct chip_product *chip_product_find(const char *name) {
  for (unsigned i = 0; chip_product_at(i); i++)
    if (strcmp(products[i].name, name) == 0) return &products[i];
  return NULL;
}

/* --- tile ids --- */

unsigned chip_tile_of_raw(unsigned noc, unsigned x, unsigned y) {
  if (x >= CHIP_GRID_X || y >= CHIP_GRID_Y) return CHIP_NO_TILE;
  if (noc) x = CHIP_GRID_X - 1 - x, y = CHIP_GRID_Y - 1 - y;
  return y * CHIP_GRID_X + x;
}

void chip_raw_of_tile(unsigned noc, unsigned tile, unsigned *x, unsigned *y) {
  *x = tile % CHIP_GRID_X;
  *y = tile / CHIP_GRID_X;
  if (noc) *x = CHIP_GRID_X - 1 - *x, *y = CHIP_GRID_Y - 1 - *y;
}

unsigned chip_tile_of(const struct chip_grid *grid, unsigned noc, unsigned x, unsigned y) {
  unsigned raw_x, raw_y;
  if (x > 31 || y > 31) return CHIP_NO_TILE;
  noc_translate(&grid->translation[noc], x, y, &raw_x, &raw_y);
  return chip_tile_of_raw(noc, raw_x, raw_y);
}

unsigned chip_tile_of_kind(const struct chip_grid *grid, unsigned kind, unsigned index) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_slot *slot = &grid->slot[tile];
    unsigned number = kind == CHIP_DRAM ? slot->index * CHIP_DRAM_PORTS + slot->port : slot->index;
    if (slot->kind == kind && number == index) return tile;
  }
  return CHIP_NO_TILE;
}

/* --- places --- */

static struct chip_slot *slot_at(struct chip_grid *grid, unsigned x, unsigned y) { return &grid->slot[y * CHIP_GRID_X + x]; }

static void put(struct chip_grid *grid, unsigned x, unsigned y, unsigned kind, unsigned index, bool good) {
  struct chip_slot *slot = slot_at(grid, x, y);
  slot->kind = (uint8_t)kind;
  slot->index = (uint8_t)index;
  slot->good = good;
}

static unsigned column_rank(unsigned x) { return x < CHIP_MIDDLE_X ? x - 1 : x - 3; } /* 1..7, 10..16 -> 0..13 */

static void place_tiles(struct chip_grid *grid) {
  const struct chip_harvest *h = &grid->harvest;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct chip_slot *slot = &grid->slot[tile];
    *slot = (struct chip_slot){.good = 1, .x = (uint8_t)(tile % CHIP_GRID_X), .y = (uint8_t)(tile / CHIP_GRID_X)};
    slot->logical = (uint16_t)(slot->x | slot->y << 6);
  }
  for (unsigned die = 0; die < CHIP_COLUMNS; die++) {
    unsigned x = column_x[die];
    put(grid, x, CHIP_ETHERNET_Y, CHIP_ETHERNET, die, !(h->ethernet >> die & 1u));
    for (unsigned y = CHIP_TENSIX_Y; y < CHIP_GRID_Y; y++)
      put(grid, x, y, CHIP_TENSIX, (y - CHIP_TENSIX_Y) * CHIP_COLUMNS + column_rank(x), !(h->tensix >> die & 1u));
  }
  for (unsigned i = 0; i < CHIP_DRAMS * CHIP_DRAM_PORTS; i++) {
    unsigned controller = i / CHIP_DRAM_PORTS, port = i % CHIP_DRAM_PORTS;
    unsigned x = controller < CHIP_DRAMS / 2 ? NOC_WEST_X : NOC_EAST_X, y = dram_y[controller % 4][port];
    put(grid, x, y, CHIP_DRAM, controller, !(h->dram >> controller & 1u));
    slot_at(grid, x, y)->port = (uint8_t)port;
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    put(grid, places[i].x, places[i].y, places[i].kind, places[i].index, true);
}

/* --- translation --- */

/* Assigns a tile its preferred translated coordinates. */
static void name_tile(struct chip_grid *grid, unsigned x, unsigned y, unsigned translated_x, unsigned translated_y) {
  slot_at(grid, x, y)->logical = (uint16_t)(translated_x | translated_y << 6);
}

static void translate_tensix(struct chip_grid *grid, uint8_t table[32]) {
  unsigned next = 1, last = CHIP_GRID_X - 1;
  uint32_t bad = 0;
  for (unsigned die = 0; die < CHIP_COLUMNS; die++)
    if (grid->harvest.tensix >> die & 1u) bad |= 1u << column_x[die];
  for (unsigned x = 1; x < CHIP_GRID_X; x++) {
    if (x == CHIP_MIDDLE_X || x == NOC_EAST_X || bad >> x & 1u) continue;
    if (next == CHIP_MIDDLE_X) next = NOC_EAST_X + 1;
    table[next++] = (uint8_t)x;
  }
  for (unsigned die = 0; die < CHIP_COLUMNS; die++)
    if (grid->harvest.tensix >> die & 1u) table[last--] = column_x[die];
  for (unsigned x = 1; x < CHIP_GRID_X; x++)
    for (unsigned y = CHIP_TENSIX_Y; y < CHIP_GRID_Y; y++)
      if (x != CHIP_MIDDLE_X && x != NOC_EAST_X) name_tile(grid, table[x], y, x, y);
}

static void translate_dram(struct chip_grid *grid, struct noc_translation *t) {
  unsigned bad = CHIP_DRAMS, order[4] = {0, 1, 2, 3};
  for (unsigned controller = 0; controller < CHIP_DRAMS; controller++)
    if (grid->harvest.dram >> controller & 1u) bad = controller;
  bool bad_in_west = bad < CHIP_DRAMS / 2;
  t->x[CHIP_TRANSLATED_DRAM_X] = bad_in_west ? NOC_EAST_X : NOC_WEST_X;
  t->x[CHIP_TRANSLATED_DRAM_X + 1] = bad_in_west ? NOC_WEST_X : NOC_EAST_X;
  if (bad < CHIP_DRAMS) {
    for (unsigned i = bad % 4; i < 3; i++) order[i] = i + 1;
    order[3] = bad % 4;
  }
  for (unsigned i = 0; i < 4 * CHIP_DRAM_PORTS; i++) {
    unsigned y = CHIP_TRANSLATED_DRAM_Y + i;
    t->y[y] = dram_y[order[i / CHIP_DRAM_PORTS]][i % CHIP_DRAM_PORTS];
    for (unsigned x = CHIP_TRANSLATED_DRAM_X; x < CHIP_TRANSLATED_DRAM_X + 2; x++) name_tile(grid, t->x[x], t->y[y], x, y);
  }
}

/* Firmware names twelve of the fourteen Ethernet tiles: it skips the last fused-off tile of die columns 4..6 and of 7..9. On a part where
 * all of those are good, the last two tiles are off. */
static uint32_t skipped_ethernet(uint32_t bad) {
  uint32_t skip = 0;
  for (unsigned first = 4; first <= 7; first += 3)
    for (unsigned i = first + 3; i-- > first;)
      if (bad >> i & 1u) {
        skip |= 1u << i;
        break;
      }
  return skip;
}

static void translate_ethernet(struct chip_grid *grid, struct noc_translation *t) {
  uint32_t skip = skipped_ethernet(grid->harvest.ethernet);
  t->y[CHIP_TRANSLATED_ETHERNET_Y] = CHIP_ETHERNET_Y;
  for (unsigned die = 0, i = 0; die < CHIP_COLUMNS && i < CHIP_TRANSLATED_ETHERNETS; die++) {
    if (skip >> die & 1u) continue;
    unsigned x = CHIP_TRANSLATED_ETHERNET_X + i++;
    t->x[x] = column_x[die];
    name_tile(grid, column_x[die], CHIP_ETHERNET_Y, x, CHIP_TRANSLATED_ETHERNET_Y);
  }
}

static void translate_others(struct chip_grid *grid, struct noc_translation *t) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    unsigned x = places[i].x, y = places[i].y;
    if (places[i].kind == CHIP_PCIE && places[i].index == grid->harvest.pcie) {
      t->x[CHIP_TRANSLATED_PCIE_X] = (uint8_t)x;
      t->y[CHIP_TRANSLATED_PCIE_Y] = (uint8_t)y;
      name_tile(grid, x, y, CHIP_TRANSLATED_PCIE_X, CHIP_TRANSLATED_PCIE_Y);
    } else if (places[i].kind == CHIP_L2CPU || places[i].kind == CHIP_SECURITY) {
      unsigned translated =
          places[i].kind == CHIP_L2CPU ? CHIP_TRANSLATED_L2CPU_Y + places[i].index : CHIP_TRANSLATED_SECURITY_Y;
      t->y[translated] = (uint8_t)y;
      name_tile(grid, x, y, x, translated);
    }
  }
}

static void build_translation(struct chip_grid *grid) {
  struct noc_translation *t = &grid->translation[0], *mirrored = &grid->translation[1];
  memset(t, 0, sizeof *t);
  for (unsigned i = 0; i < CHIP_GRID_X; i++) t->x[i] = (uint8_t)i;
  for (unsigned i = 0; i < CHIP_GRID_Y; i++) t->y[i] = (uint8_t)i;
  t->row_mask = 3; /* columns are translated in the Tensix rows only */
  translate_tensix(grid, t->x);
  translate_dram(grid, t);
  translate_ethernet(grid, t);
  translate_others(grid, t);
  *mirrored = *t;
  for (unsigned i = 0; i < 32; i++) {
    mirrored->x[i] = (uint8_t)(CHIP_GRID_X - 1 - t->x[i]);
    mirrored->y[i] = (uint8_t)(CHIP_GRID_Y - 1 - t->y[i]);
  }
}

/* Only Tensix tiles that are not fused off take part in broadcasts. */
static void build_opt_out(struct chip_grid *grid) {
  uint32_t columns = 1u << NOC_WEST_X | 1u << CHIP_MIDDLE_X | 1u << NOC_EAST_X;
  for (unsigned die = 0; die < CHIP_COLUMNS; die++)
    if (grid->harvest.tensix >> die & 1u) columns |= 1u << column_x[die];
  grid->opt_out_columns[0] = columns;
  grid->opt_out_rows[0] = 3;
  grid->opt_out_columns[1] = grid->opt_out_rows[1] = 0;
  for (unsigned x = 0; x < CHIP_GRID_X; x++) grid->opt_out_columns[1] |= (columns >> x & 1u) << (CHIP_GRID_X - 1 - x);
  for (unsigned y = 0; y < 2; y++) grid->opt_out_rows[1] |= 1u << (CHIP_GRID_Y - 1 - y);
}

static unsigned count_bits(uint32_t mask) {
  unsigned count = 0;
  for (; mask; mask &= mask - 1) count++;
  return count;
}

/* The limits are those of the firmware's tables and of the vendor's driver. */
static const char *refuse(const struct chip_harvest *h) {
  if (h->tensix >> CHIP_COLUMNS) return "there are 14 Tensix columns";
  if (count_bits(h->tensix) > CHIP_BAD_COLUMNS_MAX) return "at most 7 Tensix columns may be fused off";
  if (count_bits(h->dram) > 1) return "at most one DRAM controller may be fused off";
  if (h->ethernet >> CHIP_COLUMNS) return "there are 14 Ethernet tiles";
  if (count_bits(h->ethernet) != 2 && count_bits(h->ethernet) != CHIP_COLUMNS)
    return "exactly 2 or all 14 Ethernet tiles are fused off";
  if (h->pcie > 1) return "there are two PCIe tiles, 0 and 1";
  return NULL;
}

const char *chip_grid_init(struct chip_grid *grid, const struct chip_harvest *harvest) {
  memset(grid, 0, sizeof *grid);
  const char *why = refuse(harvest);
  if (why) return why;
  grid->harvest = *harvest;
  place_tiles(grid);
  build_translation(grid);
  build_opt_out(grid);
  return NULL;
}

/* --- the values of an NIU's registers --- */

bool chip_opted_out(const struct chip_grid *grid, unsigned tile, unsigned noc) {
  unsigned x, y;
  chip_raw_of_tile(noc, tile, &x, &y);
  return (grid->opt_out_columns[noc] >> x | grid->opt_out_rows[noc] >> y) & 1u;
}

void chip_niu_config(const struct chip_grid *grid, unsigned tile, unsigned noc, uint32_t config[NOC_CONFIG_WORDS]) {
  memset(config, 0, NOC_CONFIG_WORDS * sizeof *config);
  config[NOC_CFG_NIU_0] = NOC_NIU_CFG_NO_HEADER_STORE | NOC_NIU_CFG_TRANSLATE;
  if (!grid->slot[tile].good) config[NOC_CFG_NIU_0] |= NOC_NIU_CFG_CLOCK_OFF;
  config[NOC_CFG_ROUTER_0] = CHIP_ROUTER_BACKOFF;
  config[NOC_CFG_OPT_OUT_X] = grid->opt_out_columns[noc];
  config[NOC_CFG_OPT_OUT_Y] = grid->opt_out_rows[noc];
  noc_translation_store(&grid->translation[noc], config);
  config[NOC_CFG_ID_LOGICAL] = grid->slot[tile].logical;
}

uint32_t chip_node_id(unsigned tile, unsigned noc) {
  unsigned x, y;
  chip_raw_of_tile(noc, tile, &x, &y);
  return noc_node_id(noc, x, y);
}

uint32_t chip_endpoint_id(const struct chip_grid *grid, unsigned tile, unsigned noc) {
  const struct chip_slot *slot = &grid->slot[tile];
  uint32_t index = slot->kind == CHIP_PCIE ? CHIP_PCIE_ENDPOINT : slot->index;
  return noc_endpoint_id(noc, endpoint_types[slot->kind], index);
}
