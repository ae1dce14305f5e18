/* The ports and banks of L1 for which the cores compete. ISA: L1.md (ports, muxes, narrow writes), BabyRISCV/README.md.
 *
 *   BRISC ---+
 *   NCRISC --+                       +-- bank 0   bytes   0.. 15, 512..527, ...
 *   TRISC0 --+-- mux -- port 2 --+   |
 *   units ---+                   +---+-- bank 1   bytes  16.. 31, ...
 *   TRISC1 --+                   |   |
 *   TRISC2 --+-- mux -- port 3 --+   +-- ...
 *   units ---+                       +-- bank 31
 *
 * A port accepts one request per cycle and a bank serves one. A load or a write of 16 bytes occupies both for one cycle; a narrower
 * write and an atomic read, modify and write: they occupy both for l1_narrow_write_cycles. Each mux is round robin: of the requests for
 * a port, or a bank, in one cycle, the one whose sender was granted it longest ago wins. A request that waits at the port for its bank
 * blocks the port.
 *
 * Units stream on their own ports (unpackers, packer, NIUs), or share one with cores (the mover). By round robin a narrow write or atomic takes
 * precedence over a stream at a bank that the stream used last, and waits for one cycle at a bank that another client used last. The
 * stream waits as long as the request occupies the bank; tx_l1_take_delay returns the delay to the unit. The mover has three idle cycles
 * in eleven, which the others use. An unpacker, the packer and an NIU absorb the one cycle of a load (inferred: silicon's matmul_tiles takes
 * the same time beside cores that poll, and flits_per_bubble of noc_timing.def holds what an NIU loses beside them).
 *
 * The scalar unit is another client of port 2; its request occupies the port when it is free (inferred: the gate's threads precede the
 * cores in a cycle). Each NIU has four ports for reading and four for writing, one flit per cycle:
 *   what it reads                 a stream from the departure on; its delay postpones the next packet of the NIU and the end of this one
 *   incoming, whole lines         a stream that ends with the packet's arrival (tx_network.incoming); its delay postpones the arrival
 *   incoming, narrower            waits for the bank and occupies it like a narrow write of a core; atomics too
 * Packets that follow one that waits arrive after it: packets of a virtual channel stay in order.
 *
 * No agent arbitrates: ports and banks have a first free time, and a client that is not granted repeats its request then. A core that is
 * parked in a spin (riscv/spin.h) still polls: its polls count among the requests of their cycle, and a request that would delay one of
 * them ends the parking.
 *
 * Times are those in which a request leaves its core; it reaches the bank l1_request_cycles later, for every sender.
 * Not modelled: instruction fetches take no cycle of a port or bank (silicon: a loop of 8192 bytes takes 1.252 cycles per instruction beside
 * cores that poll once in 18 cycles; a fetch that lost a cycle to each poll of its port would make it 1.257 or more), nor do the attempts of ATCAS
 * and ATINCGETPTR after the first: the unit is parked, so that a wait without an end is reported. */
#ifndef TESSERA_TENSIX_L1_PORTS_H
#define TESSERA_TENSIX_L1_PORTS_H

#include <stdbool.h>

#include "tensix/machine.h"

static inline unsigned tx_l1_bank(uint32_t address) { return address >> 4 & (TX_L1_BANKS - 1); }
/* Cores are T0, T1, T2, BRISC, NCRISC. */
static inline enum tx_l1_port tx_l1_port_of(unsigned core) { return core == 1 || core == 2 ? TX_L1_PORT_3 : TX_L1_PORT_2; }

/* A request of a core that could have been at its port since cycle `since`, now or earlier. Timing on only. */
struct tx_l1_request {
  unsigned core;
  uint32_t address;
  sim_time since;
  uint32_t hold; /* cycles for which it occupies port and bank */
  bool load;
};
/* true: granted, in cycle *at, which is not later than now. false: repeat the request in cycle *at. */
bool tx_l1_grant(struct tx_tile *t, const struct tx_l1_request *r, sim_time *at);
/* The request is granted in cycle `at`: it occupies its port and bank, and delays units. Only that: for a lap that is repeated (lap/lap.h). */
void tx_l1_occupy(struct tx_tile *t, const struct tx_l1_request *r, sim_time at);
/* A request is postponed to cycle `at` because another one of this cycle takes precedence. */
void tx_l1_yield(struct tx_tile *t, unsigned core, sim_time at);

/* A request of the scalar unit (TX_L1_PORT_2) or of an NIU (TX_L1_PORTS: its own port) in this cycle; returns its waiting
 * time. 0 with timing off. */
uint32_t tx_l1_request_of_unit(struct tx_tile *t, enum tx_l1_port port, uint32_t address, uint32_t hold);

/* A unit streams [address, ...) from cycle `from` until `until`, `rate` bytes per cycle. Timing on only. */
void tx_l1_stream(struct tx_tile *t, enum tx_l1_streamer unit, uint32_t address, uint32_t rate, sim_time from,
                  sim_time until);
/* As tx_l1_stream, of an NIU: behind the unit's last stream, or, with TX_L1_PLANNED under way, as its continuation. Returns its start. */
sim_time tx_l1_stream_niu(struct tx_tile *t, unsigned noc, bool write, uint32_t address, uint32_t flits, sim_time from);
/* Cycles by which the unit's streams end later than planned, since the last call. */
static inline uint32_t tx_l1_take_delay(struct tx_tile *t, enum tx_l1_streamer unit) {
  const uint32_t delay = t->l1_ports.delay[unit];
  if (delay) t->l1_ports.delay[unit] = 0;
  return delay;
}

#endif
