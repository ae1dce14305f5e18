/* Bodies of the vector unit's functions: 32 numbers in L0 (L1, L2 for more operands), the result in L0. sfpu_functions.def names them.
 *
 * The comment of each core function lists the registers it changes. L12, L13, L14 hold the function's parameters, L11 is -1; L7 is free for the rounding
 * of the result to a 16-bit Dst, and for a body before that. Polynomials are minimax fits of the function named beside them.
 *
 * ISA: SFPMAD.md, SFPLOADI.md, SFPSHFT.md, SFPIADD.md, SFPSWAP.md, SFPARECIP.md, SFPSETCC.md, SFPGT.md, SFPLE.md. A result of SFPMAD that
 * SFPIADD or SFPSHFT takes as VD, or SFPSWAP takes at all, is not interlocked: an SFPNOP is between them. Comparisons are in
 * sign-magnitude order, so NaN counts as larger than infinity, or below -infinity with the sign -. What SFPMAD makes of NaN has the sign +. */
#ifndef TENSIX_SFPU_MATH_H
#define TENSIX_SFPU_MATH_H

#include "math_ops.h"
#include "pack.h"

/* The threads that use the vector unit: math, and pack in the functions NAME_pack. SFPU_WITHOUT_FUNCTIONS leaves out the rows of
 * sfpu_functions.def, which are most of the text that the compiler reads: a call of one is an error, and `tessera kernel build` then compiles
 * with them. */
#ifdef SFPU_WITHOUT_FUNCTIONS
#ifdef __cplusplus
extern "C"
#endif
    void
    sfpu_left_out(void) __attribute__((error("the vector functions are left out")));
#else
#define SFPU_WITH_FUNCTIONS
#endif
#if defined(TRISC_MATH) || (defined(TRISC_PACK) && defined(SFPU_WITH_FUNCTIONS))
#define SFPU_CORE

#define SFPU_ZERO 9
#define SFPU_ONE 10
#define SFPU_MINUS_ONE 11
#define SFPU_P0 12
#define SFPU_P1 13
#define SFPU_P2 14

/* A 32-bit constant into a register; one that BFLOAT16 holds. */
#define SFPU_CONSTANT(reg, bits) \
  do { \
    TTI_SFPLOADI(reg, 10, (bits)&0xffffu); /* low half */ \
    TTI_SFPLOADI(reg, 8, (bits) >> 16);    /* high half */ \
  } while (0)
#define SFPU_SHORT(reg, bf16) TTI_SFPLOADI(reg, 0, bf16)
#define SFPU_INTEGER(reg, u16) TTI_SFPLOADI(reg, 2, u16)
#define SFPU_MAD(d, a, b, c) TTI_SFPMAD(a, b, c, d, 0)
#define SFPU_NMAD(d, a, b, c) TTI_SFPMAD(a, b, c, d, 1) /* c - a b */
#define SFPU_MUL(d, a, b) TTI_SFPMUL(a, b, SFPU_ZERO, d, 0)
#define SFPU_ADD(d, b, c) TTI_SFPADD(SFPU_ONE, b, c, d, 0)
#define SFPU_SUB(d, b, c) TTI_SFPADD(SFPU_ONE, b, c, d, 2)
#define SFPU_MOVE(d, c) TTI_SFPMOV(0, c, d, 0)
#define SFPU_NEGATE(d, c) TTI_SFPMOV(0, c, d, 1)
#define SFPU_ABS(d, c) TTI_SFPABS(0, c, d, 1)
#define SFPU_MAGNITUDE(d, c) TTI_SFPSETSGN(0, c, d, 1) /* of NaN, too */
#define SFPU_TAKE_SIGN(d, c) TTI_SFPSETSGN(0, c, d, 0) /* d = c with the sign of d */
#define SFPU_IADD(d, c) TTI_SFPIADD(0, c, d, 4)        /* d = c + d, flags untouched */
#define SFPU_ISUB(d, c) TTI_SFPIADD(0, c, d, 6)        /* d = c - d */
#define SFPU_IADD_SHORT(d, c, imm) TTI_SFPIADD((uint32_t)(imm)&0xfffu, c, d, 5)
#define SFPU_SHIFT(d, c, by) TTI_SFPSHFT((uint32_t)(by)&0xfffu, c, d, 5)            /* left, or right with zeros */
#define SFPU_SHIFT_ARITHMETIC(d, c, by) TTI_SFPSHFT((uint32_t)(by)&0xfffu, c, d, 7) /* right with the sign */
#define SFPU_AND(d, c) TTI_SFPAND(0, c, d, 0)
#define SFPU_OR(d, c) TTI_SFPOR(0, c, d, 0)
#define SFPU_XOR(d, c) TTI_SFPXOR(0, c, d, 0)
#define SFPU_EXPONENT(d, c) TTI_SFPEXEXP(0, c, d, 1) /* the field, as an integer */
/* low = the smaller, high = the larger; d = the smaller or larger of both, c stays if it is a constant. Two cycles. */
#define SFPU_SORT(low, high) \
  do { \
    TTI_SFPNOP; \
    TTI_SFPSWAP(0, high, low, 1); \
    TTI_SFPNOP; \
  } while (0)
#define SFPU_MIN(d, c) SFPU_SORT(d, c)
#define SFPU_MAX(d, c) \
  do { \
    TTI_SFPNOP; \
    TTI_SFPSWAP(0, c, d, 9); \
    TTI_SFPNOP; \
  } while (0)
/* Lanes in which the condition holds write, until SFPU_ENDIF; conditions nest. */
#define SFPU_IF_NEGATIVE(c) TTI_SFPSETCC(0, c, 0, 0)
#define SFPU_IF_NOT_NEGATIVE(c) TTI_SFPSETCC(0, c, 0, 4)
#define SFPU_IF_ZERO(c) TTI_SFPSETCC(0, c, 0, 6)
#define SFPU_IF_NOT_ZERO(c) TTI_SFPSETCC(0, c, 0, 2)
#define SFPU_IF_GREATER(d, c) TTI_SFPGT(0, c, d, 1) /* d > c */
#define SFPU_IF_LESS_EQUAL(d, c) TTI_SFPLE(0, c, d, 1)
#define SFPU_IS_GREATER(d, c) TTI_SFPGT(0, c, d, 8) /* d = all ones where d > c, else 0 */
#define SFPU_ENDIF TTI_SFPENCC(3, 0, 0, 10)
/* One step of Horner's scheme: acc = acc x + coefficient. */
#define SFPU_STEP(acc, x, tmp, bits) \
  do { \
    SFPU_CONSTANT(tmp, bits); \
    SFPU_MAD(acc, acc, x, tmp); \
  } while (0)

/* --- cores --- */

/* L1 = (e^r - 1 - r) / r^2 on -0.36..0.7, r in `r`; changes tmp */
#define SFPU_EXP_POLYNOMIAL(r, tmp) \
  do { \
    SFPU_CONSTANT(1, 0x3972c83du); \
    SFPU_STEP(1, r, tmp, 0x3ab594ddu); \
    SFPU_STEP(1, r, tmp, 0x3c086b39u); \
    SFPU_STEP(1, r, tmp, 0x3d2aabf7u); \
    SFPU_STEP(1, r, tmp, 0x3e2aaac5u); \
    SFPU_STEP(1, r, tmp, 0x3efffffeu); \
  } while (0)

/* L0 = e^r 2^n: r in L0, n + 127 in the low bits of L2. Changes L1 to L3. 2^n is 0 from n = -127 on, infinity at 128. */
TT_INLINE void sfpu_exp_finish(void) {
  SFPU_EXP_POLYNOMIAL(0, 3);
  SFPU_MAD(1, 1, 0, SFPU_ONE);
  TTI_SFPSETEXP(0, SFPU_ONE, 2, 0);
  SFPU_MAD(1, 1, 0, SFPU_ONE);
  SFPU_MUL(0, 1, 2);
}

/* L2 = n + 127 in its low bits and L3 = n, the integer below L2; clamps nothing. */
TT_INLINE void sfpu_integer_below(void) {
  SFPU_CONSTANT(3, 0x4b40007fu); /* 1.5 2^23 + 127 */
  SFPU_ADD(2, 2, 3);
  SFPU_SUB(3, 2, 3);
}

/* L0 = e^L0; changes L1 to L3 */
TT_INLINE void sfpu_exp(void) {
  SFPU_ADD(0, 0, SFPU_ZERO); /* a NaN gets the sign + and is no longer below the limit */
  SFPU_SHORT(1, 0xc2af);     /* -87.5 */
  SFPU_MAX(0, 1);
  SFPU_CONSTANT(1, 0x3fb8aa3bu); /* log2 e */
  SFPU_CONSTANT(2, 0xbefffd61u); /* -0.49998: the nearest integer becomes the one below, without ties */
  SFPU_MAD(2, 0, 1, 2);
  SFPU_SHORT(1, 0x4300); /* 128: the power of two is infinite; the argument itself keeps NaN */
  SFPU_MIN(2, 1);
  sfpu_integer_below();
  SFPU_CONSTANT(1, 0xbf318000u); /* -ln2, upper part */
  SFPU_MAD(0, 3, 1, 0);
  SFPU_CONSTANT(1, 0x395e8083u); /* -ln2, rest */
  SFPU_MAD(0, 3, 1, 0);
  sfpu_exp_finish();
}

/* L0 = 2^L0; changes L1 to L3 */
TT_INLINE void sfpu_exp2(void) {
  SFPU_ADD(0, 0, SFPU_ZERO);
  SFPU_SHORT(1, 0xc2fd); /* -126.5 */
  SFPU_MAX(0, 1);
  SFPU_CONSTANT(2, 0xbefffd61u);
  SFPU_ADD(2, 0, 2);
  SFPU_SHORT(1, 0x4300); /* 128 */
  SFPU_MIN(2, 1);
  sfpu_integer_below();
  SFPU_SUB(0, 0, 3);
  SFPU_CONSTANT(1, 0x3f317218u); /* ln2 */
  SFPU_MUL(0, 0, 1);
  sfpu_exp_finish();
}

/* L1 = 1 / L0; L0 stays, changes L2. Where x y - 2 is not negative (0, infinity, NaN) the unit's own value is kept, which for NaN is 0. */
TT_INLINE void sfpu_recip_of_l0(void) {
  TTI_SFPARECIP(0, 0, 1, 0);
  SFPU_SHORT(2, 0xc000); /* -2 */
  SFPU_MAD(2, 0, 1, 2);
  SFPU_IF_NEGATIVE(2);
  SFPU_NMAD(1, 1, 2, SFPU_ZERO); /* y (2 - x y): no correction gets lost below the normal numbers */
  SFPU_SHORT(2, 0xc000);
  SFPU_MAD(2, 0, 1, 2);
  SFPU_NMAD(1, 1, 2, SFPU_ZERO);
  SFPU_NMAD(2, 0, 1, SFPU_ONE); /* the last bits by a correction */
  SFPU_MAD(1, 1, 2, 1);
  SFPU_ENDIF;
}
/* L0 = 1 / L0, of NaN 0; changes L1, L2 */
TT_INLINE void sfpu_recip_number(void) {
  sfpu_recip_of_l0();
  SFPU_MOVE(0, 1);
}
/* L0 = 1 / L0; changes L1, L2. Sets all bits of what NaN gives: shifted left by one, only NaN is below -2^127. */
TT_INLINE void sfpu_recip(void) {
  sfpu_recip_of_l0();
  SFPU_SHIFT(2, 0, 1);
  SFPU_SHORT(0, 0xff00);
  SFPU_IS_GREATER(0, 2);
  SFPU_OR(0, 1);
}

/* L1 = 1 / sqrt(L0) for normal numbers; L0 stays, changes L2 to L4 */
TT_INLINE void sfpu_rsqrt_of_l0(void) {
  SFPU_SHIFT(2, 0, -1);
  SFPU_CONSTANT(1, 0x5f3759dfu); /* the shifted exponent as a first guess */
  SFPU_ISUB(2, 1);
  SFPU_MOVE(1, 2);
  SFPU_SHORT(3, 0xbf00); /* -1/2 */
  SFPU_SHORT(4, 0x3fc0); /* 3/2 */
  for (uint32_t i = 0; i < 2; i++) {
    SFPU_MUL(2, 1, 0); /* y y would leave the range, and x / 2 of the smallest normal number is 0 */
    SFPU_MUL(2, 2, 3);
    SFPU_MAD(2, 2, 1, 4);
    SFPU_MUL(1, 1, 2);
  }
  SFPU_MUL(2, 0, 1); /* the last steps add a correction: y + y/2 (1 - x y y) */
  SFPU_SHORT(4, 0x3f00);
  SFPU_NMAD(2, 2, 1, SFPU_ONE);
  SFPU_MUL(3, 1, 4);
  SFPU_MAD(1, 3, 2, 1);
  SFPU_MUL(2, 0, 1);
  SFPU_NMAD(2, 2, 1, SFPU_ONE);
  SFPU_MUL(3, 1, 4);
  SFPU_MAD(1, 3, 2, 1);
}

/* L0 = sqrt(L0) for 0 and normal numbers; changes L1 to L4 */
TT_INLINE void sfpu_sqrt_core(void) {
  sfpu_rsqrt_of_l0();
  SFPU_MUL(2, 0, 1);
  SFPU_NMAD(3, 2, 2, 0); /* x - s s */
  SFPU_SHORT(4, 0x3f00);
  SFPU_MUL(4, 4, 1);
  SFPU_MAD(0, 3, 4, 2);
}

/* Where L5 <= zero's exponent, negative, or infinite: what the function gives there. `zero` is a statement. */
#define SFPU_ROOT_SPECIALS(zero, infinite) \
  do { \
    SFPU_SHORT(1, 0x7f80); \
    SFPU_IF_LESS_EQUAL(1, 5); \
    infinite; \
    SFPU_ENDIF; \
    SFPU_IF_NEGATIVE(5); \
    SFPU_SHORT(0, 0x7fc0); \
    SFPU_ENDIF; \
    SFPU_EXPONENT(1, 5); \
    SFPU_IF_ZERO(1); \
    zero; \
    SFPU_ENDIF; \
  } while (0)

TT_INLINE void sfpu_sqrt(void) {
  SFPU_MOVE(5, 0);
  sfpu_sqrt_core();
  SFPU_ROOT_SPECIALS(SFPU_MUL(0, 5, SFPU_ZERO), SFPU_MOVE(0, 5));
}

TT_INLINE void sfpu_rsqrt(void) {
  SFPU_MOVE(5, 0);
  sfpu_rsqrt_of_l0();
  SFPU_MOVE(0, 1);
  SFPU_ROOT_SPECIALS(SFPU_SHORT(0, 0x7f80), SFPU_XOR(1, 5); SFPU_IF_ZERO(1); SFPU_SHORT(0, 0)); /* not of NaN */
}

/* L0 = m 2^e: L2 = e, L3 = m - 1, with m from sqrt(1/2) to sqrt(2); changes L1, L0 stays */
TT_INLINE void sfpu_log_reduce(void) {
  SFPU_CONSTANT(1, 0x3f3504f3u); /* sqrt(1/2) */
  SFPU_ISUB(1, 0);
  SFPU_SHIFT_ARITHMETIC(2, 1, -23);
  SFPU_SHIFT(3, 2, 23);
  SFPU_ISUB(3, 0);
  TTI_SFPCAST(2, 2, 3); /* sign and magnitude */
  TTI_SFPCAST(2, 2, 0);
  SFPU_ADD(3, 3, SFPU_MINUS_ONE);
}

/* L0 = log(1 + L3) + L2 ln2; changes L1, L4. The polynomial is (log(1+f) - f + f^2/2) / f^3. */
TT_INLINE void sfpu_log_finish(void) {
  SFPU_CONSTANT(0, 0x3d8d91b6u);
  SFPU_STEP(0, 3, 1, 0xbdf1719fu);
  SFPU_STEP(0, 3, 1, 0x3df32cc0u);
  SFPU_STEP(0, 3, 1, 0xbdfda27du);
  SFPU_STEP(0, 3, 1, 0x3e119936u);
  SFPU_STEP(0, 3, 1, 0xbe2ab169u);
  SFPU_STEP(0, 3, 1, 0x3e4cd2a3u);
  SFPU_STEP(0, 3, 1, 0xbe7ffff7u);
  SFPU_STEP(0, 3, 1, 0x3eaaaaa3u);
  SFPU_SHORT(4, 0xbf00);
  SFPU_MAD(0, 0, 3, 4);
  SFPU_MUL(1, 3, 3);
  SFPU_CONSTANT(4, 0xb95e8083u); /* ln2, rest */
  SFPU_MUL(0, 0, 1);
  SFPU_MAD(0, 2, 4, 0);
  SFPU_CONSTANT(4, 0x3f318000u); /* ln2, upper part */
  SFPU_ADD(0, 0, 3);
  SFPU_MAD(0, 2, 4, 0);
}

/* L0 = log(L0), positive normal numbers only; changes L1 to L4 */
TT_INLINE void sfpu_log_core(void) {
  sfpu_log_reduce();
  sfpu_log_finish();
}

/* What log gives where its argument, in L5, is 0, negative, infinite or NaN. Changes L1. */
#define SFPU_LOG_SPECIALS() SFPU_ROOT_SPECIALS(SFPU_SHORT(0, 0xff80), SFPU_MOVE(0, 5))

TT_INLINE void sfpu_log(void) {
  SFPU_MOVE(5, 0);
  sfpu_log_core();
  SFPU_LOG_SPECIALS();
}

/* L0 = log(1 + L0); changes L1 to L6. Near zero the argument itself is what the polynomial takes. */
TT_INLINE void sfpu_log1p(void) {
  SFPU_MOVE(6, 0);
  SFPU_ADD(0, 0, SFPU_ONE);
  SFPU_MOVE(5, 0);
  sfpu_log_reduce();
  SFPU_ABS(1, 6);
  SFPU_SHORT(4, 0x3e90); /* 0.28125 */
  SFPU_IF_LESS_EQUAL(1, 4);
  SFPU_MOVE(3, 6);
  SFPU_SHORT(2, 0);
  SFPU_ENDIF;
  sfpu_log_finish();
  SFPU_LOG_SPECIALS();
}

/* L0 = e^L0 - 1; changes L1 to L6 */
TT_INLINE void sfpu_expm1(void) {
  SFPU_MOVE(5, 0);
  SFPU_EXP_POLYNOMIAL(5, 3);
  SFPU_MUL(2, 5, 5);
  SFPU_MAD(6, 1, 2, 5);
  sfpu_exp();
  SFPU_ADD(0, 0, SFPU_MINUS_ONE);
  SFPU_ABS(1, 5);
  SFPU_SHORT(2, 0x3eb0); /* 0.34375 */
  SFPU_IF_LESS_EQUAL(1, 2);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
}

/* L0 = 1 + e^-L0; changes L1 to L3 */
TT_INLINE void sfpu_sigmoid_divisor(void) {
  SFPU_NEGATE(0, 0);
  sfpu_exp();
  SFPU_ADD(0, 0, SFPU_ONE);
}
/* L0 = 1 / (1 + e^-L0), of NaN 0: for products with L0 itself; changes L1 to L3 */
TT_INLINE void sfpu_sigmoid_number(void) {
  sfpu_sigmoid_divisor();
  sfpu_recip_number();
}
TT_INLINE void sfpu_sigmoid(void) {
  sfpu_sigmoid_divisor();
  sfpu_recip();
}

/* acc = (tanh(x) - x) / x^3 below 0.625, u = x x; changes tmp */
#define SFPU_TANH_POLYNOMIAL(acc, u, tmp) \
  do { \
    SFPU_CONSTANT(acc, 0xbbbb59e6u); \
    SFPU_STEP(acc, u, tmp, 0x3ca92c65u); \
    SFPU_STEP(acc, u, tmp, 0xbd5c2251u); \
    SFPU_STEP(acc, u, tmp, 0x3e0883b6u); \
    SFPU_STEP(acc, u, tmp, 0xbeaaaa9au); \
  } while (0)

/* L0 = tanh(L0); changes L1 to L6. Below 0.625 an odd polynomial, above 1 - 2 / (e^2x + 1). */
TT_INLINE void sfpu_tanh(void) {
  SFPU_MOVE(5, 0);
  SFPU_MOVE(6, 0);
  SFPU_ABS(0, 0);
  SFPU_ADD(0, 0, 0);
  sfpu_exp();
  SFPU_ADD(0, 0, SFPU_ONE);
  sfpu_recip_number();
  SFPU_SHORT(1, 0xc000);
  SFPU_MAD(0, 0, 1, SFPU_ONE);
  SFPU_TAKE_SIGN(6, 0);
  SFPU_MUL(4, 5, 5);
  SFPU_TANH_POLYNOMIAL(0, 4, 1);
  SFPU_MUL(0, 0, 4);
  SFPU_MAD(0, 0, 5, 5);
  SFPU_ABS(1, 5);
  SFPU_SHORT(2, 0x3f20);
  SFPU_SUB(1, 2, 1); /* of NaN not negative: the polynomial has it */
  SFPU_IF_NEGATIVE(1);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
}

/* L0 = L0 - tanh(L0); changes L1 to L7 */
TT_INLINE void sfpu_tanhshrink(void) {
  SFPU_MOVE(7, 0);
  sfpu_tanh();
  SFPU_SUB(0, 7, 0);
  SFPU_MUL(4, 7, 7);
  SFPU_TANH_POLYNOMIAL(3, 4, 1);
  SFPU_MUL(3, 3, 4);
  SFPU_NMAD(3, 3, 7, SFPU_ZERO);
  SFPU_ABS(1, 7);
  SFPU_SHORT(2, 0x3f20);
  SFPU_IF_LESS_EQUAL(1, 2);
  SFPU_MOVE(0, 3);
  SFPU_ENDIF;
}

/* L0 = erfc(L0); changes L1 to L6. e^(-x x) t P(t), t = 1 / (1 + |x|/2); the rounding error of x x is corrected. */
TT_INLINE void sfpu_erfc(void) {
  SFPU_MOVE(5, 0);
  SFPU_ABS(4, 0);
  SFPU_SHORT(1, 0x3f00);
  SFPU_MAD(0, 4, 1, SFPU_ONE);
  sfpu_recip();          /* keeps NaN */
  SFPU_SHORT(1, 0x4140); /* 12 */
  SFPU_MIN(4, 1);
  SFPU_MOVE(6, 0);
  SFPU_CONSTANT(3, 0x3d182837u);
  SFPU_STEP(3, 6, 1, 0xbe4bfa79u);
  SFPU_STEP(3, 6, 1, 0x3ece1dbcu);
  SFPU_STEP(3, 6, 1, 0xbea46b4bu);
  SFPU_STEP(3, 6, 1, 0x3c021eb8u);
  SFPU_STEP(3, 6, 1, 0x3c8828c6u);
  SFPU_STEP(3, 6, 1, 0x3d809028u);
  SFPU_STEP(3, 6, 1, 0x3e3bcf23u);
  SFPU_STEP(3, 6, 1, 0x3e7b7429u);
  SFPU_STEP(3, 6, 1, 0x3e907e74u);
  SFPU_STEP(3, 6, 1, 0x3e906e1eu);
  SFPU_MUL(6, 3, 6);
  SFPU_NMAD(0, 4, 4, SFPU_ZERO);
  SFPU_MAD(4, 4, 4, 0);
  sfpu_exp();
  SFPU_NMAD(0, 0, 4, 0);
  SFPU_MUL(0, 0, 6);
  SFPU_IF_NEGATIVE(5);
  SFPU_SHORT(1, 0x4000);
  SFPU_SUB(0, 1, 0);
  SFPU_ENDIF;
}

/* L0 = erf(L0); changes L1 to L7. Below 1 x E(x x), above 1 - erfc. */
TT_INLINE void sfpu_erf(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(0, 0);
  sfpu_erfc();
  SFPU_SUB(0, SFPU_ONE, 0);
  SFPU_MOVE(6, 7);
  SFPU_TAKE_SIGN(6, 0);
  SFPU_MUL(4, 7, 7);
  SFPU_CONSTANT(0, 0xb72267e2u);
  SFPU_STEP(0, 4, 1, 0x38ec5c48u);
  SFPU_STEP(0, 4, 1, 0xba5e6bf0u);
  SFPU_STEP(0, 4, 1, 0x3bab158du);
  SFPU_STEP(0, 4, 1, 0xbcdc14ecu);
  SFPU_STEP(0, 4, 1, 0x3de71785u);
  SFPU_STEP(0, 4, 1, 0xbec093a3u);
  SFPU_STEP(0, 4, 1, 0x3f906ebbu);
  SFPU_MUL(0, 0, 7);
  SFPU_ABS(1, 7);
  SFPU_SUB(1, SFPU_ONE, 1); /* of NaN not negative: the polynomial has it */
  SFPU_IF_NEGATIVE(1);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
}

/* L0 = erfinv(L0), |x| <= 1; changes L1 to L7. x P(w - 2.5) or x Q(sqrt(w) - 3), w = -log(1 - x x). */
TT_INLINE void sfpu_erfinv(void) {
  SFPU_MOVE(7, 0);
  SFPU_NMAD(0, 7, 7, SFPU_ONE);
  sfpu_log_core();
  SFPU_NEGATE(6, 0);
  SFPU_SHORT(1, 0xc020);
  SFPU_ADD(4, 6, 1);
  SFPU_CONSTANT(5, 0x32f51d3fu);
  SFPU_STEP(5, 4, 1, 0x34b88989u);
  SFPU_STEP(5, 4, 1, 0xb66cd166u);
  SFPU_STEP(5, 4, 1, 0xb6938819u);
  SFPU_STEP(5, 4, 1, 0x39653895u);
  SFPU_STEP(5, 4, 1, 0xbaa45371u);
  SFPU_STEP(5, 4, 1, 0xbb88e527u);
  SFPU_STEP(5, 4, 1, 0x3e7c8f63u);
  SFPU_STEP(5, 4, 1, 0x3fc02e2fu);
  SFPU_MOVE(0, 6);
  sfpu_sqrt_core();
  SFPU_SHORT(1, 0xc040);
  SFPU_ADD(4, 0, 1);
  SFPU_CONSTANT(3, 0xb912a3afu);
  SFPU_STEP(3, 4, 1, 0x388e0455u);
  SFPU_STEP(3, 4, 1, 0x3aa5b7f8u);
  SFPU_STEP(3, 4, 1, 0xbb6ea088u);
  SFPU_STEP(3, 4, 1, 0x3bbd5beau);
  SFPU_STEP(3, 4, 1, 0xbbfa0937u);
  SFPU_STEP(3, 4, 1, 0x3c1a8c76u);
  SFPU_STEP(3, 4, 1, 0x3f8036dfu);
  SFPU_STEP(3, 4, 1, 0x40354f7fu);
  SFPU_SHORT(1, 0x40a0); /* 5 */
  SFPU_IF_LESS_EQUAL(1, 6);
  SFPU_MOVE(5, 3);
  SFPU_ENDIF;
  SFPU_ABS(1, 7);
  SFPU_SHORT(2, 0x3f80);
  SFPU_IF_LESS_EQUAL(2, 1);
  SFPU_SHORT(5, 0x7f80);
  SFPU_ENDIF;
  SFPU_MUL(0, 5, 7);
}

/* L0 = x / 2 erfc(-x / sqrt 2); changes L1 to L7 */
TT_INLINE void sfpu_gelu(void) {
  SFPU_MOVE(7, 0);
  SFPU_CONSTANT(1, 0xbf3504f3u);
  SFPU_MUL(0, 0, 1);
  sfpu_erfc();
  SFPU_SHORT(1, 0x3f00);
  SFPU_MUL(0, 0, 1);
  SFPU_MUL(0, 0, 7);
}

/* x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)): the usual approximation of GELU; changes L1 to L5 */
TT_INLINE void sfpu_gelu_tanh(void) {
  SFPU_MOVE(5, 0);
  SFPU_MUL(1, 0, 0);
  SFPU_CONSTANT(2, 0x3d372713u);
  SFPU_MAD(1, 1, 2, SFPU_ONE);
  SFPU_MUL(0, 0, 1);
  SFPU_CONSTANT(2, 0x3fcc422au);
  SFPU_MUL(0, 0, 2);
  sfpu_sigmoid_number();
  SFPU_MUL(0, 0, 5);
}

/* --- powers --- */

/* cbrt: e^(log|x| / 3), then y - y (y^3 - x) / (3 x); changes L1 to L7 */
TT_INLINE void sfpu_cbrt(void) {
  SFPU_MOVE(7, 0);
  SFPU_MAGNITUDE(6, 0);
  SFPU_SHORT(1, 0x2180); /* below 2^-60: of 2^48 x, so that x - y^3 is a normal number */
  SFPU_IF_GREATER(1, 6);
  TTI_SFPMULI(0x5780, 6, 0);
  SFPU_ENDIF;
  SFPU_MOVE(0, 6);
  sfpu_log_core();
  SFPU_CONSTANT(1, 0x3eaaaaabu);
  SFPU_MUL(0, 0, 1);
  sfpu_exp();
  SFPU_MOVE(5, 0);
  SFPU_MOVE(0, 6);
  sfpu_recip_number();
  SFPU_MUL(1, 5, 5);
  SFPU_NMAD(1, 1, 5, 6); /* x - y^3 */
  SFPU_MUL(0, 0, 1);
  SFPU_CONSTANT(1, 0x3eaaaaabu);
  SFPU_MUL(0, 0, 1);
  SFPU_MAD(0, 0, 5, 5);
  SFPU_SHORT(1, 0x7f80);
  SFPU_IF_LESS_EQUAL(1, 6);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
  SFPU_MAGNITUDE(2, 7);
  SFPU_SHORT(1, 0x2180);
  SFPU_IF_GREATER(1, 2);
  TTI_SFPMULI(0x3780, 0, 0);
  SFPU_ENDIF;
  SFPU_EXPONENT(1, 7);
  SFPU_IF_ZERO(1);
  SFPU_SHORT(0, 0);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
}

/* L0 = x^y: x in L0, y in register `y` that stays; changes L1 to L7. Negative x: y must be an integer, else NaN. */
#define SFPU_POWER(y) \
  do { \
    SFPU_MOVE(7, 0); \
    SFPU_ABS(0, 0); \
    SFPU_MOVE(5, 0); \
    sfpu_log_core(); \
    SFPU_LOG_SPECIALS(); \
    SFPU_MUL(0, 0, y); \
    sfpu_exp(); \
    SFPU_MOVE(6, y); \
    sfpu_power_signs(); \
  } while (0)

/* x in L7, y in L6, |x|^y in L0. y = 0 gives 1. */
TT_INLINE void sfpu_power_signs(void) {
  SFPU_ABS(5, 6);
  SFPU_SHORT(1, 0x4b00); /* 2^23 */
  SFPU_ADD(2, 5, 1);     /* its low bit says odd */
  SFPU_SUB(3, 2, 1);
  SFPU_SHIFT(2, 2, 31);
  SFPU_XOR(3, 5);           /* L3 = 0 if x is an integer */
  SFPU_IF_LESS_EQUAL(1, 5); /* from 2^23 on every number is taken as an even integer */
  SFPU_SHORT(2, 0);
  SFPU_SHORT(3, 0);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(7);
  SFPU_XOR(0, 2);
  SFPU_IF_NOT_ZERO(3);
  SFPU_SHORT(0, 0x7fc0);
  SFPU_ENDIF;
  SFPU_IF_ZERO(5);
  SFPU_SHORT(0, 0x3f80);
  SFPU_ENDIF;
}

/* L0 = L0^count by multiplication; changes L1 */
TT_INLINE void sfpu_power_integer(uint32_t count) {
  SFPU_MOVE(1, 0);
  if (count == 0) SFPU_SHORT(0, 0x3f80);
  for (uint32_t i = 1; i < count; i++) SFPU_MUL(0, 0, 1);
}

#endif
#endif
