/* Turns of the wait gate (turn.h). An unblocked word goes from the front end directly to its unit; every other word goes through
 * the three phases of gate.c. */
#include "tensix/frontend/turn.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/config.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/decoded.h"

/* Out of line: keeps the path of a plain stream short. */
__attribute__((noinline)) static bool pull_slowly(struct tx_tile *t, unsigned thread, struct tx_word *w, bool *told) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  uint32_t before = fe->fifo1.count;
  bool found = tx_frontend_pull(t, thread, w);
  if (fe->fifo1.count < before && !*told) {
    sim_signal(&t->engine, TX_CH(TX_CH_FIFO + thread), t->engine.now + 1);
    *told = true;
  }
  return found;
}

/* The next word; signals once per turn that FIFO 1 has room: no other agent acts meanwhile. */
static inline __attribute__((always_inline)) bool pull(struct tx_tile *t, unsigned thread, struct tx_frontend *fe,
                                                       struct tx_word *w, bool *told) {
  bool played;
  if (fe->replay.playing | fe->mop.active) {
    if (tx_frontend_pull_expanded(fe, w, &played) &&
        (played || w->word >> 24 != TX_REPLAY || tx_frontend_pull_replay(t, thread, w)))
      return true;
  } else if (*told && tx_frontend_is_direct(fe)) {
    *w = tx_frontend_take(fe, t->params.fifo1_accept_max);
    return true;
  }
  return pull_slowly(t, thread, w, told);
}

/* One step by the three phases, for cases that the short path does not cover. false: the thread does not act in the next
 * cycle. */
static bool step_exactly(struct tx_tile *t, unsigned thread, bool *told) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct sim_agent *agent = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)]);
  struct tx_word w;
  if (!t->frontend[thread].fifo3.count && pull_slowly(t, thread, &w, told)) tx_frontend_put_back(t, thread, &w);
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

/* No condition that affects all words: an instruction inside the scalar unit, Auto TTSync, pending configuration. Within a
 * turn only words of the scalar and the configuration unit cause one. */
static bool is_quiet(const struct tx_tile *t, unsigned thread) {
  const sim_time now = t->engine.now;
  return t->scalar.hold_until[thread] <= now && !t->gate[thread].accesses && t->config.pending_until[thread] <= now;
}

/* Passes this word if cheap tests show that nothing blocks it. */
static bool passes_at_once(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t word, bool quiet) {
  const uint32_t unit = 1u << op->unit;
  if (!tx_bodies[op->opcode]) return false;
  if (!quiet && (t->scalar.hold_until[thread] > t->engine.now || t->gate[thread].accesses)) return false;
  if (op->wait && !source_is_there(t, op)) return false;
  if (!(unit & NEVER_OCCUPIED) && t->units[op->unit].free_at > t->engine.now) return false;
  if (unit & ALWAYS_READY || !tx_ready[op->unit]) return true;
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  answer->ok = true;
  tx_ready[op->unit](t, thread, word, answer);
  return answer->ok;
}

static void execute(struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w, bool quiet) {
  struct tx_unit_state *unit = sim_keep(&t->units[op->unit]);
  const sim_time next = t->engine.now + 1;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = w->word;
  t->current.pc = w->pc;
  t->current.unit = op->unit;
  t->gate[thread].issued++;
  tx_emit(t, TX_EVENT_ISSUE, tx_agent_of_thread(thread), w->word, w->pc, op->unit);
  if (w->word & ~op->used) tx_diag(t, TX_DIAG_UNUSED_BITS, "%s: bits 0x%06x", op->name, w->word & ~op->used);
  struct tx_cost cost = {.hold = 0, .issue = op->issue_cycles, .latency = op->latency_cycles, .thread = 1};
  if (!quiet && t->config.pending_until[thread] > t->engine.now) tx_config_check_reader(t, thread, w->word);
  tx_bodies[op->opcode](t, thread, w->word, &cost);
  if (unit->free_at < next) unit->free_at = next;
  if (unit->drained_at[thread] < next) unit->drained_at[thread] = next;
  unit->busy_cycles++;
  unit->accepted[thread]++;
  if (sim_log_wants(&t->unsaved.log, TX_EVENT_UNIT)) tx_gate_log_unit(t, thread, op, 0, next, 1);
}

/* --- consecutive words of the vector unit --- */

/* Is the head of FIFO 1 an unblocked word of the vector unit, so that later words of that unit are unblocked too? */
static bool is_vector_stream(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (!tx_frontend_is_direct(fe) || tx_ops[fe->fifo1.slot[fe->fifo1.head].word >> 24].unit != TX_UNIT_VECTOR) return false;
  return !(t->unsaved.log.mask & TOLD);
}

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
static void remove_words(struct tx_tile *t, struct tx_fifo *fifo, unsigned count) {
  const struct tx_word *last = &fifo->slot[(fifo->head + count - 1) % TX_FIFO_SLOTS];
  t->current.word = last->word;
  t->current.pc = last->pc;
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
    remove_words(t, fifo, count);
  }
  tx_vector_batch_end(&batch);
  const bool goes_on = engine->now < end;
  const uint64_t passed = engine->now - begin;
  if (fifo->count <= t->params.fifo1_accept_max) t->frontend[thread].refusing = 0;
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

/* Packer or unpackers: nothing is inside, so that they accept a word. */
static inline bool is_idle(const struct tx_tile *t, unsigned unit) {
  if (unit == TX_UNIT_PACK) return !t->pack.count;
  return !(t->unpack.jobs[0] | t->unpack.jobs[1]) && t->units[TX_UNIT_UNPACK].free_at <= t->engine.now;
}

/* Runs the body of this word if nothing blocks it and no hook is set. false: no change. */
static inline bool pass_quickly(struct tx_tile *t, unsigned thread, const struct tx_quick *q, const struct tx_word *w) {
  if (!q->body || w->flags || w->word & ~q->used) return false;
  if (q->wait && (((q->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) ||
                  ((q->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB)) ||
                  ((q->wait & TX_QUICK_IDLE) && !is_idle(t, q->unit))))
    return false;
  struct tx_unit_state *unit = sim_keep(&t->units[q->unit]);
  struct tx_cost cost = {.issue = 1, .thread = 1};
  const sim_time next = t->engine.now + 1;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = w->word;
  t->current.pc = w->pc;
  t->current.unit = q->unit;
  t->gate[thread].issued++;
  unit->free_at = next;
  if (unit->drained_at[thread] < next) unit->drained_at[thread] = next;
  unit->busy_cycles++;
  unit->accepted[thread]++;
  q->body(t, thread, w->word, &cost);
  return true;
}

/* Passes the word by the general path, which also logs its events. false: the word is back in FIFO 3. */
__attribute__((noinline)) static bool pass_or_put_back(struct tx_tile *t, unsigned thread, const struct tx_word *w,
                                                       bool *quiet) {
  const struct tx_op *op = &tx_ops[w->word >> 24];
  if (w->flags || !passes_at_once(t, thread, op, w->word, *quiet)) {
    tx_frontend_put_back(t, thread, w);
    return false;
  }
  execute(t, thread, op, w, *quiet);
  if (op->unit == TX_UNIT_SCALAR || op->unit == TX_UNIT_CONFIG) *quiet = false;
  return true;
}

/* The same for the words with which a turn begins; *told is set if there are any. */
static bool begin_with_vector_stream(struct tx_tile *t, unsigned thread, sim_time limit, bool *told) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (t->gate[thread].latch.opcode | fe->fifo3.count | fe->fifo2.count) return true;
  if (!is_vector_stream(t, thread) || !is_quiet(t, thread)) return true;
  if (!*told) sim_signal(&t->engine, TX_CH(TX_CH_FIFO + thread), t->engine.now + 1);
  *told = true;
  return run_vector_stream(t, thread, limit);
}

/* Words pass, or latched waits end, one per cycle while nothing blocks them. true: the next step needs the general path,
 * now. */
static bool run_stream(struct tx_tile *t, unsigned thread, sim_time limit, bool *told) {
  struct sim_engine *engine = &t->engine;
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  bool quiet = false, watched = t->unsaved.log.mask & TOLD;
  struct tx_word w;
  if (engine->agents[tx_agent_of_thread(thread)].wait.kind) tx_gate_block(t, thread, &(struct sim_wait){.kind = 0});
  for (bool more = begin_with_vector_stream(t, thread, limit, told); more;) {
    unsigned unit = TX_UNIT_COUNT;
    if (t->gate[thread].latch.opcode) {
      if (!latch_ends(t, thread)) return !t->fault.kind;
    } else {
      if (fe->fifo3.count || !pull(t, thread, fe, &w, told)) return !t->fault.kind;
      const struct tx_quick *q = &tx_quick[w.word >> 24];
      unit = q->unit;
      if (!quiet) quiet = is_quiet(t, thread);
      bool passes = quiet && !watched && pass_quickly(t, thread, q, &w);
      if (!passes && !pass_or_put_back(t, thread, &w, &quiet)) return !t->fault.kind;
    }
    if (t->fault.kind || engine->now + 1 >= limit || sim_must_return(engine, engine->now + 1)) break;
    engine->now++;
    if (unit == TX_UNIT_VECTOR && *told && quiet && is_vector_stream(t, thread)) more = run_vector_stream(t, thread, limit);
  }
  sim_sleep_until(engine, tx_agent_of_thread(thread), engine->now + 1);
  return false;
}

void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  bool told = false;
  while (run_stream(t, thread, limit, &told)) {
    if (!step_exactly(t, thread, &told) || engine->now + 1 >= limit || sim_must_return(engine, engine->now + 1)) break;
    engine->now++;
  }
  t->frontend[thread].moving = 0; /* only the gate moves words */
}
