/* The interface of an NIU to its tile: memory and registers, time, access to the network. One table per kind of tile; the NIU
 * calls it with the tile's pointer.
 *
 * At most one host thread at a time makes calls for a tile. */
#ifndef TESSERA_NOC_PORT_H
#define TESSERA_NOC_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/time.h"

struct noc_packet;

/* The kind of memory at an address of a tile, for the NoC. */
enum noc_space {
  NOC_SPACE_NOTHING,
  NOC_SPACE_L1,       /* bytes, 16-byte atomics, accumulation */
  NOC_SPACE_MEMORY,   /* bytes only: GDDR, host memory */
  NOC_SPACE_REGISTERS /* aligned words */
};

/* The access of a request to a range of its own tile's L1. The checkers distinguish the kinds: different
 * counters complete them. */
enum noc_claim {
  NOC_CLAIM_SOURCE, /* reads it */
  NOC_CLAIM_ANSWER, /* a read's response is written there */
  NOC_CLAIM_TARGET, /* a write of the tile to itself is written there */
  NOC_CLAIM_OWN,    /* a read of the tile from itself reads it */
  /* The tile's own copy of a broadcast, or a write to itself whose answer goes elsewhere, is written there: no counter tells when. A line and bytes
   * that the copy leaves as they are, are old or new to a reader: only a store races. */
  NOC_CLAIM_COPY,
  NOC_CLAIM_COPY_AT_ONCE,
};

struct noc_port {
  /* The space of [address, address + length), or NOC_SPACE_NOTHING. */
  enum noc_space (*space)(void *tile, uint64_t address, uint32_t length);
  /* Both receive ranges of one space; registers as aligned words. false: rejected, `fault` may or may not have been called. */
  bool (*read)(void *tile, uint64_t address, void *bytes, uint32_t length);
  bool (*write)(void *tile, uint64_t address, const void *bytes, uint32_t length);

  sim_time (*now)(void *tile);
  /* Calls noc_niu_due(niu of that NoC, ..., what) at `when`, which must be in the future. */
  void (*later)(void *tile, sim_time when, unsigned noc, uint32_t what);
  /* A register of the NIU has a new value: cores that spin on it poll again. NULL: there are none. */
  void (*changed)(void *tile, unsigned noc, uint32_t offset);
  void (*interrupt)(void *tile, unsigned noc, bool raised); /* completion interrupts; NULL: not connected */
  void (*fault)(void *tile, enum sim_fault_kind kind, const char *document, const char *why);

  /* The name of what would be at an address at which the tile has nothing, for the message; NULL, also as the function: not known. */
  const char *(*refusal)(void *tile, uint64_t address);
  /* A request whose coordinates are no tile's, and which reaches one all the same. NULL: not reported. */
  void (*alias)(void *tile, const char *why);
  /* A request on a static virtual channel of another class than its own. NULL: not reported. */
  void (*channel)(void *tile, const char *why);

  /* The L1 range of a request in flight, for the race check. NULL: not checked. 0 means no range. */
  unsigned (*claim)(void *tile, uint64_t address, uint32_t length, enum noc_claim claim);
  void (*release)(void *tile, unsigned claim);
  /* An atomic of the tile on itself, which claims no range, or a read: it enters place `place` of those under way, and later, `done`, it is
   * about to take effect. NULL: not observed. */
  void (*looped)(void *tile, const struct noc_packet *packet, unsigned place, bool done);

  /* line += data, 16 bytes each in format 0..15 of the NoC's accumulation. false: no such format. NULL: not supported by the tile. */
  bool (*accumulate)(unsigned format, uint8_t line[16], const uint8_t data[16]);

  /* The time at which the data of an access that begins now is available (read) or accepted (write): for a memory with its
   * own calendar. NULL: the NIU's constant. */
  sim_time (*serve)(void *tile, uint64_t address, uint32_t length, bool write);

  /* The NIU reads or writes [address, address + length) of its tile, a flit per cycle from `from` on or as soon as the last such
   * transfer has ended: stream returns that time. The tile's other clients compete for the banks. late: cycles by which such transfers end later than planned, since the last call. narrow: the bytes are about to be
   * written; returns the cycles to wait before that, or 0, and then the banks of lines that are not whole are taken. All NULL: no banks. */
  sim_time (*stream)(void *tile, unsigned noc, bool write, uint64_t address, uint32_t length, sim_time from);
  uint32_t (*late)(void *tile, unsigned noc, bool write);
  uint32_t (*narrow)(void *tile, uint64_t address, uint32_t length);

  /* A what-if: does this request occupy no link and no memory? NULL: never. */
  bool (*weightless)(void *tile, const struct noc_packet *packet);
  /* A what-if: is this request, which departs, complete at once? Then its answer, which the tile passes as well, is not counted. NULL:
   * never. */
  bool (*at_once)(void *tile, const struct noc_packet *packet);

  /* Passes a packet to the network, which owns it from then on. false: there is no network (a single tile). */
  bool (*send)(void *tile, struct noc_packet *packet);
};

#endif
