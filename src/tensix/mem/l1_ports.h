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
 * and an atomic read, modify and write: they hold both for l1_narrow_write_cycles. Each mux is round robin: of those that want a
 * port, or a bank, in one cycle the one that had it longest ago is first. A request that has the port and waits for its bank keeps
 * the port from the others.
 *
 * Units stream on ports of their own (unpackers, packer), or share one with cores (the mover). A core's request that meets a stream at a
 * bank or at its port is first: round robin, the stream had it in the cycle before. The stream waits as long as the request holds it, and
 * the unit learns by how much with tx_l1_take_delay. The mover has three idle cycles in eleven, which the others share. An unpacker and
 * the packer absorb the one cycle of a load (inferred: silicon's matmul_tiles takes the same time beside cores that poll).
 *
 * The scalar unit is one more client of port 2; its request takes the port when it is free (inferred: the gate's threads come before the
 * cores in a cycle). The NIUs have ports of their own: their writes of whole lines pass a bank in one cycle, between those of the cores;
 * a narrow write and an atomic hold their bank as a core's do.
 *
 * There is no agent that arbitrates: ports and banks have a first free time, and a client that is not granted asks again then. A
 * core that is parked in a spin (riscv/spin.h) still polls: its polls count among the requests of their cycle, and a request that
 * would hold one of them back ends the parking.
 *
 * Times are those in which a request leaves its core; it reaches the bank l1_request_cycles later, for every sender.
 * Not modelled: instruction fetches take no cycle of a port or bank (silicon: a loop of 8192 bytes takes 1.252 cycles an instruction beside
 * cores that poll once in 18 cycles; a fetch that lost a cycle to each poll of its port would make it 1.257 or more), nor do the attempts of ATCAS
 * and ATINCGETPTR after the first, and an NIU does not wait for a bank. */
#ifndef TESSERA_TENSIX_L1_PORTS_H
#define TESSERA_TENSIX_L1_PORTS_H

#include <stdbool.h>

#include "tensix/machine.h"

static inline unsigned tx_l1_bank(uint32_t address) { return address >> 4 & (TX_L1_BANKS - 1); }
/* Cores are T0, T1, T2, BRISC, NCRISC. */
static inline enum tx_l1_port tx_l1_port_of(unsigned core) { return core == 1 || core == 2 ? TX_L1_PORT_3 : TX_L1_PORT_2; }

/* A request of a core that could be at its port since cycle `since`, now or earlier. Timing on only. */
struct tx_l1_request {
  unsigned core;
  uint32_t address;
  sim_time since;
  uint32_t hold; /* cycles it holds port and bank */
  bool load;
};
/* true: granted, in cycle *at, which is not later than now. false: not now; ask again in cycle *at. */
bool tx_l1_grant(struct tx_tile *t, const struct tx_l1_request *r, sim_time *at);
/* A request is not made now because another of this cycle comes first: it is, in cycle `at`. */
void tx_l1_yield(struct tx_tile *t, unsigned core, sim_time at);

/* A request of the scalar unit (TX_L1_PORT_2) or of an NIU (TX_L1_PORTS: a port of its own), now; the cycles that it waits. 0 with timing off. */
uint32_t tx_l1_request_of_unit(struct tx_tile *t, enum tx_l1_port port, uint32_t address, uint32_t hold);

/* A unit streams [address, ...) from cycle `from` until `until`, `rate` bytes a cycle. Timing on only. */
void tx_l1_stream(struct tx_tile *t, enum tx_l1_streamer unit, uint32_t address, uint32_t rate, sim_time from,
                  sim_time until);
/* Cycles by which its streams end later than planned, since it last asked. */
uint32_t tx_l1_take_delay(struct tx_tile *t, enum tx_l1_streamer unit);

#endif
