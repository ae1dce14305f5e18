/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: NCRISC last wrote it at phase_flag.c:@there in cycle N and has returned; phase_flag.c:@here (BRISC) has been waiting for the word at 0x00030000 (now 0x1) to reach 2 since cycle */
#include "dataflow.h"
struct slot { volatile uint32_t phase; uint32_t data[3]; };
#define slots ((struct slot *)0x30000)
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    slots[i & 1].data[0] = i;
    slots[i & 1].phase = 1; /* there: the phase should be 1 + i / 2 */
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 4; i++) {
    while (slots[i & 1].phase < 1 + i / 2) {} /* here */
    sum += slots[i & 1].data[0];
  }
  tt_store(0x31000, sum);
}
#endif
