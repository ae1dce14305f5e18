/* The pipes: each processes its queue in order. */
#include "pto/runtime/queue.h"

#include <string.h>

#include "pto/runtime/agent.h"
#include "pto/runtime/data.h"
#include "pto/runtime/flags.h"
#include "pto/runtime/link.h"
#include "pto/runtime/order.h"
#include "pto/runtime/overlap.h"
#include "pto/runtime/race.h"
#include "pto/runtime/report.h"
#include "pto/runtime/schedule.h"
#include "pto/runtime/shadow.h"

struct pto_item *pto_queue_add(struct pto_machine *m, unsigned core, unsigned unit, unsigned kind, uint32_t instr) {
  struct pto_queue *q = &m->queues[pto_agent(core, unit)];
  struct pto_item *item = &q->items[(q->head + q->count) % PTO_QUEUE_MAX];
  memset(item, 0, offsetof(struct pto_item, dst)); /* only ref_count references are valid */
  item->kind = (uint8_t)kind;
  item->instr = instr;
  item->line = pto_instr_at(m, core, instr)->line;
  item->pipe = -1;
  item->count = 1;
  pto_order_queue(&m->cores[core], item);
  q->count++;
  q->issued++;
  pto_wake(m, pto_agent(core, unit), m->engine.now + 1);
  return item;
}

bool pto_deps_ready(const struct pto_machine *m, unsigned core, const uint32_t *need, unsigned *missing) {
  for (unsigned unit = 0; unit < PTO_UNITS; unit++) {
    if (m->queues[pto_agent(core, unit)].done >= need[unit]) continue;
    *missing = unit;
    return false;
  }
  return true;
}

/* Another pipe of this core may wait for the item that has just ended. */
static void wake_core(struct pto_machine *m, unsigned core, unsigned self) {
  for (uint64_t left = m->waiting & pto_core_agents(core) & ~(UINT64_C(1) << self); left; left &= left - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(left), kind = pto_engine_agent(m, agent)->wait.kind;
    if (kind != PTO_WAIT_FLAG && kind != PTO_WAIT_POOL) pto_wake(m, agent, m->engine.now + 1);
  }
}

static void finish_work(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_queue *q,
                        const struct pto_item *item) {
  unsigned agent = pto_agent(core, unit);
  if (item->ref_count) pto_shadow_uses(m, core, unit, item);
  if (m->any_overlap && item->ref_count) pto_overlap_written(m, core, unit, item);
  if (m->with_data) pto_do_work(m, core, item);
  m->stats.busy[agent] += q->end - q->begin;
  m->spent[core][item->instr].busy += q->end - q->begin;
  m->spent[core][item->instr].unit = (uint8_t)unit;
  if (!--m->stats.core_working[core]) m->stats.core_busy[core] += m->engine.now - m->stats.core_began[core];
  if (!sim_log_wants(&m->log, PTO_EV_WORK)) return;
  sim_log_emit(&m->log, &(struct sim_event){.at = m->engine.now,
                                            .kind = PTO_EV_WORK,
                                            .agent = agent,
                                            .a = item->instr,
                                            .b = (uint32_t)item->tile,
                                            .c = q->begin});
}

void pto_count_work(struct pto_machine *m, unsigned core, unsigned unit) {
  const struct pto_queue *q = &m->queues[pto_agent(core, unit)];
  if (!q->running) return;
  m->stats.busy[pto_agent(core, unit)] += m->engine.now - q->begin;
  m->spent[core][q->items[q->head].instr].busy += m->engine.now - q->begin;
  m->spent[core][q->items[q->head].instr].unit = (uint8_t)unit;
  if (!--m->stats.core_working[core]) m->stats.core_busy[core] += m->engine.now - m->stats.core_began[core];
}

/* Counts the push or pop whose part ends with this item. */
static void count_done(struct pto_machine *m, unsigned core, const struct pto_item *item) {
  if (item->pipe < 0) return;
  struct pto_end *e = &m->cores[core].ends[item->pipe];
  unsigned op = pto_instr_at(m, core, item->instr)->op;
  if (item->kind == PTO_ITEM_SET) {
    if (item->role == PTO_ROLE_READY) e->ready_done++;
    if (item->role == PTO_ROLE_FREE) e->free_done++;
  } else if (item->kind != PTO_ITEM_WAIT) {
    if (op == PTO_OP_TPUSH || op == PTO_OP_TPUSH_VIEW) e->pushes_done++;
    if (op == PTO_OP_TPOP || op == PTO_OP_TPOP_VIEW) e->pops_done++;
  }
}

/* The item at the head is done. */
static void retire(struct pto_machine *m, unsigned agent, struct pto_queue *q) {
  const struct pto_item *item = &q->items[q->head];
  if (item->kind == PTO_ITEM_WORK || item->kind == PTO_ITEM_MARK || m->events_used) pto_order_end(m, agent, item->line);
  m->stats.items[agent]++;
  q->count--;
  q->head = q->count ? (q->head + 1) % PTO_QUEUE_MAX : 0; /* an empty queue restarts: fewer items are touched */
  q->done++;
  q->running = q->delayed = 0;
  q->taken = 0;
}

/* Manual synchronisation: an operand of another pipe's item that the program does not order before this one is a race. */
static void check_manual(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  uint32_t line = 0;
  unsigned missing = pto_order_missing(m, core, unit, item, &line);
  if (missing == PTO_UNITS) return;
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_UNSYNCED,
                                   .core = (uint8_t)core,
                                   .unit = (uint8_t)unit,
                                   .pipe = -1,
                                   .detail = (uint16_t)missing,
                                   .line = item->line,
                                   .other_line = line});
}

/* Have the other pipes of the core finished the items that this one depends on? */
static bool deps_met(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, uint64_t detail) {
  unsigned missing = 0, agent = pto_agent(core, unit), partner = unit == PTO_FIX ? PTO_M : PTO_FIX;
  if (m->what_if.no_dependencies >> core & 1u) return true;
  if (item->unit_flag && m->queues[pto_agent(core, partner)].done < item->need[partner]) {
    pto_stall(m, agent, PTO_WAIT_DEP, partner, detail);
    return false;
  }
  if (!item->needs || m->function[core]->manual_sync || pto_deps_ready(m, core, item->need, &missing)) return true;
  pto_stall(m, agent, PTO_WAIT_DEP, missing, detail);
  return false;
}

/* Are the flags and events that the item waits for set? false: not yet. */
static bool flags_met(struct pto_machine *m, unsigned core, unsigned unit, struct pto_queue *q, const struct pto_item *item,
                      uint64_t detail) {
  unsigned agent = pto_agent(core, unit);
  if (item->kind == PTO_ITEM_WAIT) {
    if (m->what_if.no_wait && pto_waits_not(m, core, item->pipe, item->role)) return true;
    for (; q->taken < item->count; q->taken++)
      if (!pto_flag_take(m, core, item->flag, item->pipe, unit, item->line)) {
        pto_stall(m, agent, PTO_WAIT_FLAG, core * PTO_FLAGS + item->flag, detail);
        return false;
      }
    return true;
  }
  if (item->kind != PTO_ITEM_LOCAL_WAIT) return true;
  uint8_t *count = &m->cores[core].local[item->flag >> 3][unit][item->flag & 7u];
  if (*count == 0) {
    pto_stall(m, agent, PTO_WAIT_LOCAL, (uint32_t)(item->flag >> 3) * 64u + unit * 8u + (item->flag & 7u), detail);
    return false;
  }
  --*count;
  pto_order_await(m, core, item->flag >> 3, unit, item->flag & 7u);
  return true;
}

static void start_work(struct pto_machine *m, unsigned core, unsigned unit, struct pto_queue *q,
                       const struct pto_item *item) {
  if (item->ref_count) pto_shadow_uses(m, core, unit, item);
  if (m->any_overlap) pto_overlap_read(m, core, unit, item);
  if (m->races_watched) pto_race_access(m, core, unit, item);
  q->begin = m->engine.now;
  const bool no_time = m->what_if.no_time >> pto_agent(core, unit) & 1u;
  q->end = m->engine.now + (no_time ? 0 : item->cost);
  if (m->link && item->gm_bytes && !no_time) q->end = pto_link_serve(m, item->gm_bytes, q->end);
  q->running = 1;
  if (!m->stats.core_working[core]++) m->stats.core_began[core] = q->begin;
}

/* One step of the item at the head: it starts, or ends. false: the pipe has to wait. Only the work itself takes time. */
static bool step(struct pto_machine *m, unsigned core, unsigned unit, struct pto_queue *q, struct pto_item *item) {
  unsigned agent = pto_agent(core, unit);
  if (!q->delayed) {
    uint32_t late = pto_schedule_delay(&m->schedule, agent, q->started++, item->line);
    q->delayed = 1;
    if (late) {
      pto_unstall(m, agent);
      pto_sleep_until(m, agent, m->engine.now + late);
      return false;
    }
  }
  uint64_t detail = (uint64_t)item->instr << 32 | (uint32_t)item->tile;
  if ((item->needs | item->unit_flag) && !deps_met(m, core, unit, item, detail)) return false;
  if (!flags_met(m, core, unit, q, item, detail)) return false;
  pto_unstall(m, agent);
  pto_order_start(m, core, unit, item);
  if (item->needs && m->function[core]->manual_sync) check_manual(m, core, unit, item);
  if (item->at_start) pto_shadow(m, core, unit, item, item->at_start);
  if (item->kind == PTO_ITEM_WORK) start_work(m, core, unit, q, item);
  else if (item->kind == PTO_ITEM_SET) pto_flag_set(m, core, unit, item->flag, item->pipe, item->line, item->count);
  else if (item->kind == PTO_ITEM_LOCAL_SET) {
    m->cores[core].local[unit][item->flag >> 3][item->flag & 7u]++;
    pto_order_signal(m, core, unit, item->flag >> 3, item->flag & 7u);
  }
  return true;
}

void pto_pipe_turn(struct pto_machine *m, unsigned core, unsigned unit) {
  unsigned agent = pto_agent(core, unit);
  struct pto_queue *q = &m->queues[agent];
  uint32_t before = q->done;
  for (;;) {
    struct pto_item *item = &q->items[q->head];
    if (!q->count) {
      pto_unstall(m, agent);
      pto_sleep(m, agent);
      break;
    }
    if (!q->running && !step(m, core, unit, q, item)) break;
    if (q->running) {
      if (m->engine.now < q->end) {
        pto_sleep_until(m, agent, q->end);
        break;
      }
      finish_work(m, core, unit, q, item);
      if (item->at_end) pto_shadow(m, core, unit, item, item->at_end);
    }
    count_done(m, core, item);
    retire(m, agent, q);
  }
  if (q->done != before) wake_core(m, core, agent);
}
