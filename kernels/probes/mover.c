/* The mover, by BRISC through TDMA-RISC. Results: cycles from the command until the mover is idle, of copies of 16, 32, 64 ... 65536 bytes from L1
 * to L1 (words 0 to 12). With PROBE_NARROW NCRISC stores bytes elsewhere meanwhile, until BRISC sets a flag: the delay that narrow writes
 * add to a stream (docs/evidence/time.md). */
#include "probe.h"

#define TDMA 0xFFB11000u /* source, target, size in units of 16 bytes; direction; command; status */
#define L1_TO_L1 3u
#define COPY 0x40u

static inline uint32_t probe_copy(uint32_t bytes) {
  uint32_t from = PROBE_ARG(1);
  PROBE_WORD(TDMA) = from >> 4;
  PROBE_WORD(TDMA + 4) = (from + 65536) >> 4;
  PROBE_WORD(TDMA + 8) = bytes >> 4;
  PROBE_WORD(TDMA + 12) = L1_TO_L1;
  uint32_t start = probe_clock();
  PROBE_WORD(TDMA + 16) = COPY;
  __asm__ volatile("fence" ::: "memory");             /* loads may overtake stores to other addresses */
  while ((PROBE_WORD(TDMA + 20) & 0x39u) != 0x28u) {} /* the mover is idle, no command queued, no parameters held */
  return probe_clock() - start;
}

void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  for (uint32_t i = 0; i < 13; i++) probe_result(i, probe_copy(16u << i));
  PROBE_WORD(PROBE_ARG(0) + 4 * 63) = 1;
#endif
#if defined(COMPILE_FOR_NCRISC) && defined(PROBE_NARROW)
  uint32_t results = PROBE_ARG(0), at = results + 4 * 56;
  while (!PROBE_WORD(results + 4 * 63)) { /* one line after the other: stores to one line would merge */
    PROBE_FOUR(*(volatile uint8_t *)at = 1; at ^= 16u;)
  }
#endif
}
