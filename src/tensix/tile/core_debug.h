/* The debug interface of BRISC, T0, T1 and T2: fourteen DR registers each, accessed through RISC_DBG_CNTL_0 and _1 and
 * RISC_DBG_STATUS_0 and _1. A debugger on the NoC pauses a core, reads and writes its registers and, through it, memory,
 * and resumes it.
 *
 *   DR(0) status   DR(1) command   DR(2), DR(3) arguments   DR(4) result   DR(5), DR(10..17) breakpoints
 *
 * ISA: BabyRISCV/DebugInterface.md (Wormhole; no Blackhole page). Commands take effect at once. A core that waits for a load is paused
 * when the load has completed. riscv/halt.h has single-step, breakpoints and watchpoints. A command that cannot be carried out has no
 * effect and leaves its reason in unsaved.debug_refusal. Not modelled: slow execution's timing. */
#ifndef TESSERA_TENSIX_CORE_DEBUG_H
#define TESSERA_TENSIX_CORE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/core_debug.h"

struct tx_tile;

/* RISC_DBG_CNTL_0 is written; `before` is its old value. */
void tx_core_debug_control(struct tx_tile *t, uint32_t before, uint32_t value);
/* A core is put into reset. */
void tx_core_debug_reset(struct tx_tile *t, unsigned core);
/* The pc that a debugger reads: of a core that ebreak has paused, the next instruction; 0: held in reset. */
uint32_t tx_core_debug_pc(const struct tx_tile *t, unsigned core);

#endif
