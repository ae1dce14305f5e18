/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: cycles: the word at 0x00030030: nothing has written it; barrier.c:@here */
#if defined(COMPILE_FOR_NCRISC) || defined(COMPILE_FOR_BRISC)
#include "dataflow.h"
#else
#include "compute.h"
#endif
static void arrive(uint32_t who) {
  tt_store(0x30000 + 16 * who, 1);
  for (;;) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 5; i++) sum += tt_load(0x30000 + 16 * i); /* here */
    if (sum == 5) return;
  }
}
void kernel_main(void) {
#ifdef TRISC_MATH
  return; /* never arrives */
#endif
  arrive(KERNEL_CORE);
}
