/* See request.h. */
#include "pto/runtime/request.h"

#include "pto/runtime/agent.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/flags.h"
#include "pto/runtime/queue.h"

bool pto_scalar_wait(struct pto_machine *m, unsigned core, unsigned flag, int pipe, uint32_t count, uint32_t line) {
  struct pto_core_state *c = &m->cores[core];
  if (c->waited) return true;
  if (m->what_if.no_wait) {
    const unsigned op = pto_instr_at(m, core, c->pc)->op;
    const bool ends = op == PTO_OP_CROSS_WAIT || op == PTO_OP_END || op == PTO_OP_PIPE_END;
    const bool pops = op == PTO_OP_TPOP || op == PTO_OP_TPOP_VIEW;
    if (pto_waits_not(m, core, pipe, ends ? PTO_ROLE_NONE : pops ? PTO_ROLE_READY : PTO_ROLE_FREE)) return true;
  }
  while (c->taken < count) {
    if (!pto_flag_take(m, core, flag % PTO_FLAGS, pipe, PTO_S, line)) {
      uint64_t tile = pipe >= 0 ? c->ends[pipe].prod_tile : 0;
      const struct pto_instr *i = pto_instr_at(m, core, c->pc);
      if (pipe >= 0 && (i->op == PTO_OP_TPOP || i->op == PTO_OP_TPOP_VIEW)) tile = c->ends[pipe].cons_tile;
      pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_FLAG, core * PTO_FLAGS + flag % PTO_FLAGS,
                (uint64_t)c->pc << 32 | (uint32_t)tile);
      return false;
    }
    c->taken++;
  }
  c->waited = 1;
  c->taken = 0;
  return true;
}

/* The Cube of A5 has an id per lane; every other core has one id. */
static unsigned flag_lanes(const struct pto_machine *m, unsigned core, unsigned lanes) {
  return m->profile->point_to_point && core == PTO_AIC ? lanes : 1;
}

void pto_add_flags(struct pto_machine *m, unsigned core, struct pto_flag_request r) {
  unsigned named = flag_lanes(m, core, r.lanes);
  for (unsigned lane = 0; lane < 2; lane++) {
    if (!(named >> lane & 1u)) continue;
    unsigned id = (r.flag + 16 * lane) % PTO_FLAGS;
    if (r.unit == PTO_S) { /* only sets: the scalar unit's waits take place at the instruction itself */
      if (r.pipe >= 0)
        *(r.role == PTO_ROLE_READY ? &m->cores[core].ends[r.pipe].ready_done : &m->cores[core].ends[r.pipe].free_done) += 1;
      pto_flag_set(m, core, PTO_S, id, r.pipe, pto_instr_at(m, core, m->cores[core].pc)->line, r.count);
      continue;
    }
    struct pto_item *item = pto_queue_add(m, core, r.unit, r.kind, m->cores[core].pc);
    item->flag = (uint8_t)id;
    item->count = r.count;
    item->pipe = r.pipe;
    item->tile = r.tile;
    item->role = r.role;
  }
}

struct pto_item *pto_add_mark(struct pto_machine *m, unsigned core, struct pto_mark_request r) {
  struct pto_item *item = pto_queue_add(m, core, r.unit, PTO_ITEM_MARK, m->cores[core].pc);
  item->pipe = r.pipe;
  item->direction = r.direction;
  item->split = r.split;
  item->lanes = (uint8_t)pto_shadow_lanes(m, (unsigned)r.pipe, core, r.split);
  item->tile = r.tile;
  item->slot = (uint16_t)pto_slot(r.tile, m->direction_info[r.pipe][r.direction][core].slots);
  item->at_start = r.mark;
  return item;
}

bool pto_queue_room(struct pto_machine *m, unsigned core, unsigned unit) {
  if (unit == PTO_S || m->queues[pto_agent(core, unit)].count < m->profile->queue_depth) return true;
  pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_QUEUE, unit, (uint64_t)m->cores[core].pc << 32);
  return false;
}
