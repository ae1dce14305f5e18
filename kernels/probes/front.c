/* Queue entries between the MOP expander and the scalar unit, on the math thread: a MOP of n ADDDMAREG (three cycles each), then a load that returns when the
 * expander has emitted the last of them. Results, cycles:
 *   0 nothing   1 to 6 n = 1, 2, 4, 8, 16, 32   7 to 12 the same n, until the coprocessor is idle
 * The nth word leaves the expander when n minus the entries of the later stages have left the gate. */
#include "probe.h"

#define MOP_CONFIG 0xFFB80000u
#define MOP_SYNC 0xFFE80008u
#define PROBE_ADD 0x58BC103Cu /* ADDDMAREG: GPR 60 := GPR 60 + 1 */
#define PROBE_NOP 0x02000000u

static inline uint32_t probe_mop(uint32_t count, uint32_t drains) {
  PROBE_WORD(MOP_CONFIG) =
      1; /* outer, inner; start, end 0, end 1; loop 0, loop 1; last of all, last of an outer iteration */
  PROBE_WORD(MOP_CONFIG + 4) = count;
  for (uint32_t i = 2; i < 9; i++) PROBE_WORD(MOP_CONFIG + 4 * i) = i == 5 || i >= 7 ? PROBE_ADD : PROBE_NOP;
  tensix_sync();
  uint32_t start = probe_clock(), word;
  TTI_MOP(1, 0, 0);
  PROBE_WORD(MOP_SYNC) = 0; /* the load does not overtake the push */
  word = PROBE_WORD(MOP_SYNC);
  __asm__ volatile("andi zero, %0, 0" : : "r"(word) : "memory");
  if (drains) tensix_sync();
  return probe_clock() - start;
}

void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t start = probe_clock();
  probe_result(0, probe_clock() - start);
  for (uint32_t round = 0; round < 24; round++) /* each twice: in the second pass the code is in the cache */
    probe_result(1 + round / 2, probe_mop(1u << (round / 2 % 6), round >= 12));
#endif
}
