/* Floating point of the baby cores: F and Zfh without divide and square root, on bit patterns. ISA: InstructionSet.md.
 *
 * Sums and products are those of the vector unit's multiply-add (num/fma.h): rounded to nearest even regardless of the rounding
 * mode, denormals count as zero. Half precision is computed in single precision and then rounded: exact enough for one addition or
 * multiplication to be rounded once; for the multiply-adds of half precision the page gives no definition (inferred). With cfg0's
 * EnBFloat the .h instructions work on BF16, rounded toward zero or (EnBFloatRTNE) to nearest even.
 *
 * Conversions, comparisons, minimum and maximum, classes and sign injection follow the RISC-V specification (inferred: denormals
 * are ordinary numbers in them), except that conversions to integers round to nearest even. fcsr flags are never set. */
#include "tensix/riscv/float.h"

#include "tensix/num/fma.h"
#include "tensix/riscv/decode.h"

#define SIGN32 0x80000000u
#define INF32 0x7f800000u
#define NAN32 0x7fc00000u
#define ONE32 0x3f800000u
#define BOX 0xffff0000u
#define NAN16 0x7e00u
#define NAN_BF16 0x7fc0u

/* --- half precision and BF16 in single precision --- */

static uint32_t unbox(uint32_t r, bool bf16) { return (r & BOX) == BOX ? r & 0xffffu : bf16 ? NAN_BF16 : NAN16; }

/* FP16 to FP32, exactly; denormals too. */
static uint32_t widen_half(uint32_t h) {
  uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, mantissa = h & 0x3ffu;
  if (exponent == 31) return mantissa ? NAN32 : sign | INF32;
  if (exponent) return sign | (exponent + 112) << 23 | mantissa << 13;
  if (!mantissa) return sign;
  unsigned shift = (unsigned)__builtin_clz(mantissa) - 21;
  return sign | (113 - shift) << 23 | (mantissa << shift & 0x3ffu) << 13;
}

/* FP32 to FP16, nearest even. `flush`: a denormal result becomes zero. */
static uint32_t narrow_half(uint32_t f, bool flush) {
  uint32_t sign = f >> 16 & 0x8000u, magnitude = f & ~SIGN32;
  if (magnitude > INF32) return NAN16;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u; /* 65520 and up */
  int exponent = (int)(magnitude >> 23) - 112;
  if (exponent > 0) {
    uint32_t h = ((uint32_t)exponent << 10) | (magnitude >> 13 & 0x3ffu), lost = magnitude & 0x1fffu;
    return sign | (h + (lost + (h & 1u) > 0x1000u));
  }
  if (exponent < -10) return sign;
  uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u, shift = (uint32_t)(14 - exponent);
  uint32_t h = significand >> shift, lost = significand & ((1u << shift) - 1u), half = 1u << (shift - 1);
  h += lost > half || (lost == half && (h & 1u));
  return flush && h < 0x400u ? sign : sign | h;
}

static uint32_t narrow_bf16(uint32_t f, bool nearest) {
  if ((f & ~SIGN32) > INF32) return NAN_BF16;
  if (!nearest || (f & ~SIGN32) == INF32) return f >> 16;
  uint32_t lost = f & 0xffffu, kept = f >> 16;
  return kept + (lost + (kept & 1u) > 0x8000u);
}

static uint32_t widen(uint32_t r, uint32_t cfg0) {
  bool bf16 = cfg0 & TX_CFG0_BF16;
  uint32_t h = unbox(r, bf16);
  return bf16 ? h << 16 : widen_half(h);
}

static uint32_t narrow(uint32_t f, uint32_t cfg0, bool flush) {
  if (!(cfg0 & TX_CFG0_BF16)) return BOX | narrow_half(f, flush);
  return BOX | narrow_bf16(f, cfg0 & TX_CFG0_BF16_NEAREST);
}

/* A denormal FP16 operand of an arithmetic instruction counts as zero of its sign. */
static uint32_t operand_half(uint32_t r, uint32_t cfg0) {
  uint32_t h = unbox(r, cfg0 & TX_CFG0_BF16);
  if (!(cfg0 & TX_CFG0_BF16) && !(h & 0x7c00u)) h &= 0x8000u;
  return cfg0 & TX_CFG0_BF16 ? h << 16 : widen_half(h);
}

/* --- order --- */

static bool is_nan(uint32_t f) { return (f & ~SIGN32) > INF32; }

/* Maps a float to an integer of the same order; both zeros map to 0. */
static int64_t rank(uint32_t f) { return f & SIGN32 ? -(int64_t)(f & ~SIGN32) : (int64_t)f; }

static uint32_t compare(unsigned op, uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return 0;
  if (op == TX_RV_FEQ_S) return rank(a) == rank(b);
  return op == TX_RV_FLT_S ? rank(a) < rank(b) : rank(a) <= rank(b);
}

static uint32_t extreme(bool maximum, uint32_t a, uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? NAN32 : b;
  if (is_nan(b)) return a;
  bool a_less = rank(a) != rank(b) ? rank(a) < rank(b) : (a & SIGN32) > (b & SIGN32); /* -0 below +0 */
  return a_less == maximum ? b : a;
}

static uint32_t classify(uint32_t sign, uint32_t exponent, uint32_t mantissa, uint32_t exponent_max, uint32_t quiet) {
  if (exponent == exponent_max && mantissa) return mantissa & quiet ? 1u << 9 : 1u << 8;
  if (exponent == exponent_max) return sign ? 1u << 0 : 1u << 7;
  if (exponent) return sign ? 1u << 1 : 1u << 6;
  if (mantissa) return sign ? 1u << 2 : 1u << 5;
  return sign ? 1u << 3 : 1u << 4;
}

static uint32_t classify_half(uint32_t h, bool bf16) {
  if (bf16) return classify(h >> 15, h >> 7 & 255u, h & 127u, 255, 64);
  return classify(h >> 15, h >> 10 & 31u, h & 0x3ffu, 31, 0x200);
}

/* --- integers --- */

/* The magnitude rounded to nearest even, capped well above 2^32. */
static uint64_t to_magnitude(uint32_t f) {
  int exponent = (int)(f >> 23 & 255u) - 150; /* of the last significand bit */
  uint64_t significand = (f >> 23 & 255u) ? (f & 0x7fffffu) | 0x800000u : f & 0x7fffffu;
  if (exponent >= 0) return exponent > 16 ? UINT64_C(1) << 40 : significand << exponent;
  if (exponent < -25) return 0;
  uint64_t kept = significand >> -exponent, lost = significand & ((UINT64_C(1) << -exponent) - 1);
  uint64_t half = UINT64_C(1) << (-exponent - 1);
  return kept + (lost > half || (lost == half && (kept & 1u)));
}

static uint32_t to_signed(uint32_t f) {
  uint64_t magnitude = to_magnitude(f);
  if (is_nan(f)) return INT32_MAX;
  if (f & SIGN32) return magnitude > UINT64_C(0x80000000) ? SIGN32 : 0u - (uint32_t)magnitude;
  return magnitude > INT32_MAX ? INT32_MAX : (uint32_t)magnitude;
}

static uint32_t to_unsigned(uint32_t f) {
  uint64_t magnitude = to_magnitude(f);
  if (is_nan(f)) return UINT32_MAX;
  if (f & SIGN32) return 0;
  return magnitude > UINT32_MAX ? UINT32_MAX : (uint32_t)magnitude;
}

static uint32_t from_unsigned(uint32_t u, uint32_t sign) {
  if (!u) return sign;
  unsigned zeros = (unsigned)__builtin_clz(u);
  uint32_t bits = u << zeros, kept = bits >> 8, lost = bits & 0xffu;
  return sign | (((158 - zeros) << 23) + (kept & 0x7fffffu) + (lost + (kept & 1u) > 0x80u));
}

static uint32_t from_signed(uint32_t u) { return u & SIGN32 ? from_unsigned(0u - u, SIGN32) : from_unsigned(u, 0); }

/* --- the instructions --- */

static uint32_t inject(unsigned kind, uint32_t a, uint32_t b, uint32_t sign) {
  uint32_t s = kind == 0 ? b : kind == 1 ? ~b : a ^ b;
  return (a & ~sign) | (s & sign);
}

/* One of a*b+c, a+b, a-b, a*b with the signs of the multiply-add family, in single precision. */
static uint32_t arithmetic(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  switch (op) {
    case TX_RV_FADD_S: return num_fma32(a, ONE32, b);
    case TX_RV_FSUB_S: return num_fma32(a, ONE32, is_nan(b) ? b : b ^ SIGN32);
    case TX_RV_FMUL_S: return num_fma32(a, b, SIGN32); /* minus zero: keeps the product's sign */
    case TX_RV_FMADD_S: return num_fma32(a, b, c);
    case TX_RV_FMSUB_S: return num_fma32(a, b, c ^ SIGN32);
    case TX_RV_FNMSUB_S: return num_fma32(a ^ SIGN32, b, c);
    default: return num_fma32(a ^ SIGN32, b, c ^ SIGN32);
  }
}

static uint32_t single(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  switch (op) {
    case TX_RV_FSGNJ_S:
    case TX_RV_FSGNJN_S:
    case TX_RV_FSGNJX_S: return inject(op - TX_RV_FSGNJ_S, a, b, SIGN32);
    case TX_RV_FMIN_S:
    case TX_RV_FMAX_S: return extreme(op == TX_RV_FMAX_S, a, b);
    case TX_RV_FLE_S:
    case TX_RV_FLT_S:
    case TX_RV_FEQ_S: return compare(op, a, b);
    case TX_RV_FCVT_W_S: return to_signed(a);
    case TX_RV_FCVT_WU_S: return to_unsigned(a);
    case TX_RV_FCVT_S_W: return from_signed(a);
    case TX_RV_FCVT_S_WU: return from_unsigned(a, 0);
    case TX_RV_FMV_X_W:
    case TX_RV_FMV_W_X: return a;
    case TX_RV_FCLASS_S: return classify(a >> 31, a >> 23 & 255u, a & 0x7fffffu, 255, 0x400000);
    default: return arithmetic(op, a, b, c);
  }
}

static uint32_t half(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t cfg0) {
  bool bf16 = cfg0 & TX_CFG0_BF16;
  switch (op) {
    case TX_RV_FSGNJ_H:
    case TX_RV_FSGNJN_H:
    case TX_RV_FSGNJX_H: return BOX | inject(op - TX_RV_FSGNJ_H, unbox(a, bf16), unbox(b, bf16), 0x8000u);
    case TX_RV_FMIN_H:
    case TX_RV_FMAX_H: return narrow(extreme(op == TX_RV_FMAX_H, widen(a, cfg0), widen(b, cfg0)), cfg0, false);
    case TX_RV_FLE_H: return compare(TX_RV_FLE_S, widen(a, cfg0), widen(b, cfg0));
    case TX_RV_FLT_H: return compare(TX_RV_FLT_S, widen(a, cfg0), widen(b, cfg0));
    case TX_RV_FEQ_H: return compare(TX_RV_FEQ_S, widen(a, cfg0), widen(b, cfg0));
    case TX_RV_FCVT_W_H: return to_signed(widen(a, cfg0));
    case TX_RV_FCVT_WU_H: return to_unsigned(widen(a, cfg0));
    case TX_RV_FCVT_H_W: return narrow(from_signed(a), cfg0, false);
    case TX_RV_FCVT_H_WU: return narrow(from_unsigned(a, 0), cfg0, false);
    case TX_RV_FCVT_S_H: return widen(a, cfg0);
    case TX_RV_FCVT_H_S: return narrow(a, cfg0, false);
    case TX_RV_FMV_X_H: return (uint32_t)(int16_t)a;
    case TX_RV_FMV_H_X: return BOX | (a & 0xffffu);
    case TX_RV_FCLASS_H: return classify_half(unbox(a, bf16), bf16);
    default: break;
  }
  unsigned same = op - 1; /* riscv.def: each .h row of the arithmetic follows its .s row */
  return narrow(arithmetic(same, operand_half(a, cfg0), operand_half(b, cfg0), operand_half(c, cfg0)), cfg0, true);
}

static bool is_half(unsigned op) {
  switch (op) {
    case TX_RV_FADD_H:
    case TX_RV_FSUB_H:
    case TX_RV_FMUL_H:
    case TX_RV_FMADD_H:
    case TX_RV_FMSUB_H:
    case TX_RV_FNMSUB_H:
    case TX_RV_FNMADD_H:
    case TX_RV_FSGNJ_H:
    case TX_RV_FSGNJN_H:
    case TX_RV_FSGNJX_H:
    case TX_RV_FMIN_H:
    case TX_RV_FMAX_H:
    case TX_RV_FLE_H:
    case TX_RV_FLT_H:
    case TX_RV_FEQ_H:
    case TX_RV_FCVT_W_H:
    case TX_RV_FCVT_WU_H:
    case TX_RV_FCVT_H_W:
    case TX_RV_FCVT_H_WU:
    case TX_RV_FCVT_S_H:
    case TX_RV_FCVT_H_S:
    case TX_RV_FMV_X_H:
    case TX_RV_FMV_H_X:
    case TX_RV_FCLASS_H: return true;
    default: return false;
  }
}

uint32_t tx_float(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t cfg0) {
  return is_half(op) ? half(op, a, b, c, cfg0) : single(op, a, b, c);
}
