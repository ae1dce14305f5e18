/* cores: brisc ncrisc
 * code: 4
 * first line: the half word at 0x00030002: NCRISC last wrote it at half_word.c:@there in cycle N and has returned; half_word.c:@here (BRISC) has been waiting for the half word at 0x00030002 (now 0x34) to become 0x1234 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { *(volatile uint8_t *)0x30002 = 0x34; /* there: half of it */ }
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) { while (*(volatile uint16_t *)0x30002 != 0x1234) {} /* here */ }
#endif
