/* cores: ncrisc
 * code: 4; run: --poke 0x40=0
 * first line: every core idles in its firmware: nothing is launched, or every kernel has returned */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {}
#endif
