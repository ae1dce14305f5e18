/* The debug interface's hold on a running core: single-step, breakpoints and watchpoints. tile/core_debug.h has its registers.
 *
 * ISA: BabyRISCV/DebugInterface.md (Wormhole; no Blackhole page). The instruction at a breakpoint executes, and the core pauses before the
 * next one. So does the one that loads from or stores to a watched byte (inferred: hardware may pause an instruction earlier or later). */
#ifndef TESSERA_TENSIX_RISCV_HALT_H
#define TESSERA_TENSIX_RISCV_HALT_H

#include "tensix/riscv/run.h"

/* The interface's number of a core, 0 to 3; 4: NCRISC, which has none. */
unsigned tx_halt_number(unsigned core);
/* Steps, breakpoints or watchpoints have changed: decides whether the core tests before each instruction. */
void tx_halt_arm(struct tx_tile *t, unsigned core);
/* Before an instruction: true: the core is paused, or waits for the cycle in which it pauses. */
bool tx_halt_stops(struct tx_core_run *run);

#endif
