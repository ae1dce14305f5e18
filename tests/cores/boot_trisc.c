#include "core.h"

void kernel(void) {
  if (CORE == 1) WORD(0xFFE80024u) = 0; /* post MATH_PACK */
  if (CORE == 2)
    while (WORD(0xFFE80024u) != 1) {}
  WORD(RESULT + 16 * CORE) = 0x100 + CORE;
  for (;;) {} /* as kernels end */
}
