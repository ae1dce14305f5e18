/* An endpoint: a tile at a position of the NoC. The chip accesses tiles only through this table.
 *
 * Two sorts. An active endpoint (a tile with cores) has its own time: the chip runs it up to a time on some host thread,
 * and passes it the packets that arrive meanwhile. A passive endpoint (DRAM, ARC, PCIe, router only) acts only when a
 * packet arrives; it is called on the thread that runs the chip, in the order of arrival, so it may share state with other
 * passive endpoints (the three ports of a DRAM controller) and call the host.
 *
 * An endpoint sends by chip_send. A packet must not depart before the time of the chip_send call.
 *
 * `self` is NULL until the first access: create() allocates it, and all other functions receive it. */
#ifndef TESSERA_CHIP_ENDPOINT_H
#define TESSERA_CHIP_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/grid.h"
#include "chip/trail.h"
#include "noc/niu.h"
#include "sim/engine.h"
#include "sim/fault.h"

struct chip;
struct chip_endpoint;

/* A growing or shrinking buffer for save and restore. With `bulk` the memory of tiles and DRAM bypasses it: save and restore pass each
 * range to that function in the same order, and the caller copies the ranges out or back. `key` identifies a range in every saved state.
 * `same`: one bit per 4 KiB, which a write to these bytes clears; NULL: writes are not noted. */
struct chip_stream {
  uint8_t *bytes;
  size_t length, capacity, at;
  bool failed; /* out of memory, or a read past the end */
  void (*bulk)(void *context, uint64_t key, void *at, size_t length, uint64_t *same);
  void *context;
};
struct chip_endpoint_ops {
  const char *name;
  /* Allocates `self` at the chip's time, in the state that the management firmware leaves. NULL: out of memory. */
  void *(*create)(struct chip *chip, struct chip_endpoint *endpoint);
  void (*destroy)(void *self);
  /* Restores the state of create() in place. NULL: the chip destroys and creates the endpoint instead. */
  void (*reset)(struct chip *chip, struct chip_endpoint *endpoint);

  /* A packet's last flit arrives at `at`. Everything before that time has been run. 0: done; else it has to wait for a bank of the tile's
   * memory for that many cycles, and the chip repeats the call then. */
  uint32_t (*take)(void *self, const struct noc_packet *packet, sim_time at);

  /* Active endpoints; both NULL for passive ones. next: the first cycle in which it acts by itself. run: runs all cycles up
   * to and including `until`; may return early after chip_send, or when a fault stopped it. It may do work that no other
   * tile can observe or affect up to `ahead`, where the chip's caller stops: `next` is then later, so windows are longer. */
  sim_time (*next)(const void *self);
  enum sim_end (*run)(void *self, sim_time until, sim_time ahead);
  /* Advances its clock to `now`; it does not act before now + 1. */
  void (*wake)(void *self, sim_time now);

  /* Access by the host, tests and tools between runs: no packet, no time, no counter. Addresses are those of the NoC. false:
   * no such address, or rejected. */
  bool (*read)(void *self, uint64_t address, void *bytes, size_t length);
  bool (*write)(void *self, uint64_t address, const void *bytes, size_t length);
  enum noc_space (*space)(void *self, uint64_t address, size_t length);

  /* The NIUs, for broadcasts (opt-out) and messages. NULL: none, never a receiver. */
  struct noc_niu *(*niu)(void *self, unsigned noc);
  /* The first fault; NULL: none. */
  const struct sim_fault *(*fault)(const void *self);
  /* An agent in it waits. NULL: never. */
  bool (*blocked)(const void *self);

  void (*save)(const void *self, struct chip_stream *to);
  bool (*restore)(void *self, struct chip_stream *from);
  uint64_t (*hash)(const void *self);
};

/* The chip fills it in before create(). */
struct chip_endpoint {
  const struct chip_endpoint_ops *ops;
  void *self;
  struct chip *chip;
  uint16_t tile; /* id: grid.h */
  const struct chip_slot *slot;
  struct noc_packet *outbox, **outbox_end; /* sent since the last window */
  struct noc_packet **inbox;               /* heap by (arrives, departs, tile, sequence) */
  uint32_t inbox_count, inbox_capacity;
  uint64_t sequence;     /* packets sent, ever */
  uint64_t received;     /* packets taken, ever */
  uint32_t stop_at_send; /* run() should return after the next chip_send */
  uint32_t runs;         /* windows in which it ran, up to a limit */
  uint32_t stopped;      /* a breakpoint or a watch stopped it in this window */
  uint32_t exposed;      /* a caller holds `self`, so `next` must be recomputed */
  sim_time next;         /* cached: the time of its next own action */
  struct chip_trail trail;
  struct chip_orbit *orbit; /* of a tile with cores */
};

/* A request reaches the memory of a DRAM controller. On the thread that runs the chip, while no tile runs. */
typedef void chip_memory_fn(void *context, unsigned controller, const struct noc_packet *packet);
/* One access of a DRAM controller. The controller serves them one after the other, so they are in the order of time. */
struct chip_burst {
  sim_time start;
  uint64_t address;
  uint32_t cycles, bytes;
  unsigned controller;
  bool write;
};
typedef void chip_burst_fn(void *context, const struct chip_burst *burst);

#endif
