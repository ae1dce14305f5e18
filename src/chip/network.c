/* The network of network.h. */
#include "chip/network.h"

#include <stdlib.h>
#include <string.h>

#include "chip/internal.h"

#define OFF_CYCLES 128u /* timing off: a packet's way. Long, so that windows are long. */

struct chip_network {
  struct chip *chip;
  struct noc_times times;
  bool timing;
  uint64_t delivered;
};

struct chip_network *chip_network_create(struct chip *chip, const struct noc_times *times, bool timing) {
  struct chip_network *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->chip = chip;
  n->times = *times;
  n->timing = timing;
  return n;
}

void chip_network_destroy(struct chip_network *n) { free(n); }

uint32_t chip_network_in_cycles(const struct chip_network *n) { return n->timing ? n->times.niu_out : OFF_CYCLES; }
uint32_t chip_network_out_cycles(const struct chip_network *n) { return n->timing ? n->times.niu_in : 0; }
uint32_t chip_network_lookahead(const struct chip_network *n) {
  return chip_network_in_cycles(n) + chip_network_out_cycles(n);
}

/* NoC 0 flows right and down, NoC 1 left and up; raw coordinates of each NoC count along its flow. */
unsigned chip_network_hops(unsigned noc, struct noc_place from, struct noc_place to) {
  (void)noc;
  return (to.x + NOC_GRID_X - from.x) % NOC_GRID_X + (to.y + NOC_GRID_Y - from.y) % NOC_GRID_Y;
}

static void deliver(struct chip_network *n, struct noc_packet *p, unsigned tile) {
  unsigned x, y;
  chip_raw_of_tile(p->noc, tile, &x, &y);
  struct noc_place to = {(uint8_t)x, (uint8_t)y};
  p->arrives = p->departs + chip_network_lookahead(n);
  if (n->timing) p->arrives += chip_network_hops(p->noc, p->source, to) * n->times.hop + noc_flits(p->length);
  n->delivered++;
  chip_arrive(n->chip, tile, p);
}

static void broadcast(struct chip_network *n, struct noc_packet *p) {
  uint16_t tiles[CHIP_TILES];
  unsigned count = chip_receivers(n->chip, p->noc, p->start, p->target, p->exclude, tiles);
  for (unsigned i = 0; i < count; i++) {
    if (tiles[i] == p->tile && !(p->ctrl & NOC_CTRL_SOURCE_INCLUDE)) continue;
    struct noc_packet *one = noc_packet_share(p);
    if (one) deliver(n, one, tiles[i]);
    else chip_refuse(&n->chip->endpoint[p->tile], p->departs, SIM_FAULT_CAPACITY, "packet.h", "no memory for a packet");
  }
  noc_packet_free(p);
}

void chip_network_take(struct chip_network *n, struct noc_packet *p) {
  if (!noc_packet_is_answer(p) && (p->ctrl & NOC_CTRL_BROADCAST)) broadcast(n, p);
  else deliver(n, p, chip_tile_of_raw(p->noc, p->target.x, p->target.y));
}

void chip_network_advance(struct chip_network *n, sim_time to) {
  (void)n;
  (void)to;
}

sim_time chip_network_next(const struct chip_network *n) {
  (void)n;
  return SIM_NEVER;
}

uint64_t chip_network_packets(const struct chip_network *n) { return n->delivered; }
uint64_t chip_network_under_way(const struct chip_network *n) {
  (void)n;
  return 0;
}
