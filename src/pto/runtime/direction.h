/* One direction of a pipe, derived from its configuration: flags, pipes, lanes, and addresses of the slots. */
#ifndef TESSERA_PTO_RUNTIME_WAY_H
#define TESSERA_PTO_RUNTIME_WAY_H

#include "pto/runtime/state.h"

static inline const struct pto_pipe_config *pto_config(const struct pto_machine *m, unsigned pipe, unsigned core) {
  return &m->program->pipes[pipe].end[core];
}
static inline uint32_t pto_period(const struct pto_machine *m, unsigned pipe, unsigned core) {
  return m->direction_info[pipe][0][core].period;
}
/* Tile index to slot; uses a 32-bit division where possible. */
static inline uint32_t pto_slot(uint64_t tile, uint32_t slots) {
  return tile <= UINT32_MAX ? (uint32_t)tile % slots : (uint32_t)(tile % slots);
}

/* First byte of a slot in GM, UB or L1. */
static inline uint64_t pto_slot_base(const struct pto_direction_info *info, unsigned slot) {
  return info->base + (uint64_t)slot * info->slot_size;
}

void pto_direction_prepare(struct pto_machine *m); /* computes direction_info again after a change of policy */
void pto_flag_ids(const struct pto_machine *m, unsigned pipe, unsigned direction, unsigned core, uint64_t tile,
                  struct pto_direction_info *info);
/* A direction of a pipe for one tile; `own` is storage for the values that differ from slot to slot. */
static inline const struct pto_direction_info *pto_direction_info(const struct pto_machine *m, unsigned pipe,
                                                                  unsigned direction, unsigned core, uint64_t tile,
                                                                  struct pto_direction_info *own) {
  const struct pto_direction_info *info = &m->direction_info[pipe][direction][core];
  if (!m->policy[pipe]->per_slot) return info;
  *own = *info;
  pto_flag_ids(m, pipe, direction, core, tile, own);
  return own;
}
/* Lanes that take part in a push or pop, bit per lane. */
static inline unsigned pto_direction_lanes(const struct pto_machine *m, unsigned pipe, unsigned split) {
  return m->lanes[pipe][split];
}

bool pto_both_directions(const struct pto_pipe_config *c);
/* Lanes whose shadow a core's push or pop updates: those that run a program with this pipe. */
static inline unsigned pto_shadow_lanes(const struct pto_machine *m, unsigned pipe, unsigned core, unsigned split) {
  return core == PTO_AIC ? m->lanes[pipe][split] & m->lanes_present[pipe] : 1u << (core - PTO_AIV0);
}
/* The offset of a lane's part of r x c in the whole tile, and the whole tile's row length. */
void pto_split_place(unsigned split, unsigned lane, uint32_t r, uint32_t c, uint64_t *offset, uint32_t *stride);
void pto_cut_blocks(const struct pto_pipe_config *c, unsigned split, unsigned lane, struct pto_ref *ref);
unsigned pto_lane_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
unsigned pto_split_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i);
/* The slot as written by the pushing core: `item` has direction, slot, split and the pushed tile. */
struct pto_ref pto_slot_target(const struct pto_machine *m, unsigned core, const struct pto_instr *i,
                               const struct pto_direction_info *info, const struct pto_item *item);
void pto_slot_too_small(struct pto_machine *m, unsigned core, const struct pto_direction_info *info,
                        const struct pto_item *item, uint64_t bytes) __attribute__((cold));

#endif
