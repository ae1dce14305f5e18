/* Tests whether WRCFG overtakes the SETDMAREG before it. tt-isa-documentation issue 58 describes a stage between a thread's instruction buffer and the scalar
 * unit in which SETDMAREG may wait while younger instructions execute. The math thread writes a GPR and, at once, from it a configuration word that no
 * unit reads (SCRATCH_SEC1), and reads the word back. Results: the number of 32 words that were not the one just written
 *   0 while the scalar unit is otherwise idle   1 while the other two threads keep it busy
 * On Tessera both are 0: the stage is not modelled. */
#include "probe.h"

#define SCRATCH_SEC1 210
#define CONFIG 0xFFEF0000u
#define MAILBOX(core) (0xFFEC0000u + 0x1000u * (core)) /* B, T0, T1, T2 */

static inline uint32_t probe_stale(void) {
  uint32_t stale = 0;
  for (uint32_t i = 1; i <= PROBE_COUNT; i++) {
    TT_SETDMAREG(0, i, 0, 120);
    TTI_WRCFG(60, 0, SCRATCH_SEC1);
    tensix_sync();
    stale += PROBE_WORD(CONFIG + 4 * SCRATCH_SEC1) != i;
  }
  return stale;
}

static inline void probe_keep_busy(uint32_t flag) {
  while (!PROBE_WORD(flag)) {
    PROBE_FOUR(PROBE_FOUR(TTI_MULDMAREG(1, 61, 1, 61);))
  }
}

void kernel_main(void) {
#if !PROBE_DATA_MOVEMENT
  uint32_t flag = PROBE_ARG(0) + 4 * 31;
  (void)flag;
#ifdef TRISC_MATH
  TTI_SETDMAREG(0, 0, 0, 121); /* the upper half */
  probe_result(0, probe_stale());
  PROBE_WORD(MAILBOX(1)) = 1;
  PROBE_WORD(MAILBOX(3)) = 1;
  probe_result(1, probe_stale());
  PROBE_WORD(flag) = 1;
#elif defined(TRISC_UNPACK) || defined(TRISC_PACK)
  (void)PROBE_WORD(MAILBOX(2));
  __asm__ volatile("fence" ::: "memory");
  probe_keep_busy(flag);
#endif
#endif
}
