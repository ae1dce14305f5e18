/* Laps that are repeated (tensix/lap/lap.h): kernels with the shapes of the vendor's (tests/llk-like) run in one tile with laps and in another without,
 * up to the same cycle, and both have to be in the same state, bit for bit. Where the kernel allows it the output goes where the input was, so that each pass computes
 * with other numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tensix.h>
#include <cmocka.h>

#include "../kernels/include/launch.h"
#include "api/tile_value.h"
#include "beside.h"
#include "rv_builder.h"
#include "scale.h"
#include "tensix/riscv/core.h"

#define BUFFER_BYTES 0x10000u
#define BF16 5u
#define INT32 8u

static char programs[512]; /* directory of the programs: next to the directory of this test */

/* Passes that are enough for laps, with timing on. */
static const struct kernel {
  const char *name;
  unsigned passes;
  bool apart; /* a tile is written before its last use as input: the output goes elsewhere */
} kernels[] = {{"matmul_lofi", 40, true},      {"matmul_hifi4", 80, true},     {"eltwise_add", 40, false},
               {"eltwise_mul_col", 80, false}, {"eltwise_add_row", 40, false}, {"sfpu_exp", 90, false},
               {"sfpu_typecast", 70, false},   {"reduce_col", 80, false},      {"reduce_row", 80, false},
               {"transpose", 60, false},       {"tilize", 40, true},           {"untilize", 40, false},
               {"pack_untilize", 50, false},   {"datacopy", 40, false},        {"int32_add", 40, false}};
#define PASSES_OFF 30u /* each is a lap: most are repeated */
/* The tiny limits of the invariant build give agents other phases: there laps are repeated or not, and the state is the same in any case. */
#ifdef TESSERA_INVARIANTS
#define LAPS_EXPECTED false
#else
#define LAPS_EXPECTED true
#endif
#define KERNELS (sizeof kernels / sizeof *kernels)

static void load(struct tessera_tile *tile, const char *name) {
  static const char *const cores[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  for (unsigned core = 0; core < 4; core++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/llk_%s/%s.elf", programs, name, cores[core]);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot read %s", path);
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_int_equal(tessera_tile_load_elf(tile, (enum tessera_core)core, file, size), TESSERA_OK);
  }
}

static struct tessera_tile *start(const struct kernel *k, bool timing, unsigned passes) {
  static uint16_t data[BUFFER_BYTES / 2];
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  const bool whole = strcmp(k->name, "int32_add") == 0, scales = strncmp(k->name, "reduce", 6) == 0;
  struct launch l;
  assert_non_null(tile);
  load(tile, k->name);
  memset(&l, 0, sizeof l);
  for (unsigned b = 0; b < 3; b++) /* the third is the output */
    l.buffer[b == 2 ? 16 : b] = (struct launch_buffer){LAUNCH_HEAP + (b == 2 && !k->apart ? 0 : b) * BUFFER_BYTES,
                                                       whole ? 4096 : 2048, 16, whole ? INT32 : BF16};
  l.args[0] = passes;
  l.go = RUN_SYNC_MSG_GO;
  for (unsigned b = 0; b < 2; b++) {
    for (unsigned i = 0; i < BUFFER_BYTES / 2; i++)
      data[i] = scales && b == 1 ? (i % 256 < 16 ? 0x3f80u : 0) : (uint16_t)((whole ? 0x20u : 0x3f00u) + (i * 37u) % 256u);
    tessera_tile_write(tile, LAUNCH_HEAP + b * BUFFER_BYTES, data, sizeof data);
  }
  tessera_tile_start(tile, 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  return tile;
}

/* The member of the tile that has this byte, for a report. */
static const char *member_at(size_t at, size_t *offset) {
  static const struct {
    const char *name;
    size_t offset;
  } members[] = {
#define MEMBER(name) {#name, offsetof(struct tx_tile, name)}
      MEMBER(engine), MEMBER(timing), MEMBER(frontend), MEMBER(gate),    MEMBER(units),   MEMBER(sync),   MEMBER(config),
      MEMBER(rwc),    MEMBER(adc),    MEMBER(scalar),   MEMBER(src),     MEMBER(dst),     MEMBER(matrix), MEMBER(vector),
      MEMBER(unpack), MEMBER(pack),   MEMBER(inflight), MEMBER(streams), MEMBER(control), MEMBER(perf),   MEMBER(mailboxes),
      MEMBER(niu),    MEMBER(core),   MEMBER(port),     MEMBER(diag),    MEMBER(l1),
  };
  size_t best = 0;
  for (size_t i = 1; i < sizeof members / sizeof *members; i++)
    if (members[i].offset <= at && members[i].offset >= members[best].offset) best = i;
  *offset = at - members[best].offset;
  return members[best].name;
}

static void expect_same(const char *what, const struct tx_tile *a, const struct tx_tile *b) {
  unsigned found = 0;
  if (tx_tile_hash(a) == tx_tile_hash(b)) return;
  for (size_t at = 0; at < offsetof(struct tx_tile, unsaved); at += 4) {
    uint32_t x, y;
    size_t offset;
    memcpy(&x, (const unsigned char *)a + at, 4);
    memcpy(&y, (const unsigned char *)b + at, 4);
    if (x == y) continue;
    const char *name = member_at(at, &offset);
    if (found++ < 20) print_message("%s: %s + 0x%zx is 0x%x, expected 0x%x\n", what, name, offset, x, y);
  }
  fail_msg("%s: %u words differ", what, found);
}

/* What NCRISC does beside a kernel. */
struct watcher {
  uint32_t waits;  /* cycles between two looks at the clock; 0: NCRISC is held */
  bool loads;      /* then it also looks at a word of L1 */
  uint32_t stores; /* looks after which it stores to L1; 0: never */
};

#define WATCHER_CODE 0x160000u
#define WATCHER_WORD 0x161000u
#define WATCHER_COUNT 0x162000u

/* As the vendor's BRISC: looks at a command and then waits for the wall clock. */
static void start_watcher(struct tessera_tile *tile, const struct watcher *w) {
  const uint32_t clock = TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0;
  struct rv p = {.count = 0};
  if (!w->waits) return;
  rv_li(&p, S0, clock);
  rv_li(&p, S1, WATCHER_WORD);
  rv_li(&p, A3, w->waits);
  rv_li(&p, A0, 0);
  const uint32_t look = p.count;
  rv_put(&p, 0x0000000fu); /* fence: the word comes from L1 */
  if (w->loads) rv_load(&p, 2, A1, S1, 0);
  rv_addi(&p, A0, A0, 1);
  if (w->stores) {
    rv_li(&p, A2, w->stores);
    rv_bne(&p, A0, A2, p.count + 8);
    rv_poke(&p, WATCHER_COUNT, w->stores);
    rv_li(&p, A0, 0);
  }
  rv_load(&p, 2, T0_, S0, 0);
  const uint32_t again = p.count;
  rv_load(&p, 2, T1_, S0, 0);
  rv_load(&p, 2, T2_, S0, 8);
  rv_sub(&p, A1, T1_, T0_);
  rv_bltu(&p, A1, A3, again);
  rv_beq(&p, ZERO, ZERO, look);
  assert_int_equal(tessera_tile_write(tile, WATCHER_CODE, p.word, p.count * sizeof *p.word), TESSERA_OK);
  tx_core_start(&tile->tile, TX_CORE_NCRISC, WATCHER_CODE);
}

static void compare(const struct kernel *k, bool timing, unsigned passes, uint64_t cycles, bool expects_laps,
                    const struct watcher *w) {
  struct tessera_tile *with = start(k, timing, passes), *without = start(k, timing, passes);
  char what[160];
  start_watcher(with, w);
  start_watcher(without, w);
  tx_lap_destroy(without->lap);
  without->lap = NULL;
  const enum tessera_result x = tessera_tile_run(with, cycles), y = tessera_tile_run(without, cycles);
  const unsigned long long cycle = tessera_tile_cycle(with), repeated = tx_lap_told(with->lap).repeated;
  snprintf(what, sizeof what, "%s, timing %s, NCRISC waits %u, loads %u, stores %u, to cycle %llu, of which %llu repeated",
           k->name, timing ? "on" : "off", w->waits, w->loads, w->stores, cycle, repeated);
  if (x != y) fail_msg("%s: result %d, expected %d", what, x, y);
  assert_int_equal(cycle, tessera_tile_cycle(without));
  expect_same(what, &with->tile, &without->tile);
  if (expects_laps && !repeated) fail_msg("%s: no lap was repeated", what);
  if (expects_laps && !timing && repeated < cycle / 2) fail_msg("%s: less than half of it", what);
  tessera_tile_destroy(with);
  tessera_tile_destroy(without);
}

static uint64_t some_cycle(uint64_t seed, uint64_t most) {
  seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return 1 + (seed >> 20) % most;
}

/* To the end, and to the middle of anything. */
static void run_kernels(bool timing) {
  static const struct watcher none = {0, false, 0};
  for (unsigned i = 0; i < KERNELS; i++) {
    const struct kernel *k = &kernels[i];
    if (!test_in_slice(i)) continue;
    compare(k, timing, timing ? k->passes : PASSES_OFF, 1u << 26, LAPS_EXPECTED, &none);
    for (uint64_t n = 0; n < test_scaled(4); n++)
      compare(k, timing, 1000, some_cycle(KERNELS * n + i, 200000), false, &none);
  }
}

static void kernels_end_in_the_same_state_with_timing(void **state) {
  (void)state;
  run_kernels(true);
}

static void kernels_end_in_the_same_state_without_timing(void **state) {
  (void)state;
  run_kernels(false);
}

/* Beside a core that waits for the clock (lap/apart.h), which here and there does more than that. */
static void kernels_end_in_the_same_state_beside_a_clock(void **state) {
  (void)state;
  for (unsigned i = 0; i < KERNELS; i++) {
    if (!test_in_slice(i)) continue;
    for (uint64_t n = 0; n < 2 + test_scaled(6); n++) {
      const uint32_t random = (uint32_t)some_cycle(KERNELS * n + i + 7, 1u << 30);
      const struct watcher w = {40 + random % 3000, random >> 12 & 1u, random >> 14 & 1u ? 1 + (random >> 15) % 30 : 0};
      const bool whole = n < 2, timing = !(n & 1u);
      compare(&kernels[i], timing, whole ? 4 * kernels[i].passes : 1000,
              whole ? 1u << 26 : some_cycle(KERNELS * n + i, 200000), false, &w);
    }
  }
}

/* The vendor's own figures: 1350 cycles between two looks. */
static void laps_are_repeated_beside_a_clock(void **state) {
  const struct watcher w = {1350, false, 0};
  (void)state;
  for (unsigned i = 0; i < KERNELS; i++) {
    if (!test_in_slice(i)) continue;
    compare(&kernels[i], true, 4 * kernels[i].passes, 1u << 26, LAPS_EXPECTED, &w);
    compare(&kernels[i], false, 4 * PASSES_OFF, 1u << 26, LAPS_EXPECTED, &w);
  }
}

/* A host that runs a tile in parts, and reads L1 in between, does not end the laps. */
static void laps_go_on_in_the_next_part_of_a_run(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned i = 0; i < KERNELS; i++) {
      if (!test_in_slice(i)) continue;
      const unsigned passes = timing ? 8 * kernels[i].passes : 8 * PASSES_OFF;
      struct tessera_tile *with = start(&kernels[i], timing, passes), *without = start(&kernels[i], timing, passes);
      struct tessera_tile *whole = start(&kernels[i], timing, passes);
      uint32_t word;
      assert_int_equal(tessera_tile_run(whole, 1u << 26), TESSERA_STOPPED);
      tx_lap_destroy(without->lap);
      without->lap = NULL;
      enum tessera_result x = TESSERA_LIMIT, y = TESSERA_LIMIT;
      for (unsigned part = 0; part < 20 && x == TESSERA_LIMIT && y == TESSERA_LIMIT; part++) {
        x = tessera_tile_run(with, tessera_tile_cycle(whole) / 10);
        y = tessera_tile_run(without, tessera_tile_cycle(whole) / 10);
        assert_int_equal(tessera_tile_read(with, LAUNCH_HEAP, &word, sizeof word), TESSERA_OK);
      }
      assert_int_equal(x, y);
      expect_same(kernels[i].name, &with->tile, &without->tile);
      const unsigned long long cycle = tessera_tile_cycle(with), repeated = tx_lap_told(with->lap).repeated;
      if (LAPS_EXPECTED && repeated < cycle / 2)
        fail_msg("%s, timing %u: %llu of %llu cycles repeated", kernels[i].name, timing, repeated, cycle);
      tessera_tile_destroy(with);
      tessera_tile_destroy(without);
      tessera_tile_destroy(whole);
    }
}

/* NCRISC polls the upper byte of a sum that the packer writes in every pass: it changes in one of 256. */
static struct tessera_tile *start_poller(bool timing) {
  struct tessera_tile *tile = NULL;
  static uint32_t step[BUFFER_BYTES / 4];
  struct rv p = {.count = 0};
  for (unsigned i = 0; i < KERNELS; i++)
    if (!strcmp(kernels[i].name, "int32_add")) tile = start(&kernels[i], timing, 1000);
  assert_non_null(tile);
  for (unsigned i = 0; i < BUFFER_BYTES / 4; i++) step[i] = 0x10000;
  assert_int_equal(tessera_tile_write(tile, LAUNCH_HEAP + BUFFER_BYTES, step, sizeof step), TESSERA_OK);
  rv_li(&p, S0, LAUNCH_HEAP + 3);
  rv_li(&p, S1, WATCHER_COUNT);
  rv_li(&p, A0, 0);
  rv_li(&p, A2, 0);
  const uint32_t again = p.count;
  rv_put(&p, 0x0000000fu); /* fence */
  rv_load(&p, 4, A1, S0, 0);
  rv_beq(&p, A1, A2, again);
  rv_addi(&p, A2, A1, 0);
  rv_addi(&p, A0, A0, 1);
  rv_store(&p, 2, A0, S1, 0);
  rv_beq(&p, ZERO, ZERO, again);
  assert_int_equal(tessera_tile_write(tile, WATCHER_CODE, p.word, p.count * sizeof *p.word), TESSERA_OK);
  tx_core_start(&tile->tile, TX_CORE_NCRISC, WATCHER_CODE);
  return tile;
}

static void a_parked_core_sees_what_is_packed_in_a_later_lap(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_tile *with = start_poller(timing), *without = start_poller(timing);
    uint32_t changes = 0;
    tx_lap_destroy(without->lap);
    without->lap = NULL;
    assert_int_equal(tessera_tile_run(with, 1u << 26), tessera_tile_run(without, 1u << 26));
    assert_int_equal(tessera_tile_cycle(with), tessera_tile_cycle(without));
    expect_same("int32_add beside a core that polls its result", &with->tile, &without->tile);
    assert_int_equal(tessera_tile_read(with, WATCHER_COUNT, &changes, sizeof changes), TESSERA_OK);
    assert_in_range(changes, 3, 8);
    tessera_tile_destroy(with);
    tessera_tile_destroy(without);
  }
}

/* Without laps: where the run is divided makes no difference to a core that waits for the clock, nor to the others. */
static void cuts_leave_no_trace_beside_a_clock(void **state) {
  (void)state;
  for (uint64_t n = 0; n < 1 + test_scaled(16); n++) {
    const uint32_t random = (uint32_t)some_cycle(n + 1000, 1u << 30);
    const struct watcher w = {40 + random % 3000, random >> 12 & 1u, random >> 13 & 1u ? 1 + (random >> 15) % 10 : 0};
    struct tessera_tile *tile[2];
    uint64_t longest = 10u << n % 6;
    for (unsigned i = 0; i < 2; i++) {
      tile[i] = start(&kernels[n % KERNELS], n / 2 % 2, 1000);
      start_watcher(tile[i], &w);
      tx_lap_destroy(tile[i]->lap);
      tile[i]->lap = NULL;
    }
    for (uint64_t cut = 0; cut < 100; cut++) tessera_tile_run(tile[1], some_cycle(cut + 100 * n, longest));
    tessera_tile_run(tile[0], tessera_tile_cycle(tile[1]));
    tessera_tile_run(tile[0], 60000);
    while (tessera_tile_cycle(tile[1]) < tessera_tile_cycle(tile[0])) {
      const uint64_t left = tessera_tile_cycle(tile[0]) - tessera_tile_cycle(tile[1]),
                     next = some_cycle(left + n, 40 * longest);
      tessera_tile_run(tile[1], next < left ? next : left);
    }
    expect_same(kernels[n % KERNELS].name, &tile[1]->tile, &tile[0]->tile);
    for (unsigned i = 0; i < 2; i++) tessera_tile_destroy(tile[i]);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_end_in_the_same_state_with_timing),
                                     cmocka_unit_test(kernels_end_in_the_same_state_without_timing),
                                     cmocka_unit_test(kernels_end_in_the_same_state_beside_a_clock),
                                     cmocka_unit_test(laps_are_repeated_beside_a_clock),
                                     cmocka_unit_test(laps_go_on_in_the_next_part_of_a_run),
                                     cmocka_unit_test(a_parked_core_sees_what_is_packed_in_a_later_lap),
                                     cmocka_unit_test(cuts_leave_no_trace_beside_a_clock)};
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
