/* TPipe and TMPipe: TALLOC, TPUSH, TPOP, TFREE, construction and tear-down, as items for the pipes.
 *
 *   push   1 allocate: wait(free) if status and policy require it   2 copy to slot(t)   3 record: set(ready) if so
 *   pop    1 wait(ready) if the status requires it   2 copy to the landing slot, or bind in place   3 set(free) here or in TFREE
 *
 * Which flag, which pipe: the table in docs/guide/pto.md. On A2/A3 every wait holds the scalar unit; on A5
 * it is in the queue of one pipe. Deviations of single upstream versions are quirks of the policy. */
#include "pto/runtime/tpipe.h"

#include <string.h>

#include "pto/program/pipe.h"
#include "pto/runtime/agent.h"
#include "pto/runtime/content.h"
#include "pto/runtime/cost.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/flags.h"
#include "pto/runtime/lifetime.h"
#include "pto/runtime/order.h"
#include "pto/runtime/queue.h"
#include "pto/runtime/report.h"
#include "pto/runtime/request.h"
#include "pto/runtime/shadow.h"
#include "pto/runtime/tile.h"

/* --- the four operations --- */

static void count_pop(struct pto_end *e, const struct pto_direction_info *info, const struct pto_instr *i) {
  e->held[e->popped % PTO_HELD_MAX] = e->cons_tile;
  e->cons_tile += info->advance;
  e->popped++;
  e->last_pop_line = i->line;
}

/* pto-isa#301: two directions, one pool of slots. */
static bool pool_free(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned pipe = (unsigned)i->pipe;
  if (!(m->policy[pipe]->quirks & PTO_QUIRK_SHARED_POOL) || !pto_both_directions(pto_config(m, pipe, core))) return true;
  uint32_t used = m->directions[pipe][PTO_DIRECTION_C2V].reserved + m->directions[pipe][PTO_DIRECTION_V2C].reserved;
  if (used < pto_config(m, pipe, core)->slot_num) return true;
  pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_POOL, pipe,
            (uint64_t)m->cores[core].pc << 32 | (uint32_t)m->cores[core].ends[pipe].prod_tile);
  return false;
}

/* Phase 1 of a push. false: blocked. */
static bool allocate(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                     unsigned lanes) {
  unsigned pipe = (unsigned)i->pipe;
  struct pto_end *e = &m->cores[core].ends[pipe];
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  if (!pool_free(m, core, i)) return false;
  if (!e->is_allocate || !pto_policy_waits(m->policy[pipe], e->prod_tile, c->slot_num, pto_period(m, pipe, core)))
    return true;
  if (info->wait_free_unit == PTO_S) {
    if (!pto_scalar_wait(m, core, info->free_id, (int)pipe, 1, i->line)) return false;
  } else {
    pto_add_flags(m, core,
                  (struct pto_flag_request){.kind = PTO_ITEM_WAIT,
                                            .role = PTO_ROLE_FREE,
                                            .unit = info->wait_free_unit,
                                            .flag = info->free_id,
                                            .lanes = (uint8_t)lanes,
                                            .pipe = (int16_t)pipe,
                                            .count = 1,
                                            .tile = e->prod_tile});
  }
  e->waited++;
  return true;
}

static void remember_event(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned unit, bool recorded) {
  if (i->event < 0) return;
  m->cores[core].event_unit[i->event] = unit;
  m->cores[core].event_ticket[i->event] = !recorded       ? UINT32_MAX
                                          : unit == PTO_S ? 0
                                                          : m->queues[pto_agent(core, unit)].issued;
}

/* Phase 3 of a push. */
static void record(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                   unsigned lanes, uint64_t tile, bool always) {
  struct pto_end *e = &m->cores[core].ends[i->pipe];
  bool yes = always || e->is_record;
  if (yes)
    pto_add_flags(m, core,
                  (struct pto_flag_request){.kind = PTO_ITEM_SET,
                                            .role = PTO_ROLE_READY,
                                            .unit = info->set_ready_unit,
                                            .flag = info->ready,
                                            .lanes = (uint8_t)lanes,
                                            .pipe = i->pipe,
                                            .count = 1,
                                            .tile = tile});
  else e->unrecorded++;
  remember_event(m, core, i, info->set_ready_unit, yes);
  e->last_push_line = i->line;
}

static void mark_now(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned direction, uint64_t tile,
                     unsigned marks) {
  struct pto_item item;
  memset(&item, 0, sizeof item);
  item.instr = m->cores[core].pc;
  item.line = i->line;
  item.pipe = (int16_t)i->pipe;
  item.direction = (uint8_t)direction;
  item.tile = tile;
  item.slot = (uint16_t)pto_slot(tile, pto_config(m, (unsigned)i->pipe, core)->slot_num);
  item.lanes = (uint8_t)pto_shadow_lanes(m, (unsigned)i->pipe, core, PTO_NO_SPLIT);
  pto_shadow(m, core, PTO_S, &item, marks);
}

/* Does the written or read part fit into its slot? */
static void check_slot_size(struct pto_machine *m, unsigned core, const struct pto_direction_info *info,
                            const struct pto_item *item, const struct pto_ref *ref) {
  uint64_t bytes = ref->addr - pto_slot_base(info, item->slot) + pto_ref_extent(ref);
  if (bytes > info->slot_size) pto_slot_too_small(m, core, info, item, bytes);
}

/* Without split both Vectors write the whole slot. */
static void check_writers(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_item *item,
                          unsigned split) {
  if (core == PTO_AIC || split != PTO_NO_SPLIT) return;
  struct pto_ref ref = item->dst;
  ref.pipe = (int8_t)i->pipe;
  ref.slot = item->slot;
  ref.version = item->tile;
  pto_content_push(m, core, PTO_MTE3, i, &ref, pto_content(m, core, i->src[0]));
}

/* A5 signals the Cube for each Vector apart, and a control word has one slot. */
static void check_ctrl_lane(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  if (core != PTO_AIV1 || !m->profile->point_to_point) return;
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_WRITERS,
                                   .core = (uint8_t)core,
                                   .pipe = i->pipe,
                                   .direction = PTO_DIRECTION_V2C,
                                   .detail = 1,
                                   .line = i->line,
                                   .tile = m->cores[core].ends[i->pipe].prod_tile});
}

/* CTRL: the scalar unit itself writes one 32-bit word when its source tile is ready. The words are in a separate buffer (A5: ssbuf),
 * not in L1. */
static bool push_ctrl(struct pto_machine *m, unsigned core, const struct pto_instr *i,
                      const struct pto_direction_info *info) {
  struct pto_end *e = &m->cores[core].ends[i->pipe];
  struct pto_item probe;
  unsigned missing = 0;
  memset(&probe, 0, sizeof probe);
  pto_need_read(m, core, &probe, PTO_S, i->src[0]);
  if (!pto_deps_ready(m, core, probe.need, &missing)) {
    pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_DEP, missing, (uint64_t)m->cores[core].pc << 32);
    return false;
  }
  for (unsigned unit = 0; unit < PTO_UNITS; unit++) pto_order_wait_item(m, core, unit, probe.need[unit]);
  if (!allocate(m, core, i, info, 3)) return false;
  check_ctrl_lane(m, core, i);
  mark_now(m, core, i, PTO_DIRECTION_V2C, e->prod_tile, PTO_BEGIN_WRITE | PTO_END_WRITE);
  if (m->with_data) {
    struct pto_ref src = pto_tile_ref(m, core, i->src[0]);
    uint32_t word = 0;
    memcpy(&word, pto_ref_bytes(m, &src), pto_dtype_bytes(src.dtype));
    m->directions[i->pipe][PTO_DIRECTION_V2C].word[pto_slot(e->prod_tile, info->slots)] = word;
  }
  struct pto_item word = {.slot = (uint16_t)pto_slot(e->prod_tile, info->slots), .tile = e->prod_tile};
  word.dst = (struct pto_ref){.rows = 1, .cols = 1, .dtype = PTO_U32};
  check_writers(m, core, i, &word, PTO_NO_SPLIT);
  uint64_t tile = e->prod_tile;
  e->prod_tile += info->advance;
  e->pushed++;
  e->lanes_used |= 3;
  e->pushes_done++;
  record(m, core, i, info, 3, tile, false);
  return true;
}

static bool push(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_push_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, e->prod_tile, &own);
  unsigned lanes = pto_direction_lanes(m, pipe, split);
  if (!pto_queue_room(m, core, info->push_unit)) return false;
  if (info->path == PTO_CTRL_FIFO) return push_ctrl(m, core, i, info);
  if (!allocate(m, core, i, info, lanes)) return false;
  pto_check_use(m, core, info->push_unit, i->src[0], i->line);
  struct pto_ref src = pto_tile_ref(m, core, i->src[0]);
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->push_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_BEGIN_WRITE,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = e->prod_tile});
  item->kind = PTO_ITEM_WORK;
  item->at_end = PTO_END_WRITE;
  item->ref_count = 2;
  item->src[0] = src;
  item->dst = pto_slot_target(m, core, i, info, item);
  if (i->src[1] >= 0) { /* VDEQF16: one scale for each column */
    item->src[1] = pto_tile_ref(m, core, i->src[1]);
    pto_need_read(m, core, item, info->push_unit, i->src[1]);
    pto_note_read(m, core, info->push_unit, i->src[1], i->line);
  }
  check_slot_size(m, core, info, item, &item->dst);
  if (!pto_ref_inside(m, &item->dst, core, i->line, "the slot written")) return false;
  check_writers(m, core, i, item, split);
  item->cost = pto_cost(m, i, item);
  item->gm_bytes = pto_gm_bytes(i, item);
  pto_need_read(m, core, item, info->push_unit, i->src[0]);
  pto_note_read(m, core, info->push_unit, i->src[0], i->line);
  item->recorded = e->is_record;
  if (pto_config(m, pipe, core)->unit_flag && src.loc == PTO_ACC)
    pto_unit_flag_store(m, core, item, i->src[0], e->is_record); /* parts before the last keep the accumulator */
  uint64_t tile = e->prod_tile;
  e->prod_tile += info->advance;
  e->pushed++;
  if (core != PTO_AIV1) m->directions[pipe][direction].reserved++;
  e->lanes_used |= (uint8_t)lanes;
  record(m, core, i, info, lanes, tile, false);
  return true;
}

/* Places the view of an instruction on its slot: at the entry offset in `b`, and for a Vector at its lane's part. */
static void bind_view(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                      const struct pto_item *item, bool by_lane, struct pto_binding b) {
  const struct pto_view *v = &m->function[core]->views[i->view];
  uint64_t offset = 0;
  uint32_t stride;
  if (by_lane) pto_split_place(item->split, pto_lane_of(m, core, i), v->rows, v->cols, &offset, &stride);
  b.addr += pto_slot_base(info, item->slot) + offset * pto_dtype_bytes(v->dtype);
  b.pipe = (int16_t)item->pipe;
  b.slot = item->slot;
  b.direction = item->direction;
  b.zero_copy = 1;
  b.lanes = item->lanes;
  b.line = i->line;
  m->cores[core].view_binding[v->slot] = b;
}

static bool talloc(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_push_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, e->prod_tile, &own);
  if (!pto_queue_room(m, core, info->push_unit)) return false;
  unsigned lanes = pto_direction_lanes(m, pipe, split);
  if (!allocate(m, core, i, info, lanes)) return false;
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->push_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_BEGIN_WRITE,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = e->prod_tile});
  bind_view(m, core, i, info, item, direction == PTO_DIRECTION_V2C,
            (struct pto_binding){.addr = (uint64_t)e->prod_offset, .version = e->prod_tile, .pop = e->prod_tile});
  e->prod_tile += info->advance;
  e->lanes_used |= (uint8_t)lanes;
  return true;
}

static bool push_view(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_push_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  const struct pto_view *v = &m->function[core]->views[i->view];
  const struct pto_binding *b = &m->cores[core].view_binding[v->slot];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, b->version, &own);
  if (!pto_queue_room(m, core, info->push_unit)) return false;
  pto_add_mark(m, core,
               (struct pto_mark_request){.unit = info->push_unit,
                                         .direction = (uint8_t)direction,
                                         .split = (uint8_t)split,
                                         .mark = PTO_END_WRITE,
                                         .pipe = (int16_t)pipe,
                                         .tile = b->version})
      ->recorded = 1;
  e->pushed++;
  record(m, core, i, info, pto_direction_lanes(m, pipe, split), b->version, true);
  return true;
}

/* A later pop into the same bytes overwrites tiles popped before. */
static void land(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_binding *now,
                 unsigned loc) {
  const struct pto_function *fn = m->function[core];
  for (int t = 0; t < (int)fn->tile_count; t++) {
    struct pto_binding *b = &m->cores[core].tile_binding[t];
    if (t == i->dst || !fn->tiles[t].bound || b->pipe < 0 || b->zero_copy || fn->tiles[t].loc != loc) continue;
    if (b->addr < now->addr + now->bytes && now->addr < b->addr + b->bytes && !b->overwritten_line)
      b->overwritten_line = i->line;
  }
}

static bool wait_ready(struct pto_machine *m, unsigned core, const struct pto_instr *i,
                       const struct pto_direction_info *info, unsigned lanes, bool always) {
  struct pto_end *e = &m->cores[core].ends[i->pipe];
  if (!always && !e->is_wait) {
    e->unwaited++;
    return true;
  }
  if (info->wait_ready_unit == PTO_S) return pto_scalar_wait(m, core, info->ready, i->pipe, 1, i->line);
  pto_add_flags(m, core,
                (struct pto_flag_request){.kind = PTO_ITEM_WAIT,
                                          .role = PTO_ROLE_READY,
                                          .unit = info->wait_ready_unit,
                                          .flag = info->ready,
                                          .lanes = (uint8_t)lanes,
                                          .pipe = i->pipe,
                                          .count = 1,
                                          .tile = e->cons_tile});
  return true;
}

static void notify(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                   unsigned lanes, uint64_t tile) {
  unsigned pipe = (unsigned)i->pipe;
  struct pto_end *e = &m->cores[core].ends[pipe];
  if (!e->is_free) {
    e->unfreed++;
    return;
  }
  if (!pto_policy_notifies(m->policy[pipe], tile, pto_period(m, pipe, core))) return;
  pto_add_flags(m, core,
                (struct pto_flag_request){.kind = PTO_ITEM_SET,
                                          .role = PTO_ROLE_FREE,
                                          .unit = info->set_free_unit,
                                          .flag = info->free_id,
                                          .lanes = (uint8_t)lanes,
                                          .pipe = (int16_t)pipe,
                                          .count = 1,
                                          .tile = tile});
  e->notified++;
}

static bool pop_ctrl(struct pto_machine *m, unsigned core, const struct pto_instr *i,
                     const struct pto_direction_info *info) {
  struct pto_end *e = &m->cores[core].ends[i->pipe];
  mark_now(m, core, i, PTO_DIRECTION_V2C, e->cons_tile, PTO_BEGIN_READ | PTO_END_READ);
  uint32_t word = m->directions[i->pipe][PTO_DIRECTION_V2C].word[pto_slot(e->cons_tile, info->slots)];
  if (i->event >= 0) m->cores[core].regs[i->event] = (int32_t)word; /* CTRL pops: `event` is the register */
  notify(m, core, i, info, pto_direction_lanes(m, (unsigned)i->pipe, PTO_NO_SPLIT), e->cons_tile);
  count_pop(e, info, i);
  e->pops_done++;
  e->freed++;
  return true;
}

/* GM paths: MTE2 copies the slot to the landing buffer. */
static void pop_copy(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                     unsigned direction, unsigned split, unsigned lanes) {
  unsigned pipe = (unsigned)i->pipe;
  struct pto_end *e = &m->cores[core].ends[pipe];
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  const struct pto_tile *t = &m->function[core]->tiles[i->dst];
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->pop_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_BEGIN_READ,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = e->cons_tile});
  uint32_t rows, cols, size = m->profile->memory_bytes[t->loc];
  pto_tile_valid(m, core, i->dst, &rows, &cols);
  uint32_t bytes = rows * cols * pto_dtype_bytes(t->dtype);
  uint32_t stride =
      m->policy[pipe]->quirks & PTO_QUIRK_LANDING_BY_TILE ? t->rows * t->cols * pto_dtype_bytes(t->dtype) : c->slot_size;
  unsigned landing = pto_slot(e->cons_tile, c->local_slot_num ? c->local_slot_num : 1);
  uint32_t at = direction == PTO_DIRECTION_C2V ? c->c2v_at : c->v2c_at;
  struct pto_binding *b = &m->cores[core].tile_binding[i->dst];
  *b = (struct pto_binding){.addr = (at < size ? at : at % size) + (uint64_t)landing * stride,
                            .version = e->cons_tile,
                            .pop = e->popped,
                            .pipe = (int16_t)pipe,
                            .record = (uint16_t)(PTO_TILES_MAX + pipe * PTO_SLOTS_MAX + landing % PTO_SLOTS_MAX),
                            .slot = item->slot,
                            .direction = (uint8_t)direction,
                            .line = i->line,
                            .bytes = bytes};
  land(m, core, i, b, t->loc);
  item->kind = PTO_ITEM_WORK;
  item->at_end = PTO_END_READ;
  item->ref_count = 2;
  item->dst = pto_tile_ref(m, core, i->dst);
  item->src[0] = item->dst;
  item->src[0].loc = PTO_GM;
  uint64_t offset = 0;
  bool cut = info->factor > 1;
  if (direction == PTO_DIRECTION_C2V && !cut)
    pto_split_place(split, pto_lane_of(m, core, i), rows, cols, &offset, &item->src[0].row_stride);
  item->src[0].addr = pto_slot_base(info, item->slot) + (uint64_t)e->cons_offset + offset * pto_dtype_bytes(t->dtype);
  if (cut) pto_cut_blocks(c, direction == PTO_DIRECTION_C2V ? split : PTO_NO_SPLIT, pto_lane_of(m, core, i), &item->src[0]);
  check_slot_size(m, core, info, item, &item->src[0]);
  if (!pto_ref_inside(m, &item->src[0], core, i->line, "the slot read") ||
      !pto_ref_inside(m, &item->dst, core, i->line, "the landing slot"))
    return;
  item->cost = pto_cost(m, i, item);
  item->gm_bytes = pto_gm_bytes(i, item);
  pto_need_write(m, core, item, info->pop_unit, i->dst);
  pto_note_write(m, core, info->pop_unit, i->dst, i->line);
  notify(m, core, i, info, lanes, e->cons_tile);
  e->freed++;
}

static void pop_bind(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_direction_info *info,
                     unsigned direction, unsigned split) {
  unsigned pipe = (unsigned)i->pipe;
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->pop_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_BEGIN_READ,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = e->cons_tile});
  m->cores[core].tile_binding[i->dst] =
      (struct pto_binding){.addr = pto_slot_base(info, item->slot) + (uint64_t)e->cons_offset,
                           .version = e->cons_tile,
                           .pop = e->popped,
                           .pipe = (int16_t)pipe,
                           .record = (uint16_t)(PTO_TILES_MAX + pipe * PTO_SLOTS_MAX + item->slot % PTO_SLOTS_MAX),
                           .slot = item->slot,
                           .direction = (uint8_t)direction,
                           .zero_copy = 1,
                           .lanes = item->lanes,
                           .line = i->line};
  pto_note_write(m, core, info->pop_unit, i->dst, i->line);
  item->dst = pto_tile_ref(m, core, i->dst);
  check_slot_size(m, core, info, item, &item->dst);
  pto_ref_inside(m, &item->dst, core, i->line, "the slot popped");
}

static bool pop(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_pop_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, e->cons_tile, &own);
  unsigned lanes = pto_direction_lanes(m, pipe, split);
  if (!pto_queue_room(m, core, info->pop_unit) || !pto_queue_room(m, core, info->set_free_unit)) return false;
  if (!wait_ready(m, core, i, info, lanes, false)) return false;
  if (info->path == PTO_CTRL_FIFO) return pop_ctrl(m, core, i, info);
  if (info->zero_copy) pop_bind(m, core, i, info, direction, split);
  else pop_copy(m, core, i, info, direction, split, lanes);
  pto_content_pop(m, core, i, split, e->cons_tile);
  count_pop(e, info, i);
  e->lanes_used |= (uint8_t)lanes;
  return true;
}

static bool pop_view(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_pop_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, e->cons_tile, &own);
  if (!pto_queue_room(m, core, info->pop_unit)) return false;
  if (!wait_ready(m, core, i, info, pto_direction_lanes(m, pipe, split), true)) return false;
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->pop_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_BEGIN_READ,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = e->cons_tile});
  bind_view(m, core, i, info, item, direction == PTO_DIRECTION_C2V,
            (struct pto_binding){.addr = (uint64_t)e->cons_offset, .version = e->cons_tile, .pop = e->popped});
  count_pop(e, info, i);
  e->lanes_used |= (uint8_t)pto_direction_lanes(m, pipe, split);
  return true;
}

/* TFREE: frees the oldest pop that is not freed yet. On A2/A3 the tile form does nothing: the pop has freed the slot. */
static bool tfree(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned direction = pto_pop_direction(core), pipe = (unsigned)i->pipe, split = pto_split_of(m, core, i);
  struct pto_end *e = &m->cores[core].ends[pipe];
  bool view = i->op == PTO_OP_TFREE_VIEW;
  if (!view && !m->profile->point_to_point && !m->direction_info[pipe][direction][core].zero_copy) return true;
  uint64_t open = e->popped - e->freed;
  uint64_t tile = open && open <= PTO_HELD_MAX ? e->held[e->freed % PTO_HELD_MAX] : e->cons_tile - open; /* FIFO order */
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, tile, &own);
  if (!view && info->path == PTO_CTRL_FIFO) return true;
  if (!pto_queue_room(m, core, info->set_free_unit) || !pto_queue_room(m, core, info->pop_unit)) return false;
  if (e->freed >= e->popped ||
      (!view && !info->zero_copy)) { /* there is no slot to free, or the pop has freed it: one credit too many */
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_DOUBLE_FREE,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)info->set_free_unit,
                                     .pipe = (int16_t)pipe,
                                     .direction = (uint8_t)direction,
                                     .line = i->line,
                                     .other_line = e->last_pop_line,
                                     .detail = SIM_RING_DOUBLE_FREE,
                                     .tile = e->freed,
                                     .other_tile = e->popped});
    notify(m, core, i, info, pto_direction_lanes(m, pipe, split), e->freed);
    return true;
  }
  uint64_t index = m->policy[pipe]->quirks & PTO_QUIRK_FREE_LATEST ? e->held[(e->popped - 1) % PTO_HELD_MAX] : tile;
  struct pto_item *item = pto_add_mark(m, core,
                                       (struct pto_mark_request){.unit = info->pop_unit,
                                                                 .direction = (uint8_t)direction,
                                                                 .split = (uint8_t)split,
                                                                 .mark = PTO_END_READ,
                                                                 .pipe = (int16_t)pipe,
                                                                 .tile = tile});
  if (info->zero_copy) { /* inserted by a compiler: waits for the readers on other pipes first */
    const struct pto_record *r = &m->cores[core].records[PTO_TILES_MAX + pipe * PTO_SLOTS_MAX + item->slot % PTO_SLOTS_MAX];
    for (unsigned u = 0; u < PTO_UNITS; u++)
      if (u != info->pop_unit) item->need[u] = r->read_ticket[u];
    item->needs = 1;
  }
  notify(m, core, i, info, pto_direction_lanes(m, pipe, split), index);
  e->freed++;
  return true;
}

/* An end that was never built (on this lane), or is already destroyed, has no state. */
__attribute__((cold)) static bool not_built(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  sim_fault_set(&m->fault, SIM_FAULT_UNDEFINED, m->engine.now, "",
                "line %u, %s: %s through pipe %%%s, which is not built here", i->line, pto_core_name(core),
                pto_op_name(i->op), m->program->pipes[i->pipe].name);
  m->fault.pc = i->line;
  sim_stop(&m->engine);
  return false;
}

static bool destroy(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  if (!pto_do_teardown(m, core, (unsigned)i->pipe)) return false;
  m->cores[core].ends[i->pipe].built = 0;
  return true;
}

bool pto_do_pipe_op(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  struct pto_end *e = &m->cores[core].ends[i->pipe];
  if (!e->built && i->op != PTO_OP_PIPE_INIT) return not_built(m, core, i);
  int64_t value = pto_scalar(&m->cores[core], i->a);
  switch (i->op) {
    case PTO_OP_PIPE_INIT: return pto_construct(m, core, i);
    case PTO_OP_PIPE_END: return destroy(m, core, i);
    case PTO_OP_TALLOC: return talloc(m, core, i);
    case PTO_OP_TPUSH: return push(m, core, i);
    case PTO_OP_TPUSH_VIEW: return push_view(m, core, i);
    case PTO_OP_TPOP: return pop(m, core, i);
    case PTO_OP_TPOP_VIEW: return pop_view(m, core, i);
    case PTO_OP_TFREE:
    case PTO_OP_TFREE_VIEW: return tfree(m, core, i);
    case PTO_OP_SET_ALLOCATE: e->is_allocate = value != 0; break;
    case PTO_OP_SET_RECORD: e->is_record = value != 0; break;
    case PTO_OP_SET_WAIT: e->is_wait = value != 0; break;
    case PTO_OP_SET_FREE: e->is_free = value != 0; break;
    case PTO_OP_PROD_OFFSET: e->prod_offset = value; break;
    case PTO_OP_CONS_OFFSET: e->cons_offset = value; break;
    case PTO_OP_PROD_TILE: e->prod_tile = (uint64_t)value; break;
    case PTO_OP_CONS_TILE: e->cons_tile = (uint64_t)value; break;
    default: break;
  }
  return true;
}
