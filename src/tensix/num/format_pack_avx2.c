/* format_pack_body.h for x86-64 processors with AVX2. Empty on other machines. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h> /* before the target changes */
#include <stdint.h>
#include <string.h>

#include "sim/keep.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PACK_AVX2
#include "tensix/num/format_pack_body.h"

unsigned num_pack_rows_avx2(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes,
                            uint8_t *exponents) {
  return pack_rows(how, rows, bytes, exponents);
}

void num_pack_bf16_avx2(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known) {
  rows_bf16(high, rows, bytes, known);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int num_format_pack_avx2_is_empty;
#endif
