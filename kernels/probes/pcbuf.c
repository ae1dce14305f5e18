/* The PC buffer from BRISC to the math core: a store of BRISC sends, a load of the core receives. Results of the math core, cycles:
 *   0 nothing   1 sixteen loads of words that have arrived   2 32 times a word to BRISC through a mailbox and one back through the PC buffer
 * Results of BRISC: 3 nothing   4 sixteen stores into the empty buffer */
#include "probe.h"

#define FROM_BRISC 0xFFE80000u
#define TO_MATH 0xFFE90000u
#define MAILBOX(core) (0xFFEC0000u + 0x1000u * (core)) /* B, T0, T1, T2 */

void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  uint32_t start = probe_clock();
  probe_result(3, probe_clock() - start);
  start = probe_clock();
  PROBE_FOUR(PROBE_FOUR(PROBE_WORD(TO_MATH) = 1;))
  probe_result(4, probe_clock() - start);
  PROBE_WORD(MAILBOX(2)) = 1; /* the sixteen words have arrived */
  for (uint32_t i = 0; i < PROBE_COUNT; i++) PROBE_WORD(TO_MATH) = PROBE_WORD(MAILBOX(2));
#endif
#ifdef TRISC_MATH
  uint32_t start = probe_clock(), word = PROBE_WORD(MAILBOX(0));
  start = probe_clock();
  probe_result(0, probe_clock() - start);
  start = probe_clock();
  PROBE_FOUR(PROBE_FOUR(word += PROBE_WORD(FROM_BRISC);))
  probe_result(1, probe_clock() - start);
  start = probe_clock();
  for (uint32_t i = 0; i < PROBE_COUNT; i++) {
    PROBE_WORD(MAILBOX(0)) = word;
    word = PROBE_WORD(FROM_BRISC);
  }
  probe_result(2, probe_clock() - start);
#endif
}
