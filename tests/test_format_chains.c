/* Every path of a number through the data path: each pair of formats that an unpacker supports, into SrcA, SrcB or Dst, then each
 * conversion of the packer that exists for a Dst of that width, L1 to L1 on the tile. The expected result is that of the
 * two references in sequence (unpack_reference.h, pack_reference.h) with MOVA2D.md or MOVB2D.md between them.
 *
 * `make test` runs one tile of 1024 patterns per path, a different slice for each; `make soak` all patterns of formats of up
 * to 16 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "chain_rig.h"
#include "pack_reference.h"
#include "scale.h"
#include "unpack_reference.h"

#define EXPONENTS 64u

static const char *const way_names[] = {"SrcA", "SrcB", "Dst"};

struct chain {
  struct num_unpack unpack;
  enum way way;
  bool flush; /* MOVA2D, MOVB2D: exponent 0 becomes zero */
  struct num_pack_request pack;
};

/* --- expected results --- */

/* MOVA2D.md: eight exponent bits stay for these formats, five otherwise; TF32 goes to a 32-bit Dst. */
static bool keeps_eight(unsigned format) {
  return format == NUM_TF32 || format == NUM_BF16 || format == NUM_BFP8 || format == NUM_BFP4 || format == NUM_BFP2 ||
         format == NUM_INT16;
}

static uint32_t in_dst(const struct chain *c, uint32_t x, unsigned exponent) {
  uint32_t datum = reference_unpack(&c->unpack, x, exponent);
  if (c->way == BY_DST) return datum;
  uint32_t sign = datum >> 18, mantissa = datum >> 8 & 0x3ffu, field = datum & 0xffu;
  if (c->flush && !field) sign = mantissa = 0;
  if (!keeps_eight(c->unpack.out)) return sign << 15 | mantissa << 5 | (field & 31u);
  uint32_t half = sign << 15 | mantissa >> 3 << 8 | field;
  return c->unpack.out == NUM_TF32 ? half << 16 | (mantissa & 7u) << 13 : half;
}

/* --- the tile --- */

static void configure_packer(struct tx_tile *t, const struct num_pack_request *r) {
  unsigned bytes = (r->from & 3u) == 0 ? 4 : (r->from & 3u) == 1 ? 2 : 1;
  PUT_CFG(t, PCK_DEST_RD_CTRL_Read_32b_data, r->wide);
  PUT_CFG(t, PCK_DEST_RD_CTRL_Read_int8, r->raw);
  PUT_CFG(t, PCK_DEST_RD_CTRL_Read_unsigned, r->is_unsigned);
  PUT_CFG(t, PCK_DEST_RD_CTRL_Round_10b_mant, r->round10);
  PUT_CFG(t, ALU_FORMAT_SPEC_REG2_Dstacc, r->intermediate);
  PUT_SEC(t, 0, REG1_In_data_format, r->from);
  PUT_SEC(t, 0, REG1_Out_data_format, r->to);
  PUT_SEC(t, 0, REG1_Exp_section_size, num_format_is_block(r->to) ? EXPONENTS / 16 : 0);
  PUT_SEC(t, 0, REG1_Pac_LF8_4b_exp, r->e4m3);
  PUT_CFG(t, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
  PUT_CFG(t, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 * bytes);
}

static void configure_unpacker(struct tx_tile *t, const struct chain *c) {
  struct setup s = {c->way == BY_SRCB, c->unpack.in, c->unpack.out, IN, 1024, 1, 1, 0, 1023, c->way == BY_DST};
  configure(t, &s);
  PUT_SEC(t, 0, REG1_Unp_LF8_4b_exp, c->unpack.e4m3);
  PUT_SEC(t, 1, REG1_Unp_LF8_4b_exp, c->unpack.e4m3);
  PUT_CFG(t, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, c->unpack.is_unsigned);
  PUT_CFG(t, ALU_FORMAT_SPEC_REG0_SrcBUnsigned, c->unpack.is_unsigned);
  PUT_CFG(t, ALU_ACC_CTRL_Zero_Flag_disabled_src, !c->flush);
  PUT_CFG(t, ALU_ACC_CTRL_Fp32_enabled, c->pack.wide);
}

/* --- patterns --- */

static uint32_t data_in(const struct chain *c) { return IN + 16 + (num_format_is_block(c->unpack.in) ? EXPONENTS : 0); }

/* Slice n of a format's patterns. Formats of 32 bits: every high half, low halves that differ. Block formats: any datums
 * with any exponents that fit. */
static void fill(struct tx_tile *t, const struct chain *c, uint32_t slice, uint64_t *seed) {
  unsigned bits = num_format_bits(c->unpack.in);
  bool five = num_format_infos[c->unpack.in].exponent5;
  for (uint32_t i = 0; i < 1024; i++) {
    uint32_t n = slice * 1024 + i, x = bits < 32 ? n : n << 16 | (n * 40503u & 0xffffu);
    if (num_format_is_block(c->unpack.in)) x = random_word(seed);
    uint64_t at = (uint64_t)i * bits;
    uint8_t *to = &t->l1[data_in(c) + at / 8];
    if (bits < 8) *to = (uint8_t)((*to & ~(((1u << bits) - 1u) << at % 8)) | (x & ((1u << bits) - 1u)) << at % 8);
    for (unsigned b = 0; b < bits / 8; b++) to[b] = (uint8_t)(x >> 8 * b);
  }
  for (unsigned row = 0; row < EXPONENTS && num_format_is_block(c->unpack.in); row++)
    t->l1[IN + 16 + row] = (uint8_t)(five ? 8 + random_word(seed) % 24 : random_word(seed));
}

static void wrong(const struct chain *c, const char *what, unsigned i, uint32_t got, uint32_t want) {
  const struct num_unpack *u = &c->unpack;
  const struct num_pack_request *r = &c->pack;
  fail_msg("%s to %s in %s%s%s%s, then %u-bit Dst by %s (from %s) to %s raw %u round10 %u unsigned %u e4m3 %u: %s %u is %x, "
           "reference %x",
           num_format_name(u->in), num_format_name(u->out), way_names[c->way], u->e4m3 ? ", e4m3" : "",
           u->is_unsigned ? ", unsigned" : "", c->flush ? "" : ", no flush", r->wide ? 32u : 16u,
           num_format_name(r->intermediate), num_format_name(r->from), num_format_name(r->to), r->raw, r->round10,
           r->is_unsigned, r->e4m3, what, i, got, want);
}

static void compare_row(const struct tx_tile *t, const struct chain *c, unsigned row) {
  unsigned bits = num_format_bits(c->pack.to), want[16];
  bool block = num_format_is_block(c->pack.to);
  struct intermediate in[16];
  for (unsigned i = 0; i < 16; i++) {
    uint32_t x = l1_datum(t, data_in(c), row * 16 + i, num_format_bits(c->unpack.in));
    in[i] = ref_early(&c->pack, in_dst(c, x, t->l1[IN + 16 + row]));
    if (!block) want[i] = ref_late(&c->pack, in[i]);
  }
  if (block) {
    unsigned shared = ref_block(&c->pack, in, want);
    if (t->l1[OUT + row] != shared) wrong(c, "exponent", row, t->l1[OUT + row], shared);
  }
  for (unsigned i = 0; i < 16; i++) {
    uint32_t got = l1_datum(t, OUT + (block ? EXPONENTS : 0), row * 16 + i, bits);
    if (got != want[i]) wrong(c, "datum", row * 16 + i, got, want[i]);
  }
}

static unsigned long chains_run;

static void run_chain(struct tx_tile *t, const struct chain *c, uint64_t *seed) {
  unsigned bits = num_format_bits(c->unpack.in);
  uint32_t slices = bits < 16 ? 1 : 64;
  uint64_t tiles = test_scaled(1) < slices ? test_scaled(1) : slices;
  if (test_scaled(100) < 100 && chains_run++ % (100 / test_scaled(100))) return; /* the sanitizers' share */
  chains_run += test_scaled(100) >= 100;
  configure_packer(t, &c->pack);
  PUT_CFG(t, ALU_ACC_CTRL_Fp32_enabled, c->pack.wide);
  for (uint32_t k = 0; k < tiles; k++) {
    memset(&t->l1[OUT], 0xcc, 4096 + 64);
    fill(t, c, (uint32_t)(chains_run * 7 + k) % slices, seed);
    unpack_tile(t, c->way);
    pack_tile(t);
    if (t->fault.kind) {
      fprintf(stderr, "%s\n", t->fault.why);
      wrong(c, "fault", 0, 1, 0);
    }
    for (unsigned row = 0; row < 64; row++) compare_row(t, c, row);
    uint32_t end = OUT + (num_format_is_block(c->pack.to) ? EXPONENTS : 0) + 1024 * num_format_bits(c->pack.to) / 8;
    assert_int_equal(t->l1[end], 0xcc);
  }
}

/* --- all of them --- */

/* Every conversion of the packer from a Dst of this width; flags only where they have an effect. */
static void each_packing(struct tx_tile *t, struct chain *c, uint64_t *seed) {
  for (uint32_t n = 0; n < 1u << 16; n++) {
    struct num_pack_request r = {.wide = c->pack.wide,
                                 .raw = n & 1u,
                                 .is_unsigned = n >> 1 & 1u,
                                 .round10 = n >> 2 & 1u,
                                 .e4m3 = n >> 3 & 1u,
                                 .intermediate = n >> 4 & 15u,
                                 .from = n >> 8 & 15u,
                                 .to = (uint8_t)(n >> 12)};
    struct num_pack how;
    if ((r.e4m3 && r.to != NUM_FP8) || (r.is_unsigned && r.intermediate != NUM_INT8) || !num_pack_make(&r, &how)) continue;
    c->pack = r;
    run_chain(t, c, seed);
  }
}

static void each_unpacking(enum way way) {
  uint64_t seed = 4 + way;
  for (unsigned n = 0; n < 1u << 11; n++) {
    struct chain c = {.unpack = {.in = n & 15u,
                                 .out = n >> 4 & 15u,
                                 .to_dst = way == BY_DST,
                                 .e4m3 = n >> 8 & 1u,
                                 .is_unsigned = n >> 9 & 1u},
                      .way = way,
                      .flush = !(n >> 10)};
    const struct num_unpack *u = &c.unpack;
    if (!num_unpack_legal(u->in, u->out, u->to_dst) || (u->e4m3 && u->in != NUM_FP8) ||
        (u->is_unsigned && u->in != NUM_INT8) || (way == BY_DST && !c.flush))
      continue;
    c.pack.wide = u->out == NUM_TF32 || (way == BY_DST && (u->out == NUM_FP32 || u->out == NUM_INT32));
    struct tx_tile *t = new_tile(false);
    configure_packing(t);
    configure_unpacker(t, &c);
    each_packing(t, &c, &seed);
    free(t);
  }
}

static void by_srca(void **state) {
  (void)state;
  each_unpacking(BY_SRCA);
}
static void by_srcb(void **state) {
  (void)state;
  each_unpacking(BY_SRCB);
}
static void by_dst(void **state) {
  (void)state;
  each_unpacking(BY_DST);
  print_message("note: %lu ways through the data path\n", chains_run);
  if (test_scaled(100) == 100) assert_int_equal(chains_run, 47457); /* docs/reference/tiles.md */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_srca), cmocka_unit_test(by_srcb), cmocka_unit_test(by_dst)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
