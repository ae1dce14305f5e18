/* cores: trisc0
 * code: 4
 * first line: stream 0: nothing will release it; stream_wait.c:@here (thread 0 (unpack)) */
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  TTI_STREAMWAIT(0x1ff, 1, 0, 0); /* here: phase 1 of the stream */
  TTI_NOP;
}
#endif
