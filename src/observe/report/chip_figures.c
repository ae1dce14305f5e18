/* The figures of chip_figures.h. */
#include "observe/report/chip_figures.h"

const struct tx_tile *obs_chip_cores(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  return e && e->ops && e->ops->run ? e->self : NULL;
}

uint64_t obs_chip_instructions(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned core = 0; core < TX_CORES; core++) sum += t->core[core].retired;
  return sum;
}

sim_time obs_chip_tile_end(const struct tx_tile *t) {
  sim_time last = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (t->core[core].state == TX_CORE_RUNNING) return SIM_NEVER;
    if (t->core[core].state == TX_CORE_EBREAK && t->core[core].clock > last) last = t->core[core].clock;
  }
  return last;
}

sim_time obs_chip_kernel_cycles(const struct tx_tile *t, sim_time now) {
  sim_time first = SIM_NEVER, end = obs_chip_tile_end(t);
  if (!end || end == SIM_NEVER) end = now;
  for (unsigned core = 0; core < TX_CORES; core++) {
    sim_time entered = t->unsaved.breaks.entered[core];
    if (entered && entered < first) first = entered;
  }
  return first < end ? end - first : end;
}

sim_time obs_chip_end(struct chip *c) {
  sim_time last = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = obs_chip_cores(c, tile);
    sim_time end = t ? obs_chip_tile_end(t) : 0;
    if (end == SIM_NEVER) return chip_now(c);
    if (end > last) last = end;
  }
  return last ? last : chip_now(c);
}

sim_time obs_chip_stop(struct chip *c) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = obs_chip_cores(c, tile);
    if (t && t->fault.kind == SIM_FAULT_HAZARD) return t->fault.cycle;
  }
  return obs_chip_end(c);
}

struct chip_link_counts obs_chip_link(const struct chip *c, unsigned noc, unsigned tile, enum chip_router_port port) {
  unsigned x, y;
  chip_raw_of_tile(noc, tile, &x, &y);
  return chip_network_link(chip_network(c), noc, (struct noc_place){(uint8_t)x, (uint8_t)y}, port);
}

uint64_t obs_chip_flits(const struct chip *c, unsigned noc, enum chip_router_port port, uint64_t *busiest) {
  uint64_t sum = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    uint64_t flits = obs_chip_link(c, noc, tile, port).flits;
    sum += flits;
    if (flits > *busiest) *busiest = flits;
  }
  return sum;
}

unsigned obs_chip_tiles_ran(struct chip *c, uint64_t *instructions) {
  unsigned tiles = 0;
  *instructions = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = obs_chip_cores(c, tile);
    uint64_t n = t ? obs_chip_instructions(t) : 0;
    tiles += n != 0;
    *instructions += n;
  }
  return tiles;
}
