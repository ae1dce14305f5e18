/* The watchdog timer of the tile (0xFFB121E0: timer, control, status), on BRISC. Results:
 *   0 decrease of the timer   1 cycles it took   2 WDT_STATUS while it counts   3 WDT_STATUS at zero   4 HW_INT[3] of the PIC at zero
 * With PROBE_BITS, for a card: from word 16 on, for bit 1 to 31 of WDT_CNTL beside bit 0, WDT_STATUS | HW_INT[3] << 1 with the timer at zero. A bit
 * that resets the tile ends the probe: its word and those after it stay as the host left them. */
#include "probe.h"

#define TIMER 0xFFB121E0u
#define CONTROL 0xFFB121E4u
#define STATUS 0xFFB121E8u
#define HW_INT_3 0xFFB130A4u

static inline void probe_set(uint32_t address, uint32_t value) {
  PROBE_WORD(address) = value;
  __asm__ volatile("fence" ::: "memory");
}

void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  probe_set(TIMER, 100000);
  probe_set(CONTROL, 1);
  uint32_t start = probe_clock(), timer = PROBE_WORD(TIMER);
  PROBE_TIMES(__asm__ volatile("nop");)
  uint32_t end = probe_clock(), later = PROBE_WORD(TIMER);
  probe_result(0, timer - later);
  probe_result(1, end - start);
  probe_result(2, PROBE_WORD(STATUS));
  probe_set(TIMER, 0);
  probe_result(3, PROBE_WORD(STATUS));
  probe_result(4, PROBE_WORD(HW_INT_3));
#ifdef PROBE_BITS
  for (uint32_t bit = 1; bit < 32; bit++) {
    probe_set(CONTROL, 1u | 1u << bit);
    probe_result(16 + bit, PROBE_WORD(STATUS) | PROBE_WORD(HW_INT_3) << 1);
  }
#endif
  probe_set(CONTROL, 0);
#endif
}
