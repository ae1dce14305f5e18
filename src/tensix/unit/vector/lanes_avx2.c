/* The lanes' arithmetic for x86-64 processors with AVX2: vectors of 32 bytes. Empty on other machines. */
#if defined(__x86_64__)
#include <immintrin.h> /* before the target changes: its functions have their own targets */
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define NUM_VEC_BYTES 32
#define LANES_TABLE tx_lanes_avx2
#define LANES_NAME "avx2"
#include "tensix/unit/vector/lanes_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
