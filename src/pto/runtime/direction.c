/* One direction of a pipe, derived from its configuration: flags, pipes, lanes, and addresses of the slots.
 *
 * docs/guide/pto.md has the tables of flags and pipes and the rules for splitting a tile. Deviations of single upstream versions are
 * quirks of the policy. */
#include "pto/runtime/direction.h"

#include <string.h>

#include "pto/program/pipe.h"
#include "pto/runtime/report.h"

bool pto_both_directions(const struct pto_pipe_config *c) { return c->dir == PTO_BOTH || c->dir == PTO_BOTH_GM; }

void pto_flag_ids(const struct pto_machine *m, unsigned pipe, unsigned direction, unsigned core, uint64_t tile,
                  struct pto_direction_info *info) {
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  const struct pto_policy *policy = m->policy[pipe];
  bool second = pto_both_directions(c) && direction == PTO_DIRECTION_V2C;
  if (policy->per_slot) {
    info->ready = (uint8_t)(c->flag_id + 2 * pto_slot(tile, c->slot_num) + (second ? 2 * c->slot_num : 0));
  } else {
    info->ready = (uint8_t)(c->flag_id + (second ? 2u : 0u));
  }
  info->free_id = (uint8_t)(info->ready + 1);
  if ((policy->quirks & PTO_QUIRK_BOTH_GM_IDS) && c->dir == PTO_BOTH_GM && core != PTO_AIC && direction == PTO_DIRECTION_C2V)
    info->ready = info->free_id;
}

/* First byte of slot 0. inferred: upper address bits of local memories are not decoded (0x300000 on the TPUSH page). */
static uint64_t ring_base(const struct pto_machine *m, unsigned pipe, unsigned direction, unsigned core, unsigned path) {
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  if (path == PTO_GM_FIFO) {
    bool apart =
        pto_both_directions(c) && direction == PTO_DIRECTION_V2C && !(m->policy[pipe]->quirks & PTO_QUIRK_RINGS_OVERLAP);
    uint64_t base = c->gm_at != UINT64_MAX ? c->gm_at : m->program->pipes[pipe].gm_addr;
    return base + (apart ? (uint64_t)c->slot_num * c->slot_size : 0);
  }
  if (path == PTO_VEC_FIFO) return c->c2v_at % m->profile->memory_bytes[PTO_VEC];
  return c->v2c_at % m->profile->memory_bytes[PTO_MAT];
}

static struct pto_direction_info describe(const struct pto_machine *m, unsigned pipe, unsigned direction, unsigned core) {
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  struct pto_direction_info info;
  memset(&info, 0, sizeof info);
  info.path = (uint8_t)pto_pipe_path(m->program, c, direction);
  info.base = ring_base(m, pipe, direction, core, info.path);
  pto_flag_ids(m, pipe, direction, core, 0, &info);
  bool c2v = direction == PTO_DIRECTION_C2V, a5 = m->profile->point_to_point, ctrl = info.path == PTO_CTRL_FIFO;
  info.zero_copy = info.path == PTO_VEC_FIFO || info.path == PTO_MAT_FIFO;
  info.push_unit = info.set_ready_unit = ctrl ? PTO_S : c2v ? PTO_FIX : PTO_MTE3;
  info.pop_unit = ctrl ? PTO_S : PTO_MTE2;
  if (info.zero_copy) info.pop_unit = c2v ? PTO_V : PTO_MTE1;
  info.wait_free_unit = a5 ? info.push_unit : PTO_S;
  info.wait_ready_unit = a5 ? info.pop_unit : PTO_S;
  info.set_free_unit = info.pop_unit;
  if (a5 && info.path == PTO_GM_FIFO && !c2v && (m->policy[pipe]->quirks & PTO_QUIRK_V2C_GM_FREE_MTE1))
    info.set_free_unit = PTO_MTE1;
  info.period = pto_policy_period(m->policy[pipe], c->slot_num, c->sync_period);
  info.slots = c->slot_num;
  info.slot_size = c->slot_size;
  info.factor = pto_pipe_factor(c);
  info.advance = !((m->policy[pipe]->quirks & PTO_QUIRK_TILE_ID_STAYS) && a5 && c->multi);
  return info;
}

static bool one_vector(const struct pto_pipe_config *c) { return c->multi && c->ratio != PTO_V2C1_VECS; }

/* Lanes that take part in a push or pop. A2/A3: both, for every split. A5: NO_SPLIT uses lane 0 only. */
static unsigned direction_lanes(const struct pto_machine *m, unsigned pipe, unsigned split) {
  const struct pto_pipe *p = &m->program->pipes[pipe];
  const struct pto_pipe_config *c = p->has[PTO_AIC]    ? &p->end[PTO_AIC]
                                    : p->has[PTO_AIV0] ? &p->end[PTO_AIV0]
                                                       : &p->end[PTO_AIV1];
  if (c->multi && m->profile->point_to_point && (m->policy[pipe]->quirks & PTO_QUIRK_TMPIPE_PAIRS)) return 3;
  if (one_vector(c)) return c->ratio == PTO_V1C1_VEC1 ? 2 : 1;
  if (m->profile->point_to_point) return split == PTO_NO_SPLIT ? 1 : 3;
  return 3;
}

void pto_direction_prepare(struct pto_machine *m) {
  for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++) {
    const struct pto_pipe *p = &m->program->pipes[pipe];
    for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++)
      for (unsigned core = 0; core < PTO_CORES; core++)
        if (p->has[core]) m->direction_info[pipe][direction][core] = describe(m, pipe, direction, core);
    for (unsigned split = 0; split < PTO_SPLITS; split++) m->lanes[pipe][split] = (uint8_t)direction_lanes(m, pipe, split);
    m->lanes_present[pipe] = (uint8_t)((p->has[PTO_AIV0] ? 1u : 0u) | (p->has[PTO_AIV1] ? 2u : 0u));
    bool first = p->has[PTO_AIV0] && !(p->end[PTO_AIV0].multi && p->end[PTO_AIV0].ratio == PTO_V1C1_VEC1);
    m->counted_lane[pipe] = first ? 0 : 1;
  }
}

/* --- addresses --- */

/* The offset of a lane's part of r x c in the whole tile, and the whole tile's row length. */
void pto_split_place(unsigned split, unsigned lane, uint32_t r, uint32_t c, uint64_t *offset, uint32_t *stride) {
  *offset = 0;
  *stride = c;
  switch (split) {
    case PTO_UP_DOWN: *offset = (uint64_t)lane * r * c; break;
    case PTO_LEFT_RIGHT:
      *offset = (uint64_t)lane * c;
      *stride = 2 * c;
      break;
    case PTO_UP_DOWN_ODD: *offset = (uint64_t)lane * (r + lane) * c; break;
    case PTO_LEFT_RIGHT_ODD:
      *offset = (uint64_t)lane * (c + lane);
      *stride = 2 * c + 2 * lane - 1;
      break;
    default: break;
  }
}

unsigned pto_lane_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  return i->lane >= 0 ? (unsigned)i->lane & 1u : m->cores[core].lane;
}

/* TMPipe infers its split from the two tile shapes. */
unsigned pto_split_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  const struct pto_pipe_config *c = pto_config(m, (unsigned)i->pipe, core);
  if (!c->multi) return i->split;
  const struct pto_tile *whole = c->prod.loc == PTO_ACC ? &c->prod : &c->cons,
                        *part = c->prod.loc == PTO_ACC ? &c->cons : &c->prod;
  if (one_vector(c)) return PTO_NO_SPLIT;
  if (whole->valid_rows == 2 * part->valid_rows) return PTO_UP_DOWN;
  if (whole->valid_cols == 2 * part->valid_cols) return PTO_LEFT_RIGHT;
  return PTO_NO_SPLIT;
}

static unsigned stored_dtype(const struct pto_instr *i, unsigned dtype) {
  switch (i->quant) {
    case PTO_F322F16:
    case PTO_DEQF16:
    case PTO_VDEQF16: return PTO_F16;
    case PTO_F322BF16: return PTO_BF16;
    default: return dtype;
  }
}

/* TMPipe, wide tiles: the slot holds column blocks of the Cube's tile one after the other. */
void pto_cut_blocks(const struct pto_pipe_config *c, unsigned split, unsigned lane, struct pto_ref *ref) {
  if (pto_pipe_factor(c) == 1) return;
  const struct pto_tile *cube = c->prod.loc == PTO_ACC ? &c->prod : &c->cons;
  if (ref->cols <= cube->cols) return; /* one block, selected by the entry offset */
  uint64_t lane_rows = split == PTO_UP_DOWN ? (uint64_t)lane * ref->rows : 0;
  ref->block_cols = ref->row_stride = cube->cols;
  ref->block_stride = cube->rows * cube->cols;
  ref->addr += lane_rows * cube->cols * pto_dtype_bytes(ref->dtype);
}

/* The slot as written by the pushing core. For UB FIFOs the reference is lane 0's; the data step writes every lane. */
struct pto_ref pto_slot_target(const struct pto_machine *m, unsigned core, const struct pto_instr *i,
                               const struct pto_direction_info *info, const struct pto_item *item) {
  unsigned direction = item->direction, slot = item->slot, split = item->split;
  const struct pto_ref *src = &item->src[0];
  const struct pto_end *e = &m->cores[core].ends[i->pipe];
  struct pto_ref ref = *src;
  uint64_t offset = 0;
  unsigned path = info->path;
  ref.dtype = (uint8_t)stored_dtype(i, src->dtype);
  ref.zero_copy = 0;
  ref.row_stride = src->cols;
  if (i->layout == PTO_NZ2DN) {
    ref.row_stride = 1;
    ref.col_stride = src->rows;
  }
  ref.addr = pto_slot_base(info, slot) + (uint64_t)e->prod_offset;
  if (path == PTO_MAT_FIFO && pto_config(m, (unsigned)i->pipe, core)->multi &&
      (m->policy[i->pipe]->quirks & PTO_QUIRK_MAT_NO_OFFSET))
    ref.addr = pto_slot_base(info, slot);
  ref.loc = path == PTO_GM_FIFO ? PTO_GM : path == PTO_VEC_FIFO ? PTO_VEC : PTO_MAT;
  ref.core = PTO_AIC;
  if (direction == PTO_DIRECTION_V2C && info->factor > 1) {
    pto_cut_blocks(pto_config(m, (unsigned)i->pipe, core), split, pto_lane_of(m, core, i), &ref);
  } else if (direction == PTO_DIRECTION_V2C) {
    pto_split_place(split, pto_lane_of(m, core, i), src->rows, src->cols, &offset, &ref.row_stride);
    ref.addr += offset * pto_dtype_bytes(ref.dtype);
  } else if (path == PTO_VEC_FIFO) {
    unsigned lanes = pto_direction_lanes(m, (unsigned)i->pipe, split);
    ref.core = (uint8_t)(lanes & 1u ? PTO_AIV0 : PTO_AIV1);
    if (split == PTO_UP_DOWN || split == PTO_UP_DOWN_ODD) ref.rows = (src->rows + 1) / 2;
    if (split == PTO_LEFT_RIGHT || split == PTO_LEFT_RIGHT_ODD) ref.cols = ref.row_stride = (src->cols + 1) / 2;
    ref.lanes = lanes;
  }
  return ref;
}

void pto_slot_too_small(struct pto_machine *m, unsigned core, const struct pto_direction_info *info,
                        const struct pto_item *item, uint64_t bytes) {
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_SLOT_SIZE,
                                   .core = (uint8_t)core,
                                   .pipe = item->pipe,
                                   .direction = item->direction,
                                   .slot = item->slot,
                                   .line = item->line,
                                   .other_line = pto_config(m, (unsigned)item->pipe, core)->line,
                                   .tile = bytes,
                                   .other_tile = info->slot_size});
}
