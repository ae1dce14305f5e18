/* cores: ncrisc brisc
 * code: 4
 * first line: the word at 0x00030000: BRISC last wrote it at flag_wrong_value.c:@held in cycle N and has returned; flag_wrong_value.c:@here (NCRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x1) to become 0x2 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { tt_poll(0x30000, 0xffffffffu, 2); /* here */ }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { tt_store(0x30000, 1); /* held */ }
#endif
