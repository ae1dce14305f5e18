/* Accesses of the math core to semaphores and TTSync through its PC buffer. Results, cycles for 32:
 *   0 nothing (two reads of the clock)   1 loads of semaphore 7   2 posts and gets of it, in turn   3 loads of TTSync on an idle coprocessor */
#include "probe.h"

#define SEMAPHORE_7 (0xFFE80020u + 4 * 7)
#define TTSYNC 0xFFE80004u

void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t start = probe_clock();
  probe_result(0, probe_clock() - start);
  start = probe_clock();
  PROBE_TIMES((void)PROBE_WORD(SEMAPHORE_7);)
  probe_result(1, probe_clock() - start);
  start = probe_clock();
  PROBE_FOUR(PROBE_FOUR(PROBE_WORD(SEMAPHORE_7) = 0; PROBE_WORD(SEMAPHORE_7) = 1;))
  probe_result(2, probe_clock() - start);
  start = probe_clock();
  PROBE_TIMES((void)PROBE_WORD(TTSYNC);)
  probe_result(3, probe_clock() - start);
#endif
}
