/* cores: brisc ncrisc
 * code: 4
 * first line: the byte at 0x00030001: nothing has written it; byte_flag.c:@here (BRISC) has been waiting for the byte at 0x00030001 (now 0x0) to become 0x1 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { ((volatile uint8_t *)0x30000)[2] = 1; }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { while (((volatile uint8_t *)0x30000)[1] != 1) {} /* here */ }
#endif
