/* Between the files of riscv/. */
#ifndef TESSERA_TENSIX_RISCV_INTERNAL_H
#define TESSERA_TENSIX_RISCV_INTERNAL_H

#include "tensix/agents.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"

/* A stretch of execution: from now until the core has to wait. */
struct tx_core_run {
  struct tx_tile *t;
  struct tx_core *c;
  unsigned core, agent;
  sim_time now;
  sim_time limit;   /* nobody else acts before this; 0: others may act in this very cycle */
  sim_time horizon; /* instructions may enter EX1 up to here */
  sim_time wake;    /* why it stopped: nothing to do before this; SIM_NEVER with channels */
  sim_time pushed;  /* when the last push of this stretch reaches FIFO 1; 0: none yet */
  uint64_t channels;
  struct sim_wait wait; /* kind 0: merely waits for its time */
};

/* Did the instruction happen? */
enum tx_step { TX_STEP_DONE, TX_STEP_LATER, TX_STEP_PARKED };

sim_time tx_core_horizon(const struct tx_tile *t); /* core.c: how far a core may run ahead now */

static inline sim_time tx_later_of(sim_time a, sim_time b) { return a > b ? a : b; }
static inline bool tx_in_l1(const struct tx_tile *t, uint32_t address) { return address < t->l1_bytes; }

/* --- loads and stores: how many bytes, and what a register gets --- */

static inline unsigned tx_access_bytes(unsigned op) {
  switch (op) {
    case TX_RV_LB:
    case TX_RV_LBU:
    case TX_RV_SB: return 1;
    case TX_RV_LH:
    case TX_RV_LHU:
    case TX_RV_SH:
    case TX_RV_FLH:
    case TX_RV_FSH: return 2;
    default: return 4;
  }
}

static inline uint32_t tx_load_value(unsigned op, uint32_t raw) {
  switch (op) {
    case TX_RV_LB: return (uint32_t)(int8_t)raw;
    case TX_RV_LBU: return raw & 0xffu;
    case TX_RV_LH: return (uint32_t)(int16_t)raw;
    case TX_RV_LHU: return raw & 0xffffu;
    case TX_RV_FLH: return raw | 0xffff0000u; /* NaN-boxed */
    default: return raw;
  }
}

/* The instruction cannot happen before `at`. */
static inline enum tx_step tx_step_at(struct tx_core_run *run, sim_time at) {
  run->wake = at;
  return TX_STEP_LATER;
}

/* What others can see happens in its own cycle. true: that is now, or the core is alone and moves time on itself. */
static inline bool tx_core_reach(struct tx_core_run *run, sim_time enter) {
  struct sim_engine *engine = &run->t->engine;
  if (enter <= run->now) return true;
  if (enter >= run->limit || sim_must_return(engine, enter) || run->c->queue_count || run->c->waiting.kind ||
      enter > run->horizon)
    return false;
  run->now = engine->now = enter;
  run->horizon = tx_core_horizon(run->t);
  return true;
}

/* It stands in EX1 meanwhile: what comes behind it is late as well. `wait` with kind 0: only until a store is emitted. */
static inline enum tx_step tx_step_held(struct tx_core_run *run, sim_time at, const struct sim_wait *wait) {
  run->c->held = 1;
  if (wait) run->wait = *wait;
  return tx_step_at(run, at);
}

/* execute.c: executes until the core waits for something or is at its horizon. */
void tx_core_run_timed(struct tx_core_run *run);
void tx_core_run_plain(struct tx_core_run *run);

/* fetch.c. The line that holds pc becomes the current one. false: a fault was recorded. */
bool tx_fetch_line(struct tx_core_run *run, uint32_t pc);
void tx_fetch_reset(struct tx_core *c);
/* Predicts, learns, and says whether the prediction was wrong. */
bool tx_fetch_mispredicts(struct tx_core *c, uint32_t pc, bool taken, uint32_t target, bool indirect);

/* memory.c: an instruction that has its operands enters EX1 in cycle `enter`. */
enum tx_step tx_core_load(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter);
enum tx_step tx_core_atomic(struct tx_core_run *run, const struct tx_insn *d, sim_time enter);
enum tx_step tx_core_fence(struct tx_core_run *run, sim_time enter);
void tx_core_retry_load(struct tx_core_run *run);
enum tx_step tx_core_wait_local(struct tx_core_run *run);
bool tx_core_aligned(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, unsigned bytes);

/* spin.c */
void tx_poll_note(struct tx_core *c, uint32_t pc, uint32_t address, sim_time enter);
static inline void tx_poll_forget(struct tx_core *c) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) c->polls.entry[i].since = 0;
}
bool tx_spin_load(struct tx_core_run *run, uint32_t pc, uint32_t address, uint32_t value, sim_time enter);
bool tx_spin_jump(struct tx_core_run *run, sim_time enter);
void tx_spin_resume(struct tx_core_run *run);

/* queue.c: the store queue. */
enum tx_step tx_queue_store(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes, sim_time enter);
enum tx_step tx_queue_push(struct tx_core_run *run, const uint32_t *words, unsigned count, sim_time enter);
/* Timing off: of the `count` words of a cache line from pc on, pushes those that are .ttinsn and for which FIFO 1 has room. */
unsigned tx_queue_push_at_once(struct tx_core_run *run, const uint32_t *line, unsigned count);
sim_time tx_queue_due(const struct tx_core *c); /* when its head is emitted; SIM_NEVER: empty, or refused by the bus */
void tx_queue_drain(struct tx_core_run *run);
bool tx_queue_overlaps(const struct tx_core *c, uint32_t address, unsigned bytes);
uint32_t tx_queue_writes(const struct tx_core_run *run); /* resources of Auto TTSync that instructions in it write */

/* effects.def */
void tx_effect_CORE_LINE(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_CORE_ATOMIC(struct tx_tile *t, const struct sim_effect *e);

/* csr.c. false: a fault was recorded. */
bool tx_csr_access(struct tx_core_run *run, const struct tx_insn *d, sim_time enter);

/* float.c: the result for operands a, b, c (bit patterns). */
uint32_t tx_float(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t cfg0);

#endif
