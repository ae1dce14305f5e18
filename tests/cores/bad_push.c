#include "core.h"

__attribute__((noinline)) static void push_to_math(unsigned word) { WORD(0xFFE50000u) = word; }

void kernel(void) {
  push_to_math(NOP);
  WORD(RESULT) = 2;
}
