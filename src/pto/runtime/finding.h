/* Findings: what a run reports about a program that goes on. */
#ifndef TESSERA_PTO_RUNTIME_FINDING_H
#define TESSERA_PTO_RUNTIME_FINDING_H

#include "pto/program/types.h"
#include "sim/time.h"

enum pto_finding_kind {
  PTO_FIND_NONE,
  PTO_FIND_OVERWRITE, /* write over a tile that no agent has read, or that one still reads */
  PTO_FIND_STALE,     /* read of an empty, partial or stale slot */
  PTO_FIND_USE_AFTER_FREE,
  PTO_FIND_DOUBLE_FREE,
  PTO_FIND_LANDING,   /* a popped tile's local copy was overwritten by a later pop */
  PTO_FIND_OVERFLOW,  /* counter beyond 15 */
  PTO_FIND_COLLISION, /* a credit given for one pipe taken by another */
  PTO_FIND_SPLIT,     /* producer and consumer disagree */
  PTO_FIND_SLOT_SIZE, /* more bytes than the slot has */
  PTO_FIND_LEAK,      /* credits left at the end */
  PTO_FIND_UNSYNCED,  /* manual sync: two pipes of a core race */
  PTO_FIND_RING_TILE, /* a pipe's slots and a tile on the same bytes, both in use */
  PTO_FIND_RING_RING, /* two pipes' slots on the same bytes */
  PTO_FIND_ENDS,      /* the two ends of a pipe disagree about it */
  PTO_FIND_FAULT,     /* explore only: the run ended in a fault */
  PTO_FIND_LIMIT,     /* explore only: the run did not end in time */
  PTO_FIND_DEADLOCK,
  PTO_FIND_KINDS,
};

#define PTO_ALIASED_RING 100u /* finding.detail: the ring of the other direction lies on the same bytes */

struct pto_finding {
  sim_time cycle;
  uint8_t kind, core, unit, other_core;
  int16_t pipe;
  uint8_t direction, lane, flag;
  uint16_t slot, detail;
  uint32_t line, other_line; /* both operations */
  uint32_t dispatch;
  uint64_t tile, other_tile; /* versions: what was meant, what was found */
};

const char *pto_finding_name(unsigned kind);
bool pto_finding_is_hazard(unsigned kind); /* all but a leak, which is a warning */

#endif
