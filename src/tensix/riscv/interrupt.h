/* Interrupts of BRISC and NCRISC. ISA: PIC.md, "Interrupt handlers"; CSRs.md (intp_restore_pc).
 *
 * A core with an enabled interrupt looks for one in front of each instruction, unless it runs a handler: it saves the pc, and goes on at the
 * handler's. mret brings it back. Of several the next in turn comes first. An instruction that has begun is not interrupted: a load that waits
 * for a mailbox comes first. Entry and mret empty the pipeline as a mispredicted branch does (inferred: no document has a figure).
 * Interrupts that another core or the NoC enables hold from the core's next look on: it may have run ahead by then. */
#ifndef TESSERA_TENSIX_INTERRUPT_H
#define TESSERA_TENSIX_INTERRUPT_H

#include "tensix/riscv/run.h"

void tx_interrupt_enabled(struct tx_tile *t, unsigned core); /* the core's enables have changed */
void tx_interrupt_reset(struct tx_tile *t, unsigned core);   /* the core starts: no handler runs */
bool tx_interrupt_handled(const struct tx_tile *t, unsigned core);
/* true: the core goes on in a handler, at c->clock. */
bool tx_interrupt_take(struct tx_core_run *run);
/* mret */
enum tx_step tx_interrupt_return(struct tx_core_run *run, sim_time enter);
/* A store of the core's own to its enables is on its way. */
void tx_interrupt_store(struct tx_core_run *run, uint32_t address);

#endif
