/* The sync unit of sync.h: bodies of its eight instructions. They take effect when they pass the gate; the result is visible to
 * the gates of other threads in the next cycle. */
#include "tensix/unit/sync.h"

#include <string.h>

#include "tensix/body.h"
#include "tensix/machine.h"

#define SEMAPHORE_LIMIT 15u /* four bits, saturating (SyncUnit.md) */

void tx_sync_reset(struct tx_sync *sync) {
  memset(sync, 0, sizeof *sync);
  for (unsigned i = 0; i < TX_SEMAPHORES; i++)
    sync->sem[i] = sim_csem_make(4, 0, SIM_FULL_SATURATE, SIM_ZERO_SATURATE, SIM_FAN_P2P, 1);
  memset(sync->mutex_holder, TX_MUTEX_FREE, sizeof sync->mutex_holder);
}

/* --- semaphores --- */

/* Wakes every agent that waits for semaphores, and cores that poll this one. */
void tx_semaphore_changed(struct tx_tile *t, unsigned index) {
  tx_emit(t, TX_EVENT_SEMAPHORE, t->current.agent, index, t->sync.sem[index].value, t->sync.sem[index].max);
  tx_signal(t, TX_CH_SEM);
  sim_poke(&t->engine, TX_ADDR_SEMAPHORE + 4 * index);
}

static uint32_t current_bit(const struct tx_tile *t) { return t->current.agent < 32 ? 1u << t->current.agent : 0; }

void tx_sem_post(struct tx_tile *t, unsigned index) {
  tx_assert(index < TX_SEMAPHORES);
  struct sim_csem *sem = &t->sync.sem[index];
  /* Before SEMINIT there is no maximum to exceed: LLK counts with UNPACK_SYNC, which no firmware initialises, and reads the
   * value. At 15 a post is always lost. */
  bool bounded = t->sync.initialised >> index & 1u;
  if (sem->value >= (bounded ? sem->max : SEMAPHORE_LIMIT))
    tx_diag_after(t, TX_DIAG_SEM_POST_ABOVE_MAX, &t->sync.posted[index], "semaphore %u: value %u, maximum %u", index,
                  sem->value, bounded ? sem->max : SEMAPHORE_LIMIT);
  sim_csem_post(sem, 0);
  t->sync.posters[index] |= current_bit(t);
  t->sync.posted[index] = tx_trail_now(t);
  tx_semaphore_changed(t, index);
}

void tx_sem_get(struct tx_tile *t, unsigned index) {
  struct sim_csem *sem = &t->sync.sem[index];
  const struct tx_trail *last = t->sync.taken[index].known ? &t->sync.taken[index] : &t->sync.posted[index];
  if (sem->value == 0) tx_diag_after(t, TX_DIAG_SEM_GET_AT_ZERO, last, "semaphore %u", index);
  sim_csem_get(sem);
  t->sync.takers[index] |= current_bit(t);
  t->sync.taken[index] = tx_trail_now(t);
  tx_semaphore_changed(t, index);
}

void tx_exec_SEMINIT(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread, (void)cost;
  uint16_t value = (uint16_t)TX_FIELD(word, SEMINIT, init_value), max = (uint16_t)TX_FIELD(word, SEMINIT, max_value);
  if (value > max) tx_diag(t, TX_DIAG_SEM_INIT_ABOVE_MAX, "value %u, maximum %u", value, max);
  for (uint32_t left = TX_FIELD(word, SEMINIT, sem_sel); left; left &= left - 1) {
    unsigned index = (unsigned)__builtin_ctz(left);
    t->sync.sem[index].value = value;
    t->sync.sem[index].max = max;
    t->sync.initialised |= (uint8_t)(1u << index);
    tx_semaphore_changed(t, index);
  }
}

/* Timing off: the thread's turn ends with this word, and the core fills FIFO 1 from there. So turns begin at the same words in each pass of a kernel, and a pass is
 * a lap (lap/lap.h); where they ended whenever FIFO 1 was empty, many passes were. */
static void end_turn(struct tx_tile *t, unsigned thread) {
  struct sim_engine *engine = &t->engine;
  if (!engine->in_turns || engine->turn != tx_agent_of_thread(thread) + 1) return;
  if (engine->turn_end > engine->now + 1) engine->turn_end = engine->now + 1;
  engine->schedule_changed = 1;
}

void tx_exec_SEMPOST(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  end_turn(t, thread);
  for (uint32_t left = TX_FIELD(word, SEMPOST, sem_sel); left; left &= left - 1)
    tx_sem_post(t, (unsigned)__builtin_ctz(left));
}

void tx_exec_SEMGET(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  end_turn(t, thread);
  for (uint32_t left = TX_FIELD(word, SEMGET, sem_sel); left; left &= left - 1) tx_sem_get(t, (unsigned)__builtin_ctz(left));
}

/* --- mutexes --- */

bool tx_mutex_exists(unsigned index) { return index == 0 || (index >= 2 && index <= 4); }

bool tx_mutex_available(const struct tx_sync *sync, unsigned index, unsigned thread) {
  tx_assert(index < TX_MUTEXES && thread < TX_THREADS);
  return sync->mutex_holder[index] == TX_MUTEX_FREE || sync->mutex_holder[index] == thread;
}

static bool check_mutex(struct tx_tile *t, unsigned index) {
  if (tx_mutex_exists(index)) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, "ATGETM.md",
           "mutex %u does not exist (Blackhole has 0, 2, 3 and 4): hardware would hang here forever", index);
  return false;
}

void tx_exec_ATGETM(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, ATGETM, mutex_index);
  if (!check_mutex(t, index)) return;
  if (t->sync.mutex_holder[index] == thread)
    tx_diag_after(t, TX_DIAG_MUTEX_REACQUIRE, &t->sync.acquired[index], "mutex %u", index);
  tx_assert(tx_mutex_available(&t->sync, index, thread)); /* the gate has waited for it */
  t->sync.mutex_holder[index] = (uint8_t)thread;
  t->sync.acquired[index] = tx_trail_now(t);
  tx_emit(t, TX_EVENT_MUTEX, t->current.agent, index, thread, 0);
}

void tx_exec_ATRELM(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, ATRELM, mutex_index);
  if (!check_mutex(t, index)) return;
  if (t->sync.mutex_holder[index] != thread) {
    tx_diag_after(t, TX_DIAG_MUTEX_FOREIGN_RELEASE, &t->sync.acquired[index], "mutex %u", index);
    return; /* no effect */
  }
  t->sync.mutex_holder[index] = TX_MUTEX_FREE;
  t->arbiter.last[TX_PORT_MUTEX0 + index] = (uint8_t)thread; /* next in the round-robin order: thread + 1 (ATRELM.md) */
  tx_emit(t, TX_EVENT_MUTEX, t->current.agent, index, TX_MUTEX_FREE, 0);
  tx_signal(t, TX_CH_MUTEX);
}

/* --- waits: latched in the thread's gate --- */

static void latch(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_latch value) {
  value.opcode = word >> 24;
  if (value.block == 0) value.block = TX_B(6);
  value.since = t->engine.now;
  value.pc = t->current.pc;
  tx_assert(thread < TX_THREADS && value.block <= TX_BLOCK_BITS);
  t->gate[thread].latch = value;
}

void tx_exec_STALLWAIT(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  uint32_t condition = TX_FIELD(word, STALLWAIT, wait_res), block = TX_FIELD(word, STALLWAIT, stall_res);
  latch(t, thread, word, (struct tx_latch){.block = block, .condition = condition ? condition : 0xfu});
}

void tx_exec_SEMWAIT(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  uint32_t condition = TX_FIELD(word, SEMWAIT, wait_sem_cond);
  if (condition == 0) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "SEMWAIT.md", "SEMWAIT with neither condition selected");
    return;
  }
  latch(t, thread, word,
        (struct tx_latch){.block = TX_FIELD(word, SEMWAIT, stall_res),
                          .condition = condition,
                          .semaphores = TX_FIELD(word, SEMWAIT, sem_sel)});
}

void tx_exec_STREAMWAIT(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  static const uint16_t sync_section[4] = {TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_ADDR, TX_CFG_STREAM_ID_SYNC_SEC1_BankSel_ADDR,
                                           TX_CFG_STREAM_ID_SYNC_SEC2_BankSel_ADDR, TX_CFG_STREAM_ID_SYNC_SEC3_BankSel_ADDR};
  uint32_t which = TX_FIELD(word, STREAMWAIT, target_sel);
  uint32_t high = which ? TX_THREAD_CFG_GET(t, thread, STREAMWAIT_NUM_MSGS_HI_Val)
                        : TX_THREAD_CFG_GET(t, thread, STREAMWAIT_PHASE_HI_Val);
  uint32_t stream = tx_thread_config_word(t, thread, sync_section[TX_FIELD(word, STREAMWAIT, wait_stream_sel)]);
  stream = stream >> TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_SHIFT & ((1u << TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_WIDTH) - 1u);
  latch(t, thread, word,
        (struct tx_latch){.block = TX_FIELD(word, STREAMWAIT, stall_res),
                          .condition = which,
                          .stream = stream,
                          .target = high << 10 | TX_FIELD(word, STREAMWAIT, target_value)});
}
