/* cores: ncrisc
 * code: 4
 * first line: every core has ended; NCRISC loops forever in kernel_main */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (;;) {} /* GCC gives the jump no line of its own */
}
#endif
