/* Turns of the wait gate (turn.h). An unblocked word goes from the front end directly to its unit; every other word goes through
 * the three phases of gate.c. */
#include "tensix/frontend/turn.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/frontend/waits.h"
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/config.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/macro.h"

/* What the loops of a turn share. */
struct turn {
  struct tx_tile *t;
  struct tx_frontend *fe;
  struct tx_gate *gate;
  sim_time limit, end; /* `end`: the cycle in which the turn has to end, until engine.schedule_changed is set */
  unsigned thread;
  bool told; /* FIFO 1 has signalled that it has room: once per turn, because no other agent acts meanwhile */
};

/* Only cores wait for room, or for the end of MOPs. */
static void tell_cores(struct turn *u) {
  struct sim_engine *engine = &u->t->engine;
  const uint64_t channel = TX_CH(TX_CH_FIFO + u->thread);
  u->told = true;
  for (unsigned agent = TX_AGENT_TRISC0; agent < TX_AGENT_TRISC0 + TX_CORES; agent++)
    if (engine->agents[agent].channels & channel) sim_wake_listener(engine, agent, engine->now + 1);
}

/* The next word, out of any source. */
static bool pull(struct turn *u, struct tx_word *w) {
  const uint32_t before = u->fe->fifo1.count;
  bool found = tx_frontend_pull(u->t, u->thread, w);
  if (u->fe->fifo1.count < before && !u->told) tell_cores(u);
  return found;
}

/* One step by the three phases, for cases that the short path does not cover. false: the thread does not act in the next
 * cycle. */
static bool step_exactly(struct turn *u) {
  struct tx_tile *t = u->t;
  const unsigned thread = u->thread;
  struct tx_gate *g = u->gate;
  struct sim_agent *agent = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)]);
  struct tx_word w;
  if (!u->fe->fifo3.count && pull(u, &w)) tx_frontend_put_back(t, thread, &w);
  tx_gate_request(t, thread);
  if (g->wants != TX_PORT_COUNT) {
    t->arbiter.requests[g->wants] = 0;
    t->arbiter.touched = 0;
    t->arbiter.last[g->wants] = (uint8_t)thread;
    g->granted = 1;
  }
  tx_gate_issue(t, thread);
  if (agent->at <= t->engine.now) agent->at = t->engine.now + 1;
  return agent->at == t->engine.now + 1;
}

/* Units that accept every word with timing off, and units that are never occupied: by design, or because a word takes one
 * cycle and time does not decrease. */
#define ALWAYS_READY (1u << TX_UNIT_VECTOR)
#define NEVER_OCCUPIED \
  (1u << TX_UNIT_SYNC | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC | 1u << TX_UNIT_MATRIX | 1u << TX_UNIT_VECTOR | \
   1u << TX_UNIT_PACK)
#define TOLD (1u << TX_EVENT_ISSUE | 1u << TX_EVENT_UNIT)

static bool source_is_there(const struct tx_tile *t, const struct tx_op *op) {
  if ((op->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) return false;
  if ((op->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB)) return false;
  return !(op->wait & TX_WAIT_MUTEX); /* a mutex takes the general path */
}

/* No condition that affects all words: a hold, pending configuration. Within a
 * turn only words of the scalar unit that are not in tx_quick cause one. */
static bool is_quiet(const struct tx_tile *t, unsigned thread) {
  return tx_gate_is_open(t, thread, &t->gate[thread]) && t->config.pending_until[thread] <= t->engine.now;
}

/* Passes this word if cheap tests show that nothing blocks it. */
static bool passes_at_once(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t word) {
  const uint32_t unit = 1u << op->unit;
  if (!tx_bodies[op->opcode]) return false;
  if (!tx_gate_is_open(t, thread, &t->gate[thread])) return false;
  if (op->wait && !source_is_there(t, op)) return false;
  if (!(unit & NEVER_OCCUPIED) && t->units[op->unit].free_at > t->engine.now) return false;
  if (unit & ALWAYS_READY || !tx_ready[op->unit]) return true;
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  answer->ok = true;
  tx_ready[op->unit](t, thread, word, answer);
  return answer->ok;
}

static void execute(struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w) {
  struct tx_unit_state *unit = sim_keep(&t->units[op->unit]);
  const sim_time next = t->engine.now + 1;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = w->word;
  t->current.pc = w->pc;
  t->current.unit = op->unit;
  t->gate[thread].issued++;
  if (tx_lap_noting(t)) tx_lap_note_word(t, thread, w, t->engine.now);
  tx_emit(t, TX_EVENT_ISSUE, tx_agent_of_thread(thread), w->word, w->pc, op->unit);
  if (w->word & ~op->used) tx_diag(t, TX_DIAG_UNUSED_BITS, "%s: bits 0x%06x", op->name, w->word & ~op->used);
  struct tx_cost cost = {.hold = 0, .issue = op->issue_cycles, .latency = op->latency_cycles, .thread = 1};
  if (t->config.pending_until[thread] > t->engine.now) tx_config_check_reader(t, thread, w->word);
  tx_bodies[op->opcode](t, thread, w->word, &cost);
  if (unit->free_at < next) unit->free_at = next;
  if (unit->drained_at[thread] < next) unit->drained_at[thread] = next;
  unit->busy_cycles++;
  unit->accepted[thread]++;
  if (sim_log_wants(&t->unsaved.log, TX_EVENT_UNIT)) tx_gate_log_unit(t, thread, op, 0, next, 1);
}

/* --- consecutive words of the vector unit --- */

/* The cycle in which the turn has to end, as long as no body adds an effect. */
static sim_time end_of_turn(const struct sim_engine *engine, sim_time limit) {
  const sim_time next = engine->now + 1;
  if (limit <= next || sim_must_return(engine, next)) return next;
  if (!engine->in_turns) return limit;
  if (engine->turn_end < limit) limit = engine->turn_end;
  return engine->effect_count && engine->effects[0].at < limit ? engine->effects[0].at : limit;
}

/* A word that the batch does not take with others. false: a word for another unit, or one with a finding. */
static bool pass_to_vector(struct tx_tile *t, struct tx_vector_batch *batch, const struct tx_word *w) {
  const struct tx_op *op = &tx_ops[w->word >> 24];
  if (op->unit != TX_UNIT_VECTOR || (w->flags & ~(uint32_t)TX_WORD_PLAIN) || w->word & ~op->used) return false;
  struct tx_cost cost = {.issue = 1, .thread = 1};
  t->current.word = w->word;
  t->current.pc = w->pc;
  const struct tx_vector_word *known = tx_vector_find(t, w->word);
  tx_vector_batch_word(batch, known ? known : tx_vector_batch_decode(batch, w->word), &cost);
  return true;
}

/* `count` words have passed, one per cycle. */
static void remove_words(struct tx_tile *t, unsigned thread, struct tx_fifo *fifo, unsigned count) {
  const struct tx_word *last = &fifo->slot[(fifo->head + count - 1) % TX_FIFO_SLOTS];
  t->current.word = last->word;
  t->current.pc = last->pc;
  if (tx_lap_noting(t))
    for (unsigned i = 0; i < count; i++)
      tx_lap_note_word(t, thread, &fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS], t->engine.now + i);
  for (unsigned i = 0; i < count; i++) sim_poison(&fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS]);
  fifo->head = (fifo->head + count) % TX_FIFO_SLOTS;
  fifo->count -= count;
  t->engine.now += count;
}

/* Passes the words up to the first for another unit, one per cycle; updates the unit's counters at the end. true: the next
 * word may pass in this cycle; false: the turn ends with this cycle. */
static bool run_vector_stream(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo1);
  struct sim_engine *engine = &t->engine;
  struct tx_unit_state *unit = &t->units[TX_UNIT_VECTOR];
  const sim_time begin = engine->now;
  sim_time end = end_of_turn(engine, limit);
  struct tx_vector_batch batch;
  tx_vector_batch_begin(&batch, t, thread);
  t->current.agent = tx_agent_of_thread(thread);
  t->current.unit = TX_UNIT_VECTOR;
  while (fifo->count && engine->now < end) {
    const sim_time left = end - engine->now;
    unsigned count = tx_vector_batch_words(&batch, fifo, fifo->head, left < fifo->count ? (unsigned)left : fifo->count);
    if (!count) {
      if (!pass_to_vector(t, &batch, &fifo->slot[fifo->head])) break;
      count = 1;
      end = t->fault.kind ? engine->now : end_of_turn(engine, limit);
    }
    remove_words(t, thread, fifo, count);
  }
  tx_vector_batch_end(&batch);
  const bool goes_on = engine->now < end;
  const uint64_t passed = engine->now - begin;
  t->gate[thread].issued += passed;
  unit->busy_cycles += passed;
  unit->accepted[thread] += passed;
  if (passed && unit->free_at < engine->now) unit->free_at = engine->now;
  if (passed && unit->drained_at[thread] < engine->now) unit->drained_at[thread] = engine->now;
  if (!goes_on) engine->now--;
  return goes_on;
}

/* A latched wait whose condition holds ends in this cycle. */
static bool latch_ends(struct tx_tile *t, unsigned thread) {
  struct tx_answer answer;
  tx_gate_look_at_latch(t, thread, &answer);
  if (answer.ok) memset(&t->gate[thread].latch, 0, sizeof t->gate[thread].latch);
  return answer.ok;
}

/* --- words that nothing blocks: a loop per source --- */

enum after { GOES_ON, OTHER_SOURCE, STUCK, ENDED }; /* STUCK: the next word has to take the general path in this cycle */

/* Is the unit ready for any word? Of the matrix unit: for one that releases these banks. */
static inline __attribute__((always_inline)) bool unit_is_idle(const struct tx_tile *t, unsigned thread, unsigned unit,
                                                               uint32_t word) {
  const bool is_free = t->units[unit].free_at <= t->engine.now;
  if (unit == TX_UNIT_UNPACK) return is_free && !(t->unpack.jobs[0] | t->unpack.jobs[1]);
  if (unit == TX_UNIT_SCALAR) return is_free && t->scalar.rdcfg_lands_at[thread] <= t->engine.now;
  if (unit != TX_UNIT_MATRIX || t->matrix.release_by) return false;
  const bool releases = word >> 24 != TX_SETRWC || TX_FIELD(word, SETRWC, clear_ab_vld);
  return !releases || (tx_src_matrix_owns(&t->src, TX_SRCA) && tx_src_matrix_owns(&t->src, TX_SRCB));
}

/* The word of this row can pass now: its body runs, and there is nothing to report. */
static inline __attribute__((always_inline)) bool passes(const struct turn *u, const struct tx_quick *q, uint32_t word) {
  const struct tx_tile *t = u->t;
  if (!q->body || word & q->unused) return false;
  if (!q->wait) return true;
  if (q->wait & TX_QUICK_PACKER) return !t->pack.count;
  if ((q->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) return false;
  if ((q->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB)) return false;
  return !(q->wait & TX_QUICK_IDLE) || unit_is_idle(t, u->thread, q->unit, word);
}

/* A body has changed the schedule: does the turn go on with the next cycle? */
__attribute__((noinline)) static enum after look_at_schedule(struct turn *u) {
  struct sim_engine *engine = &u->t->engine;
  engine->schedule_changed = 0;
  if (u->t->fault.kind) return ENDED;
  u->end = end_of_turn(engine, u->limit);
  if (engine->now + 1 >= u->end) return ENDED;
  engine->now++;
  return u->gate->latch.opcode ? OTHER_SOURCE : GOES_ON;
}

/* Runs the body and advances to the next cycle. The caller has set `current`, except for word and unit. */
static inline __attribute__((always_inline)) enum after run(struct turn *u, const struct tx_quick *q, uint32_t word) {
  struct tx_tile *t = u->t;
  struct tx_unit_state *unit = sim_keep(&t->units[q->unit]);
  struct tx_cost cost = {.issue = 1, .thread = 1};
  const unsigned thread = u->thread;
  const sim_time next = t->engine.now + 1;
  t->current.word = word;
  t->current.unit = q->unit;
  if (tx_lap_noting(t)) tx_lap_note_word(t, thread, &(struct tx_word){.word = word, .pc = t->current.pc}, t->engine.now);
  u->gate->issued++;
  unit->free_at = next;
  if (unit->drained_at[thread] < next) unit->drained_at[thread] = next;
  unit->busy_cycles++;
  unit->accepted[thread]++;
  q->body(t, thread, word, &cost);
  if (t->engine.schedule_changed) return look_at_schedule(u);
  if (t->engine.now + 1 >= u->end) return ENDED;
  t->engine.now++;
  return GOES_ON;
}

static enum after run_playback(struct turn *u) {
  struct tx_frontend *fe = u->fe;
  struct tx_replay *r = &fe->replay;
  if (r->entry) return STUCK;
  u->t->current.pc = r->pc;
  while (r->playing) {
    const uint32_t word = r->slot[r->index];
    const struct tx_quick *q = sim_keep(&tx_quick[word >> 24]);
    if (!(r->loaded >> r->index & 1u) || !passes(u, q, word)) return STUCK;
    r->index = (r->index + 1) % TX_REPLAY_SLOTS;
    r->playing--;
    fe->replayed++;
    enum after after = run(u, q, word);
    if (after != GOES_ON) return after;
  }
  return OTHER_SOURCE;
}

/* Template 1. */
static enum after run_loop(struct turn *u) {
  struct tx_frontend *fe = u->fe;
  struct tx_mop_loop l;
  enum after after;
  if (!tx_mop_loop_enter(&fe->mop, &l)) return STUCK;
  do {
    if (l.at == l.behind && !tx_mop_loop_again(&fe->mop, &l)) return OTHER_SOURCE;
    const uint32_t word = tx_mop_loop_word(&fe->mop, &l);
    const struct tx_quick *q = sim_keep(&tx_quick[word >> 24]);
    const bool for_unit = passes(u, q, word);
    after = STUCK;
    if (!for_unit && (word >> 24 != TX_REPLAY || !tx_frontend_play(u->t, fe, word, fe->mop.pc))) break;
    l.at++;
    fe->expanded++;
    after = for_unit ? run(u, q, word) : OTHER_SOURCE;
  } while (after == GOES_ON);
  tx_mop_loop_leave(&fe->mop, l);
  return after;
}

/* Template 0. */
static enum after run_masked(struct turn *u) {
  struct tx_frontend *fe = u->fe;
  uint32_t word;
  while (tx_mop_masked_word(&fe->mop, &word)) {
    const struct tx_quick *q = sim_keep(&tx_quick[word >> 24]);
    const bool plays = word >> 24 == TX_REPLAY && tx_frontend_play(u->t, fe, word, fe->mop.pc);
    if (!plays && !passes(u, q, word)) return STUCK;
    tx_mop_masked_skip(&fe->mop);
    fe->expanded++;
    if (plays) return OTHER_SOURCE;
    enum after after = run(u, q, word);
    if (after != GOES_ON) return after;
  }
  return OTHER_SOURCE;
}

static enum after run_mop(struct turn *u) {
  if (u->fe->mop.entry) return STUCK;
  u->t->current.pc = u->fe->mop.pc;
  return u->fe->mop.word >> 23 & 1u ? run_loop(u) : run_masked(u);
}

/* Words for the vector unit follow each other. OTHER_SOURCE: none has passed. */
__attribute__((noinline)) static enum after run_vectors(struct turn *u) {
  struct sim_engine *engine = &u->t->engine;
  const struct tx_fifo *fifo = &u->fe->fifo1;
  if (fifo->count < 2 || tx_quick[fifo->slot[(fifo->head + 1) % TX_FIFO_SLOTS].word >> 24].unit != TX_UNIT_VECTOR)
    return OTHER_SOURCE;
  const uint32_t before = fifo->count;
  const bool goes_on = run_vector_stream(u->t, u->thread, u->limit);
  engine->schedule_changed = 0;
  u->end = end_of_turn(engine, u->limit);
  if (fifo->count == before) return OTHER_SOURCE;
  return goes_on ? GOES_ON : ENDED;
}

static enum after run_fifo1(struct turn *u) {
  struct tx_frontend *fe = u->fe;
  struct tx_fifo *fifo = &fe->fifo1;
  enum after after = STUCK;                   /* no word */
  if (fifo->count && !u->told) tell_cores(u); /* whatever takes the word */
  while (fifo->count) {
    struct tx_word *w = &fifo->slot[fifo->head];
    const uint32_t word = w->word;
    const struct tx_quick *q = sim_keep(&tx_quick[word >> 24]);
    after = STUCK;
    if (w->flags != TX_WORD_PLAIN) break;
    if (!passes(u, q, word)) {
      if (!q->body && tx_frontend_feed(u->t, fe)) after = OTHER_SOURCE;
      break;
    }
    after = q->unit == TX_UNIT_VECTOR ? run_vectors(u) : OTHER_SOURCE;
    if (after == OTHER_SOURCE) { /* one word */
      u->t->current.pc = w->pc;
      sim_poison(w);
      fifo->head = (fifo->head + 1) % TX_FIFO_SLOTS;
      fifo->count--;
      after = run(u, q, word);
    }
    if (after != GOES_ON) break;
  }
  return after == GOES_ON ? STUCK : after;
}

/* Passes words as long as nothing can block them. */
static enum after run_sources(struct turn *u) {
  struct tx_frontend *fe = u->fe;
  enum after after;
  u->t->engine.schedule_changed = 0;
  u->end = end_of_turn(&u->t->engine, u->limit);
  u->t->current.agent = tx_agent_of_thread(u->thread);
  do {
    if (fe->replay.playing) after = run_playback(u);
    else if (fe->replay.loading | fe->brisc_count) return STUCK;
    else after = fe->mop.active ? run_mop(u) : run_fifo1(u);
  } while (after == OTHER_SOURCE && !u->gate->latch.opcode);
  return after;
}

/* Passes the word by the general path, which also logs its events. false: the word is back in FIFO 3. */
__attribute__((noinline)) static bool pass_or_put_back(struct tx_tile *t, unsigned thread, const struct tx_word *w) {
  const struct tx_op *op = &tx_ops[w->word >> 24];
  if (w->flags || !passes_at_once(t, thread, op, w->word)) {
    tx_frontend_put_back(t, thread, w);
    return false;
  }
  execute(t, thread, op, w);
  return true;
}

/* If no word is left, the thread sleeps until one is pushed, as after the three phases without a word. */
static bool falls_asleep(struct turn *u) {
  struct tx_tile *t = u->t;
  struct tx_frontend *fe = u->fe;
  if (fe->fifo1.count | fe->brisc_count | fe->mop.active | fe->replay.playing || t->fault.kind || t->unsaved.what_if)
    return false;
  u->gate->wants = TX_PORT_COUNT;
  u->gate->granted = u->gate->latch_met = 0;
  fe->stepped = t->engine.now - 1;
  fe->moving = 0;
  tx_signal(t, TX_CH_IDLE);
  sim_sleep_on(&t->engine, tx_agent_of_thread(u->thread), TX_CH(TX_CH_FIFO + u->thread), SIM_NEVER);
  return true;
}

/* Words pass, or latched waits end, one per cycle while nothing blocks them. true: the next step needs the three phases,
 * now. */
static bool run_stream(struct turn *u) {
  struct tx_tile *t = u->t;
  struct sim_engine *engine = &t->engine;
  const unsigned thread = u->thread;
  const bool watched = t->unsaved.log.mask & TOLD;
  struct tx_word w;
  if (engine->agents[tx_agent_of_thread(thread)].wait.kind) tx_gate_block(t, thread, &(struct sim_wait){.kind = 0});
  for (;;) {
    if (u->gate->latch.opcode) {
      if (!latch_ends(t, thread)) return !t->fault.kind;
    } else {
      if (u->fe->fifo3.count) return !t->fault.kind;
      if (!watched && is_quiet(t, thread)) {
        enum after after = run_sources(u);
        if (after == ENDED) break;
        if (after == OTHER_SOURCE) continue; /* the latch */
      }
      if (falls_asleep(u)) return false;
      if (!pull(u, &w) || !pass_or_put_back(t, thread, &w)) return !t->fault.kind;
    }
    if (t->fault.kind || engine->now + 1 >= u->limit || sim_must_return(engine, engine->now + 1)) break;
    engine->now++;
  }
  sim_sleep_until(engine, tx_agent_of_thread(thread), engine->now + 1);
  return false;
}

sim_time tx_gate_drains_until(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (fe->replay.playing | fe->replay.loading | fe->mop.active | fe->brisc_count | fe->fifo3.count) return 0;
  if (t->gate[thread].latch.opcode || t->engine.agents[tx_agent_of_thread(thread)].wait.kind || t->unsaved.log.mask ||
      t->unsaved.what_if || !is_quiet(t, thread))
    return 0;
  return sim_turns_alone_until(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_FIFO + thread) | TX_CH(TX_CH_IDLE));
}

static bool is_for_vector(const struct tx_fifo *fifo, uint32_t place) {
  return tx_quick[fifo->slot[(fifo->head + place) % TX_FIFO_SLOTS].word >> 24].unit == TX_UNIT_VECTOR;
}

enum tx_drain tx_gate_drain(struct tx_tile *t, unsigned thread, sim_time until) {
  struct sim_engine *engine = &t->engine;
  struct sim_agent *agent = sim_keep(&engine->agents[tx_agent_of_thread(thread)]);
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_fifo *fifo = &fe->fifo1;
  if (engine->now + fifo->count >= until || agent->at > engine->now) return TX_DRAIN_NOT;
  if (fifo->count < 2 || !is_for_vector(fifo, 0) || !is_for_vector(fifo, fifo->count - 1)) return TX_DRAIN_NOT;
  engine->turn = tx_agent_of_thread(thread) + 1;
  engine->turn_end = engine->now + TX_TURN_CYCLES;
  engine->turn_reached = 0;
  engine->schedule_changed = 0;
  if (tx_macro_pauses(&t->vector, engine->now)) tx_macro_go_on(t, thread);
  const bool goes_on = run_vector_stream(t, thread, sim_turn_limit(engine));
  if (!goes_on) sim_sleep_until(engine, tx_agent_of_thread(thread), engine->now + 1);
  if (!goes_on || fifo->count || t->fault.kind) return TX_DRAIN_BEGUN;
  struct tx_gate *gate = sim_keep(&t->gate[thread]);
  gate->wants = TX_PORT_COUNT;
  gate->granted = gate->latch_met = 0;
  fe->stepped = engine->now - 1;
  fe->moving = 0;
  agent->state = SIM_AGENT_EVENT; /* it sleeps, as by sim_sleep_on */
  agent->channels = TX_CH(TX_CH_FIFO + thread);
  agent->at = SIM_NEVER;
  engine->watched |= agent->channels;
  return TX_DRAIN_DONE;
}

void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct turn u = {
      .t = t, .fe = sim_keep(&t->frontend[thread]), .gate = sim_keep(&t->gate[thread]), .limit = limit, .thread = thread};
  if (tx_macro_pauses(&t->vector, engine->now)) tx_macro_go_on(t, thread);
  while (run_stream(&u)) {
    if (!step_exactly(&u) || engine->now + 1 >= limit || sim_must_return(engine, engine->now + 1)) break;
    engine->now++;
  }
  u.fe->moving = 0; /* only the gate moves words */
}
