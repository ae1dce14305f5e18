/* The ring shadow of ring.h. Every operation is performed even if it returns a finding: the caller decides on its severity. */
#include "sim/ring.h"

#include <string.h>

#include "sim/assert.h"

void sim_ring_init(struct sim_ring *ring, uint32_t slot_count) {
  memset(ring, 0, sizeof *ring);
  ring->slot_count = slot_count > SIM_RING_SLOTS_MAX ? SIM_RING_SLOTS_MAX : slot_count;
  for (uint32_t i = 0; i < SIM_RING_SLOTS_MAX; i++) ring->slots[i].version = SIM_RING_EMPTY;
}

static void enter(struct sim_slot *s, enum sim_slot_state state, sim_time now) {
  sim_assert(state <= SIM_SLOT_READING);
  s->state = state;
  s->since = now;
}

enum sim_ring_finding sim_ring_begin_write(struct sim_ring *ring, uint32_t slot, uint64_t version, uint32_t place,
                                           sim_time now) {
  struct sim_slot *s = &ring->slots[slot % SIM_RING_SLOTS_MAX];
  static const uint8_t found[] = {
      [SIM_SLOT_FREE] = SIM_RING_FINE,
      [SIM_SLOT_WRITING] = SIM_RING_WRITE_WRITE,
      [SIM_SLOT_READY] = SIM_RING_OVERWRITE_UNREAD,
      [SIM_SLOT_READING] = SIM_RING_OVERWRITE_READING,
  };
  sim_assert(s->state <= SIM_SLOT_READING);
  enum sim_ring_finding finding = (enum sim_ring_finding)found[s->state];
  s->version = version;
  s->writer = place;
  s->readers = 0;
  enter(s, SIM_SLOT_WRITING, now);
  return finding;
}

enum sim_ring_finding sim_ring_end_write(struct sim_ring *ring, uint32_t slot, sim_time now) {
  struct sim_slot *s = &ring->slots[slot % SIM_RING_SLOTS_MAX];
  /* another agent has finished or taken the slot meanwhile */
  if (s->state != SIM_SLOT_WRITING) return SIM_RING_WRITE_WRITE;
  enter(s, SIM_SLOT_READY, now);
  return SIM_RING_FINE;
}

enum sim_ring_finding sim_ring_begin_read(struct sim_ring *ring, uint32_t slot, uint64_t version, uint32_t place,
                                          sim_time now) {
  struct sim_slot *s = &ring->slots[slot % SIM_RING_SLOTS_MAX];
  enum sim_ring_finding finding = SIM_RING_FINE;
  if (s->version == SIM_RING_EMPTY) finding = SIM_RING_READ_EMPTY;
  else if (s->state == SIM_SLOT_WRITING) finding = SIM_RING_READ_PARTIAL;
  /* of another version, or already free */
  else if (s->version != version || s->state == SIM_SLOT_FREE) finding = SIM_RING_READ_STALE;
  s->reader = place;
  if (s->state == SIM_SLOT_READING) {
    sim_assert(s->readers > 0);
    s->readers++;
  } else if (s->state == SIM_SLOT_READY) {
    s->readers = 1;
    enter(s, SIM_SLOT_READING, now);
  }
  return finding;
}

enum sim_ring_finding sim_ring_end_read(struct sim_ring *ring, uint32_t slot, sim_time now) {
  struct sim_slot *s = &ring->slots[slot % SIM_RING_SLOTS_MAX];
  if (s->state == SIM_SLOT_FREE) return SIM_RING_DOUBLE_FREE;
  if (s->state == SIM_SLOT_WRITING) return SIM_RING_FREE_UNREAD; /* the writer keeps the slot */
  if (s->state == SIM_SLOT_READY) {
    enter(s, SIM_SLOT_FREE, now);
    return SIM_RING_FREE_UNREAD;
  }
  sim_assert(s->state == SIM_SLOT_READING && s->readers > 0);
  s->readers--;
  if (s->readers == 0) enter(s, SIM_SLOT_FREE, now);
  return SIM_RING_FINE;
}
