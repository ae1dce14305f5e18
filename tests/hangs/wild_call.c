/* cores: brisc
 * code: 3
 * first line: wild_call.c:@here (dispatch): BRISC jumped to 0x00170000, outside its program */
#include "dataflow.h"
typedef void (*handler)(uint32_t);
volatile handler table[2] = {(handler)0x170000, 0};
__attribute__((noinline)) void dispatch(uint32_t which) { table[which](3); /* here */ }
void kernel_main(void) {
  tt_store(0x30000, 1);
  dispatch(0);
  tt_store(0x30004, 1);
}
