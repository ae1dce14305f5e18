/* The threads at the gate while no other agent acts (sole.h). Words that only their unit can block pass without the phases of gate.c,
 * which handle all blocking conditions. */
#include "tensix/frontend/sole.h"

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/frontend/stream.h"
#include "tensix/frontend/waits.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/config.h"

/* Units whose words may change the result of is_clear. */
#define UNSETTLING (1u << TX_UNIT_SYNC | 1u << TX_UNIT_SCALAR | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MOVER)
/* Units that are never occupied. */
#define UNOCCUPIED (1u << TX_UNIT_SYNC | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC)
#define LOGGED (1u << TX_EVENT_UNIT | 1u << TX_EVENT_BLOCK)

/* No latched wait, access of the core or instruction inside the scalar unit, and no hook is set. */
static inline bool is_clear(const struct tx_tile *t, unsigned thread, const struct tx_gate *g) {
  const sim_time now = t->engine.now;
  if (g->latch.opcode | g->accesses) return false;
  if (t->scalar.hold_until[thread] > now) return false;
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

static inline unsigned port_of(const struct tx_timed *row, uint32_t word) {
  return row->unit == TX_UNIT_CONFIG ? tx_gate_port(&tx_ops[word >> 24], word) : tx_gate_ports[row->unit];
}

/* The result of request and arbitration: it passes. */
static inline void grant(struct tx_tile *t, unsigned thread, struct tx_gate *g, unsigned port) {
  g->wants = port;
  g->granted = 1;
  g->latch_met = 0;
  if (port != TX_PORT_NONE) t->arbiter.last[port] = (uint8_t)thread;
}

/* The head, which was granted its port, passes now. Returns the time at which the thread may pass its next word. */
static inline sim_time pass(struct tx_tile *t, unsigned thread, struct tx_gate *g, const struct tx_timed *row,
                            const struct tx_word *head) {
  struct tx_unit_state *unit = sim_keep(&t->units[row->unit]);
  const sim_time now = t->engine.now;
  const uint32_t word = head->word, pc = head->pc;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = word;
  t->current.pc = pc;
  t->current.unit = row->unit;
  g->issued++;
  if (__builtin_expect(sim_log_wants(&t->unsaved.log, TX_EVENT_ISSUE),
                       0)) { /* a checker looks at the stages before their step */
    tx_frontend_pop(t, thread);
    tx_emit_slow(t, TX_EVENT_ISSUE, tx_agent_of_thread(thread), word, pc, row->unit);
  } else {
    tx_frontend_pop_and_step(t, thread);
  }
  if (t->config.pending_until[thread] > now) tx_config_check_reader(t, thread, word);
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
static inline sim_time wait_for_word(const struct tx_tile *t, unsigned thread, sim_time limit) {
  const sim_time next = t->engine.now + 1;
  return t->frontend[thread].moving == TX_MOVING && sim_alone_before(&t->engine, next, limit) ? next : 0;
}

static inline bool is_occupied(const struct tx_tile *t, const struct tx_timed *row) {
  return t->units[row->unit].free_at > t->engine.now && !(UNOCCUPIED >> row->unit & 1u);
}

/* Handles this cycle completely and returns the time of the thread's next evaluation; 0: the phases have to do it. */
static inline sim_time look(struct tx_tile *t, unsigned thread, struct tx_gate *g, const struct tx_word *head,
                            const struct tx_timed *row, sim_time limit) {
  const sim_time now = t->engine.now;
  if (!is_plain(t, row, head->word)) return 0;
  if (is_occupied(t, row)) { /* the wait is recorded in advance */
    const sim_time free_at = t->units[row->unit].free_at;
    if (!sim_alone_before(&t->engine, free_at, limit)) return 0;
    g->stalled[TX_BLOCKED_UNIT] += free_at - now;
    return free_at;
  }
  if (!unit_takes(t, thread, row, head->word)) {
    if (row->unit != TX_UNIT_VECTOR || !sim_alone_before(&t->engine, now + 1, limit)) return 0;
    g->stalled[TX_BLOCKED_HAZARD]++; /* it makes a request in every cycle (tx_vector_ready) */
    return now + 1;
  }
  grant(t, thread, g, port_of(row, head->word));
  return pass(t, thread, g, row, head);
}

/* No word of a stream is reported. */
static inline bool may_stream(const struct tx_tile *t, unsigned thread) {
  return !sim_log_wants(&t->unsaved.log, TX_EVENT_ISSUE) && t->config.pending_until[thread] <= t->engine.now;
}

/* Passes words while none is blocked. true: another agent acts before the thread; false: the phases have to execute this cycle. */
static bool run_stream(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  if (!is_clear(t, thread, g)) return false;
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
      if (unit == TX_UNIT_VECTOR && may_stream(t, thread)) next = tx_gate_stream(t, thread, limit);
      if (!next) next = look(t, thread, g, head, row, limit);
    } else {
      next = wait_for_word(t, thread, limit);
    }
    if (!next) return false;
    if (!sim_alone_before(engine, next, limit)) {
      sim_sleep_until(engine, tx_agent_of_thread(thread), next);
      return true;
    }
    engine->now = next;
    if ((UNSETTLING >> unit & 1u) && !is_clear(t, thread, g)) return false;
  }
}

/* --- one cycle --- */

/* For a thread whose next word moves towards the gate. */
static const struct tx_timed no_word;

/* The row of a head that passes without the phases, if the arbitration grants its port; NULL: the phases have to find out. */
static inline const struct tx_timed *ready_head(struct tx_tile *t, unsigned thread, const struct tx_gate *g,
                                                const struct tx_frontend *fe) {
  const struct tx_fifo *fifo = &fe->fifo3;
  if (!is_clear(t, thread, g)) return NULL;
  if (fe->stepped < t->engine.now - 1) tx_frontend_settle(t, thread, t->engine.now - 1);
  if (t->fault.kind) return NULL;
  if (!fifo->count) return fe->moving == TX_MOVING ? &no_word : NULL;
  const uint32_t word = fifo->slot[fifo->head].word;
  const struct tx_timed *row = &tx_timed[word >> 24];
  if (!is_plain(t, row, word) || is_occupied(t, row)) return NULL;
  if (row->unit == TX_UNIT_SYNC && t->arbiter.sync_taken_at == t->engine.now) return NULL; /* by a core */
  return unit_takes(t, thread, row, word) ? row : NULL;
}

/* Its wait is over. No event reports that (is_clear). */
static inline void end_wait(struct tx_tile *t, unsigned thread, struct tx_gate *g) {
  struct sim_wait *wait = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)].wait);
  if (!wait->kind) return;
  g->stalled[wait->kind] += t->engine.now - wait->since;
  *wait = (struct sim_wait){0};
}

/* It looks again in the next cycle. */
static inline void await_word(struct tx_tile *t, unsigned thread, struct tx_gate *g) {
  g->wants = TX_PORT_COUNT;
  g->granted = 0;
  g->latch_met = 0;
  end_wait(t, thread, g);
  sim_sleep_on(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_FIFO + thread), t->engine.now + 1);
}

/* The head passes, and the thread sleeps until its next one may. */
static inline void pass_one(struct tx_tile *t, unsigned thread, struct tx_gate *g, const struct tx_frontend *fe,
                            const struct tx_timed *row) {
  end_wait(t, thread, g);
  const sim_time next = pass(t, thread, g, row, &fe->fifo3.slot[fe->fifo3.head]);
  tx_sleep_after_word(t, thread, row->unit, next);
}

/* The only thread that acts in this cycle. */
static void act(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_timed *row = ready_head(t, thread, g, fe);
  if (row == &no_word) {
    await_word(t, thread, g);
  } else if (row) {
    grant(t, thread, g, port_of(row, fe->fifo3.slot[fe->fifo3.head].word));
    pass_one(t, thread, g, fe, row);
  } else {
    tx_gate_request(t, thread);
    tx_gate_grant(t, thread);
    tx_gate_issue(t, thread);
  }
}

/* What the threads want in this cycle, apart from requests at the arbiter. */
struct wants {
  const struct tx_timed *row[TX_THREADS]; /* of heads that pass if no other thread has the same port */
  uint32_t ports;
  bool clash;
};

static inline void request(struct tx_tile *t, unsigned thread, struct wants *w) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_timed *row = w->row[thread] = ready_head(t, thread, g, fe);
  if (!row) tx_gate_request(t, thread);
  if (!row || row == &no_word) return;
  g->wants = port_of(row, fe->fifo3.slot[fe->fifo3.head].word);
  g->granted = 0;
  g->latch_met = 0;
  const uint32_t port = 1u << g->wants & ~(1u << TX_PORT_NONE);
  w->clash |= (w->ports & port) != 0;
  w->ports |= port;
}

/* Two heads may want the same port: the arbiter decides. CFGSHIFTMASK occupies two. */
static void leave_to_arbiter(struct tx_tile *t, struct wants *w) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    if (!w->row[thread] || w->row[thread] == &no_word) continue;
    w->row[thread] = NULL;
    t->arbiter.requests[t->gate[thread].wants] |= (uint8_t)(1u << thread);
    t->arbiter.touched |= UINT64_C(1) << t->gate[thread].wants;
  }
}

static inline void issue(struct tx_tile *t, unsigned thread, const struct wants *w) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  if (!w->row[thread]) {
    tx_gate_issue(t, thread);
  } else if (w->row[thread] == &no_word) {
    if (!t->fault.kind) await_word(t, thread, g);
  } else {
    grant(t, thread, g, g->wants);
    if (!t->fault.kind) pass_one(t, thread, g, sim_keep(&t->frontend[thread]), w->row[thread]);
  }
  sim_acted(&t->engine, tx_agent_of_thread(thread));
}

void tx_gate_cycle(struct tx_tile *t, unsigned threads) {
  struct sim_engine *engine = &t->engine;
  const bool one = !(threads & (threads - 1));
  struct wants w = {.row = {NULL}};
  tx_assert(threads && threads < 1u << TX_THREADS);
  if (one) {
    const unsigned thread = (unsigned)__builtin_ctz(threads);
    act(t, thread);
    sim_acted(engine, tx_agent_of_thread(thread));
    return;
  }
  for (unsigned left = threads; left; left &= left - 1) request(t, (unsigned)__builtin_ctz(left), &w);
  if (w.clash || (w.ports & t->arbiter.touched) || (w.ports >> TX_PORT_CONFIG_M1 & 1u)) leave_to_arbiter(t, &w);
  if (t->arbiter.touched) tx_gate_arbitrate(t);
  for (unsigned left = threads; left; left &= left - 1) {
    const unsigned thread = (unsigned)__builtin_ctz(left);
    engine->sole = tx_agent_of_thread(thread) + 1; /* its next time is not a change of the schedule */
    issue(t, thread, &w);
  }
  engine->sole = 0;
}

/* --- many cycles --- */

/* The thread acts alone until `limit`, or until the schedule changes. */
static void run_alone(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct sim_agent *agent = sim_keep(&engine->agents[tx_agent_of_thread(thread)]);
  tx_assert(limit > engine->now);
  for (;;) {
    if (agent->wait.kind) {
      act(t, thread); /* the only request */
    } else {
      if (run_stream(t, thread, limit)) return;
      tx_gate_request(t, thread); /* what ends the stream keeps the head from passing at once */
      tx_gate_grant(t, thread);
      tx_gate_issue(t, thread);
    }
    sim_acted(engine, tx_agent_of_thread(thread));
    if (!sim_alone_before(engine, agent->at, limit)) return;
    engine->now = agent->at;
  }
}

void tx_gate_run_threads(struct tx_tile *t, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  for (;;) {
    sim_time first = limit, then = limit;
    unsigned due = 0;
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
      const sim_time at = engine->agents[tx_agent_of_thread(thread)].at;
      if (at < first) {
        then = first;
        first = at;
        due = 1u << thread;
      } else if (at == first) {
        then = at;
        due |= 1u << thread;
      } else if (at < then) {
        then = at;
      }
    }
    if (first >= limit) return;
    engine->now = first;
    if (then > first) {
      engine->sole = tx_agent_of_thread((unsigned)__builtin_ctz(due)) + 1;
      run_alone(t, engine->sole - 1 - TX_AGENT_THREAD0, then);
      engine->sole = 0;
    } else {
      tx_gate_cycle(t, due);
    }
    if (engine->schedule_changed) limit = sim_group_limit(engine, TX_AGENT_THREAD2 + 1);
  }
}
