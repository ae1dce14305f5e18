/* The packer's two conversions: Dst to an intermediate format (early), intermediate to the format in L1 (late).
 *
 *     Dst row                 intermediate (union num_pack_row)                     L1
 *   16 x 16 bits  ─early─►  h[16]  BF16, E8M6 or FP16, E5M7, E5M6, FP8, INT16, INT8  ─late─►  16 x 2..32 bits, and for
 *   16 x 32 bits            w[16]  FP32, TF32, INT32                                          block formats an exponent
 *
 * A request comes from configuration (struct num_pack_request). num_pack_make either turns it into a conversion (struct num_pack)
 * or reports that no document and no golden value defines it. E5M7, E5M6 and FP8 lie in FP16's bits with the
 * low mantissa bits zero, E8M6 in BF16's, TF32 in FP32's.
 *
 * ISA: Packers/FormatConversion.md, Packers/ReLU.md; golden model for the bits that the page does not define. Accumulation in L1 is in
 * format_pack_acc.h. */
#ifndef TESSERA_NUM_FORMAT_PACK_H
#define TESSERA_NUM_FORMAT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/num/format.h"

#define NUM_PACK_ROW 16u
#define NUM_PACK_ROW_BYTES 64u /* largest size of a row of sixteen datums */

struct num_pack_request {
  uint8_t wide;         /* PCK_DEST_RD_CTRL_Read_32b_data */
  uint8_t raw;          /* PCK_DEST_RD_CTRL_Read_int8 */
  uint8_t is_unsigned;  /* PCK_DEST_RD_CTRL_Read_unsigned */
  uint8_t round10;      /* PCK_DEST_RD_CTRL_Round_10b_mant */
  uint8_t intermediate; /* ALU_FORMAT_SPEC_REG2_Dstacc, or its override */
  uint8_t from, to;     /* In_data_format, Out_data_format */
  uint8_t e4m3;         /* Pac_LF8_4b_exp: FP8 has a four-bit exponent */
  uint8_t shift;        /* INT_DESCALE: right shift of INT32 before it becomes INT8 */
};

/* The content of an intermediate row. */
enum num_pack_kind { NUM_PACK_W, NUM_PACK_B, NUM_PACK_H, NUM_PACK_I32, NUM_PACK_I16, NUM_PACK_I8 };

struct num_pack {
  uint8_t early;     /* private to format_pack_body.h */
  uint8_t kind;      /* enum num_pack_kind, after the early conversion and ReLU */
  uint8_t relu_kind; /* enum num_pack_kind at the input of ReLU */
  uint8_t narrow_m;  /* H holds FP16 itself, whose mantissa is wider than BF16's */
  uint8_t to;        /* format code in L1 */
  uint8_t e4m3;
  uint8_t bits;  /* of a datum in L1 */
  uint8_t block; /* 1: computed by num_pack_block */
  uint8_t is_unsigned;
  uint8_t shift;
  uint8_t rounds_twice; /* the early conversion narrows by rounding and the late one rounds again */
  uint8_t pad;
};

union num_pack_row {
  uint16_t h[NUM_PACK_ROW];
  uint32_t w[NUM_PACK_ROW];
};

bool num_pack_make(const struct num_pack_request *request, struct num_pack *how);

/* high: sixteen 16-bit datums of Dst, or the high halves of 32-bit ones, whose low halves are in low. */
void num_pack_early(const struct num_pack *how, const uint16_t *high, const uint16_t *low, union num_pack_row *row);
/* Modes 1..3. false: not defined for this format. The threshold is positive. Ends the early part: run it with mode 0
 * too. */
bool num_pack_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row);
/* Minus infinity as an intermediate datum. false: an integer has none. */
bool num_pack_minus_infinity(const struct num_pack *how, uint32_t *datum);
uint32_t num_pack_get(const struct num_pack *how, const union num_pack_row *row, unsigned i);
void num_pack_put(const struct num_pack *how, union num_pack_row *row, unsigned i, uint32_t datum);
/* The exponents of a row for the exponent histogram and threshold. */
void num_pack_exponents(const struct num_pack *how, const union num_pack_row *row, uint8_t exponents[NUM_PACK_ROW]);
unsigned num_pack_largest_exponent(const struct num_pack *how, const union num_pack_row *row);

/* The whole row; datum i is at bit i * bits. Block formats use `count` datums (the rest of the row is ignored), write
 * sixteen and return the shared exponent. */
void num_pack_late(const struct num_pack *how, const union num_pack_row *row, uint8_t bytes[NUM_PACK_ROW_BYTES]);
uint8_t num_pack_block(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                       uint8_t bytes[NUM_PACK_ROW_BYTES]);

/* The same with stochastic rounding, a random word for each datum (prng.h). Early: where num_pack_early_rounds; late: block formats
 * only. */
bool num_pack_early_rounds(const struct num_pack *how);
void num_pack_early_random(const struct num_pack *how, const uint16_t *high, const uint16_t *low, const uint32_t *random,
                           union num_pack_row *row);
uint8_t num_pack_block_random(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                              const uint32_t *random, uint8_t bytes[NUM_PACK_ROW_BYTES]);

/* Whole rows with only ReLU between the conversions: all steps at once, in the widest vectors of the host. */
struct num_pack_rows {
  const uint16_t *high, *low; /* contiguous rows; low: of a 32-bit Dst */
  unsigned count;
  unsigned relu_mode;
  uint32_t relu_threshold;
};
/* Writes 2 * how->bits bytes per row, and for block formats one exponent per row. Returns the largest exponent of the
 * intermediate datums. The two variants below compute the same on every machine and on one with AVX2. */
unsigned num_pack_rows(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes, uint8_t *exponents);
unsigned num_pack_rows_baseline(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes,
                                uint8_t *exponents);
unsigned num_pack_rows_avx2(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes,
                            uint8_t *exponents);

/* The most common case of num_pack_rows without ReLU: BF16 of a 16-bit Dst to BF16. */
bool num_pack_is_bf16(const struct num_pack *how);
/* At least one row. Raises *known to the largest exponent. */
void num_pack_bf16(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known);
void num_pack_bf16_baseline(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known);
void num_pack_bf16_avx2(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known);

#endif
