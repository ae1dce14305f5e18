/* Conditions that block an instruction at the wait gate besides its unit: the latched wait, source banks, mutexes. */
#ifndef TESSERA_TENSIX_FRONTEND_WAITS_H
#define TESSERA_TENSIX_FRONTEND_WAITS_H

#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/sync.h"

/* Does the latched wait block instructions of this row? */
static inline bool tx_latch_blocks(const struct tx_latch *latch, const struct tx_op *op) {
  if (op->block & TX_BLOCK_ALL9) return latch->block == TX_BLOCK_BITS;
  return (op->block & latch->block) != 0;
}

static inline void tx_block_on_bank(struct tx_answer *answer, uint32_t kind) {
  *answer = (struct tx_answer){.retry_at = SIM_NEVER, .channels = TX_CH(TX_CH_BANK), .wait = {.kind = kind}};
}

/* The row's automatic waits. The unpackers wait for their bank themselves, after the address phase. */
static inline void tx_check_automatic_waits(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t word,
                                            struct tx_answer *answer) {
  if ((op->wait & TX_WAIT_SRCA) && !tx_src_matrix_owns(&t->src, TX_SRCA)) {
    tx_block_on_bank(answer, TX_BLOCKED_SRCA);
  } else if ((op->wait & TX_WAIT_SRCB) && !tx_src_matrix_owns(&t->src, TX_SRCB)) {
    tx_block_on_bank(answer, TX_BLOCKED_SRCB);
  } else if (op->wait & TX_WAIT_MUTEX) {
    unsigned index = word & 0xffffu;
    if (op->opcode != TX_ATGETM || !tx_mutex_exists(index) || tx_mutex_available(&t->sync, index, thread)) return;
    *answer = (struct tx_answer){
        .retry_at = SIM_NEVER, .channels = TX_CH(TX_CH_MUTEX), .wait = {.kind = TX_BLOCKED_MUTEX, .object = index}};
  }
}

#endif
