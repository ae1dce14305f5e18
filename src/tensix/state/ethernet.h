/* What makes a tile an Ethernet tile. Plain data; the functions are in tile/ethernet.h. */
#ifndef TESSERA_TENSIX_STATE_ETHERNET_H
#define TESSERA_TENSIX_STATE_ETHERNET_H

#include <stdint.h>

#define TX_ETH_L1_BYTES (512u * 1024u)
#define TX_ETH_STREAMS 32u
#define TX_ADDR_ETH_CORES 0xFFB14000u /* reset addresses at 0 and 8, interrupt modes at 0x20.. */
#define TX_ETH_CORE_BYTES 0x40u
#define TX_ADDR_ETH_LINK 0xFFB90000u /* TX queues; RX queues 0xFFB94000, control 0xFFB98000 */
#define TX_ETH_LINK_BYTES 0x9000u
#define TX_ETH_SOFT_RESET 0x1800u /* ERISC0 11, ERISC1 12 */

struct tx_ethernet {
  uint32_t on; /* 0: a Tensix tile */
  uint32_t pad;
  uint32_t word[TX_ETH_CORE_BYTES / 4];
};

#endif
