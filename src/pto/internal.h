/* What the files of the PTO machine share among themselves. */
#ifndef TESSERA_PTO_INTERNAL_H
#define TESSERA_PTO_INTERNAL_H

#include "pto/machine.h"

/* flags.c: cross-core counters */
void pto_flags_init(struct pto_machine *m);
bool pto_flag_take(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit, uint32_t line);
void pto_flag_set(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t line, uint32_t count);
void pto_flag_effect(struct pto_machine *m, const struct sim_effect *effect);

/* queue.c: the pipes */
struct pto_item *pto_queue_add(struct pto_machine *m, unsigned core, unsigned unit, unsigned kind, uint32_t instr);
void pto_pipe_turn(struct pto_machine *m, unsigned core, unsigned unit);
void pto_wake(struct pto_machine *m, unsigned agent, sim_time at);
bool pto_deps_ready(const struct pto_machine *m, unsigned core, const uint32_t *need, unsigned *missing);
uint32_t pto_schedule_delay(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line);
void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail);
void pto_unstall(struct pto_machine *m, unsigned agent);

/* scalar.c: the scalar unit */
void pto_scalar_turn(struct pto_machine *m, unsigned core);
const struct pto_instr *pto_instr_at(const struct pto_machine *m, unsigned core, uint32_t instr);

/* tpipe.c: pipe operations; false: blocked, come again. way.c: what a configuration means */
bool pto_do_pipe_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);
bool pto_do_teardown(struct pto_machine *m, unsigned core, unsigned pipe);
bool pto_scalar_wait(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t count, uint32_t line);
const struct pto_pipe_config *pto_config(const struct pto_machine *m, unsigned pipe, unsigned core);
uint32_t pto_period(const struct pto_machine *m, unsigned pipe, unsigned core);
void pto_way_prepare(struct pto_machine *m); /* after a change of policy */
struct pto_way_info pto_way_info(const struct pto_machine *m, unsigned pipe, unsigned way, unsigned core, uint64_t tile);
unsigned pto_way_lanes(const struct pto_machine *m, unsigned pipe, unsigned split); /* lanes that take part, bit per lane */

bool pto_both_ways(const struct pto_pipe_config *c);
/* Lanes whose shadow a core's push or pop touches: those that run a program with this pipe. */
unsigned pto_shadow_lanes(const struct pto_machine *m, unsigned pipe, unsigned core, unsigned split);
/* First byte of a slot in GM, UB or L1. */
uint64_t pto_slot_base(const struct pto_machine *m, unsigned pipe, unsigned way, unsigned core, uint64_t tile,
                       int64_t offset);
/* Where a lane's part of r x c begins in the whole tile, and the whole tile's row length. */
void pto_split_place(unsigned split, unsigned lane, uint32_t r, uint32_t c, uint64_t *offset, uint32_t *stride);
unsigned pto_lane_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
unsigned pto_split_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
struct pto_ref pto_slot_target(const struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned way,
                               unsigned path, unsigned split, const struct pto_ref *src);
void pto_check_slot_size(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned way,
                         const struct pto_ref *ref, uint64_t tile);

/* shadow.c: findings from the rings */
void pto_shadow(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, unsigned marks);
void pto_shadow_uses(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

/* tile.c: references and dependencies */
struct pto_ref pto_tile_ref(const struct pto_machine *m, unsigned core, int tile);
struct pto_ref pto_view_ref(const struct pto_machine *m, unsigned core, int view, int64_t row, int64_t col);
void pto_need_read(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_need_write(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_note_read(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_note_write(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_check_use(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
bool pto_ref_inside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line, const char *what);
uint8_t *pto_ref_bytes(const struct pto_machine *m, const struct pto_ref *ref);

/* ops.c and cost.c: what an operation does and how long it takes */
void pto_do_work(struct pto_machine *m, unsigned core, const struct pto_item *item);
uint32_t pto_cost(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item);
bool pto_do_tile_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);
void pto_copy(const struct pto_machine *m, const struct pto_ref *dst, const struct pto_ref *src, bool accumulate);

/* Tile index to slot; the short division where it will do. */
static inline uint32_t pto_slot(uint64_t tile, uint32_t slots) {
  return tile <= UINT32_MAX ? (uint32_t)tile % slots : (uint32_t)(tile % slots);
}

static inline int64_t pto_scalar(const struct pto_core_state *core, struct pto_value v) {
  return v.reg >= 0 ? core->regs[v.reg] : v.imm;
}

#endif
