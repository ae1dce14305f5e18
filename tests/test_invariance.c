/* Differential test: a run gives the same result, fault, cycle, report and hash in one piece, in several pieces, and saved and restored into another
 * tile between the pieces, with timing and without; and without timing also while instructions are logged. Programs run on, fault, hang and produce findings: random programs for a whole tile in the state that a kernel
 * left (random_program.h), and loops that poll, pause, count or do nothing forever. `make soak` runs a hundred times as many; TESSERA_FIRST_SEED
 * sets the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside.h"
#include "random_program.h"
#include "scale.h"

#define CYCLES 9000u
#define PIECES_SAVED 6u

static char programs[512]; /* directory of the kernels: next to the directory of this test */
static const char *const kernels[] = {"matmul_lofi", "eltwise_mul_col", "sfpu_exp", "reduce_row", "tilize", "pack_untilize"};
#define KERNELS (sizeof kernels / sizeof kernels[0])
static struct random_base bases[2][KERNELS]; /* by timing */
static enum tessera_timing timing;
static unsigned ends[TESSERA_NO_MEMORY + 16], found;
static uint64_t instructions; /* of all runs: retired by cores, issued by threads */

struct outcome {
  enum tessera_result result;
  uint64_t cycle, hash;
  char report[65536];
};

static const struct random_base *base_of(uint64_t seed) {
  struct random_base *base = &bases[timing == TESSERA_TIMING_OFF][seed % KERNELS];
  char path[600];
  snprintf(path, sizeof path, "%s/llk_%s", programs, kernels[seed % KERNELS]);
  if (!base->state) assert_true(random_base_make(base, path, timing != TESSERA_TIMING_OFF));
  return base;
}

/* Loops that no write ends: through local RAM, over a clock with a pause, with a counter that never comes back (not a hang). */
static void start_loop(struct tx_tile *t, uint64_t seed) {
  struct random_source r = {.seed = seed, .t = t, .at = RANDOM_CODE};
  random_li(&r, X_LOCAL, TX_LOCAL_BASE);
  random_li(&r, X_DATA, RANDOM_DATA);
  for (uint64_t n = seed % 7; n; n--) random_s(&r, 2, X_DATA, X_DATA, 4 * (uint32_t)n);
  uint32_t from = r.at;
  switch (seed % 5) {
    case 0: random_i(&r, 2, X_A, X_LOCAL, 0, 0x03); break;
    case 1:
      random_i(&r, 2, X_A, 0, 0xb00, 0x73); /* mcycle */
      random_i(&r, 2, X_B, X_DATA, 0x100, 0x03);
      break;
    case 2: random_i(&r, 0, X_A, X_A, 1, 0x13); break; /* counts: goes on */
    case 3: break; /* a jump to itself behind the stores, as at the end of the vendor's programs */
    default:
      random_i(&r, 2, X_B, X_DATA, 0x100, 0x03);
      random_i(&r, 2, X_A, X_LOCAL, 8, 0x03);
      break;
  }
  uint32_t back = from - r.at;
  random_put(&r, (back >> 20 & 1u) << 31 | (back >> 1 & 0x3ffu) << 21 | (back >> 11 & 1u) << 20 | (back & 0xff000u) | 0x6fu);
  tx_core_start(t, (unsigned)(seed / 4 % TX_CORES), RANDOM_CODE);
}

static void start(struct tessera_tile *tile, uint64_t seed) {
  tessera_tile_reset(tile, timing);
  if (seed % 16 == 15) start_loop(&tile->tile, seed / 16);
  else random_program_start(&tile->tile, base_of(seed), seed, false);
  if (sim_idle(&tile->tile.engine)) tx_core_start(&tile->tile, 0, RANDOM_CODE); /* a program without cores would only idle */
}

static void note(struct tessera_tile *tile, enum tessera_result result, struct outcome *o) {
  o->result = result;
  o->cycle = tessera_tile_cycle(tile);
  o->hash = tessera_tile_hash(tile);
  for (unsigned core = 0; core < TX_CORES; core++) instructions += tile->tile.core[core].retired;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) instructions += tile->tile.gate[thread].issued;
  snprintf(o->report, sizeof o->report, "%s", tessera_tile_explain(tile));
}

static void run_whole(struct tessera_tile *tile, uint64_t seed, struct outcome *o) {
  start(tile, seed);
  note(tile, tessera_tile_run(tile, CYCLES), o);
  ends[o->result]++;
  found += tile->tile.diag.finding_count != 0;
}

static void run_in_pieces(struct tessera_tile *tile, uint64_t seed, struct outcome *o) {
  uint64_t piece = 1 + seed * 37 % 211, left = CYCLES;
  enum tessera_result result = TESSERA_LIMIT;
  start(tile, seed);
  for (; left && result == TESSERA_LIMIT; left -= piece) {
    if (piece > left) piece = left;
    result = tessera_tile_run(tile, piece);
  }
  note(tile, result, o);
}

static void ignore(void *context, const struct sim_event *e) { (void)context, (void)e; }

/* Every other piece is logged, as in a debugger's search. */
static void run_logged(struct tessera_tile *tile, uint64_t seed, struct outcome *o) {
  uint64_t piece = 1 + seed * 53 % 509, left = CYCLES;
  enum tessera_result result = TESSERA_LIMIT;
  start(tile, seed);
  for (unsigned i = 0; left && result == TESSERA_LIMIT; left -= piece, i++) {
    int handle = i % 2 ? sim_log_attach(&tile->tile.unsaved.log, ignore, NULL, 1u << TX_EVENT_CORE) : -1;
    if (piece > left) piece = left;
    result = tessera_tile_run(tile, piece);
    if (handle >= 0) sim_log_detach(&tile->tile.unsaved.log, handle);
  }
  note(tile, result, o);
}

/* Every piece runs on a tile that has only the saved state. */
static void run_restored(struct tessera_tile *tile[2], uint64_t seed, struct outcome *o) {
  static unsigned char state[1u << 24];
  uint64_t left = CYCLES;
  enum tessera_result result = TESSERA_LIMIT;
  unsigned on = 0;
  start(tile[0], seed);
  for (unsigned i = 0; i < PIECES_SAVED && result == TESSERA_LIMIT; i++) {
    uint64_t piece = i + 1 == PIECES_SAVED ? left : 1 + (seed * 7919 + i * 104729) % (CYCLES / PIECES_SAVED);
    result = tessera_tile_run(tile[on], piece);
    left -= piece;
    if (result != TESSERA_LIMIT) break;
    assert_int_equal(tessera_tile_save(tile[on], state, sizeof state), TESSERA_OK);
    assert_int_equal(tessera_tile_restore(tile[!on], state, tessera_tile_state_size(tile[on])), TESSERA_OK);
    on = !on;
  }
  note(tile[on], result, o);
}

/* The last writer of a polled word is found by repeating the run: a restored tile can repeat only the cycles after its
 * state. Those lines are left out of both reports. */
static void forget_writers(struct outcome *o) {
  char *to = o->report;
  for (char *line = o->report, *next; *line; line = next) {
    next = strchr(line, '\n');
    next = next ? next + 1 : line + strlen(line);
    char kept = *next;
    *next = '\0';
    bool writers = strstr(line, "written") || strstr(line, "wrote") || strstr(line, "writer");
    size_t length = strlen(line);
    *next = kept;
    if (writers) continue;
    memmove(to, line, length);
    to += length;
  }
  *to = '\0';
}

static void expect_same(uint64_t seed, const char *how, const struct outcome *a, const struct outcome *b) {
  unsigned long long s = seed;
  if (a->result != b->result) fail_msg("program %llu %s: result %d, not %d", s, how, b->result, a->result);
  if (a->cycle != b->cycle)
    fail_msg("program %llu %s: ends at cycle %llu, not %llu", s, how, (unsigned long long)b->cycle,
             (unsigned long long)a->cycle);
  if (strcmp(a->report, b->report) != 0) fail_msg("program %llu %s: another report:\n%s\n%s", s, how, b->report, a->report);
  if (a->hash != b->hash) fail_msg("program %llu %s: another hash", s, how);
}

/* Seeds that once failed: the store queue was a ring whose start depended on the pieces (the first two); a turn ended at a fence that a core
 * reached more than 64 cycles ahead, unless a piece ended in between; a thread that waited for a hazard was woken by what its previous wait had waited
 * for (6549 after 6546); an instruction behind a load that waits retired a cycle early, depending on where a piece ended (the last). */
static const uint64_t once_failed[] = {1002120, 1010576, 7568, 6546, 6549, 28634, 43851};
#define ONCE_FAILED (sizeof once_failed / sizeof once_failed[0])

static void compare(struct tessera_tile *tile[2], uint64_t seed) {
  static struct outcome whole, other;
  run_whole(tile[0], seed, &whole);
  run_in_pieces(tile[0], seed, &other);
  expect_same(seed, "in pieces", &whole, &other);
  if (timing ==
      TESSERA_TIMING_OFF) { /* with timing a watched core's pushes do not go ahead of time: another state until they leave */
    run_logged(tile[0], seed, &other);
    expect_same(seed, "logged", &whole, &other);
  }
  run_restored(tile, seed, &other);
  forget_writers(&whole);
  forget_writers(&other);
  expect_same(seed, "saved and restored", &whole, &other);
}

static void compare_all(enum tessera_timing with) {
  struct tessera_tile *tile[2] = {tessera_tile_create(with), tessera_tile_create(with)};
  uint64_t first = getenv("TESSERA_FIRST_SEED") ? strtoull(getenv("TESSERA_FIRST_SEED"), NULL, 0) : 0;
  uint64_t count = test_scaled(120);
  timing = with;
  memset(ends, 0, sizeof ends);
  found = 0;
  for (uint64_t i = 0; i < ONCE_FAILED + count; i++)
    compare(tile, i < ONCE_FAILED ? once_failed[i] : first + i - ONCE_FAILED);
  printf("note: %llu programs at once, in pieces, restored: %u done, %u at the limit, %u hang, %u fault, %u with findings\n",
         (unsigned long long)(ONCE_FAILED + count), ends[TESSERA_DONE], ends[TESSERA_LIMIT], ends[TESSERA_HANG],
         ends[TESSERA_FAULT], found);
  printf("note: %.1f million instructions in these runs\n", (double)instructions / 1e6);
  for (unsigned i = 0; i < 2; i++) tessera_tile_destroy(tile[i]);
}

static void cut_and_restored_runs_are_the_same(void **state) {
  (void)state;
  compare_all(TESSERA_TIMING_CYCLE);
}

static void so_are_those_without_timing(void **state) {
  (void)state;
  compare_all(TESSERA_TIMING_OFF);
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(cut_and_restored_runs_are_the_same),
                                     cmocka_unit_test(so_are_those_without_timing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
