/* The interface of every execution unit to the wait gate: the bodies of its instructions and an optional entry rule.
 *
 * A body changes state. The instruction's row in tensix.def gives its cost; a body may raise it (struct tx_cost) if it depends on
 * operands. The prototypes of all bodies are generated from tensix.def. */
#ifndef TESSERA_TENSIX_BODY_H
#define TESSERA_TENSIX_BODY_H

#include <stdint.h>

#include "tensix/state/units.h"

/* Costs of an accepted instruction in cycles. Filled from the row, changed by the body; ignored with timing off. */
struct tx_cost {
  uint32_t hold;    /* before its start: an interlock that occupies the unit */
  uint32_t issue;   /* from its start until the unit accepts the next */
  uint32_t latency; /* from its start until its result is written and it has left the unit */
  uint32_t thread;  /* from now until the issuing thread may pass its next instruction, at least 1 */
};

struct tx_tile;

/* The body of an instruction: executes it for a thread in this cycle. */
typedef void tx_body_fn(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost);

/* A unit's own entry rule beyond being free. */
typedef void tx_ready_fn(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer);

/* tx_exec_MVMUL and so on: the bodies, each in the file of its unit. */
#define INSN(opcode, name, ...) tx_body_fn tx_exec_##name;
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD

#endif
