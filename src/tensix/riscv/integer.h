/* The functions that results in riscv.def are written with. */
#ifndef TESSERA_TENSIX_RISCV_INTEGER_H
#define TESSERA_TENSIX_RISCV_INTEGER_H

#include <stdint.h>

static inline uint32_t leading_zeros(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32u; }
static inline uint32_t trailing_zeros(uint32_t a) { return a ? (uint32_t)__builtin_ctz(a) : 32u; }
static inline uint32_t rotate_right(uint32_t a, uint32_t by) { return a >> (by & 31u) | a << (-by & 31u); }
static inline uint32_t high_product(int64_t a, int64_t b) { return (uint32_t)((uint64_t)(a * b) >> 32); }

static inline uint32_t or_combine(uint32_t a) {
  a |= (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
  a |= (a & 0x33333333u) << 2 | (a >> 2 & 0x33333333u);
  return a | (a & 0x0f0f0f0fu) << 4 | (a >> 4 & 0x0f0f0f0fu);
}

/* grevi: swaps neighbouring groups of 2^i bits for every bit i set in `by`. */
static inline uint32_t reverse(uint32_t a, uint32_t by) {
  static const uint32_t low[5] = {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu};
  for (unsigned i = 0; i < 5; i++)
    if (by >> i & 1u) a = (a & low[i]) << (1u << i) | (a >> (1u << i) & low[i]);
  return a;
}

static inline uint32_t divide(uint32_t a, uint32_t b) {
  if (!b) return UINT32_MAX;
  if (a == 0x80000000u && b == UINT32_MAX) return a;
  return (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t remainder_of(uint32_t a, uint32_t b) {
  if (!b) return a;
  if (a == 0x80000000u && b == UINT32_MAX) return 0;
  return (uint32_t)((int32_t)a % (int32_t)b);
}

#endif
