/* L1 to L1 through the whole data path: UNPACR into SrcA, SrcB or Dst, MOVA2D or MOVB2D into Dst, PACR back to L1. Every
 * pattern of formats of up to 16 bits, every shared exponent of the block formats, every sign, exponent and upper mantissa of
 * FP32. The expected results are written here from the documents: MOVA2D.md flushes exponent 0 to zero; of the packer's early
 * conversions (Packers/FormatConversion.md) one that rounds turns minus zero into zero and NaN into infinity, an identity
 * changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chain_rig.h"
#include "scale.h"

struct chain {
  const char *name;
  uint8_t in, out;    /* unpacker */
  uint8_t way;        /* enum way */
  uint8_t wide;       /* 32-bit Dst */
  uint8_t middle, to; /* packer: intermediate format, format in L1 */
  uint8_t e4m3, keep_zero_exponent;
  uint32_t (*expect)(uint32_t);
};

/* --- the tile --- */

static void configure_packer(struct tx_tile *t, const struct chain *c) {
  unsigned bytes = (c->middle & 3u) == 0 ? 4 : (c->middle & 3u) == 1 ? 2 : 1;
  PUT_CFG(t, PCK_DEST_RD_CTRL_Read_32b_data, c->wide);
  PUT_CFG(t, ALU_FORMAT_SPEC_REG2_Dstacc, c->middle);
  PUT_CFG(t, ALU_ACC_CTRL_Fp32_enabled, c->wide);
  PUT_CFG(t, ALU_ACC_CTRL_Zero_Flag_disabled_src, c->keep_zero_exponent);
  PUT_SEC(t, 0, REG1_In_data_format, c->middle);
  PUT_SEC(t, 0, REG1_Out_data_format, c->to);
  PUT_SEC(t, 0, REG1_Exp_section_size, num_format_is_block(c->to) ? 4 : 0);
  PUT_SEC(t, 0, REG1_Pac_LF8_4b_exp, c->e4m3);
  PUT_SEC(t, 0, REG1_Unp_LF8_4b_exp, c->e4m3);
  PUT_CFG(t, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
  PUT_CFG(t, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 * bytes);
}

static struct tx_tile *prepare(const struct chain *c) {
  struct tx_tile *t = new_tile(false);
  struct setup s = {c->way == BY_SRCB, c->in, c->out, IN, 1024, 1, 1, 0, 1023, c->way == BY_DST};
  configure(t, &s);
  configure_packing(t);
  configure_packer(t, c);
  return t;
}

/* One tile through the data path and back. */
static void go(struct tx_tile *t, const struct chain *c) {
  memset(&t->l1[OUT], 0xcc, 4096 + 64);
  unpack_tile(t, c->way);
  pack_tile(t);
  if (t->fault.kind) fail_msg("%s: %s", c->name, t->fault.why);
}

/* --- expected results --- */

static uint32_t same(uint32_t x) { return x; }
static uint32_t bf16(uint32_t x) {
  if (!(x & 0x7f80u)) return 0;
  return (x & 0x7f80u) == 0x7f80u ? x & 0xff80u : x;
}
static uint32_t fp16(uint32_t x) { return x & 0x7c00u ? x : 0; }
static uint32_t e5m2(uint32_t x) { return x & 0x7cu ? x : 0; }
static uint32_t e4m3(uint32_t x) { return x & 0x78u ? x : 0; }
static uint32_t int16_through_src(uint32_t x) { return x & 0xffu ? x : 0; } /* its low byte is where the exponent is */
static uint32_t tf32(uint32_t x) { return x & 0x7f800000u ? x & 0xffffe000u : 0; }
static uint32_t bf16_of_fp32(uint32_t x) { return bf16(x >> 16); }
static uint32_t fp16_of_fp32(uint32_t x) {
  int e = (int)(x >> 23 & 0xffu) - 112;
  if (e <= 0) return 0;
  return (x >> 16 & 0x8000u) | (e > 31 ? 0x7fffu : (uint32_t)e << 10 | (x >> 13 & 0x3ffu));
}
static uint32_t fp32_of_bf16(uint32_t x) { return x & 0x7f80u ? x << 16 : 0; }

static const struct chain chains[] = {
    {"BF16 by SrcA", NUM_BF16, NUM_BF16, BY_SRCA, 0, NUM_BF16, NUM_BF16, 0, 0, bf16},
    {"BF16 by SrcB", NUM_BF16, NUM_BF16, BY_SRCB, 0, NUM_BF16, NUM_BF16, 0, 0, bf16},
    {"BF16 by Dst", NUM_BF16, NUM_BF16, BY_DST, 0, NUM_BF16, NUM_BF16, 0, 0, bf16},
    {"BF16 as TF32 by SrcA, 32-bit Dst", NUM_BF16, NUM_TF32, BY_SRCA, 1, NUM_FP32, NUM_FP32, 0, 0, fp32_of_bf16},
    {"FP16 by SrcA", NUM_FP16, NUM_FP16, BY_SRCA, 0, NUM_FP16, NUM_FP16, 0, 0, fp16},
    {"FP16 by SrcB", NUM_FP16, NUM_FP16, BY_SRCB, 0, NUM_FP16, NUM_FP16, 0, 0, fp16},
    {"FP16 by Dst", NUM_FP16, NUM_FP16, BY_DST, 0, NUM_FP16, NUM_FP16, 0, 0, fp16},
    {"FP8 e5m2 by SrcA", NUM_FP8, NUM_FP8, BY_SRCA, 0, NUM_FP16, NUM_FP8, 0, 0, e5m2},
    {"FP8 e4m3 by SrcA", NUM_FP8, NUM_FP8, BY_SRCA, 0, NUM_FP16, NUM_FP8, 1, 0, e4m3},
    {"FP8 e5m2 by Dst", NUM_FP8, NUM_FP8, BY_DST, 0, NUM_FP16, NUM_FP8, 0, 0, e5m2},
    {"INT16 by SrcA", NUM_INT16, NUM_INT16, BY_SRCA, 0, NUM_INT16, NUM_INT16, 0, 0, int16_through_src},
    {"INT16 by SrcA, no flush", NUM_INT16, NUM_INT16, BY_SRCA, 0, NUM_INT16, NUM_INT16, 0, 1, same},
    {"INT16 by Dst", NUM_INT16, NUM_INT16, BY_DST, 0, NUM_INT16, NUM_INT16, 0, 0, same},
    {"FP32 by Dst", NUM_FP32, NUM_FP32, BY_DST, 1, NUM_FP32, NUM_FP32, 0, 0, same},
    {"FP32 as TF32 by Dst", NUM_FP32, NUM_TF32, BY_DST, 1, NUM_FP32, NUM_FP32, 0, 0, same},
    {"INT32 by Dst", NUM_INT32, NUM_INT32, BY_DST, 1, NUM_INT32, NUM_INT32, 0, 0, same},
    {"FP32 to TF32 by SrcA", NUM_FP32, NUM_TF32, BY_SRCA, 1, NUM_FP32, NUM_FP32, 0, 0, tf32},
    {"FP32 to TF32 by SrcB", NUM_FP32, NUM_TF32, BY_SRCB, 1, NUM_FP32, NUM_FP32, 0, 0, tf32},
    {"FP32 to BF16 by SrcA", NUM_FP32, NUM_BF16, BY_SRCA, 0, NUM_BF16, NUM_BF16, 0, 0, bf16_of_fp32},
    {"FP32 to BF16 by Dst", NUM_FP32, NUM_BF16, BY_DST, 0, NUM_BF16, NUM_BF16, 0, 0, bf16_of_fp32},
    {"FP32 to FP16 by SrcA", NUM_FP32, NUM_FP16, BY_SRCA, 0, NUM_FP16, NUM_FP16, 0, 0, fp16_of_fp32},
    {"FP32 to FP16 by Dst", NUM_FP32, NUM_FP16, BY_DST, 0, NUM_FP16, NUM_FP16, 0, 0, fp16_of_fp32},
};

static void put_datum(struct tx_tile *t, uint32_t i, unsigned bytes, uint32_t value) {
  for (unsigned b = 0; b < bytes; b++) t->l1[IN + 16 + i * bytes + b] = (uint8_t)(value >> 8 * b);
}

static uint32_t pattern(unsigned bits, uint32_t n) {
  return bits < 32 ? n : n << 16 | (n * 40503u & 0xffffu); /* every high half, each with a different low half */
}

static void every_pattern(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof chains / sizeof *chains; k++) {
    const struct chain *c = &chains[k];
    struct tx_tile *t = prepare(c);
    unsigned bits = num_format_bits(c->in), out_bits = num_format_bits(c->to);
    uint32_t patterns = bits < 16 ? 1u << bits : 0x10000u;
    for (uint32_t n = 0; n < patterns; n += 1024) {
      for (uint32_t i = 0; i < 1024; i++) put_datum(t, i, bits / 8, pattern(bits, (n + i) % patterns));
      go(t, c);
      for (uint32_t i = 0; i < 1024; i++) {
        uint32_t from = pattern(bits, (n + i) % patterns), back = l1_datum(t, OUT, i, out_bits);
        if (back != c->expect(from)) fail_msg("%s: 0x%x came back as 0x%x, not 0x%x", c->name, from, back, c->expect(from));
      }
      assert_int_equal(t->l1[OUT + 1024 * out_bits / 8], 0xcc);
    }
    free(t);
  }
}

/* --- block formats: the same numbers return, possibly in another encoding --- */

/* A block datum as an integer multiple of 2^-400. Magnitudes have their point after the first bit. */
struct number {
  int sign, exponent;
  uint32_t odd; /* the magnitude without its factors of two */
};

static struct number number_of(uint32_t datum, unsigned bits, unsigned exponent) {
  struct number n = {datum >> (bits - 1) ? -1 : 1, (int)exponent - (int)(bits - 2), datum & ((1u << (bits - 1)) - 1u)};
  if (!n.odd) return (struct number){0, 0, 0};
  while (!(n.odd & 1u)) n.odd >>= 1, n.exponent++;
  return n;
}

static const struct chain block_chains[] = {
    {"BFP8 by SrcA", NUM_BFP8, NUM_BFP8, BY_SRCA, 0, NUM_BF16, NUM_BFP8, 0, 0, NULL},
    {"BFP8 by SrcB", NUM_BFP8, NUM_BFP8, BY_SRCB, 0, NUM_BF16, NUM_BFP8, 0, 0, NULL},
    {"BFP8 by Dst", NUM_BFP8, NUM_BFP8, BY_DST, 0, NUM_BF16, NUM_BFP8, 0, 0, NULL},
    {"BFP4 by SrcA", NUM_BFP4, NUM_BFP4, BY_SRCA, 0, NUM_BF16, NUM_BFP4, 0, 0, NULL},
    {"BFP4 by Dst", NUM_BFP4, NUM_BFP4, BY_DST, 0, NUM_BF16, NUM_BFP4, 0, 0, NULL},
    {"BFP2 by SrcA", NUM_BFP2, NUM_BFP2, BY_SRCA, 0, NUM_BF16, NUM_BFP2, 0, 0, NULL},
    {"BFP4 as BFP8 by SrcA", NUM_BFP4, NUM_BFP8, BY_SRCA, 0, NUM_BF16, NUM_BFP8, 0, 0, NULL},
};

static void put_block_datum(struct tx_tile *t, uint32_t i, unsigned bits, uint32_t value) {
  uint8_t *byte = &t->l1[IN + 16 + 64 + i * bits / 8];
  unsigned shift = i * bits % 8;
  *byte = (uint8_t)((*byte & ~(((1u << bits) - 1u) << shift)) | value << shift);
}

static void every_shared_exponent(void **state) {
  (void)state;
  uint64_t seed = 99;
  for (unsigned k = 0; k < sizeof block_chains / sizeof *block_chains; k++) {
    const struct chain *c = &block_chains[k];
    struct tx_tile *t = prepare(c);
    unsigned bits = num_format_bits(c->in), out_bits = num_format_bits(c->to);
    for (unsigned first = 8; first < 255; first += 64) { /* from 8 on: no datum falls below exponent 1 */
      for (unsigned row = 0; row < 64; row++) {
        t->l1[IN + 16 + row] = (uint8_t)(first + row < 255 ? first + row : 254);
        for (uint32_t i = 0; i < 16; i++) {
          uint32_t value = random_word(&seed) & ((1u << bits) - 1u);
          if (value == 1u << (bits - 1)) value = 0; /* a signed zero is minus infinity: test_formats.c */
          put_block_datum(t, row * 16 + i, bits, value);
        }
      }
      go(t, c);
      for (uint32_t i = 0; i < 1024; i++) {
        struct number from = number_of(l1_datum(t, IN + 16 + 64, i, bits), bits, t->l1[IN + 16 + i / 16]);
        struct number back = number_of(l1_datum(t, OUT + 64, i, out_bits), out_bits, t->l1[OUT + i / 16]);
        if (from.sign != back.sign || from.exponent != back.exponent || from.odd != back.odd)
          fail_msg("%s: datum %u of exponent %u changed", c->name, i, t->l1[IN + 16 + i / 16]);
      }
    }
    free(t);
  }
}

/* --- INT8: through the matrix unit's integers --- */

static void integers_of_eight_bits(void **state) {
  (void)state;
  for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
    struct chain c = {"INT8", NUM_INT8, NUM_INT8, BY_SRCA, 1, NUM_INT32, NUM_INT32, 0, 0, NULL};
    struct tx_tile *t = prepare(&c);
    PUT_CFG(t, ALU_ACC_CTRL_INT8_math_enabled, 1);
    PUT_CFG(t, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, is_unsigned);
    put(t, SECTION(1, REG2_Out_data_format), 0, 4, NUM_INT8);
    for (uint32_t i = 0; i < 1024; i++) put_datum(t, i, 1, i & 0xffu);
    memset(&t->l1[OUT], 0xcc, 4096 + 64);
    give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
    give(t, 0, 0x43000001u | TX_PUT(UNPACR_NOP, unpacker_select, 1) | TX_PUT(UNPACR_NOP, set_dvalid, 1)); /* SrcB = 0 */
    drain(t);
    for (unsigned row = 0; row < 64; row += 8) {
      t->rwc[0].srca = t->rwc[0].srcb = (uint8_t)row;
      give(t, 0, (uint32_t)TX_ELWADD << 24 | TX_PUT(ELWADD, dst, row));
    }
    pack_tile(t);
    if (t->fault.kind) fail_msg("INT8: %s", t->fault.why);
    for (uint32_t i = 0; i < 1024; i++) {
      uint32_t x = i & 0xffu;
      uint32_t expected = is_unsigned || x < 128 ? x : x == 128 ? 0 : 0x80000000u | (x - 128);
      assert_int_equal(l1_datum(t, OUT, i, 32), expected);
    }
    free(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pattern),
      cmocka_unit_test(every_shared_exponent),
      cmocka_unit_test(integers_of_eight_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
