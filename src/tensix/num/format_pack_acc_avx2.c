/* format_pack_acc_body.h for x86-64 processors with AVX2. Empty on other machines. */
#if defined(__x86_64__)
#include <immintrin.h> /* before the target changes */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tensix/num/format_pack_acc.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define NUM_VEC_BYTES 32
#include "tensix/num/format_pack_acc_body.h"

void num_acc_bf16_avx2(uint8_t *l1, const uint8_t *added, unsigned length) { sum_bf16(l1, added, length); }
void num_acc_fp32_avx2(uint8_t *l1, const uint8_t *added, unsigned length) { sum_fp32(l1, added, length); }

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int num_format_pack_acc_avx2_is_empty;
#endif
