/* SFPARECIP, SFPLUT, SFPLUTFP32, SFPCAST and SFP_STOCH_RND over their whole tables, against the pages' formulas computed
 * here; and every operation of the lanes in every version against the plain one. */
#include <math.h>

#include "float_bits.h"
#include "rig.h"
#include "scale.h"
#include "vector/model.h"

static uint64_t random_state = 0xd1342543de82ef95u;

static uint32_t random32(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 24);
}

static void run_word(struct tx_tile *t, uint32_t word) {
  struct tx_cost cost = {0};
  t->current.word = word;
  t->engine.now++;
  tx_bodies[word >> 24](t, 0, word, &cost);
}

static struct tx_tile *new_tile(void) {
  struct tx_tile *t = malloc(sizeof *t);
  assert_non_null(t);
  tx_tile_reset(t, false);
  return t;
}

static uint32_t arecip(uint32_t vb, uint32_t vc, uint32_t vd, uint32_t mod) {
  return (uint32_t)TX_SFPARECIP << 24 | vb << 12 | vc << 8 | vd << 4 | mod;
}

/* --- SFPARECIP --- */

/* The page's accuracy statement and end points, and the table as the rounded reciprocal of the mid-point. */
static void check_reciprocal(uint32_t x, uint32_t got) {
  uint32_t magnitude = x & 0x7fffffffu, exponent = magnitude >> 23;
  assert_int_equal(got >> 31, x >> 31);
  got &= 0x7fffffffu;
  if (magnitude < 0x00800000u) assert_int_equal(got, 0x7f800000u);
  else if (magnitude >= 0x7e800000u) assert_int_equal(got, 0);
  else {
    double mantissa = floor(32768.0 / (128 + (magnitude >> 16 & 127u) + 0.5) - 128 + 0.5);
    assert_int_equal(got, (253u - exponent) << 23 | (uint32_t)mantissa << 16);
    double exact = 1.0 / as_float(magnitude);
    assert_true(as_float(got) > 0.9944 * exact && as_float(got) < 1.0054 * exact);
  }
}

static void check_exponential(uint32_t x, uint32_t got) {
  uint32_t magnitude = x & 0x7fffffffu;
  assert_int_equal(got >> 31, x >> 31);
  got &= 0x7fffffffu;
  if (magnitude < 0x00800000u) assert_int_equal(got, 0x3f800000u);
  else if (magnitude >= 0x40000000u) assert_int_equal(got, 0x40800000u | (magnitude & 0xffffu));
  else {
    double exact = exp((double)as_float(magnitude));
    assert_int_equal(got & 0xffffu, magnitude & 0xffffu);
    assert_true(as_float(got) > 0.9922 * exact && as_float(got) < 1.016 * exact);
  }
}

/* All signs, exponents and the seven mantissa bits that matter, with low bits 0, ffff and random. */
static void test_arecip(void **state) {
  (void)state;
  struct tx_tile *t = new_tile();
  uint32_t(*lreg)[32] = t->vector.lreg;
  for (uint32_t high = 0; high < 0x10000u; high += 8) {
    for (unsigned l = 0; l < 32; l++) {
      uint32_t low = l / 8 == 0 ? 0 : l / 8 == 1 ? 0xffffu : random32() & 0xffffu;
      lreg[1][l] = (high + l % 8) << 16 | low;
      lreg[2][l] = random32();
    }
    for (unsigned mod = 0; mod < 4; mod++) run_word(t, arecip(2, 1, 3 + mod, mod)); /* 3: as 2 */
    for (unsigned l = 0; l < 32; l++) {
      uint32_t x = lreg[1][l];
      check_reciprocal(x, lreg[3][l]);
      if (lreg[2][l] >> 31) assert_int_equal(lreg[4][l], lreg[3][l] & 0x7fffffffu); /* COND_RECIP: no sign */
      else assert_int_equal(lreg[4][l], x);
      check_exponential(x, lreg[5][l]);
      assert_int_equal(lreg[6][l], lreg[5][l]);
    }
  }
  free(t);
}

/* The page's 896 entries of the exponential: their checksum, and the values it spells out. */
static void test_exponential_table(void **state) {
  (void)state;
  uint32_t hash = 2166136261u;
  for (uint32_t high = 0x3c80u; high < 0x4000u; high++) {
    uint32_t value = tx_approximate_exponential(high << 16), base = high < 0x3f32u ? 0x3f800000u : 0x40000000u;
    hash = (hash ^ (value - base) >> 16) * 16777619u;
  }
  assert_int_equal(hash, 0x5bf307cdu);
  assert_true(as_float(tx_approximate_exponential(0x3f800000u)) == 2.703125f);
  assert_true(as_float(tx_approximate_reciprocal(0x3f800000u)) == 0.99609375f);
}

/* --- SFPLUT, SFPLUTFP32 --- */

static double lut8_exact(unsigned x) {
  if (x == 255) return 0;
  double magnitude = (1 + (x & 15) / 16.0) * pow(2, -(double)(x >> 4 & 7));
  return x & 128 ? -magnitude : magnitude;
}

static double lut16_exact(unsigned x) {
  if ((x >> 10 & 31) == 31) return 0;
  double magnitude = (1 + (x & 1023) / 1024.0) * pow(2, (double)(x >> 10 & 31) - 15);
  return x & 0x8000 ? -magnitude : magnitude;
}

/* All 256 slopes and all 256 offsets in each of the three intervals. */
static void test_lut(void **state) {
  (void)state;
  static const float inputs[3] = {0.5f, -1.0f, 4.0f};
  struct tx_tile *t = new_tile();
  uint32_t(*lreg)[32] = t->vector.lreg;
  for (unsigned interval = 0; interval < 3; interval++)
    for (unsigned code = 0; code < 256; code++) {
      float in = inputs[interval];
      for (unsigned l = 0; l < 32; l++) {
        for (unsigned i = 0; i < 3; i++) lreg[i][l] = 0x5555u; /* not to be looked at */
        lreg[interval][l] = l & 1u ? code << 8 | 0xffu : 0xff00u | code;
        lreg[3][l] = as_bits(in);
      }
      run_word(t, (uint32_t)TX_SFPLUT << 24 | 4u << 20);
      run_word(t, (uint32_t)TX_SFPLUT << 24 | 5u << 20 | 4u << 16);
      double slope = lut8_exact(code) * fabs((double)in), offset = lut8_exact(code);
      assert_true(as_float(lreg[4][0]) == (float)offset && as_float(lreg[4][1]) == (float)slope);
      assert_true(as_float(lreg[5][1]) == copysignf((float)fabs(slope), in));
    }
  free(t);
}

/* All 65536 slopes and offsets in each interval of each table form of SFPLUTFP32. */
static void test_lutfp32(void **state) {
  (void)state;
  static const struct {
    uint32_t mode;
    float input;
    unsigned entry, half; /* half 2: slope in the upper, offset in the lower half of one register */
  } cases[] = {{2, 0.25f, 0, 0}, {2, 0.5f, 0, 1},  {2, 1.0f, 1, 0},  {2, 1.5f, 1, 1},   {2, -2.0f, 2, 0}, {2, 3.0f, 2, 1},
               {3, 0.25f, 0, 0}, {3, -0.5f, 0, 1}, {3, 1.0f, 1, 0},  {3, 1.5f, 1, 1},   {3, 3.0f, 2, 0},  {3, 4.0f, 2, 1},
               {10, 0.5f, 0, 2}, {10, 1.0f, 1, 2}, {10, 8.0f, 2, 2}, {14, -8.0f, 2, 2}, {6, -4.0f, 2, 1}, {7, -2.0f, 2, 0}};
  struct tx_tile *t = new_tile();
  uint32_t(*lreg)[32] = t->vector.lreg;
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (uint32_t code = 0; code < 0x10000u; code += 16) {
      for (unsigned l = 0; l < 32; l++) {
        uint32_t mine = code + l % 16, slope = l < 16 ? mine : 0x7c00u, offset = l < 16 ? 0x7c00u : mine;
        unsigned shift = cases[k].half == 1 ? 16 : 0;
        for (unsigned i = 0; i < 7; i++) lreg[i][l] = 0x12345678u;
        if (cases[k].half == 2) {
          lreg[cases[k].entry][l] = slope << 16 | offset;
        } else {
          lreg[cases[k].entry][l] = slope << shift | 0x1111u << (16 - shift);
          lreg[4 + cases[k].entry][l] = offset << shift | 0x2222u << (16 - shift);
        }
        lreg[3][l] = as_bits(cases[k].input);
        lreg[7][l] = 5; /* where form 10 writes */
      }
      run_word(t, (uint32_t)TX_SFPLUTFP32 << 24 | 5u << 4 | cases[k].mode);
      for (unsigned l = 0; l < 32; l++) {
        double want = lut16_exact(code + l % 16) * (l < 16 ? fabs((double)cases[k].input) : 1);
        if (cases[k].mode & 4u) want = copysign(fabs(want), cases[k].input);
        assert_true(as_float(lreg[5][l]) == (float)want);
      }
    }
  free(t);
}

/* --- SFPCAST --- */

static uint32_t host_cast(uint32_t c) {
  float f = (float)(double)(c & 0x7fffffffu); /* exact in double, then to nearest even */
  return as_bits(f) | (c & 0x80000000u);
}

static void check_cast(struct tx_tile *t, const tx_row in) {
  memcpy(t->vector.lreg[1], in, sizeof(tx_row));
  for (unsigned mod = 0; mod < 4; mod += mod ? 1 : 2)
    run_word(t, (uint32_t)TX_SFPCAST << 24 | 1u << 8 | (2 + mod) << 4 | mod);
  for (unsigned l = 0; l < 32; l++) {
    uint32_t c = in[l];
    assert_int_equal(t->vector.lreg[2][l], host_cast(c));
    assert_int_equal(t->vector.lreg[4][l], c == 0x80000000u ? c : (uint32_t)abs((int32_t)c));
    int64_t value = c >> 31 ? -(int64_t)(c & 0x7fffffffu) : (int64_t)c; /* as sign-magnitude */
    assert_int_equal(t->vector.lreg[5][l], c == 0x80000000u ? c : (uint32_t)value);
  }
}

/* Every magnitude below 2^17, and every 17-bit pattern at every other position, with both signs: all possible roundings. */
static void test_cast(void **state) {
  (void)state;
  struct tx_tile *t = new_tile();
  tx_row in;
  for (uint32_t n = 0; n < 1u << 17; n += 16)
    for (unsigned shift = 0; shift <= 14; shift += shift ? 1 : 8) {
      for (unsigned l = 0; l < 32; l++)
        in[l] = ((n + l % 16) << shift | (shift ? random32() & ((1u << shift) - 1u) : 0)) | (l / 16) << 31;
      check_cast(t, in);
    }
  free(t);
}

/* Stochastic: seven bits of the operand against seven of the generator, all 16384 pairs, at two magnitudes. */
static void test_cast_stochastic(void **state) {
  (void)state;
  struct tx_tile *t = new_tile();
  for (uint32_t low = 0; low < 128; low++)
    for (uint32_t noise = 0; noise < 128; noise += 16) {
      for (unsigned l = 0; l < 32; l++) {
        t->vector.prng[l] = (noise + l % 16) << 10 | (random32() & 0xfffe03ffu);
        t->vector.lreg[1][l] = l < 16 ? 0x40000000u | low : (0x40000000u | low) | 0x80000000u;
      }
      run_word(t, (uint32_t)TX_SFPCAST << 24 | 1u << 8 | 2u << 4 | 1u);
      for (unsigned l = 0; l < 32; l++) {
        /* 2^30 + low: the unit of the result is 128, so low decides; the page drops the lowest bit of both sides */
        uint32_t up = low > noise + l % 16 ? 1 : 0;
        assert_int_equal(t->vector.lreg[2][l] & 0x7fffffffu, 0x4e800000u + up);
      }
    }
  free(t);
}

/* --- SFP_STOCH_RND --- */

static uint32_t round_word(uint32_t rounding, uint32_t imm5, uint32_t vb, uint32_t mod) {
  return (uint32_t)TX_SFP_STOCH_RND << 24 | rounding << 21 | imm5 << 16 | vb << 12 | 1u << 8 | 2u << 4 | mod;
}

/* Nearest: the result of the host's round(). */
static void check_nearest(unsigned mod, uint32_t c, uint32_t got) {
  float f = as_float(c);
  if ((c >> 23 & 255u) == 255u || !(c >> 23 & 255u)) return; /* by the model */
  if (mod < 2) {
    double unit = ldexp(1, (int)(c >> 23 & 255u) - 127 - (mod ? 7 : 10));
    double want = copysign(round(fabs((double)f) / unit) * unit, f);
    if (fabs(want) < 0x1p128) assert_true((double)as_float(got) == want);
    return;
  }
  double max = mod == 2 ? 255 : mod == 3 ? 127 : mod == 6 ? 65535 : 32767, want = fmin(round(fabs((double)f)), max);
  assert_int_equal(got & 0x7fffffffu, (uint32_t)want);
  assert_int_equal(got >> 31, (mod & 1u) && want != 0 ? c >> 31 : 0);
}

/* All 65536 upper halves with eight lower halves, four rounding modes, six forms; and the integer form at every shift. */
static void test_stochastic_rounding(void **state) {
  (void)state;
  static const uint32_t lows[8] = {0, 1, 0x0fff, 0x1000, 0x7fff, 0x8000, 0xfffe, 0xffff};
  static const uint8_t forms[6] = {0, 1, 2, 3, 6, 7};
  struct tx_tile *t = new_tile();
  struct model *m = malloc(sizeof *m);
  model_reset(m);
  for (uint64_t step = 0, steps = test_scaled(0x4000); step < steps && step < 0x4000; step++) {
    uint32_t high = (uint32_t)(step * (0x4000 / (steps < 0x4000 ? steps : 0x4000))) * 4;
    for (unsigned l = 0; l < 32; l++) m->L[1][l] = t->vector.lreg[1][l] = (high + l / 8) << 16 | lows[l % 8];
    for (unsigned k = 0; k < 6; k++)
      for (uint32_t rounding = 0; rounding < 4; rounding++) {
        uint32_t word = round_word(rounding, 0, 1, forms[k]);
        for (unsigned l = 0; l < 32; l++) m->prng[l] = t->vector.prng[l] = random32();
        run_word(t, word);
        model_step(m, word);
        assert_memory_equal(t->vector.lreg[2], m->L[2], sizeof(tx_row));
        assert_memory_equal(t->vector.prng, m->prng, sizeof(tx_row));
        for (unsigned l = 0; l < 32 && rounding == 0; l++) check_nearest(forms[k], m->L[1][l], m->L[2][l]);
      }
  }
  for (uint32_t shift = 0; shift < 32; shift++)
    for (unsigned repeat = 0; repeat < 64; repeat++)
      for (uint32_t mod = 0; mod < 4; mod++) { /* form 4 or 5, amount from VB or the immediate */
        uint32_t word = round_word(repeat & 3u, shift, 3, 4 + (mod & 1u) + (mod & 2u) * 4);
        for (unsigned l = 0; l < 32; l++) {
          m->L[1][l] = t->vector.lreg[1][l] = (random32() >> (random32() % 32)) ^ random32() << 31;
          m->L[3][l] = t->vector.lreg[3][l] = shift | random32() << 5;
          m->prng[l] = t->vector.prng[l] = random32();
        }
        run_word(t, word);
        model_step(m, word);
        assert_memory_equal(t->vector.lreg[2], m->L[2], sizeof(tx_row));
      }
  free(m);
  free(t);
}

/* --- every operation, every version --- */

struct numbers {
  uint32_t i, j;
  bool limit; /* a holds 23 bits */
};

static struct numbers numbers_for(unsigned op) {
  uint32_t r = random32();
  static const uint32_t max[4] = {127, 255, 32767, 65535};
  switch (op) {
    case TX_LANE_MAD:
    case TX_LANE_MUL_REAL:
    case TX_LANE_ADD_REAL: return (struct numbers){r & 0x80000000u, r << 1 & 0x80000000u, false};
    case TX_LANE_MUL24:
    case TX_LANE_SHIFT: return (struct numbers){r & 1u, 0, false};
    case TX_LANE_KEEP_OR: return (struct numbers){r & 1u ? 0xffffu : r & 2u ? 0xffff0000u : random32(), random32(), false};
    case TX_LANE_LUT:
    case TX_LANE_LUT32: return (struct numbers){r & 15u, 0, false};
    case TX_LANE_SHIFTI: return (struct numbers){r, r >> 7 & 1u, false};
    case TX_LANE_ROUND_REAL: return (struct numbers){r & 1u ? 13 : 16, 0, true};
    case TX_LANE_ROUND_INTEGER: return (struct numbers){max[r & 3u], r & 4u ? 0x80000000u : 0, true};
    case TX_LANE_LOAD16:
    case TX_LANE_LOAD_BF16:
    case TX_LANE_LOAD32:
    case TX_LANE_STORE16:
    case TX_LANE_STORE_BF16: return (struct numbers){r & 16u, r >> 1 & 16u, false};
    case TX_LANE_STORE32: return (struct numbers){r & 16u, r & 1u ? 0x7f800000u : 0, false};
    case TX_LANE_ROUND_REAL_NEAREST: return (struct numbers){r & 1u ? 13 : 16, 0, false};
    case TX_LANE_ROUND_INTEGER_NEAREST: return (struct numbers){max[r & 3u], r & 4u ? 0x80000000u : 0, false};
    case TX_LANE_ENCODE32: return (struct numbers){r & 1u ? 0x7f800000u : 0, 0, false};
    case TX_LANE_DESCALE: return (struct numbers){max[r & 1u], r & 4u ? 0x80000000u : 0, true};
    default: return (struct numbers){r, random32(), false};
  }
}

static void fill_row(tx_row row) {
  for (unsigned l = 0; l < 32; l++) {
    uint32_t r = random32();
    row[l] = r % 3 == 0 ? random32() : r % 3 == 1 ? (random32() & 0x807fffffu) | (118 + r / 3 % 20) << 23 : random32() % 64;
  }
}

/* The rows of an operation; some write more than d. STORE32 reaches into the row after low_halves. */
struct rows {
  tx_row d, between, low_halves, a, b, c, limit;
};

static void fill_rows(struct rows *rows) {
  fill_row(rows->d), fill_row(rows->between), fill_row(rows->low_halves);
  fill_row(rows->a), fill_row(rows->b), fill_row(rows->c);
  for (unsigned l = 0; l < 32; l++) rows->limit[l] = rows->a[l] & 0x7fffffu;
}

static void test_all_versions(void **state) {
  (void)state;
  struct rows rows, plain, other;
  tx_row regs[8];
  for (uint64_t left = test_scaled(20000); left; left--) {
    fill_rows(&rows);
    for (unsigned i = 0; i < 8; i++) fill_row(regs[i]);
    uint32_t mask = random32() % 4 ? random32() : TX_ALL_LANES;
    for (unsigned op = 0; op < TX_LANE_COUNT; op++) {
      struct numbers n = numbers_for(op);
      uint32_t bits = 0;
      for (unsigned v = 0; tx_lanes_version(v); v++) {
        struct rows *r = v ? &other : &plain;
        *r = rows;
        struct tx_lane_args x = {.d = r->d,
                                 .a = n.limit ? r->limit : r->a,
                                 .b = r->b,
                                 .c = r->c,
                                 .regs = (const tx_row *)regs,
                                 .i = n.i,
                                 .j = n.j,
                                 .mask = mask};
        uint32_t got = tx_lanes_version(v)->fn[op](&x);
        if (v == 0) bits = got;
        else if (got != bits || memcmp(&plain, &other, sizeof plain) != 0)
          fail_msg("operation %u differs in version %s", op, tx_lanes_version(v)->name);
      }
    }
  }
}

/* Operations that are frequent in runs: constants in halves, and more roundings than the generators are stepped by at once. */
static unsigned random_operation(void) {
  static const uint8_t frequent[] = {TX_LANE_SET, TX_LANE_KEEP_OR, TX_LANE_KEEP_OR, TX_LANE_ROUND_REAL_NEAREST,
                                     TX_LANE_ROUND_INTEGER_NEAREST};
  if (random32() % 2) return frequent[random32() % sizeof frequent];
  for (;;) {
    unsigned op = random32() % TX_LANE_COUNT;
    if (op != TX_LANE_LUT && op != TX_LANE_LUT32 && !numbers_for(op).limit) return op;
  }
}

/* A run of operations, some of which use the results of others, gives the same as the operations one by one. */
static void test_runs(void **state) {
  (void)state;
  enum { MOST = 40, ROWS = 8, GENERATORS = ROWS + 2 };
  tx_row rows[GENERATORS + 1], plain[GENERATORS + 1], other[GENERATORS + 1];
  for (uint64_t left = test_scaled(20000); left; left--) {
    struct tx_lane_step steps[MOST];
    const struct tx_lane_step *order[MOST];
    const unsigned count = random32() % 8 ? random32() % 16 : random32() % (MOST + 1);
    uint32_t mask = random32() % 2 ? random32() : TX_ALL_LANES;
    for (unsigned i = 0; i < GENERATORS + 1; i++) fill_row(rows[i]);
    for (unsigned i = 0; i < count; i++) {
      const unsigned op = random_operation();
      struct numbers n = numbers_for(op);
      uint32_t row[4];
      for (unsigned k = 0; k < 4; k++) row[k] = (random32() % (ROWS / 4) + k * (ROWS / 4)) * (uint32_t)sizeof(tx_row);
      steps[i] = (struct tx_lane_step){.op = op, .d = row[0], .a = row[1], .b = row[2], .c = row[3], .i = n.i, .j = n.j};
      if (random32() % 4 == 0) steps[i].d = steps[i].c;
      if (op == TX_LANE_KEEP_OR && random32() % 4) steps[i].c = steps[i].d = (random32() % 2) * (uint32_t)sizeof(tx_row);
      if (op == TX_LANE_ROUND_REAL_NEAREST || op == TX_LANE_ROUND_INTEGER_NEAREST)
        steps[i].a = GENERATORS * (uint32_t)sizeof(tx_row);
      order[i] = &steps[i];
    }
    memcpy(plain, rows, sizeof rows);
    for (unsigned i = 0; i < count; i++) {
      struct tx_lane_args args = tx_lane_step_args(plain, &steps[i], mask);
      tx_lanes_scalar.fn[steps[i].op](&args);
    }
    for (unsigned v = 0; tx_lanes_version(v); v++) {
      memcpy(other, rows, sizeof rows);
      tx_lanes_version(v)->run(other, order, count, mask);
      if (memcmp(plain, other, sizeof rows) != 0) fail_msg("a run differs in version %s", tx_lanes_version(v)->name);
    }
  }
}

/* --- decoded loads and stores --- */

static uint32_t loaded(struct tx_tile *t, uint32_t mode) {
  run_word(t, (uint32_t)TX_SFPLOAD << 24 | 1u << 20 | mode << 16 | 7u << 13);
  return t->vector.lreg[1][0];
}

/* A word keeps what the configuration decides about it: a write to the configuration, another thread's values and a state from before have to be
 * noticed, although that state reaches the same count of writes. */
static void test_loads_follow_the_configuration(void **state) {
  enum { UINT16 = 6 };
  (void)state;
  struct tx_tile *t = new_tile(), *before = malloc(sizeof *before);
  assert_non_null(before);
  for (unsigned row = 0; row < 512; row++) t->dst.bits[row][0] = (uint16_t)(row + 1);
  assert_int_equal(loaded(t, UINT16), 1);
  tx_thread_config_write(t, 0, TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 64);
  assert_int_equal(loaded(t, UINT16), 65);
  memcpy(before, t, sizeof *t);
  tx_thread_config_write(t, 0, TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 128);
  assert_int_equal(loaded(t, UINT16), 129);
  tx_tile_copy_state(t, before);
  assert_int_equal(loaded(t, UINT16), 65);
  tx_thread_config_write(t, 0, TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 192);
  assert_int_equal(loaded(t, UINT16), 193);
  t->rwc[0].sp = 4; /* two of its bits count */
  assert_int_equal(loaded(t, UINT16), 193);
  tx_thread_config_write(t, 1, TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 256);
  assert_int_equal(loaded(t, UINT16), 193);
  free(before);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arecip),
      cmocka_unit_test(test_exponential_table),
      cmocka_unit_test(test_lut),
      cmocka_unit_test(test_lutfp32),
      cmocka_unit_test(test_cast),
      cmocka_unit_test(test_cast_stochastic),
      cmocka_unit_test(test_stochastic_rounding),
      cmocka_unit_test(test_all_versions),
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_loads_follow_the_configuration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
