/* The links that a packet takes. NoC 0: first along the row, then along the column; NoC 1 in the opposite order. Raw coordinates of a NoC
 * increase along its flow. ISA: NoC/RoutingPaths.md */
#ifndef TESSERA_NOC_ROUTE_H
#define TESSERA_NOC_ROUTE_H

#include <stdbool.h>

#include "noc/packet.h"

/* The outputs of a router, and the link from the tile into it. */
enum noc_link { NOC_LINK_TO_TILE, NOC_LINK_X, NOC_LINK_Y, NOC_LINK_FROM_TILE };

static inline enum noc_link noc_route(unsigned noc, struct noc_place at, struct noc_place to) {
  bool x = at.x != to.x, y = at.y != to.y;
  if (noc == 0) return x ? NOC_LINK_X : y ? NOC_LINK_Y : NOC_LINK_TO_TILE;
  return y ? NOC_LINK_Y : x ? NOC_LINK_X : NOC_LINK_TO_TILE;
}

/* Does a packet to one receiver pass this link of the router at `at`? */
bool noc_route_passes(unsigned noc, struct noc_place from, struct noc_place to, struct noc_place at, enum noc_link link);

/* Along one axis of a ring of `size`: the steps from `from` to the farthest of start..end, which may wrap. */
unsigned noc_farthest(unsigned from, unsigned start, unsigned end, unsigned size);
/* The hops of a broadcast from its source to the farthest place of its rectangle. */
unsigned noc_spread_hops(const struct noc_packet *broadcast);

#endif
