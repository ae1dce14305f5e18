/* The words of free.h. */
#include "tensix/frontend/free.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/waits.h"
#include "tensix/machine.h"
#include "tensix/regs/gpr.h"
#include "tensix/unit/config.h"

#define WORDS_MAX (1u << 16) /* words that pass in one cycle */
#define MOVES_MAX 64u        /* moves of the stages until a word reaches the gate */

/* Is the word removed by the what-if? No wait holds it, and it has no effect. */
static bool is_absent(const struct tx_what_if *w, unsigned thread, uint32_t word) {
  uint32_t semaphores = 0;
  switch (word >> 24) {
    case TX_NOP: return w->throttle && thread == TX_AGENT_THREAD1; /* the others wait with theirs for Config to be written */
    case TX_SEMWAIT: semaphores = TX_FIELD(word, SEMWAIT, sem_sel); break;
    case TX_SEMGET: semaphores = TX_FIELD(word, SEMGET, sem_sel); break;
    case TX_SEMPOST: semaphores = TX_FIELD(word, SEMPOST, sem_sel); break;
    default: return false;
  }
  return semaphores && !(semaphores & ~w->semaphores);
}

/* Both sides of the Src banks are removed together, as without the line: neither waits for a bank that the other would give. */
static bool is_removed(const struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w) {
  const struct tx_what_if *what = t->unsaved.what_if;
  bool waits = op->opcode == TX_STALLWAIT, removed = TX_WHAT_IF_REMOVED >> op->unit & 1u || waits;
  return ((what->removes && removed) || (what->hand_overs && waits)) && !(w->flags & TX_WORD_BRISC) &&
         tx_what_if_code(what, thread, w->pc);
}

static bool in_later_phase(const struct tx_tile *t, unsigned thread) {
  return ((t->rwc[thread].fidelity + TX_THREAD_CFG_GET(t, thread, FIDELITY_BASE_Phase)) & 3u) != 0;
}

static bool is_free(const struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w) {
  const struct tx_what_if *what = t->unsaved.what_if;
  if (what->units >> op->unit & 1u) return true;
  if (what->lofi && op->unit == TX_UNIT_MATRIX && in_later_phase(t, thread)) return true;
  return !(w->flags & TX_WORD_BRISC) && tx_what_if_code(what, thread, w->pc);
}

/* Units that keep their instructions in a queue: one that is full has no place for another, with or without cost. */
#define QUEUES (1u << TX_UNIT_UNPACK | 1u << TX_UNIT_PACK | 1u << TX_UNIT_MOVER)

/* Does the word wait for a bank that an earlier word of this cycle releases? Until then the bank counts as the matrix unit's. */
static bool is_released(const struct tx_tile *t, const struct tx_op *op) {
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind == TX_EFFECT_BANK_RELEASE && op->wait & (e->w[0] == TX_SRCA ? TX_WAIT_SRCA : TX_WAIT_SRCB)) return true;
  }
  return false;
}

/* Tests everything but the unit's time: the latched wait, the core's accesses, banks, mutexes and queues. */
static bool is_held(struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w) {
  struct tx_gate *g = sim_keep(&t->gate[thread]);
  struct tx_answer answer = {.ok = true, .retry_at = SIM_NEVER};
  if (g->latch.opcode && tx_latch_blocks(&g->latch, op)) return true;
  if (tx_gate_holds_word(t, thread, w->flags, &answer)) return true;
  answer.ok = true;
  if (op->wait) tx_check_automatic_waits(t, thread, op, w->word, &answer);
  if (op->wait & (TX_WAIT_SRCA | TX_WAIT_SRCB) && is_released(t, op)) return true;
  if (answer.ok && QUEUES >> op->unit & 1u) tx_ready[op->unit](t, thread, w->word, &answer);
  return !answer.ok;
}

/* What the instruction writes to GPRs and Config is there at once: the next word may pass in this cycle, and read it. */
static void apply_writes(struct tx_tile *t, uint32_t from) {
  struct sim_effect effect;
  for (uint32_t seq = from; seq != t->engine.effect_seq; seq++) {
    if (!sim_effect_take(&t->engine, seq, &effect)) continue;
    if (effect.kind == TX_EFFECT_CFG_WRITE) tx_effect_CFG_WRITE(t, &effect);
    else if (effect.kind == TX_EFFECT_GPR_WRITE && !effect.w[4]) tx_effect_GPR_WRITE(t, &effect);
    else sim_effect_retry(&t->engine, effect, effect.at);
  }
}

/* Passes the instruction as the gate does, without its costs: the Dst blocks keep their times. */
static void pass(struct tx_tile *t, unsigned thread, const struct tx_op *op, const struct tx_word *w, bool absent) {
  sim_time busy[TX_DST_BLOCKS];
  struct tx_cost cost = {.hold = 0, .issue = 1, .latency = 1, .thread = 1};
  tx_frontend_pop(t, thread);
  t->gate[thread].issued++;
  tx_body_fn *body = tx_bodies[op->opcode];
  if (absent || !body) return;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = w->word;
  t->current.pc = w->pc;
  t->current.unit = op->unit;
  memcpy(busy, t->dst.busy_until, sizeof busy);
  const uint32_t seq = t->engine.effect_seq;
  const uint32_t timing = t->timing;
  if (op->unit == TX_UNIT_CONFIG) t->timing = 0; /* it does not enter the pipeline */
  body(t, thread, w->word, &cost);
  t->timing = timing;
  memcpy(t->dst.busy_until, busy, sizeof busy);
  apply_writes(t, seq);
}

void tx_gate_pass_free(struct tx_tile *t, unsigned thread) {
  struct tx_fifo *fifo = sim_keep(&t->frontend[thread].fifo3);
  const struct tx_current current = t->current;
  for (unsigned n = 0; n < WORDS_MAX && !t->fault.kind; n++) {
    for (unsigned moves = 0; n && !fifo->count && moves < MOVES_MAX && tx_frontend_hurry(t, thread); moves++) continue;
    if (!fifo->count) break;
    const struct tx_word w = fifo->slot[fifo->head];
    const struct tx_op *op = &tx_ops[w.word >> 24];
    if (!op->name || op->unit == TX_UNIT_FRONTEND) break;
    bool absent = is_absent(t->unsaved.what_if, thread, w.word) || is_removed(t, thread, op, &w);
    if (!absent && (!is_free(t, thread, op, &w) || is_held(t, thread, op, &w))) break;
    pass(t, thread, op, &w, absent);
  }
  t->current = current;
}
