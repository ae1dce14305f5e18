/* The configuration unit, on the math thread. Results, cycles from the first push until the coprocessor is idle, of 32:
 *   0 nothing   1 WRCFG   2 CFGSHIFTMASK   3 RDCFG   4 STREAMWRCFG
 * All of them touch SCRATCH_SEC1 only, which no unit reads, and GPR 60. */
#include "probe.h"

#define SCRATCH_SEC1 210

#define PROBE_STREAM(index, instruction) \
  start = probe_clock(); \
  PROBE_TIMES(instruction;) \
  tensix_sync(); \
  probe_result(index, probe_clock() - start)

void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t start = probe_clock();
  tensix_sync();
  probe_result(0, probe_clock() - start);
  TTI_SETDMAREG(0, 0, 0, 120);
  TTI_SETDMAREG(0, 0, 0, 121);
  tensix_sync();
  PROBE_STREAM(1, TTI_WRCFG(60, 0, SCRATCH_SEC1));
  PROBE_STREAM(2, TTI_CFGSHIFTMASK(1, 3, 31, 0, 1, SCRATCH_SEC1));
  PROBE_STREAM(3, TTI_RDCFG(60, SCRATCH_SEC1));
  PROBE_STREAM(4, TTI_STREAMWRCFG(0, 297, SCRATCH_SEC1));
#endif
}
