/* The position to which the unpackers write each datum: every mode of UNPACR and UNPACR_NOP against positions computed here from the layouts.
 * The conversion of a datum is tested in test_formats.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scale.h"
#include "unpack_rig.h"

static const struct setup bf16_tile = {
    .unpacker = 0, .in = NUM_BF16, .out = NUM_BF16, .base = 0x20000, .xdim = 1024, .ydim = 1, .zdim = 1, .last = 1023};

static void a_tile_fills_a_bank(void **state) {
  (void)state;
  for (unsigned u = 0; u < 2; u++) {
    struct tx_tile *t = new_tile(true);
    uint64_t seed = 7 + u;
    struct setup s = bf16_tile;
    s.unpacker = u;
    configure(t, &s);
    random_l1(t, 0x20010, 2048, &seed);
    give(t, 0, UNPACR_PLAIN(u) | SET_VALID);
    assert_true(tx_unpack_busy(t, u, 0));
    drain(t);
    assert_false(tx_unpack_busy(t, u, 0));
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    for (unsigned i = 0; i < 1024; i++)
      assert_int_equal(src(t, u, 0, i / 16, i % 16), convert(5, 5, false, l1_datum(t, 0x20010, i, 16), 0));
    assert_int_equal(t->src.bank[u][0].owner, TX_CLIENT_MATRIX);
    assert_int_equal(t->src.bank[u][0].format, NUM_BF16);
    assert_int_equal(t->src.bank[u][0].filled, 1);
    assert_int_equal(t->src.unpack_bank[u], 1);
    assert_int_equal(t->diag.finding_count, 0);
    free(t);
  }
}

/* All formats, sizes and starts; both unpackers and Dst; transposed or not. */
static void random_windows(void **state) {
  (void)state;
  static const uint8_t codes[][2] = {{0, 4}, {0, 5},   {0, 1},   {1, 1}, {5, 5}, {6, 6},   {7, 7}, {15, 15},
                                     {9, 9}, {10, 10}, {14, 14}, {2, 2}, {3, 3}, {11, 11}, {0, 0}, {8, 8}};
  uint64_t seed = 42;
  struct tx_tile *t = new_tile(false);
  uint64_t rounds = test_scaled(400), done = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    unsigned pick = random_word(&seed) % 16, in = codes[pick][0], out = codes[pick][1], u = random_word(&seed) % 2;
    bool dst = pick >= 14 || (u == 0 && random_word(&seed) % 3 == 0);
    if (dst) u = 0;
    if (!num_unpack_legal(in, out, dst)) continue;
    unsigned bits = num_format_bits(in), aligned = random_word(&seed) % 2;
    struct setup s = {
        u, in, out, 0x30000, 1 + random_word(&seed) % 300, 1 + random_word(&seed) % 6, 1 + random_word(&seed) % 6,
        0, 0,  dst};
    s.first = aligned ? random_word(&seed) % 4 * 16 : random_word(&seed) % 64;
    uint32_t count = aligned ? 16 * (1 + random_word(&seed) % 40) : 1 + random_word(&seed) % 500;
    s.last = s.first + count - 1;
    bool transpose = u == 0 && !dst && random_word(&seed) % 3 == 0;
    uint32_t y = random_word(&seed) % 5, z = random_word(&seed) % 5, row0 = random_word(&seed) % 8 * 8;
    tx_tile_reset(t, false);
    configure(t, &s);
    random_l1(t, 0x30000, 0x8000, &seed);
    PUT_SEC(t, 0, REG2_Haloize_mode, transpose);
    struct tx_adc_channel *ch = t->adc[0].unit[u];
    ch[0].c[TX_ADC_Y] = y;
    ch[0].c[TX_ADC_Z] = z;
    uint32_t datum_bytes = num_format_bits(out) / 8 ? num_format_bits(out) / 8 : 1;
    if (u == 0) put(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 16, 64 + 16 * row0);
    else { /* the alternative: position by the Z counter of channel 1 */
      PUT_CFG(t, UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 16 * datum_bytes);
      ch[1].c[TX_ADC_Z] = row0;
    }
    uint32_t first = (z * s.ydim + y) * s.xdim + s.first;
    uint32_t exponents = 0x30010, data = 0x30010;
    if (num_format_is_block(in)) data += ((s.xdim * s.ydim * s.zdim + 15) / 16 + 15) / 16 * 16;
    if (transpose && ((data * 8 + first * bits) % 128 || count > 1024)) continue;
    if (!dst && row0 * 16 + count > 1024) continue;
    for (unsigned b = 0; b < 2; b++) memset(t->src.bank[u][b].datum, 0xee, sizeof t->src.bank[u][b].datum);
    give(t, 0, UNPACR_PLAIN(u));
    drain(t);
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t value = convert(in, out, dst, l1_datum(t, data, first + i, bits), t->l1[exponents + (first + i) / 16]);
      uint32_t row = row0 + i / 16, column = i % 16;
      if (dst && num_format_bits(out) == 32)
        assert_int_equal((uint32_t)t->dst.bits[tx_dst_adj32(t, row)][column] << 16 |
                             t->dst.bits[tx_dst_adj32(t, row) + 8][column],
                         value);
      else if (dst) assert_int_equal(t->dst.bits[row][column], value);
      else if (transpose) assert_int_equal(src(t, u, 0, row / 16 * 16 + column, row % 16), value);
      else assert_int_equal(src(t, u, 0, row, column), value);
    }
    done++;
    if (!dst && !transpose && row0 * 16 + count < 1024) /* and not one further */
      assert_int_equal(src(t, u, 0, row0 + count / 16, count % 16), 0xeeeeeeeeu);
  }
  assert_true(done * 3 >= rounds);
  free(t);
}

/* Row-major matrix in L1, 32 columns of it become two faces' worth of rows. Datums of a byte come 16 at a time. */
static void tilize(void **state) {
  (void)state;
  static const uint8_t formats[][2] = {{5, 5}, {0, 4}, {14, 14}, {10, 10}};
  for (unsigned f = 0; f < 4; f++) {
    struct tx_tile *t = new_tile(true);
    uint64_t seed = 3;
    unsigned in = formats[f][0], bits = num_format_bits(in), line = bits > 8 ? 32 : 16;
    uint32_t width = 160; /* datums per row of the matrix */
    struct setup s = {0, in, formats[f][1], 0x40000, 1024, 1, 1, 0, 511, false};
    configure(t, &s);
    random_l1(t, 0x40000, 0x10000, &seed);
    PUT_SEC(t, 0, REG2_Tileize_mode, 1);
    put(t, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_ADDR, 16, 16, width * bits / 8 / 16);
    give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
    drain(t);
    for (uint32_t i = 0; i < 512; i++)
      assert_int_equal(src(t, 0, 0, i / 16, i % 16),
                       convert(in, formats[f][1], false, l1_datum(t, 0x40010, i / line * width + i % line, bits), 0));
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    free(t);
  }
}

static void zeros_instead_of_data(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 5;
  configure(t, &bf16_tile);
  random_l1(t, 0x20000, 4096, &seed);
  memset(t->src.bank[0][0].datum, 0xff, sizeof t->src.bank[0][0].datum);
  give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, zero_write2, 1));
  drain(t);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(src(t, 0, 0, i / 16, i % 16), 0);
  free(t);
}

/* Upsample_rate n skips 2^n - 1 positions after each datum: zeroed, or (interleave) unchanged. */
static void upsampling(void **state) {
  (void)state;
  for (unsigned rate = 1; rate <= 3; rate++) {
    for (unsigned interleave = 0; interleave < 2; interleave++) {
      struct tx_tile *t = new_tile(true);
      uint64_t seed = rate;
      struct setup s = bf16_tile;
      s.last = 63;
      configure(t, &s);
      random_l1(t, 0x20000, 4096, &seed);
      PUT_SEC(t, 0, REG2_Upsample_rate, rate);
      PUT_SEC(t, 0, REG2_Upsample_and_interleave, interleave);
      memset(t->src.bank[0][0].datum, 0x77, sizeof t->src.bank[0][0].datum);
      give(t, 0, UNPACR_PLAIN(0));
      drain(t);
      for (unsigned i = 0; i < 64u << rate; i++) {
        uint32_t expected =
            i % (1u << rate) ? (interleave ? 0x77777777u : 0) : convert(5, 5, false, l1_datum(t, 0x20010, i >> rate, 16), 0);
        assert_int_equal(src(t, 0, 0, i / 16, i % 16), expected);
      }
      free(t);
    }
  }
}

static void column_shift(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 9;
  struct setup s = bf16_tile;
  s.last = 255;
  configure(t, &s);
  random_l1(t, 0x20000, 4096, &seed);
  PUT_SEC(t, 0, REG2_Shift_amount_cntx0, 3);
  memset(t->src.bank[0][0].datum, 0x11, sizeof t->src.bank[0][0].datum);
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  for (unsigned r = 0; r < 16; r++)
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(src(t, 0, 0, r, c),
                       c < 13 ? convert(5, 5, false, l1_datum(t, 0x20010, r * 16 + c + 3, 16), 0) : 0x11111111u);
  free(t);
}

static void one_row_into_eight(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 11;
  struct setup s = bf16_tile;
  s.unpacker = 1;
  s.last = 15;
  configure(t, &s);
  random_l1(t, 0x20000, 4096, &seed);
  give(t, 0, UNPACR_PLAIN(1) | TX_PUT(UNPACR, srcb_bcast, 1));
  drain(t);
  for (unsigned r = 0; r < 8; r++)
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(src(t, 1, 0, r, c), convert(5, 5, false, l1_datum(t, 0x20010, c, 16), 0));
  assert_int_equal(src(t, 1, 0, 8, 0), 0);
  free(t);
}

/* --- compressed data --- */

/* Compresses `count` datums of 16 bits as Packers/Compression.md describes: a datum and the zeros after it, groups of 32,
 * the first and last datum of a row always there. Returns the number of augmented datums. */
static uint32_t compress(struct tx_tile *t, uint32_t groups, uint32_t at, const uint16_t *datum, uint32_t count) {
  for (uint32_t i = 0; i < count;) {
    uint32_t zeros = 0;
    while (zeros < 15 && i + zeros + 1 < count - 1 && datum[i + zeros + 1] == 0) zeros++;
    uint32_t group = groups + at / 32 * (64 + 16), place = at % 32;
    t->l1[group + 2 * place] = (uint8_t)datum[i];
    t->l1[group + 2 * place + 1] = (uint8_t)(datum[i] >> 8);
    t->l1[group + 64 + place / 2] |= (uint8_t)(zeros << (place % 2 * 4));
    at++;
    i += 1 + zeros;
  }
  return at;
}

static void compressed_rows(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (uint64_t round = 0; round < test_scaled(40); round++) {
    struct tx_tile *t = new_tile(round % 2);
    uint16_t rows[8][64];
    struct setup s = {0, NUM_BF16, NUM_BF16, 0x50000, 64, 8, 1, 0, 63, false};
    configure(t, &s);
    put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), 0, 1, 0);
    uint32_t table = 0x50010, groups = table + 32, at = 0; /* nine row starts of two bytes, rounded up to 16 */
    for (unsigned r = 0; r < 8; r++) {
      for (unsigned c = 0; c < 64; c++) rows[r][c] = random_word(&seed) % 100 < 70 ? 0 : (uint16_t)random_word(&seed);
      t->l1[table + 2 * r] = (uint8_t)at;
      t->l1[table + 2 * r + 1] = (uint8_t)(at >> 8);
      at = compress(t, groups, at, rows[r], 64);
    }
    t->l1[table + 16] = (uint8_t)at;
    t->l1[table + 17] = (uint8_t)(at >> 8);
    unsigned row = random_word(&seed) % 8;
    bool part = random_word(&seed) % 2;
    uint32_t from = part ? random_word(&seed) % 32 : 0, count = part ? 1 + random_word(&seed) % 31 : 64;
    t->adc[0].unit[0][0].c[TX_ADC_Y] = row;
    t->adc[0].unit[0][0].c[TX_ADC_X] = from;
    t->adc[0].unit[0][1].c[TX_ADC_X] = from + count - 1;
    memset(t->src.bank[0][0].datum, 0x33, sizeof t->src.bank[0][0].datum);
    give(t, 0, UNPACR_PLAIN(0));
    drain(t);
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    for (uint32_t i = 0; i < count; i++)
      assert_int_equal(src(t, 0, 0, i / 16, i % 16), convert(5, 5, false, rows[row][from + i], 0));
    if (count < 64) assert_int_equal(src(t, 0, 0, count / 16, count % 16), 0x33333333u);
    free(t);
  }
}

/* --- contexts --- */

static void contexts_choose_their_registers(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 17;
  configure(t, &bf16_tile);
  random_l1(t, 0x20000, 0x40000, &seed);
  t->adc[0].unit[0][1].c[TX_ADC_X] = 15;
  PUT_SEC(t, 0, REG2_Ovrd_data_format, 1);
  for (unsigned i = 0; i < 8; i++) { /* each context: its own base, offset (of four), size (of four), formats and place */
    put(t, SECTION(0, REG3_Base_address) + i, 0, 32, (0x20000 + 0x2000 * i) / 16);
    put(t, SECTION(0, REG7_Offset_address) + (i & 3u), 0, 16, 2 * (i & 3u));
    put(t, SECTION(0, REG7_Offset_address) + (i & 3u), i < 4 ? 16 : 24, 8, i % 2 ? 0x55 : 0x11); /* BF16 or FP16 */
    put(t, SECTION(0, REG5_Dest_cntx0_address) + (i & 3u) / 2, 16 * (i & 1u), 16, 64 + 16 * (i & 3u));
    put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), i < 4 ? i : 12 + i, 1, 1);
  }
  for (unsigned i = 0; i < 8; i++) {
    memset(t->src.bank[0][0].datum, 0, sizeof t->src.bank[0][0].datum);
    give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, cfg_context_id, i));
    drain(t);
    unsigned format = i % 2 ? 5 : 1;
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(src(t, 0, 0, i & 3u, c),
                       convert(format, format, false, l1_datum(t, 0x20000 + 0x2000 * i + 32 * (i & 3u) + 16, c, 16), 0));
  }
  /* the thread's offset is added, modulo 8 */
  t->config.thread_words[0][TX_CFG_UNPACK_MISC_CFG_CfgContextOffset_0_ADDR] = 5;
  give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, cfg_context_id, 4)); /* 1 */
  drain(t);
  assert_int_equal(src(t, 0, 0, 1, 3), convert(5, 5, false, l1_datum(t, 0x22000 + 32 + 16, 3, 16), 0));
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
}

static void context_counter(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  PUT_SEC(t, 0, REG2_Context_count, 2);
  put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), 0, 4, 15);
  for (unsigned i = 0; i < 4; i++) put(t, SECTION(0, REG3_Base_address) + i, 0, 32, 0x2000);
  static const uint8_t after[] = {1, 2, 3, 0, 1};
  for (unsigned i = 0; i < 5; i++) {
    give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, auto_inc_context_id, 1));
    drain(t);
    assert_int_equal(t->unpack.context_counter[0][0], after[i]);
    assert_int_equal(t->unpack.context_counter[0][1], 0);
  }
  give(t, 0, 0x42000000u | TX_PUT(UNPACR, cfg_context_cnt_inc, 1));
  assert_int_equal(t->unpack.context_counter[0][0], 2);
  assert_false(tx_unpack_busy(t, 0, 0));
  t->unpack.context_counter[1][0] = 1;
  tx_context_misc_written(t, 0, 0x0010);
  assert_int_equal(t->unpack.context_counter[0][0], 0);
  assert_int_equal(t->unpack.context_counter[1][0], 1);
  tx_context_misc_written(t, 0, 0x1000);
  assert_int_equal(t->unpack.context_counter[1][0], 0);
  free(t);
}

/* X and Y come from the set that the instruction names, Z, W and the output from the thread's own; both sets are stepped. */
static void counters_of_another_thread(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 19;
  struct setup s = bf16_tile;
  s.xdim = 16, s.ydim = 8, s.last = 15;
  configure(t, &s);
  random_l1(t, 0x20000, 0x4000, &seed);
  t->adc[2].unit[0][0].c[TX_ADC_Y] = 3;
  t->adc[2].unit[0][1].c[TX_ADC_X] = 7;
  t->adc[0].unit[0][0].c[TX_ADC_Z] = 2;
  give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, addr_cnt_context_id, 2) | TX_PUT(UNPACR, addr_mode, 0xe4));
  drain(t);
  for (unsigned c = 0; c < 8; c++)
    assert_int_equal(src(t, 0, 0, 0, c), convert(5, 5, false, l1_datum(t, 0x20010, (2 * 8 + 3) * 16 + c, 16), 0));
  assert_int_equal(src(t, 0, 0, 0, 8), 0);
  assert_int_equal(t->adc[2].unit[0][0].c[TX_ADC_Y], 4); /* channel 0: Y + 1, Z + 0; channel 1: Z + 2, Y + 3 */
  assert_int_equal(t->adc[0].unit[0][0].c[TX_ADC_Y], 1);
  assert_int_equal(t->adc[0].unit[0][1].c[TX_ADC_Z], 2);
  assert_int_equal(t->adc[2].unit[0][1].c[TX_ADC_Y], 3);
  free(t);
}

/* Context 0 of the counters is the issuing thread's own set, whichever that is: golden. */
static void counters_of_the_own_thread(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 20;
  struct setup s = bf16_tile;
  configure(t, &s);
  random_l1(t, 0x20000, 0x4000, &seed);
  t->config.thread_words[2][TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR] = 1u << TX_CFG_SRCA_SET_SetOvrdWithAddr_SHIFT;
  t->adc[2].unit[0][0].c[TX_ADC_X] = 5;
  t->adc[2].unit[0][1].c[TX_ADC_X] = 10;
  give(t, 2, UNPACR_PLAIN(0) | TX_PUT(UNPACR, addr_mode, 4));
  assert_true(tx_unpack_busy(t, 0, 2));
  assert_false(tx_unpack_busy(t, 0, 0));
  drain(t);
  for (unsigned c = 0; c < 6; c++)
    assert_int_equal(src(t, 0, 0, 0, c), convert(5, 5, false, l1_datum(t, 0x20010, 5 + c, 16), 0));
  assert_int_equal(src(t, 0, 0, 0, 6), 0);
  assert_int_equal(t->adc[2].unit[0][0].c[TX_ADC_Y], 1);
  assert_int_equal(t->adc[0].unit[0][0].c[TX_ADC_Y], 0);
  free(t);
}

/* Without MultiContextMode: the descriptor's own size and flags, the output from the counters, rows by SrcRow. */
static void single_context(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 23;
  struct setup s = bf16_tile;
  s.xdim = 256, s.last = 255;
  configure(t, &s);
  random_l1(t, 0x20000, 0x4000, &seed);
  put(t, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR, 0, 32, 0);
  PUT_CFG(t, UNP0_ADDR_BASE_REG_1_Base, 64 * 2);
  PUT_SEC(t, 0, REG2_Unpack_Src_Reg_Set_Upd, 1);
  t->config.thread_words[0][TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR] = 0;
  for (unsigned face = 0; face < 4; face++) {
    uint32_t word = 0x42000000u | TX_PUT(UNPACR, addr_mode, 1) | (face == 3 ? SET_VALID : 0);
    give(t, 0, word);
  }
  drain(t);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  for (unsigned i = 0; i < 1024; i++)
    assert_int_equal(src(t, 0, 0, i / 16, i % 16), convert(5, 5, false, l1_datum(t, 0x20010, i, 16), 0));
  assert_int_equal(t->unpack.src_row[0][0], 0);
  assert_int_equal(t->src.unpack_bank[0], 1);
  free(t);
}

/* A ring in L1: addresses beyond the limit wrap to the start of the ring. */
static void limit_address(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 29;
  configure(t, &bf16_tile);
  random_l1(t, 0x20000, 0x4000, &seed);
  PUT_SEC(t, 0, REG2_Unpack_limit_address, 0x20410 / 16);
  PUT_SEC(t, 0, REG2_Unpack_fifo_size, 0x400 / 16);
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  uint32_t address = 0x20010;
  for (unsigned row = 0; row < 64; row++) { /* lines of 32 datums: 64 bytes */
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(src(t, 0, 0, row, c), convert(5, 5, false, l1_datum(t, address + 32 * (row % 2), c, 16), 0));
    if (row % 2) address += 64;
    if (row % 2 && address > 0x20410) address -= 0x400;
  }
  free(t);
}

/* --- UNPACR_NOP --- */

#define NOP(u, pop) (0x43000000u | TX_PUT(UNPACR_NOP, unpacker_select, u) | TX_PUT(UNPACR_NOP, unpack_pop, pop))

static void check_bank(const struct tx_tile *t, unsigned u, unsigned bank, uint32_t value) {
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(src(t, u, bank, i / 16, i % 16), value);
}

static void nop_forms(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  for (unsigned u = 0; u < 2; u++) {
    put(t, SECTION(u, REG2_Out_data_format), 0, 4, NUM_FP16);
    for (unsigned b = 0; b < 2; b++) memset(t->src.bank[u][b].datum, 0x55, sizeof t->src.bank[u][b].datum);
    give(t, 0, NOP(u, 2)); /* nothing but a cycle */
    drain(t);
    check_bank(t, u, 0, 0x55555555u);
    give(t, 0, NOP(u, 1));
    drain(t);
    check_bank(t, u, 0, 0);
    check_bank(t, u, 1, 0x55555555u);
    assert_int_equal(t->src.unpack_bank[u], 0);
    give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, src_clr_val_ctrl, 1));
    drain(t);
    check_bank(t, u, 0, 0x7ffff);
    static const uint32_t one[] = {15, 127, 1u << 8 | 16};
    for (unsigned f = 0; f < 3; f++) {
      give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, src_clr_val_ctrl, 2) | TX_PUT(UNPACR_NOP, clr_to1_fmt_ctrl, f));
      drain(t);
      check_bank(t, u, 0, one[f]);
    }
    if (u) PUT_CFG(t, UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val, 0xfff81234u);
    else PUT_CFG(t, UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val, 0xfff81234u);
    give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, src_clr_val_ctrl, 3));
    drain(t);
    check_bank(t, u, 0, 0x01234);
    give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, bank_clr_ctrl, 1));
    drain(t);
    check_bank(t, u, 0, 0);
    check_bank(t, u, 1, 0);
    uint64_t version = t->src.bank[u][0].version;
    t->unpack.src_row[u][0] = 48;
    t->config.thread_words[0][TX_CFG_SRCA_SET_Base_ADDR] = 1;
    t->config.thread_words[0][TX_CFG_SRCB_SET_Base_ADDR] = 2;
    give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, set_dvalid, 1));
    drain(t);
    assert_int_equal(t->unpack.src_row[u][0], u ? 32 : 16);
    assert_int_not_equal(t->src.bank[u][0].version, version);
    assert_int_equal(t->src.unpack_bank[u], 1);
    assert_int_equal(t->src.bank[u][0].owner, TX_CLIENT_MATRIX);
    assert_int_equal(t->src.bank[u][0].format, NUM_FP16);
    memset(t->src.bank[u][1].datum, 0x44, sizeof t->src.bank[u][1].datum);
    give(t, 0, NOP(u, 1) | TX_PUT(UNPACR_NOP, clr_to1_fmt_ctrl, 3)); /* only the hand-over */
    drain(t);
    check_bank(t, u, 1, 0x44444444u);
    assert_int_equal(t->src.unpack_bank[u], 0);
  }
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
}

static void nop_that_needs_the_overlay_is_refused(void **state) {
  (void)state;
  static const uint32_t words[] = {NOP(0, 0), NOP(1, 3) | TX_PUT(UNPACR_NOP, msg_clr_cnt, 1),
                                   NOP(0, 3) | TX_PUT(UNPACR_NOP, src_clr_val_ctrl, 1)};
  for (unsigned i = 0; i < 3; i++) {
    struct tx_tile *t = new_tile(true);
    give(t, 0, words[i]);
    drain(t);
    assert_int_equal(t->fault.kind, SIM_FAULT_UNSUPPORTED);
    assert_non_null(strstr(t->fault.why, "UNPACR_NOP"));
    free(t);
  }
}

/* --- rarely used modes --- */

/* The header may be longer, the exponents of BFP4 may be missing (then they are read where the datums begin). */
static void headers_and_exponent_sections(void **state) {
  (void)state;
  for (unsigned missing = 0; missing < 2; missing++) {
    struct tx_tile *t = new_tile(true);
    uint64_t seed = 51;
    struct setup s = {1, NUM_BFP4, NUM_BFP4, 0x20000, 256, 1, 1, 0, 255, false};
    configure(t, &s);
    random_l1(t, 0x20000, 0x1000, &seed);
    put_descriptor(t, 1, 120, 8, 3);
    put_descriptor(t, 1, 5, 1, missing);
    give(t, 0, UNPACR_PLAIN(1));
    drain(t);
    uint32_t exponents = 0x20000 + 4 * 16, data = exponents + (missing ? 0 : 16);
    for (unsigned i = 0; i < 256; i++)
      assert_int_equal(src(t, 1, 0, i / 16, i % 16),
                       convert(7, 7, false, l1_datum(t, data, i, 4), t->l1[exponents + i / 16]));
    free(t);
  }
}

/* Exponents wrap around the ring independently of the datums. */
static void exponents_in_a_ring(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 53;
  struct setup s = {0, NUM_BFP8, NUM_BFP8, 0x20000, 1024, 1, 1, 0, 1023, false};
  configure(t, &s);
  random_l1(t, 0x18000, 0x10000, &seed);
  PUT_SEC(t, 0, REG2_Unpack_limit_address, 0x20020 / 16); /* 32 exponents lie below it, the rest and all datums beyond */
  PUT_SEC(t, 0, REG2_Unpack_fifo_size, 0x1000 / 16);
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  uint32_t exponent = 0x20010, data = 0x20050 - 0x1000; /* the first datum is beyond the limit already */
  for (unsigned row = 0; row < 64; row++) {
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(src(t, 0, 0, row, c), convert(6, 6, false, t->l1[data + c], t->l1[exponent]));
    data += 16;
    exponent++;
    if (exponent % 16 == 0 && exponent > 0x20020) exponent -= 0x1000;
  }
  t->adc[0].unit[0][0].c[TX_ADC_X] = 800; /* whose exponent is beyond it from the start */
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(src(t, 0, 0, 0, 0), convert(6, 6, false, t->l1[0x20050 + 800 - 0x1000], t->l1[0x20010 + 50 - 0x1000]));
  free(t);
}

/* The position in the register: counters of channel 1 times strides, with the context's own address added or used instead. */
static void output_addresses(void **state) {
  (void)state;
  for (unsigned add = 0; add < 3; add++) { /* instead, added, and to Dst where it is always added */
    struct tx_tile *t = new_tile(true);
    uint64_t seed = 57;
    struct setup s = bf16_tile;
    s.last = 15;
    s.to_dst = add == 2;
    configure(t, &s);
    random_l1(t, 0x20000, 0x100, &seed);
    PUT_CFG(t, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, add == 1);
    PUT_CFG(t, UNP0_ADDR_CTRL_XY_REG_1_Ystride, 32);
    PUT_CFG(t, UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 64);
    PUT_CFG(t, UNP0_ADDR_CTRL_ZW_REG_1_Wstride, 128);
    PUT_CFG(t, UNP0_ADDR_BASE_REG_1_Base, 32 * 8);
    struct tx_adc_channel *out = &t->adc[0].unit[0][1];
    out->c[TX_ADC_Y] = 1, out->c[TX_ADC_Z] = 2, out->c[TX_ADC_W] = 3;
    give(t, 0, UNPACR_PLAIN(0));
    drain(t);
    unsigned row = add ? 8 + 1 + 2 * 2 + 4 * 3 : 0;
    uint32_t expected = convert(5, 5, add == 2, l1_datum(t, 0x20010, 7, 16), 0);
    assert_int_equal(add == 2 ? t->dst.bits[row][7] : src(t, 0, 0, row, 7), expected);
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    free(t);
  }
}

/* RowSearch without blobs: a line from its start, up to (not including) X of channel 1. */
static void row_search(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 59;
  struct setup s = bf16_tile;
  s.xdim = 64, s.ydim = 4, s.first = 9, s.last = 40;
  configure(t, &s);
  random_l1(t, 0x20000, 0x1000, &seed);
  t->adc[0].unit[0][0].c[TX_ADC_Y] = 2;
  give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, row_search, 1));
  drain(t);
  for (unsigned i = 0; i < 40; i++)
    assert_int_equal(src(t, 0, 0, i / 16, i % 16), convert(5, 5, false, l1_datum(t, 0x20010, 2 * 64 + i, 16), 0));
  assert_int_equal(src(t, 0, 0, 2, 8), 0);
  free(t);
}

/* With blobs: starts of four bits, in rows of 16 datums; by context in unpacker 0, from the descriptor in unpacker 1. */
static void row_search_with_blobs(void **state) {
  (void)state;
  for (unsigned u = 0; u < 2; u++) {
    for (unsigned last = 0; last < 2; last++) {
      struct tx_tile *t = new_tile(true);
      uint64_t seed = 61;
      struct setup s = bf16_tile;
      s.unpacker = u;
      s.xdim = 0x1a0;
      configure(t, &s);
      random_l1(t, 0x20000, 0x2000, &seed);
      put_descriptor(t, u, 8, 3, 4); /* blobs 0..3 begin at rows 0, 3, 5, 9 */
      if (u) {
        put_descriptor(t, u, 80, 16, 0x9530);
      } else {
        PUT_CFG(t, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, 0x9530);
        PUT_CFG(t, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start, 0xffff);
      }
      struct tx_adc_channel *xy = &t->adc[0].unit[u][0];
      xy->c[TX_ADC_Y] = last ? 3 : 1; /* from this blob */
      xy->c[TX_ADC_X] = last ? 3 : 2; /* to this one */
      give(t, 0, UNPACR_PLAIN(u) | TX_PUT(UNPACR, row_search, 1));
      drain(t);
      uint32_t from = last ? 9 * 16 : 3 * 16, to = last ? 0x1a0 : 9 * 16;
      for (uint32_t i = 0; i < to - from; i++)
        assert_int_equal(src(t, u, 0, i / 16, i % 16), convert(5, 5, false, l1_datum(t, 0x20010, from + i, 16), 0));
      assert_int_equal(src(t, u, 0, (to - from) / 16, 0), 0);
      assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
      free(t);
    }
  }
}

/* Compressed data with blobs has a row start per blob; RowSearch uses those from Y to X. */
static void compressed_blobs(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 63;
  uint16_t rows[6][32];
  struct setup s = {0, NUM_BF16, NUM_BF16, 0x50000, 32, 9, 2, 0, 31, false};
  configure(t, &s);
  put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), 0, 1, 0);
  put_descriptor(t, 0, 8, 3, 3); /* three blobs in each of two planes: seven row starts */
  uint32_t table = 0x50010, groups = table + 16, at = 0;
  for (unsigned r = 0; r < 6; r++) {
    for (unsigned c = 0; c < 32; c++) rows[r][c] = random_word(&seed) % 2 ? 0 : (uint16_t)random_word(&seed);
    t->l1[table + 2 * r] = (uint8_t)at;
    at = compress(t, groups, at, rows[r], 32);
  }
  t->l1[table + 12] = (uint8_t)at;
  struct tx_adc_channel *ch = &t->adc[0].unit[0][0];
  ch->c[TX_ADC_Z] = 1;
  ch->c[TX_ADC_Y] = 1;
  ch->c[TX_ADC_X] = 2;
  give(t, 0, UNPACR_PLAIN(0) | TX_PUT(UNPACR, row_search, 1));
  drain(t);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  for (unsigned i = 0; i < 64; i++) /* blobs 1 and 2 of plane 1 */
    assert_int_equal(src(t, 0, 0, i / 16, i % 16), convert(5, 5, false, rows[4 + i / 32][i % 32], 0));
  assert_int_equal(src(t, 0, 0, 4, 0), 0);
  free(t);
}

/* Rows past 63 wrap to the top, and this is reported as a finding. */
static void rows_wrap_around(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 67;
  configure(t, &bf16_tile);
  random_l1(t, 0x20000, 0x1000, &seed);
  put(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 16, 64 + 16 * 48);
  uint64_t version = t->src.bank[0][0].version;
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  for (unsigned i = 0; i < 1024; i++)
    assert_int_equal(src(t, 0, 0, (48 + i / 16) % 64, i % 16), convert(5, 5, false, l1_datum(t, 0x20010, i, 16), 0));
  assert_int_equal(t->diag.counts[TX_DIAG_UNPACK_ROWS], 1);
  assert_int_not_equal(t->src.bank[0][0].version, version); /* the owner of a decoded copy must be notified */
  free(t);
}

/* --- rejected modes --- */

static void refuse(void (*spoil)(struct tx_tile *t), unsigned u, uint32_t more, uint32_t kind, const char *words) {
  struct tx_tile *t = new_tile(true);
  struct setup s = bf16_tile;
  s.unpacker = u;
  configure(t, &s);
  spoil(t);
  uint64_t before = t->config.version;
  give(t, 0, UNPACR_PLAIN(u) | more);
  drain(t);
  assert_int_equal(t->fault.kind, kind);
  if (!strstr(t->fault.why, words)) fail_msg("\"%s\" does not say \"%s\"", t->fault.why, words);
  assert_int_equal(t->config.version, before);
  assert_false(tx_unpack_busy(t, u, 0));
  free(t);
}

static void bad_pair(struct tx_tile *t) { put(t, SECTION(0, REG2_Out_data_format), 0, 4, NUM_FP16); }
static void no_format(struct tx_tile *t) { put_descriptor(t, 0, 0, 4, 12); }
static void int32_to_src(struct tx_tile *t) {
  put_descriptor(t, 0, 0, 4, NUM_INT32);
  put(t, SECTION(0, REG2_Out_data_format), 0, 4, NUM_INT32);
}
static void outside(struct tx_tile *t) { PUT_SEC(t, 0, REG3_Base_address, (TX_L1_BYTES - 1024) / 16); }
static void far_outside(struct tx_tile *t) { PUT_SEC(t, 0, REG3_Base_address, 0xffffffffu); }
static void far_plane(struct tx_tile *t) {
  put_descriptor(t, 0, 32, 8, 255);
  put(t, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR, 0, 16, 0xffff);
  t->adc[0].unit[0][0].c[TX_ADC_W] = 255;
  put_descriptor(t, 0, 48, 8, 255);
}
static void backwards(struct tx_tile *t) { t->adc[0].unit[0][0].c[TX_ADC_X] = 2000; }
static void nothing(struct tx_tile *t) { (void)t; }
static void misaligned_tilize(struct tx_tile *t) {
  PUT_SEC(t, 0, REG2_Tileize_mode, 1);
  t->adc[0].unit[0][0].c[TX_ADC_X] = 1;
}
static void transposed_dst(struct tx_tile *t) {
  put(t, SECTION(0, REG2_Unpack_if_sel_cntx0), 4, 1, 1);
  PUT_SEC(t, 0, REG2_Haloize_mode, 1);
}
static void override_to_dst(struct tx_tile *t) { put(t, SECTION(0, REG2_Unpack_if_sel_cntx0), 4, 1, 1); }
static void odd_output(struct tx_tile *t) { PUT_CFG(t, UNP1_ADDR_BASE_REG_1_Base, 1); }
static void strange_count(struct tx_tile *t) { PUT_SEC(t, 0, REG2_Context_count_non_log2_en, 1); }
static void falling_rows(struct tx_tile *t) {
  put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), 0, 1, 0);
  t->l1[0x20010] = 5;
}

static void bad_input(void **state) {
  (void)state;
  refuse(bad_pair, 0, 0, SIM_FAULT_UNDEFINED, "no conversion from BF16 (5) in L1 to FP16 (1) in SrcA");
  refuse(no_format, 0, 0, SIM_FAULT_UNDEFINED, "none (12)");
  refuse(int32_to_src, 0, 0, SIM_FAULT_UNDEFINED, "INT32 (8) in SrcA");
  refuse(outside, 0, 0, SIM_FAULT_ADDRESS, "L1 ends at");
  refuse(far_outside, 0, 0, SIM_FAULT_ADDRESS, "L1 ends at");
  refuse(far_plane, 0, 0, SIM_FAULT_ADDRESS, "L1 ends at");
  refuse(backwards, 0, 0, SIM_FAULT_UNDEFINED, "backwards");
  refuse(nothing, 1, TX_PUT(UNPACR, cfg_context_id, 2), SIM_FAULT_UNDEFINED, "contexts 0 and 1");
  refuse(nothing, 0, TX_PUT(UNPACR, addr_cnt_context_id, 3), SIM_FAULT_UNDEFINED, "context 3");
  refuse(misaligned_tilize, 0, 0, SIM_FAULT_UNDEFINED, "16 bytes");
  refuse(transposed_dst, 0, 0, SIM_FAULT_UNDEFINED, "transpose");
  refuse(override_to_dst, 0, 0, SIM_FAULT_UNDEFINED, "SetOvrdWithAddr");
  refuse(odd_output, 1, 0, SIM_FAULT_UNDEFINED, "multiple of 2");
  refuse(nothing, 0, TX_PUT(UNPACR, srcb_bcast, 1), SIM_FAULT_UNDEFINED, "unpacker 1");
  refuse(nothing, 1, TX_PUT(UNPACR, srcb_bcast, 1), SIM_FAULT_UNDEFINED, "one row");
  refuse(strange_count, 0, TX_PUT(UNPACR, auto_inc_context_id, 1), SIM_FAULT_UNSUPPORTED, "non_log2");
  refuse(falling_rows, 0, 0, SIM_FAULT_UNDEFINED, "fall");
}

/* --- findings: provoked, and quiet otherwise --- */

static void findings(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  put(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 16, 64 + 16 * 8); /* rows 8 to 71 */
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->diag.counts[TX_DIAG_UNPACK_ROWS], 1);
  put(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 16, 64 + 16 * 1); /* bursts of four rows begin at row 1 */
  t->adc[0].unit[0][1].c[TX_ADC_X] = 255;
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->diag.counts[TX_DIAG_SRCA_BURST_DROPPED], 1);
  struct setup s = {0, NUM_BFP8A, NUM_BFP8A, 0x20000, 16, 1, 1, 0, 15, false};
  configure(t, &s);
  t->l1[0x20010] = 40; /* exponent of six bits */
  t->l1[0x20020] = 0x40;
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->diag.counts[TX_DIAG_FP16_HIGH_EXPONENT], 1);
  s = (struct setup){0, NUM_BF16, NUM_BF16, 0x20000, 16, 1, 1, 0, 7, true};
  configure(t, &s);
  t->dst.valid[0] = 0;
  give(t, 0, UNPACR_PLAIN(0));
  drain(t);
  assert_int_equal(t->diag.counts[TX_DIAG_DST_PARTIAL_WRITE], 1);
  assert_int_equal(t->dst.valid[0], TX_DST_VALID16);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
}

/* The words that a kernel writes between two UNPACRs, and others that change what an UNPACR does. */
static void write_some_configuration(struct tx_tile *t, uint32_t pick, uint32_t value) {
  unsigned u = value & 1u;
  switch (pick) {
    case 0: tx_config_write(t, 0, SECTION(u, REG3_Base_address) + (value >> 1 & 1u), 0x2000 + value % 64); break;
    case 1: tx_thread_config_write(t, 0, TX_CFG_UNPACK_MISC_CFG_CfgContextOffset_0_ADDR, value & 2u ? 0x11 : 0); break;
    case 2: tx_config_write(t, 0, SECTION(u, REG7_Offset_address) + (value >> 1 & 1u), value % 8); break;
    case 3: tx_config_write(t, 0, SECTION(u, REG2_Out_data_format), value & 2u ? NUM_BF16 | 1u << 8 : NUM_BF16); break;
    case 4: tx_thread_config_write(t, 0, TX_CFG_SRCA_SET_Base_ADDR, (value & 2u) << 1 | (value >> 2 & 3u)); break;
    case 5: tx_config_write(t, 0, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR, value & 2u ? 0x02000200 : 0x04000400); break;
    case 6: tx_config_write(t, 0, TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR, value); break;
    case 7: t->adc[0].unit[u][0].c[TX_ADC_X] = value >> 1 & 16u; break;
    case 8: t->adc[0].unit[u][1].c[TX_ADC_X] = value & 2u ? 255 : value & 4u ? 15 : 1023; break;
    default: break; /* the same again */
  }
}

/* An UNPACR that follows the plan of one before it does what one without a plan does. */
static void plans_change_nothing(void **state) {
  (void)state;
  uint64_t seed = 31;
  for (unsigned run = 0; run < test_scaled(40); run++) {
    bool timing = run % 2;
    struct tx_tile *planned = new_tile(timing), *fresh = new_tile(timing);
    random_l1(planned, 0x20000, 0x20000, &seed);
    memcpy(fresh->l1, planned->l1, sizeof fresh->l1);
    for (unsigned u = 0; u < 2; u++) {
      struct setup s = {u, NUM_BF16, NUM_BF16, 0x20000, 1024, 1, 1, 0, 1023, false};
      configure(planned, &s);
      configure(fresh, &s);
    }
    for (unsigned i = 0; i < 60 && !fresh->fault.kind; i++) {
      uint32_t pick = random_word(&seed) % 16, value = random_word(&seed), u = random_word(&seed) % 2;
      uint32_t word = UNPACR_PLAIN(u) | (random_word(&seed) % 4 ? 0 : SET_VALID) |
                      TX_PUT(UNPACR, addr_mode, random_word(&seed) % 8 ? 0 : random_word(&seed) % 256);
      for (unsigned k = 0; k < 2; k++) {
        struct tx_tile *t = k ? fresh : planned;
        write_some_configuration(t, pick, value);
        if (k) tx_forget_decoded(t);
        give(t, 0, word);
        drain(t);
        for (unsigned bank = 0; bank < 2; bank++) t->src.bank[u][bank].owner = TX_CLIENT_UNPACKERS;
      }
      assert_memory_equal(&planned->unpack, &fresh->unpack, sizeof fresh->unpack);
      assert_memory_equal(&planned->src, &fresh->src, sizeof fresh->src);
      assert_memory_equal(&planned->adc, &fresh->adc, sizeof fresh->adc);
      assert_memory_equal(planned->diag.counts, fresh->diag.counts, sizeof fresh->diag.counts);
      assert_int_equal(planned->fault.kind, fresh->fault.kind);
    }
    free(planned);
    free(fresh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tile_fills_a_bank),
      cmocka_unit_test(random_windows),
      cmocka_unit_test(tilize),
      cmocka_unit_test(zeros_instead_of_data),
      cmocka_unit_test(upsampling),
      cmocka_unit_test(column_shift),
      cmocka_unit_test(one_row_into_eight),
      cmocka_unit_test(compressed_rows),
      cmocka_unit_test(contexts_choose_their_registers),
      cmocka_unit_test(context_counter),
      cmocka_unit_test(counters_of_another_thread),
      cmocka_unit_test(counters_of_the_own_thread),
      cmocka_unit_test(single_context),
      cmocka_unit_test(limit_address),
      cmocka_unit_test(nop_forms),
      cmocka_unit_test(nop_that_needs_the_overlay_is_refused),
      cmocka_unit_test(headers_and_exponent_sections),
      cmocka_unit_test(exponents_in_a_ring),
      cmocka_unit_test(output_addresses),
      cmocka_unit_test(row_search),
      cmocka_unit_test(row_search_with_blobs),
      cmocka_unit_test(compressed_blobs),
      cmocka_unit_test(rows_wrap_around),
      cmocka_unit_test(bad_input),
      cmocka_unit_test(findings),
      cmocka_unit_test(plans_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
