/* The interlock on blocks of Dst, on the math thread: 32 ELWADD, alternately on the first block of eight rows and on the one n blocks later. Results, cycles until
 * the coprocessor is idle:
 *   0 of no instruction   1 n = 0   2 to 8 n = 1, 2, 4, 8, 16, 32, 64
 * Blocks that the interlock does not distinguish wait for each other as for n = 0. Both Src banks are handed to the matrix unit before the probe and released after it. */
#include "probe.h"

#define DISABLE_IMPLIED_SRCA_FMT 2
#define DISABLE_IMPLIED_SRCB_FMT 3
#define ADDR_MOD_AB_SEC0 12
#define ADDR_MOD_DST_SEC0 28
#define PROBE_PAIR(n) \
  TTI_ELWADD(0, 0, 0, 0, 0); \
  TTI_ELWADD(0, 0, 0, 0, 8 * (n));
#define PROBE_DISTANCE(index, n) \
  for (uint32_t again = 0; again < 2; again++) { /* in the second pass the code is in the cache */ \
    tensix_sync(); \
    start = probe_clock(); \
    PROBE_FOUR(PROBE_FOUR(PROBE_PAIR(n))) \
    tensix_sync(); \
    probe_result(index, probe_clock() - start); \
  }

void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t start = probe_clock();
  TTI_SETC16(DISABLE_IMPLIED_SRCA_FMT, 1); /* no unpacker has set one */
  TTI_SETC16(DISABLE_IMPLIED_SRCB_FMT, 1);
  TTI_SETC16(ADDR_MOD_AB_SEC0, 0); /* no counter moves */
  TTI_SETC16(ADDR_MOD_DST_SEC0, 0);
  TTI_SETRWC(0, 0, 0, 0, 0, 15);
  TTI_SETDVALID(3);
  tensix_sync();
  start = probe_clock();
  tensix_sync();
  probe_result(0, probe_clock() - start);
  PROBE_DISTANCE(1, 0)
  PROBE_DISTANCE(2, 1)
  PROBE_DISTANCE(3, 2)
  PROBE_DISTANCE(4, 4)
  PROBE_DISTANCE(5, 8)
  PROBE_DISTANCE(6, 16)
  PROBE_DISTANCE(7, 32)
  PROBE_DISTANCE(8, 64)
  TTI_SETRWC(3, 0, 0, 0, 0, 15); /* the banks go back to the unpackers */
  TTI_SETC16(DISABLE_IMPLIED_SRCA_FMT, 0);
  TTI_SETC16(DISABLE_IMPLIED_SRCB_FMT, 0);
  tensix_sync();
#endif
}
