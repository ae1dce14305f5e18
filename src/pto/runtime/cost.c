/* Duration of operations, and queueing of tile operations on their pipes. Transfers: bytes over the route's bandwidth.
 * Compute: inferred rates of the profile. A cost attribute overrides everything. */
#include "pto/runtime/cost.h"

#include "pto/runtime/agent.h"
#include "pto/runtime/content.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/overlap.h"
#include "pto/runtime/queue.h"
#include "pto/runtime/tile.h"

static uint64_t ref_bytes(const struct pto_ref *r) { return (uint64_t)r->rows * r->cols * pto_dtype_bytes(r->dtype); }

static unsigned route_of(unsigned from, unsigned to) {
  if (from == PTO_GM) return to == PTO_VEC ? PTO_GM_TO_UB : PTO_GM_TO_L1;
  if (from == PTO_VEC) return to == PTO_GM ? PTO_UB_TO_GM : to == PTO_MAT ? PTO_UB_TO_L1 : PTO_UB_TO_UB;
  if (from == PTO_ACC) return to == PTO_GM ? PTO_L0C_TO_GM : to == PTO_VEC ? PTO_L0C_TO_UB : PTO_L0C_TO_L1;
  return to == PTO_RIGHT ? PTO_L1_TO_L0B : PTO_L1_TO_L0A;
}

static bool is_move(unsigned op) {
  return op == PTO_OP_TPUSH || op == PTO_OP_TPOP || (op >= PTO_OP_LOAD && op <= PTO_OP_INSERT);
}

uint32_t pto_cost(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item) {
  const struct pto_profile *p = m->profile;
  uint64_t cycles;
  if (i->cost != PTO_COST_MODEL) return i->cost;
  if (is_move(i->op)) {
    uint64_t bytes = ref_bytes(i->op == PTO_OP_TPUSH ? &item->src[0] : &item->dst);
    cycles = pto_transfer_cycles(p, route_of(item->src[0].loc, item->dst.loc), bytes);
  } else if (i->op >= PTO_OP_MATMUL && i->op <= PTO_OP_MATMUL_BIAS) {
    cycles = pto_matmul_cycles(p, item->src[0].dtype, (uint64_t)item->src[0].rows * item->src[0].cols * item->src[1].cols);
  } else if (i->op == PTO_OP_COMPUTE) {
    return 0;
  } else {
    uint64_t bytes = ref_bytes(&item->dst), in = item->ref_count > 1 ? ref_bytes(&item->src[0]) : 0;
    if (in > bytes) bytes = in;
    cycles = (bytes + p->vector_bytes_per_cycle - 1) / p->vector_bytes_per_cycle;
  }
  cycles += p->start_cycles;
  return cycles > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)cycles;
}

uint32_t pto_gm_bytes(const struct pto_instr *i, const struct pto_item *item) {
  if (i->cost != PTO_COST_MODEL || !is_move(i->op) || (item->src[0].loc != PTO_GM && item->dst.loc != PTO_GM)) return 0;
  uint64_t bytes = ref_bytes(i->op == PTO_OP_TPUSH ? &item->src[0] : &item->dst);
  return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* The pipe that executes an operation. */
unsigned pto_unit_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  const struct pto_tile *tiles = m->function[core]->tiles;
  if (i->op == PTO_OP_COMPUTE) return i->unit;
  if (i->op == PTO_OP_LOAD) return PTO_MTE2;
  if (i->op == PTO_OP_STORE) return tiles[i->src[0]].loc == PTO_ACC ? PTO_FIX : PTO_MTE3;
  if (i->op >= PTO_OP_MOV && i->op <= PTO_OP_INSERT) {
    unsigned from = tiles[i->src[0]].loc, to = tiles[i->dst].loc;
    if (from == PTO_MAT) return to == PTO_SCALING ? PTO_FIX : PTO_MTE1;
    if (from == PTO_ACC) return PTO_FIX;
    return to == PTO_VEC ? PTO_V : PTO_MTE3;
  }
  if (i->op >= PTO_OP_MATMUL && i->op <= PTO_OP_MATMUL_BIAS) return PTO_M;
  return PTO_V;
}

static void operands(struct pto_machine *m, unsigned core, const struct pto_instr *i, struct pto_item *item) {
  const struct pto_core_state *c = &m->cores[core];
  int64_t row = pto_scalar(c, i->a), col = pto_scalar(c, i->b);
  item->ref_count = 1;
  if (i->dst >= 0) item->dst = pto_tile_ref(m, core, i->dst);
  else item->dst = (struct pto_ref){.pipe = -1};
  for (unsigned k = 0; k < 3 && i->src[k] >= 0; k++) {
    item->src[k] = pto_tile_ref(m, core, i->src[k]);
    item->ref_count = (uint8_t)(k + 2);
  }
  if (i->op == PTO_OP_LOAD) {
    item->src[0] = pto_view_ref(m, core, i->view, row, col);
    item->ref_count = 2;
  }
  if (i->op == PTO_OP_STORE) item->dst = pto_view_ref(m, core, i->view, row, col);
  if (i->op == PTO_OP_EXTRACT) { /* a window of the source */
    struct pto_ref *s = &item->src[0];
    s->addr += (uint64_t)(row * s->row_stride + col) * pto_dtype_bytes(s->dtype);
    s->rows = item->dst.rows;
    s->cols = item->dst.cols;
  }
  if (i->op == PTO_OP_INSERT) {
    struct pto_ref *d = &item->dst;
    d->addr += (uint64_t)(row * d->row_stride + col) * pto_dtype_bytes(d->dtype);
    d->rows = item->src[0].rows;
    d->cols = item->src[0].cols;
  }
}

/* A load or store moves the intersection of the tile's valid part and the view. */
static void trim(struct pto_item *item) {
  struct pto_ref *d = &item->dst, *s = &item->src[0];
  if (s->rows < d->rows) d->rows = s->rows;
  if (s->cols < d->cols) d->cols = s->cols;
  s->rows = d->rows;
  s->cols = d->cols;
}

static bool all_inside(struct pto_machine *m, unsigned core, const struct pto_instr *i, const struct pto_item *item) {
  if (i->op == PTO_OP_COMPUTE) return true;
  if (!pto_ref_inside(m, &item->dst, core, i->line, "the destination")) return false;
  for (unsigned k = 0; k + 1 < item->ref_count; k++)
    if (!pto_ref_inside(m, &item->src[k], core, i->line, "an operand")) return false;
  return true;
}

/* The view of a load or store lies in its tensor (else a fault), or in its slot (else a finding). */
static bool in_bounds(struct pto_machine *m, unsigned core, const struct pto_instr *i, struct pto_item *item) {
  const struct pto_view *v = &m->function[core]->views[i->view];
  const struct pto_ref *ref = i->op == PTO_OP_STORE ? &item->dst : &item->src[0];
  if (v->whole && !pto_tile_in_tensor(m, v, core, i)) return false;
  if (v->global >= 0) return pto_ref_in_tensor(m, ref, v, core, i);
  if (ref->pipe < 0) return true;
  const struct pto_direction_info *info = &m->direction_info[ref->pipe][ref->direction][core];
  uint64_t bytes = ref->addr + pto_ref_extent(ref) - pto_slot_base(info, ref->slot);
  if (bytes <= info->slot_size) return true;
  item->pipe = ref->pipe;
  item->direction = (uint8_t)ref->direction;
  item->slot = ref->slot;
  pto_slot_too_small(m, core, info, item, bytes);
  item->pipe = -1;
  return true;
}

bool pto_do_tile_op(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned unit = pto_unit_of(m, core, i);
  struct pto_queue *q = &m->queues[pto_agent(core, unit)];
  if (unit == PTO_S || q->count >= m->profile->queue_depth) {
    if (unit == PTO_S) return true;
    pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_QUEUE, unit, (uint64_t)m->cores[core].pc << 32);
    return false;
  }
  struct pto_item *item = pto_queue_add(m, core, unit, PTO_ITEM_WORK, m->cores[core].pc);
  operands(m, core, i, item);
  if (i->op >= PTO_OP_LOAD && i->op <= PTO_OP_MOV) trim(item);
  if ((i->op == PTO_OP_LOAD || i->op == PTO_OP_STORE) && !in_bounds(m, core, i, item)) return false;
  if (!all_inside(m, core, i, item)) return false;
  item->cost = pto_cost(m, i, item);
  item->gm_bytes = pto_gm_bytes(i, item);
  pto_content_issue(m, core, i, item);
  pto_overlap_tiles(m, core, unit, item);
  for (unsigned k = 0; k < 3; k++) {
    if (i->src[k] < 0) continue;
    pto_check_use(m, core, unit, i->src[k], i->line);
    pto_need_read(m, core, item, unit, i->src[k]);
  }
  if (i->dst >= 0) {
    pto_need_write(m, core, item, unit, i->dst);
    if (unit == PTO_M) pto_unit_flag_matmul(m, core, item, i->dst);
    pto_check_use(m, core, unit, i->dst, i->line); /* a popped tile written in place must still be held */
  }
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k] >= 0) pto_note_read(m, core, unit, i->src[k], i->line);
  if (i->dst >= 0) pto_note_write(m, core, unit, i->dst, i->line);
  if (i->dst >= 0 && m->any_overlap) pto_overlap_issue(m, core, i->dst, i->line);
  return true;
}
