/* cores: trisc1
 * code: 4
 * first line: the mailbox from BRISC: BRISC has returned; mailbox_nobody_writes.c:@here (TRISC1) has been waiting for a word in the mailbox from BRISC */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  uint32_t word = *(volatile uint32_t *)0xFFEC0000u; /* here */
  *(volatile uint32_t *)0x20000u = word;
}
#endif
