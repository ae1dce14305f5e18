/* Breakpoints of a debugger, and the cycles at which cores reached their kernels. */
#ifndef TESSERA_TENSIX_RISCV_BREAKS_H
#define TESSERA_TENSIX_RISCV_BREAKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/core.h"

struct tx_tile;

int tx_break_add(struct tx_tile *t, unsigned core, uint32_t pc); /* its number; -1: none is free */
void tx_break_remove(struct tx_tile *t, unsigned number);
void tx_break_before(struct tx_tile *t, unsigned core, uint64_t number); /* breaks.before */
/* A debugger has changed the pc or a register: discards the core's state about its next instruction. */
void tx_core_invalidate(struct tx_tile *t, unsigned core);
/* The core's kernel begins at pc: breaks.entered is set to the cycle in which the core next reaches it. Does not stop the
 * core. */
void tx_break_kernel(struct tx_tile *t, unsigned core, uint32_t pc);
void tx_break_enter(struct tx_tile *t, unsigned core, sim_time at);
void tx_break_step(struct tx_tile *t, unsigned core, bool on); /* stop after the core's next instruction */

#endif
