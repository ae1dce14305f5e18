/* The conversions of the packer that exist, and the selection of their loops (format_pack.h). */
#include "tensix/num/format_pack.h"

#include "tensix/num/format_pack_body.h"

/* --- which conversions exist --- */

/* Round_10b_mant with BF16 as intermediate gives TF32 when the late conversion narrows the exponent. [doc] for TF32 to
 * FP16; `inferred` for In_data_format FP16, which kernels use for FP8 e4m3 from a BF16 Dst. */
static bool rounds_to_ten(const struct num_pack_request *r) {
  if (!r->round10 || r->raw) return false;
  if (r->from == NUM_FP16) return r->to == NUM_FP16 || r->to == NUM_FP8;
  return r->to == NUM_FP16;
}

static enum early early_of_32bit(const struct num_pack_request *r) {
  switch (r->intermediate) {
    case NUM_INT32: return EARLY_COPY32;
    case NUM_FP32: return r->round10 && !r->raw ? EARLY_TF32 : EARLY_COPY32;
    case NUM_TF32: return r->raw ? EARLY_COPY32 : EARLY_TF32;
    case NUM_BF16:
      if (rounds_to_ten(r)) return r->from == NUM_FP16 ? EARLY_TF32_FP16 : EARLY_TF32;
      return r->raw ? EARLY_BF16_TRUNC : EARLY_BF16_ROUND;
    case NUM_BFP8: return r->raw ? EARLY_BF16_TRUNC : EARLY_E8M6_ROUND;
    case NUM_INT8: return r->raw ? EARLY_INT8_RAW : EARLY_INT8;
    case NUM_FP16: return r->round10 ? EARLY_TF32_FP16 : EARLY_NONE; /* [golden], raw or not; contradicts the page */
    case NUM_INT16: return EARLY_HIGH16;                             /* [golden]; contradicts the page */
    default: return EARLY_NONE;
  }
}

static enum early early_of_16bit(const struct num_pack_request *r) {
  switch (r->intermediate) {
    case NUM_FP32: return r->round10 && !r->raw ? EARLY_BF16_TF32 : EARLY_NONE;
    case NUM_TF32: return r->raw ? EARLY_NONE : EARLY_BF16_TF32;
    case NUM_BF16:
      if (rounds_to_ten(r)) return r->from == NUM_FP16 ? EARLY_BF16_FP16 : EARLY_BF16_TF32;
      return r->raw ? EARLY_BF16_RAW : EARLY_BF16;
    case NUM_BFP8: return r->raw ? EARLY_BF16_RAW : EARLY_E8M6;
    case NUM_FP16:
      if (r->round10) return r->to != NUM_FP8 && r->to != NUM_FP16 ? EARLY_NONE : EARLY_BF16_FP16; /* [golden], raw or not */
      return r->raw ? EARLY_FP16_RAW : EARLY_FP16;
    case NUM_BFP8A: return r->raw ? EARLY_E5M7 : EARLY_E5M6;
    case NUM_FP8: return r->raw ? EARLY_FP8 : EARLY_NONE;
    case NUM_INT16: return EARLY_INT16;
    case NUM_INT8: return r->raw && !r->is_unsigned ? EARLY_SIGN8 : EARLY_NONE;
    default: return EARLY_NONE;
  }
}

/* In_data_format has to name the output of the early conversion. [doc] "Configuring the conversions": 32 bits may pass as
 * INT32 or TF32 and be read as FP32, FP32 rounded to ten bits is TF32, BFP8 read raw is BF16. Any other difference is
 * undefined. */
static bool late_takes(const struct num_pack_request *r, enum early early) {
  if (r->from == r->intermediate) return true;
  switch (early) {
    case EARLY_COPY32: return r->from == NUM_FP32;
    case EARLY_TF32:
    case EARLY_BF16_TF32: return r->from == NUM_TF32;
    case EARLY_BF16_RAW:
    case EARLY_BF16_TRUNC: return r->from == NUM_BF16 && r->intermediate == NUM_BFP8;
    case EARLY_TF32_FP16:
    case EARLY_BF16_FP16: return r->from == NUM_FP16;
    default: return false;
  }
}

static enum num_pack_kind kind_of(enum early early, unsigned from) {
  switch (early) {
    case EARLY_BF16:
    case EARLY_E8M6:
    case EARLY_BF16_RAW:
    case EARLY_BF16_ROUND:
    case EARLY_BF16_TRUNC:
    case EARLY_E8M6_ROUND: return NUM_PACK_B;
    case EARLY_COPY32: return from == NUM_INT32 ? NUM_PACK_I32 : NUM_PACK_W;
    case EARLY_TF32:
    case EARLY_BF16_TF32: return NUM_PACK_W;
    case EARLY_INT16:
    case EARLY_HIGH16: return NUM_PACK_I16;
    case EARLY_SIGN8:
    case EARLY_INT8:
    case EARLY_INT8_RAW: return NUM_PACK_I8;
    default: return NUM_PACK_H;
  }
}

static bool late_exists(enum num_pack_kind kind, bool tf32, unsigned to) {
  if (num_format_bits(to) == 0) return false;
  switch (kind) {
    case NUM_PACK_I32: return to == NUM_INT32;
    case NUM_PACK_I16: return to == NUM_INT16;
    case NUM_PACK_I8: return to == NUM_INT8;
    case NUM_PACK_W: return !num_format_infos[to].integer && (to != NUM_TF32 || tf32);
    default: return !num_format_infos[to].integer;
  }
}

static bool early_narrows(enum early early) {
  return early == EARLY_TF32 || early == EARLY_TF32_FP16 || early == EARLY_BF16_ROUND;
}

bool num_pack_make(const struct num_pack_request *r, struct num_pack *how) {
  enum early early = r->wide ? early_of_32bit(r) : early_of_16bit(r);
  memset(how, 0, sizeof *how);
  if (early == EARLY_NONE || !late_takes(r, early)) return false;
  enum num_pack_kind kind = kind_of(early, r->from);
  if (!late_exists(kind, early != EARLY_COPY32, r->to)) return false;
  how->early = (uint8_t)early;
  how->kind = (uint8_t)kind;
  how->relu_kind = (uint8_t)(early == EARLY_TF32_FP16 ? NUM_PACK_W : kind);
  how->narrow_m = early != EARLY_E5M7 && early != EARLY_FP8;
  how->to = r->to;
  how->e4m3 = r->e4m3;
  how->bits = (uint8_t)num_format_bits(r->to);
  how->block = num_format_is_block(r->to);
  how->is_unsigned = r->is_unsigned;
  how->shift = r->shift & 31u;
  how->rounds_twice = early_narrows(early) && how->block;
  return true;
}

/* --- single datums and exponents --- */

static bool is_wide(const struct num_pack *how) { return how->kind == NUM_PACK_W || how->kind == NUM_PACK_I32; }

bool num_pack_minus_infinity(const struct num_pack *how, uint32_t *datum) {
  switch (how->relu_kind) { /* masking comes before ReLU */
    case NUM_PACK_W: *datum = 0xff800000u; return true;
    case NUM_PACK_B: *datum = 0xff80u; return true;
    case NUM_PACK_H: *datum = 0xffffu; return true; /* FloatBitPatterns.md: FP16 has no other infinity */
    default: *datum = 0; return false;
  }
}

uint32_t num_pack_get(const struct num_pack *how, const union num_pack_row *row, unsigned i) {
  return is_wide(how) ? row->w[i] : row->h[i];
}

void num_pack_put(const struct num_pack *how, union num_pack_row *row, unsigned i, uint32_t datum) {
  if (is_wide(how)) row->w[i] = datum;
  else row->h[i] = (uint16_t)datum;
}

/* --- rows --- */

void num_pack_early(const struct num_pack *how, const uint16_t *high, const uint16_t *low, union num_pack_row *row) {
  row_early(how, high, low, row);
}

bool num_pack_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row) {
  return row_relu(how, mode, threshold, row);
}

void num_pack_exponents(const struct num_pack *how, const union num_pack_row *row, uint8_t exponents[NUM_PACK_ROW]) {
  row_exponents(how, row, exponents);
}

unsigned num_pack_largest_exponent(const struct num_pack *how, const union num_pack_row *row) {
  return row_largest_exponent(how, row);
}

void num_pack_late(const struct num_pack *how, const union num_pack_row *row, uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  row_late(how, row, bytes);
}

uint8_t num_pack_block(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                       uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  return row_block(how, row, count, bytes);
}

/* Out of line, as the next: they use more registers than the choice between them and vector code. */
__attribute__((noinline)) unsigned num_pack_rows_baseline(const struct num_pack *how, const struct num_pack_rows *rows,
                                                          uint8_t *bytes, uint8_t *exponents) {
  return pack_rows(how, rows, bytes, exponents);
}

bool num_pack_is_bf16(const struct num_pack *how) { return how->early == EARLY_BF16 && how->to == NUM_BF16; }

__attribute__((noinline)) void num_pack_bf16_baseline(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known) {
  rows_bf16(high, rows, bytes, known);
}

void num_pack_bf16(const uint16_t *high, unsigned rows, uint8_t *bytes, uint32_t *known) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    num_pack_bf16_avx2(high, rows, bytes, known);
    return;
  }
#endif
  num_pack_bf16_baseline(high, rows, bytes, known);
}

unsigned num_pack_rows(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes, uint8_t *exponents) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return num_pack_rows_avx2(how, rows, bytes, exponents);
#endif
  return num_pack_rows_baseline(how, rows, bytes, exponents);
}
