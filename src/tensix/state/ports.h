/* The interface of the tile to the layers below it, as a table of functions: the register windows to the execution units, the bus to the
 * cores. The tile sets it at reset. */
#ifndef TESSERA_TENSIX_STATE_PORTS_H
#define TESSERA_TENSIX_STATE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/bus.h"
#include "tensix/state/core.h"

struct tx_tile;
struct tx_range;
struct noc_packet;
struct noc_port;
struct sim_event;

/* A checker's shadow of a core's local RAM: the bits of local RAM and registers that were not written since their stack
 * frame was allocated. */
struct tx_shadow {
  uint64_t tainted; /* bit per register with such a bit, and TX_SHADOW_ALL */
  uint32_t bits[TX_LOCAL_BYTES / 4];
};

/* Bit of x0 in `tainted`: `instruction` is called before every instruction; a start of the core keeps it. */
#define TX_SHADOW_ALL UINT64_C(1)

/* An atomic of a core on a word of L1. */
struct tx_atomic {
  uint32_t address, operand, old, value;
  unsigned core, op; /* enum tx_rv_op */
};

/* Called after each atomic of the instruction at `pc`. */
struct tx_atomic_listener {
  void (*note)(struct tx_atomic_listener *listener, const struct tx_atomic *atomic, uint32_t pc);
};

struct tx_ports {
  /* Registers from 0xFFB11000 on as the coprocessor addresses them (LOADREG, STOREREG, STOREIND, PACR_SETREG, UNPACR_NOP).
   * TDMA-RISC is not mapped for it on Blackhole. false: no such register, or it is not modelled. A write with byte_mask 0
   * changes nothing and only tests that. */
  bool (*register_read)(struct tx_tile *t, uint32_t address, uint32_t *value);
  bool (*register_write)(struct tx_tile *t, uint32_t address, uint32_t value, uint32_t byte_mask);
  /* A core's accesses: 1, 2 or 4 bytes at a multiple of that. Loads return the bytes in the low bits, not extended. An
   * accepted store takes effect when it is processed, some cycles later. */
  struct tx_bus_answer (*load)(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes);
  struct tx_bus_answer (*store)(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value, unsigned bytes);
  const struct noc_port *noc; /* of the tile's NIUs */
  /* L1 was written: the base firmware of an Ethernet tile responds; a checker marks the bytes. Called for those tiles only. */
  void (*l1_written)(struct tx_tile *t, uint32_t address, uint32_t length);
  /* While a group of performance counters is active: a counted signal may have changed; `event` is the event that reports
   * it, or NULL. */
  void (*perf_look)(struct tx_tile *t, const struct sim_event *event);
  /* While a checker is attached: every access to L1 by an agent of the tile (mem/inflight.h), before it takes effect. */
  void (*l1_access)(struct tx_tile *t, const struct tx_range *range);
  /* NULL: no checker. Before and after `l1_access` of a core's atomic, which is a write if it changes the word. */
  void (*l1_atomic)(struct tx_tile *t, const struct tx_atomic *atomic, bool done);
  /* NULL: no checker. A core has executed a fence: its stores are under way, and its loads have their values. */
  void (*fence)(struct tx_tile *t, unsigned core);
  /* NULL: no checker observes loads. A core loads from a line of L1 that its L0 cache holds. */
  void (*l1_cached)(struct tx_tile *t, unsigned core, uint32_t address);
  /* NULL: no checker. A what-if's core has waited behind its loop until this counter of an NIU was complete. */
  void (*noc_waited)(struct tx_tile *t, unsigned core, uint32_t address);
  /* NULL: no checker observes local RAM. One shadow per core; `instruction` is called before an instruction that changes
   * sp, that loads or stores a word of local RAM with bits in the shadow, and before every instruction while a register is
   * tainted. `l1_access` and `l1_cached` may taint the register of the load. */
  struct tx_shadow *shadow;
  void (*instruction)(struct tx_tile *t, unsigned core, const struct tx_insn *insn);
  /* NULL: no checker. The host has written to the tile. */
  void (*host_wrote)(struct tx_tile *t, uint32_t address, uint32_t length);
  /* NULL: no checker. A packet has been passed to the NoC; a packet of another tile arrives and has had no effect yet. */
  void (*noc_sent)(struct tx_tile *t, const struct noc_packet *packet);
  void (*noc_arrives)(struct tx_tile *t, const struct noc_packet *packet);
  /* NULL: no checker. noc/port.h: an atomic or a read of the tile on itself starts, or takes effect. */
  void (*noc_looped)(struct tx_tile *t, const struct noc_packet *packet, unsigned place, bool done);
  /* NULL: no checker. A thread's REPLAY records or plays `count` slots from `first` on. */
  void (*replay)(struct tx_tile *t, unsigned thread, bool load, uint32_t first, uint32_t count);
};

#endif
