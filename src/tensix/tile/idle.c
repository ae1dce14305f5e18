/* The test of idle.h. */
#include "tensix/tile/idle.h"

#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/unit/unpack/unpack.h"

sim_time tx_tile_idle_at(struct tx_tile *t, unsigned thread) {
  tx_assert(thread < TX_THREADS);
  tx_frontend_settle(t, thread, t->engine.now);
  if (!tx_frontend_empty(t, thread) || t->scalar.outstanding[thread]) return SIM_NEVER;
  if (t->gate[thread].latch.opcode)
    return SIM_NEVER; /* a latched wait is still open: the golden model's sync waits for it */
  if (tx_unpack_busy(t, 0, thread) || tx_unpack_busy(t, 1, thread)) return SIM_NEVER;
  sim_time at = 0;
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++)
    if (t->units[unit].drained_at[thread] > at) at = t->units[unit].drained_at[thread];
  return at;
}
