/* The rules of check.h, one function each. */
#include "pto/program/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/program/count.h"
#include "pto/program/pipe.h"
#include "pto/program/regions.h"

struct checker {
  const struct pto_program *program;
  const struct pto_profile *profile;
  int policy;
  struct pto_notes *notes;
};

__attribute__((format(printf, 6, 7))) static void note(struct checker *k, unsigned severity, unsigned rule, uint32_t line,
                                                       uint32_t column, const char *format, ...) {
  struct pto_note one;
  memset(&one, 0, sizeof one);
  one.severity = (uint8_t)severity;
  one.rule = (uint8_t)rule;
  one.line = line;
  one.column = column;
  va_list args;
  va_start(args, format);
  vsnprintf(one.text, sizeof one.text, format, args);
  va_end(args);
  pto_note_add(k->notes, &one);
}

void pto_note_add(struct pto_notes *n, const struct pto_note *one) {
  for (uint32_t i = 0; i < n->count; i++) /* both lanes have the same note: report it once */
    if (n->notes[i].rule == one->rule && n->notes[i].line == one->line && strcmp(n->notes[i].text, one->text) == 0) return;
  if (n->count == PTO_NOTES_MAX) return;
  n->notes[n->count++] = *one;
  if (one->severity == SIM_ERROR) n->errors++;
  if (one->severity == SIM_WARNING) n->warnings++;
}

const char *pto_rule_name(unsigned rule) {
  static const char *const names[PTO_RULES] = {"producer-location",
                                               "direction",
                                               "profile",
                                               "document-depth",
                                               "document-flag-id",
                                               "counter-limit",
                                               "flag-range",
                                               "odd-slots",
                                               "flag-overlap",
                                               "slot-size",
                                               "buffer",
                                               "split",
                                               "tfree",
                                               "count-mismatch",
                                               "pipe-ends",
                                               "policy",
                                               "odd-split",
                                               "bounds",
                                               "length"};
  return rule < PTO_RULES ? names[rule] : "?";
}

/* --- pipes --- */

static const struct pto_policy *policy_of(const struct checker *k, const struct pto_pipe *p) {
  return pto_pipe_policy(k->program, (unsigned)(p - k->program->pipes), k->policy);
}

static unsigned directions_of(const struct pto_pipe_config *c) {
  return (pto_pipe_direction_exists(c, PTO_DIRECTION_C2V) ? 1u : 0u) +
         (pto_pipe_direction_exists(c, PTO_DIRECTION_V2C) ? 1u : 0u);
}

static unsigned flags_used(const struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  return policy_of(k, p)->per_slot ? 2 * c->slot_num * directions_of(c) : 2 * directions_of(c);
}

/* Features that the profile lacks. */
static void check_profile(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  if (!pto_profile_has_dir(k->program->profile, c->dir))
    note(k, SIM_ERROR, PTO_RULE_PROFILE, c->line, c->column, "pipe %%%s: %s has no direction %s", p->name, k->profile->name,
         pto_dir_name(c->dir));
  if (c->multi && !k->profile->local_fifos && (c->fifo == PTO_VEC_FIFO || c->fifo == PTO_MAT_FIFO))
    note(k, SIM_ERROR, PTO_RULE_PROFILE, c->line, c->column,
         "pipe %%%s: %s cannot write the other core's memory, its FIFOs lie in GM", p->name, k->profile->name);
  if ((c->form == PTO_FORM_L2L && !k->profile->local_fifos) || (c->form == PTO_FORM_L2G2L && k->profile->local_fifos))
    note(k, SIM_WARNING, PTO_RULE_PROFILE, c->line, c->column,
         "pipe %%%s: initialize_%s_pipe belongs to %s; the direction decides where the slots lie", p->name,
         c->form == PTO_FORM_L2L ? "l2l" : "l2g2l", c->form == PTO_FORM_L2L ? "A5" : "A2/A3");
}

/* TMPipe: slots in UB are for the Vectors, those in L1 for the Cube. */
static void check_fifo(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  bool c2v = c->prod.loc == PTO_ACC;
  if (!c->multi || c->fifo == PTO_GM_FIFO || c->fifo == (c2v ? PTO_VEC_FIFO : PTO_MAT_FIFO)) return;
  if (c->fifo == PTO_CTRL_FIFO && !c2v) return;
  note(k, SIM_ERROR, PTO_RULE_DIRECTION, c->line, c->column,
       "pipe %%%s: %s does not fit a pipe from %s to %s, which needs %s or GM_FIFO", p->name, pto_fifo_name(c->fifo),
       pto_loc_name(c->prod.loc), pto_loc_name(c->cons.loc), c2v ? "VEC_FIFO" : "MAT_FIFO");
}

/* The slots of a ring lie in the tensor that the program gives as slot buffer. */
static void check_ring(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  unsigned rings = 0;
  for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++)
    rings += pto_pipe_direction_exists(c, direction) && pto_pipe_path(k->program, c, direction) == PTO_GM_FIFO;
  if (!rings || c->gm_global == PTO_NONE) return;
  const struct pto_global *g = &k->program->globals[c->gm_global];
  if (!g->bytes) return; /* an argument without a shape */
  uint64_t need = (uint64_t)rings * c->slot_num * c->slot_size, from = c->gm_inside ? c->gm_addr : 0;
  if (from + need <= g->bytes) return;
  note(k, SIM_ERROR, PTO_RULE_BOUNDS, c->line, c->column,
       "pipe %%%s: %u slots of %u bytes%s reach byte 0x%llx of tensor @%s, which has 0x%llx", p->name, c->slot_num,
       c->slot_size, rings > 1 ? " for each direction" : "", (unsigned long long)(from + need), g->name,
       (unsigned long long)g->bytes);
}

static void check_flags(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  if (c->flag_id + flags_used(k, p, c) > 16)
    note(k, SIM_ERROR, PTO_RULE_FLAG_RANGE, c->line, c->column, "pipe %%%s: needs flags %u to %u, there are 0 to 15",
         p->name, c->flag_id, c->flag_id + flags_used(k, p, c) - 1);
  else if (c->flag_id + flags_used(k, p, c) > 11)
    note(k, SIM_NOTE, PTO_RULE_FLAG_RANGE, c->line, c->column, "pipe %%%s: flags %u to %u; CANN documents 0 to 10", p->name,
         c->flag_id, c->flag_id + flags_used(k, p, c) - 1);
}

static void check_limits(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c) {
  const struct pto_policy *policy = policy_of(k, p);
  if (c->slot_num < 2 || c->slot_num > k->profile->document_depth_max)
    note(k, SIM_NOTE, PTO_RULE_DOCUMENT_DEPTH, c->line, c->column, "pipe %%%s: depth %u; the TPUSH page allows 2 to %u",
         p->name, c->slot_num, k->profile->document_depth_max);
  if (c->flag_id > k->profile->document_flag_max)
    note(k, SIM_NOTE, PTO_RULE_DOCUMENT_FLAG, c->line, c->column, "pipe %%%s: FlagID %u; the TPUSH page allows 0 to %u",
         p->name, c->flag_id, k->profile->document_flag_max);
  if (c->slot_num > PTO_FLAG_MAX && !policy->per_slot && policy->wait != PTO_WAIT_EVERY)
    note(k, SIM_ERROR, PTO_RULE_COUNTER, c->line, c->column,
         "pipe %%%s: %u slots, but the ready counter holds %u: a consumer that lags loses a tile", p->name, c->slot_num,
         PTO_FLAG_MAX);
  check_flags(k, p, c);
  uint32_t period = pto_policy_period(policy, c->slot_num, c->sync_period);
  if (policy->wait == PTO_WAIT_WINDOW && c->slot_num % period)
    note(k, SIM_ERROR, PTO_RULE_ODD_SLOTS, c->line, c->column,
         "pipe %%%s: policy %s waits when t mod %u is 0, which does not divide SlotNum %u: push %u takes slot 0 without "
         "waiting",
         p->name, policy->name, period, c->slot_num, c->slot_num);
  else if (c->slot_num > 3 && c->slot_num % 2)
    note(k, SIM_NOTE, PTO_RULE_ODD_SLOTS, c->line, c->column,
         "pipe %%%s: odd SlotNum %u races under the A2/A3 headers of August", p->name, c->slot_num);
}

static void check_policy(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c,
                         const struct pto_counts *counts) {
  const struct pto_policy *policy = policy_of(k, p);
  uint32_t period = pto_policy_period(policy, c->slot_num, c->sync_period);
  uint64_t pushes = 0;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (counts->push[p - k->program->pipes][core] > pushes) pushes = counts->push[p - k->program->pipes][core];
  if (!counts->exact || !pushes) return;
  uint64_t waits = 0;
  for (uint64_t t = 0; t < pushes; t++) waits += pto_policy_waits(policy, t, c->slot_num, period);
  uint64_t given = policy->notify == PTO_NOTIFY_EVERY ? pushes : pushes / period;
  uint64_t have = pto_policy_initial(policy, c->slot_num, period) + given;
  uint64_t drain = pto_policy_drain(policy, pushes, waits, c->slot_num, period);
  if (policy->initial == PTO_CREDITS_PERIOD && policy->wait == PTO_WAIT_WINDOW && pushes > c->slot_num)
    note(k, SIM_WARNING, PTO_RULE_POLICY, c->line, c->column,
         "pipe %%%s: policy %s allows the start-up window twice: %llu tiles in %u slots race", p->name, policy->name,
         (unsigned long long)pushes, c->slot_num);
  if (have < waits + drain)
    note(k, SIM_ERROR, PTO_RULE_POLICY, c->line, c->column,
         "pipe %%%s: policy %s gives %llu credits in all, pushes take %llu and the destructor %llu: it hangs", p->name,
         policy->name, (unsigned long long)have, (unsigned long long)waits, (unsigned long long)drain);
  else if (have > waits + drain)
    note(k, SIM_WARNING, PTO_RULE_POLICY, c->line, c->column,
         "pipe %%%s: policy %s leaves %llu credits behind at every launch", p->name, policy->name,
         (unsigned long long)(have - waits - drain));
}

/* Compares the slots of the two ends, for each Vector. */
static void check_end(struct checker *k, const struct pto_pipe *p, unsigned core) {
  uint64_t says, other;
  const struct pto_pipe_config *cube = &p->end[PTO_AIC], *v = &p->end[core];
  unsigned what = pto_ends_differ(k->program, (unsigned)(p - k->program->pipes), core, &says, &other);
  if (what == PTO_ENDS_AGREE) return;
  if (what <= PTO_ENDS_SLOT_SIZE)
    note(k, SIM_ERROR, PTO_RULE_ENDS, v->line, v->column,
         "pipe %%%s: the Cube (line %u) declares %s, %u slots of %u bytes, the Vector %s, %u slots of %u bytes", p->name,
         cube->line, pto_dir_name(cube->dir), cube->slot_num, cube->slot_size, pto_dir_name(v->dir), v->slot_num,
         v->slot_size);
  else
    note(k, SIM_ERROR, PTO_RULE_ENDS, v->line, v->column,
         "pipe %%%s: %s is 0x%llx on the Cube (line %u), 0x%llx on the Vector", p->name, pto_mismatch_name(what),
         (unsigned long long)says, cube->line, (unsigned long long)other);
}

static void check_ends(struct checker *k, const struct pto_pipe *p) {
  const struct pto_pipe_config *cube = &p->end[PTO_AIC];
  bool vector = p->has[PTO_AIV0] || p->has[PTO_AIV1];
  const struct pto_pipe_config *v = &p->end[p->has[PTO_AIV0] ? PTO_AIV0 : PTO_AIV1];
  const struct pto_pipe_config *any = p->has[PTO_AIC] ? cube : v;
  if (!p->has[PTO_AIC] || !vector) {
    note(k, SIM_ERROR, PTO_RULE_ENDS, any->line, any->column, "pipe %%%s (flag %u) has no end on the %s", p->name,
         any->flag_id, vector ? "Cube" : "Vectors");
    return;
  }
  check_end(k, p, PTO_AIV0);
  check_end(k, p, PTO_AIV1);
  bool single = cube->multi && cube->ratio != PTO_V2C1_VECS;
  if (!k->profile->point_to_point && !single && !(p->has[PTO_AIV0] && p->has[PTO_AIV1]))
    note(k, SIM_ERROR, PTO_RULE_ENDS, v->line, v->column,
         "pipe %%%s: only %s takes part; on A2/A3 the Cube sees a credit only when both Vectors have set the flag", p->name,
         p->has[PTO_AIV0] ? "AIV0" : "AIV1");
}

static void check_rings(struct checker *k, unsigned a, unsigned b) {
  const struct pto_pipe *p = &k->program->pipes[a], *q = &k->program->pipes[b];
  struct pto_region common;
  if (!pto_pipes_meet(k->program, a, b, &common)) return;
  const struct pto_pipe_config *x = pto_pipe_any_end(p), *y = pto_pipe_any_end(q);
  note(k, SIM_ERROR, PTO_RULE_BUFFER, y->line, y->column,
       "pipe %%%s: its slots in %s overlap those of pipe %%%s (line %u) from 0x%llx to 0x%llx: each overwrites the other's "
       "tiles",
       q->name, pto_loc_name(common.loc), p->name, x->line, (unsigned long long)common.begin,
       (unsigned long long)common.end);
}

static void check_overlaps(struct checker *k) {
  for (unsigned a = 0; a < k->program->pipe_count; a++)
    for (unsigned b = a + 1; b < k->program->pipe_count; b++) {
      const struct pto_pipe *p = &k->program->pipes[a], *q = &k->program->pipes[b];
      check_rings(k, a, b);
      for (unsigned core = 0; core < PTO_CORES; core++) {
        const struct pto_pipe_config *x = &p->end[core], *y = &q->end[core];
        if (!p->has[core] || !q->has[core]) continue;
        if (x->flag_id < y->flag_id + flags_used(k, q, y) && y->flag_id < x->flag_id + flags_used(k, p, x))
          note(k, SIM_ERROR, PTO_RULE_FLAG_OVERLAP, y->line, y->column,
               "pipe %%%s uses flags %u to %u, pipe %%%s (line %u) %u to %u: each takes the other's credits", q->name,
               y->flag_id, y->flag_id + flags_used(k, q, y) - 1, p->name, x->line, x->flag_id,
               x->flag_id + flags_used(k, p, x) - 1);
      }
    }
}

/* --- memory --- */

static void check_buffer(struct checker *k, const struct pto_pipe *p, unsigned core, unsigned direction) {
  const struct pto_pipe_config *c = &p->end[core];
  const struct pto_function *fn = &k->program->functions[k->program->core_function[core]];
  unsigned loc = direction == PTO_DIRECTION_C2V ? PTO_VEC : PTO_MAT;
  if (!pto_pipe_direction_exists(c, direction) || fn->vector != (direction == PTO_DIRECTION_C2V) || c->dir == PTO_V2C_CTRL)
    return;
  uint32_t slots =
      pto_own_slots(k->program, k->program->core_function[core], (unsigned)(p - k->program->pipes), c, direction);
  if (!slots) return;
  uint32_t asked = direction == PTO_DIRECTION_C2V ? c->c2v_at : c->v2c_at, size = k->profile->memory_bytes[loc];
  uint64_t base = asked % size, bytes = (uint64_t)slots * c->slot_size;
  if (asked >= size)
    note(k, SIM_WARNING, PTO_RULE_BUFFER, c->line, c->column,
         "pipe %%%s: address 0x%x lies beyond %s (%u bytes); the model drops the upper bits", p->name, asked,
         pto_loc_name(loc), size);
  if (base + bytes > size)
    note(k, SIM_ERROR, PTO_RULE_BUFFER, c->line, c->column,
         "pipe %%%s: %u slots of %u bytes from 0x%llx do not fit into %s (%u bytes)", p->name, slots, c->slot_size,
         (unsigned long long)base, pto_loc_name(loc), size);
  if (c->room[direction] && bytes > c->room[direction])
    note(k, SIM_ERROR, PTO_RULE_BUFFER, c->line, c->column,
         "pipe %%%s: %u slots of %u bytes in %s, but %u bytes are reserved", p->name, slots, c->slot_size, pto_loc_name(loc),
         c->room[direction]);
  for (unsigned t = 0; t < fn->tile_count; t++) {
    const struct pto_tile *tile = &fn->tiles[t];
    uint64_t end = tile->at + (uint64_t)tile->rows * tile->cols * pto_dtype_bytes(tile->dtype);
    if (tile->bound || tile->loc != loc || tile->at >= base + bytes || base >= end) continue;
    note(k, SIM_ERROR, PTO_RULE_BUFFER, c->line, c->column, "pipe %%%s: its slots in %s overlap tile %%%s (line %u)",
         p->name, pto_loc_name(loc), tile->name, tile->line);
  }
}

/* --- instructions --- */

static void check_shape(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c,
                        const struct pto_instr *i, const struct pto_tile *t, unsigned direction, bool pushes) {
  bool local =
      pto_pipe_path(k->program, c, direction) == PTO_VEC_FIFO || pto_pipe_path(k->program, c, direction) == PTO_MAT_FIFO;
  bool part = (direction == PTO_DIRECTION_C2V) != pushes; /* this side transfers a lane's part */
  unsigned dtype_bytes = i->quant ? 2 : pto_dtype_bytes(t->dtype);
  uint64_t bytes = (uint64_t)t->valid_rows * t->valid_cols * dtype_bytes;
  bool split = i->split != PTO_NO_SPLIT;
  if (split && part && !(local && direction == PTO_DIRECTION_C2V)) bytes *= 2; /* two lanes share the slot */
  if (split && !part && local && direction == PTO_DIRECTION_C2V) bytes = (bytes + 1) / 2;
  if (i->split >= PTO_UP_DOWN_ODD) return; /* the lanes differ: the run detects it */
  if (bytes > c->slot_size && !c->multi)
    note(k, SIM_ERROR, PTO_RULE_SLOT_SIZE, i->line, i->column,
         "%s of %u x %u %s needs %llu bytes of a slot of pipe %%%s, which has %u", pto_op_name(i->op), t->valid_rows,
         t->valid_cols, pto_dtype_name(t->dtype), (unsigned long long)bytes, p->name, c->slot_size);
  if (!local || !split) return;
  if (direction == PTO_DIRECTION_C2V && pushes && dtype_bytes != 4)
    note(k, SIM_WARNING, PTO_RULE_SPLIT, i->line, i->column,
         "A5 splits an accumulator between two UBs only in 4-byte formats");
  if (direction == PTO_DIRECTION_C2V && pushes && i->split == PTO_UP_DOWN && t->valid_rows % 2)
    note(k, SIM_WARNING, PTO_RULE_SPLIT, i->line, i->column, "UP_DOWN needs an even number of rows, not %u", t->valid_rows);
  if (direction == PTO_DIRECTION_C2V && pushes && i->split == PTO_LEFT_RIGHT && t->valid_cols % 32)
    note(k, SIM_WARNING, PTO_RULE_SPLIT, i->line, i->column, "LEFT_RIGHT on A5 needs a multiple of 32 columns, not %u",
         t->valid_cols);
  if (direction == PTO_DIRECTION_V2C && pushes && i->split == PTO_LEFT_RIGHT && (t->valid_cols * dtype_bytes) % 32)
    note(k, SIM_WARNING, PTO_RULE_SPLIT, i->line, i->column,
         "LEFT_RIGHT into L1 needs rows that are a multiple of 32 bytes");
}

/* The headers split an odd tile only where a Vector pops it from GM. */
static void check_odd(struct checker *k, const struct pto_pipe *p, const struct pto_pipe_config *c,
                      const struct pto_instr *i, unsigned direction) {
  if (i->split < PTO_UP_DOWN_ODD) return;
  if (direction == PTO_DIRECTION_V2C)
    note(k, SIM_ERROR, PTO_RULE_ODD_SPLIT, i->line, i->column,
         "%s with %s: only a C2V tile can be cut in unequal parts, pipe %%%s would overlap them", pto_op_name(i->op),
         pto_split_name(i->split), p->name);
  else if (pto_pipe_path(k->program, c, direction) != PTO_GM_FIFO)
    note(k, SIM_ERROR, PTO_RULE_ODD_SPLIT, i->line, i->column,
         "%s with %s: a push to UB moves nothing, use a *_GM direction", pto_op_name(i->op), pto_split_name(i->split));
}

static void check_transfer(struct checker *k, unsigned core, const struct pto_instr *i,
                           int split_seen[PTO_PIPES_MAX][PTO_DIRECTIONS],
                           uint32_t split_line[PTO_PIPES_MAX][PTO_DIRECTIONS]) {
  const struct pto_pipe *p = &k->program->pipes[i->pipe];
  const struct pto_pipe_config *c = &p->end[core];
  const struct pto_function *fn = &k->program->functions[k->program->core_function[core]];
  bool pushes = i->op == PTO_OP_TPUSH || i->op == PTO_OP_TPUSH_VIEW || i->op == PTO_OP_TALLOC;
  unsigned direction = (core == PTO_AIC) == pushes ? PTO_DIRECTION_C2V : PTO_DIRECTION_V2C;
  if (!pto_pipe_direction_exists(c, direction)) {
    note(k, SIM_ERROR, PTO_RULE_DIRECTION, i->line, i->column, "%s on %s needs %s, but pipe %%%s is %s", pto_op_name(i->op),
         core == PTO_AIC ? "the Cube" : "a Vector", direction == PTO_DIRECTION_C2V ? "C2V" : "V2C", p->name,
         pto_dir_name(c->dir));
    return;
  }
  if (k->profile->point_to_point && (i->op == PTO_OP_TALLOC || i->op == PTO_OP_TPOP_VIEW) &&
      pto_pipe_path(k->program, c, direction) != PTO_GM_FIFO)
    note(k, SIM_ERROR, PTO_RULE_DIRECTION, i->line, i->column,
         "the global-tensor form needs a *_GM direction on A5, pipe %%%s is %s", p->name, pto_dir_name(c->dir));
  const struct pto_tile *t = i->op == PTO_OP_TPUSH                 ? &fn->tiles[i->src[0]]
                             : i->op == PTO_OP_TPOP && i->dst >= 0 ? &fn->tiles[i->dst]
                                                                   : NULL;
  if (c->dir == PTO_V2C_CTRL && i->op == PTO_OP_TPOP && i->dst >= 0)
    note(k, SIM_ERROR, PTO_RULE_DIRECTION, i->line, i->column,
         "a V2C_CTRL pipe gives one 32-bit word: tpop from pipe %%%s needs an i32 result, not a tile", p->name);
  if (t && i->op == PTO_OP_TPUSH && t->loc != PTO_ACC && t->loc != PTO_VEC)
    note(k, SIM_ERROR, PTO_RULE_PRODUCER, i->line, i->column, "tpush takes an acc or a vec tile, %%%s is in %s", t->name,
         pto_loc_name(t->loc));
  else if (t) {
    unsigned want = pushes                           ? (direction == PTO_DIRECTION_C2V ? PTO_ACC : PTO_VEC)
                    : direction == PTO_DIRECTION_C2V ? PTO_VEC
                                                     : PTO_MAT;
    if (t->loc != want)
      note(k, SIM_ERROR, PTO_RULE_DIRECTION, i->line, i->column, "%s through %s needs a tile in %s, %%%s is in %s",
           pto_op_name(i->op), direction == PTO_DIRECTION_C2V ? "C2V" : "V2C", pto_loc_name(want), t->name,
           pto_loc_name(t->loc));
    else if (c->dir != PTO_V2C_CTRL) check_shape(k, p, c, i, t, direction, pushes);
  }
  if (c->multi) return;
  check_odd(k, p, c, i, direction);
  if (i->op == PTO_OP_TPUSH && i->split && (i->quant || i->relu || i->atomic_add))
    note(k, SIM_WARNING, PTO_RULE_SPLIT, i->line, i->column, "the fixpipe form of tpush has no split, this one has %s",
         pto_split_name(i->split));
  if (split_seen[i->pipe][direction] >= 0 && split_seen[i->pipe][direction] != i->split)
    note(k, SIM_ERROR, PTO_RULE_SPLIT, i->line, i->column, "%s with %s, but line %u moves tiles of pipe %%%s with %s",
         pto_op_name(i->op), pto_split_name(i->split), split_line[i->pipe][direction], p->name,
         pto_split_name((unsigned)split_seen[i->pipe][direction]));
  split_seen[i->pipe][direction] = i->split;
  split_line[i->pipe][direction] = i->line;
  if (k->profile->point_to_point && c->no_split != (i->split == PTO_NO_SPLIT) && policy_of(k, p)->drain != PTO_DRAIN_COUNTED)
    note(k, SIM_ERROR, PTO_RULE_SPLIT, i->line, i->column,
         "IsNoSplit of pipe %%%s is %s, but this is %s: constructor and destructor use other flags", p->name,
         c->no_split ? "true" : "false", pto_split_name(i->split));
}

static void check_instructions(struct checker *k) {
  int split_seen[PTO_PIPES_MAX][PTO_DIRECTIONS];
  uint32_t split_line[PTO_PIPES_MAX][PTO_DIRECTIONS];
  memset(split_seen, 0xff, sizeof split_seen);
  memset(split_line, 0, sizeof split_line);
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (k->program->core_function[core] < 0) continue;
    const struct pto_function *fn = &k->program->functions[k->program->core_function[core]];
    for (uint32_t n = 0; n < fn->instr_count; n++) {
      const struct pto_instr *i = &fn->instrs[n];
      if (i->op == PTO_OP_TALLOC || i->op == PTO_OP_TPUSH || i->op == PTO_OP_TPUSH_VIEW || i->op == PTO_OP_TPOP ||
          i->op == PTO_OP_TPOP_VIEW)
        check_transfer(k, core, i, split_seen, split_line);
    }
  }
}

static void check_frees(struct checker *k, const struct pto_pipe *p, unsigned index, unsigned core,
                        const struct pto_counts *counts) {
  const struct pto_pipe_config *c = &p->end[core];
  unsigned direction = core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V;
  const struct pto_function *fn = &k->program->functions[k->program->core_function[core]];
  if (!pto_pipe_direction_exists(c, direction) || !counts->exact) return;
  unsigned path = pto_pipe_path(k->program, c, direction);
  bool views = false, tiles = false;
  uint32_t line = c->line, column = c->column;
  for (uint32_t i = 0; i < fn->instr_count; i++) {
    if (fn->instrs[i].pipe != (int)index) continue;
    if (fn->instrs[i].op == PTO_OP_TPOP_VIEW) views = true;
    if (fn->instrs[i].op == PTO_OP_TPOP) tiles = true;
    if (fn->instrs[i].op == PTO_OP_TPOP || fn->instrs[i].op == PTO_OP_TPOP_VIEW)
      line = fn->instrs[i].line, column = fn->instrs[i].column;
  }
  uint64_t popped = counts->pop[index][core], freed = counts->freed[index][core];
  bool must = views || path == PTO_VEC_FIFO || path == PTO_MAT_FIFO;
  if (must && freed < popped)
    note(k, SIM_ERROR, PTO_RULE_TFREE, line, column, "pipe %%%s: %llu pops but %llu TFREE: the producer runs out of slots",
         p->name, (unsigned long long)popped, (unsigned long long)freed);
  if (must && freed > popped)
    note(k, SIM_ERROR, PTO_RULE_TFREE, line, column,
         "pipe %%%s: %llu TFREE for %llu pops: extra credits let the producer overwrite", p->name, (unsigned long long)freed,
         (unsigned long long)popped);
  if (!must && tiles && freed && k->profile->point_to_point && path == PTO_GM_FIFO)
    note(k, SIM_ERROR, PTO_RULE_TFREE, line, column,
         "pipe %%%s: a tile pop through GM frees by itself on A5, TFREE frees twice", p->name);
}

/* The split mode of the first transfer of a pipe; TMPipes have their own rule. */
static unsigned first_split(const struct pto_program *program, unsigned index) {
  for (unsigned f = 0; f < program->function_count; f++)
    for (uint32_t n = 0; n < program->functions[f].instr_count; n++) {
      const struct pto_instr *i = &program->functions[f].instrs[n];
      if (i->pipe == (int)index && i->op >= PTO_OP_TALLOC && i->op <= PTO_OP_TPOP_VIEW) return i->split;
    }
  return PTO_NO_SPLIT;
}

/* Does this lane receive the flags of the pipe? */
static bool takes_part(const struct checker *k, const struct pto_pipe *p, unsigned index, unsigned lane) {
  const struct pto_pipe_config *c = &p->end[lane];
  if (c->multi && c->ratio != PTO_V2C1_VECS) return (c->ratio == PTO_V1C1_VEC1) == (lane == PTO_AIV1);
  if (!k->profile->point_to_point || lane == PTO_AIV0) return true;
  return c->multi || first_split(k->program, index) != PTO_NO_SPLIT;
}

static void check_counts(struct checker *k, const struct pto_pipe *p, unsigned index, const struct pto_counts *counts) {
  if (!counts->exact) return;
  for (unsigned lane = PTO_AIV0; lane <= PTO_AIV1; lane++) {
    if (!p->has[PTO_AIC] || !p->has[lane]) continue;
    if (!takes_part(k, p, index, lane)) {
      if (counts->pop[index][lane] || counts->push[index][lane])
        note(k, SIM_ERROR, PTO_RULE_SPLIT, p->end[lane].line, p->end[lane].column,
             "pipe %%%s: without split its flags reach %s only, but %s pushes or pops as well and will wait forever",
             p->name, lane == PTO_AIV1 ? "AIV0" : "AIV1", pto_core_name(lane));
      continue;
    }
    uint64_t down = counts->push[index][PTO_AIC], up = counts->push[index][lane];
    if (down != counts->pop[index][lane])
      note(k, SIM_ERROR, PTO_RULE_COUNT, p->end[lane].line, p->end[lane].column,
           "pipe %%%s: the Cube pushes %llu tiles, %s pops %llu", p->name, (unsigned long long)down, pto_core_name(lane),
           (unsigned long long)counts->pop[index][lane]);
    if (up != counts->pop[index][PTO_AIC])
      note(k, SIM_ERROR, PTO_RULE_COUNT, p->end[lane].line, p->end[lane].column,
           "pipe %%%s: %s pushes %llu tiles, the Cube pops %llu", p->name, pto_core_name(lane), (unsigned long long)up,
           (unsigned long long)counts->pop[index][PTO_AIC]);
  }
}

static void check_setup(struct checker *k, const struct pto_pipe *p) {
  check_profile(k, p, pto_pipe_any_end(p));
  check_fifo(k, p, pto_pipe_any_end(p));
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (p->has[core]) check_ring(k, p, &p->end[core]);
}

void pto_check(const struct pto_program *program, int policy, struct pto_notes *notes) {
  struct checker k = {program, pto_program_profile(program), policy, notes};
  struct pto_counts counts;
  memset(notes, 0, sizeof *notes);
  pto_count(program, &counts);
  for (unsigned i = 0; i < program->pipe_count; i++) {
    const struct pto_pipe *p = &program->pipes[i];
    unsigned first = p->has[PTO_AIC] ? PTO_AIC : p->has[PTO_AIV0] ? PTO_AIV0 : PTO_AIV1;
    check_ends(&k, p);
    check_setup(&k, p);
    check_limits(&k, p, &p->end[first]);
    check_policy(&k, p, &p->end[first], &counts);
    check_counts(&k, p, i, &counts);
    for (unsigned core = 0; core < PTO_CORES; core++) {
      if (!p->has[core]) continue;
      check_buffer(&k, p, core, PTO_DIRECTION_C2V);
      check_buffer(&k, p, core, PTO_DIRECTION_V2C);
      check_frees(&k, p, i, core, &counts);
    }
  }
  check_overlaps(&k);
  check_instructions(&k);
}

bool pto_check_refuses(const struct pto_program *program, int policy, struct pto_note *why) {
  struct pto_notes *notes = calloc(1, sizeof *notes);
  bool refused = false;
  if (!notes) return false;
  struct checker k = {program, pto_program_profile(program), policy, notes};
  for (unsigned i = 0; i < program->pipe_count; i++) {
    check_setup(&k, &program->pipes[i]);
    /* The headers assert FlagID + 1 < 16 (BOTH: + 3). No header has a flag for each slot; such a policy needs two flags per
     * slot, and there are none beyond 15. */
    check_flags(&k, &program->pipes[i], pto_pipe_any_end(&program->pipes[i]));
  }
  check_instructions(&k);
  for (uint32_t i = 0; i < notes->count && !refused; i++) {
    refused = notes->notes[i].severity == SIM_ERROR && pto_rule_refuses(notes->notes[i].rule);
    if (refused) *why = notes->notes[i];
  }
  free(notes);
  return refused;
}

bool pto_rule_refuses(unsigned rule) {
  return rule == PTO_RULE_PRODUCER || rule == PTO_RULE_DIRECTION || rule == PTO_RULE_PROFILE || rule == PTO_RULE_ODD_SPLIT ||
         rule == PTO_RULE_FLAG_RANGE || rule == PTO_RULE_BOUNDS;
}
