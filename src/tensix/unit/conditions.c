/* The conditions of conditions.h. */
#include "tensix/unit/conditions.h"

#include "tensix/machine.h"
#include "tensix/regs/src.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/unpack/unpack.h"

static sim_time drained(const struct tx_tile *t, enum tx_unit unit, unsigned thread) {
  return t->units[unit].drained_at[thread];
}

sim_time tx_condition_until(const struct tx_tile *t, unsigned thread, unsigned condition) {
  switch (condition) {
    case TX_C3_PACK: return drained(t, TX_UNIT_PACK, thread);
    case TX_C4_MATRIX: return drained(t, TX_UNIT_MATRIX, thread);
    case TX_C11_VECTOR: return drained(t, TX_UNIT_VECTOR, thread);
    case TX_C12_CONFIG: return t->config.busy_until;
    default: return 0;
  }
}

static bool condition_waits(const struct tx_tile *t, unsigned thread, unsigned condition) {
  switch (condition) {
    case TX_C0_SCALAR_MEMORY: return t->scalar.outstanding[thread] != 0;
    case TX_C1_UNPACK0: return tx_unpack_busy(t, 0, thread);
    case TX_C2_UNPACK1: return tx_unpack_busy(t, 1, thread);
    case TX_C5_SRCA_CLEARED: return !tx_src_unpack_owns(&t->src, TX_SRCA);
    case TX_C6_SRCB_CLEARED: return !tx_src_unpack_owns(&t->src, TX_SRCB);
    case TX_C7_SRCA_VALID: return !tx_src_matrix_owns(&t->src, TX_SRCA);
    case TX_C8_SRCB_VALID: return !tx_src_matrix_owns(&t->src, TX_SRCB);
    case TX_C9_MOVER: return tx_mover_busy(t);
    case TX_C10_CORE_REQUESTS: return t->port[thread].outstanding != 0;
    default: return tx_condition_until(t, thread, condition) > t->engine.now;
  }
}

uint32_t tx_conditions_unmet(const struct tx_tile *t, unsigned thread, uint32_t mask) {
  uint32_t unmet = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned condition = (unsigned)__builtin_ctz(left);
    if (condition_waits(t, thread, condition)) unmet |= 1u << condition;
  }
  return unmet;
}
