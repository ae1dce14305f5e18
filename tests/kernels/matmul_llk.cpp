// The tile product by the two LLK calls behind matmul_tiles, with fidelity and throttle as compile-time parameters.
#include "matmul_loop.h"

namespace {
void multiply_tile() {
  UNPACK((llk_unpack_AB_matmul(left, right, 0, 0)));
  MATH((llk_math_matmul<MATH_FIDELITY, MM_THROTTLE>(0)));
}
}  // namespace
