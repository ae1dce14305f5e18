/* cores: ncrisc
 * code: 4
 * first line: the variable ready in local RAM: no other core of its tile can write it; local_flag.c:@here (NCRISC) has been waiting for the variable ready in local RAM (now 0x0) to change */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
static volatile uint32_t ready;
void kernel_main(void) { while (!ready) {} /* here: local RAM: no other core of its tile can write it */ }
#endif
