#include "core.h"

__attribute__((noinline)) static void wait_for_flag(void) {
  while (WORD(RESULT + 0x40) != 0xCAFE) {}
}

void kernel(void) {
  WORD(RESULT) = 1;
  wait_for_flag();
  WORD(RESULT) = 2;
}
