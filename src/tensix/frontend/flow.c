/* Moves of a front end in full flow, several cycles at once (frontend.h): the same moves as those of frontend.c. */
#include "sim/keep.h"
#include "tensix/frontend/fifo.h"
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"

bool tx_frontend_is_full(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  return fe->fifo3.count >= t->params.fifo3_capacity && fe->plain_behind >= t->params.plain_behind_max;
}

/* Moves `count` words from the head of one FIFO to the end of another. */
static void move_words(struct tx_fifo *from, struct tx_fifo *to, uint32_t count) {
  tx_assert(count <= from->count && to->count + count <= TX_FIFO_SLOTS);
  for (uint32_t i = 0; i < count; i++) {
    struct tx_word *w = &from->slot[(from->head + i) % TX_FIFO_SLOTS];
    w->flags &= ~TX_WORD_QUEUED;
    to->slot[(to->head + to->count + i) % TX_FIFO_SLOTS] = *w;
    sim_poison(w);
  }
  from->head = (from->head + count) % TX_FIFO_SLOTS;
  from->count -= count;
  to->count += count;
}

void tx_frontend_flow(struct tx_tile *t, unsigned thread, uint32_t passed, sim_time last) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  move_words(&fe->fifo1, &fe->fifo2, passed);
  move_words(&fe->fifo2, &fe->fifo3, passed);
  for (uint32_t i = 0; i < passed; i++) sim_poison(&fe->fifo3.slot[(fe->fifo3.head + i) % TX_FIFO_SLOTS]);
  fe->fifo3.head = (fe->fifo3.head + passed) % TX_FIFO_SLOTS;
  fe->fifo3.count -= passed;
  if (fe->fifo1.count <= t->params.fifo1_accept_max) fe->refusing = 0;
  fe->moving = TX_MOVING;
  fe->stepped = last;
}
