/* The cycles of request patterns on the NoC beside those of a card (tests/silicon/noc_figures.def), by family. make silicon prints every row
 * that costs at most a given number of packets; as a test the program runs the cheap ones. */
#include <math.h>
#include <stdio.h>

#include "scale.h"
#include "silicon/noc_patterns.h"

enum noc_family {
  PEER_WRITE_FEW,
  PEER_WRITE,
  PEER_READ_SMALL,
  PEER_READ,
  WRITES_TO_MANY,
  READS_FROM_MANY,
  NOT_LINKED,
  LINKED_ONE,
  MANY_MULTICAST,
  MANY_SMALL,
  MANY_TO_MANY,
  DRAM_ONE,
  DRAM_ALL,
  NOC_FAMILIES
};
/* The median error that a family must keep, in per cent. */
static const struct {
  const char *name;
  double median;
} family_of_rows[NOC_FAMILIES] = {{"peer write, up to 4 requests of 4 KiB", 6},
                                  {"peer write", 2},
                                  {"peer read up to 1 KiB", 8},
                                  {"peer read", 4},
                                  {"one tile writes to many", 4},
                                  {"one tile reads from many", 8},
                                  {"multicast, not linked", 4},
                                  {"multicast, linked", 4},
                                  {"multicast, many senders", 40},
                                  {"many to many, below 1 KiB", 15},
                                  {"many to many, from 1 KiB on", 35},
                                  {"DRAM, one tile", 6},
                                  {"DRAM, 110 tiles", 70}};

static enum noc_family family_of(const struct noc_figures *f, unsigned size) {
  if (f->memory != L1) return f->pattern == ALL_TO_ALL || f->pattern == ALL_FROM_ALL ? DRAM_ALL : DRAM_ONE;
  bool many = f->pattern == ROW_TO_ROW || f->pattern == COLUMN_TO_COLUMN;
  if (f->mechanism != UNICAST) return many ? MANY_MULTICAST : f->mechanism == LINKED ? LINKED_ONE : NOT_LINKED;
  if (many || f->pattern == ALL_TO_ALL || f->pattern == ALL_FROM_ALL) return size < 4 ? MANY_SMALL : MANY_TO_MANY;
  if (f->pattern == ONE_TO_ONE) return f->requests <= 4 && size <= 6 ? PEER_WRITE_FEW : PEER_WRITE;
  if (f->pattern == ONE_FROM_ONE) return size < 5 ? PEER_READ_SMALL : PEER_READ;
  return noc_reads(f) ? READS_FROM_MANY : WRITES_TO_MANY;
}

struct errors {
  size_t count;
  double signed_sum, all[2048];
};

static int by_error(const void *a, const void *b) {
  double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return x < y ? -1 : x > y;
}
static double at_share(const struct errors *e, double share) {
  size_t i = (size_t)((double)e->count * share);
  return fabs(e->all[i < e->count ? i : e->count - 1]);
}

static struct errors families[NOC_FAMILIES + 1];

static void note_error(enum noc_family family, double error) {
  struct errors *both[2] = {&families[family], &families[NOC_FAMILIES]};
  for (unsigned i = 0; i < 2; i++) {
    assert_true(both[i]->count < sizeof both[i]->all / sizeof *both[i]->all);
    both[i]->all[both[i]->count++] = error;
    both[i]->signed_sum += error;
  }
}

static void print_families(void) {
  printf("%-40s %5s %8s %8s %8s %8s\n", "family", "rows", "median", "90th", "worst", "mean");
  for (unsigned i = 0; i <= NOC_FAMILIES; i++) {
    struct errors *e = &families[i];
    if (!e->count) continue;
    qsort(e->all, e->count, sizeof *e->all, by_error);
    printf("%-40s %5zu %6.1f %% %6.1f %% %6.1f %% %+6.1f %%\n", i < NOC_FAMILIES ? family_of_rows[i].name : "all", e->count,
           at_share(e, 0.5), at_share(e, 0.9), fabs(e->all[e->count - 1]), e->signed_sum / (double)e->count);
  }
}

static void print_row(const struct noc_figures *f, unsigned size, double here) {
  static const char *const patterns[] = {"one to one",   "one from one", "one to all", "one from all",  "all to all",
                                         "all from all", "one to row",   "row to row", "one to column", "column to column"};
  static const char *const mechanisms[] = {"", " multicast", " linked multicast"};
  static const char *const memories[] = {"", ", DRAM interleaved", ", DRAM sharded"};
  printf("%-16s%-17s%s %3u receivers%s%s%s, %5u x %5u B %10.0f %10.0f %+7.1f %%\n", patterns[f->pattern],
         mechanisms[f->mechanism], memories[f->memory], f->receivers, f->same_axis ? "" : ", other axis",
         f->stateful ? ", stateful" : "", f->loopback ? ", loopback" : "", f->requests, 64u << size, f->cycles[size], here,
         100 * (here / f->cycles[size] - 1));
}

/* Rows of at most `limit` packets; with `step`, every so many of them. */
static void measure(uint64_t limit, unsigned step, bool rows) {
  unsigned seen = 0;
  for (size_t i = 0; i < NOC_GROUPS; i++)
    for (unsigned size = 0; size < NOC_SIZES; size++) {
      const struct noc_figures *f = &noc_figures[i];
      if (f->cycles[size] == 0 || noc_packets(f, size) > limit || seen++ % step) continue;
      double here = noc_here(f, size);
      note_error(family_of(f, size), 100 * (here / f->cycles[size] - 1));
      if (rows) print_row(f, size, here);
      fflush(stdout);
    }
}

#define ROWS_MIN 8u /* the median of fewer rows, in a small part of them, is that of a few chosen by their order */

/* A part of the rows; make silicon prints all. */
static void families_keep_their_medians(void **state) {
  (void)state;
  const unsigned scale = (unsigned)test_scaled(100);
  measure(600, scale < 200 ? 200 / scale : 1, false);
  print_families();
  for (unsigned i = 0; i < NOC_FAMILIES; i++)
    if (families[i].count >= ROWS_MIN && at_share(&families[i], 0.5) > family_of_rows[i].median)
      fail_msg("%s: %.1f %% in the median, more than %.1f %%", family_of_rows[i].name, at_share(&families[i], 0.5),
               family_of_rows[i].median);
}

/* 110 tiles with 64 requests each fill the buffers of the routers around the DRAM controllers. No ring of full buffers may close: all of it arrives
 * (noc_here asserts that the run completes). */
static void full_buffers_drain(void **state) {
  (void)state;
  unsigned rows = 0;
  for (size_t i = 0; i < NOC_GROUPS && rows < 2; i++) {
    const struct noc_figures *f = &noc_figures[i];
    if (!f->memory || f->cycles[0] == 0 || noc_packets(f, 0) < 10000 || noc_packets(f, 0) > 20000) continue;
    assert_true(noc_here(f, 0) > 0);
    rows++;
  }
  assert_int_equal(rows, 2);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(families_keep_their_medians), cmocka_unit_test(full_buffers_drain)};
  if (argc < 2 || strcmp(argv[1], "--table") != 0) return cmocka_run_group_tests(tests, NULL, NULL);
  measure(argc > 2 ? strtoull(argv[2], NULL, 10) : 20000, argc > 3 ? (unsigned)atoi(argv[3]) : 1, true);
  print_families();
  return 0;
}
