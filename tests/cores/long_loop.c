#include "core.h"

void kernel(void) {
  for (volatile unsigned i = 0; i < 1000000000u; i++) {}
}
