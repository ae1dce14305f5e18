/* Interrupts of BRISC and NCRISC. ISA: PIC.md, "Interrupt handlers"; CSRs.md (intp_restore_pc).
 *
 * A core with an enabled interrupt tests for one before each instruction, unless it runs a handler: it saves the pc, and
 * continues at the handler's. mret returns. Of several the next in round-robin order is taken. An instruction that has
 * begun is not interrupted: a load that waits for a mailbox completes first. Entry and mret flush the pipeline like a
 * mispredicted branch (inferred: no document has a figure). Interrupts that another core or the NoC enables take effect at
 * the core's next test: it may have run ahead by then. */
#ifndef TESSERA_TENSIX_INTERRUPT_H
#define TESSERA_TENSIX_INTERRUPT_H

#include "tensix/riscv/run.h"

void tx_interrupt_enabled(struct tx_tile *t, unsigned core); /* the core's enables have changed */
void tx_interrupt_reset(struct tx_tile *t, unsigned core);   /* the core starts: no handler runs */
bool tx_interrupt_handled(const struct tx_tile *t, unsigned core);
/* true: the core continues in a handler, at c->clock. */
bool tx_interrupt_take(struct tx_core_run *run);
/* mret */
enum tx_step tx_interrupt_return(struct tx_core_run *run, sim_time enter);
/* A store of the core to its own enables is in flight. */
void tx_interrupt_store(struct tx_core_run *run, uint32_t address);

#endif
