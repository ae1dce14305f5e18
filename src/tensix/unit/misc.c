/* The miscellaneous unit: NOP and SETDVALID (its ADC instructions are in adc.c). One instruction per thread and cycle.
 * ISA: MiscellaneousUnit.md, SETDVALID.md. */
#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/regs/context.h"
#include "tensix/regs/src.h"

void tx_exec_NOP(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)t, (void)thread, (void)word, (void)cost;
}

void tx_exec_SETDVALID(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  tx_diag(t, TX_DIAG_SETDVALID_BLACKHOLE, NULL);
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++) {
    if (!(TX_FIELD(word, SETDVALID, setvalid) >> which & 1u)) continue;
    tx_src_hand_over_next(t, which, 0, false);
    tx_context_restart_rows(t, which, thread);
  }
}
