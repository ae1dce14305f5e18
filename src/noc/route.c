/* The routes of route.h. */
#include "noc/route.h"

#include "chips/blackhole/grid.h"

static bool is_at(struct noc_place a, struct noc_place b) { return a.x == b.x && a.y == b.y; }

bool noc_route_passes(unsigned noc, struct noc_place from, struct noc_place to, struct noc_place at, enum noc_link link) {
  if (link == NOC_LINK_FROM_TILE) return is_at(at, from);
  for (struct noc_place place = from;;) {
    const enum noc_link next = noc_route(noc, place, to);
    if (is_at(at, place) && next == link) return true;
    if (next == NOC_LINK_TO_TILE) return false;
    if (next == NOC_LINK_X) place.x = (uint8_t)((place.x + 1u) % NOC_GRID_X);
    else place.y = (uint8_t)((place.y + 1u) % NOC_GRID_Y);
  }
}

unsigned noc_farthest(unsigned from, unsigned start, unsigned end, unsigned size) {
  unsigned best = 0;
  for (unsigned v = start;; v = (v + 1) % size) {
    unsigned steps = (v + size - from) % size;
    if (steps > best) best = steps;
    if (v == end) return best;
  }
}

unsigned noc_spread_hops(const struct noc_packet *p) {
  return noc_farthest(p->source.x, p->start.x, p->target.x, NOC_GRID_X) +
         noc_farthest(p->source.y, p->start.y, p->target.y, NOC_GRID_Y);
}
