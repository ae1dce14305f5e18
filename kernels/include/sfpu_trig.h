/* Bodies of the vector unit's functions, continued: trigonometry and hyperbolic functions. Conventions are those of sfpu_math.h. */
#ifndef TENSIX_SFPU_TRIG_H
#define TENSIX_SFPU_TRIG_H

#include "sfpu_math.h"

#if defined(SFPU_CORE) && defined(SFPU_WITH_FUNCTIONS)

/* --- trigonometry --- */

/* L0 = L0 - L4 times the three parts of a constant (negated); changes L1 */
#define SFPU_REDUCE(part0, part1, part2) \
  do { \
    SFPU_CONSTANT(1, part0); \
    SFPU_MAD(0, 4, 1, 0); \
    SFPU_CONSTANT(1, part1); \
    SFPU_MAD(0, 4, 1, 0); \
    SFPU_CONSTANT(1, part2); \
    SFPU_MAD(0, 4, 1, 0); \
  } while (0)
#define SFPU_REDUCE_PI() SFPU_REDUCE(0xc0490000u, 0xba7da000u, 0xb4222169u)

/* L0 = sin(L0) on -pi/2..pi/2, its sign flipped by bit 31 of L3; changes L1, L2, L4 */
TT_INLINE void sfpu_sin_finish(void) {
  SFPU_MUL(2, 0, 0);
  SFPU_CONSTANT(1, 0xb2cd4275u);
  SFPU_STEP(1, 2, 4, 0x3638b913u);
  SFPU_STEP(1, 2, 4, 0xb9500bf5u);
  SFPU_STEP(1, 2, 4, 0x3c088886u);
  SFPU_STEP(1, 2, 4, 0xbe2aaaabu);
  SFPU_MUL(1, 1, 2);
  SFPU_MAD(0, 1, 0, 0);
  SFPU_XOR(0, 3);
}

TT_INLINE void sfpu_sin(void) {
  SFPU_CONSTANT(1, 0x3ea2f983u); /* 1/pi */
  SFPU_SHORT(2, 0x4b40);         /* 1.5 2^23: the low bits of the sum are an integer */
  SFPU_MAD(3, 0, 1, 2);
  SFPU_SUB(4, 3, 2);
  SFPU_SHIFT(3, 3, 31);
  SFPU_REDUCE_PI();
  sfpu_sin_finish();
}

/* cos(x) = -(-1)^n sin(x - (n + 1/2) pi) */
TT_INLINE void sfpu_cos(void) {
  SFPU_CONSTANT(1, 0x3ea2f983u);
  SFPU_SHORT(2, 0xbf00);
  SFPU_MAD(3, 0, 1, 2);
  SFPU_SHORT(2, 0x4b40);
  SFPU_ADD(3, 3, 2);
  SFPU_SUB(4, 3, 2);
  SFPU_SHORT(2, 0x3f00);
  SFPU_ADD(4, 4, 2);
  SFPU_SHIFT(3, 3, 31);
  SFPU_NEGATE(3, 3);
  SFPU_REDUCE_PI();
  sfpu_sin_finish();
}

/* tan of the rest of x / (pi/2), or its negative reciprocal; changes L1 to L6 */
TT_INLINE void sfpu_tan(void) {
  SFPU_CONSTANT(1, 0x3f22f983u); /* 2/pi */
  SFPU_SHORT(2, 0x4b40);
  SFPU_MAD(3, 0, 1, 2);
  SFPU_SUB(4, 3, 2);
  SFPU_SHIFT(5, 3, 31);
  SFPU_REDUCE(0xbfc90000u, 0xb9fda000u, 0xb3a22169u);
  SFPU_MUL(2, 0, 0);
  SFPU_CONSTANT(1, 0x3b92f175u);
  SFPU_STEP(1, 2, 4, 0xb909d383u);
  SFPU_STEP(1, 2, 4, 0x3c346bb8u);
  SFPU_STEP(1, 2, 4, 0x3cadc77du);
  SFPU_STEP(1, 2, 4, 0x3d5d7c2au);
  SFPU_STEP(1, 2, 4, 0x3e088675u);
  SFPU_STEP(1, 2, 4, 0x3eaaaab1u);
  SFPU_MUL(1, 1, 2);
  SFPU_MAD(0, 1, 0, 0);
  SFPU_MOVE(6, 0);
  sfpu_recip();
  SFPU_NEGATE(0, 0);
  SFPU_IF_NOT_NEGATIVE(5);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
}

/* L0 = asin of |x| up to 1/2, or of sqrt((1 - |x|) / 2): x in L7, |x| in L6, 1/2 in L1 after; changes L1 to L5 */
TT_INLINE void sfpu_asin_core(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(6, 0);
  SFPU_SHORT(2, 0x3f00);
  SFPU_NMAD(5, 6, 2, 2);
  SFPU_MOVE(0, 5);
  sfpu_sqrt_core();
  SFPU_SHORT(1, 0x3f00);
  SFPU_IF_LESS_EQUAL(6, 1);
  SFPU_MOVE(0, 6);
  SFPU_MUL(5, 6, 6);
  SFPU_ENDIF;
  SFPU_CONSTANT(3, 0x3d0e5a4cu);
  SFPU_STEP(3, 5, 1, 0x3bf32a7fu);
  SFPU_STEP(3, 5, 1, 0x3cc9cb5bu);
  SFPU_STEP(3, 5, 1, 0x3cf6a538u);
  SFPU_STEP(3, 5, 1, 0x3d36edbeu);
  SFPU_STEP(3, 5, 1, 0x3d999953u);
  SFPU_STEP(3, 5, 1, 0x3e2aaaabu);
  SFPU_MUL(3, 3, 5);
  SFPU_MAD(0, 3, 0, 0);
  SFPU_SHORT(1, 0x3f00);
}

#define SFPU_NAN_ABOVE_ONE() /* |x| in L6 */ \
  do { \
    SFPU_SHORT(1, 0x3f80); \
    SFPU_IF_GREATER(6, 1); \
    SFPU_SHORT(0, 0x7fc0); \
    SFPU_ENDIF; \
  } while (0)

TT_INLINE void sfpu_asin(void) {
  sfpu_asin_core();
  SFPU_IF_GREATER(6, 1);
  SFPU_CONSTANT(2, 0x3fc90fdbu); /* pi/2 */
  SFPU_SHORT(3, 0xc000);
  SFPU_MAD(0, 0, 3, 2);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
  SFPU_NAN_ABOVE_ONE();
}

TT_INLINE void sfpu_acos(void) {
  sfpu_asin_core();
  SFPU_MOVE(4, 7);
  SFPU_TAKE_SIGN(4, 0);
  SFPU_CONSTANT(2, 0x3fc90fdbu); /* pi/2 - asin(x) */
  SFPU_SHORT(3, 0xbf80);
  SFPU_IF_GREATER(6, 1); /* acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); a negative x takes pi minus that */
  SFPU_SHORT(3, 0x4000);
  SFPU_SHORT(2, 0);
  SFPU_IF_NEGATIVE(7);
  SFPU_CONSTANT(2, 0x40490fdbu);
  SFPU_ENDIF;
  SFPU_MAD(0, 3, 4, 2);
  SFPU_NAN_ABOVE_ONE();
}

/* changes L1 to L7 */
TT_INLINE void sfpu_atan(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(6, 0);
  SFPU_MOVE(0, 6);
  sfpu_recip();
  SFPU_SHORT(4, 0x3f80);
  SFPU_IF_LESS_EQUAL(6, 4);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
  SFPU_MUL(5, 0, 0);
  SFPU_CONSTANT(3, 0x3a94c2b8u);
  SFPU_STEP(3, 5, 1, 0xbbf33e0cu);
  SFPU_STEP(3, 5, 1, 0x3cba76feu);
  SFPU_STEP(3, 5, 1, 0xbd381c0eu);
  SFPU_STEP(3, 5, 1, 0x3d8a709fu);
  SFPU_STEP(3, 5, 1, 0xbdb49cb1u);
  SFPU_STEP(3, 5, 1, 0x3de283b4u);
  SFPU_STEP(3, 5, 1, 0xbe123a86u);
  SFPU_STEP(3, 5, 1, 0x3e4ccbffu);
  SFPU_STEP(3, 5, 1, 0xbeaaaaa9u);
  SFPU_MUL(3, 3, 5);
  SFPU_MAD(0, 3, 0, 0);
  SFPU_IF_GREATER(6, 4);
  SFPU_CONSTANT(2, 0x3fc90fdbu);
  SFPU_SUB(0, 2, 0);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
}

/* --- hyperbolic functions; all change L1 to L7 --- */

/* L0 = (e^|x| + s e^-|x|) / 2, s = 1 or -1 in a constant register; x in L7 after */
#define SFPU_HYPERBOLIC(s) \
  do { \
    SFPU_MOVE(7, 0); \
    SFPU_ABS(0, 0); \
    sfpu_exp(); \
    SFPU_MOVE(6, 0); \
    sfpu_recip_number(); \
    SFPU_MAD(0, 0, s, 6); \
    SFPU_SHORT(1, 0x3f00); \
    SFPU_MUL(0, 0, 1); \
  } while (0)

TT_INLINE void sfpu_cosh(void) { SFPU_HYPERBOLIC(SFPU_ONE); }

TT_INLINE void sfpu_sinh(void) {
  SFPU_HYPERBOLIC(SFPU_MINUS_ONE);
  SFPU_MOVE(6, 7);
  SFPU_TAKE_SIGN(6, 0);
  SFPU_MUL(4, 7, 7);
  SFPU_CONSTANT(0, 0x363d132cu);
  SFPU_STEP(0, 4, 1, 0x394fff0au);
  SFPU_STEP(0, 4, 1, 0x3c08889bu);
  SFPU_STEP(0, 4, 1, 0x3e2aaaabu);
  SFPU_MUL(0, 0, 4);
  SFPU_MAD(0, 0, 7, 7);
  SFPU_ABS(1, 7);
  SFPU_SHORT(2, 0x3f80);
  SFPU_IF_LESS_EQUAL(2, 1);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
}

TT_INLINE void sfpu_asinh(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(6, 0);
  SFPU_MAD(0, 6, 6, SFPU_ONE);
  sfpu_sqrt_core();
  SFPU_SHORT(1, 0x4580); /* 4096; above it sqrt(x x + 1) rounds to x */
  SFPU_IF_GREATER(6, 1);
  SFPU_MOVE(0, 6);
  SFPU_ENDIF;
  SFPU_ADD(0, 0, 6);
  SFPU_MOVE(5, 0);
  sfpu_log_core();
  SFPU_LOG_SPECIALS();
  SFPU_MUL(4, 7, 7);
  SFPU_CONSTANT(5, 0x3c165bc6u);
  SFPU_STEP(5, 4, 1, 0xbca3bbcbu);
  SFPU_STEP(5, 4, 1, 0x3cf5e1d0u);
  SFPU_STEP(5, 4, 1, 0xbd36bca5u);
  SFPU_STEP(5, 4, 1, 0x3d999907u);
  SFPU_STEP(5, 4, 1, 0xbe2aaaaau);
  SFPU_MUL(5, 5, 4);
  SFPU_MAD(5, 5, 6, 6);
  SFPU_SHORT(1, 0x3f00);
  SFPU_IF_LESS_EQUAL(6, 1);
  SFPU_MOVE(0, 5);
  SFPU_ENDIF;
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
}

/* log1p(t + sqrt(t (t + 2))), t = x - 1 */
TT_INLINE void sfpu_acosh(void) {
  SFPU_ADD(6, 0, SFPU_MINUS_ONE);
  SFPU_SHORT(1, 0x4000);
  SFPU_ADD(0, 6, 1);
  SFPU_MUL(0, 0, 6);
  sfpu_sqrt_core();
  SFPU_SHORT(1, 0x4580);
  SFPU_IF_GREATER(6, 1);
  SFPU_ADD(0, 6, SFPU_ONE);
  SFPU_ENDIF;
  SFPU_MOVE(7, 6);
  SFPU_ADD(0, 0, 6);
  sfpu_log1p();
  SFPU_IF_NEGATIVE(7);
  SFPU_SHORT(0, 0x7fc0);
  SFPU_ENDIF;
}

/* log1p(2 a / (1 - a)) / 2 */
TT_INLINE void sfpu_atanh(void) {
  SFPU_MOVE(7, 0);
  SFPU_ABS(6, 0);
  SFPU_SUB(0, SFPU_ONE, 6);
  sfpu_recip_number();
  SFPU_ADD(6, 6, 6);
  SFPU_MUL(0, 0, 6);
  sfpu_log1p();
  SFPU_SHORT(1, 0x3f00);
  SFPU_MUL(0, 0, 1);
  SFPU_TAKE_SIGN(7, 0);
  SFPU_MOVE(0, 7);
}

#endif
#endif
