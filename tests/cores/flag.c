#include "core.h"

/* Two words, far apart in time. */
void kernel(void) {
  WORD(RESULT + 0x80) = 7;
  for (volatile int i = 0; i < 50; i++) {}
  WORD(RESULT + 0x84) = 8;
}
