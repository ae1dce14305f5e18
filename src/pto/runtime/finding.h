/* Findings: reports of a run that continues. */
#ifndef TESSERA_PTO_RUNTIME_FINDING_H
#define TESSERA_PTO_RUNTIME_FINDING_H

#include "pto/program/types.h"
#include "sim/time.h"

enum pto_finding_kind {
  PTO_FIND_NONE,
  PTO_FIND_OVERWRITE, /* write over a tile that was not read, or is being read */
  PTO_FIND_STALE,     /* read of an empty, partial or stale slot */
  PTO_FIND_USE_AFTER_FREE,
  PTO_FIND_DOUBLE_FREE,
  PTO_FIND_LANDING,   /* a popped tile's local copy was overwritten by a later pop */
  PTO_FIND_OVERFLOW,  /* counter beyond 15 */
  PTO_FIND_COLLISION, /* a credit for one pipe was taken by another */
  PTO_FIND_SPLIT,     /* producer and consumer use different splits */
  PTO_FIND_SLOT_SIZE, /* more bytes than the slot has */
  PTO_FIND_LEAK,      /* credits left at the end */
  PTO_FIND_UNSYNCED,  /* manual sync: two pipes of a core race */
  PTO_FIND_RING_TILE, /* a pipe's slots overlap a tile while both are in use */
  PTO_FIND_RING_RING, /* the slots of two pipes overlap */
  PTO_FIND_ENDS,      /* the two ends of a pipe have different configurations */
  PTO_FIND_FAULT,     /* explore only: the run ended in a fault */
  PTO_FIND_LIMIT,     /* explore only: the run did not end in time */
  PTO_FIND_DEADLOCK,
  PTO_FIND_RACE,      /* two accesses to the same bytes of a tensor that nothing orders */
  PTO_FIND_WRITERS,   /* both Vectors write a slot without split, and their data differ */
  PTO_FIND_TYPE,      /* another type or shape is popped than was pushed */
  PTO_FIND_TILE_TILE, /* a tile is read after the write of another tile on its bytes */
  PTO_FIND_RESULT,    /* explore only: the final tensors depend on the schedule */
  PTO_FIND_KINDS,
};

#define PTO_ALIASED_RING 100u /* finding.detail: the ring of the other direction overlaps */
#define PTO_UNORDERED 101u    /* finding.detail: this schedule is good, but nothing orders the two accesses */
#define PTO_RACE_WRITES 1u    /* RACE, finding.detail: this access writes, the other one has written */
#define PTO_RACE_WROTE 2u

struct pto_finding {
  sim_time cycle;
  uint8_t kind, core, unit, other_core;
  int16_t pipe;
  uint8_t direction, lane, flag;
  uint16_t slot, detail;
  uint32_t line, other_line; /* both operations */
  uint32_t dispatch;
  bool consequence;          /* of an earlier finding about the same pipe */
  uint64_t tile, other_tile; /* versions: expected and found */
};

const char *pto_finding_name(unsigned kind);
bool pto_finding_is_hazard(unsigned kind); /* all but a leak, which is a warning */

#endif
