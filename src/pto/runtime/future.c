/* See future.h. */
#include "pto/runtime/future.h"

#include "pto/program/pipe.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/request.h"

#define STEPS_MAX (1u << 20)

struct future_end {
  uint64_t prod_tile, cons_tile, freed;
  bool record, free;
};

struct future {
  const struct pto_machine *m;
  unsigned core;
  struct pto_act act;
  bool any; /* counters and states are not known: what an instruction may set counts */
  int64_t regs[PTO_REGS_MAX];
  struct future_end ends[PTO_PIPES_MAX];
};

static int64_t value_of(const struct future *f, struct pto_value v) { return v.reg >= 0 ? f->regs[v.reg] : v.imm; }

/* A Cube with point-to-point flags has one id for each lane (request.c). */
static bool names_flag(const struct future *f, unsigned id, unsigned lanes) {
  if (!f->m->profile->point_to_point || f->core != PTO_AIC) return id == f->act.id;
  return (lanes & 1u && id % PTO_FLAGS == f->act.id) || (lanes & 2u && (id + 16) % PTO_FLAGS == f->act.id);
}

static bool sets_ready(const struct future *f, const struct pto_instr *i, uint64_t tile) {
  unsigned pipe = (unsigned)i->pipe, lanes = pto_direction_lanes(f->m, pipe, pto_split_of(f->m, f->core, i));
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(f->m, pipe, pto_push_direction(f->core), f->core, tile, &own);
  if (info->path == PTO_CTRL_FIFO) lanes = 3;
  return names_flag(f, info->ready, lanes);
}

static bool sets_free(const struct future *f, const struct pto_instr *i, uint64_t tile) {
  unsigned pipe = (unsigned)i->pipe, lanes = pto_direction_lanes(f->m, pipe, pto_split_of(f->m, f->core, i));
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(f->m, pipe, pto_pop_direction(f->core), f->core, tile, &own);
  if (!f->any && (!f->ends[pipe].free || !pto_policy_notifies(f->m->policy[pipe], tile, pto_period(f->m, pipe, f->core))))
    return false;
  return names_flag(f, info->free_id, lanes);
}

/* The constructor of the popping end gives the first credits. */
static bool builds(struct future *f, const struct pto_instr *i) {
  unsigned pipe = (unsigned)i->pipe, direction = pto_pop_direction(f->core);
  const struct pto_pipe_config *c = pto_config(f->m, pipe, f->core);
  f->ends[pipe] = (struct future_end){.record = true, .free = true};
  if (f->act.kind != PTO_ACT_FLAG || !pto_pipe_direction_exists(c, direction) ||
      !pto_policy_initial(f->m->policy[pipe], c->slot_num, pto_period(f->m, pipe, f->core)))
    return false;
  uint32_t slots = f->m->policy[pipe]->per_slot && c->slot_num < 8 ? c->slot_num : f->m->policy[pipe]->per_slot ? 8 : 1;
  for (uint32_t slot = 0; slot < slots; slot++) {
    struct pto_direction_info own;
    if (names_flag(f, pto_direction_info(f->m, pipe, direction, f->core, slot, &own)->free_id,
                   pto_direction_lanes(f->m, pipe, c->no_split ? PTO_NO_SPLIT : PTO_UP_DOWN)))
      return true;
  }
  return false;
}

static bool pushes(struct future *f, const struct pto_instr *i) {
  struct future_end *e = &f->ends[i->pipe];
  uint64_t tile = e->prod_tile;
  unsigned advance = f->m->direction_info[i->pipe][pto_push_direction(f->core)][f->core].advance;
  if (i->op == PTO_OP_TALLOC) {
    e->prod_tile += advance;
    return false;
  }
  if (i->op == PTO_OP_TPUSH) e->prod_tile += advance;
  else tile -= tile >= advance ? advance : 0; /* its TALLOC has counted it */
  return f->act.kind == PTO_ACT_FLAG && (f->any || i->op == PTO_OP_TPUSH_VIEW || e->record) && sets_ready(f, i, tile);
}

/* A pop through GM frees its slot itself; a pop in place leaves that to TFREE. */
static bool pops(struct future *f, const struct pto_instr *i) {
  struct future_end *e = &f->ends[i->pipe];
  const struct pto_direction_info *info = &f->m->direction_info[i->pipe][pto_pop_direction(f->core)][f->core];
  bool view = i->op == PTO_OP_TPOP_VIEW || i->op == PTO_OP_TFREE_VIEW;
  bool in_place = view || (info->zero_copy && info->path != PTO_CTRL_FIFO);
  bool pop = i->op == PTO_OP_TPOP || i->op == PTO_OP_TPOP_VIEW;
  uint64_t tile = pop ? e->cons_tile : e->freed;
  if (pop) e->cons_tile += info->advance;
  if (pop == in_place) { /* the pop of a slot in place, or TFREE where the pop has freed it */
    if (pop) return f->act.kind == PTO_ACT_POP && f->act.id == (unsigned)i->pipe;
    bool again = f->m->profile->point_to_point && info->path != PTO_CTRL_FIFO; /* a second credit, also a finding */
    return again && f->act.kind == PTO_ACT_FLAG && sets_free(f, i, tile);
  }
  e->freed = tile + info->advance;
  if (f->act.kind == PTO_ACT_POP) return f->act.id == (unsigned)i->pipe;
  return f->act.kind == PTO_ACT_FLAG && sets_free(f, i, tile);
}

/* Does the instruction do it? Advances the states of the pipes. */
static bool does(struct future *f, const struct pto_instr *i) {
  bool on = i->op >= PTO_OP_PIPE_INIT && i->op <= PTO_OP_CONS_TILE && value_of(f, i->a) != 0;
  switch (i->op) {
    case PTO_OP_PIPE_INIT: return builds(f, i);
    case PTO_OP_TALLOC:
    case PTO_OP_TPUSH:
    case PTO_OP_TPUSH_VIEW: return pushes(f, i);
    case PTO_OP_TPOP:
    case PTO_OP_TPOP_VIEW:
    case PTO_OP_TFREE:
    case PTO_OP_TFREE_VIEW: return pops(f, i);
    case PTO_OP_SET_RECORD: f->ends[i->pipe].record = on; return false;
    case PTO_OP_SET_FREE: f->ends[i->pipe].free = on; return false;
    case PTO_OP_PROD_TILE: f->ends[i->pipe].prod_tile = (uint64_t)value_of(f, i->a); return false;
    case PTO_OP_CONS_TILE: f->ends[i->pipe].cons_tile = (uint64_t)value_of(f, i->a); return false;
    case PTO_OP_CROSS_SET:
      return f->act.kind == PTO_ACT_FLAG && (f->any || (unsigned)value_of(f, i->a) % PTO_FLAGS == f->act.id);
    case PTO_OP_SET_FLAG:
      return f->act.kind == PTO_ACT_EVENT && i->unit == f->act.src && i->unit2 == f->act.dst &&
             (f->any || ((unsigned)value_of(f, i->a) & 7u) == f->act.id);
    default: return false;
  }
}

static uint32_t step(struct future *f, const struct pto_instr *i, uint32_t pc) {
  if (i->op == PTO_OP_JUMP || (i->op == PTO_OP_BRANCH_ZERO && value_of(f, i->a) == 0)) return i->target;
  if (i->op == PTO_OP_BLOCK) f->regs[i->dst] = f->m->block;
  else if (i->op == PTO_OP_BLOCK_NUM) f->regs[i->dst] = f->m->blocks;
  else if (i->op == PTO_OP_LANE) f->regs[i->dst] = f->m->cores[f->core].lane;
  else if (i->op >= PTO_OP_SET && i->op < PTO_OP_BLOCK)
    f->regs[i->dst] = pto_arith(i->op, value_of(f, i->a), value_of(f, i->b));
  return pc + 1;
}

/* A pop of a CTRL pipe loads a register with data. */
static bool loads_data(const struct future *f, const struct pto_instr *i) {
  return i->op == PTO_OP_TPOP && i->event >= 0 &&
         f->m->direction_info[i->pipe][pto_pop_direction(f->core)][f->core].path == PTO_CTRL_FIFO;
}

static void begin(struct future *f) {
  const struct pto_core_state *c = &f->m->cores[f->core];
  for (unsigned i = 0; i < PTO_REGS_MAX; i++) f->regs[i] = c->regs[i];
  for (unsigned i = 0; i < PTO_PIPES_MAX; i++) {
    const struct pto_end *e = &c->ends[i];
    uint64_t open = e->popped - e->freed;
    f->ends[i] = (struct future_end){.prod_tile = e->prod_tile,
                                     .cons_tile = e->cons_tile,
                                     .freed = open <= e->cons_tile ? e->cons_tile - open : 0,
                                     .record = e->is_record,
                                     .free = e->is_free};
    if (open && open <= PTO_HELD_MAX) f->ends[i].freed = e->held[e->freed % PTO_HELD_MAX];
  }
}

const struct pto_instr *pto_future_act(const struct pto_machine *m, unsigned core, struct pto_act act) {
  struct future f = {.m = m, .core = core, .act = act};
  const struct pto_function *fn = m->function[core];
  if (!fn || !m->cores[core].present || m->cores[core].finished) return NULL;
  begin(&f);
  for (uint32_t pc = m->cores[core].pc, steps = 0; !f.any && pc < fn->instr_count; steps++) {
    const struct pto_instr *i = &fn->instrs[pc];
    if (i->op == PTO_OP_END) return NULL;
    if (does(&f, i)) return i;
    f.any = loads_data(&f, i) || steps == STEPS_MAX;
    pc = step(&f, i, pc);
  }
  for (uint32_t pc = 0; f.any && pc < fn->instr_count; pc++)
    if (does(&f, &fn->instrs[pc])) return &fn->instrs[pc];
  return NULL;
}
