/* What the files of the PTO machine share among themselves. */
#ifndef TESSERA_PTO_INTERNAL_H
#define TESSERA_PTO_INTERNAL_H

#include "pto/machine.h"

/* flags.c: cross-core counters */
void pto_flags_init(struct pto_machine *m);
void pto_flag_use(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit, uint32_t line);
/* Takes one credit. false: there is none. */
static inline bool pto_flag_take(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit,
                                 uint32_t line) {
  if (!m->flags[core][flag].sem.value) return false;
  pto_flag_use(m, core, flag, pipe, unit, line);
  return true;
}
void pto_flag_set(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t line, uint32_t count);
void pto_flag_effect(struct pto_machine *m, const struct sim_effect *effect);

static inline uint64_t pto_core_agents(unsigned core) {
  return ((UINT64_C(1) << PTO_UNITS) - 1) << (core * (unsigned)PTO_UNITS);
}

/* What the engine knows of an agent that has a seat. */
static inline struct sim_agent *pto_seated(struct pto_machine *m, unsigned agent) {
  return &m->engine.agents[m->seat[agent]];
}

/* queue.c: the pipes */
struct pto_item *pto_queue_add(struct pto_machine *m, unsigned core, unsigned unit, unsigned kind, uint32_t instr);
void pto_pipe_turn(struct pto_machine *m, unsigned core, unsigned unit);
static inline void pto_wake(struct pto_machine *m, unsigned agent, sim_time at) {
  struct sim_agent *a = pto_seated(m, agent);
  if (a->state == SIM_AGENT_EVENT && at < a->at) a->at = at;
}
bool pto_deps_ready(const struct pto_machine *m, unsigned core, const uint32_t *need, unsigned *missing);
uint32_t pto_schedule_late(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line);
static inline uint32_t pto_schedule_delay(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line) {
  return s->count || s->seed ? pto_schedule_late(s, agent, item, line) : 0;
}
static inline void pto_sleep_until(struct pto_machine *m, unsigned agent, sim_time at) {
  sim_sleep_until(&m->engine, m->seat[agent], at);
}
static inline void pto_sleep(struct pto_machine *m, unsigned agent) {
  sim_sleep_on(&m->engine, m->seat[agent], UINT64_C(1) << m->seat[agent], SIM_NEVER);
}
void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail);
void pto_unblock(struct pto_machine *m, unsigned agent);
static inline void pto_unstall(struct pto_machine *m, unsigned agent) {
  if (pto_seated(m, agent)->wait.kind) pto_unblock(m, agent);
}

/* scalar.c: the scalar unit */
void pto_scalar_turn(struct pto_machine *m, unsigned core);
static inline const struct pto_instr *pto_instr_at(const struct pto_machine *m, unsigned core, uint32_t instr) {
  return &m->function[core]->instrs[instr];
}

/* tpipe.c: pipe operations; false: blocked, come again. way.c: what a configuration means */
bool pto_do_pipe_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);
bool pto_do_teardown(struct pto_machine *m, unsigned core, unsigned pipe);
bool pto_scalar_wait(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t count, uint32_t line);
static inline const struct pto_pipe_config *pto_config(const struct pto_machine *m, unsigned pipe, unsigned core) {
  return &m->program->pipes[pipe].end[core];
}
static inline uint32_t pto_period(const struct pto_machine *m, unsigned pipe, unsigned core) {
  return m->way_info[pipe][0][core].period;
}
void pto_way_prepare(struct pto_machine *m); /* after a change of policy */
void pto_flag_ids(const struct pto_machine *m, unsigned pipe, unsigned way, unsigned core, uint64_t tile,
                  struct pto_way_info *info);
/* A way through a pipe for one tile; `own` has room for what differs from slot to slot. */
static inline const struct pto_way_info *pto_way_info(const struct pto_machine *m, unsigned pipe, unsigned way,
                                                      unsigned core, uint64_t tile, struct pto_way_info *own) {
  const struct pto_way_info *info = &m->way_info[pipe][way][core];
  if (!m->policy[pipe]->per_slot) return info;
  *own = *info;
  pto_flag_ids(m, pipe, way, core, tile, own);
  return own;
}
/* Lanes that take part in a push or pop, bit per lane. */
static inline unsigned pto_way_lanes(const struct pto_machine *m, unsigned pipe, unsigned split) {
  return m->lanes[pipe][split];
}

bool pto_both_ways(const struct pto_pipe_config *c);
/* Lanes whose shadow a core's push or pop touches: those that run a program with this pipe. */
static inline unsigned pto_shadow_lanes(const struct pto_machine *m, unsigned pipe, unsigned core, unsigned split) {
  return core == PTO_AIC ? m->lanes[pipe][split] & m->lanes_present[pipe] : 1u << (core - PTO_AIV0);
}
/* Where a lane's part of r x c begins in the whole tile, and the whole tile's row length. */
void pto_split_place(unsigned split, unsigned lane, uint32_t r, uint32_t c, uint64_t *offset, uint32_t *stride);
void pto_cut_blocks(const struct pto_pipe_config *c, unsigned split, unsigned lane, struct pto_ref *ref);
unsigned pto_lane_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
unsigned pto_split_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
struct pto_ref pto_slot_target(const struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned way,
                               const struct pto_way_info *info, unsigned slot, unsigned split, const struct pto_ref *src);
void pto_slot_too_small(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned way,
                        const struct pto_way_info *info, uint64_t tile, uint64_t bytes) __attribute__((cold));

/* shadow.c: findings from the rings */
void pto_shadow(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, unsigned marks);
void pto_shadow_uses(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

/* overlap.c: slots and tiles on the same bytes */
void pto_overlap_prepare(struct pto_machine *m);
void pto_setup_report(struct pto_machine *m);
void pto_overlap_issue(struct pto_machine *m, unsigned core, int tile, uint32_t line);
void pto_overlap_written(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);
void pto_overlap_read(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

/* tile.c: references and dependencies */
/* The valid part as it is now. */
static inline void pto_tile_valid(const struct pto_machine *m, unsigned core, int tile, uint32_t *rows, uint32_t *cols) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  const uint32_t *now = m->cores[core].valid[tile];
  *rows = now[0] ? now[0] - 1 : t->valid_rows;
  *cols = now[1] ? now[1] - 1 : t->valid_cols;
}
bool pto_set_valid(struct pto_machine *m, unsigned core, const struct pto_instr *i);
struct pto_ref pto_tile_ref(const struct pto_machine *m, unsigned core, int tile);
struct pto_ref pto_view_ref(const struct pto_machine *m, unsigned core, int view, int64_t row, int64_t col);
void pto_need_read(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_need_write(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_note_read(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_note_write(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_check_use(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
/* EN_UNIT_FLAG: the store waits for M in hardware; the last one gives the accumulator back to M in the same way. */
void pto_unit_flag_store(struct pto_machine *m, unsigned core, struct pto_item *item, int tile, bool last);
void pto_unit_flag_matmul(struct pto_machine *m, unsigned core, struct pto_item *item, int tile);
/* Bytes from the first element to the end of the last. */
static inline uint64_t pto_ref_extent(const struct pto_ref *r) {
  if (!r->rows || !r->cols) return 0;
  uint64_t cols = r->cols - 1, last = (uint64_t)(r->rows - 1) * r->row_stride + cols * r->col_stride;
  if (r->block_cols && r->cols > r->block_cols)
    last = (uint64_t)(r->rows - 1) * r->row_stride + (uint64_t)(r->block_cols - 1) * r->col_stride +
           cols / r->block_cols * r->block_stride;
  return (last + 1) * pto_dtype_bytes(r->dtype);
}
static inline uint64_t pto_memory_bytes(const struct pto_machine *m, unsigned loc) {
  return loc == PTO_GM ? m->program->gm_bytes : m->profile->memory_bytes[loc];
}
void pto_ref_outside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line, const char *what)
    __attribute__((cold));
/* false: there is a fault now. */
static inline bool pto_ref_inside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line,
                                  const char *what) {
  uint64_t size = pto_memory_bytes(m, ref->loc), bytes = pto_ref_extent(ref);
  if (ref->addr <= size && bytes <= size - ref->addr) return true;
  pto_ref_outside(m, ref, core, line, what);
  return false;
}
uint8_t *pto_ref_bytes(const struct pto_machine *m, const struct pto_ref *ref);

/* ops.c and cost.c: what an operation does and how long it takes */
void pto_do_work(struct pto_machine *m, unsigned core, const struct pto_item *item);
uint32_t pto_cost(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item);
unsigned pto_unit_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i); /* of a tile operation */
bool pto_do_tile_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);
void pto_copy(const struct pto_machine *m, const struct pto_ref *dst, const struct pto_ref *src, bool accumulate);

/* Tile index to slot; the short division where it will do. */
static inline uint32_t pto_slot(uint64_t tile, uint32_t slots) {
  return tile <= UINT32_MAX ? (uint32_t)tile % slots : (uint32_t)(tile % slots);
}

/* First byte of a slot in GM, UB or L1. */
static inline uint64_t pto_slot_base(const struct pto_way_info *info, unsigned slot) {
  return info->base + (uint64_t)slot * info->slot_size;
}

static inline int64_t pto_scalar(const struct pto_core_state *core, struct pto_value v) {
  return v.reg >= 0 ? core->regs[v.reg] : v.imm;
}

#endif
