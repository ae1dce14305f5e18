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
#include "scale.h"

#define BUFFER_BYTES 0x10000u
#define BF16 5u
#define INT32 8u

static char programs[512]; /* directory of the programs: next to the directory of this test */

/* Passes that are enough for laps, with timing on and off. */
static const struct kernel {
  const char *name;
  unsigned on, off;
  bool apart; /* a tile is written before its last use as input: the output goes elsewhere */
} kernels[] = {{"matmul_lofi", 40, 40, true},      {"matmul_hifi4", 80, 40, true},     {"eltwise_add", 40, 60, false},
               {"eltwise_mul_col", 80, 60, false}, {"eltwise_add_row", 40, 60, false}, {"sfpu_exp", 90, 140, false},
               {"sfpu_typecast", 70, 190, false},  {"reduce_col", 80, 40, false},      {"reduce_row", 80, 190, false},
               {"transpose", 60, 80, false},       {"tilize", 40, 130, true},          {"untilize", 40, 60, false},
               {"pack_untilize", 50, 190, false},  {"datacopy", 40, 80, false},        {"int32_add", 40, 60, false}};
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

static void compare(const struct kernel *k, bool timing, unsigned passes, uint64_t cycles, bool expects_laps) {
  struct tessera_tile *with = start(k, timing, passes), *without = start(k, timing, passes);
  char what[120];
  tx_lap_destroy(without->lap);
  without->lap = NULL;
  const enum tessera_result x = tessera_tile_run(with, cycles), y = tessera_tile_run(without, cycles);
  const unsigned long long cycle = tessera_tile_cycle(with), repeated = tx_lap_told(with->lap).repeated;
  snprintf(what, sizeof what, "%s, timing %s, to cycle %llu, of which %llu repeated", k->name, timing ? "on" : "off", cycle,
           repeated);
  if (x != y) fail_msg("%s: result %d, expected %d", what, x, y);
  assert_int_equal(cycle, tessera_tile_cycle(without));
  expect_same(what, &with->tile, &without->tile);
  if (expects_laps && !repeated) fail_msg("%s: no lap was repeated", what);
  tessera_tile_destroy(with);
  tessera_tile_destroy(without);
}

static uint64_t some_cycle(uint64_t seed, uint64_t most) {
  seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return 1 + (seed >> 20) % most;
}

/* To the end, and to the middle of anything. */
static void run_kernels(bool timing) {
  for (unsigned i = 0; i < KERNELS; i++) {
    const struct kernel *k = &kernels[i];
    if (!test_in_slice(i)) continue;
    compare(k, timing, timing ? k->on : k->off, 1u << 26, LAPS_EXPECTED);
    for (uint64_t n = 0; n < test_scaled(4); n++) compare(k, timing, 1000, some_cycle(KERNELS * n + i, 200000), false);
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

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_end_in_the_same_state_with_timing),
                                     cmocka_unit_test(kernels_end_in_the_same_state_without_timing)};
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
