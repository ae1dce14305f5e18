/* The lanes' arithmetic for x86-64 processors with AVX512: vectors of 64 bytes. Empty on other machines. */
#if defined(__x86_64__)
#include <immintrin.h> /* before the target changes: its functions have their own targets */
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl,avx2"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl,avx2")
#endif
#define NUM_VEC_BYTES 64
#define LANES_TABLE tx_lanes_avx512
#define LANES_NAME "avx512"
#include "tensix/unit/vector/lanes_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
