/* cores: ncrisc
 * code: 3
 * first line: fault after cycles: kernel_check.c:@here (kernel_main, in cb_reserve_known): NCRISC stopped: circular buffer 7 was never configured */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { cb_reserve_back(7, 1); /* here */ }
#endif
