/* Mailboxes between T cores. Unpack and math exchange one word. Results of unpack:
 *   0 nothing   1 32 round trips   2 32 reads of the mailbox status */
#include "probe.h"

#define MAILBOX(core) \
  (0xFFEC0000u + 0x1000u * (core)) /* B, T0, T1, T2: a store sends to that core, a load receives from it */

void kernel_main(void) {
#ifdef TRISC_UNPACK
  uint32_t start = probe_clock();
  probe_result(0, probe_clock() - start);
  PROBE_WORD(MAILBOX(2)) = 1; /* both have started */
  uint32_t word = PROBE_WORD(MAILBOX(2));
  start = probe_clock();
  for (uint32_t i = 0; i < PROBE_COUNT; i++) {
    PROBE_WORD(MAILBOX(2)) = word; /* the returned word: one word in flight at a time */
    word = PROBE_WORD(MAILBOX(2));
  }
  probe_result(1, probe_clock() - start);
  start = probe_clock();
  PROBE_TIMES((void)PROBE_WORD(MAILBOX(2) + 4);)
  probe_result(2, probe_clock() - start);
#endif
#ifdef TRISC_MATH
  for (uint32_t i = 0; i < PROBE_COUNT + 1; i++) PROBE_WORD(MAILBOX(1)) = PROBE_WORD(MAILBOX(1));
#endif
}
