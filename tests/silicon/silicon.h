/* Compares the figures of figures.def with those of the model. */
#ifndef TESSERA_TESTS_SILICON_H
#define TESSERA_TESTS_SILICON_H

#include "bodies.h"
#include "matmul.h"

enum silicon_family {
  ISSUE,
  CONFIG,
  ALU,
  BRANCH,
  FETCH,
  L1_ONE,
  L1_MANY,
  FIFO,
  SYNC,
  MATMUL,
  BRISC_TOTALS,
  DOCUMENTED,
  SILICON_FAMILIES
};
#undef BRISC
#define BRISC BRISC_TOTALS
static const char *const silicon_families[] = {"Tensix issue", "configuration", "arithmetic",        "branches",
                                               "fetch",        "L1, one core",  "L1, several cores", "FIFO",
                                               "sync",         "matmul_tiles",  "BRISC totals",      "documents"};
enum silicon_how { SLOPE, ISSUE_COST, POINT, BEYOND_ADDI, WARM, PER_CALL, TOTAL };
enum silicon_tag { SILICON, DOCUMENT };

struct silicon_figure {
  enum silicon_family family;
  const char *name;
  unsigned mask, core;
  double value, spread;
  bench_body *body;
  enum silicon_how how;
  int over;
  unsigned units;
  bench_body *prepare;
  enum silicon_tag tag;
  const char *note;
};

static const struct silicon_figure silicon_figures[] = {
#define FIGURE(family, name, mask, core, value, spread, body, how, over, units, prepare, tag, note) \
  {family, name, mask, core, value, spread, body_##body, how, over, units, prepare, tag, note},
#include "figures.def"
#undef FIGURE
};
#define SILICON_COUNT (sizeof silicon_figures / sizeof *silicon_figures)

/* Cycles of one iteration once everything is warm: over the last three of four points, as the card's were computed. */
static inline double silicon_slope(const struct silicon_figure *f, unsigned first) {
  uint64_t cycles[TX_CORES][BENCH_POINTS];
  struct bench b = {.body = f->body, .mask = f->mask, .first = first, .points = 4, .growth = MORE, .prepare = f->prepare};
  bench_run(&b, cycles);
  return (double)(cycles[f->core][3] - cycles[f->core][1]) / (2.0 * first);
}

/* If the core's pushes are the bottleneck, the figure includes its loop: two cycles per 64 words. */
static inline double silicon_issue_cost(double slope, unsigned units) {
  return slope <= units + 2.001 ? (slope - 2) / units : slope / units;
}

static inline uint64_t silicon_point_of(const struct silicon_figure *f, bench_body *body, unsigned point) {
  uint64_t cycles[TX_CORES][BENCH_POINTS];
  struct bench b = {.body = body, .mask = f->mask, .first = 1, .points = 7, .growth = TWICE, .syncs = true};
  bench_run(&b, cycles);
  return cycles[f->core][point];
}

/* There the compiler generates both reads of the clock and the code around the loop, so the test compares with the time of
 * two iterations. */
static inline double silicon_point(const struct silicon_figure *f) {
  return (double)(silicon_point_of(f, f->body, (unsigned)f->over) - silicon_point_of(f, f->body, 1));
}

/* Cycles beyond the same loop of addi. */
static inline double silicon_beyond_addi(const struct silicon_figure *f) {
  return (double)silicon_point_of(f, f->body, (unsigned)f->over) -
         (double)silicon_point_of(f, body_addi_16, (unsigned)f->over);
}

/* One iteration, once the code is in the cache; without the two cycles of the loop. */
static inline double silicon_warm(const struct silicon_figure *f) {
  uint64_t cycles[TX_CORES][BENCH_POINTS];
  struct bench b = {.body = f->body, .mask = f->mask, .first = 1, .points = 4, .growth = SAME};
  bench_run(&b, cycles);
  return (double)cycles[f->core][3] - 2;
}

static inline double silicon_total(const struct silicon_figure *f) {
  uint64_t cycles[TX_CORES][BENCH_POINTS];
  struct bench b = {.body = f->body, .mask = f->mask, .first = f->units, .points = 1};
  bench_run(&b, cycles);
  return (double)cycles[f->core][0] + f->over;
}

/* `over`: enum matmul_mode; `units`: the fidelity. */
static char silicon_programs[512];
static inline double silicon_per_call(const struct silicon_figure *f) {
  return matmul_per_call(silicon_programs, (enum matmul_mode)f->over, f->units, 0);
}

/* `first`: iterations of the shortest point of a slope; the card's had 32. */
static inline double silicon_here(const struct silicon_figure *f, unsigned first) {
  switch (f->how) {
    case SLOPE: return (silicon_slope(f, first) - f->over) / f->units;
    case ISSUE_COST: return silicon_issue_cost(silicon_slope(f, first), f->units);
    case POINT: return silicon_point(f);
    case BEYOND_ADDI: return silicon_beyond_addi(f);
    case WARM: return silicon_warm(f);
    case PER_CALL: return silicon_per_call(f);
    default: return silicon_total(f);
  }
}

#endif
