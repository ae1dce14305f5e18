/* The two network interface units. Plain data; the functions are in tile/noc.h. */
#ifndef TESSERA_TENSIX_STATE_NOC_H
#define TESSERA_TENSIX_STATE_NOC_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/niu.h"

#define TX_NOCS NOC_NOCS

/* The connection of a tile to the NoC; both NULL in a single tile. */
struct tx_network {
  void *net;
  void (*send)(void *net, struct noc_packet *packet); /* owns the packet from then on */
};

#endif
