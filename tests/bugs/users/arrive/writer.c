#include "noc.h"
void kernel_main(void) {}
