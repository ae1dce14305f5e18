/* cores: trisc0
 * code: 4
 * first line: the mailbox to TRISC1: TRISC1 has returned; mailbox_full.c:@here (TRISC0) has been waiting for room in the mailbox to TRISC1 */
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 12; i++) *(volatile uint32_t *)0xFFEC2000u = i; /* here: TRISC1 never reads */
}
#endif
