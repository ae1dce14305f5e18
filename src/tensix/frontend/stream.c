/* Words of the vector unit that follow each other (stream.h). The k-th word to pass the gate is the k-th of FIFO 3, 2 and 1 read one after the
 * other, whenever it moves from one to the next. So the words are passed from where they lie, their moves are only counted, and the FIFOs are
 * brought up to date at the end. */
#include "tensix/frontend/stream.h"

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/run.h"
#include "tensix/unit/vector/vector.h"

#define WORDS_MAX 24u /* with the words in FIFO 2 at most the slots of a FIFO */

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

/* --- the moves of the stages --- */

/* The numbers of words in the FIFOs: all that changes. What has left a FIFO is the rest of what was in it. */
struct stages {
  uint32_t in1, in2, in3, moving;
  sim_time stepped;
};

/* The same at the beginning, and what does not change. */
struct origin {
  const struct tx_frontend *fe;
  uint32_t in1, in2, in3;
  uint32_t end1;   /* the slot after the last word of FIFO 1 */
  uint32_t behind; /* words in FIFO 2 and 3 that are not plain, negated: with the others there, it is fe->plain_behind */
  uint32_t
      least; /* words in FIFO 1 and 2 that are left when the next to leave FIFO 2 is for an expander, or enough are under way */
  uint32_t max2, max3, max_behind;
};

/* Words that leave FIFO 1 meanwhile are checked then. */
static uint32_t words_that_go_on(const struct tx_frontend *fe) {
  for (uint32_t i = 0; i < fe->fifo2.count; i++)
    if (fe->fifo2.slot[(fe->fifo2.head + i) % TX_FIFO_SLOTS].word >> 24 <= TX_RESOURCEDECL) return i;
  return WORDS_MAX;
}

static inline struct origin origin_of(const struct tx_tile *t, const struct tx_frontend *fe) {
  const uint32_t in1 = fe->fifo1.count, in2 = fe->fifo2.count, in3 = fe->fifo3.count, go_on = words_that_go_on(fe);
  return (struct origin){.fe = fe,
                         .in1 = in1,
                         .in2 = in2,
                         .in3 = in3,
                         .end1 = fe->fifo1.head + in1,
                         .behind = fe->plain_behind - in2 - in3,
                         .least = in1 + in2 > go_on ? in1 + in2 - go_on : 0,
                         .max2 = t->params.fifo2_capacity,
                         .max3 = t->params.fifo3_capacity,
                         .max_behind = t->params.plain_behind_max};
}

static inline uint32_t head1(const struct origin *o, const struct stages *s) { return (o->end1 - s->in1) % TX_FIFO_SLOTS; }

/* The head of FIFO 1 was pushed before the cycle `at`. */
static inline bool has_arrived(const struct origin *o, const struct stages *s, sim_time at) {
  return s->in1 && o->fe->pushed_at[head1(o, s)] < at;
}

/* Does a cycle only forward words? `arrived`: has_arrived */
static inline bool forwards(const struct origin *o, const struct stages *s, bool arrived) {
  if (s->in2 && s->in1 + s->in2 <= o->least) return false;
  return !arrived || o->fe->fifo1.slot[head1(o, s)].word >> 24 > TX_RESOURCEDECL;
}

/* The step of one such cycle, the next one (step_plain of frontend.c). */
static inline void step(const struct origin *o, struct stages *s, bool arrived) {
  const bool from2 = s->in2 && s->in3 < o->max3;
  s->stepped++;
  s->in2 -= from2;
  s->in3 += from2;
  const bool from1 = arrived && s->in2 < o->max2 && (int32_t)(o->behind + s->in2 + s->in3 - o->max_behind) < 0;
  s->moving = from1 | from2 ? TX_MOVING : s->in1 && !arrived ? TX_MOVING_LATER : 0;
  s->in1 -= from1;
  s->in2 += from1;
}

/* Steps all cycles up to `through`. false: not this far, because a word for an expander comes. */
static inline bool step_through(const struct origin *o, struct stages *s, sim_time through) {
  while (s->stepped < through) {
    const bool arrived = has_arrived(o, s, s->stepped + 1);
    if (!forwards(o, s, arrived)) return false;
    step(o, s, arrived);
  }
  return true;
}

/* --- the words --- */

/* As tx_vector_ready; `h`: tx_vector_hidden */
static inline bool unit_takes(const struct tx_tile *t, const struct tx_vector_word *w, const struct tx_hidden *h) {
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

/* The word enters the unit. Returns the time at which the thread may pass its next one. */
static inline sim_time enter(struct tx_tile *t, const struct tx_vector_word *known, const struct tx_hidden *h,
                             struct tx_vector_batch *batch, struct use *use) {
  const sim_time now = t->engine.now;
  struct tx_cost cost = {.hold = 0, .issue = known->issue_cycles, .latency = known->latency_cycles, .thread = 1};
  if (tx_vector_batch_step(batch, known, h)) cost.issue = 1;
  else tx_vector_batch_word(batch, known, &cost);
  const sim_time start = now + cost.hold, free_at = start + cost.issue,
                 drained_at = cost.latency ? start + cost.latency : free_at;
  tx_assert(free_at > now && drained_at > now);
  if (use->free_at < free_at) use->free_at = free_at;
  if (use->drained_at < drained_at) use->drained_at = drained_at;
  use->busy_cycles += free_at - now;
  return now + cost.thread;
}

/* The gate has consumed the head of FIFO 3 in this cycle; `channels` as in note_taken of frontend.c. If no agent waits for them, the last signal is the
 * one that counts. */
static inline void signal_taken(struct tx_tile *t, uint64_t channels, uint64_t *signalled, sim_time *signalled_at) {
  struct sim_engine *engine = &t->engine;
  *signalled = channels;
  *signalled_at = engine->now;
  if (engine->watched & channels) sim_signal(engine, channels, engine->now + 1);
}

/* That last signal. */
static void note_signal(struct sim_engine *engine, uint64_t channels, sim_time at) {
  if (engine->signalled_at > at) return;
  engine->signalled = engine->signalled_at == at ? engine->signalled | channels : channels;
  engine->signalled_at = at;
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

static void account(struct tx_tile *t, unsigned thread, uint32_t passed, const struct use *use) {
  struct tx_unit_state *unit = sim_keep(&t->units[TX_UNIT_VECTOR]);
  unit->free_at = use->free_at;
  if (unit->drained_at[thread] < use->drained_at) unit->drained_at[thread] = use->drained_at;
  unit->busy_cycles += use->busy_cycles;
  unit->accepted[thread] += passed;
  t->gate[thread].issued += passed;
}

/* No word is at the gate: returns when it looks again; 0: the phases have to find out. What they do then, no one sees. */
static inline sim_time wait_for_word(struct tx_tile *t, const struct origin *o, const struct stages *s, sim_time limit) {
  const struct sim_engine *engine = &t->engine;
  sim_time next = engine->now + 1;
  if (!s->in2) { /* no word moves at present */
    if (!s->in1 || (engine->watched & TX_CH(TX_CH_IDLE))) return 0;
    const sim_time leaves = o->fe->pushed_at[head1(o, s)];
    if (o->fe->fifo1.slot[head1(o, s)].flags & TX_WORD_QUEUED && leaves >= engine->now) next = leaves + 3; /* as next_look */
  }
  if (!sim_alone_before(engine, next, limit)) return 0;
  if (!s->in2) tx_signal(t, TX_CH_IDLE);
  return next;
}

sim_time tx_gate_stream(struct tx_tile *t, unsigned thread, sim_time limit) {
  struct sim_engine *engine = &t->engine;
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  struct reader r = {&fe->fifo3, fe->fifo3.head, fe->fifo3.count};
  if (!tx_frontend_flows(fe, engine->now) || !is_plain(next_word(fe, &r))) return 0;
  const struct origin o = origin_of(t, fe);
  struct stages s = {o.in1, o.in2, o.in3, fe->moving, fe->stepped};
  struct use use = {.free_at = t->units[TX_UNIT_VECTOR].free_at};
  const uint64_t fifo = TX_CH(TX_CH_FIFO + thread);
  sim_time next = 0, signalled_at = 0;
  uint64_t signalled = 0;
  struct tx_vector_batch batch;
  tx_vector_batch_begin(&batch, t, thread);
  while (s.stepped == engine->now - 1 || step_through(&o, &s, engine->now - 1)) {
    const bool arrived = has_arrived(&o, &s, engine->now);
    if (!forwards(&o, &s, arrived)) break;
    if (!s.in3) {
      const sim_time again = wait_for_word(t, &o, &s, limit);
      if (!again) break;
      engine->now = next = again;
      continue;
    }
    const struct tx_word *w = next_word(fe, &r);
    const struct tx_vector_word *known = known_word(t, w, &batch);
    if (!known) break;
    const struct tx_hidden *hidden = tx_vector_hidden(t);
    const bool occupied = use.free_at > engine->now;
    if (occupied || !unit_takes(t, known, hidden)) {
      const sim_time until = occupied ? use.free_at : engine->now + 1;
      if (!sim_alone_before(engine, until, limit)) break;
      t->gate[thread].stalled[occupied ? TX_BLOCKED_UNIT : TX_BLOCKED_HAZARD] += until - engine->now;
      engine->now = next = until;
      continue;
    }
    if (!signalled_at) note_passing(t, thread);
    t->current.word = w->word;
    t->current.pc = w->pc;
    if (tx_lap_noting(t)) tx_lap_note_word(t, thread, w, engine->now);
    take_word(&r);
    if (arrived && s.in2) { /* one word leaves each FIFO */
      s.in1--;
      s.moving = TX_MOVING;
      s.stepped++;
      signal_taken(t, fifo, &signalled, &signalled_at);
    } else {
      s.in3--;
      const bool empty = !(s.in3 | s.in2) && (!s.in1 || fe->pushed_at[head1(&o, &s)] > engine->now);
      signal_taken(t, empty ? fifo | TX_CH(TX_CH_IDLE) : fifo, &signalled, &signalled_at);
      step(&o, &s, arrived);
    }
    next = enter(t, known, hidden, &batch, &use);
    if (!sim_alone_before(engine, next, limit)) break;
    engine->now = next;
  }
  tx_vector_batch_end(&batch);
  if (s.stepped == fe->stepped) return next;
  struct tx_flow flow = {.to2 = o.in1 - s.in1, .moving = s.moving, .stepped = s.stepped};
  flow.to3 = flow.to2 + o.in2 - s.in2;
  flow.passed = flow.to3 + o.in3 - s.in3;
  if (flow.passed) account(t, thread, flow.passed, &use);
  if (flow.passed) note_signal(engine, signalled, signalled_at);
  tx_frontend_flow(t, thread, &flow);
  return next;
}
