/* cores: ncrisc brisc
 * code: 4
 * first line: cycles: the word at 0x00030000: NCRISC waits itself and never wrote it; dead_branch.c:@here (BRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x0) to become 0x1 since cycle
 * also: (NCRISC, in tt_poll): waiting for the word at 0x00030010 (now 0x0) to become 0x1 since cycle N, behind BRISC */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  uint32_t answers = get_arg_val(0) == 0x1234;
  tt_poll(0x30010, UINT32_MAX, 1);
  if (answers) tt_store(0x30000, 1); /* decided: no deadlock */
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_poll(0x30000, UINT32_MAX, 1); /* here */
  tt_store(0x30010, 1);
}
#endif
