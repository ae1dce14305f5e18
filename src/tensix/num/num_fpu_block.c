/* The versions of num_fpu_vec.h for this machine, and the choice between them. */
#include "tensix/num/num_fpu_vec.h"

#if defined(__x86_64__)
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static bool has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
}
#endif

const struct num_fpu_ops *num_fpu_nth(size_t n) {
  const struct num_fpu_ops *versions[5] = {&num_fpu_scalar, &num_fpu_baseline};
  size_t count = 2;
#if defined(__x86_64__)
  if (has_avx2()) versions[count++] = &num_fpu_avx2;
  if (has_avx512()) versions[count++] = &num_fpu_avx512;
  if (has_avx512() && __builtin_cpu_supports("avx512vnni")) versions[count++] = &num_fpu_avx512vnni;
#endif
  return n < count ? versions[n] : NULL;
}

const struct num_fpu_ops *num_fpu_best(void) {
  const struct num_fpu_ops *best = &num_fpu_baseline;
  for (size_t n = 1; num_fpu_nth(n) != NULL; n++) best = num_fpu_nth(n);
  return best;
}
