#include "core.h"

static unsigned table[4] = {1, 20, 300, 4000}; /* in local RAM */

__attribute__((noinline)) static unsigned sum(unsigned n) {
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) total += table[i] * (i + 1);
  return total;
}

void kernel(void) {
  WORD(RESULT) = sum(4);
  PUSH(SEMINIT(5, 3, 2));
  TENSIX_SYNC();
  WORD(RESULT + 16) = 1;
}
