/* cores: trisc1
 * code: 4
 * first line: the word at 0x00030000: nothing has written it; atcas_sync.c:@here (scalar unit) has been waiting for the word at 0x00030000 (now 0x0) to become 0x2 */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  gpr_set_low(4, 0x3000);
  TTI_ATCAS(0, 1, 2, 0, 0, 4); /* here */
  tensix_sync();
}
#endif
