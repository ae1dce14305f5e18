/* Sorted columns, merges and rebuilds of topk (kernels/include/sfpu_sort.h) against sorting in C: values in BFLOAT16, FLOAT16, UINT16 and FP32,
 * indices in UINT16 and INT32, both directions, with and without ties. */
#include "kernels/op_case.h"
#include "scale.h"

KERNEL(sort_ops)

#define ORDER 0xb0000u
#define COLUMN 64u

enum { SORT, MERGE, REBUILD };

struct entry {
  int32_t value, index;
};
struct sorting {
  unsigned operation, format, direction, p, q;
  bool stable, one_tile;
  uint64_t cycles;
  struct entry column[32][COLUMN]; /* in and out: small integers, which every format holds */
};

/* Row r, column c of a 32 x 32 tile: face by face, as the launcher tilizes. */
static unsigned place(unsigned row, unsigned column) {
  return 512 * (row / 16) + 256 * (column / 16) + 16 * (row % 16) + column % 16;
}

static uint32_t encode(unsigned format, int32_t v) {
  float f = (float)v;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  if (format == NUM_INT16 || format == NUM_INT32) return (uint32_t)v;
  if (format == NUM_FP32) return bits;
  if (format == NUM_BF16) return bits >> 16;
  return v == 0 ? 0 : (bits >> 16 & 0x8000u) | ((bits >> 23 & 255u) - 112) << 10 | (bits >> 13 & 0x3ffu);
}
static int32_t decode(unsigned format, uint32_t bits) {
  float f;
  if (format == NUM_INT16 || format == NUM_INT32) return (int32_t)bits;
  if (format == NUM_BF16) bits <<= 16;
  if (format == NUM_FP16)
    bits = bits & 0x7fffu ? (bits & 0x8000u) << 16 | ((bits >> 10 & 31u) + 112) << 23 | (bits & 0x3ffu) << 13 : 0;
  memcpy(&f, &bits, 4);
  return (int32_t)f;
}

static void transfer(struct rig *r, struct sorting *s, bool out, uint32_t base, unsigned format, bool index) {
  unsigned bytes = format == NUM_FP32 || format == NUM_INT32 ? 4 : 2;
  for (unsigned c = 0; c < 32; c++)
    for (unsigned i = 0; i < COLUMN; i++) {
      struct entry *e = &s->column[c][i];
      int32_t *number = index ? &e->index : &e->value;
      uint8_t *at = r->t->l1 + base + bytes * (1024 * (i / 32) + place(i % 32, c));
      uint32_t bits = out ? 0 : encode(format, *number);
      if (out) memcpy(&bits, at, bytes);
      else memcpy(at, &bits, bytes);
      if (out) *number = decode(format, bits);
    }
}

/* From the first load of the vector unit to its last store. */
static uint64_t vector_cycles(const struct rig *r) {
  uint64_t first = 0, last = 0;
  for (size_t i = 0; i < r->issue_count; i++) {
    unsigned opcode = r->issues[i].word >> 24;
    if (r->issues[i].thread == 1 && opcode == 0x70 && !first) first = r->issues[i].at;
    if (r->issues[i].thread == 1 && opcode == 0x72) last = r->issues[i].at;
  }
  return last - first + 1;
}

static void run_sorting(struct sorting *s) {
  struct launch l;
  struct rig *r = rig_new(true);
  bool wide = s->format == NUM_FP32;
  unsigned index = wide ? NUM_INT32 : NUM_INT16;
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, s->format, 2);
  buffer(&l, 1, IN1, index, 2);
  buffer(&l, 16, OUT, s->format, 2);
  buffer(&l, 17, ORDER, index, 2);
  l.args[5] = l.args[18] = wide;
  l.args[7] = s->operation;
  uint32_t args[] = {s->direction, s->p, s->q, s->stable, s->one_tile};
  memcpy(&l.args[11], args, sizeof args);
  transfer(r, s, false, IN0, s->format, false);
  transfer(r, s, false, IN1, index, true);
  record_kernel(r, 0, sort_ops_unpack, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 1, sort_ops_math, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 2, sort_ops_pack, &l);
  assert_string_equal(record_failure(), "");
  rig_run_well(r);
  assert_int_equal(rig_findings(r), 0);
  transfer(r, s, true, OUT, s->format, false);
  transfer(r, s, true, ORDER, index, true);
  s->cycles = vector_cycles(r);
  rig_free(r);
}

/* Insertion sort: by value, ties by index where `ties` is set; reversed as a whole where `reversed` is. */
static void sort_in_c(struct entry *e, unsigned n, bool increasing, bool reversed) {
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = i; k > 0; k--) {
      struct entry x = e[k - 1], y = e[k];
      bool before = x.value != y.value ? (increasing ? y.value < x.value : y.value > x.value) : y.index < x.index;
      if (!before) break;
      e[k - 1] = y;
      e[k] = x;
    }
  for (unsigned i = 0; reversed && i < n / 2; i++) {
    struct entry x = e[i];
    e[i] = e[n - 1 - i];
    e[n - 1 - i] = x;
  }
}

/* Numbers that each format holds, some equal if `ties`; indices with low bytes of 0 among them. */
static void fill(struct sorting *s, bool ties) {
  for (unsigned c = 0; c < 32; c++)
    for (unsigned i = 0; i < COLUMN; i++) {
      int32_t v = (int32_t)((i * 37 + c * 11) % 64 * (ties ? 1 : 3)) / (ties ? 8 : 1);
      s->column[c][i] = (struct entry){s->format == NUM_INT16 ? v * 300 : v - 20, (int32_t)(i * 128 + c)};
    }
}

/* Values at each position; indices exactly if stable or without ties, else each belongs to its value. */
static void compare(const struct sorting *got, const struct sorting *want, const struct sorting *in, bool exact) {
  for (unsigned c = 0; c < 32; c++)
    for (unsigned i = 0; i < COLUMN; i++) {
      struct entry g = got->column[c][i], w = want->column[c][i];
      if (g.value != w.value || (exact && g.index != w.index))
        fail_msg("operation %u format %u direction %u p %u q %u, column %u position %u: %d (%d), expected %d (%d)",
                 got->operation, got->format, got->direction, got->p, got->q, c, i, g.value, g.index, w.value, w.index);
      assert_int_equal(in->column[c][g.index / 128].value, g.value);
    }
}

static void sort_blocks_in_c(struct sorting *s, unsigned k, unsigned apart, unsigned end) {
  for (unsigned c = 0; c < 32; c++)
    for (unsigned start = 0; start < end; start += apart)
      sort_in_c(&s->column[c][start], k, s->direction, start / apart & 1);
}

static void check_sort(unsigned format, unsigned direction, unsigned phase, bool ties, bool stable) {
  static struct sorting in, got, want;
  in = (struct sorting){.operation = SORT, .format = format, .direction = direction, .p = phase, .stable = stable};
  fill(&in, ties);
  got = want = in;
  run_sorting(&got);
  sort_blocks_in_c(&want, 2u << phase, 2u << phase, COLUMN);
  compare(&got, &want, &in, stable || !ties);
}

static const unsigned formats[] = {NUM_BF16, NUM_FP16, NUM_INT16, NUM_FP32};

static void test_local_sort(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned direction = 0; direction < 2; direction++) {
      if (test_percent() < 25 && (i + direction) % 2) continue;
      for (unsigned phase = 0; phase < 6; phase += test_percent() < 25 ? 5 : 1)
        check_sort(formats[i], direction, phase, false, false);
      check_sort(formats[i], direction, 5, true, false);
      check_sort(formats[i], direction, 5, true, true);
      check_sort(formats[i], direction, 3, true, true);
    }
}

/* Sequences of k in alternating directions; iteration m pairs those 2^m apart. The first gets the better of each pair. */
static void check_merge(unsigned format, unsigned direction, unsigned iteration, unsigned k) {
  static struct sorting in, got, want;
  unsigned distance = k << iteration > 32 ? 32 : k << iteration;
  in = (struct sorting){.operation = MERGE, .format = format, .direction = direction, .p = iteration, .q = k};
  fill(&in, false);
  got = want = in;
  run_sorting(&got);
  for (unsigned c = 0; c < 32; c++)
    for (unsigned i = 0; i < COLUMN; i++) {
      struct entry *a = &want.column[c][i], *b = a + distance;
      if (i % (2 * distance) >= (k < distance ? k : distance)) continue;
      if (direction ? b->value < a->value : b->value > a->value) {
        struct entry x = *a;
        *a = *b;
        *b = x;
      }
    }
  compare(&got, &want, &in, true);
}

static void check_rebuild(unsigned format, unsigned direction, unsigned iteration, unsigned k, bool one_tile) {
  static struct sorting in, got, want;
  unsigned apart = k == 64 ? 64 : k << (iteration + 1) > 32 ? 32 : k << (iteration + 1), end = one_tile && k < 64 ? 32 : 64;
  in = (struct sorting){
      .operation = REBUILD, .format = format, .direction = direction, .p = iteration, .q = k, .one_tile = one_tile};
  fill(&in, false);
  for (unsigned c = 0; c < 32; c++) /* bitonic: half increasing, half decreasing */
    for (unsigned i = 0; i < COLUMN; i += k / 2) sort_in_c(&in.column[c][i], k / 2, true, i / (k / 2) & 1);
  for (unsigned c = 0; c < 32; c++)
    for (unsigned i = 0; i < COLUMN; i++) in.column[c][i].index = (int32_t)(i * 128 + c);
  got = want = in;
  run_sorting(&got);
  sort_blocks_in_c(&want, k, apart, end);
  compare(&got, &want, &in, true);
}

static void test_merge_and_rebuild(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 4; k <= 64; k *= 2)
      for (unsigned iteration = 0; iteration < 3; iteration++) {
        if (test_percent() < 25 && (i + k / 4 + iteration) % 8) continue;
        check_merge(formats[i], iteration & 1, iteration, k);
        check_rebuild(formats[i], iteration & 1, iteration, k, k == 32 && iteration == 0);
      }
}

/* Two tiles of values with their indices; the vendor's sources claim no figures for these. */
static int print_cycles(void) {
  static const struct {
    const char *name;
    unsigned operation, p, q;
    bool stable;
  } rows[] = {{"topk_local_sort, k 64", SORT, 5, 0, false},
              {"topk_local_sort, k 64, stable", SORT, 5, 0, true},
              {"topk_local_sort, k 32", SORT, 4, 0, false},
              {"topk_merge, k 32", MERGE, 0, 32, false},
              {"topk_rebuild, k 32", REBUILD, 0, 32, false}};
  static struct sorting s;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    s = (struct sorting){
        .operation = rows[i].operation, .format = NUM_BF16, .p = rows[i].p, .q = rows[i].q, .stable = rows[i].stable};
    fill(&s, false);
    run_sorting(&s);
    printf("bench_sfpu %-32s %6llu cycles per two tiles\n", rows[i].name, (unsigned long long)s.cycles);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--cycles") == 0) return print_cycles();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_local_sort), cmocka_unit_test(test_merge_and_rebuild)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
