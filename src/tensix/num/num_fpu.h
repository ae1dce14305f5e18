/* Arithmetic of the matrix unit (FPU): a plain reference in integers, and the same by vectors (num_fpu_vec.h).
 *
 * Source datum, 19 bits      18 | 17        8 | 7        0        Dst 16-bit storage   BF16  s | mantissa 7  | exponent 8
 *                             s | mantissa 10 | exponent                               FP16  s | mantissa 10 | exponent 5
 * Dst 32-bit storage: high half in the BF16 form, low half = low 16 bits of the mantissa or magnitude.
 *
 * Exponent field 0 is zero, exponent 255 (31) an ordinary number; results are never -0; there are no sticky bits. The
 * golden model defines the rounding: docs/reference/matrix-unit.md. Stochastic rounding replaces the last rounding, that of
 * the sum to Dst's format. */
#ifndef TESSERA_NUM_FPU_H
#define TESSERA_NUM_FPU_H

#include <stdbool.h>
#include <stdint.h>

/* The bits of a source datum that its format uses. */
enum num_fpu_src_mask {
  NUM_FPU_SRC_BF16 = 0x7f8ff, /* low three mantissa bits dropped */
  NUM_FPU_SRC_TF32 = 0x7ffff,
  NUM_FPU_SRC_FP16 = 0x7ff1f, /* high three exponent bits dropped */
};

enum num_fpu_dst { NUM_FPU_DST_BF16, NUM_FPU_DST_FP16, NUM_FPU_DST_FP32, NUM_FPU_DST_INT32 };

struct num_fpu_mode {
  uint32_t mask_a, mask_b; /* enum num_fpu_src_mask */
  uint32_t dst;            /* enum num_fpu_dst */
  uint32_t phase;          /* fidelity phase 0..3 */
  int32_t bias;            /* added to the sum of two exponents: num_fpu_bias */
  bool exp8;               /* source exponents have eight bits, not five */
  bool keep_b;             /* SrcB with exponent 0 is not zero (Zero_Flag_disabled_src) */
  bool stochastic;         /* the sum is rounded against `random` (prng.h): scalar version only */
  uint32_t random;
};

/* A signed term for the accumulator: magnitude * 2^(exp - 23 - bias of the Dst format). */
struct num_fpu_term {
  uint32_t magnitude;
  int32_t exp;
  uint32_t sign;
};

int32_t num_fpu_bias(const struct num_fpu_mode *mode);

/* Dst values are passed as sign << 31 | exponent << 23 | mantissa 23, or as INT32 sign-magnitude; these convert to storage. */
uint32_t num_fpu_load(uint32_t high, uint32_t low, uint32_t dst);
uint32_t num_fpu_store(uint32_t value, uint32_t dst); /* 16-bit: in the low half; 32-bit: high << 16 | low */

/* One output element of MVMUL, DOTPV, GAPOOL: 16 products in two groups of eight, added to `dst`. */
uint32_t num_fpu_dot(const uint32_t a[16], const uint32_t b[16], uint32_t dst, const struct num_fpu_mode *mode);
/* One element of ELWMUL; of ELWADD (subtract: ELWSUB). `dst` is 0 without accumulation. */
uint32_t num_fpu_mul(uint32_t a, uint32_t b, uint32_t dst, const struct num_fpu_mode *mode);
uint32_t num_fpu_add(uint32_t a, uint32_t b, bool subtract, uint32_t dst, const struct num_fpu_mode *mode);

/* The integer forms: sign-magnitude in and out, saturating at +-(2^31 - 1). */
int32_t num_fpu_int8(uint32_t datum, uint32_t magnitude_mask, bool keep);
uint32_t num_fpu_add_int32(int64_t sum, uint32_t dst);
uint32_t num_fpu_int8_mask_a(uint32_t phase);
uint32_t num_fpu_int8_mask_b(uint32_t phase);

#endif
