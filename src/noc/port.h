/* What an NIU needs of the tile it is in: memory and registers, time, a way to the network. One table per kind of tile; the NIU
 * calls it with the tile's pointer.
 *
 * Calls of one tile come from one host thread at a time. */
#ifndef TESSERA_NOC_PORT_H
#define TESSERA_NOC_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/time.h"

struct noc_packet;

/* What lies at an address of a tile, as the NoC sees it. */
enum noc_space {
  NOC_SPACE_NOTHING,
  NOC_SPACE_L1,       /* bytes, 16-byte atomics, accumulation */
  NOC_SPACE_MEMORY,   /* bytes only: GDDR, host memory */
  NOC_SPACE_REGISTERS /* aligned words */
};

/* What a request does with a range of its own tile's L1. The checkers tell the two kinds of writes apart: other counters end them. */
enum noc_claim {
  NOC_CLAIM_SOURCE, /* reads it */
  NOC_CLAIM_ANSWER, /* a read's answer is written there */
  NOC_CLAIM_TARGET, /* a write of the tile to itself lands there */
};

struct noc_port {
  /* What lies at [address, address + length): one space, or NOC_SPACE_NOTHING. */
  enum noc_space (*space)(void *tile, uint64_t address, uint32_t length);
  /* Both get ranges of one space; registers as aligned words. false: refused, `fault` may have been called or not. */
  bool (*read)(void *tile, uint64_t address, void *bytes, uint32_t length);
  bool (*write)(void *tile, uint64_t address, const void *bytes, uint32_t length);

  sim_time (*now)(void *tile);
  /* Calls noc_niu_due(niu of that NoC, ..., what) at `when`, which lies after now. */
  void (*later)(void *tile, sim_time when, unsigned noc, uint32_t what);
  /* A register of the NIU has a new value: cores that spin on it look again. NULL: there is none. */
  void (*changed)(void *tile, unsigned noc, uint32_t offset);
  void (*interrupt)(void *tile, unsigned noc, bool raised); /* completion interrupts; NULL: not connected */
  void (*fault)(void *tile, enum sim_fault_kind kind, const char *document, const char *why);

  /* The L1 range of a request under way, for the race check. NULL: not checked. 0 means no range. */
  unsigned (*claim)(void *tile, uint64_t address, uint32_t length, enum noc_claim claim);
  void (*release)(void *tile, unsigned claim);

  /* line += data, 16 bytes each in format 0..15 of the NoC's accumulation. false: no such format. NULL: the tile cannot. */
  bool (*accumulate)(unsigned format, uint8_t line[16], const uint8_t data[16]);

  /* When the data of an access that begins now is there (read) or taken (write): a memory with a calendar of its own. NULL: the
   * NIU's constant. */
  sim_time (*serve)(void *tile, uint64_t address, uint32_t length, bool write);

  /* Hands a packet to the network, which owns it from then on. false: there is no network (a tile alone). */
  bool (*send)(void *tile, struct noc_packet *packet);
};

#endif
