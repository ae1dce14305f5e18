/* cores: brisc ncrisc trisc0 trisc2
 * code: 4; flags: -O0
 * first line: the word at 0x00030030: nothing has written it; barrier_O0.c:@here */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
#define ME 0
#elif defined COMPILE_FOR_NCRISC
#include "dataflow.h"
#define ME 1
#else
#include "compute.h"
#define ME (TRISC_UNPACK_ME)
#endif
#ifdef TRISC_UNPACK
#define TRISC_UNPACK_ME 2
#else
#define TRISC_UNPACK_ME 4 /* the mistake: 3 is missing */
#endif
void kernel_main(void) {
  volatile uint32_t *arrived = (volatile uint32_t *)0x30000;
  uint32_t sum;
  arrived[4 * ME] = 1;
  do {
    sum = 0;
    for (uint32_t i = 0; i < 4; i++) sum += arrived[4 * i]; /* here: one load, four words */
  } while (sum != 4);
}
