/* Differential test of the chip: random programs on one to four tiles run under each row of a covering array, in which every pair of levels of
 * (host threads, cuts, save and restore, traces, accounts, checkers, reports, a debugger's session) occurs. Result, clock, packets, instructions,
 * findings, hang and hash are those of the plain run, with timing and without. After a fault the result and the fault itself are: how far other
 * tiles have come then still depends on cuts and observers (docs/architecture.md, "State").
 * `make soak` runs a hundred times as many; TESSERA_FIRST_SEED sets the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rv_builder.h"
#include "scale.h"
#include "tessera/chip.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

#define TILES_MAX 4u
#define CYCLES 12000u
#define CODE 0x8000u
#define DATA 0x40000u

enum factor { THREADS, CUTS, RESTORE, TRACE, ACCOUNT, CHECK, REPORT, GDB, FACTORS };
static const unsigned levels[FACTORS] = {3, 2, 2, 3, 2, 2, 2, 2};
#define ROWS_MAX 32u
static unsigned rows[ROWS_MAX][FACTORS], row_count;

/* --- random numbers --- */

static uint64_t random_state;
static uint32_t below(uint32_t n) {
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

/* --- the covering array: each row covers the most pairs of some random ones --- */

static bool covered[FACTORS][3][FACTORS][3];

static unsigned gain_of(const unsigned *row, bool take) {
  unsigned gain = 0;
  for (unsigned a = 0; a < FACTORS; a++)
    for (unsigned b = a + 1; b < FACTORS; b++) {
      gain += !covered[a][row[a]][b][row[b]];
      if (take) covered[a][row[a]][b][row[b]] = true;
    }
  return gain;
}

static void make_rows(void) {
  random_state = 1;
  for (;;) {
    unsigned best[FACTORS], most = 0;
    for (unsigned tries = 0; tries < 400; tries++) {
      unsigned row[FACTORS];
      for (unsigned f = 0; f < FACTORS; f++) row[f] = below(levels[f]);
      unsigned gain = gain_of(row, false);
      if (gain > most) most = gain, memcpy(best, row, sizeof best);
    }
    if (!most) return;
    assert_true(row_count < ROWS_MAX);
    gain_of(best, true);
    memcpy(rows[row_count++], best, sizeof best);
  }
}

/* --- programs --- */

struct place {
  unsigned x, y;
};

struct program {
  enum tessera_timing timing;
  unsigned tiles, cores[TILES_MAX];
  struct place at[TILES_MAX];
  struct rv code[TILES_MAX][2]; /* of BRISC and NCRISC */
};

static uint32_t some_place(const struct program *g) {
  const struct place *p = &g->at[below(g->tiles)];
  return below(4) ? p->y << 6 | p->x : (12 + 3 * below(4) + below(3)) << 6 | (17 + below(2));
}

static void request(struct rv *p, const struct program *g, unsigned tile, unsigned core) {
  const uint32_t niu = 0xFFB20000u + (core ? 0 : 0x10000u), length = 16 * (1 + below(16)), kind = below(8);
  const uint32_t base = niu + (kind < 4 ? 0x800 : kind < 7 ? 0 : 0x1800), own = g->at[tile].y << 6 | g->at[tile].x;
  const uint32_t near = DATA + 64 * below(64), far = DATA + 64 * below(64);
  uint32_t ready = p->count;
  rv_peek(p, A0, base + 0x40);
  rv_bne(p, A0, ZERO, ready);
  if (kind < 4) { /* a read */
    rv_poke(p, base, far), rv_poke(p, base + 8, some_place(g)), rv_poke(p, base + 0xc, near), rv_poke(p, base + 0x14, own);
    rv_poke(p, base + 0x1c, 0x2090);
  } else if (kind < 7) {
    rv_poke(p, base, near), rv_poke(p, base + 0xc, far), rv_poke(p, base + 0x14, some_place(g));
    rv_poke(p, base + 0x1c, below(3) ? 0x2092 : 0x2082);
  } else { /* an atomic increment of a semaphore */
    const struct place *to = &g->at[below(g->tiles)];
    rv_poke(p, base, 0x1000 + 16 * below(4)), rv_poke(p, base + 8, to->y << 6 | to->x);
    rv_poke(p, base + 0xc, 0x1300), rv_poke(p, base + 0x14, own), rv_poke(p, base + 0x1c, 0x2081),
        rv_poke(p, base + 0x28, 1);
  }
  rv_poke(p, base + 0x20, kind < 7 ? length : 0x107c);
  rv_poke(p, base + 0x40, 1);
}

static void make_core(struct rv *p, const struct program *g, unsigned tile, unsigned core) {
  p->count = 0;
  rv_li(p, S0, DATA + 16 * below(256));
  rv_li(p, S1, 1 + below(3));
  const uint32_t again = p->count;
  for (unsigned n = 4 + below(6); n && p->count < 360; n--) {
    const uint32_t kind = below(32);
    if (kind < 10) request(p, g, tile, core);
    else if (kind < 16) rv_store(p, 2, A1, S0, (int32_t)(4 * below(32)));
    else if (kind < 21) rv_load(p, 2, A1, S0, (int32_t)(4 * below(32)));
    else if (kind < 29) rv_addi(p, A1, A1, (int32_t)below(100));
    else if (kind < 31) { /* a pause */ rv_li(p, A2, 1 + below(120));
      uint32_t pause = p->count;
      rv_addi(p, A2, A2, -1);
      rv_bne(p, A2, ZERO, pause);
    } else if (below(3) == 0) rv_put(p, 0x0000007fu); /* no instruction */
    else { /* waits for a semaphore, perhaps forever */ rv_li(p, A3, 0x1000 + 16 * below(4));
      uint32_t poll = p->count;
      rv_load(p, 2, A1, A3, 0);
      rv_beq(p, A1, ZERO, poll);
    }
  }
  rv_addi(p, S1, S1, -1);
  rv_bne(p, S1, ZERO, again);
  if (below(8)) rv_ebreak(p);
  else rv_loop_for_ever(p);
}

static void make_program(struct program *g, uint64_t seed) {
  random_state = seed * 77 + 5;
  g->timing = below(3) ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF;
  g->tiles = 1 + below(TILES_MAX);
  for (unsigned i = 0; i < g->tiles; i++) {
    g->at[i] = (struct place){1 + (i + below(2) * 2) % 7, 2 + i};
    g->cores[i] = 1 + below(3);
  }
  for (unsigned i = 0; i < g->tiles; i++)
    for (unsigned core = 0; core < 2; core++) make_core(&g->code[i][core], g, i, core);
}

/* --- runs --- */

struct outcome {
  enum tessera_result result;
  uint64_t cycle, packets, instructions, findings, hash, fault_cycle;
  unsigned x, y;
  char why[2048];
};

static int drop(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

static struct tessera_chip *make_chip(const struct program *g, const unsigned *row) {
  const struct tessera_chip_options options = {.timing = g->timing, .threads = 1 + row[THREADS]};
  const struct tessera_trace_options text = {.format = TESSERA_TRACE_TEXT}, perfetto = {.format = TESSERA_TRACE_PERFETTO};
  struct tessera_chip *chip = tessera_chip_create(&options);
  assert_non_null(chip);
  for (unsigned i = 0; i < g->tiles; i++) {
    struct tessera_tile *tile = tessera_chip_tile(chip, g->at[i].x, g->at[i].y);
    assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, row[CHECK] ? TESSERA_CHECK_ALL : 0), TESSERA_OK);
    if (row[ACCOUNT]) assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
    if (row[TRACE] == 1) assert_int_equal(tessera_tile_trace(tile, i % 2 ? &text : &perfetto, drop, NULL), TESSERA_OK);
  }
  if (row[TRACE] == 2) assert_int_equal(tessera_chip_trace(chip, &perfetto, drop, NULL), TESSERA_OK);
  return chip;
}

static void start(struct tessera_chip *chip, const struct program *g) {
  for (unsigned i = 0; i < g->tiles; i++) {
    struct tessera_tile *tile = tessera_chip_tile(chip, g->at[i].x, g->at[i].y);
    for (unsigned core = 0; core < 2; core++) {
      const uint32_t at = CODE + 0x1000 * core;
      assert_int_equal(tessera_tile_write(tile, at, g->code[i][core].word, 4 * g->code[i][core].count), TESSERA_OK);
      assert_int_equal(tessera_tile_set_reset_pc(tile, core ? TESSERA_NCRISC : TESSERA_BRISC, at), TESSERA_OK);
    }
    assert_int_equal(tessera_tile_start(tile, g->cores[i] << TESSERA_BRISC), TESSERA_OK);
  }
}

static bool is_over(enum tessera_result result) { return result == TESSERA_FAULT; }

static enum tessera_result run_pieces(struct tessera_chip *chip, const unsigned *row, uint64_t until) {
  enum tessera_result result = TESSERA_LIMIT;
  while (tessera_chip_cycle(chip) < until && !is_over(result)) {
    uint64_t left = until - tessera_chip_cycle(chip), piece = row[CUTS] ? 1 + below(below(2) ? 40 : 3000) : left;
    result = tessera_chip_run(chip, piece < left ? piece : left);
    if (row[REPORT]) assert_true(tessera_chip_report(chip)[0] && tessera_chip_report_json(chip)[0]);
  }
  return result;
}

/* Half of the run in a debugger's session. */
static void run_debugger(struct tessera_chip *chip, uint64_t until) {
  char command[40];
  struct tessera_debugger *d = tessera_debugger_open_chip(chip);
  assert_non_null(d);
  snprintf(command, sizeof command, "goto %llu", (unsigned long long)until);
  tessera_debugger_command(d, command);
  tessera_debugger_close(d);
}

static struct tessera_chip *move(struct tessera_chip *from, const struct program *g, const unsigned *row) {
  void *saved;
  size_t length;
  struct tessera_chip *to = make_chip(g, row);
  assert_int_equal(tessera_chip_save(from, &saved, &length), TESSERA_OK);
  assert_int_equal(tessera_chip_restore(to, saved, length), TESSERA_OK);
  tessera_chip_free(saved);
  tessera_chip_destroy(from);
  return to;
}

static void run(const struct program *g, const unsigned *row, struct outcome *o) {
  struct tessera_chip *chip = make_chip(g, row);
  enum tessera_result result = TESSERA_LIMIT;
  struct tessera_fault fault = {.kind = ""};
  start(chip, g);
  if (row[GDB]) run_debugger(chip, CYCLES / 4);
  if (row[RESTORE] && !tessera_chip_fault(chip, &fault, NULL, NULL)) {
    result = run_pieces(chip, row, CYCLES / 4 + below(CYCLES / 2));
    if (!is_over(result)) chip = move(chip, g, row);
  }
  if (!is_over(result)) result = run_pieces(chip, row, CYCLES);
  memset(o, 0, sizeof *o);
  o->result = result;
  if (tessera_chip_fault(chip, &fault, &o->x, &o->y)) {
    o->fault_cycle = fault.cycle;
    snprintf(o->why, sizeof o->why, "%s %s", fault.kind, fault.why);
  } else {
    o->cycle = tessera_chip_cycle(chip);
    o->packets = tessera_chip_packets(chip);
    o->findings =
        row[CHECK] && row[RESTORE] ? 0 : tessera_chip_findings(chip); /* the checkers know what follows the restore */
    o->hash = row[CHECK] ? 0 : tessera_chip_hash(chip);               /* findings are a part of the state */
    for (unsigned i = 0; i < g->tiles; i++)
      for (unsigned core = TESSERA_BRISC; core <= TESSERA_NCRISC; core++) {
        uint64_t count = 0;
        tessera_tile_counter(tessera_chip_tile(chip, g->at[i].x, g->at[i].y), TESSERA_COUNTER_INSTRUCTIONS, core, &count);
        o->instructions += count;
      }
  }
  tessera_chip_trace_end(chip);
  tessera_chip_destroy(chip);
}

static void compare(uint64_t seed, unsigned number, const struct outcome *a, const struct outcome *b, bool findings) {
  char how[64] = "";
  for (unsigned f = 0; f < FACTORS; f++) snprintf(how + f, sizeof how - f, "%u", rows[number][f]);
  const bool same = a->result == b->result && a->cycle == b->cycle && a->packets == b->packets &&
                    a->instructions == b->instructions && a->fault_cycle == b->fault_cycle && a->x == b->x && a->y == b->y &&
                    strcmp(a->why, b->why) == 0 && (!findings || a->findings == b->findings) &&
                    (!a->hash || !b->hash || a->hash == b->hash);
  if (same) return;
  fail_msg("program %llu, row %s: result %d %d, cycle %llu %llu, packets %llu %llu, instructions %llu %llu, findings %llu "
           "%llu, hash %llx %llx, "
           "fault %s (%llu), %s (%llu)",
           (unsigned long long)seed, how, (int)a->result, (int)b->result, (unsigned long long)a->cycle,
           (unsigned long long)b->cycle, (unsigned long long)a->packets, (unsigned long long)b->packets,
           (unsigned long long)a->instructions, (unsigned long long)b->instructions, (unsigned long long)a->findings,
           (unsigned long long)b->findings, (unsigned long long)a->hash, (unsigned long long)b->hash, a->why,
           (unsigned long long)a->fault_cycle, b->why, (unsigned long long)b->fault_cycle);
}

static void every_row_is_the_plain_run(void **state) {
  static struct program g;
  static struct outcome plain[2], other;
  (void)state;
  const uint64_t first = getenv("TESSERA_FIRST_SEED") ? strtoull(getenv("TESSERA_FIRST_SEED"), NULL, 0) : 1;
  const uint64_t count = test_scaled(40);
  uint64_t ends[TESSERA_NO_MEMORY + 16] = {0}, instructions = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    make_program(&g, seed);
    for (unsigned check = 0; check < 2; check++) run(&g, (const unsigned[FACTORS]){[CHECK] = check}, &plain[check]);
    ends[plain[0].result]++;
    for (unsigned i = 0; i < row_count; i++) {
      const unsigned check = rows[i][CHECK];
      run(&g, rows[i], &other);
      compare(seed, i, &plain[check], &other, !(check && rows[i][RESTORE]));
      instructions += other.instructions;
    }
  }
  printf("note: %llu programs, each in %u rows: %llu done, %llu at the limit, %llu hang, %llu fault; %.1f million "
         "instructions\n",
         (unsigned long long)count, row_count, (unsigned long long)ends[TESSERA_DONE],
         (unsigned long long)ends[TESSERA_LIMIT], (unsigned long long)ends[TESSERA_HANG],
         (unsigned long long)ends[TESSERA_FAULT], (double)instructions / 1e6);
  if (first == 1 && count >= 10) assert_true(ends[TESSERA_DONE] && ends[TESSERA_HANG] && ends[TESSERA_FAULT]);
}

int main(void) {
  make_rows();
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_is_the_plain_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
