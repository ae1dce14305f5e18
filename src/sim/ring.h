/* Ring shadow: the state of every slot of a ring buffer, kept beside the data to detect accesses that the flags do not prevent.
 *
 *   free -> writing -> ready -> reading -> free
 *
 * Each slot has the version (tile index) of its content. Every operation returns a finding, so that the caller can name both sides
 * of a hazard; no operation is rejected, since hardware rejects none either. */
#ifndef TESSERA_SIM_RING_H
#define TESSERA_SIM_RING_H

#include <stdint.h>

#include "sim/time.h"

#define SIM_RING_SLOTS_MAX 64u
#define SIM_RING_EMPTY UINT64_MAX

enum sim_slot_state { SIM_SLOT_FREE, SIM_SLOT_WRITING, SIM_SLOT_READY, SIM_SLOT_READING };

struct sim_slot {
  uint32_t state;   /* enum sim_slot_state */
  uint32_t readers; /* reading: how many */
  uint64_t version; /* tile in it; SIM_RING_EMPTY when never written */
  sim_time since;
  uint32_t writer, reader; /* last operation of each side: a place number of the caller (a line, a pc) */
};

struct sim_ring {
  uint32_t slot_count;
  uint32_t pad;
  struct sim_slot slots[SIM_RING_SLOTS_MAX];
};

enum sim_ring_finding {
  SIM_RING_FINE,
  SIM_RING_OVERWRITE_UNREAD,  /* write over a ready slot that was not read */
  SIM_RING_OVERWRITE_READING, /* write while an agent reads */
  SIM_RING_WRITE_WRITE,       /* two writers */
  SIM_RING_READ_EMPTY,        /* read of a slot that was never filled */
  SIM_RING_READ_PARTIAL,      /* read while an agent writes */
  SIM_RING_READ_STALE,        /* read of another version than expected */
  SIM_RING_FREE_UNREAD,       /* freed before it was read */
  SIM_RING_DOUBLE_FREE,
};

void sim_ring_init(struct sim_ring *ring, uint32_t slot_count);
enum sim_ring_finding sim_ring_begin_write(struct sim_ring *ring, uint32_t slot, uint64_t version, uint32_t place,
                                           sim_time now);
enum sim_ring_finding sim_ring_end_write(struct sim_ring *ring, uint32_t slot, sim_time now);
enum sim_ring_finding sim_ring_begin_read(struct sim_ring *ring, uint32_t slot, uint64_t version, uint32_t place,
                                          sim_time now);
enum sim_ring_finding sim_ring_end_read(struct sim_ring *ring, uint32_t slot, sim_time now); /* last reader: free */

#endif
