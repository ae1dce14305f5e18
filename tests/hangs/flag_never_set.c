/* cores: ncrisc
 * code: 4
 * first line: the word at 0x00030000: nothing has written it; flag_never_set.c:@here (NCRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x0) to become 0xcafe since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { tt_poll(0x30000, 0xffffffffu, 0xcafe); /* here */ }
#endif
