/* Who has which port and bank of L1, and until when. Plain data; the functions are in mem/l1_ports.h. */
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
  6u /* loads of one port under way at once. Inferred: silicon, 0.83 loads a cycle for two cores that only load */

struct tx_l1_client {
  sim_time granted;  /* when it had its port last */
  sim_time retry_at; /* it was not granted, and asks again then */
  uint32_t bank;     /* 1 + the bank that it waits for, at the head of its port; 0: it waits for the port */
  uint32_t pad;
};

struct tx_l1_ports {
  sim_time port_free[TX_L1_PORTS]; /* first cycle in which the port takes another request */
  sim_time bank_free[TX_L1_BANKS];
  sim_time read_back[TX_L1_PORTS][TX_L1_READS]; /* a ring: when the loads granted last are no longer under way */
  uint32_t read_next[TX_L1_PORTS];
  uint8_t bank_last[TX_L1_BANKS]; /* port that had it last */
  struct tx_l1_client client[TX_L1_CLIENTS];
};

#endif
