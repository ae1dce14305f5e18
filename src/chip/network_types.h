/* What the network shows of its links and packets. */
#ifndef TESSERA_CHIP_NETWORK_TYPES_H
#define TESSERA_CHIP_NETWORK_TYPES_H

#include <stdint.h>

struct noc_packet;

/* Ports of a router through which a packet enters or leaves. */
enum chip_router_port {
  CHIP_PORT_NIU,
  CHIP_PORT_X,
  CHIP_PORT_Y,
  CHIP_ROUTER_PORTS,
  CHIP_PORT_FROM_NIU = CHIP_ROUTER_PORTS /* of chip_network_link: out of the tile, into its router */
};

struct chip_link_counts {
  uint64_t packets, flits; /* carried */
  uint64_t waited_packets; /* packets that found the link occupied */
};

/* Called for each packet when its arrival is known, in the same order for any number of host threads. `tile` receives it;
 * `cycles`: the time for which it occupies the link into that tile, up to its arrival (timing off: 0). NULL: not called. */
typedef void chip_packet_fn(void *context, const struct noc_packet *packet, unsigned tile, uint32_t cycles);

#endif
