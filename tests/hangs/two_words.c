/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030010: nothing has written it; two_words.c:@here (BRISC, in tt_load) has been waiting for the word at 0x00030010 (now 0x0) to become other than 0x0 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { tt_store(0x30000, 1); }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  while (!(tt_load(0x30000) && tt_load(0x30010))) {} /* here: the second is missing */
}
#endif
