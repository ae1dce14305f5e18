/* The FIFOs of a front end. */
#ifndef TESSERA_TENSIX_FIFO_H
#define TESSERA_TENSIX_FIFO_H

#include <stdbool.h>

#include "sim/assert.h"
#include "tensix/isa/isa.h"
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

/* Words for the expanders. */
static inline bool tx_is_frontend_opcode(uint32_t word) { return word >> 24 <= TX_RESOURCEDECL && word >> 24 != TX_NOP; }

/* The replay expander records, or may begin to after this word: it then consumes words of FIFO 2 without the gate. */
static inline bool tx_frontend_may_record(const struct tx_frontend *fe) {
  if (fe->replay.loading) return true;
  for (uint32_t i = 0; i < 2 && i < fe->fifo2.count; i++)
    if (fe->fifo2.slot[(fe->fifo2.head + i) % TX_FIFO_SLOTS].word >> 24 == TX_REPLAY) return true;
  return false;
}

#endif
