/* Every instruction of the baby cores by itself: results against arithmetic written here, in 64-bit integers or the host's floating
 * point. Encodings come from the manual's formats (riscv_rig.h), not from riscv.def. */
#include <math.h>

#include "riscv_rig.h"
#include "tensix/riscv/decode.h"

enum { OUT = 0x40000, DATA = 0x30000, CODE = 0x100 };

static const uint32_t corners[] = {0,          1,          2,          3,          7,          31,
                                   32,         0x7f,       0x80,       0xff,       0x8000,     0xffff,
                                   0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfffffffe,
                                   0xffffffff, 0x55555555, 0x00ff00ff, 0x01000000};
#define CORNERS (sizeof corners / sizeof *corners)

typedef uint32_t result_fn(uint32_t a, uint32_t b);

struct op {
  const char *name;
  uint32_t word; /* with register fields empty; rs2 holds the shift amount or the selector of unary ones */
  result_fn *result;
};

/* --- expected results --- */

static int64_t s64(uint32_t a) { return (int32_t)a; }
static uint32_t r_add(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a + b); }
static uint32_t r_sub(uint32_t a, uint32_t b) { return (uint32_t)(s64(a) - s64(b)); }
static uint32_t r_sll(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a << (b % 32)); }
static uint32_t r_srl(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a >> (b % 32)); }
static uint32_t r_sra(uint32_t a, uint32_t b) { return (uint32_t)(s64(a) >> (b % 32)); }
static uint32_t r_slt(uint32_t a, uint32_t b) { return s64(a) < s64(b); }
static uint32_t r_sltu(uint32_t a, uint32_t b) { return (uint64_t)a < (uint64_t)b; }
static uint32_t r_xor(uint32_t a, uint32_t b) { return (a | b) - (a & b); }
static uint32_t r_or(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)(a ^ b) + (a & b)); }
static uint32_t r_and(uint32_t a, uint32_t b) { return ~(~a | ~b); }
static uint32_t r_mul(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b); }
static uint32_t r_mulh(uint32_t a, uint32_t b) { return (uint32_t)((s64(a) * s64(b)) >> 32); }
static uint32_t r_mulhsu(uint32_t a, uint32_t b) { return (uint32_t)((s64(a) * (int64_t)b) >> 32); }
static uint32_t r_mulhu(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b) >> 32); }
static uint32_t r_div(uint32_t a, uint32_t b) { return b ? (uint32_t)(s64(a) / s64(b)) : 0xffffffffu; }
static uint32_t r_divu(uint32_t a, uint32_t b) { return b ? a / b : 0xffffffffu; }
static uint32_t r_rem(uint32_t a, uint32_t b) { return b ? (uint32_t)(s64(a) % s64(b)) : a; }
static uint32_t r_remu(uint32_t a, uint32_t b) { return b ? a % b : a; }
static uint32_t r_sh1add(uint32_t a, uint32_t b) { return (uint32_t)(2ull * a + b); }
static uint32_t r_sh2add(uint32_t a, uint32_t b) { return (uint32_t)(4ull * a + b); }
static uint32_t r_sh3add(uint32_t a, uint32_t b) { return (uint32_t)(8ull * a + b); }
static uint32_t r_andn(uint32_t a, uint32_t b) { return a - (a & b); }
static uint32_t r_orn(uint32_t a, uint32_t b) { return ~(b & ~a); }
static uint32_t r_xnor(uint32_t a, uint32_t b) { return ~r_xor(a, b); }
static uint32_t r_min(uint32_t a, uint32_t b) { return s64(a) < s64(b) ? a : b; }
static uint32_t r_max(uint32_t a, uint32_t b) { return s64(a) > s64(b) ? a : b; }
static uint32_t r_minu(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t r_maxu(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t r_rol(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a << 32 | a) << (b % 32) >> 32); }
static uint32_t r_ror(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a << 32 | a) >> (b % 32)); }
static uint32_t r_pack(uint32_t a, uint32_t b) { return (b % 65536) * 65536 + a % 65536; }

static uint32_t bit(uint32_t a, unsigned i) { return a >> i & 1u; }
static uint32_t r_clz(uint32_t a, uint32_t b) {
  uint32_t n = 0;
  (void)b;
  while (n < 32 && !bit(a, 31 - n)) n++;
  return n;
}
static uint32_t r_ctz(uint32_t a, uint32_t b) {
  uint32_t n = 0;
  (void)b;
  while (n < 32 && !bit(a, n)) n++;
  return n;
}
static uint32_t r_cpop(uint32_t a, uint32_t b) {
  uint32_t n = 0;
  (void)b;
  for (unsigned i = 0; i < 32; i++) n += bit(a, i);
  return n;
}
static uint32_t r_sext_b(uint32_t a, uint32_t b) { return (void)b, a % 256 < 128 ? a % 256 : a % 256 + 0xffffff00u; }
static uint32_t r_sext_h(uint32_t a, uint32_t b) { return (void)b, a % 65536 < 32768 ? a % 65536 : a % 65536 + 0xffff0000u; }
static uint32_t r_zext_h(uint32_t a, uint32_t b) { return (void)b, a % 65536; }
static uint32_t r_orc_b(uint32_t a, uint32_t b) {
  uint32_t r = 0;
  (void)b;
  for (unsigned i = 0; i < 4; i++)
    if (a >> (8 * i) & 255u) r += 255u << (8 * i);
  return r;
}
/* Bit i of the result is bit i ^ b of the operand: the definition of the draft. */
static uint32_t r_grev(uint32_t a, uint32_t b) {
  uint32_t r = 0;
  for (unsigned i = 0; i < 32; i++) r |= bit(a, i ^ (b % 32)) << i;
  return r;
}
static uint32_t r_rev8(uint32_t a, uint32_t b) {
  (void)b;
  return (a & 255u) << 24 | (a >> 8 & 255u) << 16 | (a >> 16 & 255u) << 8 | a >> 24;
}

#define R(f7, f3) rv_r(f7, 0, 0, f3, 0, 0x33)
#define SHIFT(f7, f3) rv_r(f7, 0, 0, f3, 0, 0x13)

/* --- R-type --- */

static void register_instructions(void **state) {
  const struct op ops[] = {
      {"add", R(0, 0), r_add},        {"sub", R(32, 0), r_sub},       {"sll", R(0, 1), r_sll},
      {"slt", R(0, 2), r_slt},        {"sltu", R(0, 3), r_sltu},      {"xor", R(0, 4), r_xor},
      {"srl", R(0, 5), r_srl},        {"sra", R(32, 5), r_sra},       {"or", R(0, 6), r_or},
      {"and", R(0, 7), r_and},        {"mul", R(1, 0), r_mul},        {"mulh", R(1, 1), r_mulh},
      {"mulhsu", R(1, 2), r_mulhsu},  {"mulhu", R(1, 3), r_mulhu},    {"div", R(1, 4), r_div},
      {"divu", R(1, 5), r_divu},      {"rem", R(1, 6), r_rem},        {"remu", R(1, 7), r_remu},
      {"sh1add", R(16, 2), r_sh1add}, {"sh2add", R(16, 4), r_sh2add}, {"sh3add", R(16, 6), r_sh3add},
      {"andn", R(32, 7), r_andn},     {"orn", R(32, 6), r_orn},       {"xnor", R(32, 4), r_xnor},
      {"min", R(5, 4), r_min},        {"minu", R(5, 5), r_minu},      {"max", R(5, 6), r_max},
      {"maxu", R(5, 7), r_maxu},      {"rol", R(48, 1), r_rol},       {"ror", R(48, 5), r_ror},
      {"pack", R(4, 4), r_pack},
  };
  struct rv r;
  (void)state;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    rv_new(&r, false);
    r.at = CODE;
    rv_li(&r, S0, OUT);
    for (size_t a = 0; a < CORNERS; a++)
      for (size_t b = 0; b < CORNERS; b++) {
        rv_li(&r, T1, corners[a]);
        rv_li(&r, T2, corners[b]);
        rv_put(&r, ops[i].word | T2 << 20 | T1 << 15 | A0 << 7);
        rv_put(&r, rv_sw(A0, 0, S0));
        rv_put(&r, rv_addi(S0, S0, 4));
      }
    rv_put(&r, RV_EBREAK);
    rv_run(&r, BRISC, CODE);
    for (size_t a = 0; a < CORNERS; a++)
      for (size_t b = 0; b < CORNERS; b++) {
        uint32_t got = rv_peek(&r, OUT + 4 * (uint32_t)(a * CORNERS + b)), want = ops[i].result(corners[a], corners[b]);
        if (got != want) fail_msg("%s 0x%x, 0x%x: expected 0x%x, got 0x%x", ops[i].name, corners[a], corners[b], want, got);
      }
    rv_free(&r);
  }
}

/* --- one operand, or one and an immediate --- */

static uint32_t run_one(uint32_t word, uint32_t a) {
  struct rv r;
  rv_new(&r, false);
  rv_li(&r, T1, a);
  rv_put(&r, word | T1 << 15 | A0 << 7);
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 0, 0);
  uint32_t got = r.t->core[0].x[A0];
  rv_free(&r);
  return got;
}

static void immediate_instructions(void **state) {
  const struct op shifts[] = {
      {"slli", SHIFT(0, 1), r_sll},  {"srli", SHIFT(0, 5), r_srl},      {"srai", SHIFT(32, 5), r_sra},
      {"rori", SHIFT(48, 5), r_ror}, {"grevi", SHIFT(0x34, 5), r_grev},
  };
  const struct op arithmetic[] = {
      {"addi", rv_i(0, 0, 0, 0, 0x13), r_add},   {"slti", rv_i(0, 0, 2, 0, 0x13), r_slt},
      {"sltiu", rv_i(0, 0, 3, 0, 0x13), r_sltu}, {"xori", rv_i(0, 0, 4, 0, 0x13), r_xor},
      {"ori", rv_i(0, 0, 6, 0, 0x13), r_or},     {"andi", rv_i(0, 0, 7, 0, 0x13), r_and},
  };
  static const int32_t immediates[] = {0, 1, -1, 2047, -2048, 0x55};
  const struct op unary[] = {
      {"clz", 0x60001013, r_clz},       {"ctz", 0x60101013, r_ctz},       {"cpop", 0x60201013, r_cpop},
      {"sext.b", 0x60401013, r_sext_b}, {"sext.h", 0x60501013, r_sext_h}, {"zext.h", 0x08004033, r_zext_h},
      {"orc.b", 0x28705013, r_orc_b},   {"rev8", 0x69805013, r_rev8},
  };
  (void)state;
  for (size_t a = 0; a < CORNERS; a++) {
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
      for (uint32_t by = 0; by<32; by += by> 3 ? 4u : 1u)
        assert_int_equal(run_one(shifts[i].word | by << 20, corners[a]), shifts[i].result(corners[a], by));
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
      for (size_t k = 0; k < 6; k++)
        assert_int_equal(run_one(arithmetic[i].word | (uint32_t)immediates[k] << 20, corners[a]),
                         arithmetic[i].result(corners[a], (uint32_t)immediates[k]));
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
      assert_int_equal(run_one(unary[i].word, corners[a]), unary[i].result(corners[a], 0));
  }
}

/* --- control --- */

static bool branch_taken(uint32_t f3, uint32_t a, uint32_t b) {
  struct rv r;
  rv_new(&r, false);
  rv_li(&r, T1, a);
  rv_li(&r, T2, b);
  rv_put(&r, rv_b(12, T2, T1, f3));
  rv_put(&r, rv_addi(A0, ZERO, 1)); /* not taken */
  rv_put(&r, RV_EBREAK);
  rv_put(&r, rv_addi(A0, ZERO, 2)); /* taken */
  rv_put(&r, RV_EBREAK);
  rv_run(&r, BRISC, 0);
  uint32_t way = r.t->core[BRISC].x[A0];
  rv_free(&r);
  assert_in_range(way, 1, 2);
  return way == 2;
}

static void branches(void **state) {
  (void)state;
  for (size_t i = 0; i < CORNERS; i++)
    for (size_t k = 0; k < CORNERS; k++) {
      uint32_t a = corners[i], b = corners[k];
      assert_int_equal(branch_taken(0, a, b), a == b);
      assert_int_equal(branch_taken(1, a, b), a != b);
      assert_int_equal(branch_taken(4, a, b), s64(a) < s64(b));
      assert_int_equal(branch_taken(5, a, b), s64(a) >= s64(b));
      assert_int_equal(branch_taken(6, a, b), a < b);
      assert_int_equal(branch_taken(7, a, b), a >= b);
    }
}

static void jumps_and_addresses(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, false);
  r.at = 0x200;
  rv_put(&r, 0x12345000u | A0 << 7 | 0x17u); /* 200: auipc a0, 0x12345 */
  rv_put(&r, rv_jal(RA, 16));                /* 204: to 214 */
  rv_put(&r, rv_addi(A1, ZERO, 7));          /* 208: jalr comes here */
  rv_put(&r, RV_EBREAK);                     /* 20c */
  rv_put(&r, RV_EBREAK);                     /* 210 */
  rv_put(&r, rv_addi(T1, RA, 1));            /* 214: an odd address; bit 0 is dropped */
  rv_put(&r, rv_i(0, T1, 0, T1, 0x67));      /* 218: jalr t1, 0(t1): rd is rs1 */
  rv_run(&r, BRISC, 0x200);
  const struct tx_core *c = &r.t->core[BRISC];
  assert_int_equal(c->x[A0], 0x12345200);
  assert_int_equal(c->x[RA], 0x208);
  assert_int_equal(c->x[T1], 0x21c);
  assert_int_equal(c->x[A1], 7);
  assert_int_equal(c->pc, 0x20c);
  assert_int_equal(c->x[ZERO], 0);
  rv_free(&r);
}

/* --- memory --- */

static void loads_and_stores(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned local = 0; local < 2; local++) {
      uint32_t base = local ? TX_LOCAL_BASE + 0x80 : DATA;
      struct rv r;
      rv_new(&r, timing);
      r.at = CODE;
      rv_li(&r, S0, base);
      rv_li(&r, T1, 0x8899aabb);
      rv_put(&r, rv_sw(T1, 0, S0));
      rv_put(&r, rv_s(5, T1, S0, 0, 0x23)); /* sb */
      rv_put(&r, rv_s(6, T1, S0, 1, 0x23)); /* sh */
      rv_put(&r, rv_s(-1, T1, S0, 0, 0x23));
      static const uint32_t f3[5] = {0, 1, 2, 4, 5};
      for (unsigned i = 0; i < 5; i++) rv_put(&r, rv_i(0, S0, f3[i], A0 + i, 0x03));
      rv_put(&r, rv_lw(S1, 4, S0));
      rv_put(&r, rv_i(-1, S0, 4, GP, 0x03));
      rv_put(&r, RV_EBREAK);
      rv_run(&r, 1, CODE);
      const uint32_t *x = r.t->core[1].x;
      assert_int_equal(x[A0], 0xffffffbb);
      assert_int_equal(x[A1], 0xffffaabb);
      assert_int_equal(x[A2], 0x8899aabb);
      assert_int_equal(x[A3], 0xbb);
      assert_int_equal(x[A4], 0xaabb);
      assert_int_equal(x[S1], 0xaabbbb00);
      assert_int_equal(x[GP], 0xbb);
      if (!local) assert_int_equal(rv_peek(&r, DATA), 0x8899aabb);
      rv_free(&r);
    }
}

static void atomics(void **state) {
  static const struct {
    uint32_t f5;
    uint32_t want; /* of 0x80000005 and 0x00000007 */
  } rows[] = {{0, 0x8000000c},  {1, 7},  {4, 0x80000002}, {12, 5},         {8, 0x80000007},
              {16, 0x80000005}, {20, 7}, {24, 7},         {28, 0x80000005}};
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      struct rv r;
      rv_new(&r, timing);
      rv_poke(&r, DATA, 0x80000005);
      rv_li(&r, T1, DATA);
      rv_put(&r, rv_addi(T2, ZERO, 7));
      rv_put(&r, rv_r(rows[i].f5 << 2, T2, T1, 2, A0, 0x2f));
      rv_put(&r, rv_lw(A1, 0, T1)); /* after the atomic */
      rv_put(&r, RV_EBREAK);
      rv_run(&r, 2, 0);
      assert_int_equal(r.t->core[2].x[A0], 0x80000005);
      assert_int_equal(r.t->core[2].x[A1], rows[i].want);
      assert_int_equal(rv_peek(&r, DATA), rows[i].want);
      rv_free(&r);
    }
}

/* --- floating point --- */

static uint32_t f_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}
static float f_value(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}

/* Runs `word` (operands f1, f2, f3 and x6) and gives f10 and x10. */
static void run_float(uint32_t word, uint32_t a, uint32_t b, uint32_t c, uint32_t cfg0, uint32_t *f, uint32_t *x) {
  struct rv r;
  rv_new(&r, false);
  rv_li(&r, T0, cfg0);
  rv_put(&r, rv_csrrw(ZERO, 0x7c0, T0));
  const uint32_t values[3] = {a, b, c};
  for (unsigned i = 0; i < 3; i++) {
    rv_li(&r, T1, values[i]);
    rv_put(&r, rv_r(0x78, 0, T1, 0, i + 1, 0x53)); /* fmv.w.x */
  }
  rv_li(&r, T1, a);
  rv_put(&r, word);
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 0, 0);
  *f = r.t->core[0].f[10];
  *x = r.t->core[0].x[A0];
  rv_free(&r);
}

static bool ordinary(float f) { return f == 0 || (fabsf(f) >= 0x1p-126f && fabsf(f) < INFINITY); }

static void single_precision_arithmetic(void **state) {
  uint64_t seed = 6;
  (void)state;
  for (unsigned i = 0; i < 3000; i++) {
    uint64_t z = rv_random(&seed);
    uint32_t near = (uint32_t)(rv_random(&seed) % 20) << 23; /* exponents close together, so that sums matter */
    uint32_t a = ((uint32_t)z & 0x807fffffu) | (0x38000000u + near), b = ((uint32_t)(z >> 32) & 0x807fffffu) | 0x3c000000u;
    uint32_t f, x;
    if (i % 5 == 0) a = (uint32_t)z, b = (uint32_t)(z >> 32);
    const float want[3] = {f_value(a) + f_value(b), f_value(a) - f_value(b), f_value(a) * f_value(b)};
    for (unsigned op = 0; op < 3; op++) {
      run_float(rv_r(op * 4, 2, 1, (uint32_t)(z >> 60) & 7u, 10, 0x53), a, b, 0, 0, &f, &x);
      if (!ordinary(f_value(a)) || !ordinary(f_value(b)) || !ordinary(want[op]))
        continue; /* denormals: below; NaN, infinity: below */
      assert_int_equal(f, f_bits(want[op]));
    }
  }
}

static void single_precision_corners(void **state) {
  const uint32_t inf = 0x7f800000u, nan = 0x7fc00000u, tiny = 1u, one = f_bits(1), two = f_bits(2);
  static const uint32_t madd[4] = {0x43, 0x47, 0x4b, 0x4f};
  const float fused[4] = {2 * 3 + 0.5f, 2 * 3 - 0.5f, -(2 * 3) + 0.5f, -(2 * 3) - 0.5f};
  uint32_t f, x;
  (void)state;
  run_float(rv_r(0, 2, 1, 0, 10, 0x53), tiny, tiny, 0, 0, &f, &x);
  assert_int_equal(f, 0); /* denormals count as zero */
  run_float(rv_r(0, 2, 1, 0, 10, 0x53), inf, inf | 0x80000000u, 0, 0, &f, &x);
  assert_int_equal(f, nan);
  run_float(rv_r(4, 2, 1, 0, 10, 0x53), one, 0x7fa00001u, 0, 0, &f, &x);
  assert_int_equal(f, nan);
  run_float(rv_r(8, 2, 1, 0, 10, 0x53), 0x00800000u, f_bits(0.5f), 0, 0, &f, &x);
  assert_int_equal(f, 0); /* denormal results too */
  run_float(rv_r(8, 2, 1, 0, 10, 0x53), 0x80000000u, two, 0, 0, &f, &x);
  assert_int_equal(f, 0x80000000u); /* the product keeps its sign */
  for (unsigned i = 0; i < 4; i++) {
    run_float(3u << 27 | 2u << 20 | 1u << 15 | 10u << 7 | madd[i], two, f_bits(3), f_bits(0.5f), 0, &f, &x);
    assert_int_equal(f, f_bits(fused[i]));
  }
}

static void single_precision_rest(void **state) {
  const uint32_t minus_zero = 0x80000000u, nan = 0x7fc00000u;
  static const struct {
    uint32_t f7, rs2, f3, a, b, want;
    bool to_x, from_x;
  } rows[] = {
      {0x10, 2, 0, 0x3f800000, 0xc0000000, 0xbf800000, 0, 0}, /* fsgnj */
      {0x10, 2, 1, 0x3f800000, 0xc0000000, 0x3f800000, 0, 0},
      {0x10, 2, 2, 0xbf800000, 0xc0000000, 0x3f800000, 0, 0},
      {0x14, 2, 0, 0x80000000, 0, 0x80000000, 0, 0}, /* fmin(-0, +0) */
      {0x14, 2, 1, 0x80000000, 0, 0, 0, 0},
      {0x14, 2, 0, 0x7fc00000, 0x40000000, 0x40000000, 0, 0},
      {0x14, 2, 1, 0x7fc00000, 0x7fa00000, 0x7fc00000, 0, 0},
      {0x50, 2, 2, 0x80000000, 0, 1, 1, 0}, /* feq(-0, +0) */
      {0x50, 2, 1, 0xbf800000, 0x3f800000, 1, 1, 0},
      {0x50, 2, 0, 0x3f800000, 0x7fc00000, 0, 1, 0},
      {0x60, 0, 1, 0x40200000, 0, 2, 1, 0},          /* fcvt.w.s 2.5: nearest even, regardless of rm */
      {0x60, 0, 1, 0x40600000, 0, 4, 1, 0},          /* 3.5 */
      {0x60, 0, 0, 0xcf000000, 0, 0x80000000, 1, 0}, /* -2^31 */
      {0x60, 0, 0, 0x4f000000, 0, 0x7fffffff, 1, 0},
      {0x60, 0, 0, 0x7fc00000, 0, 0x7fffffff, 1, 0},
      {0x60, 1, 0, 0x4f800000, 0, 0xffffffff, 1, 0}, /* fcvt.wu.s */
      {0x60, 1, 0, 0xbf800000, 0, 0, 1, 0},
      {0x68, 0, 0, 0xffffffff, 0, 0xbf800000, 0, 1}, /* fcvt.s.w -1 */
      {0x68, 1, 0, 0xffffffff, 0, 0x4f800000, 0, 1}, /* fcvt.s.wu 2^32-1 */
      {0x68, 0, 0, 16777217, 0, 0x4b800000, 0, 1},   /* 2^24 + 1: tie to even */
      {0x70, 0, 1, 0xff800000, 0, 1u << 0, 1, 0},    /* fclass */
      {0x70, 0, 1, 0xbf800000, 0, 1u << 1, 1, 0},
      {0x70, 0, 1, 0x80000001, 0, 1u << 2, 1, 0},
      {0x70, 0, 1, 0x80000000, 0, 1u << 3, 1, 0},
      {0x70, 0, 1, 0x00000000, 0, 1u << 4, 1, 0},
      {0x70, 0, 1, 0x00000001, 0, 1u << 5, 1, 0},
      {0x70, 0, 1, 0x3f800000, 0, 1u << 6, 1, 0},
      {0x70, 0, 1, 0x7f800000, 0, 1u << 7, 1, 0},
      {0x70, 0, 1, 0x7fa00000, 0, 1u << 8, 1, 0},
      {0x70, 0, 1, 0x7fc00000, 0, 1u << 9, 1, 0},
      {0x70, 0, 0, 0x12345678, 0, 0x12345678, 1, 0}, /* fmv.x.w */
  };
  (void)state, (void)minus_zero, (void)nan;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t f, x;
    run_float(rv_r(rows[i].f7, rows[i].rs2, rows[i].from_x ? T1 : 1, rows[i].f3, 10, 0x53), rows[i].a, rows[i].b, 0, 0, &f,
              &x);
    if ((rows[i].to_x ? x : f) != rows[i].want)
      fail_msg("row %zu: expected 0x%x, got 0x%x", i, rows[i].want, rows[i].to_x ? x : f);
  }
}

/* A half-precision number as a double, and the nearest half to a double; numbers below the smallest normal give zero. */
static double h_value(uint32_t h) {
  double magnitude = h >> 10 & 31u ? ldexp(1024 + (h & 1023u), (int)(h >> 10 & 31u) - 25) : 0;
  return h & 0x8000u ? -magnitude : magnitude;
}
static uint32_t h_nearest(double d) {
  uint32_t sign = signbit(d) ? 0x8000u : 0;
  int exponent;
  d = fabs(d);
  if (d == 0) return sign;
  frexp(d, &exponent);
  double scaled = nearbyint(ldexp(d, 11 - exponent)); /* 11 bits, ties to even */
  if (scaled == 2048) scaled = 1024, exponent++;
  if (exponent > 16) return sign | 0x7c00u;
  if (exponent < -13) return sign;
  return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)scaled & 1023u);
}

static void half_precision_arithmetic(void **state) {
  uint64_t seed = 66;
  uint32_t f, x;
  (void)state;
  for (unsigned i = 0; i < 3000; i++) {
    uint64_t z = rv_random(&seed);
    uint32_t a = (uint32_t)z & 0xffffu, b = (uint32_t)(z >> 32) & 0xffffu;
    if ((a >> 10 & 31u) == 31 || (b >> 10 & 31u) == 31) continue;
    const double want[3] = {h_value(a) + h_value(b), h_value(a) - h_value(b), h_value(a) * h_value(b)};
    for (unsigned op = 0; op < 3; op++) {
      if (op < 2 && want[op] == 0) continue; /* the sign of a zero sum is tested below */
      run_float(rv_r(op * 4 + 2, 2, 1, 0, 10, 0x53), 0xffff0000u | a, 0xffff0000u | b, 0, 0, &f, &x);
      assert_int_equal(f, 0xffff0000u | h_nearest(want[op]));
    }
  }
  run_float(rv_r(2, 2, 1, 0, 10, 0x53), 0x3c00u, 0xffff3c00u, 0, 0, &f, &x);
  assert_int_equal(f, 0xffff7e00u); /* not boxed: a NaN */
}

static void bf16_switch(void **state) {
  uint32_t f, x, bf16 = 1u << 30, nearest = 1u << 31;
  (void)state;
  /* 1 + 2^-8 is between two BF16 numbers; 1 + 3 * 2^-8 too */
  uint32_t one = 0xffff3f80u, bit8 = 0xffff3b80u, three8 = 0xffff3c40u;
  run_float(rv_r(2, 2, 1, 0, 10, 0x53), one, three8, 0, bf16, &f, &x);
  assert_int_equal(f, 0xffff3f81u); /* toward zero */
  run_float(rv_r(2, 2, 1, 0, 10, 0x53), one, three8, 0, bf16 | nearest, &f, &x);
  assert_int_equal(f, 0xffff3f82u); /* the tie goes to even */
  run_float(rv_r(2, 2, 1, 0, 10, 0x53), one, bit8, 0, bf16 | nearest, &f, &x);
  assert_int_equal(f, 0xffff3f80u);
  run_float(rv_r(0x20, 2, 1, 0, 10, 0x53), 0xffff3fc0u, 0, 0, bf16, &f, &x); /* fcvt.s.h */
  assert_int_equal(f, f_bits(1.5f));
  run_float(rv_r(0x22, 0, 1, 0, 10, 0x53), f_bits(1.5f), 0, 0, 0, &f, &x); /* fcvt.h.s to FP16 */
  assert_int_equal(f, 0xffff3e00u);
}

/* --- CSRs, stops and faults --- */

static void csrs(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, false);
  rv_put(&r, rv_csrrs(A0, 0x7c0, ZERO));
  rv_put(&r, rv_i(0x7c0, 8, 6, A1, 0x73)); /* csrrsi */
  rv_put(&r, rv_i(0x7c0, 8, 7, A2, 0x73)); /* csrrci */
  rv_li(&r, T1, 0x1234);
  rv_put(&r, rv_csrrw(ZERO, 0x7c3, T1));
  rv_put(&r, rv_csrrw(A3, 0x7c3, ZERO));
  rv_put(&r, rv_csrrs(A4, 0xf14, ZERO));
  rv_put(&r, rv_csrrs(A5, 0x301, ZERO));
  rv_put(&r, rv_csrrs(A6, 0xb02, ZERO)); /* minstret: instructions before this one */
  rv_put(&r, rv_csrrs(A7, 0xc22, ZERO));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, BRISC, 0);
  const uint32_t *x = r.t->core[BRISC].x;
  assert_int_equal(x[A0], 16u << 13);
  assert_int_equal(x[A1], 16u << 13);
  assert_int_equal(x[A2], 16u << 13 | 8u);
  assert_int_equal(x[A3], 0x1234);
  assert_int_equal(x[A4], 0);
  assert_int_equal(x[A5], 0x40201123);
  assert_int_equal(x[A6], 9);
  assert_int_equal(x[A7], 16);
  rv_free(&r);
}

/* CSRs.md, cfg0: PmcClrOnRd empties the half that is read; DisCsrSync issues the next instruction without the fence. */
static void bits_of_cfg0(void **state) {
  (void)state;
  static const uint16_t halves[4] = {0xb03, 0xb83, 0xb04, 0xb84};
  for (unsigned clears = 0; clears < 2; clears++) {
    struct rv r;
    rv_new(&r, clears);
    rv_li(&r, T0, 1u << 8);
    if (clears) rv_put(&r, rv_csrrs(ZERO, 0x7c0, T0));
    for (unsigned i = 0; i < 4; i++) {
      rv_put(&r, rv_addi(A4, ZERO, (int32_t)(100 + i)));
      rv_put(&r, rv_csrrw(ZERO, halves[i], A4));
    }
    for (unsigned i = 0; i < 4; i++) rv_put(&r, rv_csrrs(A0 + i, halves[i], ZERO));
    for (unsigned i = 0; i < 4; i++) rv_put(&r, rv_csrrs(A4 + i, halves[i], ZERO));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, BRISC, 0);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(r.t->core[BRISC].x[A0 + i], 100 + i);
      assert_int_equal(r.t->core[BRISC].x[A4 + i], clears ? 0 : 100 + i);
    }
    rv_free(&r);
  }
  uint64_t cycles[2];
  for (unsigned together = 0; together < 2; together++) {
    struct rv r;
    rv_new(&r, true);
    rv_li(&r, T0, together ? 1u << 10 : 0);
    rv_put(&r, rv_csrrs(ZERO, 0x7c0, T0));
    rv_put_times(&r, RV_FENCE, 40);
    rv_put(&r, RV_EBREAK);
    cycles[together] = rv_run(&r, BRISC, 0);
    rv_free(&r);
  }
  assert_int_equal(cycles[0] - cycles[1] >= 20, 1); /* 40 minus the cycles that the instruction cache hides */
}

/* mcycle counts cycles and can be written; minstret too. */
static void counters(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  rv_put(&r, RV_NOP);
  rv_put(&r, rv_csrrs(A0, 0xb00, ZERO));
  rv_put_times(&r, rv_addi(A1, A1, 1), 20);
  rv_put(&r, rv_csrrs(A2, 0xc00, ZERO));
  rv_put(&r, rv_csrrw(ZERO, 0xb80, A1));
  rv_put(&r, rv_csrrs(A3, 0xc80, ZERO));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, BRISC, 0);
  const uint32_t *x = r.t->core[BRISC].x;
  assert_in_range(x[A2] - x[A0], 21, 21 + 10); /* 20 addi, the CSR read itself, and the fetch of the code from L1 */
  assert_int_equal(x[A3], 20);
  rv_free(&r);
}

static void expect_fault(unsigned core, uint32_t word, uint32_t kind, const char *words) {
  struct rv r;
  rv_new(&r, false);
  rv_li(&r, T1, 0x30002);
  rv_put(&r, word);
  tx_core_start(r.t, core, 0);
  assert_int_equal(tx_tile_run(r.t, 1000), SIM_END_STOPPED);
  assert_int_equal(r.t->fault.kind, kind);
  assert_int_equal(r.t->fault.pc, 8);
  assert_int_equal(r.t->fault.agent, TX_AGENT_TRISC0 + core);
  if (!strstr(r.t->fault.why, words)) fail_msg("'%s' does not say '%s'", r.t->fault.why, words);
  rv_free(&r);
}

static void faults(void **state) {
  (void)state;
  expect_fault(0, 0xffffffffu, SIM_FAULT_BAD_INSTRUCTION, "illegal instruction 0xffffffff at 0x8");
  expect_fault(0, rv_r(0xc, 2, 1, 0, 1, 0x53), SIM_FAULT_BAD_INSTRUCTION, "illegal instruction"); /* fdiv.s */
  expect_fault(0, rv_r(0x08, 0, T1, 2, A0, 0x2f), SIM_FAULT_BAD_INSTRUCTION, "illegal");          /* lr.w */
  expect_fault(1, 0x00000073u, SIM_FAULT_UNSUPPORTED, "ecall");
  expect_fault(2, 0x02000057u, SIM_FAULT_UNSUPPORTED, "V extension");
  expect_fault(1, 0x02000057u, SIM_FAULT_BAD_INSTRUCTION, "illegal");
  expect_fault(BRISC, rv_lw(A0, 0, T1), SIM_FAULT_ADDRESS, "not aligned");
  expect_fault(BRISC, rv_csrrs(A0, 0x001, ZERO), SIM_FAULT_BAD_INSTRUCTION, "no CSR 0x001");
}

/* --- the decoder --- */

static void disassembly(void **state) {
  static const struct {
    uint32_t word;
    const char *text;
  } rows[] = {
      {0x00a58513, "addi a0, a1, 10"},
      {0x00c5a503, "lw a0, 12(a1)"},
      {0xfea5ae23, "sw a0, -4(a1)"},
      {0xfe0518e3, "bne a0, zero, 0xff0"},
      {0x7c02a073, "csrrs zero, 0x7c0, t0"},
      {0x00100073, "ebreak"},
      {0x0aa5a52fu & ~0x02000000u, "amoswap.w a0, a0, (a1)"},
      {0x123452b7, "lui t0, 0x12345"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[80];
    tx_rv_dis(rows[i].word, 0x1000, text, sizeof text);
    assert_string_equal(text, rows[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(register_instructions),
      cmocka_unit_test(immediate_instructions),
      cmocka_unit_test(branches),
      cmocka_unit_test(jumps_and_addresses),
      cmocka_unit_test(loads_and_stores),
      cmocka_unit_test(atomics),
      cmocka_unit_test(single_precision_arithmetic),
      cmocka_unit_test(single_precision_corners),
      cmocka_unit_test(single_precision_rest),
      cmocka_unit_test(half_precision_arithmetic),
      cmocka_unit_test(bf16_switch),
      cmocka_unit_test(csrs),
      cmocka_unit_test(bits_of_cfg0),
      cmocka_unit_test(counters),
      cmocka_unit_test(faults),
      cmocka_unit_test(disassembly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
