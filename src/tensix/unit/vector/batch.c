/* Batches of instructions (batch.h). */
#include "tensix/unit/vector/batch.h"

#include <stddef.h>

#include "sim/keep.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/issue.h"
#include "tensix/unit/vector/run.h"

#define STEPS_PER_WORD 2u

static void flush(struct tx_vector_batch *b) {
  if (b->count) tx_vector_lane_ops(b->t)->run(b->t, b->steps, b->count, b->mask);
  b->count = b->owned = 0;
}

/* No lane configuration, no macro pending, nothing scheduled in this cycle or the one before. Only an instruction outside the batch can change that. */
static void open_batch(struct tx_vector_batch *b) {
  struct tx_tile *t = b->t;
  struct tx_vector *v = &t->vector;
  const sim_time now = tx_now(t);
  if (v->config_any | v->undefined || now - v->executing_at <= 1 || tx_hidden_of(v, now)->at == now || tx_macro_waiting(v))
    return;
  b->open = v->seedings == t->config.prng_seedings ? TX_BATCH_STORE : TX_BATCH_ROUND - 1u;
  b->mask = tx_vector_enabled(v, &v->now);
  b->has_view = false;
}

static inline void put(struct tx_vector_batch *b, const struct tx_lane_step *step) {
  tx_assert(b->count < TX_BATCH_STEPS);
  b->steps[b->count++] = step;
}

static inline void note_writes(struct tx_vector *v, const struct tx_vector_word *w) {
  v->written = w->writes;
  v->unread |= w->writes;
}

/* The value that a two-cycle instruction is about to replace stays visible to a reader in the next cycle. */
static void hide(struct tx_vector_batch *b, const struct tx_vector_word *w) {
  const sim_time now = tx_now(b->t);
  struct tx_hidden *h = tx_hidden_of(&b->t->vector, now);
  struct tx_lane_step *copy = &b->own[b->owned++];
  h->at = now;
  h->rows = h->held_rows = w->writes;
  h->fresh_rows = h->wanted_rows = 0;
  *copy =
      (struct tx_lane_step){.op = TX_LANE_COPY, .d = (uint32_t)((char *)h->old[w->op.vd] - (char *)b->t), .c = w->step.d};
  put(b, copy);
}

static bool take_dst(struct tx_vector_batch *b, const struct tx_vector_word *w) {
  struct tx_lane_step *own = &b->own[b->owned];
  if (b->owned == TX_BATCH_OWN) return false;
  if (!b->has_view) b->view = tx_vector_dst_view(b->t, b->thread);
  b->has_view = true;
  if (w->kind == TX_BATCH_LOAD ? !tx_vector_load_step(b->t, b->thread, &w->op, &b->view, own)
                               : !tx_vector_store_step(b->t, b->thread, &w->op, &b->view, b->mask, own))
    return false;
  b->owned++;
  put(b, own);
  return true;
}

/* false: the batch cannot take the instruction; no change. */
static bool take(struct tx_vector_batch *b, const struct tx_vector_word *w, struct tx_cost *cost) {
  struct tx_tile *t = b->t;
  struct tx_vector *v = sim_keep(&t->vector);
  if (t->timing) {
    const struct tx_hidden *h = tx_vector_hidden(t);
    if (h && (w->reads & h->rows)) return false;
  }
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

const struct tx_vector_word *tx_vector_batch_decode(struct tx_vector_batch *b, uint32_t word) {
  flush(b); /* it may replace an instruction in the batch */
  return tx_vector_decode(b->t, word);
}

void tx_vector_batch_word(struct tx_vector_batch *b, const struct tx_vector_word *w, struct tx_cost *cost) {
  if (b->count + STEPS_PER_WORD > TX_BATCH_STEPS || b->owned == TX_BATCH_OWN) flush(b);
  if (!b->open) open_batch(b);
  if (w->kind - 1u < b->open && take(b, w, cost)) return;
  flush(b);
  tx_vector_execute(b->t, b->thread, w, cost);
  b->open = 0;
}

unsigned tx_vector_batch_words(struct tx_vector_batch *b, const struct tx_fifo *fifo, uint32_t head, unsigned limit) {
  struct tx_tile *t = b->t;
  struct tx_vector *v = sim_keep(&t->vector);
  const sim_time begin = tx_now(t);
  const struct tx_vector_word *last = NULL;
  uint32_t unread = v->unread;
  unsigned n = 0;
  tx_assert(!t->timing && limit <= TX_FIFO_SLOTS);
  if (!b->open) open_batch(b);
  if (b->count + limit > TX_BATCH_STEPS) flush(b);
  const unsigned open = b->open;
  unsigned count = b->count;
  for (; n < limit; n++, head = (head + 1) % TX_FIFO_SLOTS) {
    const struct tx_word *from = &fifo->slot[head];
    const struct tx_vector_word *w = tx_vector_find(t, from->word);
    if (!w || from->flags & ~(uint32_t)TX_WORD_PLAIN || w->kind - 1u >= open) break;
    if (w->kind < TX_BATCH_LOAD) {
      b->steps[count] = &w->step;
      count += w->steps;
    } else {
      t->engine.now = begin + n; /* of a finding */
      t->current.word = from->word;
      t->current.pc = from->pc;
      b->count = count;
      if (!take_dst(b, w)) break;
      count = b->count;
    }
    unread |= w->writes;
    last = w;
  }
  b->count = count;
  if (last) v->written = last->writes;
  v->unread = unread;
  t->engine.now = begin;
  return n;
}

void tx_vector_batch_end(struct tx_vector_batch *b) { flush(b); }
