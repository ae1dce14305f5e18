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
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/config.h"

/* Units whose words may change the result of is_clear. */
#define UNSETTLING (1u << TX_UNIT_SYNC | 1u << TX_UNIT_SCALAR | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MOVER)
/* Units that are never occupied. */
#define UNOCCUPIED (1u << TX_UNIT_SYNC | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC)
/* Units whose port serves one thread in a cycle. */
#define SHARED (~(1u << TX_UNIT_MISC))
#define LOGGED (1u << TX_EVENT_UNIT | 1u << TX_EVENT_BLOCK)

#define OUT_OF_LINE __attribute__((noinline)) static

/* No latched wait, no hold, no core's write of a semaphore, and no hook is set. */
static inline bool is_clear(const struct tx_tile *t, unsigned thread, const struct tx_gate *g) {
  if (g->latch.opcode || !tx_gate_is_open(t, thread, g) || t->arbiter.sync_taken_at == t->engine.now) return false;
  return !(t->unsaved.log.mask & LOGGED) && !t->unsaved.what_if;
}

static inline bool source_is_there(const struct tx_tile *t, const struct tx_timed *row) {
  return !((row->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) &&
         !((row->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB));
}

/* The usual answer of matrix unit and packer, without a call. */
static inline bool surely_takes(const struct tx_tile *t, unsigned unit) {
  const sim_time now = t->engine.now;
  if (unit == TX_UNIT_PACK) return t->pack.count < TX_PACK_BATCHES;
  return unit == TX_UNIT_MATRIX && t->matrix.movd2a_until <= now && t->matrix.movd2b_until <= now &&
         t->matrix.movdst_until <= now;
}

static inline bool unit_takes(struct tx_tile *t, unsigned thread, const struct tx_timed *row, uint32_t word) {
  if (!row->ready || surely_takes(t, row->unit)) return true;
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

/* The head is granted its port and passes now. Returns the time at which the thread may pass its next word. */
OUT_OF_LINE sim_time pass(struct tx_tile *t, unsigned thread, const struct tx_timed *row, struct tx_gate *g,
                          struct tx_frontend *fe) {
  struct tx_unit_state *unit = sim_keep(&t->units[row->unit]);
  const sim_time now = t->engine.now;
  const struct tx_word *head = &fe->fifo3.slot[fe->fifo3.head];
  const uint32_t word = head->word, pc = head->pc;
  grant(t, thread, g, port_of(row, word));
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = word;
  t->current.pc = pc;
  t->current.unit = row->unit;
  g->issued++;
  if (tx_lap_noting(t)) tx_lap_note_word(t, thread, head, now);
  tx_frontend_take_head(t, thread, fe);
  tx_emit(t, TX_EVENT_ISSUE, tx_agent_of_thread(thread), word, pc, row->unit);
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

static inline bool is_occupied(const struct tx_tile *t, const struct tx_timed *row) {
  return t->units[row->unit].free_at > t->engine.now && !(UNOCCUPIED >> row->unit & 1u);
}

/* Handles this cycle completely and returns the time of the thread's next evaluation; 0: the phases have to do it. */
static inline sim_time look(struct tx_tile *t, unsigned thread, struct tx_gate *g, struct tx_frontend *fe, uint32_t word,
                            const struct tx_timed *row, sim_time limit) {
  const sim_time now = t->engine.now;
  if (!is_plain(t, row, word)) return 0;
  if (is_occupied(t, row)) { /* the wait is recorded in advance */
    const sim_time free_at = t->units[row->unit].free_at;
    if (!sim_alone_before(&t->engine, free_at, limit)) return 0;
    g->stalled[TX_BLOCKED_UNIT] += free_at - now;
    return free_at;
  }
  if (!unit_takes(t, thread, row, word)) {
    if (row->unit != TX_UNIT_VECTOR || !sim_alone_before(&t->engine, now + 1, limit)) return 0;
    g->stalled[TX_BLOCKED_HAZARD]++; /* it makes a request in every cycle (tx_vector_ready) */
    return now + 1;
  }
  return pass(t, thread, row, g, fe);
}

/* No word of a stream is reported. */
static inline bool may_stream(const struct tx_tile *t, unsigned thread) {
  return !sim_log_wants(&t->unsaved.log, TX_EVENT_ISSUE) && t->config.pending_until[thread] <= t->engine.now;
}

/* sim_sleep_until for a thread, which is never parked; its next time is no change of the schedule. */
static inline void sleep_until(struct sim_agent *agent, sim_time at) {
  agent->state = SIM_AGENT_TIMED;
  agent->channels = 0;
  agent->at = at;
}

enum stream_end {
  STREAM_SLEEPS,  /* another agent acts before the thread */
  STREAM_EMPTY,   /* no word has arrived */
  STREAM_UNCLEAR, /* more than the unit may block the head */
  STREAM_BLOCKED, /* the phases have to execute this cycle */
};

/* Passes words while none is blocked. */
static inline enum stream_end run_stream(struct tx_tile *t, unsigned thread, struct tx_gate *g, struct tx_frontend *fe,
                                         struct sim_agent *agent, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  if (!is_clear(t, thread, g)) return STREAM_UNCLEAR;
  sleep_until(agent, engine->now); /* waits for no event */
  for (;;) {
    if (tx_frontend_settle_gate(t, thread, fe, engine->now - 1) && t->fault.kind) return STREAM_BLOCKED;
    sim_time next = 0;
    unsigned unit = TX_UNIT_COUNT;
    if (fe->fifo3.count) {
      const uint32_t word = fe->fifo3.slot[fe->fifo3.head].word;
      const struct tx_timed *row = &tx_timed[word >> 24];
      unit = row->unit;
      if (unit == TX_UNIT_VECTOR && may_stream(t, thread)) next = tx_gate_stream(t, thread, limit);
      if (!next) next = look(t, thread, g, fe, word, row, limit);
    } else {
      next = engine->now + 1;
      if (fe->moving != TX_MOVING || !sim_alone_before(engine, next, limit)) return STREAM_EMPTY;
    }
    if (!next) return STREAM_BLOCKED;
    if (!sim_alone_before(engine, next, limit)) {
      sleep_until(agent, next);
      return STREAM_SLEEPS;
    }
    engine->now = next;
    if ((UNSETTLING >> unit & 1u) && !is_clear(t, thread, g)) return STREAM_UNCLEAR;
  }
}

/* --- one cycle --- */

/* What a thread does in this cycle, if it is not a word that passes: there is none, or the latched wait, which blocks the head, ends or
 * goes on. */
static const struct tx_timed no_word = {.unit = TX_UNIT_MISC}, latch_ends = {.unit = TX_UNIT_MISC},
                             latch_waits = {.unit = TX_UNIT_MISC};

static inline bool is_word(const struct tx_timed *row) {
  return row && row != &no_word && row != &latch_ends && row != &latch_waits;
}

/* Nothing records the steps of a cycle, and no fault stops it. */
static inline bool is_quiet(const struct tx_tile *t) {
  return !((t->unsaved.log.mask & LOGGED) | t->fault.kind) && !t->unsaved.what_if;
}

/* The latch blocks the head: does it end? NULL: for the phases. */
static const struct tx_timed *look_at_latch(struct tx_tile *t, unsigned thread, const struct tx_latch *latch,
                                            const struct tx_op *op) {
  if (!op->name || op->unit == TX_UNIT_FRONTEND || !tx_latch_blocks(latch, op)) return NULL;
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  tx_gate_look_at_latch(t, thread, answer);
  return answer->ok ? &latch_ends : &latch_waits;
}

/* The row of a head that passes without the phases, if the arbitration grants its port, no_word or latch_ends; NULL: the phases have to
 * find out. */
static inline const struct tx_timed *ready_head(struct tx_tile *t, unsigned thread, const struct tx_gate *g,
                                                struct tx_frontend *fe) {
  const sim_time now = t->engine.now;
  const struct tx_fifo *fifo = &fe->fifo3;
  if (tx_frontend_settle_gate(t, thread, fe, now - 1) && t->fault.kind) return NULL;
  const uint32_t word = fifo->slot[fifo->head].word;
  if (__builtin_expect(g->latch.opcode, 0))
    return fifo->count ? look_at_latch(t, thread, &g->latch, &tx_ops[word >> 24]) : NULL;
  if (!tx_gate_is_open(t, thread, g)) return NULL;
  if (!fifo->count) return &no_word;
  const struct tx_timed *row = &tx_timed[word >> 24];
  if (!is_plain(t, row, word) || is_occupied(t, row)) return NULL;
  if (row->unit == TX_UNIT_SYNC && t->arbiter.sync_taken_at == now) return NULL; /* by a core */
  return unit_takes(t, thread, row, word) ? row : NULL;
}

/* The cycles of a wait that is over belong to its kind. No event reports it (is_quiet). */
static inline void account_wait(struct tx_tile *t, struct tx_gate *g, const struct sim_wait *wait) {
  if (wait->kind) g->stalled[wait->kind] += t->engine.now - wait->since;
}

static inline void end_wait(struct tx_tile *t, struct tx_gate *g, struct sim_wait *wait) {
  if (!wait->kind) return;
  account_wait(t, g, wait);
  *wait = (struct sim_wait){0};
}

/* The result of a request without a word. */
static inline void want_nothing(struct tx_gate *g, bool latch_met) {
  g->wants = TX_PORT_COUNT;
  g->granted = 0;
  g->latch_met = latch_met;
}

/* It looks again when the next word can have arrived. */
OUT_OF_LINE void await_word(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  const uint32_t moving = t->frontend[thread].moving;
  sim_time next = t->engine.now + 1;
  want_nothing(g, false);
  end_wait(t, g, sim_keep(&t->engine.agents[tx_agent_of_thread(thread)].wait));
  if (moving != TX_MOVING) {
    next = moving ? tx_gate_next_look(t, thread, SIM_NEVER) : SIM_NEVER;
    tx_signal(t, TX_CH_IDLE);
  }
  sim_sleep_on(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_FIFO + thread), next);
}

/* In this cycle it still blocks. */
OUT_OF_LINE void end_latch(struct tx_tile *t, unsigned thread) {
  struct sim_wait *wait = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)].wait);
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  want_nothing(g, true);
  g->latch = (struct tx_latch){0};
  if (wait->kind != TX_BLOCKED_CONDITION || wait->object) {
    account_wait(t, g, wait);
    *wait = (struct sim_wait){.since = t->engine.now, .kind = TX_BLOCKED_CONDITION};
  }
  sim_sleep_on(&t->engine, tx_agent_of_thread(thread), t->unsaved.answer[thread].channels, t->engine.now + 1);
}

OUT_OF_LINE void keep_latch(struct tx_tile *t, unsigned thread) {
  const struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  want_nothing(sim_keep(&t->gate[thread]), false);
  tx_gate_block(t, thread, &answer->wait);
  sim_sleep_on(&t->engine, tx_agent_of_thread(thread), answer->channels, answer->retry_at);
  sim_acted(&t->engine, tx_agent_of_thread(thread));
}

/* tx_sleep_after_word while is_quiet. */
static inline void sleep_after(struct tx_tile *t, unsigned thread, const struct tx_gate *g, const struct tx_fifo *fifo,
                               struct sim_agent *agent, unsigned unit, sim_time next) {
  const uint32_t queued = 1u << TX_UNIT_UNPACK | 1u << TX_UNIT_MATRIX | 1u << TX_UNIT_PACK | 1u << TX_UNIT_VECTOR;
  const sim_time free_at = t->units[unit].free_at;
  if (free_at > next && next == t->engine.now + 1 && queued >> unit & 1u && fifo->count && tx_gate_is_open(t, thread, g)) {
    const struct tx_timed *row = &tx_timed[fifo->slot[fifo->head].word >> 24];
    if (row->unit == unit && !row->wait) {
      agent->wait = (struct sim_wait){.since = next, .kind = TX_BLOCKED_UNIT, .object = unit};
      sim_sleep_on(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_UNIT + unit), free_at);
      return;
    }
  }
  sleep_until(agent, next);
}

/* What ready_head has found happens: the port is granted. */
static inline void act(struct tx_tile *t, unsigned thread, const struct tx_timed *row, struct tx_gate *g,
                       struct tx_frontend *fe) {
  if (__builtin_expect(row == &no_word, 0)) {
    await_word(t, thread);
  } else if (__builtin_expect(row == &latch_ends, 0)) {
    end_latch(t, thread);
  } else if (__builtin_expect(row == &latch_waits, 0)) {
    keep_latch(t, thread);
  } else {
    struct sim_agent *agent = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)]);
    end_wait(t, g, &agent->wait);
    const sim_time next = pass(t, thread, row, g, fe);
    sleep_after(t, thread, g, &fe->fifo3, agent, row->unit, next);
  }
}

/* Two heads may want the same port, or a head that of a thread for the phases: the arbiter decides. */
OUT_OF_LINE void leave_to_arbiter(struct tx_tile *t, const struct tx_timed *rows[TX_THREADS]) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    struct tx_gate *g = sim_keep(&t->gate[thread]);
    const struct tx_fifo *fifo = &t->frontend[thread].fifo3;
    if (!is_word(rows[thread])) continue;
    g->wants = port_of(rows[thread], fifo->slot[fifo->head].word);
    g->granted = 0;
    g->latch_met = 0;
    t->arbiter.requests[g->wants] |= (uint8_t)(1u << thread);
    t->arbiter.touched |= UINT64_C(1) << g->wants;
    rows[thread] = NULL;
  }
  tx_gate_arbitrate(t);
}

/* For the phases, or after a fault of another thread in this cycle. */
OUT_OF_LINE void issue_slowly(struct tx_tile *t, unsigned thread, const struct tx_timed *row) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  const struct tx_fifo *fifo = &t->frontend[thread].fifo3;
  const uint32_t sole = t->engine.sole;
  t->engine.sole = tx_agent_of_thread(thread) + 1; /* its next time is not a change of the schedule */
  if (!row) {
    tx_gate_issue(t, thread);
  } else if (is_word(row)) {
    grant(t, thread, g, port_of(row, fifo->slot[fifo->head].word));
  } else {
    want_nothing(g, row == &latch_ends);
    if (row == &latch_ends) g->latch = (struct tx_latch){0};
  }
  t->engine.sole = sole;
  sim_acted(&t->engine, tx_agent_of_thread(thread));
}

/* No other thread acts in this cycle. */
OUT_OF_LINE void cycle_of_one(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_timed *row = is_quiet(t) ? ready_head(t, thread, g, fe) : NULL;
  if (row) {
    act(t, thread, row, g, fe);
  } else {
    tx_gate_request(t, thread);
    tx_gate_grant(t, thread);
    issue_slowly(t, thread, NULL);
  }
}

OUT_OF_LINE void cycle_of_several(struct tx_tile *t, unsigned threads) {
  const struct tx_timed *rows[TX_THREADS] = {NULL, NULL, NULL};
  uint32_t units = 0, clash = 0; /* of heads that pass if no other thread has the same port */
  const bool quiet = is_quiet(t);
  for (unsigned left = threads; left; left &= left - 1) {
    const unsigned thread = (unsigned)__builtin_ctz(left);
    const struct tx_timed *row =
        quiet ? ready_head(t, thread, sim_keep(&t->gate[thread]), sim_keep(&t->frontend[thread])) : NULL;
    rows[thread] = row;
    if (!row) {
      tx_gate_request(t, thread);
    } else {
      clash |= units & 1u << row->unit;
      units |= 1u << row->unit;
    }
  }
  if (__builtin_expect((clash & SHARED) || t->arbiter.touched, 0)) leave_to_arbiter(t, rows);
  for (unsigned left = threads; left; left &= left - 1) {
    const unsigned thread = (unsigned)__builtin_ctz(left);
    if (rows[thread] && !t->fault.kind)
      act(t, thread, rows[thread], sim_keep(&t->gate[thread]), sim_keep(&t->frontend[thread]));
    else issue_slowly(t, thread, rows[thread]);
  }
}

void tx_gate_cycle(struct tx_tile *t, unsigned threads) {
  tx_assert(threads && threads < 1u << TX_THREADS);
  if (threads & (threads - 1)) cycle_of_several(t, threads);
  else cycle_of_one(t, threads >> 1); /* 1, 2, 4 to 0, 1, 2 */
}

/* --- many cycles --- */

/* The thread acts alone until `limit`, or until the schedule changes. */
static inline void run_alone(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct sim_agent *agent = sim_keep(&engine->agents[tx_agent_of_thread(thread)]);
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_assert(limit > engine->now);
  for (;;) {
    const enum stream_end end = agent->wait.kind ? STREAM_UNCLEAR : run_stream(t, thread, g, fe, agent, limit);
    if (end == STREAM_SLEEPS) return;
    if (end == STREAM_EMPTY) {
      await_word(t, thread);
    } else if (end == STREAM_UNCLEAR) {
      cycle_of_one(t, thread);
    } else { /* what ends the stream keeps the head from passing at once */
      tx_gate_request(t, thread);
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
    const sim_time at[TX_THREADS] = {engine->agents[TX_AGENT_THREAD0].at, engine->agents[TX_AGENT_THREAD1].at,
                                     engine->agents[TX_AGENT_THREAD2].at};
    sim_time first = at[0] < at[1] ? at[0] : at[1];
    if (at[2] < first) first = at[2];
    if (first >= limit) return;
    const unsigned due = (at[0] == first) | (at[1] == first) << 1 | (at[2] == first) << 2;
    engine->now = first;
    if (due & (due - 1)) {
      cycle_of_several(t, due);
    } else {
      sim_time then = limit;
      for (unsigned thread = 0; thread < TX_THREADS; thread++)
        if (at[thread] != first && at[thread] < then) then = at[thread];
      const unsigned thread = due >> 1; /* 1, 2, 4 to 0, 1, 2 */
      engine->sole = tx_agent_of_thread(thread) + 1;
      run_alone(t, thread, then);
      engine->sole = 0;
    }
    if (engine->schedule_changed) limit = sim_group_limit(engine, TX_AGENT_THREAD2 + 1);
  }
}
