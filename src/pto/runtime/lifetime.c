/* See lifetime.h. The consumer posts start-up credits; the producer takes back the remaining ones as its policy defines. */
#include "pto/runtime/lifetime.h"

#include <string.h>

#include "pto/program/pipe.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/request.h"

static unsigned ctor_lanes(const struct pto_machine *m, unsigned pipe, unsigned core) {
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  return pto_direction_lanes(m, pipe, c->no_split ? PTO_NO_SPLIT : PTO_UP_DOWN);
}

bool pto_construct(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned pipe = (unsigned)i->pipe, direction = pto_pop_direction(core);
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  struct pto_end *e = &m->cores[core].ends[pipe];
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, 0, &own);
  uint32_t given = pto_policy_initial(m->policy[pipe], c->slot_num, pto_period(m, pipe, core));
  if (!pto_queue_room(m, core, info->set_free_unit)) return false;
  memset(e, 0, sizeof *e);
  e->is_allocate = e->is_record = e->is_wait = e->is_free = e->built = 1;
  if (!pto_pipe_direction_exists(c, direction) || !given) return true;
  if (!m->policy[pipe]->per_slot) {
    pto_add_flags(m, core,
                  (struct pto_flag_request){.kind = PTO_ITEM_SET,
                                            .role = PTO_ROLE_FREE,
                                            .unit = info->set_free_unit,
                                            .flag = info->free_id,
                                            .lanes = (uint8_t)ctor_lanes(m, pipe, core),
                                            .pipe = (int16_t)pipe,
                                            .count = given,
                                            .tile = 0});
    return true;
  }
  for (uint32_t slot = 0; slot < c->slot_num && slot < 8; slot++) {
    info = pto_direction_info(m, pipe, direction, core, slot, &own);
    pto_add_flags(m, core,
                  (struct pto_flag_request){.kind = PTO_ITEM_SET,
                                            .role = PTO_ROLE_FREE,
                                            .unit = info->set_free_unit,
                                            .flag = info->free_id,
                                            .lanes = (uint8_t)ctor_lanes(m, pipe, core),
                                            .pipe = (int16_t)pipe,
                                            .count = 1,
                                            .tile = slot});
  }
  return true;
}

/* The producer takes back the remaining credits as its policy defines. false: blocked. */
bool pto_do_teardown(struct pto_machine *m, unsigned core, unsigned pipe) {
  unsigned direction = pto_push_direction(core);
  const struct pto_pipe_config *c = pto_config(m, pipe, core);
  struct pto_end *e = &m->cores[core].ends[pipe];
  const struct pto_policy *policy = m->policy[pipe];
  if (!e->built || !pto_pipe_direction_exists(c, direction)) return true;
  uint64_t count = pto_policy_drain(policy, e->prod_tile, e->waited, c->slot_num, pto_period(m, pipe, core));
  unsigned lanes = policy->drain == PTO_DRAIN_COUNTED ? e->lanes_used : ctor_lanes(m, pipe, core);
  if (!count || !lanes) return true;
  struct pto_direction_info own;
  const struct pto_direction_info *info = pto_direction_info(m, pipe, direction, core, 0, &own);
  if (!pto_queue_room(m, core, info->push_unit)) return false;
  uint32_t steps = policy->per_slot ? (uint32_t)(count < 8 ? count : 8) : 1;
  for (; m->cores[core].target_slot < steps; m->cores[core].target_slot++) {
    info = pto_direction_info(m, pipe, direction, core, m->cores[core].target_slot, &own);
    uint32_t each = policy->per_slot ? 1 : (uint32_t)count;
    if (info->wait_free_unit == PTO_S) {
      if (!pto_scalar_wait(m, core, info->free_id, (int)pipe, each, c->line)) return false;
      m->cores[core].waited = 0;
    } else {
      pto_add_flags(m, core,
                    (struct pto_flag_request){.kind = PTO_ITEM_WAIT,
                                              .role = PTO_ROLE_DRAIN,
                                              .unit = info->wait_free_unit,
                                              .flag = info->free_id,
                                              .lanes = (uint8_t)lanes,
                                              .pipe = (int16_t)pipe,
                                              .count = each,
                                              .tile = e->prod_tile});
    }
  }
  m->cores[core].target_slot = 0;
  e->built = 0;
  return true;
}
