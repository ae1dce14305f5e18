/* Cycles for measuring kernels: results go to arguments 24 and up, where the host reads them. */
#ifndef TESSERA_TESTS_WALL_CLOCK_H
#define TESSERA_TESTS_WALL_CLOCK_H

#include "kernel.h"

TT_INLINE uint32_t wall_clock(void) { return tt_load(RISCV_DEBUG_REGS_BASE + 0x1F0); }
TT_INLINE void report_cycles(uint32_t index, uint32_t cycles) { tt_store(LAUNCH_FIELD(args) + 4 * (24 + index), cycles); }

#endif
