/* The lanes' arithmetic in vectors: the body that lanes_base.c, lanes_avx2.c and lanes_avx512.c compile for their
 * target. They set NUM_VEC_BYTES and LANES_TABLE (the name of the table) first. Compared with lanes_scalar.c by
 * tests/test_vector_tables.c. */
#include "tensix/num/fma.h"
#include "tensix/num/fma_lanes.h"
#include "tensix/unit/vector/lanes.h"

#define SIGN 0x80000000u

NUM_VEC_INLINE void put(const struct tx_lane_args *x, unsigned chunk, num_vec value) {
  if (x->mask != TX_ALL_LANES) value = vec_if(vec_from_bits(x->mask >> chunk * NUM_VEC_LANES), value, vec_load(x->d, chunk));
  vec_store(x->d, chunk, value);
}

#define A vec_load(x->a, k)
#define B vec_load(x->b, k)
#define C vec_load(x->c, k)

/* `statement` for every chunk k, without a loop where the chunks are few. */
#define CHUNK(number, statement) \
  { \
    enum { k = number }; \
    statement; \
  }
#define CHUNK_LOOP(statement) \
  for (unsigned k = 0; k < NUM_VEC_CHUNKS; k++) statement;
#if NUM_VEC_BYTES == 64
#define EACH_CHUNK(statement) CHUNK(0, statement) CHUNK(1, statement)
#define EACH_CHUNK_OF_MANY EACH_CHUNK
#elif NUM_VEC_BYTES == 32
#define EACH_CHUNK(statement) CHUNK(0, statement) CHUNK(1, statement) CHUNK(2, statement) CHUNK(3, statement)
#define EACH_CHUNK_OF_MANY CHUNK_LOOP /* of many operations: a loop keeps their constants in the 16 registers */
#else
#define EACH_CHUNK CHUNK_LOOP
#define EACH_CHUNK_OF_MANY CHUNK_LOOP
#endif

/* An operation as a function of its own (the table) and as a part of a run: `value` is computed for every chunk k. */
#define OPERATION(name) \
  NUM_VEC_INLINE uint32_t name##_inline(const struct tx_lane_args *x); \
  static uint32_t name(const struct tx_lane_args *x) { return name##_inline(x); } \
  NUM_VEC_INLINE uint32_t name##_inline(const struct tx_lane_args *x)
#define EACH_LANE(name, value) \
  OPERATION(name) { \
    EACH_CHUNK(put(x, k, (value))) \
    return 0; \
  }
#define EACH_LANE_OF_MANY(name, value) \
  OPERATION(name) { \
    EACH_CHUNK_OF_MANY(put(x, k, (value))) \
    return 0; \
  }
#define EACH_BIT(name, truth) \
  OPERATION(name) { \
    uint32_t bits = 0; \
    EACH_CHUNK(bits |= vec_to_bits(truth) << k * NUM_VEC_LANES) \
    return bits & x->mask; \
  }

/* --- multiply-add --- */

/* Infinities, NaN and overflowing products: one lane at a time. */
static __attribute__((noinline)) num_vec special_lanes(num_vec a, num_vec b, num_vec c, num_vec result, uint32_t special) {
  for (; special; special &= special - 1) {
    unsigned l = (unsigned)__builtin_ctz(special);
    result[l] = num_fma32(a[l], b[l], c[l]);
  }
  return result;
}

NUM_VEC_INLINE num_vec multiply_add(num_vec a, num_vec b, num_vec c) {
  vec_odd odd = vec_odd_none();
  num_vec result = vec_fma32(a, b, c, &odd);
  if (__builtin_expect(vec_odd_lanes(odd) != 0, 0)) result = special_lanes(a, b, c, result, vec_odd_lanes(odd));
  return result;
}

/* 23 x 23 bits in pieces of 12 and 11; SFPMUL24.md's disturbance by VC as in lanes_scalar.c. */
NUM_VEC_INLINE num_vec multiply24(num_vec a, num_vec b, num_vec c, uint32_t upper) {
  a &= 0x7fffffu;
  b &= 0x7fffffu;
  num_vec product = a * b & 0x7fffffu;
  if (upper) {
    num_vec ah = a >> 12, al = a & 0xfffu, bh = b >> 12, bl = b & 0xfffu;
    num_vec middle = ah * bl + al * bh;
    num_vec low = al * bl + ((middle & 0xfffu) << 12); /* product = (ah bh + middle >> 12) << 24 | low, 25 bits of low */
    product = ((ah * bh + (middle >> 12)) << 1) + (low >> 23);
  }
  num_vec exponent = c >> 23 & 255u;
  num_vec larger = vec_if(vec_lt(vec_all(129), exponent), exponent, vec_all(129));
  num_vec wide = ((c & 0x7fffffu) | 0x800000u) << 3, by = (larger - exponent) & 31u;
  num_vec moved = product >> ((larger - 129u) & 31u), kept = wide >> by;
  num_vec carry = vec_lt(vec_all(0xffff), (kept << by) ^ wide) & 0x10000u;
  num_vec altered = vec_if(vec_eq(kept, vec_all(0)), moved, (moved + kept + carry) & 0x7fffffu);
  return vec_if(vec_eq(exponent, vec_all(0)), product, altered);
}

NUM_VEC_INLINE num_vec lut8(num_vec x) {
  x &= 0xffu;
  num_vec value = (x & 0x80u) << 24 | (127u - (x >> 4 & 7u)) << 23 | (x & 15u) << 19;
  return value & vec_ne(x, vec_all(0xff));
}

NUM_VEC_INLINE num_vec lut16(num_vec x) {
  num_vec exponent = x >> 10 & 31u, field = (exponent + 112u) & vec_ne(exponent, vec_all(31));
  return (x & 0x8000u) << 16 | field << 23 | (x & 0x3ffu) << 13;
}

NUM_VEC_INLINE num_vec choose3(num_vec first, num_vec second, const tx_row *regs, unsigned from, unsigned k) {
  return vec_if(first, vec_load(regs[from], k), vec_if(second, vec_load(regs[from + 1], k), vec_load(regs[from + 2], k)));
}

NUM_VEC_INLINE num_vec with_sign(num_vec to, num_vec from, uint32_t wanted) {
  return wanted ? (to & ~SIGN) | (from & SIGN) : to;
}

NUM_VEC_INLINE num_vec look_up(const tx_row *regs, unsigned k, uint32_t mode) {
  num_vec in = vec_load(regs[3], k), b = in & ~SIGN;
  num_vec pair = choose3(vec_lt(b, vec_all(0x3f800000u)), vec_lt(b, vec_all(0x40000000u)), regs, 0, k);
  return with_sign(multiply_add(lut8(pair >> 8), b, lut8(pair)), in, mode & 4u);
}

NUM_VEC_INLINE num_vec look_up32(const tx_row *regs, unsigned k, uint32_t mode) {
  num_vec in = vec_load(regs[3], k), b = in & ~SIGN;
  num_vec first = vec_lt(b, vec_all(0x3f800000u)), second = vec_lt(b, vec_all(0x40000000u));
  num_vec a = choose3(first, second, regs, 0, k), c = choose3(first, second, regs, 4, k);
  if ((mode & 10u) == 10u) {
    c = lut16(a & 0xffffu);
    a = lut16(a >> 16);
  } else if (mode & 2u) {
    num_vec last = vec_all(mode & 1u ? 0x40800000u : 0x40400000u);
    num_vec cut = vec_if(first, vec_all(0x3f000000u), vec_if(second, vec_all(0x3fc00000u), last));
    num_vec from = ~vec_lt(b, cut) & 16u;
    a = lut16(a >> from & 0xffffu);
    c = lut16(c >> from & 0xffffu);
  }
  return with_sign(multiply_add(a, b, c), in, mode & 4u);
}

/* The lanes `special` of the result by the plain version. */
static void replace_special(const struct tx_lane_args *x, enum tx_lane_op op, uint32_t special, num_vec *result) {
  tx_row exact;
  struct tx_lane_args plain = *x;
  plain.d = exact;
  plain.mask = special;
  tx_lanes_scalar.fn[op](&plain);
  for (; special; special &= special - 1) {
    unsigned l = (unsigned)__builtin_ctz(special);
    result[l / NUM_VEC_LANES][l % NUM_VEC_LANES] = exact[l];
  }
}

/* An operation that notes lanes which need the plain version. The row d may be an operand, so nothing is written before all lanes are known to be
 * plain: plain_`name` returns 0 if some are not. */
#define REAL_OPERATION(name, value) \
  static __attribute__((noinline)) void special_##name(const struct tx_lane_args *x) { \
    num_vec result[NUM_VEC_CHUNKS]; \
    uint32_t special = 0; \
    for (unsigned k = 0; k < NUM_VEC_CHUNKS; k++) { \
      vec_odd odd = vec_odd_none(); \
      result[k] = (value); \
      special |= vec_odd_lanes(odd) << k * NUM_VEC_LANES; \
    } \
    replace_special(x, TX_LANE_##name, special & x->mask, result); \
    for (unsigned k = 0; k < NUM_VEC_CHUNKS; k++) put(x, k, result[k]); \
  } \
  NUM_VEC_INLINE uint32_t plain_##name(const struct tx_lane_args *x) { \
    num_vec result[NUM_VEC_CHUNKS]; \
    vec_odd odd = vec_odd_none(); \
    EACH_CHUNK(result[k] = (value)) \
    if (__builtin_expect(vec_odd_lanes(odd) != 0, 0)) return 0; \
    EACH_CHUNK(put(x, k, result[k])) \
    return 1; \
  } \
  static uint32_t name(const struct tx_lane_args *x) { \
    if (!plain_##name(x)) special_##name(x); \
    return 0; \
  }
REAL_OPERATION(MAD, vec_fma32(A ^ x->i, B, C ^ x->j, &odd))
REAL_OPERATION(MUL_REAL, vec_mul32(A ^ x->i, B, &odd))
REAL_OPERATION(ADD_REAL, vec_add32(B ^ x->i, C ^ x->j, &odd))

EACH_LANE_OF_MANY(MUL24, multiply24(A, B, C, x->i))
EACH_LANE_OF_MANY(LUT, look_up(x->regs, k, x->i))
EACH_LANE_OF_MANY(LUT32, look_up32(x->regs, k, x->i))

/* --- integers and fields --- */

NUM_VEC_INLINE num_vec shift(num_vec value, num_vec by, uint32_t arithmetic) {
  num_vec left = value << (by & 31u), amount = (0u - by) & 31u;
  num_vec right = arithmetic ? vec_sar(value, amount) : value >> amount;
  return vec_if(vec_slt(by, vec_all(0)), right, left);
}

NUM_VEC_INLINE num_vec add_exponent(num_vec c, uint32_t by) {
  num_vec exponent = c >> 23 & 255u, sum = (c & ~0x7f800000u) | ((exponent + by) & 255u) << 23;
  return vec_if(vec_eq(exponent, vec_all(255)), c, sum);
}

NUM_VEC_INLINE num_vec leading_zeros(num_vec c) {
  num_vec zeros;
  vec_normalise(c, &zeros);
  return vec_if(vec_eq(c, vec_all(0)), vec_all(32), zeros);
}

#include "tensix/unit/vector/lanes_common.h"
EACH_LANE_OF_MANY(SHIFT, shift(B, C, x->i))
EACH_LANE(SHIFTI, shift(B, vec_all(x->i), x->j))
EACH_LANE(ABS_INTEGER, vec_sabs(C))
EACH_LANE(ABS_REAL, C & ~(vec_lt(C, vec_all(0xff800001u)) & SIGN))
EACH_LANE_OF_MANY(LEADING_ZEROS, leading_zeros(C & x->i))

/* --- conversions --- */

NUM_VEC_INLINE num_vec cast(num_vec c, num_vec *normal) {
  num_vec magnitude = c & ~SIGN, zeros;
  *normal = vec_normalise(magnitude, &zeros);
  num_vec d = (c & SIGN) + ((157u - zeros) << 23) + (*normal >> 8);
  return vec_if(vec_eq(magnitude, vec_all(0)), c, d);
}

/* The leading one at bit 30, where adding to round up cannot overflow, and no bit is lost: a magnitude has 31 bits. */
NUM_VEC_INLINE num_vec cast_nearest(num_vec c) {
  num_vec magnitude = c & ~SIGN, zeros, normal = vec_normalise(magnitude, &zeros) >> 1;
  num_vec d = ((157u - zeros) << 23) + ((normal + 0x3fu + (normal >> 7 & 1u)) >> 7);
  return (d & ~vec_eq(magnitude, vec_all(0))) | (c & SIGN);
}

NUM_VEC_INLINE num_vec cast_random(num_vec c, num_vec random) {
  num_vec normal, d = cast(c, &normal);
  return d - vec_lt(random >> 9 & 0xfeu, normal & 0xfeu);
}

NUM_VEC_INLINE num_vec round_real(num_vec c, num_vec limit, uint32_t drop) {
  num_vec exponent = c >> 23 & 255u, lost = c & ((1u << drop) - 1u);
  num_vec rounded = c - lost + (~vec_lt(lost, limit >> (23u - drop)) & (1u << drop));
  num_vec large = vec_if(vec_eq(exponent, vec_all(255)), c & 0xff800000u, rounded);
  return large & vec_ne(exponent, vec_all(0));
}

/* To nearest: half of the dropped part carries when it is at or above the limit. */
NUM_VEC_INLINE num_vec round_real_nearest(num_vec c, uint32_t drop) {
  const uint32_t half = 1u << (drop - 1u);
  num_vec exponent = c & 0x7f800000u, rounded = (c + half) & (0u - 2u * half);
  num_vec large = vec_if(vec_eq(exponent, vec_all(0x7f800000u)), c & 0xff800000u, rounded);
  return large & ~vec_eq(exponent, vec_all(0));
}

NUM_VEC_INLINE num_vec clamp(num_vec magnitude, uint32_t max, num_vec sign) {
  magnitude = vec_min(magnitude, vec_all(max));
  return magnitude | (sign & ~vec_eq(magnitude, vec_all(0)));
}

/* Integer part and fraction (23 bits) of 1.m * 2^e for -1 <= e < 16, without 64-bit lanes. */
NUM_VEC_INLINE num_vec round_integer(num_vec c, num_vec limit, uint32_t max, uint32_t keep) {
  num_vec e = (c >> 23 & 255u) - 126u; /* so 0 <= e < 17 is the range */
  num_vec fixed = (c & 0x7fffffu) | 0x800000u, within = vec_lt(e, vec_all(17));
  num_vec by = e & within;
  num_vec whole = fixed >> (24u - by), fraction = (fixed << by) >> 1 & 0x7fffffu;
  num_vec rounded = clamp(whole - ~vec_lt(fraction, limit), max, c & keep);
  num_vec large = vec_all(max) + (c & keep);
  num_vec small = vec_slt(e, vec_all(0));
  return vec_if(within, rounded, large) & ~small;
}

/* To nearest, with one bit below the integer: large numbers exceed every maximum, small ones are shifted out. */
NUM_VEC_INLINE num_vec round_integer_nearest(num_vec c, uint32_t max, uint32_t keep) {
  num_vec fixed = (c & 0x7fffffu) | 0x800000u, by = vec_smax(149u - ((c << 1) >> 24), vec_all(0));
  return clamp((vec_shift_out(fixed, by) + 1u) >> 1, max, c & keep);
}

NUM_VEC_INLINE num_vec descale(num_vec c, num_vec by, num_vec limit, uint32_t max, uint32_t keep) {
  num_vec magnitude = c & ~SIGN;
  by &= 31u;
  num_vec up = (32u - by) & 31u, lost = (magnitude << up) & vec_ne(by, vec_all(0)); /* the dropped bits, from bit 31 down */
  num_vec rounded = (magnitude >> by) - ~vec_lt(lost >> 9, limit);
  return clamp(rounded, max, c & keep);
}

/* XOR of bits 31, 21, 1 and 0, inverted, becomes the new top bit. */
NUM_VEC_INLINE num_vec step_prng(num_vec s) {
  num_vec odd = (s >> 31) ^ (s >> 21) ^ (s >> 1) ^ s;
  return s >> 1 | ~odd << 31;
}

/* Sign-magnitude order as an unsigned key: negative numbers inverted, positive ones above them. */
NUM_VEC_INLINE num_vec order_key(num_vec a) { return a ^ (vec_slt(a, vec_all(0)) | SIGN); }

EACH_LANE_OF_MANY(CAST, cast_nearest(C))
EACH_LANE_OF_MANY(CAST_RANDOM, cast_random(C, A))
EACH_LANE(NEGATE_MAGNITUDE, vec_sabs(C) | (C & SIGN))
EACH_LANE_OF_MANY(ROUND_REAL, round_real(C, A, x->i))
EACH_LANE_OF_MANY(ROUND_INTEGER, round_integer(C, A, x->i, x->j))
EACH_LANE_OF_MANY(DESCALE, descale(C, B, A, x->i, x->j))
EACH_LANE(STEP_PRNG, step_prng(vec_load(x->d, k)))
EACH_BIT(IS_NEGATIVE, vec_slt(C, vec_all(0)))
EACH_BIT(IS_ZERO, vec_eq(C & x->i, vec_all(0)))
EACH_BIT(IS_SMALLER, vec_lt(order_key(C), order_key(B)))
EACH_LANE(SET, vec_all(x->i))

/* As many steps at once, up to 8: the new bits follow from the old ones, and from each other by an XOR of all before (bit 31). */
NUM_VEC_INLINE num_vec step_prng_by(num_vec s, uint32_t steps) {
  num_vec bits = ~((s >> 21) ^ (s >> 1) ^ s) ^ (s >> 31);
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  return s >> steps | bits << (32u - steps);
}

static void step_generators(uint32_t *generators, unsigned steps) {
  while (steps > 1) {
    const unsigned now = steps < 8 ? steps : 8;
    EACH_CHUNK(vec_store(generators, k, step_prng_by(vec_load(generators, k), now)))
    steps -= now;
  }
  if (steps) {
    EACH_CHUNK(vec_store(generators, k, step_prng(vec_load(generators, k))))
  }
}

/* `name`_alone leaves the generators as they are. */
#define WITH_GENERATORS(name, value) \
  NUM_VEC_INLINE void name##_alone(const struct tx_lane_args *x){EACH_CHUNK_OF_MANY(put(x, k, (value)))} OPERATION(name) { \
    const struct tx_lane_args generators = {.d = (uint32_t *)x->a, .mask = x->mask}; \
    EACH_CHUNK_OF_MANY({ \
      put(x, k, (value)); \
      put(&generators, k, step_prng(A)); \
    }) \
    return 0; \
  }
WITH_GENERATORS(ROUND_REAL_NEAREST, round_real_nearest(C, x->i))
WITH_GENERATORS(ROUND_INTEGER_NEAREST, round_integer_nearest(C, x->i, x->j))

OPERATION(COPY) {
  EACH_CHUNK(vec_store(x->d, k, C))
  return 0;
}

NUM_VEC_INLINE void sort(const struct tx_lane_args *x, unsigned k) {
  num_vec c = C, d = vec_load(x->d, k);
  num_vec exchanged = vec_eq(vec_lt(order_key(c), order_key(d)), vec_from_bits(x->i >> k * NUM_VEC_LANES));
  if (x->mask != TX_ALL_LANES) exchanged &= vec_from_bits(x->mask >> k * NUM_VEC_LANES);
  vec_store(x->d, k, vec_if(exchanged, c, d));
  vec_store((uint32_t *)x->c, k, vec_if(exchanged, d, c));
}

OPERATION(SORT) {
  EACH_CHUNK_OF_MANY(sort(x, k))
  return 0;
}

/* Table look-ups stay one lane at a time. */
static uint32_t RECIPROCAL(const struct tx_lane_args *x) { return tx_lanes_scalar.fn[TX_LANE_RECIPROCAL](x); }
static uint32_t EXPONENTIAL(const struct tx_lane_args *x) { return tx_lanes_scalar.fn[TX_LANE_EXPONENTIAL](x); }

/* --- Dst --- */

NUM_VEC_INLINE num_vec to_dst(num_vec x) { return (x & 0x8000ffffu) | (x & 0x7f800000u) >> 7 | (x & 0x7f0000u) << 8; }

/* Without the wanted exponent bits: zero of its sign. */
NUM_VEC_INLINE num_vec flushed(num_vec x, uint32_t exponent) {
  return exponent ? x & (vec_ne(x & exponent, vec_all(0)) | SIGN) : x;
}

/* A lane's half from bit `from` on (0 or 16) is replaced by the same half of `value`. */
NUM_VEC_INLINE num_vec put_half(num_vec pair, num_vec value, uint32_t from) {
  return vec_if(vec_all(0xffffu << from), value, pair);
}

/* Upper halves of FP32 in Dst's order, by operations of 16 bits; the lower halves have no meaning. */
NUM_VEC_INLINE num_vec halves_to_dst(num_vec x, uint32_t flush) {
  num_vec16 wide = (num_vec16)x, exponent = (wide << 1) >> 8, mantissa = (wide << 9) >> 1;
  if (flush) mantissa &= ~(num_vec16)(exponent == 0);
  return (num_vec)(mantissa | exponent | (wide & 0x8000u));
}

#if NUM_VEC_BYTES > 16
/* Bytes of pairs by one permutation: byte 0 is the exponent, byte 1 sign and mantissa of the half at bit 0; 0x80: a byte of zero. */
NUM_VEC_INLINE num_vec bytes_of(num_vec pair, uint32_t bytes, uint32_t each, uint32_t from) {
  const num_vec first = vec_first_bytes() * each; /* of the lane in its group of 16 bytes */
  return vec_permute(pair, first + (bytes + (from >> 3) * each));
}
NUM_VEC_INLINE num_vec bf16_of(num_vec pair, uint32_t from) {
  return bytes_of(pair, 0x00808080u, 0x01000000u, from) >> 1 |
         (bytes_of(pair, 0x01018080u, 0x01010000u, from) & 0x807f0000u);
}
NUM_VEC_INLINE num_vec half_of(num_vec pair, uint32_t from) { return bytes_of(pair, 0x80800100u, 0x00000101u, from); }
#else
NUM_VEC_INLINE num_vec from_dst(num_vec x) { return (x & 0x8000ffffu) | (x & 0xff0000u) << 7 | (x & 0x7f000000u) >> 8; }
NUM_VEC_INLINE num_vec bf16_of(num_vec pair, uint32_t from) { return from_dst((pair >> from) << 16); }
NUM_VEC_INLINE num_vec half_of(num_vec pair, uint32_t from) { return pair >> from & 0xffffu; }
#endif

EACH_LANE(LOAD16, half_of(A, x->i))
EACH_LANE(LOAD_BF16, bf16_of(A, x->i))
EACH_LANE(LOAD32, bf16_of(A, x->i) | half_of(B, x->i))
EACH_LANE(ENCODE32, to_dst(flushed(C, x->i)))
EACH_LANE(STORE16, put_half(vec_load(x->d, k), (C >> x->j) << x->i, x->i))

NUM_VEC_INLINE void store32(const struct tx_lane_args *x, unsigned k) {
  const struct tx_lane_args low = {.d = x->d + TX_LANE_LOW_HALVES, .mask = x->mask};
  num_vec datum = flushed(C, x->j);
  put(x, k, put_half(vec_load(x->d, k), halves_to_dst(datum, 0) >> (16u - x->i), x->i));
  put(&low, k, put_half(vec_load(low.d, k), datum << x->i, x->i));
}

OPERATION(STORE32) {
  EACH_CHUNK_OF_MANY(store32(x, k))
  return 0;
}

EACH_LANE(STORE_BF16, put_half(vec_load(x->d, k), halves_to_dst(C, 1) >> (16u - x->i), x->i))

/* --- runs --- */

/* Operations of a run without the call and the test of the mask of a single one. */
#define IN_RUNS(STEP) \
  STEP(COPY) \
  STEP(SORT) \
  STEP(ADD) \
  STEP(SUB) \
  STEP(ADDI) \
  STEP(AND) \
  STEP(OR) \
  STEP(XOR) \
  STEP(NOT) \
  STEP(FLIP) \
  STEP(MERGE) \
  STEP(MERGE_EXPONENT) \
  STEP(SHIFT) \
  STEP(SHIFTI) \
  STEP(CAST) \
  STEP(LOAD_BF16) \
  STEP(LOAD32) \
  STEP(STORE_BF16) \
  STEP(STORE32)

static __attribute__((noinline)) void run_one_by_one(void *base, const struct tx_lane_step *const *steps, unsigned count,
                                                     uint32_t mask) {
  for (unsigned n = 0; n < count; n++) {
    const struct tx_lane_args args = tx_lane_step_args(base, steps[n], mask);
    LANES_TABLE.fn[steps[n]->op](&args);
  }
}

/* Constants for one row that follow each other, such as the two halves of a number, as one. Returns the last of them. */
NUM_VEC_INLINE const struct tx_lane_step *const *set_row(char *base, const struct tx_lane_step *const *steps,
                                                         const struct tx_lane_step *const *end) {
  const struct tx_lane_step *s = *steps;
  struct tx_lane_args x = {
      .d = (void *)(base + s->d), .c = (void *)(base + s->c), .i = s->i, .j = s->j, .mask = TX_ALL_LANES};
  if (s->op == TX_LANE_SET) {
    x.j = s->i;
    x.i = 0;
  } else if (s->c != s->d) {
    KEEP_OR_inline(&x);
    return steps;
  }
  for (; steps + 1 != end && steps[1]->op == TX_LANE_KEEP_OR && steps[1]->d == s->d && steps[1]->c == s->d; steps++) {
    x.i &= steps[1]->i;
    x.j = (x.j & steps[1]->i) | steps[1]->j;
  }
  if (x.i) {
    KEEP_OR_inline(&x);
  } else {
    x.i = x.j;
    SET_inline(&x);
  }
  return steps;
}

static void run(void *base, const struct tx_lane_step *const *steps, unsigned count, uint32_t mask) {
  unsigned rounded = 0;
  uint32_t generators = 0;
  if (mask != TX_ALL_LANES) {
    run_one_by_one(base, steps, count, mask);
    return;
  }
  for (const struct tx_lane_step *const *end = steps + count; steps != end; steps++) {
    switch ((*steps)->op) {
#define STEP(name) \
  case TX_LANE_##name: { \
    const struct tx_lane_args x = tx_lane_step_args(base, *steps, TX_ALL_LANES); \
    name##_inline(&x); \
    break; \
  }
      IN_RUNS(STEP)
#undef STEP
#define STEP(name) \
  case TX_LANE_##name: { \
    const struct tx_lane_args x = tx_lane_step_args(base, *steps, TX_ALL_LANES); \
    name##_alone(&x); \
    generators = (*steps)->a; \
    rounded++; \
    break; \
  }
      STEP(ROUND_REAL_NEAREST)
      STEP(ROUND_INTEGER_NEAREST)
#undef STEP
#define STEP(name) \
  case TX_LANE_##name: { \
    const struct tx_lane_args x = tx_lane_step_args(base, *steps, TX_ALL_LANES); \
    if (!plain_##name(&x)) run_one_by_one(base, steps, 1, TX_ALL_LANES); \
    break; \
  }
      STEP(MAD)
      STEP(MUL_REAL)
      STEP(ADD_REAL)
#undef STEP
      case TX_LANE_SET:
      case TX_LANE_KEEP_OR: steps = set_row(base, steps, end); break;
      default: run_one_by_one(base, steps, 1, TX_ALL_LANES); break;
    }
  }
  if (rounded) step_generators((void *)((char *)base + generators), rounded);
}

const struct tx_lane_ops LANES_TABLE = {.name = LANES_NAME,
                                        .run = run,
                                        .fn = {
#define LANE_OP(name, what) [TX_LANE_##name] = name,
#include "tensix/unit/vector/lanes.def"
#undef LANE_OP
                                        }};
