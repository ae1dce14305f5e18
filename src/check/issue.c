/* An instruction passes a thread's gate: joins the vectors that it is ordered after, and releases those that wait for it. */
#include "check/issue.h"

#include "check/buffers.h"
#include "check/operation.h"
#include "check/registers.h"
#include "check/report.h"
#include "check/sync.h"
#include "sim/keep.h"

/* --- the vector that a thread has joined --- */

/* Joins the thread's vector with its core's at the push. */
static void thread_learns(struct chk *c, unsigned thread) {
  struct chk_thread *s = &c->thread[thread];
  const struct tx_frontend *fe = &c->t->frontend[thread];
  uint64_t left = fe->pushed - fe->fifo1.count; /* words that have left FIFO 1 */
  while (s->staged_count && s->staged[s->staged_first].pushed < left) {
    chk_join_vector(&c->clocks, CHK_THREAD + thread, &s->staged[s->staged_first].vector);
    s->staged_first = (s->staged_first + 1) % CHK_STAGED;
    s->staged_count--;
  }
}

/* Orders the thread after its instructions inside a unit. */
static void wait_for(struct chk *c, unsigned thread, unsigned entity) {
  chk_join(&c->clocks, CHK_THREAD + thread, entity);
  chk_step(&c->clocks, entity);
}

static void wait_for_all(struct chk *c, unsigned thread, unsigned unit) {
  for (unsigned other = 0; other < TX_THREADS; other++) wait_for(c, thread, chk_unit_of(other, unit));
}

static void stallwait_ends(struct chk *c, unsigned thread, uint32_t conditions) {
  static const uint8_t unit[TX_CONDITIONS] = {[TX_C0_SCALAR_MEMORY] = 1 + CHK_SCALAR, [TX_C1_UNPACK0] = 1 + CHK_UNPACK0,
                                              [TX_C2_UNPACK1] = 1 + CHK_UNPACK1,      [TX_C3_PACK] = 1 + CHK_PACK,
                                              [TX_C4_MATRIX] = 1 + CHK_MATRIX,        [TX_C11_VECTOR] = 1 + CHK_VECTOR};
  for (uint32_t left = conditions & ((1u << TX_CONDITIONS) - 1u); left; left &= left - 1) {
    unsigned condition = (unsigned)__builtin_ctz(left);
    if (unit[condition]) wait_for(c, thread, chk_unit_of(thread, unit[condition] - 1u));
    if (condition == TX_C0_SCALAR_MEMORY) wait_for(c, thread, CHK_LATE + thread);
    if (condition == TX_C9_MOVER) wait_for(c, thread, CHK_MOVER);
    else if (condition == TX_C5_SRCA_CLEARED || condition == TX_C6_SRCB_CLEARED) wait_for_all(c, thread, CHK_MATRIX);
    else if (condition == TX_C7_SRCA_VALID) wait_for_all(c, thread, CHK_UNPACK0), c->valid[thread] |= 1u;
    else if (condition == TX_C8_SRCB_VALID) wait_for_all(c, thread, CHK_UNPACK1), c->valid[thread] |= 2u;
    else if (condition == TX_C10_CORE_REQUESTS) {
      wait_for(c, thread, CHK_CONFIG + thread);
      c->thread[thread].unsynced = 0;
    }
  }
}

/* At the first instruction that the latched wait blocks: it and all later ones are ordered after the awaited units. */
static void latch_ends(struct chk *c, unsigned thread) {
  struct chk_latch *latch = &c->thread[thread].latch;
  unsigned entity = CHK_THREAD + thread;
  if (latch->opcode == TX_STALLWAIT) stallwait_ends(c, thread, latch->condition);
  for (uint32_t left = latch->semaphores; latch->opcode == TX_SEMWAIT && left; left &= left - 1) {
    unsigned index = (unsigned)__builtin_ctz(left);
    chk_semaphore_wait(c, entity, index, latch->condition, c->t->sync.sem[index].max);
  }
  if (latch->opcode == TX_STREAMWAIT) {
    chk_join_vector(&c->clocks, entity, &c->stream[latch->stream]);
    if (latch->stream < CHK_BUFFERS)
      for (unsigned i = 0; i < 2; i++) {
        const struct chk_counter *n = &c->buffer[latch->stream].count[i];
        if (n->writes) chk_join_vector(&c->clocks, entity, &n->vector[(n->writes - 1) % CHK_STREAM_RING]);
      }
  }
  latch->opcode = 0;
}

static bool blocks(const struct chk_latch *latch, const struct tx_op *op) {
  if (op->block & TX_BLOCK_ALL9) return latch->block == TX_BLOCK_BITS;
  return (op->block & latch->block) != 0;
}

/* --- the sync unit --- */

static void latch_wait(struct chk *c, unsigned thread, uint32_t word) {
  struct chk_latch *latch = &c->thread[thread].latch;
  *latch = (struct chk_latch){.opcode = word >> 24};
  if (latch->opcode == TX_STALLWAIT) {
    latch->block = TX_FIELD(word, STALLWAIT, stall_res);
    latch->condition = TX_FIELD(word, STALLWAIT, wait_res);
    if (!latch->condition) latch->condition = 0xf;
  } else if (latch->opcode == TX_SEMWAIT) {
    latch->block = TX_FIELD(word, SEMWAIT, stall_res);
    latch->condition = TX_FIELD(word, SEMWAIT, wait_sem_cond);
    latch->semaphores = TX_FIELD(word, SEMWAIT, sem_sel);
    for (uint32_t left = latch->condition & 2u ? latch->semaphores : 0; left; left &= left - 1)
      c->semaphore[__builtin_ctz(left)].room = chk_now(c, CHK_THREAD + thread);
  } else {
    latch->block = TX_FIELD(word, STREAMWAIT, stall_res);
    latch->stream =
        c->t->config
            .thread_words[thread][TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_ADDR + TX_FIELD(word, STREAMWAIT, wait_stream_sel)] %
        NOC_STREAMS_MAX;
  }
  if (!latch->block) latch->block = TX_B(6);
}

static void issue_sync(struct chk *c, unsigned thread, uint32_t word) {
  unsigned entity = CHK_THREAD + thread, mutex = word & (TX_MUTEXES - 1);
  switch (word >> 24) {
    case TX_STALLWAIT:
    case TX_SEMWAIT:
    case TX_STREAMWAIT: latch_wait(c, thread, word); break;
    case TX_SEMINIT:
      for (uint32_t left = TX_FIELD(word, SEMINIT, sem_sel); left; left &= left - 1)
        chk_semaphore_init(c, entity, (unsigned)__builtin_ctz(left), TX_FIELD(word, SEMINIT, init_value));
      break;
    case TX_SEMPOST:
      for (uint32_t left = TX_FIELD(word, SEMPOST, sem_sel); left; left &= left - 1)
        chk_semaphore_post(c, entity, (unsigned)__builtin_ctz(left));
      if (c->reduction.pooled && TX_FIELD(word, SEMPOST, sem_sel) & CHK_COMMITS) chk_reduction_commits(c, thread);
      break;
    case TX_SEMGET:
      for (uint32_t left = TX_FIELD(word, SEMGET, sem_sel); left; left &= left - 1)
        chk_semaphore_get(c, entity, (unsigned)__builtin_ctz(left));
      break;
    /* The order of two holders is arbitrary: a mutex separates two accesses and does not order them. */
    case TX_ATGETM: c->thread[thread].locks |= (uint8_t)(1u << mutex); break;
    case TX_ATRELM: c->thread[thread].locks &= (uint8_t) ~(1u << mutex); break;
    default: break;
  }
}

/* --- the units --- */

/* Orders the unit's work for this instruction after the thread's vector. */
static void enter(struct chk *c, unsigned thread, unsigned entity) { chk_join(&c->clocks, entity, CHK_THREAD + thread); }

/* The Src banks that the matrix unit releases with this instruction; all have the field at the same place. */
static unsigned releases(uint32_t word) {
  switch (word >> 24) {
    case TX_SETRWC:
    case TX_CLEARDVALID:
    case TX_MVMUL:
    case TX_DOTPV:
    case TX_ELWADD:
    case TX_ELWSUB:
    case TX_ELWMUL:
    case TX_GAPOOL:
    case TX_GMPOOL: return word >> 22 & 3u;
    default: return 0;
  }
}

static void note_fill(struct chk *c, unsigned entity, unsigned which) {
  c->fill[which][c->fills[which]++ & 1u] = chk_now(c, entity);
}

/* MOVD2A, MOVD2B and MOVB2A write a bank and do not wait for it: the thread must have waited, or be ordered after the
 * hand-over of one of the two banks. ISA: MOVD2A.md, MOVD2B.md, MOVB2A.md */
static void check_bank(struct chk *c, unsigned thread, unsigned entity, unsigned which) {
  const struct chk_mark *fill = c->fill[which], *last = &fill[(c->fills[which] + 1) & 1u];
  if (c->valid[thread] >> which & 1u || !last->clock) return;
  if (chk_knows(&c->clocks, entity, last) ||
      (fill[c->fills[which] & 1u].clock && chk_knows(&c->clocks, entity, &fill[c->fills[which] & 1u])))
    return;
  chk_report(c, TX_DIAG_BANK_TOUCH_FOREIGN, last, "%s: nothing makes %s wait for the bank", which ? "SrcB" : "SrcA",
             tx_ops[c->t->current.word >> 24].name);
}

static void check_moved(struct chk *c, unsigned thread, unsigned entity, const struct tx_op *op) {
  if (op->opcode == TX_MOVD2A || op->opcode == TX_MOVB2A) check_bank(c, thread, entity, TX_SRCA);
  if (op->opcode == TX_MOVD2B) check_bank(c, thread, entity, TX_SRCB);
}

static void follow_banks(struct chk *c, unsigned thread, unsigned entity, const struct tx_op *op, uint32_t word) {
  _Static_assert(TX_MOVD2A < TX_MOVD2B && TX_MOVD2B < TX_MOVB2A, "one comparison leaves out all other instructions");
  c->valid[thread] |= (uint8_t)((op->wait & TX_WAIT_SRCA ? 1u : 0u) | (op->wait & TX_WAIT_SRCB ? 2u : 0u));
  if (word - ((uint32_t)TX_MOVD2A << 24) < (uint32_t)(TX_MOVB2A + 1 - TX_MOVD2A) << 24) check_moved(c, thread, entity, op);
  if (word >> 22 & 3u) c->valid[thread] &= (uint8_t)~releases(word);
}

/* Orders the entity after this unpacker's words, of whatever thread. */
static inline void join_unpacks(struct chk *c, unsigned entity, unsigned unpacker) {
  _Static_assert(TX_THREADS == 3, "one test for each");
  const uint32_t threads = c->unpacks[unpacker];
  struct chk_clocks *clocks = &c->clocks;
  if (threads & 1u) chk_join(clocks, entity, chk_unit_of(0, CHK_UNPACK0 + unpacker));
  if (threads & 2u) chk_join(clocks, entity, chk_unit_of(1, CHK_UNPACK0 + unpacker));
  if (threads & 4u) chk_join(clocks, entity, chk_unit_of(2, CHK_UNPACK0 + unpacker));
}

/* The hand-over or release of a bank orders unpackers and matrix unit. */
static void enter_matrix(struct chk *c, unsigned thread, const struct tx_op *op, uint32_t word) {
  unsigned entity = chk_unit_of(thread, CHK_MATRIX);
  enter(c, thread, entity);
  if (op->wait || op->opcode == TX_SETRWC || op->opcode == TX_CLEARDVALID) c->gives_banks |= 1u << thread;
  if (op->wait & TX_WAIT_SRCA) join_unpacks(c, entity, 0);
  if (op->wait & TX_WAIT_SRCB) join_unpacks(c, entity, 1);
  if (chk_on(c, CHK_B)) follow_banks(c, thread, entity, op, word);
}

static void enter_unpack(struct chk *c, unsigned thread, uint32_t word) {
  unsigned which = word >> 23 & 1u, entity = chk_unit_of(thread, CHK_UNPACK0 + which);
  enter(c, thread, entity);
  bool hands_over = word >> 24 == TX_UNPACR ? TX_FIELD(word, UNPACR, set_dat_valid) : TX_FIELD(word, UNPACR_NOP, set_dvalid);
  if (hands_over) note_fill(c, entity, which);
  c->unpacks[which] |= 1u << thread;
  for (unsigned other = 0; other < TX_THREADS; other++)
    if (c->gives_banks >> other & 1u) chk_join(&c->clocks, entity, chk_unit_of(other, CHK_MATRIX));
}

/* FLUSHDMA waits inside the scalar unit for C0 to C3, and no later instruction of the thread passes it. */
static uint32_t flushed(uint32_t word) {
  uint32_t conditions = TX_FIELD(word, FLUSHDMA, flush_spec);
  return conditions ? conditions : 0xfu;
}

static void issue_scalar(struct chk *c, unsigned thread, uint32_t word) {
  unsigned entity = chk_unit_of(thread, CHK_SCALAR);
  enter(c, thread, entity);
  enter(c, thread, CHK_LATE + thread);
  if (word >> 24 == TX_FLUSHDMA) stallwait_ends(c, thread, flushed(word));
  if (word >> 24 != TX_STOREREG) return;
  uint32_t address = TX_ADDR_REGISTERS + TX_FIELD(word, STOREREG, reg_addr) * 4;
  chk_counter_store(c, entity, thread, address, c->t->scalar.gpr[thread][TX_FIELD(word, STOREREG, tdma_data_reg_index)]);
}

void chk_issue(struct chk *c, unsigned thread, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  const struct chk_thread *s = sim_keep(&c->thread[thread]);
  const struct tx_frontend *fe = sim_keep(&c->t->frontend[thread]);
  if (s->staged_count && s->staged[s->staged_first].pushed < fe->pushed - fe->fifo1.count) thread_learns(c, thread);
  if (s->latch.opcode && blocks(&s->latch, op)) latch_ends(c, thread);
  switch (op->unit) {
    case TX_UNIT_SYNC: issue_sync(c, thread, word); return;
    case TX_UNIT_MATRIX: enter_matrix(c, thread, op, word); break;
    case TX_UNIT_VECTOR: enter(c, thread, chk_unit_of(thread, CHK_VECTOR)); break;
    case TX_UNIT_PACK: enter(c, thread, chk_unit_of(thread, CHK_PACK)); break;
    case TX_UNIT_UNPACK: enter_unpack(c, thread, word); break;
    case TX_UNIT_SCALAR: issue_scalar(c, thread, word); break;
    case TX_UNIT_MOVER: enter(c, thread, CHK_MOVER); break;
    default: break;
  }
  if (chk_on(c, CHK_B)) chk_registers_issue(c, thread, word);
}
