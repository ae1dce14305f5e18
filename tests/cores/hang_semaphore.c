#include "core.h"

__attribute__((noinline)) static void acquire(void) {
  PUSH(SEMWAIT_ON_ZERO(4)); /* MATH_PACK is 1: no thread posts 4 */
  PUSH(NOP);
  TENSIX_SYNC();
}

void kernel(void) {
  PUSH(SEMINIT(4, 1, 0));
  acquire();
  WORD(RESULT) = 2;
}
