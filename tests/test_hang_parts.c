/* A hang of a core that pauses long between two polls is detected in the same cycle however the run is divided, on a tile and on a chip; and a
 * write of the host between two parts ends the wait, also in the middle of the examination. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/chip.h"
#include "tessera/tile.h"

#define WORD 0x30000u
#define PAUSE 0x1000u /* iterations of four instructions */
#define LIMIT UINT64_C(20000000)
#define PART 777u

/* BRISC polls WORD. It counts down in local RAM in between, so that the loop is not parked. */
static const uint32_t program[] = {0x000402b7,
                                   0x00828293,
                                   0x7c02a073, /* cfg0 as firmware sets it */
                                   0x000307b7 /* lui a5,0x30 */,
                                   0xffb00337 /* lui t1,0xffb00 */,
                                   0x0007a503 /* lw a0,0(a5) */,
                                   0x00051c63 /* bnez a0,+24 */,
                                   0x000002b7 | PAUSE /* lui t0 */,
                                   0xfff28293 /* addi t0,t0,-1 */,
                                   0x00532023 /* sw t0,0(t1) */,
                                   0xfe029ce3 /* bnez t0,-8 */,
                                   0xfe9ff06f /* j -24 */,
                                   0x00100073 /* ebreak */};

struct machine {
  struct tessera_tile *tile;
  struct tessera_chip *chip;
};

static void put(struct machine m, uint32_t address, const void *bytes, size_t length) {
  if (m.chip) assert_int_equal(tessera_chip_write(m.chip, 1, 2, address, bytes, length), TESSERA_OK);
  else assert_int_equal(tessera_tile_write(m.tile, address, bytes, length), TESSERA_OK);
}

static struct machine make(int chip, enum tessera_timing timing) {
  struct tessera_chip_options options = {.product = "p150", .timing = timing, .threads = 1};
  struct machine m = {0};
  const uint32_t running = 0x47800u & ~(1u << 11); /* BRISC out of reset */
  if (chip) m.chip = tessera_chip_create(&options);
  else m.tile = tessera_tile_create(timing);
  assert_true(m.chip || m.tile);
  put(m, 0, program, sizeof program);
  put(m, 0xFFB121B0u, &running, 4);
  return m;
}

static enum tessera_result run(struct machine m, uint64_t cycles) {
  return m.chip ? tessera_chip_run(m.chip, cycles) : tessera_tile_run(m.tile, cycles);
}

static uint64_t cycle_of(struct machine m) { return m.chip ? tessera_chip_cycle(m.chip) : tessera_tile_cycle(m.tile); }

static enum tessera_result run_in_parts(struct machine m, uint64_t until) {
  enum tessera_result result = TESSERA_LIMIT;
  while (result == TESSERA_LIMIT && cycle_of(m) < until) result = run(m, PART);
  return result;
}

static void destroy(struct machine m) {
  tessera_chip_destroy(m.chip);
  tessera_tile_destroy(m.tile);
}

static struct tessera_waiter waiter_of(struct machine m, struct tessera_hang *hang) {
  struct tessera_waiter w;
  assert_int_equal(m.chip ? tessera_chip_hang(m.chip, hang) : tessera_tile_hang(m.tile, hang), 1);
  assert_int_equal(hang->waiter_count, 1);
  assert_int_equal(m.chip ? tessera_chip_waiter(m.chip, 0, &w) : tessera_tile_waiter(m.tile, 0, &w), TESSERA_OK);
  return w;
}

static void compare(int chip, enum tessera_timing timing) {
  struct machine whole = make(chip, timing), cut = make(chip, timing);
  struct tessera_hang a, b;
  assert_int_equal(run(whole, LIMIT), TESSERA_HANG);
  assert_int_equal(run_in_parts(cut, LIMIT), TESSERA_HANG);
  struct tessera_waiter v = waiter_of(whole, &a), w = waiter_of(cut, &b);
  assert_int_equal(cycle_of(whole), cycle_of(cut));
  assert_int_equal(a.cycle, b.cycle);
  assert_int_equal(v.since, w.since);
  assert_true(v.since < PAUSE); /* the first poll, not one of a later round */
  assert_int_equal(w.address, WORD);
  assert_string_equal(a.cause, b.cause);
  destroy(whole);
  destroy(cut);
}

static void test_parts(void **state) {
  (void)state;
  for (int chip = 0; chip < 2; chip++) {
    compare(chip, TESSERA_TIMING_OFF);
    compare(chip, TESSERA_TIMING_CYCLE);
  }
}

/* The host writes the word at every stage of the detection: the core ends, and no hang is reported. */
static void write_at(int chip, enum tessera_timing timing, uint64_t cycle) {
  const uint32_t one = 1;
  struct machine m = make(chip, timing);
  assert_int_equal(run_in_parts(m, cycle), TESSERA_LIMIT);
  put(m, WORD, &one, 4);
  assert_int_equal(run_in_parts(m, cycle + 100 * PAUSE), TESSERA_DONE);
  destroy(m);
}

static void test_host_writes(void **state) {
  (void)state;
  for (int chip = 0; chip < 2; chip++) {
    struct machine m = make(chip, TESSERA_TIMING_OFF);
    assert_int_equal(run(m, LIMIT), TESSERA_HANG);
    uint64_t detected = cycle_of(m);
    destroy(m);
    for (unsigned i = 1; i <= 24; i++) write_at(chip, TESSERA_TIMING_OFF, detected - i * PAUSE / 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_host_writes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
