/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030004: nothing has written it; wide_flag.c:@here (BRISC) has been waiting for the word at 0x00030004 (now 0x0) to become 0x1 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { tt_store(0x30000, 1); /* held: only the low half */ }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { while (*(volatile uint64_t *)0x30000 != 0x100000001ull) {} /* here */ }
#endif
