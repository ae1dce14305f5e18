/* The vector unit's functions (kernels/include/sfpu_functions.def) against double-precision references (tests/kernels/sfpu_reference.def), in
 * FP32 and BFLOAT16 Dst. Rounded ones: errors in units of the last place by range, which docs/reference/sfpu-accuracy.md tables. The test writes
 * that page with TESSERA_WRITE_TABLE=1 (some minutes); without, it measures fewer arguments from another seed, which must not exceed the page's
 * figures nor fall far below them. Exact ones and integers: every bit. Other formats and the pack core are in test_sfpu_modes.c. */
#include "kernels/sfpu_accuracy.h"

enum { PAGE_TILES = 512, PAGE_SEED = 1, TEST_SEED = 2 }; /* tiles of arguments spread over each range */
static const char page[] = "docs/reference/sfpu-accuracy.md";

struct figures {
  double wide_max, wide_mean, narrow_max, narrow_mean;
};

static struct figures measure(const struct float_row *row, unsigned range, unsigned tiles, uint32_t seed) {
  struct accuracy wide, narrow;
  measure_range(row, range, false, tiles, seed, &wide);
  measure_range(row, range, true, tiles, seed, &narrow);
  if (wide.max > row->limit || narrow.max > 1 + row->limit / 65536)
    fail_msg("%s range %u: FP32 %g ULP at %g (limit %g), BF16 %g ULP at %g", row->name, range, wide.max,
             from_bits(wide.at.a), row->limit, narrow.max, from_bits(narrow.at.a));
  return (struct figures){wide.max, wide.sum / wide.counted, narrow.max, narrow.sum / narrow.counted};
}

/* A range that holds another one has at least its maximum, whichever arguments were drawn. */
static void widen(const struct float_row *row, struct figures *each) {
  for (unsigned i = 0; i < range_count(row); i++)
    for (unsigned k = 0; k < range_count(row); k++) {
      if (row->range[k].low < row->range[i].low || row->range[k].high > row->range[i].high) continue;
      each[i].wide_max = fmax(each[i].wide_max, each[k].wide_max);
      each[i].narrow_max = fmax(each[i].narrow_max, each[k].narrow_max);
    }
}

static void row_start(const struct float_row *row, unsigned i, char *text, size_t n) {
  snprintf(text, n, "| %s | %g to %g |", i ? "" : row->name, row->range[i].low, row->range[i].high);
}

/* Maxima are rounded up: those of a sample to a tenth, those of every number to a hundredth. */
static double rounded_up(double x, double places) { return fmax(ceil(x * places - 1e-9), 0) / places + 0.0; } /* not -0.0 */

static void write_row(FILE *f, const struct float_row *row) {
  struct figures each[3];
  char start[128];
  for (unsigned i = 0; i < range_count(row); i++) each[i] = measure(row, i, PAGE_TILES, PAGE_SEED);
  widen(row, each);
  for (unsigned i = 0; i < range_count(row); i++) {
    row_start(row, i, start, sizeof start);
    fprintf(f, "%s %.1f | %.2f | %.2f | %.2f |\n", start, rounded_up(each[i].wide_max, 10), each[i].wide_mean,
            rounded_up(each[i].narrow_max, 100), each[i].narrow_mean);
  }
}

static const char head[] = "# Accuracy of the vector unit's functions\n\n"
                           "Written by tests/test_sfpu.c (`TESSERA_WRITE_TABLE=1 build/tests/test_sfpu`), which also "
                           "compares it with arguments from "
                           "another seed. Errors\n"
                           "are in units of the last place (ULP) of the reference's binade, against double precision: "
                           "maximum, rounded up, and mean, "
                           "with FP32 in a\n"
                           "32-bit Dst and with BFLOAT16 in a 16-bit Dst. Rounding the exact value to nearest would give at "
                           "most 0.5. Results below "
                           "the smallest\n"
                           "normal number are zero, as in hardware. All operands are of the range.\n\n"
                           "FP32: half a million arguments spread over each range give the mean. The maximum is that of two "
                           "millions: also magnitudes "
                           "down to 1e-30\n"
                           "in ranges with zero, the ends, powers of two and multiples of a half with their neighbours, and "
                           "numbers around the worst "
                           "arguments. It is\n"
                           "the largest error seen, not a proven bound. BFLOAT16: every number of the range from 1e-30 on "
                           "is the first operand once.\n\n"
                           "Parameters are those of tests/kernels/sfpu_reference.def. Functions that are not here give the "
                           "exact result (comparisons, "
                           "rounding to\n"
                           "integers, selections, integers), by the same test.\n\n"
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
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) #numbers[0],
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
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) #name,
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

/* --- NaN --- */

/* NaN with both signs as each of the operands, the other ones 0.75. */
static void run_with_nan(const struct float_row *row, struct run *x) {
  x->function = row->function;
  x->format = x->out = NUM_FP32;
  x->tiles = 1;
  for (unsigned i = 0; i < 3; i++) x->parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) x->parameter[0] = (uint32_t)row->parameter[0];
  for (unsigned i = 0; i < TILE; i++) {
    x->a[i] = x->b[i] = x->c[i] = 0x3f400000u;
    (i / 2 == 0 ? x->a : i / 2 == 1 ? x->b : x->c)[i] = 0x7fc00000u | i << 31;
  }
  run_function(x);
}

/* Is result i a number, and not that of double precision? */
static bool hides_nan(const struct float_row *row, const struct run *x, unsigned i) {
  double got = from_bits(x->result[i]), want = row->value(from_bits(x->a[i]), from_bits(x->b[i]), from_bits(x->c[i]),
                                                          row->parameter[0], row->parameter[1], row->parameter[2]);
  return !isnan(got) && !(fabs(got - want) <= 1e-5 * fabs(want));
}

static void nan_rows(FILE *f, const struct float_row *row, unsigned operands) {
  static struct run x;
  run_with_nan(row, &x);
  for (unsigned which = 0; which < operands; which++) {
    if (!hides_nan(row, &x, 2 * which) && !hides_nan(row, &x, 2 * which + 1)) continue;
    fprintf(f, "| %s | %u |", row->name, which + 1);
    for (unsigned i = 2 * which; i < 2 * which + 2; i++)
      if (isnan(from_bits(x.result[i]))) fputs(" NaN |", f);
      else fprintf(f, " %g |", from_bits(x.result[i]));
    fputs("\n", f);
  }
}

static void nan_table(FILE *f) {
  static const uint8_t operands_each[] = {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) operands,
#include "../kernels/include/sfpu_functions.def"
#undef SFPU_FUNCTION
  };
  fputs("\n## NaN\n\nThe other functions give NaN for NaN, or what IEEE 754 has: a comparison with NaN is false, `ne` true. "
        "These give a number, because "
        "the\nvector unit orders NaN above infinity and -NaN below -infinity. Other operands are 0.75.\n\n"
        "| function | operand | of NaN | of -NaN |\n|---|---|---|---|\n",
        f);
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++)
    nan_rows(f, &rounded_rows[i], operands_each[rounded_rows[i].function]);
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i++)
    nan_rows(f, &exact_rows[i], operands_each[exact_rows[i].function]);
}

/* --- ends of the ranges; test_sfpu_modes.c has those that are exact --- */

static const char ranges[] =
    "\n## Ends of the ranges\n\n"
    "Operands below the smallest normal number count as 0. What to expect beyond the ranges of the first table:\n\n"
    "| function | range | beyond it |\n|---|---|---|\n"
    "| sin, cos, tan, snake_beta | up to about 100 | the error grows with the argument; from 2^22 pi on no meaning |\n"
    "| fmod, remainder | quotients below 2^22 | no meaning |\n"
    "| exp | up to 88.7228 | infinity, already from 2e-5 below the logarithm of the largest number on |\n"
    "| sinh, cosh | up to 88.7 | infinity, though sinh(89) is a number |\n"
    "| asinh, acosh | up to half of the largest number | infinity |\n"
    "| recip, rdiv, addcdiv | divisors below 2^126 | 0: the reciprocal is no normal number |\n"
    "| cbrt | below 2^126 | up to 23 ULP |\n"
    "| power, rpow | results by e^(y log x) | the error grows with y log x; -0 and -infinity are negative: NaN unless y is "
    "an integer |\n"
    "| power_binary | 0, infinities, NaN and negative bases | as pow of C (0^0 = 1, NaN^0 = 1, (-2)^3 = -8, (-2)^0.5 = NaN, "
    "0^-1 = infinity), "
    "but NaN for 1^infinity, 1^-infinity, (-1)^infinity, (-1)^-infinity, 1^NaN, and for -0 and -infinity to a power that is "
    "no integer |\n"
    "| silu | from -87.33 up | 0, though silu(-88) = -5.3e-37 is a number; NaN of -infinity |\n"
    "| typecast to Int32, float_to_int32 | magnitudes below 2^31 | -2^31 for numbers and infinities of both signs and for "
    "NaN, as in "
    "the vendor's library |\n"
    "| typecast to UInt32, float_to_uint32 | 0 up to 2^32 | 0 below it, 2^32 - 1 above it; NaN as the infinity of its sign "
    "|\n"
    "| typecast to Int8 | -127 to 127 | the nearest of them; NaN as the infinity of its sign |\n"
    "| softsign | finite | NaN of infinity, as infinity / infinity |\n"
    "| round with decimals | x 10^n below 2^23 | x itself; x 10^n is rounded to FP32 before, as in the vendor's library |\n";

/* --- single arguments beyond the ranges: what the functions give, beside the value --- */

#define BY_REFERENCE NAN /* row->value has it */
static const struct {
  unsigned function;
  double argument, value;
} ends[] = {
    {F_digamma_tile, 1, BY_REFERENCE},
    {F_digamma_tile, 1.46163214, BY_REFERENCE},
    {F_digamma_tile, 0, -INFINITY},
    {F_digamma_tile, -0.5, BY_REFERENCE},
    {F_digamma_tile, -1.5, BY_REFERENCE},
    {F_digamma_tile, -10.25, BY_REFERENCE},
    {F_digamma_tile, 1e30, BY_REFERENCE},
    {F_digamma_tile, INFINITY, INFINITY},
    {F_i0_tile, 88, BY_REFERENCE},
    {F_i0_tile, 90, BY_REFERENCE},
    {F_i0_tile, 92, INFINITY},
    {F_i0_tile, -INFINITY, INFINITY},
    {F_i1_tile, 90, BY_REFERENCE},
    {F_i1_tile, -INFINITY, -INFINITY},
    {F_erfinv_tile, 0, 0},
    {F_erfinv_tile, 0.999, BY_REFERENCE},
    {F_erfinv_tile, 0.99999, BY_REFERENCE},
    {F_erfinv_tile, 0.9999999, BY_REFERENCE},
    {F_erfinv_tile, 1, INFINITY},
    {F_erfinv_tile, -1, -INFINITY},
    {F_hardsigmoid_tile, -2.9, BY_REFERENCE},
    {F_hardsigmoid_tile, -2.999, BY_REFERENCE},
    {F_hardsigmoid_tile, -2.99999, BY_REFERENCE},
    {F_hardsigmoid_tile, -3, 0},
    {F_hardsigmoid_tile, 3, 1},
    {F_hardsigmoid_tile, INFINITY, 1},
};

static const struct float_row *row_of(unsigned function) {
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++)
    if (rounded_rows[i].function == function) return &rounded_rows[i];
  fail_msg("function %u has no row", function);
  return NULL;
}

static void end_table(FILE *f) {
  static struct run x;
  fputs("\n## Single arguments beyond the ranges\n\n"
        "What the functions give with a 32-bit Dst, and the value of the argument as FP32. Beside a root of the function, "
        "or of "
        "its\nintermediate sum (hardsigmoid at -3), the error is small against 1 and not against the result. Far below 0 "
        "digamma "
        "has no\nmeaning; i0 and i1 are infinity from where e^x is.\n\n"
        "| function | of | here | value |\n|---|---|---|---|\n",
        f);
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    const struct float_row *row = row_of(ends[i].function);
    double argument = from_bits(to_bits(ends[i].argument)), value = ends[i].value;
    memset(&x, 0, sizeof x);
    x.function = row->function;
    x.format = x.out = NUM_FP32;
    x.tiles = 1;
    for (unsigned k = 0; k < TILE; k++) x.a[k] = to_bits(argument);
    run_function(&x);
    if (isnan(value)) value = row->value(argument, 0, 0, 0, 0, 0);
    double got = from_bits(x.result[0]);
    if (isnan(got)) fprintf(f, "| %s | %.9g | NaN | %.6g |\n", row->name, argument, value);
    else fprintf(f, "| %s | %.9g | %.6g | %.6g |\n", row->name, argument, got, value);
  }
}

static void write_page(void) {
  FILE *f = fopen(page, "w");
  assert_non_null(f);
  fputs(head, f);
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++) write_row(f, &rounded_rows[i]);
  cycle_table(f);
  nan_table(f);
  fputs(ranges, f);
  end_table(f);
  assert_int_equal(fclose(f), 0);
}

static char *read_page(void) {
  FILE *f = fopen(page, "r");
  assert_non_null(f);
  char *text = calloc(1, 1 << 16);
  size_t n = fread(text, 1, (1 << 16) - 1, f);
  fclose(f);
  assert_true(n < (1 << 16) - 1);
  return text;
}

/* The page's line of a range begins at *at, which moves behind it. */
static struct figures figures_of_page(const char **at, const struct float_row *row, unsigned range) {
  struct figures x;
  char start[128];
  row_start(row, range, start, sizeof start);
  size_t n = strlen(start);
  if (strncmp(*at, start, n) != 0 ||
      sscanf(*at + n, "%lf | %lf | %lf | %lf |", &x.wide_max, &x.wide_mean, &x.narrow_max, &x.narrow_mean) != 4)
    fail_msg("%s has no line '%s' where it belongs: %.60s", page, start, *at);
  *at = strchr(*at, '\n') + 1;
  return x;
}

/* With fewer arguments the maximum is lower, but not far below: then the page is of an older function. */
static void check_range(const struct float_row *row, unsigned range, struct figures said, unsigned tiles) {
  struct figures got = measure(row, range, tiles, TEST_SEED);
  double slack = 0.03 + 0.1 * said.wide_mean;
  if (got.wide_max > said.wide_max || got.narrow_max > said.narrow_max)
    fail_msg("%s range %u: FP32 %g, BF16 %g ULP, more than the %g and %g of %s", row->name, range, got.wide_max,
             got.narrow_max, said.wide_max, said.narrow_max, page);
  if (tiles < 4) return;
  if (got.wide_max < said.wide_max / 4 - 0.1 || got.narrow_max < said.narrow_max / 2 - 0.1)
    fail_msg("%s range %u: FP32 %g, BF16 %g ULP, far below the %g and %g of %s", row->name, range, got.wide_max,
             got.narrow_max, said.wide_max, said.narrow_max, page);
  if (fabs(got.wide_mean - said.wide_mean) > slack || fabs(got.narrow_mean - said.narrow_mean) > slack)
    fail_msg("%s range %u: means of %g and %g ULP, not the %g and %g of %s", row->name, range, got.wide_mean,
             got.narrow_mean, said.wide_mean, said.narrow_mean, page);
}

/* Below 100 per cent of the work every third function is tested, below 25 every 8th, below 10 every 20th. */
static unsigned share(void) { return test_percent() >= 100 ? 1 : test_percent() >= 25 ? 3 : test_percent() >= 10 ? 8 : 20; }

static void test_rounded(void **state) {
  (void)state;
  if (getenv("TESSERA_WRITE_TABLE")) write_page();
  unsigned percent = (unsigned)test_percent(), tiles = percent >= 100 ? 16 : percent >= 25 ? 4 : 1;
  char *text = read_page(), *cycles = NULL;
  size_t size = 0;
  assert_memory_equal(text, head, strlen(head));
  const char *at = text + strlen(head);
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++) {
    const struct float_row *row = &rounded_rows[i];
    for (unsigned k = 0; k < range_count(row); k++) {
      struct figures said = figures_of_page(&at, row, k);
      if (percent >= 100 || i % (percent >= 25 ? 4 : 2 * share()) == 0) check_range(row, k, said, tiles);
    }
  }
  if (percent >= 25) { /* the other tables of the page run every function */
    FILE *f = open_memstream(&cycles, &size);
    cycle_table(f);
    nan_table(f);
    fputs(ranges, f);
    end_table(f);
    fclose(f);
    assert_string_equal(at, cycles);
  }
  free(cycles);
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
    if (i % share()) continue;
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
    if (k % share()) continue;
    x.function = row->function;
    x.format = x.out = NUM_INT32;
    x.tiles = 1;
    for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
    for (unsigned i = 0; i < TILE; i++) {
      int32_t b = special_integer(i * 5 + i / 13);
      x.a[i] = (uint32_t)special_integer(i);
      x.b[i] = second_integer(row->function, i, (uint32_t)b);
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
      return (uint32_t)(int32_t)(fabs(t) < 2147483648.0 ? (int32_t)t : INT32_MIN); /* of both signs, and NaN */
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

/* The page's lines of one function, after a change of that one only. */
static int print_row(const char *name) {
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++)
    if (strcmp(rounded_rows[i].name, name) == 0) write_row(stdout, &rounded_rows[i]);
  return 0;
}

/* What follows the page's first table. */
static int print_rest(void) {
  cycle_table(stdout);
  nan_table(stdout);
  fputs(ranges, stdout);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--cycles") == 0) return print_cycles();
  if (argc > 1 && strcmp(argv[1], "--rest") == 0) return print_rest();
  if (argc > 2 && strcmp(argv[1], "--row") == 0) return print_row(argv[2]);
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
