/* The report of a run on the chip: cycles, traffic, and pictures of the grid: how busy the matrix units were, where the bytes went. */
#include <stdio.h>

#include "observe/chip.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define CELL 5

static const struct tx_tile *cores_of(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  return e && e->ops && e->ops->run ? e->self : NULL;
}

static uint64_t instructions(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned core = 0; core < TX_CORES; core++) sum += t->core[core].retired;
  return sum;
}

/* When the last core stopped; now, while one runs or when none has run. */
static sim_time last_cycle(struct chip *c) {
  sim_time last = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    for (unsigned core = 0; t && core < TX_CORES; core++) {
      if (t->core[core].state == TX_CORE_RUNNING) return chip_now(c);
      if (t->core[core].state == TX_CORE_EBREAK && t->core[core].clock > last) last = t->core[core].clock;
    }
  }
  return last ? last : chip_now(c);
}

static uint64_t link_flits(struct chip *c, unsigned noc, unsigned tile, enum chip_router_port port) {
  unsigned x, y;
  chip_raw_of_tile(noc, tile, &x, &y);
  return chip_network_link(chip_network(c), noc, (struct noc_place){(uint8_t)x, (uint8_t)y}, port).flits;
}

/* Flits over all links along one axis, and over the busiest. */
static uint64_t flits_along(struct chip *c, unsigned noc, enum chip_router_port port, uint64_t *busiest) {
  uint64_t sum = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    uint64_t flits = link_flits(c, noc, tile, port);
    sum += flits;
    if (flits > *busiest) *busiest = flits;
  }
  return sum;
}

/* --- cells --- */

typedef void cell_fn(struct chip *c, unsigned tile, sim_time cycles, char text[16]);

static void cell_work(struct chip *c, unsigned tile, sim_time cycles, char text[16]) {
  const struct tx_tile *t = cores_of(c, tile);
  const struct chip_slot *slot = &chip_grid(c)->slot[tile];
  uint64_t busy = t ? t->units[TX_UNIT_MATRIX].busy_cycles : 0;
  if (busy > cycles) busy = cycles;
  if (!slot->good) snprintf(text, 16, "x");
  else if (slot->kind == CHIP_DRAM || slot->kind == CHIP_ETHERNET) snprintf(text, 16, slot->kind == CHIP_DRAM ? "D" : "E");
  else if (slot->kind != CHIP_TENSIX) text[0] = '\0';
  else if (!t || !instructions(t)) snprintf(text, 16, ".");
  else if (!busy) snprintf(text, 16, "-");
  else snprintf(text, 16, "%u%%", (unsigned)((busy * 100 + cycles / 2) / cycles));
}

static void cell_bytes(struct chip *c, unsigned tile, sim_time cycles, char text[16]) {
  uint64_t bytes = 0;
  (void)cycles;
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) bytes += link_flits(c, noc, tile, CHIP_PORT_NIU) * NOC_FLIT_BYTES;
  if (!bytes) snprintf(text, 16, "%s", chip_grid(c)->slot[tile].kind == CHIP_ROUTER ? "" : ".");
  else if (bytes < 10000) snprintf(text, 16, "%llu", (unsigned long long)bytes);
  else if (bytes < UINT64_C(10000000)) snprintf(text, 16, "%lluK", (unsigned long long)(bytes / 1000));
  else snprintf(text, 16, "%lluM", (unsigned long long)(bytes / 1000000));
}

static void add_picture(struct chip *c, struct sim_text *out, const char *title, sim_time cycles, cell_fn *cell) {
  sim_text_add(out, "\n%s\n     ", title);
  for (unsigned x = 0; x < CHIP_GRID_X; x++) sim_text_add(out, "%*u", CELL, x);
  sim_text_add(out, "\n");
  for (unsigned y = 0; y < CHIP_GRID_Y; y++) {
    sim_text_add(out, "%4u ", y);
    for (unsigned x = 0; x < CHIP_GRID_X; x++) {
      char text[16];
      cell(c, chip_tile_of_raw(0, x, y), cycles ? cycles : 1, text);
      sim_text_add(out, "%*s", CELL, text);
    }
    sim_text_add(out, "\n");
  }
}

size_t obs_chip_report(struct chip *c, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  sim_time cycles = last_cycle(c);
  uint64_t all = 0;
  unsigned tiles = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    uint64_t n = t ? instructions(t) : 0;
    tiles += n != 0;
    all += n;
  }
  sim_text_add(&out, "%llu cycles: %u tiles ran, %llu instructions, %llu packets delivered\n", (unsigned long long)cycles,
               tiles, (unsigned long long)all, (unsigned long long)chip_packets(c));
  for (unsigned noc = 0; noc < CHIP_NOCS && chip_timing(c); noc++) {
    uint64_t busiest = 0, x = flits_along(c, noc, CHIP_PORT_X, &busiest), y = flits_along(c, noc, CHIP_PORT_Y, &busiest);
    uint64_t permille = cycles ? busiest * 1000 / cycles : 0;
    if (x + y)
      sim_text_add(&out,
                   "NoC %u: %llu flits over links along x, %llu along y; the busiest link was in use for %llu.%llu %% of "
                   "the cycles\n",
                   noc, (unsigned long long)x, (unsigned long long)y, (unsigned long long)(permille / 10),
                   (unsigned long long)(permille % 10));
  }
  add_picture(
      c, &out,
      "matrix unit busy, per cent of all cycles of the run, the start of the firmware included (NoC 0 places; D DRAM, "
      "E Ethernet, x fused off, . did not run, - no matrix work)",
      cycles, cell_work);
  /* Links are counted with timing on. */
  if (chip_timing(c)) add_picture(c, &out, "bytes that arrived at each place, both NoCs", cycles, cell_bytes);
  return out.length;
}
