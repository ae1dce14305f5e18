/* SrcA, SrcB and Dst: ownership of banks, row maps, valid rows. */
#include "dst_rows.h"
#include "matrix_rig.h"

/* --- row maps: Dst.md (Blackhole), the page's two functions --- */

static unsigned page_adj16(unsigned r, bool remap) {
  if (remap) r = (r & 0x3c7) ^ ((r & 0x030) >> 1) ^ ((r & 0x008) << 2);
  return r;
}

static unsigned page_adj32(unsigned r, bool remap, bool swizzle) {
  r = page_adj16(r, remap);
  if (swizzle) r = (r & 0x3f3) ^ ((r & 0x018) >> 1) ^ ((r & 0x004) << 1);
  return (r & 0x1f8) << 1 | (r & 0x207);
}

static void test_row_maps(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  for (unsigned mode = 0; mode < 4; mode++) {
    CONFIG(DEST_ACCESS_CFG_remap_addrs, mode & 1u);
    CONFIG(DEST_ACCESS_CFG_swizzle_32b, mode >> 1);
    uint8_t seen16[1024] = {0}, seen32[1024] = {0};
    for (unsigned r = 0; r < 1024; r++) {
      assert_int_equal(tx_dst_adj16(rig, r), page_adj16(r, mode & 1u));
      assert_int_equal(tx_dst_adj32(rig, r), page_adj32(r, mode & 1u, mode >> 1));
      seen16[tx_dst_adj16(rig, r)]++;
      seen32[tx_dst_adj32(rig, r)]++;
      assert_int_equal(tx_dst_adj32(rig, r) & 8u, 0); /* room for the low half eight rows further */
    }
    for (unsigned r = 0; r < 1024; r++) {
      assert_int_equal(seen16[r], 1);                            /* one to one */
      assert_int_equal(seen32[r], r & 8u ? 0 : r < 512 ? 1 : 3); /* row bits 8 and 9 are ORed: 512 distinct results */
    }
  }
}

static void test_rows_read_back(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  for (unsigned mode = 0; mode < 4; mode++) {
    CONFIG(DEST_ACCESS_CFG_remap_addrs, mode & 1u);
    CONFIG(DEST_ACCESS_CFG_swizzle_32b, mode >> 1);
    for (unsigned wide = 0; wide < 2; wide++) {
      uint32_t in[16], out[16];
      for (unsigned c = 0; c < 16; c++) in[c] = 0x12345678u * (c + 1) & (wide ? 0xffffffffu : 0xffffu);
      for (unsigned r = 0; r < 512; r++) {
        memset(rig->dst.valid, 0, sizeof rig->dst.valid);
        dst_read_row(rig, r, wide, 0xdead, out);
        assert_int_equal(out[3], 0xdead);
        assert_false(tx_dst_row_valid(rig, r, wide));
        dst_write_row(rig, r, wide, in);
        assert_true(tx_dst_row_valid(rig, r, wide));
        dst_read_row(rig, r, wide, 0, out);
        assert_memory_equal(in, out, sizeof in);
        unsigned physical = wide ? page_adj32(r, mode & 1u, mode >> 1) : page_adj16(r, mode & 1u);
        assert_int_equal(rig->dst.bits[physical][5], wide ? in[5] >> 16 : in[5]);
        if (wide) assert_int_equal(rig->dst.bits[physical + 8][5], in[5] & 0xffffu);
        if (wide) assert_int_equal(rig->dst.valid[physical + 8], 0); /* not consulted, not set */
      }
    }
  }
}

static void test_power_on(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  for (unsigned r = 0; r < 1024; r++) assert_true(tx_dst_row_valid(rig, r, false));
}

/* --- banks: SrcASrcB.md --- */

static void test_hand_over_and_release(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++) {
    enum tx_src_which w = (enum tx_src_which)which;
    assert_false(tx_src_matrix_owns(&rig->src, w));
    assert_true(tx_src_unpack_owns(&rig->src, w));
    tx_src_hand_over(rig, w, NUM_BF16, true);
    assert_true(tx_src_matrix_owns(&rig->src, w));
    assert_int_equal(rig->src.unpack_bank[w], 1);
    assert_true(tx_src_unpack_owns(&rig->src, w)); /* the other bank */
    assert_int_equal(rig->src.bank[w][0].format, NUM_BF16);
    tx_src_hand_over(rig, w, NUM_TF32, true);
    assert_int_equal(rig->src.unpack_bank[w], 0);
    assert_false(tx_src_unpack_owns(&rig->src, w)); /* the matrix unit owns both */
    tx_src_release(rig, 1, w);
    assert_int_equal(rig->src.matrix_bank[w], 0); /* not in this cycle */
    assert_false(tx_src_unpack_owns(&rig->src, w));
    rig_wait(1);
    assert_int_equal(rig->src.matrix_bank[w], 1);
    assert_true(tx_src_unpack_owns(&rig->src, w));
    assert_int_equal(rig->src.bank[w][0].owner, TX_CLIENT_UNPACKERS);
    assert_true(tx_src_matrix_owns(&rig->src, w)); /* bank 1 */
  }
  assert_int_equal(rig_found_any(), 0);
}

static void test_disabled_release_only_flips(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  THREAD_CONFIG(2, CLR_DVALID_SrcA_Disable, 1);
  tx_src_release(rig, 2, TX_SRCA);
  tx_src_release(rig, 2, TX_SRCB);
  rig_wait(1);
  assert_int_equal(rig->src.matrix_bank[TX_SRCA], 1);
  assert_int_equal(rig->src.matrix_bank[TX_SRCB], 1);
  assert_int_equal(rig->src.bank[TX_SRCA][0].owner, TX_CLIENT_MATRIX);
  assert_int_equal(rig->src.bank[TX_SRCB][0].owner, TX_CLIENT_UNPACKERS);
  tx_src_release(rig, 1, TX_SRCA); /* the other thread's setting has no effect */
  rig_wait(1);
  assert_int_equal(rig->src.bank[TX_SRCA][1].owner, TX_CLIENT_UNPACKERS);
}

static void test_bank_findings(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  tx_src_release(rig, 0, TX_SRCB);
  rig_wait(1);
  assert_int_equal(rig_found(TX_DIAG_BANK_RELEASE_INVALID), 1);
  assert_int_equal(rig->src.matrix_bank[TX_SRCB], 1); /* flips all the same */
  for (unsigned i = 0; i < 3; i++) tx_src_hand_over(rig, TX_SRCA, 0, false);
  assert_int_equal(rig_found(TX_DIAG_BANK_SET_VALID), 1); /* the third one */
  assert_int_equal(rig->src.bank[TX_SRCA][0].filled, 0);  /* no format recorded */
}

static void test_hand_over_next_cycle(void **state) {
  (void)state;
  tx_tile_reset(rig, true);
  tx_src_hand_over_next(rig, TX_SRCA, NUM_FP16, true);
  assert_false(tx_src_matrix_owns(&rig->src, TX_SRCA));
  rig_wait(1);
  assert_true(tx_src_matrix_owns(&rig->src, TX_SRCA));
  assert_int_equal(rig->src.bank[TX_SRCA][0].format, NUM_FP16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_row_maps),
      cmocka_unit_test(test_rows_read_back),
      cmocka_unit_test(test_power_on),
      cmocka_unit_test(test_hand_over_and_release),
      cmocka_unit_test(test_disabled_release_only_flips),
      cmocka_unit_test(test_bank_findings),
      cmocka_unit_test(test_hand_over_next_cycle),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
