/* The two network interface units. Plain data; the functions are in tile/noc.h. */
#ifndef TESSERA_TENSIX_STATE_NOC_H
#define TESSERA_TENSIX_STATE_NOC_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/niu.h"

#define TX_NOCS NOC_NOCS

/* A packet on its way to the tile whose arrival is known. */
struct tx_incoming {
  sim_time arrives; /* its last flit */
  uint64_t address;
  uint32_t flits; /* of data, one per cycle before that; 0: its data is not stored as lines of L1 */
  uint32_t noc;
};

/* The connection of a tile to the NoC; all NULL in a single tile. */
struct tx_network {
  void *net;
  /* Owns the packet from then on. true: the tile receives it, or a copy of it; with timing off as it leaves. */
  bool (*send)(void *net, struct noc_packet *packet);
  /* Returns packet `index` of those on their way, in any order; false: there are not so many. NULL: there are none. */
  bool (*incoming)(void *net, unsigned index, struct tx_incoming *packet);
};

#endif
