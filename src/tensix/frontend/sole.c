/* One thread at the gate, for a cycle or while it is the only active agent (sole.h). Words that only their unit can block
 * pass without the phases of gate.c, which handle several threads and all blocking conditions. */
#include "tensix/frontend/sole.h"

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/frontend/stream.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"

/* Units whose words may change the result of is_clear. */
#define UNSETTLING (1u << TX_UNIT_SYNC | 1u << TX_UNIT_SCALAR | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MOVER)
/* Units that are never occupied. */
#define UNOCCUPIED (1u << TX_UNIT_SYNC | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC)
#define LOGGED (1u << TX_EVENT_UNIT | 1u << TX_EVENT_BLOCK)

static inline bool alone_before(struct tx_tile *t, unsigned thread, sim_time at, sim_time *limit) {
  return (at < *limit && !sim_must_return(&t->engine, at)) || tx_gate_is_alone(t, thread, at, limit);
}

/* No latched wait, access of the core, instruction inside the scalar unit or pending configuration, and no hook is set. */
static bool is_clear(const struct tx_tile *t, unsigned thread) {
  const sim_time now = t->engine.now;
  const struct tx_gate *g = sim_keep(&t->gate[thread]);
  if (g->latch.opcode | g->accesses) return false;
  if (t->scalar.hold_until[thread] > now || t->config.pending_until[thread] > now) return false;
  return !(t->unsaved.log.mask & LOGGED) && !t->unsaved.what_if;
}

static inline bool source_is_there(const struct tx_tile *t, const struct tx_timed *row) {
  return !((row->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) &&
         !((row->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB));
}

static inline bool unit_takes(struct tx_tile *t, unsigned thread, const struct tx_timed *row, uint32_t word) {
  if (!row->ready) return true;
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  answer->ok = true;
  row->ready(t, thread, word, answer);
  return answer->ok;
}

/* The head passes now. Returns the time at which the thread may pass its next word. */
static inline sim_time pass(struct tx_tile *t, unsigned thread, const struct tx_timed *row, const struct tx_word *head) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_unit_state *unit = sim_keep(&t->units[row->unit]);
  const sim_time now = t->engine.now;
  const uint32_t word = head->word, pc = head->pc;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = word;
  t->current.pc = pc;
  t->current.unit = row->unit;
  g->wants = row->unit == TX_UNIT_CONFIG ? tx_gate_port(&tx_ops[word >> 24], word) : tx_gate_ports[row->unit];
  g->granted = 1;
  g->latch_met = 0;
  if (g->wants != TX_PORT_NONE) t->arbiter.last[g->wants] = (uint8_t)thread;
  g->issued++;
  if (__builtin_expect(sim_log_wants(&t->unsaved.log, TX_EVENT_ISSUE),
                       0)) { /* a checker looks at the stages before their step */
    tx_frontend_pop(t, thread);
    tx_emit_slow(t, TX_EVENT_ISSUE, tx_agent_of_thread(thread), word, pc, row->unit);
  } else {
    tx_frontend_pop_and_step(t, thread);
  }
  struct tx_cost cost = row->cost;
  row->body(t, thread, word, &cost);
  const sim_time start = now + cost.hold, free_at = start + cost.issue,
                 drained_at = cost.latency ? start + cost.latency : free_at;
  tx_assert(free_at > now && drained_at > now);
  if (unit->free_at < free_at) unit->free_at = free_at;
  if (unit->drained_at[thread] < drained_at) unit->drained_at[thread] = drained_at;
  unit->busy_cycles += free_at - now;
  unit->accepted[thread]++;
  return now + cost.thread;
}

/* Can only its unit block this word? */
static inline bool is_plain(const struct tx_tile *t, const struct tx_timed *row, uint32_t word) {
  if (word & ~row->used || !row->body) return false; /* words of the front end have no body */
  return !row->wait || source_is_there(t, row);
}

/* FIFO 3 is empty: the time of the next evaluation; 0: the phases have to do this one. */
static inline sim_time wait_for_word(struct tx_tile *t, unsigned thread, sim_time *limit) {
  const sim_time next = t->engine.now + 1;
  return t->frontend[thread].moving == TX_MOVING && alone_before(t, thread, next, limit) ? next : 0;
}

/* Handles this cycle completely and returns the time of the thread's next evaluation; 0: the phases have to do it. */
static inline sim_time look(struct tx_tile *t, unsigned thread, const struct tx_word *head, const struct tx_timed *row,
                            sim_time *limit) {
  const sim_time now = t->engine.now;
  if (!is_plain(t, row, head->word)) return 0;
  const sim_time free_at = t->units[row->unit].free_at;
  if (free_at > now && !(UNOCCUPIED >> row->unit & 1u)) { /* the wait is recorded in advance */
    if (!alone_before(t, thread, free_at, limit)) return 0;
    t->gate[thread].stalled[TX_BLOCKED_UNIT] += free_at - now;
    return free_at;
  }
  if (!unit_takes(t, thread, row, head->word)) {
    if (row->unit != TX_UNIT_VECTOR || !alone_before(t, thread, now + 1, limit)) return 0;
    t->gate[thread].stalled[TX_BLOCKED_HAZARD]++; /* it makes a request in every cycle (tx_vector_ready) */
    return now + 1;
  }
  return pass(t, thread, row, head);
}

/* Passes words while none is blocked. true: another agent acts before the thread; false: the phases have to execute this cycle. */
static bool run_stream(struct tx_tile *t, unsigned thread, sim_time *limit) {
  struct sim_engine *engine = &t->engine;
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (!is_clear(t, thread)) return false;
  sim_sleep_until(engine, tx_agent_of_thread(thread), engine->now); /* waits for no event */
  for (;;) {
    tx_frontend_settle(t, thread, engine->now - 1);
    if (t->fault.kind) return false;
    sim_time next = 0;
    unsigned unit = TX_UNIT_COUNT;
    if (fe->fifo3.count) {
      const struct tx_word *head = &fe->fifo3.slot[fe->fifo3.head];
      const struct tx_timed *row = &tx_timed[head->word >> 24];
      unit = row->unit;
      if (unit == TX_UNIT_VECTOR && !sim_log_wants(&t->unsaved.log, TX_EVENT_ISSUE)) next = tx_gate_stream(t, thread, limit);
      if (!next) next = look(t, thread, head, row, limit);
    } else {
      next = wait_for_word(t, thread, limit);
    }
    if (!next) return false;
    if (!alone_before(t, thread, next, limit)) {
      sim_sleep_until(engine, tx_agent_of_thread(thread), next);
      return true;
    }
    engine->now = next;
    if ((UNSETTLING >> unit & 1u) && !is_clear(t, thread)) return false;
  }
}

/* The head passes in this cycle without the phases. false: no change. */
static bool pass_at_once(struct tx_tile *t, unsigned thread) {
  const struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo3);
  if (!is_clear(t, thread)) return false;
  tx_frontend_settle(t, thread, t->engine.now - 1);
  if (!fifo->count || t->fault.kind) return false;
  const struct tx_word *head = &fifo->slot[fifo->head];
  const struct tx_timed *row = &tx_timed[head->word >> 24];
  if (!is_plain(t, row, head->word)) return false;
  if (!(UNOCCUPIED >> row->unit & 1u) && t->units[row->unit].free_at > t->engine.now) return false;
  if (row->unit == TX_UNIT_SYNC) return false; /* a core may have used the port */
  if (!unit_takes(t, thread, row, head->word)) return false;
  static const struct sim_wait nothing;
  if (t->engine.agents[tx_agent_of_thread(thread)].wait.kind) tx_gate_block(t, thread, &nothing); /* its wait is over */
  const sim_time next = pass(t, thread, row, head);
  if (next == t->engine.now + 1 && tx_gate_next_is_alike(t, thread, row->unit)) tx_gate_wait_for_unit(t, thread, row->unit);
  else sim_sleep_until(&t->engine, tx_agent_of_thread(thread), next);
  return true;
}

static inline void take_phases(struct tx_tile *t, unsigned thread) {
  tx_gate_request(t, thread);
  tx_gate_grant(t, thread);
  tx_gate_issue(t, thread);
}

void tx_gate_act(struct tx_tile *t, unsigned thread) {
  if (!pass_at_once(t, thread)) take_phases(t, thread);
}

void tx_gate_run_sole(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct sim_agent *agent = sim_keep(&engine->agents[tx_agent_of_thread(thread)]);
  tx_assert(limit > engine->now);
  for (;;) {
    if (agent->wait.kind) {
      tx_gate_act(t, thread); /* the only request */
    } else {
      if (run_stream(t, thread, &limit)) return;
      take_phases(t, thread); /* what ends the stream keeps the head from passing at once */
    }
    sim_acted(engine, tx_agent_of_thread(thread));
    if (!alone_before(t, thread, agent->at, &limit)) return;
    engine->now = agent->at;
  }
}
