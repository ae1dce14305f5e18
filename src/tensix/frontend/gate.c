/* The wait gate and the arbiter of gate.h.
 *
 * request   evaluates the head of FIFO 3: its blocking condition, or the port that it requests
 * arbitrate one winner per port, round robin
 * issue     runs the winners' bodies; the others sleep until their condition can have changed */
#include "tensix/frontend/gate.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/free.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/waits.h"
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/regs/streams.h"
#include "tensix/unit/conditions.h"
#include "tensix/unit/config.h"
#include "tensix/unit/sync.h"

#define NO_THREAD 0xffu

void tx_gate_reset(struct tx_tile *t) {
  memset(t->gate, 0, sizeof t->gate);
  memset(&t->arbiter, 0, sizeof t->arbiter);
  for (unsigned port = 0; port < TX_PORT_COUNT; port++) t->arbiter.last[port] = TX_THREADS - 1; /* thread 0 goes first */
}

/* --- the latch --- */

static void stallwait_answer(struct tx_tile *t, unsigned thread, uint32_t unmet, struct tx_answer *answer) {
  static const uint64_t channels[TX_CONDITIONS] = {
      [TX_C0_SCALAR_MEMORY] = TX_CH(TX_CH_MEMORY),
      [TX_C1_UNPACK0] = TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK),
      [TX_C2_UNPACK1] = TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK),
      [TX_C5_SRCA_CLEARED] = TX_CH(TX_CH_BANK),
      [TX_C6_SRCB_CLEARED] = TX_CH(TX_CH_BANK),
      [TX_C7_SRCA_VALID] = TX_CH(TX_CH_BANK),
      [TX_C8_SRCB_VALID] = TX_CH(TX_CH_BANK),
      [TX_C9_MOVER] = TX_CH(TX_CH_UNIT + TX_UNIT_MOVER),
      [TX_C10_CORE_REQUESTS] = TX_CH(TX_CH_CORE),
  };
  answer->wait = (struct sim_wait){.kind = TX_BLOCKED_CONDITION, .object = unmet, .detail = t->gate[thread].latch.block};
  for (uint32_t left = unmet; left; left &= left - 1) {
    unsigned condition = (unsigned)__builtin_ctz(left);
    sim_time until = tx_condition_until(t, thread, condition);
    if (until && until < answer->retry_at) answer->retry_at = until;
    answer->channels |= channels[condition];
  }
}

static inline void look_at_latch(struct tx_tile *t, unsigned thread, struct tx_answer *answer) {
  const struct tx_latch *latch = sim_keep(&t->gate[thread].latch);
  uint32_t unmet;
  *answer = (struct tx_answer){.retry_at = SIM_NEVER};
  if (latch->opcode == TX_STALLWAIT) {
    unmet = tx_conditions_unmet(t, thread, latch->condition);
    if (unmet) stallwait_answer(t, thread, unmet, answer);
  } else if (latch->opcode == TX_SEMWAIT) {
    unmet = tx_semaphores_unmet(&t->sync, latch);
    answer->channels = TX_CH(TX_CH_SEM);
    answer->wait = tx_wait_of_semwait(latch, unmet);
  } else {
    tx_assert(latch->opcode == TX_STREAMWAIT);
    unmet = tx_stream_read(t, latch->stream, latch->condition) < latch->target;
    answer->channels = TX_CH(TX_CH_STREAM);
    answer->wait = (struct sim_wait){.kind = TX_BLOCKED_STREAM, .object = latch->stream, .detail = latch->target};
  }
  answer->ok = unmet == 0;
}

void tx_gate_look_at_latch(struct tx_tile *t, unsigned thread, struct tx_answer *answer) {
  look_at_latch(t, thread, answer);
}

/* --- request --- */

static bool unit_has_occupancy(unsigned unit) {
  return ~(1u << TX_UNIT_SYNC | 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC) >> unit & 1u;
}

static void check_unit(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t word, struct tx_answer *answer) {
  const struct tx_unit_state *unit = sim_keep(&t->units[op->unit]);
  if (unit_has_occupancy(op->unit) && unit->free_at > t->engine.now) {
    *answer = (struct tx_answer){.retry_at = unit->free_at,
                                 .channels = TX_CH(TX_CH_UNIT + op->unit), /* the time may not be known */
                                 .wait = {.kind = TX_BLOCKED_UNIT, .object = op->unit}};
  } else if (tx_ready[op->unit]) {
    tx_ready[op->unit](t, thread, word, answer);
  }
}

const uint8_t tx_gate_ports[TX_UNIT_COUNT] = {
    [TX_UNIT_SYNC] = TX_PORT_SYNC,   [TX_UNIT_UNPACK] = TX_PORT_UNPACK, [TX_UNIT_MATRIX] = TX_PORT_MATRIX,
    [TX_UNIT_PACK] = TX_PORT_PACK,   [TX_UNIT_VECTOR] = TX_PORT_VECTOR, [TX_UNIT_SCALAR] = TX_PORT_SCALAR,
    [TX_UNIT_MOVER] = TX_PORT_MOVER, [TX_UNIT_MISC] = TX_PORT_NONE,     [TX_UNIT_CONFIG] = TX_PORT_NONE,
};

unsigned tx_gate_port(const struct tx_op *op, uint32_t word) {
  if (op->wait & TX_WAIT_MUTEX) return TX_PORT_MUTEX0 + (word & 7u);
  if (op->unit == TX_UNIT_CONFIG) {
    int stage = tx_config_entry_stage(op->opcode);
    return stage > 0 ? TX_PORT_NONE : stage == 0 ? TX_PORT_CONFIG_0 : stage == -1 ? TX_PORT_CONFIG_M1 : TX_PORT_CONFIG_M4;
  }
  return tx_gate_ports[op->unit];
}

/* An instruction that no unit accepts: an unknown one, or a front-end word that bypassed its expander. Handled in issue. */
static bool is_foreign(const struct tx_op *op) { return !op->name || op->unit == TX_UNIT_FRONTEND; }

sim_time tx_gate_next_look(const struct tx_tile *t, unsigned thread, sim_time latch) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const sim_time now = t->engine.now;
  if (t->gate[thread].latch_met || fe->moving != TX_MOVING_LATER || !fe->fifo1.count) return now + 1;
  sim_time leaves = fe->pushed_at[fe->fifo1.head];
  if (!(fe->fifo1.slot[fe->fifo1.head].flags & TX_WORD_QUEUED) || leaves < now) return now + 1;
  return latch < leaves + 3 ? latch : leaves + 3;
}

/* There is no word to pass. A latched wait is still evaluated: its condition may hold for one cycle only. */
static void request_nothing(struct tx_tile *t, unsigned thread, const struct tx_answer *latch) {
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  *answer = (struct tx_answer){.retry_at = latch->retry_at, .channels = TX_CH(TX_CH_FIFO + thread) | latch->channels};
  if (t->frontend[thread].moving || t->gate[thread].latch_met)
    answer->retry_at = tx_gate_next_look(t, thread, latch->retry_at);
  if (t->gate[thread].latch.opcode && !t->gate[thread].latch_met)
    answer->wait = (struct sim_wait){.kind = TX_BLOCKED_LATCH, .object = thread};
}

/* The latch blocks the head. In the cycle in which its condition becomes true it still blocks. */
static void block_by_latch(struct tx_tile *t, unsigned thread, const struct tx_answer *latch) {
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  *answer = *latch;
  answer->ok = false;
  if (!t->gate[thread].latch_met) return;
  answer->retry_at = t->engine.now + 1;
  answer->wait = (struct sim_wait){.kind = TX_BLOCKED_CONDITION};
}

/* The head waits for another condition; the latch is evaluated nevertheless. */
static void keep_watching_latch(struct tx_tile *t, unsigned thread, const struct tx_answer *latch) {
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  answer->channels |= latch->channels;
  if (latch->retry_at < answer->retry_at) answer->retry_at = latch->retry_at;
  if (t->gate[thread].latch_met) answer->retry_at = t->engine.now + 1;
}

static uint32_t head_flags(const struct tx_tile *t, unsigned thread) {
  const struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo3);
  return fifo->slot[fifo->head].flags;
}

/* false: the head cannot pass, and the answer holds the reason. */
static bool may_pass(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t word) {
  struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  if (tx_gate_holds_word(t, thread, head_flags(t, thread), answer)) return false;
  answer->ok = true;
  if (op->wait) tx_check_automatic_waits(t, thread, op, word, answer);
  if (answer->ok) check_unit(t, thread, op, word, answer);
  return answer->ok;
}

void tx_gate_request(struct tx_tile *t, unsigned thread) {
  tx_assert(thread < TX_THREADS);
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  struct tx_answer latch;
  g->wants = TX_PORT_COUNT;
  g->granted = 0;
  g->latch_met = 0;
  tx_frontend_settle(t, thread, t->engine.now - 1);
  if (__builtin_expect(t->unsaved.what_if != NULL, 0)) tx_gate_pass_free(t, thread);
  if (g->latch.opcode) {
    look_at_latch(t, thread, &latch);
    g->latch_met = latch.ok;
  } else {
    latch.retry_at = SIM_NEVER;
    latch.channels = 0;
  }
  if (!fe->fifo3.count) {
    request_nothing(t, thread, &latch);
    return;
  }
  uint32_t word = fe->fifo3.slot[fe->fifo3.head].word;
  const struct tx_op *op = &tx_ops[word >> 24];
  if (is_foreign(op)) {
    g->wants = TX_PORT_NONE;
  } else if (g->latch.opcode && tx_latch_blocks(&g->latch, op)) {
    block_by_latch(t, thread, &latch);
    return;
  } else if (!may_pass(t, thread, op, word)) {
    keep_watching_latch(t, thread, &latch);
    return;
  } else {
    g->wants = tx_gate_port(op, word);
  }
  tx_assert(g->wants < TX_PORT_COUNT);
  t->arbiter.requests[g->wants] |= (uint8_t)(1u << thread);
  t->arbiter.touched |= UINT64_C(1) << g->wants;
}

/* --- arbitrate --- */

static unsigned next_after(unsigned last, unsigned requests) {
  for (unsigned i = 1; i <= TX_THREADS; i++) {
    unsigned thread = (last + i) % TX_THREADS;
    if (requests >> thread & 1u) return thread;
  }
  return NO_THREAD;
}

static unsigned head_opcode(const struct tx_tile *t, unsigned thread) {
  const struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo3);
  return fifo->slot[fifo->head].word >> 24;
}

void tx_gate_arbitrate(struct tx_tile *t) {
  struct tx_arbiter *a = &t->arbiter;
  bool shift_mask = false; /* CFGSHIFTMASK occupies two ports of the configuration unit */
  for (uint64_t left = a->touched; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctzll(left);
    unsigned requests = a->requests[port];
    a->requests[port] = 0;
    if (port == TX_PORT_NONE) {
      for (unsigned thread = 0; thread < TX_THREADS; thread++)
        if (requests >> thread & 1u) t->gate[thread].granted = 1;
      continue;
    }
    if (port == TX_PORT_SYNC && a->sync_taken_at == t->engine.now && t->engine.now) continue; /* a core's semaphore write */
    if (port == TX_PORT_CONFIG_0 && shift_mask) continue; /* it reads in stage 0 in its first cycle */
    unsigned winner = next_after(a->last[port], requests);
    if (winner == NO_THREAD) continue;
    tx_assert(winner < TX_THREADS && (requests >> winner & 1u));
    if (port == TX_PORT_CONFIG_M1) shift_mask = head_opcode(t, winner) == TX_CFGSHIFTMASK;
    t->gate[winner].granted = 1;
    a->last[port] = (uint8_t)winner;
  }
  a->touched = 0;
}

void tx_gate_grant(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_arbiter *a = &t->arbiter;
  if (g->wants == TX_PORT_COUNT) return;
  a->requests[g->wants] = 0;
  a->touched = 0;
  if (g->wants == TX_PORT_SYNC && a->sync_taken_at == t->engine.now && t->engine.now) return; /* a core's semaphore write */
  g->granted = 1;
  if (g->wants != TX_PORT_NONE) a->last[g->wants] = (uint8_t)thread;
}

/* --- issue --- */

/* Adds the cycles since the last state change to the wait's counter. */
static void account(struct tx_tile *t, unsigned thread) {
  const struct sim_wait *wait = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)].wait);
  tx_assert(wait->kind < TX_BLOCKED_COUNT && (!wait->kind || wait->since <= t->engine.now));
  if (wait->kind) t->gate[thread].stalled[wait->kind] += t->engine.now - wait->since;
}

/* A wait for a unit that was just occupied begins in the next cycle. */
uint64_t tx_gate_stalled(const struct tx_tile *t, unsigned thread, unsigned kind) {
  const struct sim_wait *wait = sim_keep(&t->engine.agents[tx_agent_of_thread(thread)].wait);
  uint64_t cycles = t->gate[thread].stalled[kind];
  return wait->kind == kind && wait->since < t->engine.now ? cycles + t->engine.now - wait->since : cycles;
}

void tx_gate_block(struct tx_tile *t, unsigned thread, const struct sim_wait *wait) {
  unsigned agent = tx_agent_of_thread(thread);
  struct sim_wait *old = sim_keep(&t->engine.agents[agent].wait);
  if (old->kind == wait->kind && old->object == wait->object) return;
  account(t, thread);
  if (sim_log_wants(&t->unsaved.log, TX_EVENT_BLOCK)) {
    tx_block(t, agent, wait);
  } else { /* the same without the event */
    *old = *wait;
    old->since = wait->kind ? t->engine.now : 0;
  }
}

static void refuse_foreign(struct tx_tile *t, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  if (!op->name)
    tx_fault(t, SIM_FAULT_BAD_INSTRUCTION, "isa_blackhole.csv", "unknown opcode 0x%02x (word 0x%08x)", word >> 24, word);
  else
    tx_fault(t, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
             "%s reached the wait gate: pushed by BRISC or recorded in the replay buffer, it is not expanded there",
             op->name);
}

static void refuse_unsupported(struct tx_tile *t, const struct tx_op *op) {
  tx_fault(t, SIM_FAULT_UNSUPPORTED, op->spec,
           op->state == TX_OP_UNDOC ? "%s: no document defines what it does on Blackhole" : "%s is not simulated yet",
           op->name);
}

/* The unpackers, and the scalar unit while an instruction waits inside it, report their end later. */
void tx_gate_log_unit(struct tx_tile *t, unsigned thread, const struct tx_op *op, uint32_t hold, sim_time drained_at,
                      uint32_t thread_cycles) {
  const struct tx_unit_state *unit = sim_keep(&t->units[op->unit]);
  bool known = unit->free_at != SIM_NEVER;
  bool later = !known || op->unit == TX_UNIT_UNPACK || op->unit == TX_UNIT_MOVER;
  uint64_t retires = later ? 0 : drained_at - t->engine.now;
  tx_emit_slow(t, TX_EVENT_UNIT, tx_agent_of_thread(thread), op->unit | hold << 8,
               known ? (uint32_t)(unit->free_at - t->engine.now) : 0, retires | (uint64_t)thread_cycles << 32);
}

static void occupy(struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_cost *cost) {
  struct tx_unit_state *unit = sim_keep(&t->units[op->unit]);
  sim_time start = t->engine.now, free_at = start + 1, drained_at = free_at;
  if (t->timing) {
    start += cost->hold;
    free_at = start + cost->issue;
    drained_at = cost->latency ? start + cost->latency : free_at;
  }
  tx_assert(op->unit < TX_UNIT_COUNT && free_at > t->engine.now && drained_at > t->engine.now);
  if (unit->free_at < free_at) unit->free_at = free_at;
  if (unit->drained_at[thread] < drained_at) unit->drained_at[thread] = drained_at;
  unit->busy_cycles += free_at - t->engine.now;
  unit->accepted[thread]++;
  if (sim_log_wants(&t->unsaved.log, TX_EVENT_UNIT))
    tx_gate_log_unit(t, thread, op, (uint32_t)(start - t->engine.now), drained_at, t->timing ? cost->thread : 1);
}

/* An instruction enters the unit that the open STALLWAIT waits for, because the block mask does not cover it: the wait
 * becomes longer than intended. */
static void advise_block(struct tx_tile *t, unsigned thread, const struct tx_op *op) {
  static const uint16_t condition_of[TX_UNIT_COUNT] = {
      [TX_UNIT_UNPACK] = 1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1,
      [TX_UNIT_PACK] = 1u << TX_C3_PACK,
      [TX_UNIT_MATRIX] = 1u << TX_C4_MATRIX,
      [TX_UNIT_MOVER] = 1u << TX_C9_MOVER,
      [TX_UNIT_VECTOR] = 1u << TX_C11_VECTOR,
      [TX_UNIT_CONFIG] = 1u << TX_C12_CONFIG,
  };
  const struct tx_latch *latch = sim_keep(&t->gate[thread].latch);
  if (latch->opcode == TX_STALLWAIT && (latch->condition & condition_of[op->unit]))
    tx_diag(t, TX_DIAG_STALL_BLOCK_ADVICE, "conditions 0x%04x, block mask 0x%03x", latch->condition, latch->block);
}

/* Out of line: a thread that waits needs none of its registers. */
__attribute__((noinline)) static void pass(struct tx_tile *t, unsigned thread) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_word w = fe->fifo3.slot[fe->fifo3.head];
  const struct tx_op *op = &tx_ops[w.word >> 24];
  unsigned agent = tx_agent_of_thread(thread);
  tx_assert(fe->fifo3.count > 0);
  t->current.agent = agent;
  t->current.word = w.word;
  t->current.pc = w.pc;
  t->current.unit = op->unit;
  if (is_foreign(op)) {
    refuse_foreign(t, w.word);
    return;
  }
  tx_frontend_pop(t, thread);
  g->issued++;
  if (tx_lap_noting(t)) tx_lap_note_word(t, thread, &w, t->engine.now);
  tx_emit(t, TX_EVENT_ISSUE, agent, w.word, w.pc, op->unit);
  if (w.word & ~op->used) tx_diag(t, TX_DIAG_UNUSED_BITS, "%s: bits 0x%06x", op->name, w.word & ~op->used);
  if (g->latch.opcode) advise_block(t, thread, op);
  tx_body_fn *body = tx_bodies[op->opcode];
  if (!body) {
    refuse_unsupported(t, op);
    return;
  }
  struct tx_cost cost = {.hold = 0, .issue = op->issue_cycles, .latency = op->latency_cycles, .thread = 1};
  if (t->config.pending_until[thread] > t->engine.now) tx_config_check_reader(t, thread, w.word);
  body(t, thread, w.word, &cost);
  occupy(t, thread, op, &cost);
  tx_sleep_after_word(t, thread, op->unit, t->engine.now + (t->timing ? cost.thread : 1));
}

void tx_gate_issue(struct tx_tile *t, unsigned thread) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  unsigned agent = tx_agent_of_thread(thread);
  const struct tx_answer *answer = sim_keep(&t->unsaved.answer[thread]);
  if (g->latch_met) memset(&g->latch, 0, sizeof g->latch);
  if (t->fault.kind) return;
  if (g->granted && g->wants != TX_PORT_COUNT) {
    static const struct sim_wait nothing;
    if (t->engine.agents[agent].wait.kind) tx_gate_block(t, thread, &nothing);
    pass(t, thread);
    return;
  }
  if (g->wants != TX_PORT_COUNT) { /* lost the arbitration */
    unsigned unit = tx_ops[t->frontend[thread].fifo3.slot[t->frontend[thread].fifo3.head].word >> 24].unit;
    tx_gate_block(t, thread, &(struct sim_wait){.kind = TX_BLOCKED_UNIT, .object = unit});
    sim_sleep_until(&t->engine, agent, t->engine.now + 1);
    return;
  }
  tx_gate_block(t, thread, &answer->wait);
  if (!answer->wait.kind && t->frontend[thread].moving != TX_MOVING) tx_signal(t, TX_CH_IDLE);
  tx_assert(answer->channels || answer->retry_at != SIM_NEVER); /* something wakes it */
  sim_sleep_on(&t->engine, agent, answer->channels, answer->retry_at);
}
