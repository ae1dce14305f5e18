/* cores: trisc1
 * code: 3
 * first line: fault after cycles: replay_never_loaded.c:@here (kernel_main, in replay_play): bad instruction: unknown opcode 0x00 */
/* Plays a slot that was never recorded: its word is 0, which no opcode has. */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  replay_play(5, 2); /* here */
  tensix_sync();
}
#endif
