/* The vector unit's functions (kernels/include/sfpu_functions.def) against double-precision references (tests/kernels/sfpu_reference.def), in
 * FP32 and BFLOAT16 Dst. Rounded ones: errors in units of the last place by range, which docs/reference/sfpu-accuracy.md tables; the test
 * compares that page, and writes it with TESSERA_WRITE_TABLE=1. Exact ones and integers: every bit. Other formats and the pack core are in
 * test_sfpu_modes.c. */
#include "kernels/sfpu_run.h"

struct error {
  double max, sum;
  uint32_t at;
};

static void measure(const struct float_row *row, bool narrow, struct error *errors, uint64_t *cycles) {
  static struct run x;
  unsigned ranges = range_count(row);
  x.function = row->function;
  x.format = x.out = narrow ? NUM_BF16 : NUM_FP32;
  x.tiles = ranges;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) x.parameter[0] = (uint32_t)row->parameter[0];
  for (unsigned i = 0; i < ranges * TILE; i++) {
    const struct range *r = &row->range[i / TILE];
    x.a[i] = operand(r, i % TILE, narrow);
    x.b[i] = operand(r, i * 37 % TILE, narrow);
    x.c[i] = operand(r, i * 101 % TILE, narrow);
  }
  run_function(&x);
  *cycles = x.cycles;
  memset(errors, 0, 3 * sizeof *errors);
  for (unsigned i = 0; i < ranges * TILE; i++) {
    double want = row->value(from_bits(x.a[i]), from_bits(x.b[i]), from_bits(x.c[i]), from_bits(x.parameter[0]),
                             from_bits(x.parameter[1]), from_bits(x.parameter[2]));
    double error = ulp_error(x.result[i], want, narrow);
    struct error *e = &errors[i / TILE];
    e->sum += error;
    if (error > e->max) e->at = x.a[i];
    if (error > e->max) e->max = error;
  }
}

static void range_text(const struct range *r, char *text, size_t n) { snprintf(text, n, "%g to %g", r->low, r->high); }

static const char *figure(double x, char *text, size_t n) {
  if (x < 1000) snprintf(text, n, "%.2f", x);
  else snprintf(text, n, "%.1e", x);
  return text;
}

static void table_row(FILE *f, const struct float_row *row, unsigned i, const struct error *wide,
                      const struct error *narrow) {
  char range[64], t[4][16];
  range_text(&row->range[i], range, sizeof range);
  fprintf(f, "| %s | %s | %s | %s | %s | %s |\n", i ? "" : row->name, range, figure(wide[i].max, t[0], 16),
          figure(wide[i].sum / TILE, t[1], 16), figure(narrow[i].max, t[2], 16), figure(narrow[i].sum / TILE, t[3], 16));
}

static const char head[] = "# Accuracy of the vector unit's functions\n\n"
                           "Written by tests/test_sfpu.c (`TESSERA_WRITE_TABLE=1 build/tests/test_sfpu`), which also "
                           "compares it. Errors are in units of the last\n"
                           "place (ULP) of the reference's binade, against double precision, on 1024 arguments per range: "
                           "maximum and mean, with FP32 in a 32-bit\n"
                           "Dst and with BFLOAT16 in a 16-bit Dst. Rounding the exact value to nearest would give at most "
                           "0.50. Results below the smallest\n"
                           "normal number are zero, as in hardware. Parameters are those of "
                           "tests/kernels/sfpu_reference.def. Functions that are not here give the\n"
                           "exact result (comparisons, rounding to integers, selections, integers), by the same test.\n\n"
                           "| function | range | FP32 max | mean | BF16 max | mean |\n|---|---|---|---|---|---|\n";

/* Cycles per tile, with a 32-bit Dst and floats (integers: as such), beside what the vendor's sources claim for their own kernels: cycles per
 * 32 values in comments of tt-metal, tt_metal/hw/ckernels/blackhole/metal/llk_api/llk_sfpu and tt_metal/tt-llk/tt_llk_blackhole/common/inc/sfpu,
 * times 32. */
static const struct {
  unsigned function;
  unsigned cycles;
  const char *file;
} claimed[] = {
    {F_recip_tile, 5 * 32, "ckernel_sfpu_recip.h"},
    {F_where_float_tile, 4 * 32, "ckernel_sfpu_where.h"},
    {F_where_int_tile, 4 * 32, "ckernel_sfpu_where.h"},
    {F_unary_max_tile, 2 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_unary_min_tile, 2 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_binary_max_tile, 3 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_binary_min_tile, 3 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_unary_max_int32_tile, 2 * 32,
     "ckernel_sfpu_unary_max_min.h"}, /* of a parameter from 0 on; below 0, and without sign, 4 */
    {F_unary_min_int32_tile, 2 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_unary_max_uint32_tile, 4 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_unary_min_uint32_tile, 4 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_binary_max_int32_tile, 5 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_binary_min_int32_tile, 5 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_binary_max_uint32_tile, 5 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_binary_min_uint32_tile, 5 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_mul_int_tile, 8 * 32, "ckernel_sfpu_mul_int32.h"},
    {F_signbit_tile, 1 * 32, "ckernel_sfpu_signbit.h"},
    {F_signbit_tile_int32, 1 * 32, "ckernel_sfpu_signbit.h"},
    {F_int32_to_float_tile, 4 * 32, "ckernel_sfpu_typecast.h"},
    {F_uint32_to_float_tile, 3 * 32, "ckernel_sfpu_typecast.h"},
    {F_int32_to_uint16_tile, 3 * 32, "ckernel_sfpu_typecast.h"},
};

/* Conversions between formats, which sfpu_functions.def does not have. Of those of 32 bits the packer writes the bits as they are. */
static const struct {
  const char *name;
  unsigned function, in, out;
} conversions[] = {
    {"float_to_int32_tile", F_float_to_int32_tile, NUM_FP32, NUM_FP32},
    {"float_to_uint32_tile", F_float_to_uint32_tile, NUM_FP32, NUM_FP32},
    {"int32_to_float_tile", F_int32_to_float_tile, NUM_INT32, NUM_INT32},
    {"uint32_to_float_tile", F_uint32_to_float_tile, NUM_INT32, NUM_INT32},
    {"int32_to_uint16_tile", F_int32_to_uint16_tile, NUM_INT32, NUM_INT16},
    {"uint32_to_uint16_tile", F_uint32_to_uint16_tile, NUM_INT32, NUM_INT16},
};

/* Of function number i, or of the conversion after them. */
static uint64_t cycles_of(unsigned function) {
  static const char numbers_each[] = {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, body) #numbers[0],
#include "../kernels/include/sfpu_functions.def"
#undef SFPU_FUNCTION
  };
  static struct run x;
  memset(&x, 0, sizeof x);
  char numbers = function < sizeof numbers_each ? numbers_each[function] : 'F';
  x.function = function;
  x.format = x.out = numbers == 'I' ? NUM_INT32 : numbers == 'U' ? NUM_INT16 : NUM_FP32;
  for (unsigned i = 0; i < sizeof conversions / sizeof *conversions; i++)
    if (conversions[i].function == function) x.format = conversions[i].in, x.out = conversions[i].out;
  x.tiles = 2;
  x.parameter[0] = x.parameter[1] = x.parameter[2] =
      function == F_power_iterative_tile || !strchr("FV", numbers) ? 3 : 0x3f000000u;
  if (function == F_polygamma_tile) x.parameter[0] = 0x40000000u; /* the order 2 */
  for (unsigned k = 0; k < 2 * TILE; k++) x.a[k] = x.b[k] = x.c[k] = 0x3f400000u;
  run_function(&x);
  return x.cycles;
}

static const char *name_of(unsigned function) {
  static const char *const names[] = {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, body) #name,
#include "../kernels/include/sfpu_functions.def"
#undef SFPU_FUNCTION
  };
  for (unsigned i = 0; i < sizeof conversions / sizeof *conversions; i++)
    if (conversions[i].function == function) return conversions[i].name;
  return names[function];
}

static void cycle_table(FILE *f) {
  fputs("\n## Cycles per tile beside LLK's\n\nOf this library's functions with a 32-bit Dst, by the machine's timing (`make "
        "bench` "
        "has all functions), and what the comments in the\nvendor's sources claim for its own kernels, which schedule their "
        "loads by "
        "SFPLOADMACRO: cycles per 32 values, times 32. They claim\nnone for the other functions.\n\n"
        "| function | cycles here | LLK | source in tt-metal |\n|---|---|---|---|\n",
        f);
  for (unsigned i = 0; i < sizeof claimed / sizeof *claimed; i++)
    fprintf(f, "| %s | %llu | %u | %s |\n", name_of(claimed[i].function), (unsigned long long)cycles_of(claimed[i].function),
            claimed[i].cycles, claimed[i].file);
}

static char *made_table(unsigned step, unsigned *bad) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  fputs(head, f);
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i += step) {
    const struct float_row *row = &rounded_rows[i];
    struct error wide[3], narrow[3];
    uint64_t cycles;
    measure(row, false, wide, &cycles);
    measure(row, true, narrow, &cycles);
    for (unsigned k = 0; k < range_count(row); k++) {
      table_row(f, row, k, wide, narrow);
      if (wide[k].max <= row->limit && narrow[k].max <= 1 + row->limit / 65536) continue;
      print_message("%s range %u: FP32 %g ULP at %g, BF16 %g ULP at %g\n", row->name, k, wide[k].max, from_bits(wide[k].at),
                    narrow[k].max, from_bits(narrow[k].at));
      ++*bad;
    }
  }
  if (step == 1) cycle_table(f);
  fclose(f);
  return text;
}

static void test_rounded(void **state) {
  (void)state;
  const char *page = "docs/reference/sfpu-accuracy.md";
  unsigned bad = 0, whole = test_percent() >= 25;
  char *text = made_table(whole ? 1 : 16, &bad);
  if (getenv("TESSERA_WRITE_TABLE")) {
    FILE *f = fopen(page, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
  }
  assert_int_equal(bad, 0);
  if (whole) {
    FILE *f = fopen(page, "r");
    assert_non_null(f);
    char *there = calloc(1, strlen(text) + 2);
    size_t n = fread(there, 1, strlen(text) + 1, f);
    fclose(f);
    if (n != strlen(text) || memcmp(there, text, n) != 0) fail_msg("%s is not what the functions give now", page);
    free(there);
  }
  free(text);
}

/* --- exact functions --- */

/* The nearest number of BFLOAT16, ties away from zero. */
static double nearest_bf16(double value) {
  uint32_t bits = to_bits(value);
  return (bits & 0x7f800000u) == 0x7f800000u ? value : from_bits((bits + 0x8000u) & 0xffff0000u);
}

static void check_exact(const struct float_row *row, bool narrow) {
  static struct run x;
  x.function = row->function;
  x.format = x.out = narrow ? NUM_BF16 : NUM_FP32;
  x.tiles = 1;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  for (unsigned i = 0; i < TILE; i++) {
    x.a[i] = special(i) & (narrow ? 0xffff0000u : ~0u);
    x.b[i] = special(i * 7 + i / 22) & (narrow ? 0xffff0000u : ~0u);
    x.c[i] = special(i * 5 + 3) & (narrow ? 0xffff0000u : ~0u);
  }
  for (unsigned i = 0; i < TILE && narrow; i++) /* a 16-bit copy turns -0 into 0 */
    if (x.a[i] == 0x80000000u) x.a[i] = 0;
  if (row->function == F_isnan_tile || row->function == F_isfinite_tile) x.a[5] = 0x7fc00000u;
  run_function(&x);
  for (unsigned i = 0; i < TILE; i++) {
    double want = row->value(from_bits(x.a[i]), from_bits(x.b[i]), from_bits(x.c[i]), from_bits(x.parameter[0]),
                             from_bits(x.parameter[1]), from_bits(x.parameter[2]));
    double got = from_bits(x.result[i]);
    if (narrow) want = nearest_bf16(want); /* a parameter can be the result */
    if (!(got == want ||
          (isnan(want) && (isnan(got) || (narrow && isinf(got)))))) /* the packer turns a NaN into infinity in BFLOAT16 */
      fail_msg("%s %s of %g, %g, %g: %g, expected %g", row->name, narrow ? "BF16" : "FP32", from_bits(x.a[i]),
               from_bits(x.b[i]), from_bits(x.c[i]), got, want);
  }
}

static void test_exact(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i++) {
    if (test_percent() < 25 && i % 8) continue;
    check_exact(&exact_rows[i], false);
    check_exact(&exact_rows[i], true);
  }
}

/* --- integers --- */

static void test_integers(void **state) {
  (void)state;
  static struct run x;
  for (unsigned k = 0; k < sizeof integer_rows / sizeof *integer_rows; k++) {
    const struct integer_row *row = &integer_rows[k];
    if (strstr(row->name, "uint16")) continue; /* test_sfpu_modes.c */
    if (test_percent() < 25 && k % 8) continue;
    x.function = row->function;
    x.format = x.out = NUM_INT32;
    x.tiles = 1;
    for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
    for (unsigned i = 0; i < TILE; i++) {
      int32_t b = special_integer(i * 5 + i / 13);
      x.a[i] = (uint32_t)special_integer(i);
      x.b[i] = is_shift(row->function) ? (uint32_t)b & 31u : (uint32_t)b;
      x.c[i] = (uint32_t)special_integer(i * 3 + 1);
    }
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++) {
      int32_t a = (int32_t)x.a[i], b = (int32_t)x.b[i];
      int32_t want = row->value(a, b, (int32_t)x.c[i], row->parameter[0], row->parameter[1], row->parameter[2]);
      if ((int32_t)x.result[i] != want)
        fail_msg("%s of %d, %d: %d, expected %d", row->name, a, b, (int32_t)x.result[i], want);
    }
  }
}

/* --- conversions: Dst and the packer do not change their bits --- */

static uint32_t converted(unsigned function, uint32_t bits) {
  double x = from_bits(bits), t = trunc(x);
  switch (function) {
    case F_float_to_int32_tile:
      return (uint32_t)(int32_t)(t >= 2147483647.0 ? INT32_MAX : t <= -2147483648.0 ? INT32_MIN : (int32_t)t);
    case F_float_to_uint32_tile: return t <= 0 ? 0 : t >= 4294967295.0 ? UINT32_MAX : (uint32_t)t;
    case F_int32_to_float_tile: return to_bits((double)(int32_t)bits);
    default: return to_bits((double)bits);
  }
}

static void test_conversions(void **state) {
  (void)state;
  static struct run x;
  for (unsigned function = F_float_to_int32_tile; function <= F_uint32_to_float_tile; function++) {
    bool from_float = function <= F_float_to_uint32_tile;
    x.function = function;
    x.format = x.out = from_float ? NUM_FP32 : NUM_INT32;
    x.tiles = 1;
    for (unsigned i = 0; i < TILE; i++)
      x.a[i] = !from_float ? (uint32_t)special_integer(i)
               : i & 1     ? special(i)
                           : (i * 2654435761u & 0x80ffffffu) | (0x3e000000u + (i % 12 << 24));
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++)
      if (x.result[i] != converted(function, x.a[i]))
        fail_msg("conversion %u of 0x%08x: 0x%08x, expected 0x%08x", function - F_float_to_int32_tile, x.a[i], x.result[i],
                 converted(function, x.a[i]));
  }
}

/* --- quantization, and integers over integers --- */

/* In double precision; operands are chosen so that the rounding of the fused product and sum changes nothing. */
static uint32_t quantized(unsigned function, uint32_t a, uint32_t b, double zero) {
  bool integer = function >= F_requant_int8_tile,
       narrow = function == F_quant_uint8_tile || function == F_requant_uint8_tile;
  double first = integer ? (double)(int32_t)a : from_bits(a), x = first * from_bits(b) + zero;
  if (function == F_divide_int32_tile) return to_bits(first / (int32_t)b);
  if (function == F_dequant_scaled_tile) return to_bits((first + zero) * from_bits(b));
  x = fmin(fmax(round(x), narrow ? 0 : -127), narrow ? 255 : 127);
  return (uint32_t)(int32_t)x;
}

static void test_quantization(void **state) {
  (void)state;
  static struct run x;
  for (unsigned function = F_quant_int8_tile; function <= F_divide_int32_tile; function++) {
    double zero = function == F_dequant_scaled_tile ? -5 : 3;
    bool integer = function >= F_requant_int8_tile;
    x.function = function;
    x.format = x.out = NUM_INT32; /* bits as they are */
    x.tiles = 1;
    x.parameter[0] = to_bits(zero);
    for (unsigned i = 0; i < TILE; i++) {
      x.a[i] = integer ? i * 37 % 1024 - 512u : to_bits(((double)(i * 37 % 1024) - 512) / 8);
      x.b[i] = function == F_divide_int32_tile ? i % 97 + 1 : to_bits(i % 3 ? 0.25 : 1.5);
    }
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++) {
      uint32_t want = quantized(function, x.a[i], x.b[i], zero),
               ulp = function == F_divide_int32_tile; /* as div_binary_tile */
      if (x.result[i] - want + ulp > 2 * ulp)
        fail_msg("function %u of 0x%08x, 0x%08x: 0x%08x, expected 0x%08x", function - F_quant_int8_tile, x.a[i], x.b[i],
                 x.result[i], want);
    }
  }
}

/* --- random numbers: their range, mean and spread; no two rows alike --- */

static void test_random(void **state) {
  (void)state;
  static struct run x;
  double sum = 0, squares = 0;
  unsigned equal = 0, zero = 0;
  x.format = x.out = NUM_FP32;
  x.tiles = 3;
  x.function = F_rand_tile;
  x.parameter[0] = to_bits(-2);
  x.parameter[1] = to_bits(5);
  run_function(&x);
  for (unsigned i = 0; i < 3 * TILE; i++) {
    double v = from_bits(x.result[i]);
    assert_true(v >= -2 && v < 3);
    sum += v;
    squares += (v - 0.5) * (v - 0.5);
    for (unsigned k = 1; k <= 64 && k <= i; k++) equal += x.result[i] == x.result[i - k];
  }
  assert_true(fabs(sum / (3 * TILE) - 0.5) < 0.1 &&
              fabs(squares / (3 * TILE) - 25.0 / 12) < 0.15); /* five standard errors */
  assert_true(equal < 3);
  x.function = F_dropout_tile;
  x.parameter[0] = 0x20000000; /* a quarter of 2^31 */
  x.parameter[1] = to_bits(1.5);
  for (unsigned i = 0; i < 3 * TILE; i++) x.a[i] = to_bits(i + 1);
  run_function(&x);
  for (unsigned i = 0; i < 3 * TILE; i++) {
    zero += x.result[i] == 0;
    assert_true(x.result[i] == 0 || from_bits(x.result[i]) == 1.5 * (i + 1));
  }
  assert_in_range(zero, 3 * TILE / 4 - 120, 3 * TILE / 4 + 120);
}

/* Every function of the library has a reference: the rows of both files are the same. */
static void test_every_function_has_a_reference(void **state) {
  (void)state;
  static bool seen[FUNCTIONS];
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++) seen[rounded_rows[i].function] = true;
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i++) seen[exact_rows[i].function] = true;
  for (unsigned i = 0; i < sizeof integer_rows / sizeof *integer_rows; i++) seen[integer_rows[i].function] = true;
  seen[F_stochastic_round_tile] = true;            /* test_stochastic_round */
  seen[F_rand_tile] = seen[F_dropout_tile] = true; /* test_random */
  for (unsigned i = 0; i < F_float_to_int32_tile; i++)
    if (!seen[i]) fail_msg("function %u of sfpu_functions.def has no reference", i);
}

/* One of the two neighbours in BFLOAT16, and not always the same one. */
static void test_stochastic_round(void **state) {
  (void)state;
  static struct run x;
  unsigned up = 0;
  x.function = F_stochastic_round_tile;
  x.format = x.out = NUM_FP32;
  x.tiles = 1;
  for (unsigned i = 0; i < TILE; i++) x.a[i] = 0x3f808000u + i;
  run_function(&x);
  for (unsigned i = 0; i < TILE; i++) {
    assert_true(x.result[i] == 0x3f800000u || x.result[i] == 0x3f810000u);
    up += x.result[i] == 0x3f810000u;
  }
  assert_true(up > TILE / 4 && up < TILE / 4 * 3);
}

static void print_line(unsigned function) {
  printf("bench_sfpu %-32s %6llu cycles per tile", name_of(function), (unsigned long long)cycles_of(function));
  for (unsigned k = 0; k < sizeof claimed / sizeof *claimed; k++)
    if (claimed[k].function == function) printf("   LLK %u (%s)", claimed[k].cycles, claimed[k].file);
  printf("\n");
}

static int print_cycles(void) {
  for (unsigned i = 0; i < F_float_to_int32_tile; i++) print_line(i);
  for (unsigned i = 0; i < sizeof conversions / sizeof *conversions; i++) print_line(conversions[i].function);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--cycles") == 0) return print_cycles();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_function_has_a_reference),
      cmocka_unit_test(test_rounded),
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_quantization),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_stochastic_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
