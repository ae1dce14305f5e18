/* cores: trisc0 trisc1 trisc2
 * code: 4
 * first line: the mailbox from TRISC0: TRISC0 has returned; mailbox_wrong.c:@here (TRISC1, in tt_load) has been waiting for a word in the mailbox from TRISC0 since cycle */
#include "compute.h"
void kernel_main(void) {
#ifdef TRISC_UNPACK
  tt_store(0xFFEC3000u, 5); /* there: not to math */
#elif defined TRISC_MATH
  tt_store(0x30000, tt_load(0xFFEC1000u)); /* here */
#endif
}
