/* The packer's conversions with stochastic rounding: as in format_pack_body.h, with a random limit instead of half of the dropped
 * bits. Packers/FormatConversion.md lists the conversions that round. */
#include "tensix/num/format_pack_body.h"
#include "tensix/num/prng.h"

/* Rounds a magnitude to a multiple of 1 << dropped. */
static uint32_t round_random(uint32_t x, unsigned dropped, uint32_t random) {
  uint32_t step = UINT32_C(1) << dropped, discarded = x & (step - 1);
  return x - discarded + (discarded >= num_prng_limit(random, dropped) ? step : 0);
}

/* As round_fp32: NaN becomes infinity, infinity is kept, a denormal input becomes 0. */
static uint32_t fp32_random(uint32_t x, unsigned dropped, uint32_t random) {
  uint32_t magnitude = nan_to_infinity(x) & 0x7fffffffu;
  if (magnitude < 0x800000u) return 0;
  if (magnitude < 0x7f800000u) magnitude = round_random(magnitude, dropped, random);
  return (x & 0x80000000u) | magnitude;
}

static uint16_t e8m6_random(uint16_t x, uint32_t random) {
  uint32_t magnitude = x & 0x7fffu;
  if (magnitude == 0 || magnitude >= 0x7f80u) return x;
  return h((x & 0x8000u) | round_random(magnitude, 1, random));
}

/* As e5m6_round: a value that would round past the largest one becomes that. */
static uint16_t e5m6_random(uint16_t x, uint32_t random) {
  uint32_t magnitude = fp16_clean(x) & 0x7fffu;
  if (magnitude == 0) return 0;
  magnitude = round_random(magnitude, 4, random);
  return h((x & 0x8000u) | (magnitude > 0x7ff0u ? 0x7ff0u : magnitude));
}

static uint32_t int8_random(uint32_t x, const struct num_pack *how, uint32_t random) {
  uint32_t magnitude = x & 0x7fffffffu;
  if (how->shift) {
    uint32_t discarded = magnitude & ((UINT32_C(1) << how->shift) - 1);
    magnitude = (magnitude >> how->shift) + (discarded >= num_prng_limit(random, how->shift));
  }
  return int8_of_int32((x & 0x80000000u) | magnitude, 0, how->is_unsigned);
}

bool num_pack_early_rounds(const struct num_pack *how) {
  switch ((enum early)how->early) {
    case EARLY_E8M6:
    case EARLY_E5M6:
    case EARLY_TF32:
    case EARLY_TF32_FP16:
    case EARLY_BF16_ROUND:
    case EARLY_E8M6_ROUND:
    case EARLY_INT8: return true;
    default: return false;
  }
}

void num_pack_early_random(const struct num_pack *how, const uint16_t *high, const uint16_t *low, const uint32_t *random,
                           union num_pack_row *row) {
  uint32_t x[NUM_PACK_ROW];
  EACH(x[i] = num_fp32_from_dst((uint32_t)high[i] << 16 | low[i]));
  switch ((enum early)how->early) {
    case EARLY_E8M6: EACH(row->h[i] = e8m6_random(bf16_clean(bf16_of_dst(high[i])), random[i])); break;
    case EARLY_E5M6: EACH(row->h[i] = e5m6_random(fp16_of_dst(high[i]), random[i])); break;
    case EARLY_TF32:
    case EARLY_TF32_FP16: EACH(row->w[i] = fp32_random(x[i], 13, random[i])); break;
    case EARLY_BF16_ROUND: EACH(row->h[i] = (uint16_t)(fp32_random(x[i], 16, random[i]) >> 16)); break;
    case EARLY_E8M6_ROUND: EACH(row->h[i] = (uint16_t)(fp32_random(x[i], 17, random[i]) >> 16)); break;
    case EARLY_INT8: EACH(row->h[i] = (uint16_t)int8_random(x[i], how, random[i])); break;
    default: row_early(how, high, low, row); break;
  }
}

uint8_t num_pack_block_random(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                              const uint32_t *random, uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  uint16_t x[NUM_PACK_ROW], d[NUM_PACK_ROW];
  block_input(how, row, count, x);
  unsigned shared = largest_bf16_exponent(x), per_byte = 8u / how->bits;
  EACH(d[i] = block_datum(x[i], (int16_t)shared, how->bits, h(0x100u - num_prng_limit(random[i], 8))));
  memset(bytes, 0, 2u * how->bits);
  EACH(bytes[i / per_byte] = (uint8_t)(bytes[i / per_byte] | d[i] << how->bits * (i % per_byte)));
  return (uint8_t)shared;
}
