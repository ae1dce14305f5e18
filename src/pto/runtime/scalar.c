/* The scalar unit of a core: executes the program, computes scalars, queues all other work on the pipes. */
#include "pto/runtime/scalar.h"

#include "pto/runtime/agent.h"
#include "pto/runtime/cost.h"
#include "pto/runtime/flags.h"
#include "pto/runtime/lifetime.h"
#include "pto/runtime/order.h"
#include "pto/runtime/queue.h"
#include "pto/runtime/request.h"
#include "pto/runtime/schedule.h"
#include "pto/runtime/tile.h"
#include "pto/runtime/tpipe.h"

#define SCALARS_PER_TURN 4096u

static int64_t scalar_value(const struct pto_machine *m, const struct pto_core_state *c, const struct pto_instr *i) {
  if (i->op == PTO_OP_LANE) return c->lane;
  if (i->op == PTO_OP_BLOCK) return m->block;
  if (i->op == PTO_OP_BLOCK_NUM) return m->blocks;
  return pto_arith(i->op, pto_scalar(c, i->a), pto_scalar(c, i->b));
}

/* true: it was a scalar instruction and has been executed. */
static bool scalar_step(const struct pto_machine *m, struct pto_core_state *c, const struct pto_instr *i) {
  if (i->op < PTO_OP_SET || i->op > PTO_OP_BRANCH_ZERO) return false;
  if (i->op <= PTO_OP_LANE) {
    c->regs[i->dst] = scalar_value(m, c, i);
    c->pc++;
  } else {
    bool taken = i->op == PTO_OP_JUMP || pto_scalar(c, i->a) == 0;
    c->pc = taken ? i->target : c->pc + 1;
  }
  return true;
}

static bool wait_event(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  const struct pto_core_state *c = &m->cores[core];
  unsigned unit = c->event_unit[i->event];
  if (unit == PTO_S && c->event_ticket[i->event] != UINT32_MAX) return true;
  if (m->queues[pto_agent(core, unit)].done >= c->event_ticket[i->event]) {
    pto_order_wait_item(m, core, unit, c->event_ticket[i->event]);
    return true;
  }
  pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_DEP, unit, (uint64_t)c->pc << 32);
  return false;
}

static bool all_drained(struct pto_machine *m, unsigned core) {
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) {
    if (!m->queues[pto_agent(core, unit)].count) continue;
    pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_DRAIN, unit, (uint64_t)m->cores[core].pc << 32);
    return false;
  }
  pto_order_wait_all(m, core);
  return true;
}

static bool room_for(struct pto_machine *m, unsigned core, unsigned unit) {
  if (m->queues[pto_agent(core, unit)].count < m->profile->queue_depth) return true;
  pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_QUEUE, unit, (uint64_t)m->cores[core].pc << 32);
  return false;
}

/* set_flag and wait_flag with the scalar unit as one of the two pipes: that half takes place at the instruction itself. */
static void set_from_scalar(struct pto_machine *m, unsigned core, unsigned to, unsigned event) {
  m->cores[core].local[PTO_S][to][event]++;
  pto_order_signal(m, core, PTO_S, to, event);
  uint64_t bit = UINT64_C(1) << pto_agent(core, to);
  if ((m->waiting & bit) && pto_engine_agent(m, pto_agent(core, to))->wait.kind == PTO_WAIT_LOCAL)
    pto_wake(m, pto_agent(core, to), m->engine.now + 1);
}

static bool wait_at_scalar(struct pto_machine *m, unsigned core, unsigned from, unsigned event) {
  uint8_t *count = &m->cores[core].local[from][PTO_S][event];
  if (*count == 0) {
    pto_stall(m, pto_agent(core, PTO_S), PTO_WAIT_LOCAL, from * 64u + PTO_S * 8u + event, (uint64_t)m->cores[core].pc << 32);
    return false;
  }
  --*count;
  pto_order_await(m, core, from, PTO_S, event);
  return true;
}

/* Bare flags and order between pipes. */
static bool do_sync_op(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  unsigned id = (unsigned)pto_scalar(&m->cores[core], i->a);
  struct pto_item *item;
  switch (i->op) {
    case PTO_OP_WAIT_EVENT: return wait_event(m, core, i);
    case PTO_OP_SET_VALID: return pto_set_valid(m, core, i);
    case PTO_OP_BARRIER: return i->unit < PTO_UNITS ? true : all_drained(m, core); /* a pipe works in order anyway */
    case PTO_OP_SET_FLAG:
      if (i->unit != PTO_S) break;
      set_from_scalar(m, core, i->unit2, id & 7u);
      return true;
    case PTO_OP_WAIT_FLAG:
      if (i->unit2 != PTO_S) break;
      return wait_at_scalar(m, core, i->unit, id & 7u);
    case PTO_OP_CROSS_WAIT:
      if (m->profile->wait_stalls_core || i->unit == PTO_S) return pto_scalar_wait(m, core, id, PTO_NONE, 1, i->line);
      break;
    case PTO_OP_CROSS_SET:
      if (i->unit != PTO_S) break;
      pto_flag_set(m, core, PTO_S, id % PTO_FLAGS, PTO_NONE, i->line, 1);
      return true;
    default: break;
  }
  unsigned unit = i->op == PTO_OP_WAIT_FLAG ? i->unit2 : i->unit;
  if (!room_for(m, core, unit)) return false;
  static const uint8_t kinds[] = {PTO_ITEM_LOCAL_SET, PTO_ITEM_LOCAL_WAIT, 0, PTO_ITEM_SET, PTO_ITEM_WAIT};
  item = pto_queue_add(m, core, unit, kinds[i->op - PTO_OP_SET_FLAG], m->cores[core].pc);
  item->flag = (uint8_t)(id % PTO_FLAGS);
  item->role = PTO_ROLE_BARE;
  if (i->op == PTO_OP_SET_FLAG) item->flag = (uint8_t)((unsigned)i->unit2 << 3 | (id & 7u));
  if (i->op == PTO_OP_WAIT_FLAG) item->flag = (uint8_t)((unsigned)i->unit << 3 | (id & 7u));
  return true;
}

static bool perform(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  if (i->op >= PTO_OP_LOAD) return pto_do_tile_op(m, core, i);
  if (i->op >= PTO_OP_WAIT_EVENT) return do_sync_op(m, core, i);
  return pto_do_pipe_op(m, core, i);
}

/* The end of the program: tears down pipes in the reverse order of their construction, then drains all queues. */
static bool finish(struct pto_machine *m, unsigned core) {
  struct pto_core_state *c = &m->cores[core];
  if (c->teardown == 0) c->teardown = m->program->pipe_count + 1;
  while (c->teardown > 1) {
    unsigned pipe = c->teardown - 2;
    if (m->program->pipes[pipe].has[core] && !pto_do_teardown(m, core, pipe)) return false;
    c->teardown--;
  }
  return all_drained(m, core);
}

void pto_scalar_turn(struct pto_machine *m, unsigned core) {
  struct pto_core_state *c = &m->cores[core];
  unsigned agent = pto_agent(core, PTO_S);
  for (unsigned n = 0; n < SCALARS_PER_TURN; n++) {
    const struct pto_instr *i = pto_instr_at(m, core, c->pc);
    if (scalar_step(m, c, i)) continue;
    m->work += n + PTO_WORK_OTHER;
    if (!c->delayed) {
      uint32_t late = pto_schedule_delay(&m->schedule, agent, c->started++, i->line);
      c->delayed = 1;
      c->tick++;
      if (late) {
        pto_unstall(m, agent);
        pto_sleep_until(m, agent, m->engine.now + late);
        return;
      }
    }
    if (i->op == PTO_OP_END) {
      if (!finish(m, core)) return;
      pto_unstall(m, agent);
      c->finished = 1;
      for (unsigned unit = PTO_S; unit < PTO_UNITS; unit++)
        if (m->engine_id[pto_agent(core, unit)] != PTO_NO_ENGINE_ID)
          sim_done(&m->engine, m->engine_id[pto_agent(core, unit)]);
      return;
    }
    if (!perform(m, core, i)) return;
    pto_unstall(m, agent);
    c->waited = c->delayed = 0;
    c->pc++;
    c->instructions++;
    m->stats.busy[agent] += m->profile->issue_cycles;
    pto_sleep_until(m, agent, m->engine.now + m->profile->issue_cycles);
    return;
  }
  m->work += SCALARS_PER_TURN;
  pto_sleep_until(m, agent, m->engine.now + 1); /* a long scalar sequence: let other agents run */
}
