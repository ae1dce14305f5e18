/* num_fpu_vec_body.h for AVX-512 with VNNI. Empty on machines other than x86-64. */
#include "tensix/num/num_fpu_vec.h"

#if defined(__x86_64__)
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni")
#include <immintrin.h>
#endif

#define VEC_AVX512
#define VEC_VNNI
#define VEC_BYTES 64
#define VEC_TABLE num_fpu_avx512vnni
#define VEC_NAME "avx512vnni"
#include "tensix/num/num_fpu_vec_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int num_fpu_avx512vnni_is_empty;
#endif
