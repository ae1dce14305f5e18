/* Further bodies of the vector unit's functions (sfpu_math.h has their rules): special functions, activations of several tiles, division of
 * integers. Bodies of several operands may load them again: `SFPU_AGAIN(register, operand)`. */
#ifndef TENSIX_SFPU_SPECIAL_H
#define TENSIX_SFPU_SPECIAL_H

#include "sfpu_trig.h"

#if defined(SFPU_CORE) && defined(SFPU_WITH_FUNCTIONS)

#define SFPU_AGAIN(reg, operand) sfpu_load_##reg(mode, operand + face)

/* --- special functions --- */

/* L0 = log(1 / (1 + e^-x)) = min(x, 0) - log(1 + e^-|x|); changes L1 to L7 */
TT_INLINE void sfpu_logsigmoid(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(0, 0);
  SFPU_NEGATE(0, 0);
  sfpu_log1p_exp();
  SFPU_MOVE(1, 7);
  SFPU_SHORT(2, 0);
  SFPU_MIN(1, 2);
  SFPU_SUB(0, 1, 0);
}

/* L0 = e^|x| / sqrt|x|, x in L7, for |x| from 3.75 on; L6 = 3.75 / |x|. Changes L1 to L5. */
TT_INLINE void sfpu_bessel_scale(void) {
  SFPU_ABS(0, 7);
  SFPU_SHORT(1, 0x4070); /* 3.75 */
  SFPU_MAX(0, 1);
  SFPU_MOVE(5, 0);
  sfpu_recip_number();
  SFPU_SHORT(1, 0x4070);
  SFPU_MUL(6, 0, 1);
  SFPU_MOVE(0, 5);
  sfpu_rsqrt_of_l0();
  SFPU_MOVE(4, 1);
  sfpu_exp();
  SFPU_MUL(0, 0, 4);
}
/* L1 = a polynomial of degree 8 in L6, or of degree 6 in L6; its coefficients are A&S 9.8.1 to 9.8.4, highest first. Changes tmp. */
#define SFPU_BESSEL_8(tmp, c8, c7, c6, c5, c4, c3, c2, c1, c0) \
  do { \
    SFPU_CONSTANT(1, c8); \
    SFPU_STEP(1, 6, tmp, c7); \
    SFPU_STEP(1, 6, tmp, c6); \
    SFPU_STEP(1, 6, tmp, c5); \
    SFPU_STEP(1, 6, tmp, c4); \
    SFPU_STEP(1, 6, tmp, c3); \
    SFPU_STEP(1, 6, tmp, c2); \
    SFPU_STEP(1, 6, tmp, c1); \
    SFPU_STEP(1, 6, tmp, c0); \
  } while (0)
#define SFPU_BESSEL_6(tmp, c6, c5, c4, c3, c2, c1, c0) \
  do { \
    SFPU_CONSTANT(1, c6); \
    SFPU_STEP(1, 6, tmp, c5); \
    SFPU_STEP(1, 6, tmp, c4); \
    SFPU_STEP(1, 6, tmp, c3); \
    SFPU_STEP(1, 6, tmp, c2); \
    SFPU_STEP(1, 6, tmp, c1); \
    SFPU_STEP(1, 6, tmp, c0); \
  } while (0)
/* L6 = (x / 3.75)^2, x in L7 */
#define SFPU_BESSEL_SMALL() \
  do { \
    SFPU_CONSTANT(1, 0x3e888889u); \
    SFPU_MUL(6, 7, 1); \
    SFPU_MUL(6, 6, 6); \
  } while (0)
/* Lanes with |x| below 3.75 until SFPU_ENDIF; changes L2, L3 */
#define SFPU_IF_BESSEL_SMALL() \
  do { \
    SFPU_ABS(2, 7); \
    SFPU_SHORT(3, 0x4070); \
    SFPU_IF_GREATER(3, 2); \
  } while (0)

/* L0 = I0(L0); changes L1 to L7 */
TT_INLINE void sfpu_i0(void) {
  SFPU_MOVE(7, 0);
  sfpu_bessel_scale();
  SFPU_BESSEL_8(2, 0x3b8092f8u, 0xbc86f95eu, 0x3cd7e738u, 0xbca89139u, 0x3c161f9cu, 0xbace860au, 0x3b13aa41u, 0x3c59ad30u,
                0x3ecc422au);
  SFPU_MUL(0, 0, 1);
  SFPU_BESSEL_SMALL();
  SFPU_BESSEL_6(2, 0x3b961ebbu, 0x3d13c544u, 0x3e882da4u, 0x3f9a76c2u, 0x4045c19eu, 0x4060fff7u, 0x3f800000u);
  SFPU_IF_BESSEL_SMALL();
  SFPU_MOVE(0, 1);
  SFPU_ENDIF;
}
/* L0 = I1(L0); changes L1 to L7 */
TT_INLINE void sfpu_i1(void) {
  SFPU_MOVE(7, 0);
  sfpu_bessel_scale();
  SFPU_BESSEL_8(2, 0xbb89a51au, 0x3c9271d2u, 0xbced2f18u, 0x3cbb054au, 0xbc29028du, 0x3ad6b27fu, 0xbb6d408bu, 0xbd235976u,
                0x3ecc422au);
  SFPU_MUL(0, 0, 1);
  SFPU_BESSEL_SMALL();
  SFPU_BESSEL_6(2, 0x39a9ed4fu, 0x3b459cadu, 0x3cd9cdacu, 0x3e1a7840u, 0x3f03d64cu, 0x3f60fffbu, 0x3f000000u);
  SFPU_ABS(2, 7);
  SFPU_MUL(1, 1, 2);
  SFPU_IF_BESSEL_SMALL();
  SFPU_MOVE(0, 1);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
}

/* L0 = 1 / (12 z) - 1 / (360 z^3) + 1 / (1260 z^5) - 1 / (1680 z^7), 1 / z in L0; changes L1 to L3 */
TT_INLINE void sfpu_stirling_series(void) {
  SFPU_MUL(1, 0, 0);
  SFPU_CONSTANT(2, 0xba1c09c1u);   /* -1/1680 */
  SFPU_STEP(2, 1, 3, 0x3a500d01u); /* 1/1260 */
  SFPU_STEP(2, 1, 3, 0xbb360b61u); /* -1/360 */
  SFPU_STEP(2, 1, 3, 0x3daaaaabu); /* 1/12 */
  SFPU_MUL(0, 0, 2);
}
/* L0 = log gamma(z), z = x or, below 1/2, 1 - x: Stirling's formula at z + 5, less log(z (z + 1) .. (z + 4)). Changes L1 to L7. */
TT_INLINE void sfpu_lgamma_stirling(void) {
  SFPU_SHORT(1, 0x3f00);
  SFPU_IF_GREATER(1, 0);
  SFPU_SUB(0, SFPU_ONE, 0);
  SFPU_ENDIF;
  SFPU_MOVE(6, 0); /* z */
  SFPU_MOVE(5, 0);
  for (uint32_t i = 0; i < 4; i++) {
    SFPU_ADD(6, 6, SFPU_ONE);
    SFPU_MUL(5, 5, 6);
  }
  SFPU_ADD(6, 6, SFPU_ONE); /* w = z + 5 */
  SFPU_MOVE(0, 5);
  sfpu_log_core();
  SFPU_MOVE(5, 0); /* log of the product */
  SFPU_MOVE(0, 6);
  sfpu_recip();
  sfpu_stirling_series();
  SFPU_SUB(5, 0, 5);
  SFPU_MOVE(0, 6);
  sfpu_log_core();
  SFPU_SHORT(1, 0xbf00);
  SFPU_ADD(2, 6, 1);
  SFPU_MUL(0, 0, 2); /* (w - 1/2) log w */
  SFPU_SUB(0, 0, 6);
  SFPU_CONSTANT(1, 0x3f6b3f8eu); /* log(2 pi) / 2 */
  SFPU_ADD(0, 0, 1);
  SFPU_ADD(0, 0, 5);
}
/* L0 = log gamma(x): L0 that of sfpu_lgamma_stirling, L1 log|sin(pi x)|, L2 x; below 1/2 by reflection, log pi - L1 - L0 */
TT_INLINE void sfpu_lgamma_adjusted(void) {
  SFPU_CONSTANT(3, 0x3f928682u); /* log pi */
  SFPU_SUB(3, 3, 1);
  SFPU_SUB(3, 3, 0);
  SFPU_SHORT(4, 0x3f00);
  SFPU_IF_GREATER(4, 2);
  SFPU_MOVE(0, 3);
  SFPU_ENDIF;
}
/* L0 = digamma(x) for x > 0: log w - 1/(2w) - 1/(12w^2) + 1/(120w^4) - 1/(252w^6) at w = x + 6, less 1/x + .. + 1/(x + 5). Changes L1 to L7. */
TT_INLINE void sfpu_digamma(void) {
  SFPU_MOVE(7, 0);
  SFPU_SHORT(6, 0);
  for (uint32_t i = 0; i < 6; i++) {
    SFPU_MOVE(0, 7);
    sfpu_recip_number();
    SFPU_ADD(6, 6, 0);
    SFPU_ADD(7, 7, SFPU_ONE);
  }
  SFPU_MOVE(0, 7);
  sfpu_recip();
  SFPU_MUL(1, 0, 0);
  SFPU_CONSTANT(2, 0xbb820821u);   /* -1/252 */
  SFPU_STEP(2, 1, 3, 0x3c088889u); /* 1/120 */
  SFPU_STEP(2, 1, 3, 0xbdaaaaabu); /* -1/12 */
  SFPU_MUL(2, 2, 1);
  SFPU_SHORT(3, 0xbf00);
  SFPU_MAD(5, 0, 3, 2);
  SFPU_SUB(5, 5, 6);
  SFPU_MOVE(0, 7);
  sfpu_log_core();
  SFPU_ADD(0, 0, 5);
}

/* --- angles --- */

/* L0 = atan2(L0, L1): atan of the smaller over the larger, then octant by octant; the operands are loaded again. Changes L1 to L7. */
#define SFPU_ATAN2() \
  do { \
    SFPU_ABS(0, 0); \
    SFPU_ABS(1, 1); \
    SFPU_MOVE(7, 0); \
    SFPU_SORT(0, 1); \
    SFPU_SHORT(2, 0x7f80); \
    SFPU_XOR(2, 0); \
    SFPU_IF_ZERO(2); /* both infinite: as if equal */ \
    SFPU_SHORT(0, 0x3f80); \
    SFPU_SHORT(1, 0x3f80); \
    SFPU_ENDIF; \
    sfpu_divide(); \
    SFPU_AGAIN(1, in0); \
    SFPU_ADD(1, 1, SFPU_ZERO); \
    SFPU_IF_ZERO(1); /* 0 / 0 gives 0 */ \
    SFPU_SHORT(0, 0); \
    SFPU_ENDIF; \
    sfpu_atan(); \
    SFPU_AGAIN(1, in0); \
    SFPU_AGAIN(2, in1); \
    SFPU_ABS(3, 1); \
    SFPU_ABS(4, 2); \
    SFPU_IF_GREATER(3, 4); \
    SFPU_CONSTANT(5, 0x3fc90fdbu); /* pi / 2 */ \
    SFPU_SUB(0, 5, 0); \
    SFPU_ENDIF; \
    SFPU_IF_NEGATIVE(2); \
    SFPU_CONSTANT(5, 0x40490fdbu); /* pi */ \
    SFPU_SUB(0, 5, 0); \
    SFPU_ENDIF; \
    SFPU_TAKE_SIGN(1, 0); \
    SFPU_MOVE(0, 1); \
  } while (0);

/* --- activations --- */

/* P0 x^2 + x/2 for positive x, else P1 (e^x - 1 - x) + x/2; changes L1 to L7 */
TT_INLINE void sfpu_xielu(void) {
  SFPU_MOVE(7, 0);
  sfpu_expm1();
  SFPU_SUB(6, 0, 7); /* far from 0 */
  SFPU_EXP_POLYNOMIAL(7, 2);
  SFPU_MUL(3, 7, 7);
  SFPU_SHORT(4, 0xbeb0); /* -0.34375 */
  SFPU_IF_GREATER(7, 4);
  SFPU_MUL(6, 3, 1);
  SFPU_ENDIF;
  SFPU_MUL(0, 6, SFPU_P1);
  SFPU_IF_NOT_NEGATIVE(7);
  SFPU_MUL(0, 3, SFPU_P0);
  SFPU_ENDIF;
  SFPU_SHORT(1, 0x3f00);
  SFPU_MAD(0, 7, 1, 0);
}
/* x + sin(alpha x)^2 / beta: operands x, alpha, beta */
#define SFPU_SNAKE_BETA() \
  do { \
    SFPU_MUL(0, 0, 1); \
    sfpu_sin(); \
    SFPU_MUL(6, 0, 0); \
    SFPU_AGAIN(0, in2); \
    sfpu_recip(); \
    SFPU_AGAIN(1, in0); \
    SFPU_MAD(0, 0, 6, 1); \
  } while (0);
/* 4 tanh(g / 4) sigmoid(g) 25 tanh(u / 25): operands g, u */
#define SFPU_SITU_GLU() \
  do { \
    SFPU_SHORT(1, 0x3e80); \
    SFPU_MUL(0, 0, 1); \
    sfpu_tanh(); \
    SFPU_MOVE(7, 0); \
    SFPU_AGAIN(0, in0); \
    sfpu_sigmoid(); \
    SFPU_MUL(7, 7, 0); \
    SFPU_AGAIN(0, in1); \
    SFPU_CONSTANT(1, 0x3d23d70au); /* 1 / 25 */ \
    SFPU_MUL(0, 0, 1); \
    sfpu_tanh(); \
    SFPU_MUL(0, 0, 7); \
    SFPU_SHORT(1, 0x42c8); /* 100 */ \
    SFPU_MUL(0, 0, 1); \
  } while (0);
/* 1.0 where |a - b| is at most P1 + P0 |b|, and where both are equal (infinities) */
#define SFPU_IS_CLOSE() \
  do { \
    SFPU_SUB(2, 0, 1); \
    SFPU_ABS(2, 2); \
    SFPU_ABS(3, 1); \
    SFPU_MAD(3, 3, SFPU_P0, SFPU_P1); \
    SFPU_MOVE(4, 0); \
    SFPU_XOR(4, 1); \
    SFPU_TRUTH(SFPU_IF_LESS_EQUAL(2, 3)) \
    SFPU_IF_ZERO(4); \
    SFPU_SHORT(0, 0x3f80); \
    SFPU_ENDIF; \
    TTI_SFPSETSGN(0, 2, 2, 1); /* an infinite distance, NaN: not close */ \
    SFPU_SHORT(3, 0x7f80); \
    SFPU_IF_LESS_EQUAL(3, 2); \
    SFPU_IF_NOT_ZERO(4); \
    SFPU_SHORT(0, 0); \
    SFPU_ENDIF; \
  } while (0);

/* --- division of integers --- */

/* L0 = L0 / L1, L2 = the rest, both without a sign and L1 at most 2^31: bit by bit. By 0: all ones, and L0 as the rest. Changes L4 to L6. */
TT_INLINE void sfpu_divide_unsigned(void) {
  SFPU_INTEGER(2, 0);
  for (uint32_t bit = 0; bit < 32; bit++) {
    SFPU_SHIFT(6, 0, -31);
    SFPU_SHIFT(2, 2, 1);
    SFPU_OR(2, 6);
    SFPU_SHIFT(0, 0, 1);
    SFPU_MOVE(4, 1);
    SFPU_ISUB(4, 2);
    TTI_SFPNOT(0, 2, 5, 0);
    SFPU_AND(5, 4); /* bit 31: the rest is below 2^31 and below the divisor */
    SFPU_IF_NOT_NEGATIVE(5);
    SFPU_MOVE(2, 4);
    SFPU_IADD_SHORT(0, 0, 1);
    SFPU_ENDIF;
  }
}
/* The same with signs: L0 towards zero, L2 with the sign of the first operand; L7 and L3 = the operands. */
TT_INLINE void sfpu_divide_signed(void) {
  SFPU_MOVE(7, 0);
  SFPU_MOVE(3, 1);
  SFPU_IF_NEGATIVE(0);
  SFPU_ISUB(0, SFPU_ZERO);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(1);
  SFPU_ISUB(1, SFPU_ZERO);
  SFPU_ENDIF;
  sfpu_divide_unsigned();
  SFPU_IF_NEGATIVE(7);
  SFPU_ISUB(2, SFPU_ZERO);
  SFPU_ENDIF;
  SFPU_MOVE(4, 7);
  SFPU_XOR(4, 3);
  SFPU_IF_NEGATIVE(4);
  SFPU_ISUB(0, SFPU_ZERO);
  SFPU_ENDIF;
}
/* Towards minus infinity: one less where the rest is not 0 and the signs differ. */
TT_INLINE void sfpu_divide_floor(void) {
  sfpu_divide_signed();
  SFPU_IF_NEGATIVE(4);
  SFPU_IF_NOT_ZERO(2);
  SFPU_IADD_SHORT(0, 0, -1);
  SFPU_ENDIF;
}
/* L0 = the rest with the sign of the divisor. */
TT_INLINE void sfpu_remainder_signed(void) {
  sfpu_divide_signed();
  SFPU_MOVE(0, 2);
  SFPU_IF_NEGATIVE(4);
  SFPU_IF_NOT_ZERO(2);
  SFPU_IADD(0, 3);
  SFPU_ENDIF;
}
/* L0 = the rest of L0 / L1 without signs; a divisor of at least 2^31 divides the other at most once. Changes L1 to L7. */
TT_INLINE void sfpu_remainder_unsigned(void) {
  SFPU_MOVE(7, 0);
  SFPU_MOVE(3, 1);
  sfpu_divide_unsigned();
  SFPU_MOVE(0, 2);
  SFPU_MOVE(4, 3);
  SFPU_ISUB(4, 7); /* a - b */
  SFPU_IF_NEGATIVE(3);
  SFPU_MOVE(0, 7);
  SFPU_IF_NEGATIVE(7);
  SFPU_IF_NOT_NEGATIVE(4);
  SFPU_MOVE(0, 4);
  SFPU_ENDIF;
}

/* L0 = the greatest common divisor of |L0| and |L1|: each of 63 steps halves one of the two, or both. Changes L1 to L6. */
TT_INLINE void sfpu_gcd(void) {
  SFPU_IF_NEGATIVE(0);
  SFPU_ISUB(0, SFPU_ZERO);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(1);
  SFPU_ISUB(1, SFPU_ZERO);
  SFPU_ENDIF;
  SFPU_INTEGER(2, 0); /* L2 counts the factors of two that both numbers have */
  SFPU_INTEGER(6, 1);
  for (uint32_t step = 0; step < 64; step++) {
    SFPU_MOVE(3, 0);
    SFPU_OR(3, 1);
    SFPU_AND(3, 6); /* L3 = 0 if both numbers are even; 0 counts as even */
    SFPU_MOVE(4, 0);
    SFPU_AND(4, 6);
    SFPU_MOVE(5, 1);
    SFPU_AND(5, 6);
    SFPU_IF_ZERO(3);
    SFPU_IADD_SHORT(2, 2, 1);
    SFPU_ENDIF;
    SFPU_IF_ZERO(4);
    SFPU_SHIFT(0, 0, -1);
    SFPU_ENDIF;
    SFPU_IF_ZERO(5);
    SFPU_SHIFT(1, 1, -1);
    SFPU_ENDIF;
    SFPU_AND(4, 5); /* both odd: the difference, which is even, in place of the larger */
    SFPU_MOVE(5, 1);
    SFPU_ISUB(5, 0);
    SFPU_IF_NOT_ZERO(4);
    SFPU_IF_NOT_NEGATIVE(5);
    SFPU_SHIFT(0, 5, -1);
    SFPU_ENDIF;
    SFPU_IF_NOT_ZERO(4);
    SFPU_IF_NEGATIVE(5);
    SFPU_ISUB(5, SFPU_ZERO);
    SFPU_SHIFT(1, 5, -1);
    SFPU_ENDIF;
  }
  SFPU_OR(0, 1); /* one of them is 0 */
  TTI_SFPSHFT(0, 2, 0, 0);
}
/* L0 = |L0 L1| / gcd, 32 bits; the operands are loaded again. Of 0: 0. Changes L1 to L7. */
#define SFPU_LCM() \
  do { \
    sfpu_gcd(); \
    SFPU_MOVE(1, 0); \
    SFPU_AGAIN(0, in0); \
    SFPU_IF_NEGATIVE(0); \
    SFPU_ISUB(0, SFPU_ZERO); \
    SFPU_ENDIF; \
    SFPU_IF_ZERO(1); \
    SFPU_INTEGER(1, 1); \
    SFPU_ENDIF; \
    sfpu_divide_unsigned(); \
    SFPU_AGAIN(1, in1); \
    SFPU_IF_NEGATIVE(1); \
    SFPU_ISUB(1, SFPU_ZERO); \
    SFPU_ENDIF; \
    sfpu_multiply_integers(); \
  } while (0);

/* --- random numbers. The lanes' shift registers hold one sequence, two steps apart from lane to lane, so a lane's number and two rounds of
 * products are mixed into the value of a register. ISA: VectorUnit.md --- */

/* L1 = its upper bits below its lower 23 times a constant; changes L2, L3 */
#define SFPU_MIX(constant) \
  do { \
    SFPU_SHIFT(2, 1, -13); \
    SFPU_XOR(1, 2); \
    SFPU_CONSTANT(3, constant); \
    TTI_SFPMUL24(1, 3, SFPU_ZERO, 3, 0); \
    SFPU_SHIFT(1, 1, -9); \
    TTI_SFPNOP; \
    SFPU_SHIFT(3, 3, 9); \
    SFPU_XOR(1, 3); \
  } while (0)
/* L1 = 32 random bits; changes L2, L3 */
TT_INLINE void sfpu_random(void) {
  TTI_SFPMOV(0, 9, 1, 8);
  SFPU_CONSTANT(3, 0x0035a7f1u);
  TTI_SFPMUL24(p_sfpu_LTILEID, 3, SFPU_ZERO, 3, 0);
  TTI_SFPNOP;
  SFPU_XOR(1, 3);
  SFPU_MIX(0x001e3779u);
  SFPU_MIX(0x006ca68bu);
}
/* L0 = P0 + P1 u, u from 0 to 1 - 2^-23 */
TT_INLINE void sfpu_random_number(void) {
  sfpu_random();
  SFPU_SHIFT(1, 1, -9);
  SFPU_SHORT(2, 0x3f80);
  SFPU_OR(1, 2);
  SFPU_SUB(1, 1, SFPU_ONE);
  SFPU_MAD(0, 1, SFPU_P1, SFPU_P0);
}
/* L0 = P1 L0, or 0 where 31 random bits are below the integer P0 */
TT_INLINE void sfpu_dropout(void) {
  SFPU_MUL(0, 0, SFPU_P1);
  sfpu_random();
  SFPU_SHIFT(1, 1, -1);
  SFPU_MOVE(2, SFPU_P0);
  SFPU_ISUB(2, 1); /* bits - P0 */
  SFPU_IF_NEGATIVE(2);
  SFPU_SHORT(0, 0);
  SFPU_ENDIF;
}

/* L0 = the derivative of order n of digamma at L0 > 0, divided by its factor (-1)^(n+1) n!: the sum of (x + k)^-(n+1) for k from 0 to 7, and
 * the rest by Euler and Maclaurin's formula at x + 8, with the Bernoulli numbers up to B8. Adds from the smallest on. Changes L1 to L6. */
TT_INLINE void sfpu_load_word(uint32_t reg, uint32_t bits) {
  TT_SFPLOADI(reg, 10, bits & 0xffffu);
  TT_SFPLOADI(reg, 8, bits >> 16);
}
/* 1/n, and s/12, -s(s+1)(s+2)/720, s..(s+4)/30240, -s..(s+6)/1209600 with s = n + 1 */
TT_INLINE const uint32_t *polygamma_terms(uint32_t n) {
  static const uint32_t terms[11][5] = {
      {0x3f800000u, 0x3e2aaaabu, 0xbd088889u, 0x3cc30c31u, 0xbd088889u},
      {0x3f000000u, 0x3e800000u, 0xbdaaaaabu, 0x3daaaaabu, 0xbe19999au},
      {0x3eaaaaabu, 0x3eaaaaabu, 0xbe2aaaabu, 0x3e638e39u, 0xbf000000u},
      {0x3e800000u, 0x3ed55555u, 0xbe955555u, 0x3f000000u, 0xbfb00000u},
      {0x3e4ccccdu, 0x3f000000u, 0xbeeeeeefu, 0x3f800000u, 0xc0533333u},
      {0x3e2aaaabu, 0x3f155555u, 0xbf333333u, 0x3feaaaabu, 0xc0e4cccdu},
      {0x3e124925u, 0x3f2aaaabu, 0xbf800000u, 0x40492492u, 0xc164cccdu},
      {0x3e000000u, 0x3f400000u, 0xbfb00000u, 0x40a36db7u, 0xc1d68000u},
      {0x3de38e39u, 0x3f555555u, 0xbfeaaaabu, 0x40fe38e4u, 0xc23eaaabu},
      {0x3dcccccdu, 0x3f6aaaabu, 0xc0188889u, 0x413eaaabu, 0xc2a21111u},
      {0x3dba2e8cu, 0x3f800000u, 0xc0422222u, 0x418aaaabu, 0xc304999au},
  };
  return terms[n - 1];
}
TT_INLINE void sfpu_polygamma_rest(uint32_t n) {
  const uint32_t *terms = polygamma_terms(n);
  SFPU_SHORT(0, 0x4100); /* 8 */
  SFPU_ADD(0, 5, 0);
  sfpu_recip();
  SFPU_MUL(4, 0, 0);
  sfpu_load_word(3, terms[4]);
  for (uint32_t i = 3; i >= 1; i--) {
    sfpu_load_word(2, terms[i]);
    SFPU_MAD(3, 3, 4, 2);
  }
  SFPU_SHORT(2, 0x3f00);
  SFPU_MAD(3, 3, 0, 2);
  sfpu_load_word(2, terms[0]);
  SFPU_MAD(3, 3, 0, 2);
  sfpu_power_integer(n);
  SFPU_MUL(6, 0, 3);
}
TT_INLINE void sfpu_polygamma(uint32_t order) {
  uint32_t shift = order >> 23, n = (order & 0x7fffffu) | 0x800000u; /* an integer as FLOAT32 */
  KERNEL_CHECK(shift >= 127 && shift <= 130 && n >> (150 - shift) <= 11, "polygamma_tile: the order is 1 to 11, as FLOAT32");
  n >>= 150 - shift;
  SFPU_MOVE(5, 0);
  sfpu_polygamma_rest(n);
  for (uint32_t k = 8; k-- > 0;) {
    const uint16_t small[8] = {0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0, 0x40e0}; /* 0 to 7 as BFLOAT16 */
    TT_SFPLOADI(0, 0, small[k]);
    SFPU_ADD(0, 5, 0);
    sfpu_recip_number();
    sfpu_power_integer(n + 1);
    SFPU_ADD(6, 6, 0);
  }
  SFPU_MUL(0, 6, SFPU_P1);
}

#endif
#endif
