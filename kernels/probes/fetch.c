/* Instruction fetches at a port of L1: the math core runs a loop of 8 KiB, which its cache does not hold, beside the pack core, which loads from L1
 * through the same port. Results:
 *   0 cycles of 128 loads of the pack core alone   1 of as many beside the loop
 *   2 cycles of two rounds of the loop beside loads   3 alone */
#include "probe.h"

#define MAILBOX(core) (0xFFEC0000u + 0x1000u * (core)) /* B, T0, T1, T2 */

static inline uint32_t probe_loads(uint32_t memory) {
  uint32_t a, b, c, d, start = probe_clock();
  PROBE_TIMES(__asm__ volatile("lw %0, 0(%4)\n lw %1, 16(%4)\n lw %2, 32(%4)\n lw %3, 48(%4)"
                               : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
                               : "r"(memory)
                               : "memory");)
  return probe_clock() - start;
}

static __attribute__((noinline)) uint32_t probe_rounds(void) {
  uint32_t sum = 0, start = probe_clock();
  for (uint32_t i = 0; i < 2; i++) __asm__ volatile(".rept 2048\n addi %0, %0, 1\n.endr" : "+r"(sum));
  return probe_clock() - start;
}

void kernel_main(void) {
#if !PROBE_DATA_MOVEMENT
  uint32_t flag = PROBE_ARG(0) + 4 * 31;
  (void)flag;
#ifdef TRISC_PACK
  probe_loads(PROBE_ARG(1)); /* its code is in the cache */
  probe_result(0, probe_loads(PROBE_ARG(1)));
  PROBE_WORD(MAILBOX(2)) = 1;
  uint32_t cycles = 0;
  for (uint32_t i = 0; i < 20; i++) cycles = probe_loads(PROBE_ARG(1)); /* of the last ones, beside the second round */
  probe_result(1, cycles);
  PROBE_WORD(flag) = 1;
#endif
#ifdef TRISC_MATH
  (void)PROBE_WORD(MAILBOX(3));
  __asm__ volatile("fence" ::: "memory");
  probe_result(2, probe_rounds());
  while (!PROBE_WORD(flag)) {}
  probe_result(3, probe_rounds());
#endif
#endif
}
