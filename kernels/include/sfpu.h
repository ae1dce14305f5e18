/* Functions of one number, on tiles in Dst, by the vector unit: FP32 arithmetic on 32 lanes, 32 rounds a tile.
 *
 *   exp    2^n p(r): n by adding 1.5*2^23, r = x - n ln2 in two steps, p of degree 6; |x| beyond 87 is cut off
 *   recip  SFPARECIP and two Newton steps; sqrt, rsqrt: the shifted-exponent guess and three Newton steps
 *   the others from these. Errors: docs/writing-a-kernel.md, measured by tests/test_kernels.c
 *
 * Registers: L0 is the argument and the result, L1..L6 are scratch; L9 is 0, L10 is 1.
 * ISA: SFPMAD.md, SFPLOADI.md, SFPSHFT.md, SFPIADD.md, SFPSWAP.md, SFPARECIP.md. A result of SFPMAD that SFPIADD, SFPSHFT
 * or SFPSWAP takes as its VD is not interlocked: an SFPNOP stands between them. */
#ifndef TENSIX_SFPU_H
#define TENSIX_SFPU_H

#include "math_ops.h"

enum sfpu_function {
  SFPU_EXP,
  SFPU_RECIP,
  SFPU_SQRT,
  SFPU_RSQRT,
  SFPU_SIGMOID,
  SFPU_TANH,
  SFPU_GELU,
  SFPU_SILU,
  SFPU_RELU,
  SFPU_ABS,
  SFPU_SQUARE,
  SFPU_NEGATIVE,
  SFPU_FUNCTIONS
};

#ifdef TRISC_MATH

#define SFPU_ZERO 9
#define SFPU_ONE 10

/* A 32-bit constant into a register. */
#define SFPU_CONSTANT(reg, bits) \
  do { \
    TTI_SFPLOADI(reg, 10, (bits)&0xffffu); /* low half */ \
    TTI_SFPLOADI(reg, 8, (bits) >> 16);    /* high half */ \
  } while (0)
#define SFPU_MAD(d, a, b, c) TTI_SFPMAD(a, b, c, d, 0)
#define SFPU_MUL(d, a, b) TTI_SFPMUL(a, b, SFPU_ZERO, d, 0)
#define SFPU_ADD(d, b, c) TTI_SFPADD(SFPU_ONE, b, c, d, 0)
#define SFPU_MOVE(d, c) TTI_SFPMOV(0, c, d, 0)
#define SFPU_NEGATE(d, c) TTI_SFPMOV(0, c, d, 1)
/* low = the smaller, high = the larger. Takes two cycles. */
#define SFPU_SORT(low, high) \
  do { \
    TTI_SFPNOP; \
    TTI_SFPSWAP(0, high, low, 1); \
    TTI_SFPNOP; \
  } while (0)

/* L0 = e^L0 */
TT_INLINE void sfpu_exp(void) {
  SFPU_CONSTANT(1, 0x42b10000u); /* 88.5 */
  SFPU_SORT(0, 1);
  SFPU_CONSTANT(1, 0xc2ae0000u); /* -87 */
  SFPU_SORT(1, 0);
  SFPU_CONSTANT(1, 0x3fb8aa3bu); /* log2 e */
  SFPU_CONSTANT(2, 0x4b400000u); /* 1.5 * 2^23 */
  SFPU_MAD(3, 0, 1, 2);          /* its low bits are n */
  SFPU_NEGATE(2, 2);
  SFPU_ADD(4, 3, 2);             /* n as a number */
  SFPU_CONSTANT(1, 0xbf318000u); /* -ln2, upper part */
  SFPU_MAD(0, 4, 1, 0);
  SFPU_CONSTANT(1, 0x395e8083u); /* -ln2, rest */
  SFPU_MAD(0, 4, 1, 0);
  TTI_SFPSHFT(23, 0, 3, 1);      /* n in the place of the exponent */
  SFPU_CONSTANT(1, 0x3ab60b61u); /* 1/720 */
  SFPU_CONSTANT(2, 0x3c088889u); /* 1/120 */
  SFPU_MAD(1, 1, 0, 2);
  SFPU_CONSTANT(2, 0x3d2aaaabu); /* 1/24 */
  SFPU_MAD(1, 1, 0, 2);
  SFPU_CONSTANT(2, 0x3e2aaaabu); /* 1/6 */
  SFPU_MAD(1, 1, 0, 2);
  TTI_SFPLOADI(2, 0, 0x3f00); /* 1/2 */
  SFPU_MAD(1, 1, 0, 2);
  SFPU_MAD(1, 1, 0, SFPU_ONE);
  SFPU_MAD(0, 1, 0, SFPU_ONE);
  TTI_SFPNOP;
  TTI_SFPIADD(0, 3, 0, 4); /* L0 = L3 + L0 as integers; flags untouched */
}

/* L0 = 1 / L0; for 0 and infinity what the unit's approximation gives is not refined */
TT_INLINE void sfpu_recip(void) {
  TTI_SFPARECIP(0, 0, 1, 0);
  for (uint32_t i = 0; i < 2; i++) {
    TTI_SFPMAD(0, 1, SFPU_ONE, 2, 1); /* L2 = 1 - L0 L1: modifier 1 negates the product */
    SFPU_MAD(1, 1, 2, 1);
  }
  SFPU_MOVE(0, 1);
}

/* L1 = 1 / sqrt(L0); L0 stays */
TT_INLINE void sfpu_rsqrt_of_l0(void) {
  SFPU_MOVE(2, 0);
  TTI_SFPSHFT((uint32_t)-1 & 0xfffu, 0, 2, 1);
  SFPU_CONSTANT(1, 0x5f3759dfu);
  TTI_SFPIADD(0, 1, 2, 6); /* L2 = L1 - L2 */
  SFPU_MOVE(1, 2);
  TTI_SFPLOADI(3, 0, 0xbf00); /* -1/2 */
  TTI_SFPLOADI(4, 0, 0x3fc0); /* 3/2 */
  SFPU_MUL(3, 3, 0);          /* -x/2 */
  for (uint32_t i = 0; i < 3; i++) {
    SFPU_MUL(2, 1, 1);
    SFPU_MAD(2, 2, 3, 4);
    SFPU_MUL(1, 1, 2);
  }
}

/* L0 = 1 / (1 + e^-L0) */
TT_INLINE void sfpu_sigmoid(void) {
  SFPU_NEGATE(0, 0);
  sfpu_exp();
  SFPU_ADD(0, 0, SFPU_ONE);
  sfpu_recip();
}

TT_INLINE void sfpu_tanh(void) {
  SFPU_ADD(0, 0, 0);
  sfpu_sigmoid();
  SFPU_ADD(0, 0, 0);
  TTI_SFPLOADI(1, 0, 0xbf80);
  SFPU_ADD(0, 0, 1);
}

/* x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)): the usual approximation of GELU */
TT_INLINE void sfpu_gelu(void) {
  SFPU_MOVE(5, 0);
  SFPU_MUL(1, 0, 0);
  SFPU_CONSTANT(2, 0x3d372713u);
  SFPU_MAD(1, 1, 2, SFPU_ONE);
  SFPU_MUL(0, 0, 1);
  SFPU_CONSTANT(2, 0x3fcc422au);
  SFPU_MUL(0, 0, 2);
  sfpu_sigmoid();
  SFPU_MUL(0, 0, 5);
}

TT_INLINE void sfpu_silu(void) {
  SFPU_MOVE(5, 0);
  sfpu_sigmoid();
  SFPU_MUL(0, 0, 5);
}

TT_INLINE void sfpu_relu(void) {
  TTI_SFPLOADI(1, 0, 0);
  SFPU_SORT(1, 0);
}

TT_INLINE void sfpu_body(uint32_t function) {
  switch (function) {
    case SFPU_EXP: sfpu_exp(); break;
    case SFPU_RECIP: sfpu_recip(); break;
    case SFPU_SQRT:
      sfpu_rsqrt_of_l0();
      SFPU_MUL(0, 0, 1);
      break;
    case SFPU_RSQRT:
      sfpu_rsqrt_of_l0();
      SFPU_MOVE(0, 1);
      break;
    case SFPU_SIGMOID: sfpu_sigmoid(); break;
    case SFPU_TANH: sfpu_tanh(); break;
    case SFPU_GELU: sfpu_gelu(); break;
    case SFPU_SILU: sfpu_silu(); break;
    case SFPU_RELU: sfpu_relu(); break;
    case SFPU_ABS: TTI_SFPABS(0, 0, 0, 1); break;
    case SFPU_SQUARE: SFPU_MUL(0, 0, 0); break;
    case SFPU_NEGATIVE: SFPU_NEGATE(0, 0); break;
    default: KERNEL_CHECK(0, "no such function of the vector unit"); break;
  }
}

/* How Dst holds its numbers: INT32, FP32, FP16 or BF16. ISA: SFPLOAD.md */
TT_INLINE uint32_t sfpu_dst_mode(void) {
  if (math_dst_is_int) return InstrModLoadStore_INT32;
  return DST_ACCUM_MODE ? InstrModLoadStore_FP32 : math_dst_is_a ? InstrModLoadStore_FP16A : InstrModLoadStore_FP16B;
}

TT_INLINE void math_sfpu_tile(uint32_t function, uint32_t dst) {
  uint32_t mode = sfpu_dst_mode();
  KERNEL_CHECK(!math_dst_is_int || function == SFPU_RELU, "functions of the vector unit take floats; of integers only relu");
  math_set_dst_tile(dst);
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_D);
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH); /* the matrix unit's results are in Dst */
  for (uint32_t i = 0; i < 32; i++) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, 0);
    sfpu_body(function);
    TT_SFPSTORE(0, mode, ADDR_MOD_6, 0);
  }
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}

#endif

/* Dst tile `dst` = function of each of its numbers. Uses address modes 6 and 7: a matmul with throttle needs its init again.
 */
TT_INLINE void sfpu_tile(uint32_t function, uint32_t dst) {
  MATH(math_sfpu_tile(function, dst);)
  (void)function, (void)dst;
}

/* Nothing is kept between tiles, so there is nothing to start. */
#define SFPU_INIT(name) \
  TT_INLINE void name##_tile_init(void) {}
SFPU_INIT(exp)
SFPU_INIT(recip)
SFPU_INIT(sqrt)
SFPU_INIT(rsqrt)
SFPU_INIT(sigmoid)
SFPU_INIT(tanh)
SFPU_INIT(gelu)
SFPU_INIT(silu)
SFPU_INIT(relu)
SFPU_INIT(abs)
SFPU_INIT(square)
SFPU_INIT(negative)

TT_INLINE void exp_tile(uint32_t dst) { sfpu_tile(SFPU_EXP, dst); }
TT_INLINE void recip_tile(uint32_t dst) { sfpu_tile(SFPU_RECIP, dst); }
TT_INLINE void sqrt_tile(uint32_t dst) { sfpu_tile(SFPU_SQRT, dst); }
TT_INLINE void rsqrt_tile(uint32_t dst) { sfpu_tile(SFPU_RSQRT, dst); }
TT_INLINE void sigmoid_tile(uint32_t dst) { sfpu_tile(SFPU_SIGMOID, dst); }
TT_INLINE void tanh_tile(uint32_t dst) { sfpu_tile(SFPU_TANH, dst); }
TT_INLINE void gelu_tile(uint32_t dst) { sfpu_tile(SFPU_GELU, dst); }
TT_INLINE void silu_tile(uint32_t dst) { sfpu_tile(SFPU_SILU, dst); }
TT_INLINE void relu_tile(uint32_t dst) { sfpu_tile(SFPU_RELU, dst); }
TT_INLINE void abs_tile(uint32_t dst) { sfpu_tile(SFPU_ABS, dst); }
TT_INLINE void square_tile(uint32_t dst) { sfpu_tile(SFPU_SQUARE, dst); }
TT_INLINE void negative_tile(uint32_t dst) { sfpu_tile(SFPU_NEGATIVE, dst); }

#endif
