/* Seed 000 includes this name; everything is in compute_cpp.h. */
#include "compute_cpp.h"
