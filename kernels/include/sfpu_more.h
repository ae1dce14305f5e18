/* Bodies composed of those in sfpu_math.h and sfpu_trig.h: rounding, conditions, integers, division, activations with
 * parameters. Conventions as there. */
#ifndef TENSIX_SFPU_MORE_H
#define TENSIX_SFPU_MORE_H

#include "sfpu_trig.h"

#if defined(SFPU_CORE) && defined(SFPU_WITH_FUNCTIONS)

/* --- rounding --- */

/* L2 = the integer nearest to |L0|, ties to even, with 2^23 in L1 and |L0| in L4 */
TT_INLINE void sfpu_nearest(void) {
  SFPU_ABS(4, 0);
  SFPU_SHORT(1, 0x4b00);
  SFPU_ADD(2, 4, 1);
  SFPU_SUB(2, 2, 1);
  SFPU_IF_LESS_EQUAL(1, 4);
  SFPU_MOVE(2, 4);
  SFPU_ENDIF;
}
/* L2 = trunc(L0); L0 stays, changes L1, L3, L4 */
TT_INLINE void sfpu_trunc_of_l0(void) {
  sfpu_nearest();
  SFPU_IF_GREATER(2, 4);
  SFPU_ADD(2, 2, SFPU_MINUS_ONE);
  SFPU_ENDIF;
  SFPU_MOVE(3, 0);
  SFPU_TAKE_SIGN(3, 2);
  SFPU_MOVE(2, 3);
}
TT_INLINE void sfpu_floor(void) {
  sfpu_trunc_of_l0();
  SFPU_IF_GREATER(2, 0);
  SFPU_ADD(2, 2, SFPU_MINUS_ONE);
  SFPU_ENDIF;
  SFPU_MOVE(0, 2);
}
TT_INLINE void sfpu_ceil(void) {
  sfpu_trunc_of_l0();
  SFPU_IF_GREATER(0, 2);
  SFPU_ADD(2, 2, SFPU_ONE);
  SFPU_ENDIF;
  SFPU_MOVE(0, 2);
}
TT_INLINE void sfpu_trunc(void) {
  sfpu_trunc_of_l0();
  SFPU_MOVE(0, 2);
}
TT_INLINE void sfpu_frac(void) {
  sfpu_trunc_of_l0();
  SFPU_SUB(0, 0, 2);
}
/* P0 = 10^decimals, P1 = 10^-decimals */
TT_INLINE void sfpu_round(void) {
  SFPU_MUL(0, 0, SFPU_P0);
  sfpu_nearest();
  SFPU_TAKE_SIGN(0, 2);
  SFPU_MUL(0, 0, SFPU_P1);
}

/* --- conditions, integers, activations --- */

/* L0 = 1.0 where `condition` holds, else 0.0; as an integer 1 or 0. `condition` is one or more SFPU_IF_. Changes L1. */
#define SFPU_TRUTH(condition) \
  do { \
    SFPU_SHORT(1, 0); \
    condition; \
    SFPU_SHORT(1, 0x3f80); \
    SFPU_ENDIF; \
    SFPU_MOVE(0, 1); \
  } while (0);
/* 0.0 where it holds, else 1.0 */
#define SFPU_UNTRUTH(condition) \
  do { \
    SFPU_SHORT(1, 0x3f80); \
    condition; \
    SFPU_SHORT(1, 0); \
    SFPU_ENDIF; \
    SFPU_MOVE(0, 1); \
  } while (0);
#define SFPU_TRUTH_INTEGER(condition) \
  do { \
    SFPU_INTEGER(1, 0); \
    condition; \
    SFPU_INTEGER(1, 1); \
    SFPU_ENDIF; \
    SFPU_MOVE(0, 1); \
  } while (0);
#define SFPU_NOT_TRUTH() \
  do { \
    SFPU_INTEGER(1, 1); \
    SFPU_XOR(0, 1); \
  } while (0);
/* The number in `reg` is not NaN; before, it has passed through SFPMAD. Changes L3. */
#define SFPU_IF_NUMBER(reg) \
  do { \
    SFPU_SHORT(3, 0x7f80); \
    SFPU_IF_LESS_EQUAL(reg, 3); \
  } while (0)
/* L0 and L2 = both numbers, -0 (and what is too small for a normal number) as 0. */
#define SFPU_WITHOUT_MINUS_ZERO(a, b) \
  do { \
    SFPU_ADD(2, b, SFPU_ZERO); \
    SFPU_ADD(0, a, SFPU_ZERO); \
  } while (0)
/* A shift by a constant of the kernel; `mode` 5 logical, 7 arithmetic. */
#define SFPU_SHIFT_BY(reg, by, mode, gone) \
  do { \
    if (gone) SFPU_SHORT(reg, 0); \
    else TT_SFPSHFT((uint32_t)(by)&0xfffu, reg, reg, mode); \
  } while (0);

/* Lanes whose amount of a shift is not 0 to 31, until SFPU_ENDIF. Changes L2. */
#define SFPU_IF_SHIFTED_OUT(amount) \
  do { \
    SFPU_SHIFT(2, amount, -5); \
    SFPU_IF_NOT_ZERO(2); \
  } while (0)

/* Bit 31 of L2: is integer a less than b? The sign of a - b, turned where the difference overflows. Changes L3, L4. */
#define sfpu_less(a, b) \
  do { \
    SFPU_MOVE(2, b); \
    SFPU_ISUB(2, a); /* a - b */ \
    SFPU_MOVE(3, a); \
    SFPU_XOR(3, b); \
    SFPU_MOVE(4, a); \
    SFPU_XOR(4, 2); \
    SFPU_AND(3, 4); \
    SFPU_XOR(2, 3); \
  } while (0)

/* L0 = L0 L1, 32 bits: digits of 11, 11 and 10 bits, whose products SFPMUL24 has exactly. Changes L1 to L7. */
TT_INLINE void sfpu_multiply_integers(void) {
  SFPU_INTEGER(7, 0x7ff);
  SFPU_SHIFT(2, 0, -11);
  SFPU_SHIFT(3, 0, -22);
  SFPU_AND(0, 7);
  SFPU_AND(2, 7); /* L0, L2, L3: digits of the first */
  SFPU_SHIFT(4, 1, -11);
  SFPU_SHIFT(5, 1, -22);
  SFPU_AND(1, 7);
  SFPU_AND(4, 7);                      /* L1, L4, L5: of the second */
  TTI_SFPMUL24(0, 5, SFPU_ZERO, 5, 0); /* a0 b2 */
  TTI_SFPMUL24(3, 1, SFPU_ZERO, 3, 0); /* a2 b0 */
  TTI_SFPMUL24(2, 4, SFPU_ZERO, 6, 0); /* a1 b1 */
  TTI_SFPMUL24(0, 4, SFPU_ZERO, 4, 0); /* a0 b1 */
  TTI_SFPMUL24(2, 1, SFPU_ZERO, 2, 0); /* a1 b0 */
  TTI_SFPMUL24(0, 1, SFPU_ZERO, 0, 0); /* a0 b0 */
  SFPU_IADD(5, 3);
  SFPU_IADD(5, 6);
  SFPU_SHIFT(5, 5, 22);
  SFPU_IADD(4, 2);
  SFPU_SHIFT(4, 4, 11);
  SFPU_IADD(4, 5);
  SFPU_IADD(0, 4);
}

/* L0 = L0 / L1: q = x (1/y), then q + (x - q y) (1/y). From 2^126 on 1/y is below the normal numbers: both are divided by 4. Changes L1 to
 * L6. */
TT_INLINE void sfpu_divide(void) {
  SFPU_ABS(2, 1);
  SFPU_SHORT(3, 0x7e80);
  SFPU_IF_LESS_EQUAL(3, 2);
  TTI_SFPMULI(0x3e80, 0, 0);
  TTI_SFPMULI(0x3e80, 1, 0);
  SFPU_ENDIF;
  SFPU_MOVE(5, 0);
  SFPU_MOVE(6, 1);
  SFPU_MOVE(0, 1);
  sfpu_recip();
  SFPU_MUL(3, 0, 5);
  SFPU_NMAD(4, 3, 6, 5);
  SFPU_MAD(4, 4, 0, 3);
  SFPU_MOVE(0, 3); /* for 0 and infinity the correction is NaN and is skipped */
  SFPU_SUB(1, 4, 4);
  SFPU_IF_ZERO(1);
  SFPU_MOVE(0, 4);
  SFPU_ENDIF;
}

/* L0 = L0^L1 */
TT_INLINE void sfpu_power_binary(void) {
  SFPU_MOVE(7, 0);
  SFPU_MOVE(6, 1);
  SFPU_ABS(0, 0);
  SFPU_MOVE(5, 0);
  sfpu_log_core();
  SFPU_LOG_SPECIALS();
  SFPU_MUL(0, 0, 6);
  sfpu_exp();
  sfpu_power_signs();
}

/* L0 = log(1 + e^L0), argument up to 88; changes L1 to L6 */
TT_INLINE void sfpu_log1p_exp(void) {
  sfpu_exp();
  sfpu_log1p();
}

/* x tanh(log(1 + e^x)) = x n / (n + 2), n = e^x (e^x + 2); x itself from 20 on */
TT_INLINE void sfpu_mish(void) {
  SFPU_MOVE(5, 0);
  SFPU_SHORT(1, 0x41a0); /* 20 */
  SFPU_MIN(0, 1);
  sfpu_exp();
  SFPU_SHORT(1, 0x4000);
  SFPU_ADD(2, 0, 1);
  SFPU_MUL(6, 0, 2);
  SFPU_ADD(0, 6, 1);
  sfpu_recip_number();
  SFPU_MUL(0, 0, 6);
  SFPU_MUL(0, 0, 5);
}

/* P0 = beta, P1 = 1/beta, P2 = threshold: log(1 + e^(beta x)) / beta, x itself where beta x is above the threshold */
TT_INLINE void sfpu_softplus(void) {
  SFPU_MOVE(7, 0);
  SFPU_MUL(0, 0, SFPU_P0);
  sfpu_log1p_exp();
  SFPU_MUL(0, 0, SFPU_P1);
  SFPU_MUL(1, 7, SFPU_P0);
  SFPU_IF_GREATER(1, SFPU_P2);
  SFPU_MOVE(0, 7);
  SFPU_ENDIF;
}

/* x / (1 + |x|), the divisor divided by 4: 1/y is a normal number of all of them */
TT_INLINE void sfpu_softsign(void) {
  SFPU_MOVE(5, 0);
  SFPU_ABS(0, 0);
  SFPU_SHORT(1, 0x3e80);
  SFPU_MAD(0, 0, 1, 1);
  sfpu_recip_number();
  SFPU_MUL(0, 0, 5);
  TTI_SFPMULI(0x3e80, 0, 0);
}

TT_INLINE void sfpu_hardsigmoid(void) {
  SFPU_CONSTANT(1, 0x3e2aaaabu); /* 1/6 */
  SFPU_SHORT(2, 0x3f00);
  SFPU_MAD(0, 0, 1, 2);
  SFPU_SHORT(1, 0);
  SFPU_MAX(0, 1);
  SFPU_SHORT(1, 0x3f80);
  SFPU_MIN(0, 1);
}

/* x, or P0 (e^x - 1) where x is negative */
TT_INLINE void sfpu_elu(void) {
  SFPU_MOVE(7, 0);
  sfpu_expm1();
  SFPU_MUL(0, 0, SFPU_P0);
  SFPU_IF_NOT_NEGATIVE(7);
  SFPU_MOVE(0, 7);
  SFPU_ENDIF;
}

/* P0 times elu with alpha P1 */
TT_INLINE void sfpu_selu(void) {
  SFPU_MOVE(7, 0);
  sfpu_expm1();
  SFPU_MUL(0, 0, SFPU_P1);
  SFPU_IF_NOT_NEGATIVE(7);
  SFPU_MOVE(0, 7);
  SFPU_ENDIF;
  SFPU_MUL(0, 0, SFPU_P0);
}

/* x, or P0 (e^(x P1) - 1), P1 = 1 / P0 */
TT_INLINE void sfpu_celu(void) {
  SFPU_MOVE(7, 0);
  SFPU_MUL(0, 0, SFPU_P1);
  sfpu_expm1();
  SFPU_MUL(0, 0, SFPU_P0);
  SFPU_IF_NOT_NEGATIVE(7);
  SFPU_MOVE(0, 7);
  SFPU_ENDIF;
}

/* x - P0, x + P0, or 0 between -P0 and P0 */
TT_INLINE void sfpu_softshrink(void) {
  SFPU_ABS(1, 0);
  SFPU_SUB(2, 1, SFPU_P0);
  SFPU_SHORT(3, 0);
  SFPU_MAX(2, 3);
  SFPU_TAKE_SIGN(0, 2);
}

/* As sfpu_less for unsigned integers: both with bit 31 flipped. Changes L2 to L7. */
#define sfpu_less_unsigned(a, b) \
  do { \
    SFPU_CONSTANT(7, 0x80000000u); \
    SFPU_MOVE(5, a); \
    SFPU_XOR(5, 7); \
    SFPU_MOVE(6, b); \
    SFPU_XOR(6, 7); \
    sfpu_less(5, 6); \
  } while (0)

/* 1 - tanh^2 = 4 e / (1 + e)^2, e = e^(-2|x|) */
TT_INLINE void sfpu_tanh_derivative(void) {
  SFPU_ABS(0, 0);
  SFPU_SHORT(1, 0xc000);
  SFPU_MUL(0, 0, 1);
  sfpu_exp();
  SFPU_MOVE(5, 0);
  SFPU_ADD(0, 0, SFPU_ONE);
  sfpu_recip_number();
  SFPU_MUL(1, 0, 0);
  SFPU_MUL(0, 1, 5);
  SFPU_SHORT(1, 0x4080);
  SFPU_MUL(0, 0, 1);
}

/* erfc(-x / sqrt 2) / 2 + x e^(-x x / 2) / sqrt(2 pi) */
TT_INLINE void sfpu_gelu_derivative(void) {
  SFPU_MOVE(7, 0);
  SFPU_CONSTANT(1, 0xbf3504f3u);
  SFPU_MUL(0, 0, 1);
  sfpu_erfc();
  SFPU_SHORT(1, 0x3f00);
  SFPU_MUL(6, 0, 1);
  SFPU_SHORT(1, 0xbf00);
  SFPU_MUL(0, 7, 1);
  SFPU_MUL(0, 0, 7);
  sfpu_exp();
  SFPU_CONSTANT(1, 0x3ecc422au); /* 1 / sqrt(2 pi) */
  SFPU_MUL(0, 0, 1);
  SFPU_MAD(0, 0, 7, 6);
}

/* x min(2, max(0, x + 2)) / 2 */
TT_INLINE void sfpu_hardmish(void) {
  SFPU_SHORT(1, 0x4000);
  SFPU_ADD(2, 0, 1);
  SFPU_SHORT(3, 0);
  SFPU_MAX(2, 3);
  SFPU_MIN(2, 1);
  SFPU_SHORT(1, 0x3f00);
  SFPU_MUL(0, 0, 1);
  SFPU_MUL(0, 0, 2);
}

/* L0 = the rest of |L0| / |L1| towards zero with the sign of L0, quotients below 2^22; L7 = the divisor after. Changes L1 to L7. The divisor is
 * multiplied in two halves of 12 bits, whose products with a quotient below 2^11 are exact, and with them the rest, however small it is. */
TT_INLINE void sfpu_fmod(void) {
  SFPU_MOVE(7, 1);
  SFPU_MOVE(6, 0);
  SFPU_ABS(0, 1);
  SFPU_MOVE(5, 0);
  sfpu_recip_number();
  SFPU_ABS(3, 6);
  SFPU_MUL(0, 0, 3);
  SFPU_SHORT(1, 0x4b00); /* the nearest integer is at most one off */
  SFPU_ADD(0, 0, 1);
  SFPU_SUB(0, 0, 1);
  SFPU_SHIFT(1, 5, -12);
  SFPU_SHIFT(1, 1, 12);
  SFPU_SUB(2, 5, 1);
  SFPU_NMAD(3, 0, 1, 3);
  SFPU_NMAD(0, 0, 2, 3);
  SFPU_IF_NEGATIVE(0);
  SFPU_ADD(0, 0, 5);
  SFPU_ENDIF;
  SFPU_IF_LESS_EQUAL(5, 0);
  SFPU_SUB(0, 0, 5);
  SFPU_ENDIF;
  SFPU_SHORT(1, 0x7f80);
  SFPU_XOR(1, 5);
  SFPU_IF_ZERO(1); /* an infinite divisor leaves every number, and of infinity NaN */
  SFPU_SUB(1, 6, 6);
  SFPU_ADD(0, 1, 6);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(6, 0);
  SFPU_MOVE(0, 6);
}

/* As fmod, with the sign of the divisor. */
TT_INLINE void sfpu_remainder(void) {
  sfpu_fmod();
  SFPU_MOVE(1, 0);
  SFPU_XOR(1, 7);
  SFPU_ADD(2, 0, SFPU_ZERO);
  SFPU_IF_NEGATIVE(1);
  SFPU_IF_NOT_ZERO(2);
  SFPU_ADD(0, 0, 7);
  SFPU_ENDIF;
}

/* L0 log(L1), 0 where L0 is 0 */
TT_INLINE void sfpu_xlogy(void) {
  SFPU_MOVE(7, 0);
  SFPU_MOVE(0, 1);
  sfpu_log();
  SFPU_MUL(0, 0, 7);
  SFPU_ADD(1, 7, SFPU_ZERO);
  SFPU_IF_ZERO(1);
  SFPU_SHORT(0, 0);
  SFPU_ENDIF;
}

#endif
#endif
