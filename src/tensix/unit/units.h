/* The nine execution units as the wait gate sees them: free or not, who got it last, what is still inside.
 *
 * An instruction's body changes state; its row in tensix.def says what it costs; a body may raise that cost (struct tx_cost)
 * when it depends on operands. */
#ifndef TESSERA_TENSIX_UNITS_H
#define TESSERA_TENSIX_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "tensix/agents.h"
#include "tensix/isa/isa.h"

struct tx_unit_state {
  sim_time free_at;                /* accepts nothing before */
  sim_time drained_at[TX_THREADS]; /* this thread has an instruction inside until then (STALLWAIT C1..C4, C9, C11) */
  uint64_t accepted[TX_THREADS];   /* instructions */
  uint64_t busy_cycles;
};

/* What an accepted instruction costs, in cycles. Filled from the row, changed by the body; ignored with timing off. */
struct tx_cost {
  uint32_t hold;    /* before it starts: an interlock that holds the unit */
  uint32_t issue;   /* from its start until the unit accepts the next */
  uint32_t latency; /* from its start until its result is there and it has left the unit */
  uint32_t thread;  /* from now until the issuing thread may pass its next instruction, at least 1 */
};

struct tx_tile;

/* The body of an instruction: does it, now, for a thread. */
typedef void tx_body_fn(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost);

/* Answer of a unit to "can this thread's head enter now?". When not: when to ask again (a time, an event, or both). */
struct tx_answer {
  bool ok;
  sim_time retry_at;
  uint64_t channels;
  struct sim_wait wait;
};

/* A unit's own entry rule beyond being free; NULL when it has none. */
typedef void tx_ready_fn(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer);

extern tx_body_fn *const tx_bodies[256]; /* NULL: state LATER or UNDOC, or consumed by the front end */
extern tx_ready_fn *const tx_ready[TX_UNIT_COUNT];

/* What the gate asks the units, each answered in the unit's own file. */
tx_ready_fn tx_config_ready, tx_matrix_ready, tx_unpack_ready, tx_pack_ready, tx_vector_ready, tx_mover_ready,
    tx_scalar_ready;
bool tx_unpack_busy(const struct tx_tile *t, unsigned unpacker, unsigned thread); /* C1, C2: an instruction of it inside */
bool tx_mover_busy(const struct tx_tile *t);                                      /* C9: any request outstanding */
/* SETDVALID: the unpacker starts again at row SRC?_SET_Base << 4 for this thread. */
void tx_unpack_restart_rows(struct tx_tile *t, unsigned unpacker, unsigned thread);

/* tx_exec_MVMUL and so on: the bodies, each in the file of its unit. */
#define INSN(opcode, name, ...) tx_body_fn tx_exec_##name;
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD

#endif
