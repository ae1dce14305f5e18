/* The state of an Ethernet tile. Plain data; the functions are in tile/ethernet.h and tile/link.h. */
#ifndef TESSERA_TENSIX_STATE_ETHERNET_H
#define TESSERA_TENSIX_STATE_ETHERNET_H

#include <stdint.h>

#include "chips/blackhole/ethernet_map.h"
#include "sim/time.h"

#define TX_ETH_COMMANDS 32u /* that one queue holds */

/* A command that a TX queue has taken. */
struct tx_eth_command {
  uint32_t kind, source, bytes, target; /* `target`: address in the other tile */
  uint32_t done;                        /* bytes that have left */
  uint32_t data;                        /* of a register write */
};

struct tx_eth_queue {
  uint32_t word[TX_ETH_QUEUE_WORDS];
  struct tx_eth_command command[TX_ETH_COMMANDS]; /* a ring */
  uint32_t first, count;
};

/* What the line between the two tiles is. */
struct tx_eth_line {
  uint32_t latency, bits_per_cycle;
  sim_time down_at; /* 1 + the cycle from which on frames are lost; 0: never */
};

struct tx_ethernet {
  uint32_t on; /* 0: a Tensix tile */
  uint32_t pad;
  uint32_t word[TX_ETH_CORE_BYTES / 4];
};

/* The queues and the line. */
struct tx_link {
  uint32_t linked; /* the channel has a link */
  uint32_t due;    /* an effect for the next frame is pending */
  struct tx_eth_line line;
  struct tx_eth_queue queue[TX_ETH_QUEUES];
  sim_time free_at;             /* the line can take the next frame then */
  uint32_t turn;                /* the queue that is served next */
  uint32_t rest_bits;           /* that the last frame has left of its last cycle */
  uint64_t frames, bytes, lost; /* sent; sent; of these frames: while the link was down */
  uint64_t received;            /* frames */
};

#endif
