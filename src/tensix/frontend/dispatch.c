/* The body of each opcode, and the units with their own entry rule. */
#include "tensix/frontend/dispatch.h"

#include "tensix/machine.h"
#include "tensix/unit/conditions.h"
#include "tensix/unit/config.h"
#include "tensix/unit/matrix/matrix.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/pack/pack.h"
#include "tensix/unit/scalar.h"
#include "tensix/unit/unpack/unpack.h"
#include "tensix/unit/vector/vector.h"

#define BODY_WORKS(name) tx_exec_##name
#define BODY_LATER(name) NULL
#define BODY_UNDOC(name) NULL
/* The front end's own instructions never reach a unit. */
#define IN_FRONTEND(unit, body) IN_FRONTEND_##unit(body)
#define IN_FRONTEND_FRONTEND(body) NULL
#define IN_FRONTEND_SYNC(body) body
#define IN_FRONTEND_UNPACK(body) body
#define IN_FRONTEND_MATRIX(body) body
#define IN_FRONTEND_PACK(body) body
#define IN_FRONTEND_VECTOR(body) body
#define IN_FRONTEND_SCALAR(body) body
#define IN_FRONTEND_CONFIG(body) body
#define IN_FRONTEND_MOVER(body) body
#define IN_FRONTEND_MISC(body) body

tx_body_fn *const tx_bodies[256] = {
#define INSN(opcode, name, unit, block, wait, issue, latency, timing_evidence, timing_source, evidence, state, spec, \
             semantics) \
  [opcode] = IN_FRONTEND(unit, BODY_##state(name)),
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

/* Words that cannot be blocked with timing off while their unit is idle, and that do not wait inside it. */
#define QUICK_FRONTEND(opcode) 0
#define QUICK_SYNC(opcode) 1
#define QUICK_UNPACK(opcode) ((opcode) == TX_UNPACR)
#define QUICK_MATRIX(opcode) 1
#define QUICK_PACK(opcode) 1
#define QUICK_VECTOR(opcode) 1
#define QUICK_SCALAR(opcode) \
  ((opcode) != TX_ATCAS && (opcode) != TX_ATINCGETPTR && (opcode) != TX_FLUSHDMA && (opcode) != TX_STOREIND)
#define QUICK_CONFIG(opcode) 1
#define QUICK_MOVER(opcode) 0
#define QUICK_MISC(opcode) 1

/* Words whose unit must be idle. SETRWC and CLEARDVALID may wait for the unpacker (unit/matrix/access.c). */
#define IDLE_FRONTEND(opcode) 0
#define IDLE_SYNC(opcode) 0
#define IDLE_UNPACK(opcode) TX_QUICK_IDLE
#define IDLE_MATRIX(opcode) ((opcode) == TX_SETRWC || (opcode) == TX_CLEARDVALID ? TX_QUICK_IDLE : 0)
#define IDLE_PACK(opcode) TX_QUICK_PACKER
#define IDLE_VECTOR(opcode) 0
#define IDLE_SCALAR(opcode) TX_QUICK_IDLE
#define IDLE_CONFIG(opcode) 0
#define IDLE_MOVER(opcode) TX_QUICK_IDLE
#define IDLE_MISC(opcode) 0

#define IS_WAIT(opcode) ((opcode) == TX_STALLWAIT || (opcode) == TX_SEMWAIT || (opcode) == TX_STREAMWAIT)

/* A STALLWAIT whose condition holds in the next cycle, in which nothing happens before: that cycle passes, and the latch would be
 * set and cleared. */
static bool stallwait_is_over(struct tx_tile *t, unsigned thread, uint32_t word) {
  struct sim_engine *engine = &t->engine;
  const uint32_t condition = TX_FIELD(word, STALLWAIT, wait_res);
  if (!condition || engine->now >= engine->until || sim_must_return(engine, engine->now + 1)) return false;
  engine->now++;
  if (!tx_conditions_unmet(t, thread, condition)) return true;
  engine->now--;
  return false;
}

/* The body of a wait in a turn: the turn looks at a latch only if the schedule has changed. */
static void wait_in_turn(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (word >> 24 == TX_STALLWAIT && stallwait_is_over(t, thread, word)) return;
  tx_bodies[word >> 24](t, thread, word, cost);
  t->engine.schedule_changed = 1;
}

enum { /* bits of the fields of each instruction */
       USED_NOTHING = 0
#define INSN(opcode, name, ...) , USED_##name = 0
#define FIELD(insn, name, lo, width, ...) | (((1 << (width)) - 1) << (lo))
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

const struct tx_quick tx_quick[256] = {
#define INSN(code, name, unit_, block, wait_, issue, latency, timing_evidence, timing_source, evidence, state, spec, \
             semantics) \
  [code] = {.body = IS_WAIT(code)                                     ? wait_in_turn \
                    : QUICK_##unit_(code) && !((wait_)&TX_WAIT_MUTEX) ? IN_FRONTEND(unit_, BODY_##state(name)) \
                                                                      : NULL, \
            .unused = 0xffffffu & ~(uint32_t)USED_##name, \
            .unit = TX_UNIT_##unit_, \
            .wait = (uint8_t)((wait_) | IDLE_##unit_(code))},
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

#define READY_FRONTEND NULL
#define READY_SYNC NULL
#define READY_UNPACK tx_unpack_ready
#define READY_MATRIX tx_matrix_ready
#define READY_PACK tx_pack_ready
#define READY_VECTOR tx_vector_ready
#define READY_SCALAR tx_scalar_ready
#define READY_CONFIG tx_config_ready
#define READY_MOVER tx_mover_ready
#define READY_MISC NULL

tx_ready_fn *const tx_ready[TX_UNIT_COUNT] = {
    [TX_UNIT_SYNC] = READY_SYNC,     [TX_UNIT_UNPACK] = READY_UNPACK, [TX_UNIT_MATRIX] = READY_MATRIX,
    [TX_UNIT_PACK] = READY_PACK,     [TX_UNIT_VECTOR] = READY_VECTOR, [TX_UNIT_SCALAR] = READY_SCALAR,
    [TX_UNIT_CONFIG] = READY_CONFIG, [TX_UNIT_MOVER] = READY_MOVER,   [TX_UNIT_MISC] = READY_MISC,
};

const struct tx_timed tx_timed[256] = {
#define INSN(code, name, unit_, block, wait_, issue_, latency_, timing_evidence, timing_source, evidence, state, spec, \
             semantics) \
  [code] = {.body = (wait_)&TX_WAIT_MUTEX ? NULL : IN_FRONTEND(unit_, BODY_##state(name)), \
            .ready = READY_##unit_, \
            .cost = {.hold = 0, .issue = (issue_), .latency = (latency_), .thread = 1}, \
            .used = 0xff000000u | (uint32_t)USED_##name, \
            .unit = TX_UNIT_##unit_, \
            .wait = (wait_)},
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};
