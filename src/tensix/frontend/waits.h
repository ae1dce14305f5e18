/* Conditions that block an instruction at the wait gate besides its unit: the latched wait, holds of its thread, source
 * banks, mutexes. */
#ifndef TESSERA_TENSIX_FRONTEND_WAITS_H
#define TESSERA_TENSIX_FRONTEND_WAITS_H

#include "sim/keep.h"
#include "tensix/frontend/autosync.h"
#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/sync.h"

/* Does the latched wait block instructions of this row? */
static inline bool tx_latch_blocks(const struct tx_latch *latch, const struct tx_op *op) {
  if (op->block & TX_BLOCK_ALL9) return latch->block == TX_BLOCK_BITS;
  return (op->block & latch->block) != 0;
}

/* An instruction of the thread waits inside the scalar unit. */
static inline bool tx_scalar_holds_word(struct tx_tile *t, unsigned thread, uint32_t flags, struct tx_answer *answer) {
  (void)flags;
  *answer = (struct tx_answer){.retry_at = t->scalar.hold_until[thread],
                               .channels = TX_CH(TX_CH_UNIT + TX_UNIT_SCALAR),
                               .wait = {.kind = TX_BLOCKED_UNIT, .object = TX_UNIT_SCALAR}};
  return true;
}

/* The holds: each may keep the next word of a thread at the gate, whatever it is. HOLD(may it now, does it and why) */
#define TX_HOLDS(HOLD) \
  HOLD(t->scalar.hold_until[thread] > t->engine.now, tx_scalar_holds_word) \
  HOLD(g->accesses, tx_autosync_holds_word)

/* Is the thread free of holds? */
static inline bool tx_gate_is_open(const struct tx_tile *t, unsigned thread, const struct tx_gate *g) {
#define HOLD(may, holds) &&!(may)
  return true TX_HOLDS(HOLD);
#undef HOLD
}

/* A hold keeps the word with these flags, and `answer` has the reason. */
static inline bool tx_gate_holds_word(struct tx_tile *t, unsigned thread, uint32_t flags, struct tx_answer *answer) {
  const struct tx_gate *g = sim_keep(&t->gate[thread]);
#define HOLD(may, holds) || ((may) && holds(t, thread, flags, answer))
  return false TX_HOLDS(HOLD);
#undef HOLD
}

/* Semaphores that keep the latched SEMWAIT waiting. */
static inline uint32_t tx_semaphores_unmet(const struct tx_sync *sync, const struct tx_latch *latch) {
  uint32_t unmet = 0;
  for (uint32_t left = latch->semaphores; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    const struct sim_csem *sem = &sync->sem[i];
    if ((latch->condition & 1u) && sem->value == 0) unmet |= 1u << i;
    if ((latch->condition & 2u) && sem->value >= sem->max) unmet |= 1u << i;
  }
  return unmet;
}

static inline struct sim_wait tx_wait_of_semwait(const struct tx_latch *latch, uint32_t unmet) {
  return (struct sim_wait){
      .kind = TX_BLOCKED_SEMAPHORE, .object = unmet, .detail = latch->condition | (uint64_t)latch->block << 8};
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

/* A word has just entered `unit`. Is the next head for the same unit, and can only that unit block it? */
static inline bool tx_next_is_alike(const struct tx_tile *t, unsigned thread, unsigned unit) {
  const uint32_t units = 1u << TX_UNIT_UNPACK | 1u << TX_UNIT_MATRIX | 1u << TX_UNIT_PACK | 1u << TX_UNIT_VECTOR;
  const struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo3);
  const struct tx_gate *g = sim_keep(&t->gate[thread]);
  if (!(units >> unit & 1u) || !fifo->count || g->latch.opcode || !tx_gate_is_open(t, thread, g)) return false;
  const struct tx_op *next = &tx_ops[fifo->slot[fifo->head].word >> 24];
  return next->unit == unit && !next->wait && !sim_log_wants(&t->unsaved.log, TX_EVENT_BLOCK) && !t->unsaved.what_if;
}

/* After that word the thread acts at `next`, or, if the next head can only wait for the unit from the next cycle on, without another
 * evaluation when the unit accepts it. */
static inline void tx_sleep_after_word(struct tx_tile *t, unsigned thread, unsigned unit, sim_time next) {
  const unsigned agent = tx_agent_of_thread(thread);
  const sim_time free_at = t->units[unit].free_at;
  if (free_at <= next || next != t->engine.now + 1 || !tx_next_is_alike(t, thread, unit)) {
    sim_sleep_until(&t->engine, agent, next);
  } else {
    t->engine.agents[agent].wait = (struct sim_wait){.since = next, .kind = TX_BLOCKED_UNIT, .object = unit};
    sim_sleep_on(&t->engine, agent, TX_CH(TX_CH_UNIT + unit), free_at);
  }
}

#endif
