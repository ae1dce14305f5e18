/* Which body runs for which opcode, and which unit has an entry rule of its own. */
#include "tensix/frontend/dispatch.h"

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

tx_ready_fn *const tx_ready[TX_UNIT_COUNT] = {
    [TX_UNIT_CONFIG] = tx_config_ready, [TX_UNIT_MATRIX] = tx_matrix_ready, [TX_UNIT_UNPACK] = tx_unpack_ready,
    [TX_UNIT_PACK] = tx_pack_ready,     [TX_UNIT_VECTOR] = tx_vector_ready, [TX_UNIT_MOVER] = tx_mover_ready,
    [TX_UNIT_SCALAR] = tx_scalar_ready,
};
