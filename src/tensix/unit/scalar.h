/* The scalar unit (ThCon): 64 general purpose registers per thread, integer arithmetic on them, loads, stores and
 * atomics. One instruction at a time, not pipelined. ISA: ScalarUnit.md and the page of each instruction (Wormhole pages;
 * Blackhole has no others).
 *
 * Arithmetic writes its GPR at acceptance: only later instructions of the same thread can read it. Loads, atomics and RDCFG
 * write theirs later (GPR_WRITE effects); a reader that does not wait reads the old value and causes a finding. Only after RDCFG
 * the unit itself waits (scalar_ready.c).
 *
 * ATCAS, ATINCGETPTR, FLUSHDMA and STOREIND to Src can wait inside the unit for an unknown time. The unit is then an
 * agent (TX_AGENT_SCALAR) that sleeps until its condition can have changed; the thread is held too. */
#ifndef TESSERA_TENSIX_SCALAR_H
#define TESSERA_TENSIX_SCALAR_H

#include <stdint.h>

#include "tensix/body.h"
#include "tensix/machine.h"

tx_ready_fn tx_scalar_ready; /* scalar_ready.c */
/* The instruction occupies the unit for this many cycles after its hold. */
static inline void tx_scalar_takes(const struct tx_tile *t, struct tx_cost *cost, uint32_t cycles) {
  cost->issue = cost->latency = cycles;
  if (t->params.thcon_holds_thread) cost->thread = cost->hold + cycles;
}

/* For a saved state: is this a memory request (TX_EFFECT_SCALAR_MEMORY) of the unit? Which GPRs has it marked as pending:
 * how many from `first` on? Is this an instruction that waits inside the unit? */
bool tx_scalar_request_valid(const struct sim_effect *e);
unsigned tx_scalar_request_marks(const struct sim_effect *e, unsigned *first);
bool tx_scalar_waits(uint32_t word);

#endif
