#include "core.h"

void kernel(void) { WORD(RESULT) = WORD(RESULT + 8) + 5; }
