/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: BRISC last wrote it at empty_ring.c:@there in cycle N and has returned; empty_ring.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x2) to become other than 0x2 since cycle */
#include "dataflow.h"
volatile uint32_t *const ring = (volatile uint32_t *)0x30000; /* head, tail, entries */
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 2; i++) {
    ring[2 + i] = i;
    ring[0] = i + 1; /* there */
  }
}
#endif
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    while (ring[0] == ring[1]) {} /* here: the producer sends two entries, not three; the tail is its own */
    ring[1] = ring[1] + 1;
  }
}
#endif
