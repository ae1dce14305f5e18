/* The scalar unit's accesses to L1, on the unpack thread. Results, cycles from the first push until the coprocessor is idle, of 32:
 *   0 nothing   1 SETDMAREG   2 LOADIND   3 STOREIND   4 ATINCGET   5 ATCAS of a word that has the value it waits for */
#include "probe.h"

#define PROBE_STREAM(index, instruction) \
  start = probe_clock(); \
  PROBE_TIMES(instruction;) \
  tensix_sync(); \
  probe_result(index, probe_clock() - start)

/* Each adds a GPR and loads the old word into it: eight GPRs, so that none is used before its load has completed. */
#define PROBE_EIGHT_ATOMICS \
  TTI_ATINCGET(0, 31, 0, 40, 9); \
  TTI_ATINCGET(0, 31, 0, 41, 9); \
  TTI_ATINCGET(0, 31, 0, 42, 9); \
  TTI_ATINCGET(0, 31, 0, 43, 9); \
  TTI_ATINCGET(0, 31, 0, 44, 9); \
  TTI_ATINCGET(0, 31, 0, 45, 9); \
  TTI_ATINCGET(0, 31, 0, 46, 9); \
  TTI_ATINCGET(0, 31, 0, 47, 9);

void kernel_main(void) {
#ifdef TRISC_UNPACK
  uint32_t start = probe_clock();
  tensix_sync();
  probe_result(0, probe_clock() - start);
  uint32_t words = PROBE_ARG(1) >> 4; /* GPR 9: the address in units of 16 bytes; GPR 10: the offset */
  TT_SETDMAREG(0, words & 0xffff, 0, 18);
  TT_SETDMAREG(0, words >> 16, 0, 19);
  TTI_SETDMAREG(0, 0, 0, 20);
  tensix_sync();
  PROBE_STREAM(1, TTI_SETDMAREG(0, 0, 0, 26));
  PROBE_STREAM(2, TTI_LOADIND(1, 20, 0, 16, 9));
  PROBE_STREAM(3, TTI_STOREIND(1, 1, 0, 20, 0, 16, 9));
  start = probe_clock();
  PROBE_FOUR(PROBE_EIGHT_ATOMICS)
  tensix_sync();
  probe_result(4, probe_clock() - start);
  PROBE_WORD(PROBE_ARG(1)) = 5;
  PROBE_STREAM(5, TTI_ATCAS(0, 5, 5, 0, 0, 9));
#endif
}
