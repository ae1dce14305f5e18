/* Selects the version of the lanes' arithmetic for this processor. */
#include "tensix/unit/vector/lanes.h"

#include <stddef.h>

#if defined(__x86_64__)
static int has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq");
}

const struct tx_lane_ops *tx_lanes_version(unsigned index) {
  const struct tx_lane_ops *versions[] = {&tx_lanes_scalar, &tx_lanes_base, NULL, NULL, NULL};
  unsigned count = 2;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) versions[count++] = &tx_lanes_avx2;
  if (has_avx512()) versions[count] = &tx_lanes_avx512;
  return index < 5 ? versions[index] : NULL;
}
#else
const struct tx_lane_ops *tx_lanes_version(unsigned index) {
  return index == 0 ? &tx_lanes_scalar : index == 1 ? &tx_lanes_base : NULL;
}
#endif

const struct tx_lane_ops *tx_lanes_best(void) {
  const struct tx_lane_ops *best = &tx_lanes_scalar;
  for (unsigned i = 0; tx_lanes_version(i); i++) best = tx_lanes_version(i);
#if defined(__x86_64__)
  if (best == &tx_lanes_base) best = &tx_lanes_scalar; /* SSE2 cannot shift lanes by different amounts: twice as slow */
#endif
  return best;
}
