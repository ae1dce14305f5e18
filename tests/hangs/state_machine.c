/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: NCRISC last wrote it at state_machine.c:@there in cycle N and has returned; state_machine.c:@here (BRISC, in tt_load) has been waiting for the word at 0x00030000 (now 0x3) to change since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { tt_store(0x30000, 3); /* there */ }
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  for (;;) {
    switch (tt_load(0x30000)) { /* here */
      case 1: tt_store(0x31000, 1); return;
      case 2: tt_store(0x31000, 2); return;
      case 7: tt_store(0x31000, 7); return;
      default: break;
    }
  }
}
#endif
