/* What every execution unit offers the wait gate: the bodies of its instructions and, if it has one, an entry rule.
 *
 * A body changes state. The instruction's row in tensix.def says what it costs; a body may raise that cost (struct tx_cost) when it
 * depends on operands. The prototypes of all bodies come from tensix.def. */
#ifndef TESSERA_TENSIX_BODY_H
#define TESSERA_TENSIX_BODY_H

#include <stdint.h>

#include "tensix/state/units.h"

/* What an accepted instruction costs, in cycles. Filled from the row, changed by the body; ignored with timing off. */
struct tx_cost {
  uint32_t hold;    /* before it starts: an interlock that holds the unit */
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
