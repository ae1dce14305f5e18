/* The state of an Ethernet tile. Plain data; the functions are in tile/ethernet.h. */
#ifndef TESSERA_TENSIX_STATE_ETHERNET_H
#define TESSERA_TENSIX_STATE_ETHERNET_H

#include <stdint.h>

#include "chips/blackhole/ethernet_map.h"

struct tx_ethernet {
  uint32_t on; /* 0: a Tensix tile */
  uint32_t pad;
  uint32_t word[TX_ETH_CORE_BYTES / 4];
};

#endif
