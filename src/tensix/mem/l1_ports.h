/* The ports and banks of L1 that the cores compete for. ISA: L1.md (ports, muxes, narrow writes), BabyRISCV/README.md.
 *
 *   BRISC ---+
 *   NCRISC --+                       +-- bank 0   bytes   0.. 15, 512..527, ...
 *   TRISC0 --+-- mux -- port 2 --+   |
 *   units ---+                   +---+-- bank 1   bytes  16.. 31, ...
 *   TRISC1 --+                   |   |
 *   TRISC2 --+-- mux -- port 3 --+   +-- ...
 *   units ---+                       +-- bank 31
 *
 * A port takes one request a cycle and a bank serves one. A load or a write of 16 bytes holds both for one cycle; a narrower write
 * and an atomic read, modify and write: they hold both for l1_narrow_write_cycles. A request that cannot be served waits at its
 * port, and those behind it wait too.
 *
 * Requests are granted in the order in which they arrive. A client has one request at a port at a time, so clients that always
 * have a next one are served in turn; of the loads of one cycle that of the core that had the port longest ago is first. Both
 * together are the hardware's round robin. A core that is parked in a spin (riscv/spin.h) still polls: its polls count among the
 * loads of their cycle, and a request that would hold one of them back ends the parking.
 *
 * Times are those in which a request leaves its core; it reaches the bank l1_request_cycles later, whoever sends it.
 * Not modelled: instruction fetches take no cycle of a port. */
#ifndef TESSERA_TENSIX_L1_PORTS_H
#define TESSERA_TENSIX_L1_PORTS_H

#include <stdbool.h>

#include "tensix/machine.h"

static inline unsigned tx_l1_bank(uint32_t address) { return address >> 4 & (TX_L1_BANKS - 1); }
/* Cores are T0, T1, T2, BRISC, NCRISC. */
static inline enum tx_l1_port tx_l1_port_of(unsigned core) { return core == 1 || core == 2 ? TX_L1_PORT_3 : TX_L1_PORT_2; }

/* The cycle in which a request that is at the port from `at` on is granted; both are taken from then on. Timing on only. */
sim_time tx_l1_grant_read(struct tx_tile *t, unsigned core, uint32_t address, sim_time at);
sim_time tx_l1_grant_write(struct tx_tile *t, unsigned core, uint32_t address, sim_time at, uint32_t hold_cycles);
/* A core leaves cycle `at` of its port, if it is free, to `core`, which has a load in that cycle too. */
void tx_l1_keep(struct tx_tile *t, unsigned core, sim_time at);

#endif
