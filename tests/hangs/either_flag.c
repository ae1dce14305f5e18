/* cores: brisc ncrisc
 * code: 4
 * kernel run: waiting for the word at 0x00030000 (now 0x0) to become other than 0x0 or the word at 0x00030010 (now 0x0) to become other than 0x0
 * first line: the word at 0x00030000, the word at 0x00030010: nothing has written them; either_flag.c:@here (BRISC, in tt_load) has been waiting for the word at 0x00030000 (now 0x0) to become other than 0x0 or the word at 0x00030010 (now 0x0) to become other than 0x0 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { tt_store(0x30020, 1); } /* neither of the two */
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  while (!(tt_load(0x30000) || tt_load(0x30010))) {} /* here */
}
#endif
