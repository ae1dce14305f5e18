/* Operations of the packer on datums: edge masks, ReLU, exponent threshold and histogram, downsampling,
 * accumulation and compression. After Packers/EdgeMasking.md, ReLU.md, ExponentThresholding.md, ExponentHistogram.md,
 * Downsampling.md, Compression.md, PACR.md (Blackhole). */
#include "pack_rig.h"

/* --- edge masks --- */

static void expect_masked(const struct tx_tile *t, uint32_t address, unsigned row, unsigned mask, uint16_t instead) {
  for (unsigned c = 0; c < 16; c++) assert_int_equal(half(t, address + 2 * c), mask >> c & 1u ? mark(row, c) : instead);
}

/* Row r of a face uses mask (r / 4): row map 2, chosen by the row set select. */
static void set_masks(struct tx_tile *t, uint32_t row_map) {
  static const uint16_t masks[4] = {0xffff, 0x00ff, 0x8001, 0};
  SET(t, PCK_EDGE_OFFSET_SEC0_mask, masks[0]);
  SET(t, PCK_EDGE_OFFSET_SEC1_mask, masks[1]);
  SET(t, PCK_EDGE_OFFSET_SEC2_mask, masks[2]);
  SET(t, PCK_EDGE_OFFSET_SEC3_mask, masks[3]);
  SET(t, PCK_EDGE_TILE_ROW_SET_SELECT_select, 2);
  t->config.words[0][TX_CFG_TILE_ROW_SET_MAPPING_2_row_set_mapping_0_ADDR] = row_map;
  t->config.words[1][TX_CFG_TILE_ROW_SET_MAPPING_2_row_set_mapping_0_ADDR] = row_map;
  t->config.version++;
}

static const unsigned masks_by_quarter[4] = {0xffff, 0x00ff, 0x8001, 0};

static void test_edge_masks(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 2; mode++) {
    struct tx_tile *t = new_tile(false);
    fill_dst(t);
    set_masks(t, 0xffaa5500u);
    SET(t, PCK_EDGE_MODE_mode, mode);
    for (unsigned i = 0; i < 8; i++) pacr(t, PACR(MODE(0) | (i == 7 ? LAST : 0)));
    for (unsigned row = 0; row < 32; row++)
      expect_masked(t, OUT + 32 * row, row, masks_by_quarter[row % 16 / 4], mode ? 0xff80 : 0);
    expect_quiet(t);
    free(t);
  }
}

/* Planes of eight rows: the row map restarts with every plane. After Last too. */
static void test_edge_plane_length(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  set_masks(t, 0xffaa5500u);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 8);
  for (unsigned i = 0; i < 3; i++) pacr(t, PACR(MODE(0) | (i == 2 ? LAST : 0)));
  for (unsigned row = 0; row < 12; row++) expect_masked(t, OUT + 32 * row, row, masks_by_quarter[row % 8 / 4], 0);
  pacr(t, PACR(STAY | LAST));
  expect_masked(t, OUT, 12, 0xffff, 0);
  free(t);
}

/* PACR.md: the counter returns to zero only when it lands on the end of the plane; interfaces count, not rows of Dst. */
static void test_edge_position_steps_over(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  set_masks(t, 0xffaa5500u);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 6);
  pacr(t, PACR(MODE(0)));
  assert_int_equal(found(t, TX_DIAG_PACK_ROWS), 0);
  pacr(t, PACR(MODE(0))); /* from 4 to 8, over 6 */
  assert_int_equal(found(t, TX_DIAG_PACK_ROWS), 1);
  pacr(t, PACR(MODE(0) | LAST));
  for (unsigned row = 0; row < 12; row++) expect_masked(t, OUT + 32 * row, row, masks_by_quarter[row / 4], 0);
  t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 0;
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  for (unsigned i = 0; i < 3; i++) pacr(t, PACR(STAY | SEL(5) | (i == 2 ? LAST : 0))); /* two rows each: positions 0..5 */
  for (unsigned k = 0; k < 6; k++) expect_masked(t, OUT + 32 * k, k % 2 ? 2 : 0, masks_by_quarter[k / 4], 0);
  free(t);
}

/* Without masks the position is unused: kernels that never set the register get no finding. */
static void test_position_matters_only_where_it_is_used(void **state) {
  (void)state;
  for (unsigned used = 0; used < 2; used++) {
    struct tx_tile *t = new_tile(false);
    fill_dst(t);
    if (used) set_masks(t, 0xffaa5500u);
    SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1);
    pacr(t, PACR(MODE(0) | LAST));
    assert_int_equal(found(t, TX_DIAG_PACK_ROWS), used);
    free(t);
  }
}

static void test_edge_by_face(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  set_masks(t, 0x55555555u); /* row map 2: mask 1 in every row; row map 0: mask 0 */
  SET(t, PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
  SET(t, PCK_EDGE_TILE_FACE_SET_SELECT_select, 3);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 4);
  SET(t, DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, 5);
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][TX_CFG_TILE_FACE_SET_MAPPING_3_face_set_mapping_0_ADDR] = 2u << 2 * 6; /* face 6 uses row map 2 */
  for (unsigned i = 0; i < 3; i++) pacr(t, PACR(MODE(0) | (i == 2 ? LAST : 0)));
  for (unsigned row = 0; row < 12; row++) expect_masked(t, OUT + 32 * row, row, row / 4 == 1 ? 0x00ff : 0xffff, 0);
  free(t);
}

static void test_edge_transposed(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  set_masks(t, 0x2u << 2); /* row 1 uses mask 2 */
  SET(t, PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 4);
  for (unsigned i = 0; i < 3; i++) pacr(t, PACR(MODE(0) | (i == 2 ? LAST : 0)));
  for (unsigned row = 0; row < 12; row++) expect_masked(t, OUT + 32 * row, row, row / 4 == 1 ? 0x8001 : 0xffff, 0);
  free(t);
}

/* Masks come before ReLU: minus infinity becomes zero. */
static void test_edge_then_relu(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  for (unsigned c = 0; c < 16; c++) t->dst.bits[0][c] = in_dst(0x4000); /* 2.0 */
  SET(t, PCK_EDGE_OFFSET_SEC0_mask, 0x0f0f);
  SET(t, PCK_EDGE_MODE_mode, 1);
  SET(t, STACC_RELU_ApplyRelu, 3);
  SET(t, STACC_RELU_ReluThreshold, 0x3f80); /* 1.0 */
  pacr(t, PACR(SEL(1) | STAY | LAST));
  for (unsigned c = 0; c < 16; c++) assert_int_equal(half(t, OUT + 2 * c), 0x0f0f >> c & 1u ? 0x3f80 : 0);
  free(t);
}

/* What the fast path of PACR has kept is not used after a PACR without that path was the first with a new configuration. */
static void test_relu_after_rare_pacr(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    for (unsigned c = 0; c < 16; c++) t->dst.bits[0][c] = in_dst(0xc000); /* -2.0 */
    pacr_by(t, 0, PACR(SEL(1) | STAY));
    pacr(t, PACR(SEL(1) | STAY));
    SET(t, STACC_RELU_ApplyRelu, 1);
    pacr_by(t, 0, PACR(SEL(1) | STAY | TX_PUT(PACR, zero_write, 1)));
    pacr(t, PACR(SEL(1) | STAY | LAST));
    for (unsigned c = 0; c < 64; c++) assert_int_equal(half(t, OUT + 2 * c), c < 32 ? 0xc000 : 0);
    free(t);
  }
}

/* --- exponents --- */

static void test_exponent_threshold(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_Exp_threshold, 100);
  pacr(t, PACR(STAY | LAST)); /* off */
  for (unsigned row = 0; row < 4; row++) expect_row(t, OUT + 32 * row, row);
  SET(t, THCON_SEC0_REG1_Exp_threshold_en, 1);
  pacr(t, PACR(STAY | LAST));
  for (unsigned i = 0; i < 64; i++) {
    uint16_t x = mark(i / 16, i % 16);
    assert_int_equal(half(t, OUT + 2 * i), (x >> 7 & 255u) < 100 ? 0 : x);
  }
  free(t);
}

static void test_histogram(void **state) {
  struct tx_tile *t = new_tile(false);
  unsigned bins[32] = {0}, largest = 0;
  (void)state;
  fill_dst(t);
  pacr(t, PACR(STAY | LAST)); /* the maximum is kept also while the histogram is off */
  for (unsigned i = 0; i < 64; i++) {
    unsigned e = mark(i / 16, i % 16) >> 7 & 255u;
    bins[e & 31u]++;
    if (e > largest) largest = e;
  }
  assert_int_equal(t->pack_stats.exponent_histogram_max, largest);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(t->pack_stats.packer[0].exponent_histogram[i], 0);
  SET_THREAD(t, 2, ENABLE_ACC_STATS_Enable, 1); /* the bit of any thread enables it */
  pacr(t, PACR(STAY | LAST));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(t->pack_stats.packer[0].exponent_histogram[i], bins[i]);
  for (unsigned n = 0; n < 200; n++) pacr(t, PACR(STAY | LAST));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(t->pack_stats.packer[0].exponent_histogram[i], bins[i] ? 255 : 0);
  tx_pack_clear_histogram(t);
  assert_int_equal(t->pack_stats.exponent_histogram_max, 0);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(t->pack_stats.packer[0].exponent_histogram[i], 0);
  free(t);
}

static void test_downsampling(void **state) {
  struct tx_tile *t = new_tile(false);
  const unsigned mask = 0xa482;
  uint32_t at = OUT;
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_Downsample_mask, mask);
  pacr(t, PACR(STAY | LAST));
  for (unsigned i = 0; i < 64; i++)
    if (mask >> i % 16 & 1u) assert_int_equal(half(t, at), mark(i / 16, i % 16)), at += 2;
  assert_int_equal(at - OUT, 4 * 5 * 2);
  expect_fill(t, at, 8, 0);
  expect_fill(t, OUT + 48, 64, 0xcc);
  free(t);
}

/* --- accumulation --- */

static void test_accumulate(void **state) {
  static const struct {
    uint8_t wide, intermediate, to;
  } kinds[] = {{0, NUM_BF16, NUM_BF16}, {1, NUM_FP32, NUM_FP32}, {0, NUM_FP16, NUM_FP16}};
  (void)state;
  for (unsigned k = 0; k < 3; k++) {
    struct tx_tile *t = new_tile(k & 1u);
    use_formats(t, kinds[k].wide, kinds[k].intermediate, kinds[k].to);
    SET(t, THCON_SEC0_REG1_Pack_L1_Acc, 1);
    memset(&t->l1[OUT], 0, 256);
    for (unsigned c = 0; c < 16; c++) { /* 1.5 in each format */
      t->dst.bits[0][c] = kinds[k].to == NUM_FP16 ? (uint16_t)(0x200 << 5 | 15) : in_dst(0x3fc0);
      t->dst.bits[8][c] = 0;
    }
    for (unsigned n = 0; n < 3; n++) pacr(t, PACR(SEL(1) | STAY | LAST)); /* 4.5 */
    for (unsigned c = 0; c < 16; c++) {
      if (k == 0) assert_int_equal(half(t, OUT + 2 * c), 0x4090);
      if (k == 1) assert_int_equal(word_at(t, OUT + 4 * c), 0x40900000);
      if (k == 2) assert_int_equal(half(t, OUT + 2 * c), 0x4480);
    }
    expect_quiet(t);
    free(t);
  }
}

static void test_accumulate_fp16_bug(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  use_formats(t, false, NUM_FP16, NUM_FP16);
  SET(t, THCON_SEC0_REG1_Pack_L1_Acc, 1);
  memset(&t->l1[OUT], 0, 64);
  for (unsigned c = 0; c < 16; c++) t->dst.bits[0][c] = c == 3 ? 31 : 15; /* 65536.0 at column 3 */
  pacr(t, PACR(SEL(1) | STAY | LAST));
  expect_quiet(t);
  t->dst.bits[0][3] |= 0x8000u; /* and minus that */
  pacr(t, PACR(SEL(1) | STAY | LAST));
  assert_int_equal(half(t, OUT + 6), 0x7fff);
  assert_int_equal(half(t, OUT), 0x4000);
  assert_int_equal(found(t, TX_DIAG_PACK_FP16_ACCUMULATE), 1);
  free(t);
}

/* --- compression: packed, then decoded as Compression.md describes the format --- */

struct unpacked {
  uint32_t datum[2048];
  unsigned row_length[64], rows, count;
  unsigned kept; /* datums that are there */
};

/* Datums of 8 bits with shared exponents decode to exponent << 8 | datum. */
static void decompress(const struct tx_tile *t, unsigned rows, unsigned bits, bool block, unsigned row_section,
                       unsigned exponent_section, struct unpacked *u) {
  const uint8_t *starts = &t->l1[OUT], *exponents = starts + 16 * row_section, *data = exponents + 16 * exponent_section;
  unsigned group_bytes = 32 * bits / 8 + 16;
  memset(u, 0, sizeof *u);
  for (unsigned row = 0; row < rows; row++) {
    unsigned from = starts[2 * row] | (unsigned)starts[2 * row + 1] << 8,
             to = starts[2 * row + 2] | (unsigned)starts[2 * row + 3] << 8;
    unsigned before = u->count;
    for (unsigned i = from; i < to; i++) {
      const uint8_t *group = data + i / 32 * group_bytes;
      unsigned n = i % 32, zeros = (unsigned)group[4 * bits + n / 2] >> 4 * (n % 2) & 15u;
      uint32_t datum = 0;
      for (unsigned b = 0; b < bits; b += 8) datum |= (uint32_t)group[(n * bits + b) / 8] << b;
      if (bits == 4) datum = datum >> 4 * (n % 2) & 15u;
      if (block) datum |= (uint32_t)exponents[i / 16] << 8;
      u->datum[u->count++] = datum;
      u->kept++;
      for (; zeros; zeros--) u->datum[u->count++] = 0;
    }
    u->row_length[row] = u->count - before;
  }
  u->rows = rows;
}

static uint64_t seed = 12345;
static uint32_t next(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

/* One datum in `density` is not zero. */
static void sparse_dst(struct tx_tile *t, unsigned density) {
  for (unsigned r = 0; r < TX_DST_ROWS; r++)
    for (unsigned c = 0; c < 16; c++) t->dst.bits[r][c] = density && next() % density == 0 ? in_dst(mark(r, c)) : 0;
}

static uint16_t bf16_at(const struct tx_tile *t, unsigned i) {
  uint16_t x = t->dst.bits[i / 16][i % 16];
  return (uint16_t)((x & 0x8000u) | (x & 0xffu) << 7 | (x >> 8 & 0x7fu));
}

static void check_compressed(unsigned density, unsigned concat, unsigned to) {
  struct tx_tile *t = new_tile(false);
  struct unpacked *u = malloc(sizeof *u);
  unsigned rows = 16 / concat, bits = num_format_bits(to);
  bool block = num_format_is_block(to);
  assert_non_null(u);
  sparse_dst(t, density);
  use_formats(t, false, NUM_BF16, to);
  SET(t, THCON_SEC0_REG1_Disable_zero_compress, 0);
  SET(t, THCON_SEC0_REG1_Row_start_section_size, 4);
  SET(t, THCON_SEC0_REG1_Exp_section_size, 4);
  for (unsigned i = 0; i < 16; i++)
    pacr(t, PACR(MODE(0) | (i == 15 ? LAST : 0) | TX_PUT(PACR, concat, (i + 1) % concat != 0)));
  decompress(t, rows, bits, block, 4, block ? 4 : 0, u);
  assert_int_equal(u->count, 1024);
  for (unsigned row = 0; row < rows; row++) assert_int_equal(u->row_length[row], 64 * concat);
  for (unsigned i = 0; i < 1024; i++) {
    uint16_t x = bf16_at(t, i);
    if (to == NUM_BF16) assert_int_equal(u->datum[i], x);
    if (to == NUM_FP32) assert_int_equal(u->datum[i], (uint32_t)x << 16);
    if (block && !x) assert_int_equal(u->datum[i] & 0xffu, 0); /* a datum lost to a larger exponent may be zero as well */
    if (block && x && (x >> 7 & 255u) == u->datum[i] >> 8) {   /* the group's largest exponent: every bit is kept */
      unsigned m = ((x & 127u) | 128u) + 1;
      assert_int_equal(u->datum[i] & ((1u << (bits - 1)) - 1), (m / 2 > 127 ? 127 : m / 2) >> (8 - bits));
    }
  }
  if (density == 0) assert_int_equal(u->kept, rows * (1 + (64 * concat - 2) / 16 + 1));
  if (density == 0) assert_int_equal(t->pack_stats.packer[0].all_zero_flags, rows == 16 ? 0xffff : (1u << rows) - 1);
  if (density == 1) assert_int_equal(u->kept, 1024);
  free(u), free(t);
}

static void test_compression(void **state) {
  static const unsigned densities[] = {0, 1, 2, 5, 20, 100};
  static const unsigned formats[] = {NUM_BF16, NUM_FP32, NUM_BFP8, NUM_BFP4};
  (void)state;
  for (unsigned d = 0; d < 6; d++)
    for (unsigned concat = 1; concat <= 16; concat *= 4)
      for (unsigned f = 0; f < 4; f++) check_compressed(densities[d], concat, formats[f]);
}

static void test_tile_metadata(void **state) {
  struct tx_tile *t = new_tile(false);
  uint32_t size, flags;
  (void)state;
  fill_dst(t);
  SET(t, THCON_SEC0_REG1_Enable_out_fifo, 1);
  SET(t, THCON_SEC0_REG1_Add_tile_header_size, 1);
  assert_false(tx_pack_metadata_read(t, false, &size, &flags));
  for (unsigned n = 0; n < 2; n++) {
    pacr_by(t, 1, PACR(MODE(0)));
    pacr_by(t, 1, PACR(MODE(0) | LAST)); /* 256 bytes */
    settle(t);
  }
  assert_int_equal(t->pack_stats.packer[0].last_tile_size, 16);
  assert_int_equal(t->pack_stats.packer[0].last_thread, 1);
  assert_int_equal(t->pack_stats.packer[0].acc_tile_size[1], 34);
  assert_true(tx_pack_metadata_read(t, true, &size, &flags));
  assert_int_equal(size, 16);
  assert_true(tx_pack_metadata_read(t, true, &size, &flags));
  assert_false(tx_pack_metadata_read(t, true, &size, &flags));
  tx_pack_metadata_set_offset(t, 1u << 16);
  assert_int_equal(t->pack_stats.packer[0].acc_tile_size[1], 0);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edge_masks),
      cmocka_unit_test(test_edge_plane_length),
      cmocka_unit_test(test_edge_position_steps_over),
      cmocka_unit_test(test_position_matters_only_where_it_is_used),
      cmocka_unit_test(test_edge_by_face),
      cmocka_unit_test(test_edge_transposed),
      cmocka_unit_test(test_edge_then_relu),
      cmocka_unit_test(test_relu_after_rare_pacr),
      cmocka_unit_test(test_exponent_threshold),
      cmocka_unit_test(test_histogram),
      cmocka_unit_test(test_downsampling),
      cmocka_unit_test(test_accumulate),
      cmocka_unit_test(test_accumulate_fp16_bug),
      cmocka_unit_test(test_compression),
      cmocka_unit_test(test_tile_metadata),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
