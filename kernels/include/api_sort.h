/* The compute API in C++: sorted columns and the k largest or smallest of them. Values in tiles dst and dst + 1, their indices in dst + 2 and
 * dst + 3; a column has 64 values, row 0 of the first tile to row 31 of the second. Directions: 0 decreasing, 1 increasing. Part of
 * api_compute.h. */
#ifndef TENSIX_API_SORT_H
#define TENSIX_API_SORT_H

#include "sfpu_sort.h"

namespace ckernel { /* kernels write ckernel::topk_local_sort */

SFPU_NOTES_INIT(topk_tile_init, topk_tile)

/* Sequences of 2^(end_phase + 1) values in alternating directions, of which the first is `direction`. */
template <bool stable = false>
inline void topk_local_sort(uint32_t dst, int direction, int end_phase, int start_phase = 0, int end_step = 0,
                            int start_step = 0) {
  MATH(SFPU_CHECK_INIT("topk_local_sort", OWN(topk_tile)))
  KERNEL_CHECK(start_phase >= 0 && start_phase <= end_phase && end_phase <= 5, "topk_local_sort: phases are 0 to 5");
  KERNEL_CHECK(end_step >= 0 && end_step <= start_step && start_step <= end_phase + 1,
               "topk_local_sort: phase p has the steps p + 1 to 1");
  MATH(sort_check(dst, 2u << end_phase);)
  MATH(math_sort_phases(dst, direction != 0, (uint32_t)start_phase, (uint32_t)end_phase, (uint32_t)start_step,
                        (uint32_t)end_step, stable);)
  (void)dst, (void)direction, (void)end_phase, (void)start_phase, (void)end_step, (void)start_step;
}
template <bool direction = false, bool stable = false> inline void topk_merge(uint32_t dst, int iteration, int k) {
  MATH(sort_check(dst, (uint32_t)k);)
  MATH(math_sort_merge(dst, direction, (uint32_t)iteration, (uint32_t)k, stable);)
  (void)dst, (void)iteration, (void)k;
}
template <bool stable = false>
inline void topk_rebuild(uint32_t dst, bool direction, int iteration, int k, int logk, int skip_second) {
  KERNEL_CHECK(k == 1 << logk, "topk_rebuild: logk is the logarithm of k");
  MATH(sort_check(dst, (uint32_t)k);)
  MATH(math_sort_rebuild(dst, direction, (uint32_t)iteration, (uint32_t)k, skip_second != 0, stable);)
  (void)dst, (void)direction, (void)iteration, (void)k, (void)logk, (void)skip_second;
}
/* Values of 16 bits are where the packer reads them: this library holds them in a 16-bit Dst only. */
inline void topk_uint16_prepare_value_tile_for_pack(uint32_t) {}

} // namespace ckernel

#endif
