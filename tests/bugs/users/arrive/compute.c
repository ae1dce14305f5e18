#include "compute.h"
void kernel_main(void) {}
