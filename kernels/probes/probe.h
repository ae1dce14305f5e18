/* Timing probes, for figures without a published card measurement. Each source is a complete kernel and compiles for
 * Tessera's kernel library and, unchanged, for tt-metal's: a data-movement kernel where it has a part for BRISC or NCRISC, a
 * compute kernel where it has one for the T cores. Argument 0 is the L1 address of 64 words for the results; argument 1,
 * where a probe needs memory, of 128 KiB. The host reads the words afterwards. The clock is the tile's wall clock, in
 * cycles; PROBE_COUNT operations are between two reads of it, without a loop around them. */
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#define PROBE_DATA_MOVEMENT 1
#else
#define PROBE_DATA_MOVEMENT 0
#endif

#if __has_include("tensix_io.h") /* Tessera */
#if PROBE_DATA_MOVEMENT
#include "dataflow.h"
#else
#include "compute.h"
#endif
#define PROBE_ARG(i) get_arg_val(i)
#else /* tt-metal */
#include <cstdint>
#if PROBE_DATA_MOVEMENT
#include "dataflow_api.h"
#else
#include "compute_kernel_api/common.h"
#include "compute_kernel_api/eltwise_binary.h"
using namespace ckernel;
#endif
#define PROBE_ARG(i) get_arg_val<uint32_t>(i)
#endif

#define PROBE_COUNT 32u
#define PROBE_WORD(address) (*(volatile uint32_t *)(address))
#define PROBE_FOUR(x) x x x x
#define PROBE_TIMES(x) PROBE_FOUR(PROBE_FOUR(x)) PROBE_FOUR(PROBE_FOUR(x))

/* RISCV_DEBUG_REG_WALL_CLOCK_L; all earlier loads have completed. */
static inline uint32_t probe_clock(void) {
  __asm__ volatile("fence" ::: "memory");
  uint32_t now = PROBE_WORD(0xFFB121F0u);
  __asm__ volatile("andi zero, %0, 0" : : "r"(now) : "memory");
  return now;
}

static inline void probe_result(uint32_t index, uint32_t cycles) { PROBE_WORD(PROBE_ARG(0) + 4 * index) = cycles; }

#endif
