/* A stretch of execution of a core, shared by the files of riscv/. */
#ifndef TESSERA_TENSIX_RISCV_RUN_H
#define TESSERA_TENSIX_RISCV_RUN_H

#include "tensix/machine.h"
#include "tensix/riscv/decode.h"

/* A stretch of execution: from now until the core has to wait. */
struct tx_core_run {
  struct tx_tile *t;
  struct tx_core *c;
  struct tx_frontend *fe; /* of a T core's own thread */
  unsigned core, agent;
  sim_time now;
  sim_time limit;   /* no other agent acts before this; 0: others may act in the same cycle */
  sim_time horizon; /* instructions may enter EX1 up to here */
  sim_time wake;    /* the reason of the stop: nothing to do before this time; SIM_NEVER with channels */
  /* timing off: what an earlier push of this stretch has found holds for pushes before this cycle, while engine.schedule_changed is 0 and
   * the core stores only to L1 and its FIFO; 0: nothing */
  sim_time pushes_until;
  /* timing off: up to which cycle, exclusive, the core may execute turns of its thread (tx_gate_drain), while pushes_until holds; 0: not known */
  sim_time drains_until;
  sim_time pushed; /* the time at which the last push of this stretch reaches FIFO 1; 0: none yet */
  uint64_t channels;
  struct sim_wait wait; /* kind 0: merely waits for its time */
  uint32_t no_loop;     /* a branch back that does not end a loop of pushes */
  bool loop_left;       /* the last round of such a loop did not take its branch */
  uint64_t retired;     /* the core's count of instructions at the start */
  sim_time
      handed; /* the cycle in which its thread began the turn, which is the thread's now (tx_queue_await_room); 0: none */
};

/* Was the instruction executed? */
enum tx_step { TX_STEP_DONE, TX_STEP_LATER, TX_STEP_PARKED };

static inline sim_time tx_later_of(sim_time a, sim_time b) { return a > b ? a : b; }
static inline bool tx_in_l1(const struct tx_tile *t, uint32_t address) { return address < t->l1_bytes; }

sim_time tx_core_horizon(const struct tx_tile *t); /* the cycle up to which a core may run ahead */
const char *tx_core_name(unsigned core);
const char *tx_core_name_in(const struct tx_tile *t, unsigned core); /* the same; in an Ethernet tile "ERISC0", "ERISC1" */
static inline uint32_t tx_core_local_bytes(unsigned core) {
  return core < TX_CORE_BRISC ? TX_LOCAL_BYTES_TRISC : TX_LOCAL_BYTES;
}

/* --- loads and stores: number of bytes, and the value of the register --- */

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

/* The next slot of the retire-order queue: an instruction retires when it is complete and the previous one has retired. */
static inline void tx_core_retire(struct tx_core *c, sim_time complete) {
  uint32_t slot = c->retire_next;
  sim_time before = c->retire[(slot + TX_CORE_RETIRE - 1) % TX_CORE_RETIRE];
  if (before == SIM_NEVER) /* behind a load that waits */
    c->waiting.complete[slot] =
        (uint16_t)(complete - c->waiting.enter < UINT16_MAX ? complete - c->waiting.enter : UINT16_MAX);
  c->retire[slot] = before >= complete ? before + (before != SIM_NEVER) : complete;
  c->retire_next = (slot + 1) % TX_CORE_RETIRE;
}

/* The core is stepped: its spins are not parked. */
static inline bool tx_core_stepped(const struct tx_core_run *run) {
  return run->t->unsaved.breaks.stepping >> run->core & 1u;
}

/* There is a breakpoint at the core's pc. */
static inline bool tx_core_has_break(const struct tx_core_run *run) {
  const struct tx_breaks *b = &run->t->unsaved.breaks;
  for (unsigned i = 0; i < b->used; i++)
    if (b->at[i].core == run->core && b->at[i].pc == run->c->pc) return true;
  return false;
}

/* The instruction cannot execute before `at`. */
static inline enum tx_step tx_step_at(struct tx_core_run *run, sim_time at) {
  run->wake = at;
  return TX_STEP_LATER;
}

/* The same for a core that has run ahead up to `at`: with turns, time advances with it. Otherwise a turn would end here in a run that was
 * not divided on the way, because the core seems to sleep until then. */
static inline enum tx_step tx_step_ahead(struct tx_core_run *run, sim_time at) {
  struct sim_engine *engine = &run->t->engine;
  if (engine->in_turns && run->limit && at > run->now) sim_turn_goes_to(engine, at - 1);
  return tx_step_at(run, at);
}

/* --- timing off: cores aside (sim_engine.aside) --- */

#define TX_LOOK_CYCLES 32u /* from one look of such a core at the clock to the next by the same instruction */

static inline bool tx_core_is_aside(const struct tx_core_run *run) {
  return __builtin_expect(run->t->engine.aside >> run->agent & 1u, 0);
}
/* BRISC or NCRISC is about to read the wall clock, and nothing of it is under way: from now on it only waits, and reads L1, its own memory and the clock. true: its
 * turn has ended. */
bool tx_core_steps_aside(struct tx_core_run *run);
void tx_core_step_back(struct tx_core_run *run);
/* It is about to do something else: it does so in a turn. true: its time aside has ended. */
static inline bool tx_core_steps_back(struct tx_core_run *run) {
  if (!tx_core_is_aside(run)) return false;
  tx_core_step_back(run);
  return true;
}

/* A load, or a fetch, happens in its own cycle. true: that is now, or the core is the only active agent and
 * advances time itself. */
static inline bool tx_core_reach_load(struct tx_core_run *run, sim_time enter) {
  struct sim_engine *engine = &run->t->engine;
  if (enter <= run->now) return true;
  if (enter >= run->limit || sim_must_return(engine, enter) || run->c->queue_count || run->c->waiting.kind ||
      enter > run->horizon) {
    if (engine->in_turns && run->limit) sim_turn_goes_to(engine, enter - 1); /* wherever the run ends */
    return false;
  }
  tx_assert(enter > engine->now && enter < run->limit && engine->sole == run->agent + 1);
  run->now = engine->now = enter;
  if (!engine->in_turns && !run->c->one_by_one)
    run->horizon = tx_core_horizon(run->t); /* with turns it changes only at the end of the turn */
  return true;
}

/* The same of an effect that others can observe. */
static inline bool tx_core_reach(struct tx_core_run *run, sim_time enter) {
  return tx_core_reach_load(run, enter) && !tx_core_steps_back(run);
}

/* It is in EX1 meanwhile: the instructions after it are delayed too. `wait` with kind 0: only until a store is emitted. */
static inline enum tx_step tx_step_held(struct tx_core_run *run, sim_time at, const struct sim_wait *wait) {
  run->c->held = 1;
  if (wait) run->wait = *wait;
  return tx_step_at(run, at);
}

#endif
