/* Words of the vector unit that follow each other (stream.h). In full flow a word leaves each of the three FIFOs in every cycle in which one passes
 * the gate: the k-th word to pass is the k-th of FIFO 3, 2 and 1 read one after the other, and the FIFOs keep their lengths but for FIFO 1.
 * So the words are passed from where they lie, and the FIFOs are brought up to date at the end. */
#include "tensix/frontend/stream.h"

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/machine.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/run.h"
#include "tensix/unit/vector/vector.h"

#define WORDS_MAX 20u /* with the words behind FIFO 1 fewer than a FIFO has slots */

/* The position in the words of a stream: the rest of one FIFO, then the next. */
struct reader {
  const struct tx_fifo *fifo;
  uint32_t place, left;
};

static inline const struct tx_word *next_word(const struct tx_frontend *fe, struct reader *r) {
  while (!r->left) {
    r->fifo = r->fifo == &fe->fifo3 ? &fe->fifo2 : &fe->fifo1;
    r->place = r->fifo->head;
    r->left = r->fifo->count;
  }
  return &r->fifo->slot[r->place];
}

static inline void take_word(struct reader *r) {
  r->place = (r->place + 1) % TX_FIFO_SLOTS;
  r->left--;
}

/* A word for the vector unit, as the core has pushed it, without bits that are reported. */
static inline bool is_plain(const struct tx_word *w) {
  const struct tx_op *op = &tx_ops[w->word >> 24];
  return op->unit == TX_UNIT_VECTOR && (w->flags & ~TX_WORD_QUEUED) == TX_WORD_PLAIN && !(w->word & ~op->used);
}

/* The number of words of FIFO 2 that move to FIFO 3 unchanged; those of FIFO 1 are checked when they leave it. */
static uint32_t words_that_go_on(const struct tx_frontend *fe) {
  for (uint32_t i = 0; i < fe->fifo2.count; i++)
    if (fe->fifo2.slot[(fe->fifo2.head + i) % TX_FIFO_SLOTS].word >> 24 <= TX_RESOURCEDECL) return i;
  return WORDS_MAX;
}

/* Can a word leave FIFO 1 when the gate has consumed `passed` others and consumes one now? It must have arrived and not be
 * for an expander. */
static inline bool next_follows(const struct tx_frontend *fe, uint32_t passed, sim_time now) {
  const uint32_t slot = (fe->fifo1.head + passed) % TX_FIFO_SLOTS;
  return passed < fe->fifo1.count && fe->pushed_at[slot] < now && fe->fifo1.slot[slot].word >> 24 > TX_RESOURCEDECL;
}

/* As tx_vector_ready. */
static inline bool unit_takes(struct tx_tile *t, const struct tx_vector_word *w) {
  const struct tx_hidden *h = tx_vector_hidden(t);
  if (h && (h->held_rows & w->held_reads)) return false;
  return t->vector.nop_only_at != t->engine.now || w->op.opcode == TX_SFPNOP;
}

/* The next word, if it is for the vector unit and nothing is reported of it; NULL: it takes the general path. */
static inline const struct tx_vector_word *known_word(struct tx_tile *t, const struct tx_word *w,
                                                      struct tx_vector_batch *batch) {
  if ((w->flags & ~TX_WORD_QUEUED) != TX_WORD_PLAIN) return NULL;
  const struct tx_vector_word *known = tx_vector_find(t, w->word);
  if (known && known->kind) return known;
  if (!is_plain(w)) return NULL;
  return known ? known : tx_vector_batch_decode(batch, w->word);
}

/* What a stream adds to the state of the unit. */
struct use {
  sim_time free_at, drained_at, busy_cycles;
};

/* Returns the time at which the thread may pass its next word. */
static inline sim_time pass(struct tx_tile *t, unsigned thread, const struct tx_word *w, const struct tx_vector_word *known,
                            struct tx_vector_batch *batch, struct use *use) {
  const sim_time now = t->engine.now;
  struct tx_cost cost = {.hold = 0, .issue = known->issue_cycles, .latency = known->latency_cycles, .thread = 1};
  t->current.word = w->word;
  t->current.pc = w->pc;
  sim_signal(&t->engine, TX_CH(TX_CH_FIFO + thread), now + 1);
  tx_vector_batch_word(batch, known, &cost);
  const sim_time start = now + cost.hold, free_at = start + cost.issue,
                 drained_at = cost.latency ? start + cost.latency : free_at;
  tx_assert(free_at > now && drained_at > now);
  if (use->free_at < free_at) use->free_at = free_at;
  if (use->drained_at < drained_at) use->drained_at = drained_at;
  use->busy_cycles += free_at - now;
  return now + cost.thread;
}

/* Updates gate and arbiter after a word of the vector unit has passed. */
static void note_passing(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  g->wants = TX_PORT_VECTOR;
  g->granted = 1;
  g->latch_met = 0;
  t->arbiter.last[TX_PORT_VECTOR] = (uint8_t)thread;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.unit = TX_UNIT_VECTOR;
}

/* `passed` words have passed, the last in cycle `last`. */
static void account(struct tx_tile *t, unsigned thread, uint32_t passed, sim_time last, const struct use *use) {
  struct tx_unit_state *unit = sim_keep(&t->units[TX_UNIT_VECTOR]);
  unit->free_at = use->free_at;
  if (unit->drained_at[thread] < use->drained_at) unit->drained_at[thread] = use->drained_at;
  unit->busy_cycles += use->busy_cycles;
  unit->accepted[thread] += passed;
  t->gate[thread].issued += passed;
  tx_frontend_flow(t, thread, passed, last);
}

sim_time tx_gate_stream(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  struct reader r = {&fe->fifo3, fe->fifo3.head, fe->fifo3.count};
  if (!tx_frontend_flows(fe, engine->now) || !is_plain(next_word(fe, &r))) return 0;
  const bool full = tx_frontend_is_full(t, thread); /* then no word moves while the thread waits */
  const uint32_t count = words_that_go_on(fe);
  struct use use = {.free_at = t->units[TX_UNIT_VECTOR].free_at};
  sim_time last = 0, next = 0;
  uint32_t passed = 0;
  struct tx_vector_batch batch;
  tx_vector_batch_begin(&batch, t, thread);
  while (passed < count && next_follows(fe, passed, engine->now)) {
    const struct tx_word *w = next_word(fe, &r);
    const struct tx_vector_word *known = known_word(t, w, &batch);
    if (!known) break;
    const bool occupied = use.free_at > engine->now;
    if (occupied || !unit_takes(t, known)) {
      const sim_time until = occupied ? use.free_at : engine->now + 1;
      if (!full || !sim_alone_before(engine, until, limit)) break;
      t->gate[thread].stalled[occupied ? TX_BLOCKED_UNIT : TX_BLOCKED_HAZARD] += until - engine->now;
      next = until;
    } else {
      if (!passed) note_passing(t, thread);
      last = engine->now;
      next = pass(t, thread, w, known, &batch, &use);
      take_word(&r);
      passed++;
    }
    if (!sim_alone_before(engine, next, limit)) break;
    engine->now = next;
  }
  tx_vector_batch_end(&batch);
  if (passed) account(t, thread, passed, last, &use);
  return next;
}
