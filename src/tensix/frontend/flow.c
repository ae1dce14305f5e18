/* Moves of a plain stream, several cycles at once (frontend.h): the same moves as those of frontend.c. */
#include <string.h>

#include "sim/keep.h"
#include "tensix/frontend/fifo.h"
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"

/* Slots from `at` to the end of the ring. */
static uint32_t slots_to_end(uint32_t at) { return TX_FIFO_SLOTS - at; }

/* Moves `count` words from the head of one FIFO to the end of another, in pieces that are contiguous in both. */
static void move_words(struct tx_fifo *from, struct tx_fifo *to, uint32_t count) {
  tx_assert(count <= from->count && to->count + count <= TX_FIFO_SLOTS);
  uint32_t end = (to->head + to->count) % TX_FIFO_SLOTS;
  from->count -= count;
  to->count += count;
  while (count) {
    uint32_t n = count;
    if (n > slots_to_end(from->head)) n = slots_to_end(from->head);
    if (n > slots_to_end(end)) n = slots_to_end(end);
    memcpy(&to->slot[end], &from->slot[from->head], n * sizeof to->slot[0]);
    for (uint32_t i = 0; i < n; i++) sim_poison(&from->slot[from->head + i]);
    from->head = (from->head + n) % TX_FIFO_SLOTS;
    end = (end + n) % TX_FIFO_SLOTS;
    count -= n;
  }
}

void tx_frontend_flow(struct tx_tile *t, unsigned thread, const struct tx_flow *flow) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const uint32_t passed = flow->passed;
  for (uint32_t i = 0; i < flow->to2; i++) fe->fifo1.slot[(fe->fifo1.head + i) % TX_FIFO_SLOTS].flags &= ~TX_WORD_QUEUED;
  move_words(&fe->fifo1, &fe->fifo2, flow->to2);
  move_words(&fe->fifo2, &fe->fifo3, flow->to3);
  for (uint32_t i = 0; i < passed; i++) sim_poison(&fe->fifo3.slot[(fe->fifo3.head + i) % TX_FIFO_SLOTS]);
  tx_assert(passed <= fe->fifo3.count);
  fe->fifo3.head = (fe->fifo3.head + passed) % TX_FIFO_SLOTS;
  fe->fifo3.count -= passed;
  fe->plain_behind += flow->to2 - passed;
  fe->moving = flow->moving;
  fe->stepped = flow->stepped;
}
