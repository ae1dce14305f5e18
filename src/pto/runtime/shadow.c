/* The shadow of the rings: detects accesses that the flags do not prevent. Each lane (Vector core) has its own shadow of a
 * ring, since each reads or writes its own part of every slot. */
#include "pto/runtime/shadow.h"

#include "pto/program/pipe.h"
#include "pto/runtime/agent.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/order.h"
#include "pto/runtime/report.h"
#include "pto/runtime/shape.h"

static unsigned kind_of(enum sim_ring_finding finding) {
  switch (finding) {
    case SIM_RING_OVERWRITE_UNREAD:
    case SIM_RING_OVERWRITE_READING:
    case SIM_RING_WRITE_WRITE: return PTO_FIND_OVERWRITE;
    case SIM_RING_READ_EMPTY:
    case SIM_RING_READ_PARTIAL:
    case SIM_RING_READ_STALE: return PTO_FIND_STALE;
    case SIM_RING_FREE_UNREAD:
    case SIM_RING_DOUBLE_FREE: return PTO_FIND_DOUBLE_FREE;
    default: return PTO_FIND_NONE;
  }
}

/* Occupancy is kept for the first lane that takes part. */
static void occupancy(struct pto_machine *m, struct pto_direction_state *w, unsigned pipe, unsigned direction, bool is) {
  sim_time now = m->engine.now;
  w->occupied_cycles[w->occupied < PTO_SLOTS_MAX ? w->occupied : PTO_SLOTS_MAX] += now - w->changed;
  w->changed = now;
  w->occupied += is ? 1u : UINT32_MAX;
  if (w->occupied > w->occupied_max) w->occupied_max = w->occupied;
  if (sim_log_wants(&m->log, PTO_EV_OCCUPANCY))
    sim_log_emit(&m->log,
                 &(struct sim_event){.at = now, .kind = PTO_EV_OCCUPANCY, .agent = pipe, .a = direction, .b = w->occupied});
}

static void wake_pool(struct pto_machine *m) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pto_engine_agent(m, pto_agent(core, PTO_S))->wait.kind == PTO_WAIT_POOL)
      pto_wake(m, pto_agent(core, PTO_S), m->engine.now + 1);
}

static enum sim_ring_finding mark_one(struct pto_machine *m, struct sim_ring *ring, const struct pto_item *item,
                                      unsigned mark) {
  switch (mark) {
    case PTO_BEGIN_WRITE: return sim_ring_begin_write(ring, item->slot, item->tile, item->line, m->engine.now);
    case PTO_END_WRITE: return sim_ring_end_write(ring, item->slot, m->engine.now);
    case PTO_BEGIN_READ: return sim_ring_begin_read(ring, item->slot, item->tile, item->line, m->engine.now);
    default: return sim_ring_end_read(ring, item->slot, m->engine.now);
  }
}

/* Several parts of one tile may go through a slot one after the other (entry offsets, tile id set by hand). */
static bool same_tile_again(unsigned mark, uint32_t state, bool copies, bool recorded) {
  if (mark == PTO_BEGIN_WRITE) return !recorded && (state == SIM_SLOT_READY || state == SIM_SLOT_WRITING);
  return copies && (mark == PTO_BEGIN_READ || mark == PTO_END_READ) && state == SIM_SLOT_FREE;
}

/* The state of the slot before a mark, and the mark. */
struct before {
  unsigned lane, mark;
  uint64_t version;
  uint32_t state, writer, reader;
  bool recorded;
};

__attribute__((cold)) static void report(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                                         const struct before *before, enum sim_ring_finding found) {
  unsigned lane = before->lane, mark = before->mark;
  if (before->version == item->tile && same_tile_again(mark, before->state, item->kind == PTO_ITEM_WORK, before->recorded))
    return;
  if (mark == PTO_END_READ && found == SIM_RING_FREE_UNREAD && before->version != item->tile)
    return; /* reported at the overwrite */
  unsigned reader_core = item->direction == PTO_DIRECTION_C2V ? PTO_AIV0 + lane : PTO_AIC;
  unsigned writer_core = item->direction == PTO_DIRECTION_C2V ? PTO_AIC : PTO_AIV0 + lane;
  bool by_writer = mark == PTO_BEGIN_WRITE || mark == PTO_END_WRITE;
  bool other_is_reader = by_writer && found == SIM_RING_OVERWRITE_READING;
  pto_find(m, (struct pto_finding){.kind = (uint8_t)kind_of(found),
                                   .core = (uint8_t)core,
                                   .unit = (uint8_t)unit,
                                   .other_core = (uint8_t)(other_is_reader ? reader_core : writer_core),
                                   .pipe = item->pipe,
                                   .direction = item->direction,
                                   .lane = (uint8_t)lane,
                                   .slot = item->slot,
                                   .detail = (uint16_t)found,
                                   .line = item->line,
                                   .other_line = other_is_reader ? before->reader : before->writer,
                                   .tile = item->tile,
                                   .other_tile = before->version});
}

/* This schedule is good, but nothing orders the access after `other`. */
__attribute__((cold)) static void report_unordered(struct pto_machine *m, unsigned agent, const struct pto_item *item,
                                                   unsigned lane, unsigned kind, const struct pto_moment *other) {
  pto_find(m, (struct pto_finding){.kind = (uint8_t)kind,
                                   .core = (uint8_t)(agent / PTO_UNITS),
                                   .unit = (uint8_t)(agent % PTO_UNITS),
                                   .other_core = (uint8_t)(other->agent / PTO_UNITS),
                                   .pipe = item->pipe,
                                   .direction = item->direction,
                                   .lane = (uint8_t)lane,
                                   .slot = item->slot,
                                   .detail = PTO_UNORDERED,
                                   .line = item->line,
                                   .other_line = other->line,
                                   .tile = item->tile,
                                   .other_tile = other->tile});
}

/* The accesses of this schedule are in the right order: are they in every schedule? */
static void check_order(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, unsigned lane,
                        unsigned mark, bool good) {
  struct pto_slot_use *use = pto_order_slot(m, (unsigned)item->pipe, item->direction, lane, item->slot);
  unsigned agent = pto_agent(core, unit);
  if (mark == PTO_BEGIN_WRITE) pto_shape_push(m, core, item, use);
  if (mark == PTO_BEGIN_READ) pto_shape_pop(m, core, unit, item, use);
  if (mark == PTO_END_WRITE) use->write = pto_order_now(m, agent, item->line, (uint32_t)item->tile);
  if (mark == PTO_END_READ) use->read = pto_order_now(m, agent, item->line, (uint32_t)item->tile);
  if (mark != PTO_BEGIN_WRITE && mark != PTO_BEGIN_READ) return;
  if (mark == PTO_BEGIN_WRITE && use->tile.tick && !pto_order_after(m, agent, &use->tile))
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_TILE,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .other_core = (uint8_t)(use->tile.agent / PTO_UNITS),
                                     .pipe = item->pipe,
                                     .slot = item->slot,
                                     .detail = PTO_UNORDERED,
                                     .line = item->line,
                                     .other_line = use->tile.line,
                                     .tile = use->tile.tile,
                                     .other_tile = item->tile});
  const struct pto_moment *other = mark == PTO_BEGIN_WRITE ? &use->read : &use->write;
  if (!good || !other->tick || pto_order_after(m, agent, other)) return;
  report_unordered(m, agent, item, lane, mark == PTO_BEGIN_WRITE ? PTO_FIND_OVERWRITE : PTO_FIND_STALE, other);
}

static void mark_lane(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                      struct pto_direction_state *w, unsigned lane, unsigned mark) {
  const struct sim_slot *s = &w->ring[lane].slots[item->slot];
  struct before before = {lane, mark, s->version, s->state, s->writer, s->reader, w->recorded[lane][item->slot]};
  if (mark == PTO_BEGIN_WRITE) w->recorded[lane][item->slot] = 0;
  if (mark == PTO_END_WRITE) w->recorded[lane][item->slot] = item->recorded;
  enum sim_ring_finding found = mark_one(m, &w->ring[lane], item, mark);
  if (lane == m->counted_lane[item->pipe]) {
    bool was = before.state != SIM_SLOT_FREE, is = s->state != SIM_SLOT_FREE;
    if (was != is) occupancy(m, w, (unsigned)item->pipe, item->direction, is);
    if (mark == PTO_END_READ && w->reserved) w->reserved--;
  }
  if (found != SIM_RING_FINE) report(m, core, unit, item, &before, found);
  check_order(m, core, unit, item, lane, mark, found == SIM_RING_FINE);
}

static void check_split(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  for (unsigned lane = 0; lane < 2; lane++) {
    const struct pto_slot_shape *s = &pto_order_slot(m, (unsigned)item->pipe, item->direction, lane, item->slot)->shape;
    if (!(item->lanes >> lane & 1u) || s->version != item->tile || !s->line || s->split == item->split) continue;
    pto_find(m,
             (struct pto_finding){.kind = PTO_FIND_SPLIT,
                                  .core = (uint8_t)core,
                                  .unit = (uint8_t)unit,
                                  .other_core = (uint8_t)(item->direction == PTO_DIRECTION_C2V ? PTO_AIC : PTO_AIV0 + lane),
                                  .pipe = item->pipe,
                                  .direction = item->direction,
                                  .slot = item->slot,
                                  .line = item->line,
                                  .other_line = s->line,
                                  .tile = item->split,
                                  .other_tile = s->split});
  }
}

/* pto-isa#226: some headers start both rings of a BOTH pipe at the same address: slot k of one direction is slot k of the other. */
static void check_aliased_ring(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  const struct pto_pipe_config *c = pto_config(m, (unsigned)item->pipe, core);
  if (!pto_both_directions(c) || pto_pipe_path(m->program, c, item->direction) != PTO_GM_FIFO) return;
  for (unsigned lane = 0; lane < 2; lane++) {
    const struct sim_slot *s = &m->directions[item->pipe][1u - item->direction].ring[lane].slots[item->slot];
    if (s->state == SIM_SLOT_FREE) {
      const struct pto_slot_use *use = pto_order_slot(m, (unsigned)item->pipe, 1u - item->direction, lane, item->slot);
      const struct pto_moment *last = use->read.tick > 0 ? &use->read : &use->write;
      if (last->tick && !pto_order_after(m, pto_agent(core, unit), last))
        report_unordered(m, pto_agent(core, unit), item, lane, PTO_FIND_OVERWRITE, last);
      continue;
    }
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_OVERWRITE,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .pipe = item->pipe,
                                     .direction = item->direction,
                                     .lane = (uint8_t)lane,
                                     .slot = item->slot,
                                     .detail = PTO_ALIASED_RING,
                                     .line = item->line,
                                     .other_line = s->writer,
                                     .tile = item->tile,
                                     .other_tile = s->version});
    return;
  }
}

void pto_shadow(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, unsigned marks) {
  struct pto_direction_state *w = &m->directions[item->pipe][item->direction];
  for (unsigned mark; marks; marks &= marks - 1) {
    mark = marks & -marks;
    if (sim_log_wants(&m->log, PTO_EV_SLOT))
      sim_log_emit(&m->log, &(struct sim_event){.at = m->engine.now,
                                                .kind = PTO_EV_SLOT,
                                                .agent = pto_agent(core, unit),
                                                .a = PTO_SLOT_FIELD(item->pipe, item->direction, mark),
                                                .b = item->slot,
                                                .c = item->tile});
    if (mark == PTO_BEGIN_WRITE && m->policy[item->pipe]->quirks & PTO_QUIRK_RINGS_OVERLAP)
      check_aliased_ring(m, core, unit, item);
    if (item->lanes & 1u) mark_lane(m, core, unit, item, w, 0, mark);
    if (item->lanes & 2u) mark_lane(m, core, unit, item, w, 1, mark);
    if (mark == PTO_BEGIN_READ && item->lanes) check_split(m, core, unit, item);
    if (mark == PTO_END_READ && m->waiting && m->policy[item->pipe]->quirks & PTO_QUIRK_SHARED_POOL) wake_pool(m);
  }
}

static void check_use(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                      const struct pto_ref *ref, unsigned expected) {
  if (ref->pipe < 0 || !ref->zero_copy) return;
  for (unsigned lane = 0; lane < 2; lane++) {
    if (!(ref->lanes >> lane & 1u)) continue;
    const struct sim_slot *s = &m->directions[ref->pipe][ref->direction].ring[lane].slots[ref->slot];
    if (s->version == ref->version && s->state == expected) continue;
    unsigned kind = expected == SIM_SLOT_READING ? PTO_FIND_USE_AFTER_FREE : PTO_FIND_OVERWRITE;
    pto_find(m, (struct pto_finding){.kind = (uint8_t)kind,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .pipe = ref->pipe,
                                     .direction = (uint8_t)ref->direction,
                                     .lane = (uint8_t)lane,
                                     .slot = ref->slot,
                                     .detail = (uint16_t)s->state,
                                     .line = item->line,
                                     .other_line = s->writer,
                                     .tile = ref->version,
                                     .other_tile = s->version});
    return;
  }
}

/* Operands in ring slots: a source must still be held, a destination still be open. */
void pto_shadow_uses(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  if (item->at_start || item->at_end) return; /* pushes and pops carry their own marks */
  for (unsigned i = 0; i + 1 < item->ref_count; i++) check_use(m, core, unit, item, &item->src[i], SIM_SLOT_READING);
  check_use(m, core, unit, item, &item->dst, SIM_SLOT_WRITING);
}
