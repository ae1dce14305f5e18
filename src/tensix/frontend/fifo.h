/* The FIFOs of a front end. */
#ifndef TESSERA_TENSIX_FIFO_H
#define TESSERA_TENSIX_FIFO_H

#include "sim/assert.h"
#include "tensix/state/frontend.h"

static inline struct tx_word *tx_fifo_head(struct tx_fifo *fifo) { return &fifo->slot[fifo->head]; }

static inline void tx_fifo_pop(struct tx_fifo *fifo) {
  sim_assert(fifo->count > 0 && fifo->head < TX_FIFO_SLOTS);
  sim_poison(&fifo->slot[fifo->head]);
  fifo->head = (fifo->head + 1) % TX_FIFO_SLOTS;
  fifo->count--;
}

static inline void tx_fifo_push(struct tx_fifo *fifo, uint32_t word, uint32_t pc, uint32_t flags) {
  sim_assert(fifo->count < TX_FIFO_SLOTS);
  struct tx_word *slot = &fifo->slot[(fifo->head + fifo->count) % TX_FIFO_SLOTS];
  slot->word = word;
  slot->pc = pc;
  slot->flags = flags;
  fifo->count++;
}

static inline void tx_fifo_move(struct tx_fifo *from, struct tx_fifo *to) {
  sim_assert(from->count > 0 && to->count < TX_FIFO_SLOTS);
  to->slot[(to->head + to->count) % TX_FIFO_SLOTS] = from->slot[from->head];
  to->count++;
  tx_fifo_pop(from);
}

#endif
