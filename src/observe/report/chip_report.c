/* The report of a run on the chip: cycles, traffic, and maps of the grid with the load of the matrix units and the received
 * bytes. */
#include <stdio.h>

#include "observe/report/chip.h"
#include "observe/report/chip_figures.h"
#include "sim/text.h"

#define CELL 5

/* --- cells --- */

typedef void cell_fn(struct chip *c, unsigned tile, sim_time cycles, char text[16]);

static void cell_work(struct chip *c, unsigned tile, sim_time cycles, char text[16]) {
  const struct tx_tile *t = obs_chip_cores(c, tile);
  const struct chip_slot *slot = &chip_grid(c)->slot[tile];
  uint64_t busy = t ? t->units[TX_UNIT_MATRIX].busy_cycles : 0;
  cycles = t ? obs_chip_kernel_cycles(t, cycles) : cycles;
  if (busy > cycles) busy = cycles;
  if (!slot->good) snprintf(text, 16, "x");
  else if (slot->kind == CHIP_DRAM || slot->kind == CHIP_ETHERNET) snprintf(text, 16, slot->kind == CHIP_DRAM ? "D" : "E");
  else if (slot->kind != CHIP_TENSIX) text[0] = '\0';
  else if (!t || !obs_chip_instructions(t)) snprintf(text, 16, ".");
  else if (!busy) snprintf(text, 16, "-");
  else snprintf(text, 16, "%u%%", (unsigned)((busy * 100 + cycles / 2) / cycles));
}

static void cell_bytes(struct chip *c, unsigned tile, sim_time cycles, char text[16]) {
  uint64_t bytes = 0;
  (void)cycles;
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) bytes += obs_chip_link(c, noc, tile, CHIP_PORT_NIU).flits * NOC_FLIT_BYTES;
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
  sim_time cycles = obs_chip_stop(c);
  uint64_t all;
  unsigned tiles = obs_chip_tiles_ran(c, &all);
  sim_text_add(&out, "%llu cycles: %u tiles ran, %llu instructions, %llu packets delivered\n", (unsigned long long)cycles,
               tiles, (unsigned long long)all, (unsigned long long)chip_packets(c));
  for (unsigned noc = 0; noc < CHIP_NOCS && chip_timing(c); noc++) {
    uint64_t busiest = 0, x = obs_chip_flits(c, noc, CHIP_PORT_X, &busiest),
             y = obs_chip_flits(c, noc, CHIP_PORT_Y, &busiest);
    uint64_t permille = cycles ? busiest * 1000 / cycles : 0;
    if (x + y)
      sim_text_add(&out,
                   "NoC %u: %llu flits over links along x, %llu along y; the busiest of them was in use for %llu.%llu %% "
                   "of all cycles\n",
                   noc, (unsigned long long)x, (unsigned long long)y, (unsigned long long)(permille / 10),
                   (unsigned long long)(permille % 10));
  }
  add_picture(c, &out,
              "matrix unit occupied, per cent of the cycles of the tile's own kernels (NoC 0 places; D DRAM, "
              "E Ethernet, x fused off, . did not run, - no matrix work)",
              cycles, cell_work);
  /* Links are counted with timing on. */
  if (chip_timing(c)) add_picture(c, &out, "bytes that arrived at each place, both NoCs", cycles, cell_bytes);
  return out.length;
}
