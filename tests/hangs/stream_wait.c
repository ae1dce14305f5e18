/* cores: trisc0
 * code: 4
 * first line: stream  */
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  TTI_STREAMWAIT(0x1ff, 1, 0, 0); /* phase 1 of the stream */
  TTI_NOP;
}
#endif
