/* Loads of the math core by region, each followed by its use, and other latencies of a core without a published measurement. Results, cycles of 32:
 *   0 nothing   1 GPR   2 configuration   3 TDMA-RISC   4 tile control   5 pc snapshot of the PIC's range   6 NIU   7 stream register
 *   8 its local RAM by the slow path   9 L1   10 amoadd.w on L1   11 fence   12 CSR read
 *   13 to 21 divu by 3 of a dividend of 1, 4, 8, 12, 16, 20, 24, 28 and 32 bits */
#include "probe.h"

#define PROBE_LOADS(index, address) \
  start = probe_clock(); \
  PROBE_TIMES(__asm__ volatile("lw %0, 0(%1)\n andi zero, %0, 0" : "=r"(word) : "r"(address) : "memory");) \
  probe_result(index, probe_clock() - start)
#define PROBE_INSTRUCTIONS(index, ...) \
  start = probe_clock(); \
  PROBE_TIMES(__asm__ volatile(__VA_ARGS__);) \
  probe_result(index, probe_clock() - start)
#define PROBE_WITH(extension, text) ".option push\n.option arch, +" extension "\n" text "\n.option pop"

void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t word = 0, memory = PROBE_ARG(1), start = probe_clock();
  probe_result(0, probe_clock() - start);
  PROBE_LOADS(1, 0xFFE00000u + 4 * 60);
  PROBE_LOADS(2, 0xFFEF0000u + 4 * 210);
  PROBE_LOADS(3, 0xFFB11014u);
  PROBE_LOADS(4, 0xFFB121F0u);
  PROBE_LOADS(5, 0xFFB13138u);
  PROBE_LOADS(6, 0xFFB20044u);
  PROBE_LOADS(7, 0xFFB40000u + 4 * 297);
  PROBE_LOADS(8, 0xFFB1A000u);
  PROBE_LOADS(9, memory);
  PROBE_INSTRUCTIONS(10, PROBE_WITH("a", "amoadd.w %0, zero, (%1)") : "=r"(word) : "r"(memory) : "memory");
  PROBE_INSTRUCTIONS(11, "fence" ::: "memory");
  PROBE_INSTRUCTIONS(12, PROBE_WITH("zicsr", "csrr %0, 0xb00") : "=r"(word));
  uint32_t three = 3;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t bits = i ? 4 * i : 1, dividend = 0xffffffffu >> (32 - bits);
    PROBE_INSTRUCTIONS(13 + i, "divu %0, %1, %2" : "=r"(word) : "r"(dividend), "r"(three));
  }
#endif
}
