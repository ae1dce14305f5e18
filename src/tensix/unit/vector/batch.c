/* Batches of instructions (batch.h), and the bodies of single ones. */
#include "tensix/unit/vector/batch.h"

#include <stddef.h>
#include <string.h>

#include "sim/keep.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/issue.h"
#include "tensix/unit/vector/run.h"

#define STEPS_PER_WORD 2u

static __attribute__((cold, noinline)) void take_down(const struct tx_vector_batch *b) {
  struct tx_vector_tape *tape = b->tape;
  tape->full |= tape->room - tape->count < b->count;
  for (unsigned i = 0; i < b->count && !tape->full; i++) {
    tape->step[tape->count] = tape->keep(tape->owner, b->steps[i]);
    if (tape->step[tape->count]) tape->count++;
    else tape->full = true;
  }
  tape->lost |= tape->full || b->mask != TX_ALL_LANES;
}

static void flush(struct tx_vector_batch *b) {
  if (b->tape && b->count) take_down(b);
  if (b->count) tx_vector_lane_ops(b->t)->run(b->t, b->steps, b->count, b->mask);
  b->count = b->owned = 0;
}

/* The kinds up to which instructions may enter: none without the following. No lane configuration, no macro pending, nothing scheduled in this cycle or
 * the one before. Only an instruction outside the batch can change that. */
static inline unsigned open_kinds(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const sim_time now = tx_now(t);
  if (v->config_any | v->undefined || now - v->executing_at <= 1 || tx_hidden_of(v, now)->at == now || tx_macro_waiting(v))
    return 0;
  return v->seedings == t->config.prng_seedings ? TX_BATCH_STORE : TX_BATCH_ROUND - 1u;
}

static void open_batch(struct tx_vector_batch *b) {
  b->open = open_kinds(b->t);
  b->mask = tx_vector_enabled(&b->t->vector, &b->t->vector.now);
}

static inline void put(struct tx_vector_batch *b, const struct tx_lane_step *step) {
  tx_assert(b->count < TX_BATCH_STEPS);
  b->steps[b->count++] = step;
}

static inline void note_writes(struct tx_vector *v, const struct tx_vector_word *w) {
  v->written = w->writes;
  v->unread |= w->writes;
}

/* The value that a two-cycle instruction is about to replace stays visible to a reader in the next cycle. Returns the row to copy it to. */
static inline uint32_t *hidden_row(struct tx_tile *t, const struct tx_vector_word *w) {
  const sim_time now = tx_now(t);
  struct tx_hidden *h = tx_hidden_of(&t->vector, now);
  h->at = now;
  h->rows = h->held_rows = w->writes;
  h->fresh_rows = h->wanted_rows = 0;
  return h->old[w->op.vd];
}

static void hide(struct tx_vector_batch *b, const struct tx_vector_word *w) {
  struct tx_lane_step *copy = &b->own[b->owned++];
  *copy =
      (struct tx_lane_step){.op = TX_LANE_COPY, .d = (uint32_t)((char *)hidden_row(b->t, w) - (char *)b->t), .c = w->step.d};
  put(b, copy);
}

/* A two-cycle result of the cycle before is still hidden from it. */
static inline bool reads_too_soon(struct tx_tile *t, const struct tx_vector_word *w) {
  const struct tx_hidden *h = tx_vector_hidden(t);
  return h && (w->reads & h->rows);
}

static inline bool dst_step(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, uint32_t mask,
                            struct tx_lane_step *own) {
  return w->kind == TX_BATCH_LOAD ? tx_vector_load_step(t, thread, w, own) : tx_vector_store_step(t, thread, w, mask, own);
}

static inline bool take_dst(struct tx_vector_batch *b, const struct tx_vector_word *w) {
  struct tx_lane_step *own = &b->own[b->owned];
  if (b->owned == TX_BATCH_OWN || !dst_step(b->t, b->thread, w, b->mask, own)) return false;
  b->owned++;
  put(b, own);
  return true;
}

/* false: the batch cannot take the instruction; no change. */
static bool take(struct tx_vector_batch *b, const struct tx_vector_word *w, struct tx_cost *cost) {
  struct tx_tile *t = b->t;
  struct tx_vector *v = sim_keep(&t->vector);
  if (t->timing && reads_too_soon(t, w)) return false;
  if (w->kind != TX_BATCH_TWO_CYCLES) cost->issue = 1; /* else the row's cost applies */
  switch (w->kind) {
    case TX_BATCH_TWO_CYCLES:
      if (t->timing) hide(b, w);
      put(b, &w->step);
      break;
    case TX_BATCH_SORT:
      if (t->timing) v->nop_only_at = tx_now(t) + 1;
      put(b, &w->step);
      break;
    case TX_BATCH_LOAD:
    case TX_BATCH_STORE:
      if (!take_dst(b, w)) return false;
      break;
    default:
      put(b, &w->step);
      b->count -= !w->steps;
      break;
  }
  note_writes(v, w);
  return true;
}

/* --- single instructions --- */

/* An instruction alone as the batch would take it, with its arithmetic. false: no change. */
static bool execute_single(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_cost *cost) {
  struct tx_vector *v = sim_keep(&t->vector);
  struct tx_lane_step own;
  const struct tx_lane_step *step = &w->step;
  const uint32_t mask = tx_vector_enabled(v, &v->now);
  if (w->kind - 1u >= open_kinds(t) || (t->timing && reads_too_soon(t, w))) return false;
  if (w->kind >= TX_BATCH_LOAD) {
    if (!dst_step(t, thread, w, mask, &own)) return false;
    step = &own;
  }
  if (w->kind != TX_BATCH_TWO_CYCLES) cost->issue = 1; /* else the row's cost applies */
  else if (t->timing) memcpy(hidden_row(t, w), v->lreg[w->op.vd], sizeof v->lreg[0]);
  if (w->kind == TX_BATCH_SORT && t->timing) v->nop_only_at = tx_now(t) + 1;
  note_writes(v, w);
  if (!w->steps) return true;
  const struct tx_lane_args args = tx_lane_step_args(t, step, mask);
  tx_vector_lane_ops(t)->fn[step->op](&args);
  return true;
}

/* --- batches --- */

const struct tx_vector_word *tx_vector_batch_decode(struct tx_vector_batch *b, uint32_t word) {
  flush(b); /* it may replace an instruction in the batch */
  return tx_vector_decode(b->t, word);
}

void tx_vector_batch_word(struct tx_vector_batch *b, const struct tx_vector_word *w, struct tx_cost *cost) {
  if (b->count + STEPS_PER_WORD > TX_BATCH_STEPS || b->owned == TX_BATCH_OWN) flush(b);
  if (!b->open) open_batch(b);
  if (w->kind - 1u < b->open && take(b, w, cost)) return;
  flush(b);
  if (b->tape) b->tape->lost = true;
  tx_vector_execute(b->t, b->thread, w, cost);
  b->open = 0;
}

/* Words of contiguous slots, those for Dst apart from the others. Returns the first that the batch does not take. */
static const struct tx_word *take_words(struct tx_vector_batch *b, const struct tx_word *from, const struct tx_word *end) {
  struct tx_tile *t = b->t;
  struct tx_vector *v = sim_keep(&t->vector);
  const struct tx_word *first = from;
  const sim_time begin = tx_now(t);
  const unsigned open = b->open, steps_only = open < TX_BATCH_LOAD ? open : TX_BATCH_LOAD - 1u;
  const struct tx_lane_step **next = &b->steps[b->count];
  uint32_t unread = v->unread;
  for (; from != end; from++) {
    const struct tx_vector_word *w = tx_vector_find(t, from->word);
    if (!w || from->flags & ~(uint32_t)TX_WORD_PLAIN) break;
    if (__builtin_expect(w->kind - 1u < steps_only, 1)) {
      *next = &w->step;
      next += w->steps;
    } else {
      if (w->kind - 1u >= open) break;
      t->engine.now = begin + (sim_time)(from - first); /* of a finding */
      t->current.word = from->word;
      t->current.pc = from->pc;
      b->count = (unsigned)(next - b->steps);
      if (!take_dst(b, w)) break;
      next++;
    }
    unread |= w->writes;
    v->written = w->writes;
  }
  b->count = (unsigned)(next - b->steps);
  v->unread = unread;
  t->engine.now = begin + (sim_time)(from - first);
  return from;
}

unsigned tx_vector_batch_words(struct tx_vector_batch *b, const struct tx_fifo *fifo, uint32_t head, unsigned limit) {
  struct tx_tile *t = b->t;
  const sim_time begin = tx_now(t);
  const struct tx_word *slots = fifo->slot, *from = slots + head, *end = slots + TX_FIFO_SLOTS;
  tx_assert(!t->timing && limit <= TX_FIFO_SLOTS);
  if (!b->open) open_batch(b);
  if (b->count + limit > TX_BATCH_STEPS) flush(b);
  if (head + limit > TX_FIFO_SLOTS) {
    if (take_words(b, from, end) == end) take_words(b, slots, slots + (head + limit - TX_FIFO_SLOTS));
  } else {
    take_words(b, from, from + limit);
  }
  const unsigned n = (unsigned)(tx_now(t) - begin);
  t->engine.now = begin;
  return n;
}

void tx_vector_batch_end(struct tx_vector_batch *b) { flush(b); }

/* --- bodies --- */

#define BODY(name) \
  void tx_exec_##name(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) { \
    const struct tx_vector_word *w = tx_vector_decoded(t, word); \
    if (!execute_single(t, thread, w, cost)) tx_vector_execute(t, thread, w, cost); \
  }
BODY(SFPLOAD)
BODY(SFPLOADI)
BODY(SFPSTORE)
BODY(SFPLUT)
BODY(SFPMULI)
BODY(SFPADDI)
BODY(SFPDIVP2)
BODY(SFPEXEXP)
BODY(SFPEXMAN)
BODY(SFPIADD)
BODY(SFPSHFT)
BODY(SFPSETCC)
BODY(SFPMOV)
BODY(SFPABS)
BODY(SFPAND)
BODY(SFPOR)
BODY(SFPNOT)
BODY(SFPLZ)
BODY(SFPSETEXP)
BODY(SFPSETMAN)
BODY(SFPMAD)
BODY(SFPADD)
BODY(SFPMUL)
BODY(SFPPUSHC)
BODY(SFPPOPC)
BODY(SFPSETSGN)
BODY(SFPENCC)
BODY(SFPCOMPC)
BODY(SFPTRANSP)
BODY(SFPXOR)
BODY(SFP_STOCH_RND)
BODY(SFPNOP)
BODY(SFPCAST)
BODY(SFPCONFIG)
BODY(SFPSWAP)
BODY(SFPLOADMACRO)
BODY(SFPSHFT2)
BODY(SFPLUTFP32)
BODY(SFPLE)
BODY(SFPGT)
BODY(SFPMUL24)
BODY(SFPARECIP)
