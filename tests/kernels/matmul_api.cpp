// The tile product by the compute API's own call.
#include "matmul_loop.h"

namespace {
void multiply_tile() { matmul_tiles(left, right, 0, 0, 0); }
}  // namespace
