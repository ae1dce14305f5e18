/* num_fpu_vec_body.h for AVX2. Empty on machines other than x86-64. */
#include "tensix/num/num_fpu_vec.h"

#if defined(__x86_64__)
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#include <immintrin.h>
#endif

#define VEC_AVX2
#define VEC_BYTES 32
#define VEC_TABLE num_fpu_avx2
#define VEC_NAME "avx2"
#include "tensix/num/num_fpu_vec_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int num_fpu_avx2_is_empty;
#endif
