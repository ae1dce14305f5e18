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
#define TX_L1_CLIENTS 5u
#define TX_L1_READS 6u /* loads of one port that can be under way at once (l1_port_loads) */

struct tx_l1_ports {
  sim_time port_free[TX_L1_PORTS]; /* first cycle in which the port takes another request */
  sim_time bank_free[TX_L1_BANKS];
  sim_time read_back[TX_L1_PORTS][TX_L1_READS]; /* a ring: when the loads granted last are no longer under way */
  uint32_t read_next[TX_L1_PORTS];
  sim_time granted[TX_L1_CLIENTS]; /* T0, T1, T2, BRISC, NCRISC: when the core had its port last */
  sim_time kept_at[TX_L1_PORTS];   /* this cycle of the port is kept for a core that had it longer ago ... */
  uint32_t kept_for[TX_L1_PORTS];  /* ... this one */
};

#endif
