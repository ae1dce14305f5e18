/* PACR's addresses: which rows of Dst it reads and where in L1 they go. After PACR.md (Blackhole), Dst.md,
 * InputAddressGenerator.md, OutputAddressGenerator.md. */
#include "pack_rig.h"

/* A 32x32 tile as kernels pack it: four PACRs of four rows in each of four faces. */
static void pack_tile(struct tx_tile *t) {
  for (unsigned face = 0; face < 4; face++)
    for (unsigned i = 0; i < 4; i++) pacr(t, PACR(i < 3 ? MODE(0) : face < 3 ? MODE(2) : MODE(1) | LAST));
}

static void test_whole_tile(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    fill_dst(t);
    pack_tile(t);
    for (unsigned row = 0; row < 64; row++) expect_row(t, OUT + 32 * row, row);
    expect_fill(t, OUT + 2048, 64, 0xcc);
    expect_fill(t, OUT - 64, 64, 0xcc);
    for (unsigned d = 0; d < TX_ADC_DIMS; d++) assert_int_equal(t->adc[0].unit[TX_ADC_PACKER][0].c[d], 0);
    expect_quiet(t);
    free(t);
  }
}

static void test_second_half_and_tile_index(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 512);
  t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_W] = 3; /* tile 3 of the half */
  pack_tile(t);
  for (unsigned row = 0; row < 64; row++) expect_row(t, OUT + 32 * row, 512 + 3 * 64 + row);
  free(t);
}

/* PACR.md: the rows named by the set bits in increasing order, counted from the start row; they must stay in its group
 * of four. */
static void test_read_interfaces(void **state) {
  (void)state;
  for (unsigned start = 0; start < 4; start++) {
    for (unsigned sel = 0; sel < 16; sel++) {
      struct tx_tile *t = new_tile(false);
      unsigned mask = sel ? sel : 15, rows = 0;
      fill_dst(t);
      t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 20 + start;
      pacr(t, PACR(SEL(sel) | STAY | LAST));
      for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1u) expect_row(t, OUT + 32 * rows++, 20 + start + i);
      expect_fill(t, OUT + 32 * rows, 64, 0xcc);
      assert_int_equal(t->diag.counts[TX_DIAG_PACK_ROW_GROUP], mask << start > 15);
      free(t);
    }
  }
}

static unsigned adj16(unsigned r) { /* Dst.md with remap_addrs: bits 5, 4, 3 become 4, 3, 5 */
  return (r & ~0x38u) | (r >> 5 & 1u) << 4 | (r >> 4 & 1u) << 3 | (r >> 3 & 1u) << 5;
}

static void test_strided(void **state) {
  (void)state;
  for (unsigned sel = 0; sel < 16; sel++) {
    struct tx_tile *t = new_tile(false);
    unsigned rows = sel == 1 ? 1 : sel == 3 ? 2 : sel == 7 ? 3 : 4;
    uint32_t word = PACR(SEL(sel) | STAY | LAST | TX_PUT(PACR, dst_access_mode, 1));
    fill_dst(t);
    t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 5;
    pacr(t, word);
    expect_fault(t, SIM_FAULT_UNSUPPORTED, "remap_addrs and swizzle_32b");
    SET(t, DEST_ACCESS_CFG_remap_addrs, 1);
    SET(t, DEST_ACCESS_CFG_swizzle_32b, 1);
    pacr(t, word);
    if (sel & (sel + 1)) {
      expect_fault(t, SIM_FAULT_UNSUPPORTED, "ReadIntfSel");
    } else {
      for (unsigned k = 0; k < rows; k++) expect_row(t, OUT + 32 * k, adj16(5 + 16 * k));
      expect_fill(t, OUT + 32 * rows, 64, 0xcc);
    }
    free(t);
  }
}

/* Untilize as kernels do it: for every row of the two upper faces two interfaces read rows r and r + 16; W goes from tile
 * to tile, and each row of the block gets its own L1 address. L1 then holds 16 rows of two tiles side by side,
 * row-major. */
static void test_untilize(void **state) {
  struct tx_tile *t = new_tile(true);
  struct tx_adc_channel *ch = t->adc[0].unit[TX_ADC_PACKER];
  (void)state;
  fill_dst(t);
  SET(t, DEST_ACCESS_CFG_remap_addrs, 1);
  SET(t, DEST_ACCESS_CFG_swizzle_32b, 1);
  for (unsigned row = 0; row < 16; row++) {
    SET(t, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 + 8 * row - 1); /* 64 datums of two bytes */
    ch[0].c[TX_ADC_Y] = row;
    for (unsigned tile = 0; tile < 2; tile++) {
      ch[0].c[TX_ADC_W] = tile;
      pacr_by(t, 0, PACR(SEL(3) | STAY | TX_PUT(PACR, dst_access_mode, 1) | (tile ? LAST : 0)));
    }
    tx_tile_run(t, tx_now(t) + 4); /* they overlap */
  }
  settle(t);
  for (unsigned row = 0; row < 16; row++)
    for (unsigned face = 0; face < 4; face++)
      expect_row(t, OUT + 128 * row + 32 * face, adj16(64 * (face / 2) + 16 * (face % 2) + row));
  expect_quiet(t);
  free(t);
}

static void test_row_maps_32bit(void **state) {
  (void)state;
  for (unsigned flags = 0; flags < 4; flags++) {
    struct tx_tile *t = new_tile(false);
    fill_dst(t);
    use_formats(t, true, NUM_FP32, NUM_FP32);
    SET(t, DEST_ACCESS_CFG_remap_addrs, flags & 1u);
    SET(t, DEST_ACCESS_CFG_swizzle_32b, flags >> 1);
    for (unsigned row = 0; row < 256; row += 4) {
      t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = row;
      pacr(t, PACR(STAY | LAST));
      for (unsigned k = 0; k < 4; k++) {
        unsigned r = row + k;
        if (flags & 1u) r = adj16(r);
        if (flags & 2u) r = (r & 0x3f3u) ^ ((r & 0x18u) >> 1) ^ ((r & 4u) << 1);
        unsigned high = (r / 8) * 16 + r % 8; /* eight rows of high halves, then eight of low ones */
        for (unsigned c = 0; c < 16; c++) {
          uint32_t want = (uint32_t)mark(high, c) << 16 | in_dst(mark(high + 8, c));
          assert_int_equal(word_at(t, OUT + 64 * k + 4 * c), want);
        }
      }
    }
    free(t);
  }
}

static void test_undefined_rows_read_as_zero(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  t->dst.valid[1] = t->dst.valid[8] = 0;
  pacr(t, PACR(STAY | LAST));
  expect_row(t, OUT, 0);
  expect_fill(t, OUT + 32, 32, 0);
  expect_row(t, OUT + 64, 2);
  use_formats(t, true, NUM_FP32, NUM_FP32); /* the low halves' rows are not read */
  pacr(t, PACR(STAY | LAST | SEL(3)));
  assert_int_equal(word_at(t, OUT) >> 16, mark(0, 0));
  expect_fill(t, OUT + 64, 64, 0);
  expect_quiet(t);
  free(t);
}

static void test_columns(void **state) {
  struct tx_tile *t = new_tile(false);
  struct tx_adc_channel *ch = t->adc[0].unit[TX_ADC_PACKER];
  (void)state;
  fill_dst(t);
  SET(t, PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
  ch[0].c[TX_ADC_X] = 3, ch[1].c[TX_ADC_X] = 12; /* ten datums */
  pacr(t, PACR(STAY | LAST | SEL(3)));
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < 10; i++) assert_int_equal(half(t, OUT + 20 * k + 2 * i), mark(k, 3 + i));
  expect_fill(t, OUT + 40, 8, 0); /* padded to a block */
  expect_fill(t, OUT + 48, 32, 0xcc);
  ch[0].c[TX_ADC_X] = 0, ch[1].c[TX_ADC_X] = 16;
  pacr(t, PACR(STAY | LAST));
  expect_fault(t, SIM_FAULT_UNSUPPORTED, "within one row");
  ch[1].c[TX_ADC_X] = 0x3ffff; /* none */
  pacr(t, PACR(STAY | LAST));
  expect_fault(t, SIM_FAULT_UNSUPPORTED, "within one row");
  free(t);
}

/* PACR.md: 48 datums of BFP4 are 24 bytes, and Last zeroes the eight after them. Before that, bytes that fill no block
 * wait. */
static void test_blocks_of_sixteen_bytes(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  use_formats(t, false, NUM_BF16, NUM_BFP4);
  SET(t, THCON_SEC0_REG1_Exp_section_size, 1);
  pacr(t, PACR(SEL(1) | STAY));
  expect_fill(t, OUT, 64, 0xcc);
  pacr(t, PACR(SEL(1) | STAY));
  expect_fill(t, OUT, 16, 0xcc); /* exponents wait */
  assert_memory_equal(&t->l1[OUT + 16], &t->l1[OUT + 24], 8);
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_fill(t, OUT + 3, 13, 0);
  assert_int_equal(t->l1[OUT], t->l1[OUT + 1]);
  assert_int_equal(t->l1[OUT], t->l1[OUT + 2]);
  assert_memory_equal(&t->l1[OUT + 16], &t->l1[OUT + 32], 8);
  expect_fill(t, OUT + 40, 8, 0);
  expect_fill(t, OUT + 48, 64, 0xcc);
  free(t);
}

static void test_sub_byte_rows(void **state) {
  struct tx_tile *t = new_tile(false), *whole = new_tile(false);
  const uint8_t *got = &t->l1[OUT + 16], *want = &whole->l1[OUT + 16];
  (void)state;
  fill_dst(t), fill_dst(whole);
  use_formats(t, false, NUM_BF16, NUM_BFP4), use_formats(whole, false, NUM_BF16, NUM_BFP4);
  SET(t, THCON_SEC0_REG1_Exp_section_size, 1), SET(whole, THCON_SEC0_REG1_Exp_section_size, 1);
  t->adc[0].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 2; /* three datums of four bits, twice: three bytes */
  for (unsigned r = 0; r < 2; r++)
    for (unsigned c = 3; c < 16; c++) whole->dst.bits[r][c] = 0; /* so that the shared exponents are the same */
  pacr(t, PACR(SEL(3) | STAY | LAST));
  pacr(whole, PACR(SEL(3) | STAY | LAST));
  assert_memory_equal(&t->l1[OUT], &whole->l1[OUT], 16); /* PACR.md: an exponent for each row */
  assert_int_equal(got[0], want[0]);
  assert_int_equal(got[1], (want[1] & 15) | (want[8] & 15) << 4);
  assert_int_equal(got[2], want[8] >> 4 | (want[9] & 15) << 4);
  expect_fill(t, OUT + 19, 13, 0);
  expect_fill(t, OUT + 32, 32, 0xcc);
  free(t), free(whole);
}

static void test_new_address_only_after_last(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  pacr(t, PACR(SEL(1) | STAY));
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 + 0x100 - 1);
  pacr(t, PACR(SEL(1) | STAY | LAST));
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT, 0);
  expect_row(t, OUT + 32, 0);
  expect_row(t, OUT + 0x1000, 0);
  expect_quiet(t);
  free(t);
}

static void test_output_address(void **state) {
  struct tx_tile *t = new_tile(false);
  struct tx_adc_channel *ch = t->adc[0].unit[TX_ADC_PACKER];
  (void)state;
  fill_dst(t);
  SET(t, PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x30); /* bytes on Blackhole, whole blocks only */
  SET(t, PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 0x100);
  SET(t, PCK0_ADDR_CTRL_ZW_REG_1_Wstride, 0x408);
  SET(t, PCK0_ADDR_BASE_REG_1_Base, 0x10);
  ch[1].c[TX_ADC_Y] = 1, ch[1].c[TX_ADC_Z] = 2, ch[1].c[TX_ADC_W] = 1;
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT + 0x10 + 0x30 + 0x200 + 0x400, 0); /* 0x408 + ... : the odd eight bytes are dropped */
  SET(t, THCON_SEC0_REG1_Sub_l1_tile_header_size, 1);
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT + 0x10 + 0x30 + 0x200 + 0x400 - 0x10, 0);
  SET(t, THCON_SEC0_REG1_Sub_l1_tile_header_size, 0);
  SET(t, THCON_SEC0_REG1_Add_l1_dest_addr_offset, 1);
  tx_pack_metadata_set_offset(t, 1u << 16 | 0x80);
  ch[1].c[TX_ADC_Y] = ch[1].c[TX_ADC_Z] = ch[1].c[TX_ADC_W] = 0;
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT + 0x10 + 0x800, 0);
  free(t);
}

static void test_output_wraps_at_limit(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG9_Pack_0_2_limit_address, (OUT + 0x800) / 32);
  SET(t, THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x800 / 32);
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, (OUT + 0x820) / 16 - 1);
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT + 0x20, 0);
  free(t);
}

/* Kernels set bit 31 of the address: only 17 bits count. */
static void test_address_bit_31(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, 0x80000000u | (OUT / 16 - 1));
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_row(t, OUT, 0);
  free(t);
}

/* FP8 and INT8 have no exponents but still skip the section. */
static void test_exponent_section(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_Exp_section_size, 4);
  use_formats(t, false, NUM_FP16, NUM_FP8);
  pacr(t, PACR(STAY | LAST));
  expect_fill(t, OUT, 64, 0xcc);
  assert_int_not_equal(t->l1[OUT + 64], 0xcc);
  expect_fill(t, OUT + 128, 64, 0xcc);
  use_formats(t, false, NUM_BF16, NUM_BF16); /* 16 bits: no section */
  pacr(t, PACR(STAY | LAST));
  expect_row(t, OUT, 0);
  free(t);
}

static void test_flush(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  t->adc[0].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 3;
  pacr(t, PACR(SEL(1) | STAY));
  expect_fill(t, OUT, 16, 0xcc);
  pacr(t, PACR(MODE(0) | TX_PUT(PACR, flush, 1)));
  for (unsigned c = 0; c < 4; c++) assert_int_equal(half(t, OUT + 2 * c), mark(0, c));
  expect_fill(t, OUT + 8, 8, 0);
  expect_fill(t, OUT + 16, 64, 0xcc);
  assert_int_equal(t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y], 4); /* counters step nevertheless */
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 + 3);
  pacr(t, PACR(SEL(1) | STAY | LAST));
  assert_int_equal(half(t, OUT + 64), mark(4, 0));
  expect_quiet(t);
  free(t);
}

static void test_zero_write(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  pacr(t, PACR(STAY | LAST | TX_PUT(PACR, zero_write, 1)));
  expect_fill(t, OUT, 128, 0);
  expect_fill(t, OUT + 128, 64, 0xcc);
  assert_int_equal(t->pack_stats.exponent_histogram_max, 0);
  free(t);
}

static void test_override_thread(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  for (unsigned i = 0; i < 3; i++) t->adc[i].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 8 * (i + 1);
  for (unsigned i = 0; i < 4; i++) {
    pacr_by(t, 1, PACR(SEL(1) | MODE(0) | LAST | TX_PUT(PACR, ovrd_thread_id, 1) | TX_PUT(PACR, addr_cnt_context, i)));
    settle(t);
    expect_row(t, OUT, i == 3 ? 12 : 8 * (i + 1));
  }
  assert_int_equal(t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y], 16); /* twice */
  assert_int_equal(t->adc[1].unit[TX_ADC_PACKER][0].c[TX_ADC_Y], 20);
  assert_int_equal(t->adc[2].unit[TX_ADC_PACKER][0].c[TX_ADC_Y], 28);
  free(t);
}

/* No page explains pack_per_xy_plane; the golden model ignores it. */
static void test_no_automatic_last(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, PACK_COUNTERS_SEC0_pack_per_xy_plane, 2);
  SET(t, PACK_COUNTERS_SEC0_pack_xys_per_tile, 2);
  for (unsigned i = 0; i < 8; i++) pacr(t, PACR(SEL(1) | MODE(0)));
  for (unsigned i = 0; i < 8; i++) expect_row(t, OUT + 32 * i, 4 * i);
  assert_true(t->diag.counts[TX_DIAG_PACK_UNEXPLAINED] > 0);
  free(t);
}

static void test_automatic_interfaces(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel, 1);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 7);
  pacr(t, PACR(MODE(0)));
  pacr(t, PACR(MODE(0) | LAST));
  for (unsigned row = 0; row < 7; row++) expect_row(t, OUT + 32 * row, row);
  expect_fill(t, OUT + 7 * 32, 64, 0xcc);
  expect_quiet(t);
  free(t);
}

static void test_outside_l1(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, TX_L1_BYTES / 16 - 2); /* one block fits */
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_fault(t, SIM_FAULT_ADDRESS, "PACR: L1 address 0x0017fff0");
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole_tile),
      cmocka_unit_test(test_second_half_and_tile_index),
      cmocka_unit_test(test_read_interfaces),
      cmocka_unit_test(test_strided),
      cmocka_unit_test(test_untilize),
      cmocka_unit_test(test_row_maps_32bit),
      cmocka_unit_test(test_undefined_rows_read_as_zero),
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_blocks_of_sixteen_bytes),
      cmocka_unit_test(test_sub_byte_rows),
      cmocka_unit_test(test_new_address_only_after_last),
      cmocka_unit_test(test_output_address),
      cmocka_unit_test(test_output_wraps_at_limit),
      cmocka_unit_test(test_address_bit_31),
      cmocka_unit_test(test_exponent_section),
      cmocka_unit_test(test_flush),
      cmocka_unit_test(test_zero_write),
      cmocka_unit_test(test_override_thread),
      cmocka_unit_test(test_no_automatic_last),
      cmocka_unit_test(test_automatic_interfaces),
      cmocka_unit_test(test_outside_l1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
