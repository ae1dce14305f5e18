/* Use of the ports and banks of L1. Plain data; the functions are in mem/l1_ports.h. */
#ifndef TESSERA_TENSIX_STATE_L1_PORTS_H
#define TESSERA_TENSIX_STATE_L1_PORTS_H

#include <stdint.h>

#include "sim/time.h"

/* The two ports that cores share. ISA: L1.md, "Port assignments". */
enum tx_l1_port {
  TX_L1_PORT_2, /* BRISC, NCRISC, TRISC0; scalar unit, mover's reads */
  TX_L1_PORT_3, /* TRISC1, TRISC2; mover's writes */
  TX_L1_PORTS
};
#define TX_L1_BANKS 32u
#define TX_L1_CLIENTS 5u /* T0, T1, T2, BRISC, NCRISC */
#define TX_L1_READS \
  6u /* loads of one port in flight at once. Inferred: silicon, 0.83 loads per cycle for two cores that only load */

/* Units that stream. The next streams may be planned while one is in progress: an unpacker holds four instructions. */
#define TX_L1_PLANNED 4u
#define TX_L1_NIU_BYTES 64u /* per cycle and direction: four ports. ISA: L1.md (two on Wormhole), NoC/README.md */
enum tx_l1_streamer {
  TX_L1_UNPACKER_0,
  TX_L1_UNPACKER_1,
  TX_L1_PACKER,
  TX_L1_NIU_0_READ, /* sources of writes, and reads of other tiles */
  TX_L1_NIU_1_READ,
  TX_L1_NIU_0_WRITE, /* requests of the tile to itself; tx_l1_niu has the incoming packets */
  TX_L1_NIU_1_WRITE,
  TX_L1_OWN_PORTS, /* the units before it share no port with a core */
  TX_L1_MOVER_READ = TX_L1_OWN_PORTS,
  TX_L1_MOVER_WRITE,
  TX_L1_STREAMERS
};
struct tx_l1_stream {
  sim_time from, until;
  sim_time resume; /* it waits for a bank until then; it has read the lines of the other banks of that cycle */
  uint32_t line;   /* 16-byte line of L1 in cycle `from` */
  uint32_t rate;   /* lines per cycle */
};

/* The incoming packets of one NoC. The network has their times; this struct has the delays of the banks. */
struct tx_l1_niu {
  sim_time until;  /* the packet that waits or waited last is complete then: the next ones follow */
  uint64_t waits;  /* that packet: its source tile and sequence */
  sim_time resume; /* a flit waits for a bank until then */
  uint32_t delay;  /* of the packet whose flits arrive */
  uint32_t pad;
};

struct tx_l1_client {
  sim_time granted;  /* the last time its port was granted */
  sim_time retry_at; /* the request was not granted and is repeated then */
  uint32_t bank;     /* 1 + the bank for which it waits, at the head of its port; 0: it waits for the port */
  uint32_t pad;
};

struct tx_l1_ports {
  sim_time port_free[TX_L1_PORTS]; /* first cycle in which the port accepts another request */
  sim_time bank_free[TX_L1_BANKS];
  sim_time read_back[TX_L1_PORTS][TX_L1_READS]; /* a ring: times at which the last granted loads are complete */
  uint32_t read_next[TX_L1_PORTS];
  uint8_t bank_last[TX_L1_BANKS]; /* port that used it last */
  struct tx_l1_client client[TX_L1_CLIENTS];
  sim_time streams_until;                                     /* no port streams from then on */
  struct tx_l1_stream stream[TX_L1_STREAMERS][TX_L1_PLANNED]; /* a ring for each unit, in the order of their time */
  uint32_t stream_next[TX_L1_STREAMERS];                      /* entry of the oldest one */
  uint32_t delay[TX_L1_STREAMERS];                            /* delay of the stream by cores, not yet read by the unit */
  uint32_t elevenths[TX_L1_STREAMERS];                        /* of the mover: parts of a cycle */
  struct tx_l1_niu niu[2];                                    /* by NoC */
};

#endif
