/* The report of a run on the chip: cycles, packets, and a picture of the grid: what the matrix units did and where the bytes went. */
#include <stdio.h>

#include "cli/chip_job.h"
#include "tensix/tile/tile.h"

#define FLIT_BYTES 64u
#define CELL 5

static uint64_t flits_into(const struct chip_job *j, unsigned tile) {
  uint64_t flits = 0;
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) {
    unsigned x, y;
    chip_raw_of_tile(noc, tile, &x, &y);
    flits += chip_network_link(chip_network(j->chip), noc, (struct noc_place){(uint8_t)x, (uint8_t)y}, CHIP_PORT_NIU).flits;
  }
  return flits;
}

static uint64_t flits_over(const struct chip_job *j, unsigned noc, enum chip_router_port port, uint64_t *busiest) {
  uint64_t sum = 0;
  *busiest = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    unsigned x, y;
    chip_raw_of_tile(noc, tile, &x, &y);
    uint64_t flits = chip_network_link(chip_network(j->chip), noc, (struct noc_place){(uint8_t)x, (uint8_t)y}, port).flits;
    sum += flits;
    if (flits > *busiest) *busiest = flits;
  }
  return sum;
}

/* When the last core stopped; now, when one still runs. */
static sim_time last_cycle(const struct chip_job *j) {
  sim_time last = 0;
  for (size_t i = 0; i < j->unit_count; i++)
    for (unsigned core = 0; core < TX_CORES; core++) {
      const struct tx_core *c = &j->units[i].t->core[core];
      if (!(j->units[i].cores >> core & 1u)) continue;
      if (c->state != TX_CORE_EBREAK) return chip_now(j->chip);
      if (c->clock > last) last = c->clock;
    }
  return last;
}

static const struct chip_unit *unit_at(const struct chip_job *j, unsigned tile) {
  for (size_t i = 0; i < j->unit_count; i++)
    if (j->units[i].tile == tile) return &j->units[i];
  return NULL;
}

/* The share of cycles in which the matrix unit was busy; for a tile without matrix work, a mark. */
static void cell_work(const struct chip_job *j, unsigned tile, sim_time cycles, char text[16]) {
  const struct chip_unit *u = unit_at(j, tile);
  const struct chip_slot *slot = &chip_grid(j->chip)->slot[tile];
  uint64_t busy = u ? u->t->units[TX_UNIT_MATRIX].busy_cycles : 0;
  if (busy > cycles) busy = cycles;
  if (!slot->good) snprintf(text, 16, "x");
  else if (slot->kind != CHIP_TENSIX)
    snprintf(text, 16, "%s", slot->kind == CHIP_DRAM ? "D" : slot->kind == CHIP_ETHERNET ? "E" : "");
  else if (!u) snprintf(text, 16, ".");
  else if (!busy) snprintf(text, 16, "-");
  else snprintf(text, 16, "%u%%", (unsigned)((busy * 100 + cycles / 2) / cycles));
}

/* Bytes that arrived, in units a reader can scan. */
static void cell_bytes(const struct chip_job *j, unsigned tile, char text[16]) {
  uint64_t bytes = flits_into(j, tile) * FLIT_BYTES;
  if (!bytes) snprintf(text, 16, "%s", chip_grid(j->chip)->slot[tile].kind == CHIP_ROUTER ? "" : ".");
  else if (bytes < 10000) snprintf(text, 16, "%llu", (unsigned long long)bytes);
  else if (bytes < 1000000 * UINT64_C(10)) snprintf(text, 16, "%lluK", (unsigned long long)(bytes / 1000));
  else snprintf(text, 16, "%lluM", (unsigned long long)(bytes / 1000000));
}

static void draw(const struct chip_job *j, const char *title, bool work) {
  sim_time cycles = last_cycle(j) ? last_cycle(j) : 1;
  printf("\n%s\n     ", title);
  for (unsigned x = 0; x < CHIP_GRID_X; x++) printf("%*u", CELL, x);
  putchar('\n');
  for (unsigned y = 0; y < CHIP_GRID_Y; y++) {
    printf("%4u ", y);
    for (unsigned x = 0; x < CHIP_GRID_X; x++) {
      char text[16];
      unsigned tile = chip_tile_of_raw(0, x, y);
      if (work) cell_work(j, tile, cycles, text);
      else cell_bytes(j, tile, text);
      printf("%*s", CELL, text);
    }
    putchar('\n');
  }
}

void chip_show(const struct chip_job *j) {
  sim_time cycles = last_cycle(j);
  printf("%llu cycles, %zu tiles with programs, %llu packets\n", (unsigned long long)cycles, j->unit_count,
         (unsigned long long)chip_network_packets(chip_network(j->chip)));
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) {
    uint64_t busiest_x, busiest_y, x = flits_over(j, noc, CHIP_PORT_X, &busiest_x),
                                   y = flits_over(j, noc, CHIP_PORT_Y, &busiest_y);
    uint64_t busiest = busiest_x > busiest_y ? busiest_x : busiest_y;
    if (x + y)
      printf("NoC %u: %llu flits over links along x, %llu along y; the busiest link was in use for %.1f %% of the cycles\n",
             noc, (unsigned long long)x, (unsigned long long)y, cycles ? 100.0 * (double)busiest / (double)cycles : 0.0);
  }
  draw(j,
       "Matrix unit busy, % of the cycles (raw NoC 0 places; D DRAM, E Ethernet, x fused off, . no program, - no matrix "
       "work)",
       true);
  if (chip_timing(j->chip))
    draw(j, "Bytes that arrived at each place, both NoCs", false); /* links are counted with timing */
}
