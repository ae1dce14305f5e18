/* A state that was saved with a checker, restored into any chip or tile: the mark "watched" of the list of ranges in flight came along, and the first
 * access of L1 called a port that no checker had set. And what is attached to the tiles of a chip stays attached over a restore: checkers, hooks,
 * account, performance counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../rv_builder.h"
#include "tessera/chip.h"
#include "tessera/tensix.h"

#define CODE 0x8000u
#define DATA 0x40000u
#define CHECKS 6u

/* BRISC counts a word of L1 without end. */
static void start(struct tessera_tile *tile) {
  struct rv p = {.count = 0};
  rv_li(&p, S0, DATA);
  uint32_t again = p.count;
  rv_addi(&p, S1, S1, 1);
  rv_store(&p, 2, S1, S0, 0);
  rv_load(&p, 2, A0, S0, 0);
  rv_beq(&p, ZERO, ZERO, again);
  assert_int_equal(tessera_tile_write(tile, CODE, p.word, 4 * p.count), TESSERA_OK);
  assert_int_equal(tessera_tile_set_reset_pc(tile, TESSERA_BRISC, CODE), TESSERA_OK);
  assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_BRISC), TESSERA_OK);
}

static void set(struct tessera_tile *tile, uint32_t kinds) {
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, kinds), TESSERA_OK);
}

static struct tessera_chip *new_chip(enum tessera_timing timing) {
  const struct tessera_chip_options options = {.timing = timing, .threads = 1};
  struct tessera_chip *chip = tessera_chip_create(&options);
  assert_non_null(chip);
  return chip;
}

/* Each set of checkers of the saving and of the restoring chip. The hash does not depend on them. */
static void any_chip_takes_the_state(void **state) {
  (void)state;
  for (unsigned off = 0; off < 2; off++)
    for (unsigned a = 0; a <= CHECKS; a++)
      for (unsigned b = 0; b < 3; b++) {
        struct tessera_chip *from = new_chip(off ? TESSERA_TIMING_OFF : TESSERA_TIMING_CYCLE),
                            *to = new_chip(off ? TESSERA_TIMING_OFF : TESSERA_TIMING_CYCLE);
        struct tessera_tile *tile = tessera_chip_tile(from, 1, 2), *other = tessera_chip_tile(to, 1, 2);
        const uint32_t kinds = b ? b == 1 ? TESSERA_CHECK_ALL : 1u << 2 : 0;
        void *saved;
        size_t length;
        uint32_t now;
        set(tile, a < CHECKS ? 1u << a : 0);
        if (b) set(other, kinds);
        start(tile);
        assert_int_equal(tessera_chip_run(from, 1000), TESSERA_LIMIT);
        assert_int_equal(tessera_chip_save(from, &saved, &length), TESSERA_OK);
        assert_int_equal(tessera_chip_restore(to, saved, length), TESSERA_OK);
        assert_int_equal(tessera_tile_option(other, TESSERA_OPTION_CHECK, &now), TESSERA_OK);
        assert_int_equal(now, kinds);
        assert_int_equal(tessera_chip_run(to, 1000), TESSERA_LIMIT);
        assert_int_equal(tessera_chip_run(from, 1000), TESSERA_LIMIT);
        assert_true(tessera_chip_hash(to) == tessera_chip_hash(from));
        assert_int_equal(tessera_chip_restore(from, saved, length), TESSERA_OK); /* the same chip */
        assert_int_equal(tessera_chip_run(from, 1000), TESSERA_LIMIT);
        assert_true(tessera_chip_hash(to) == tessera_chip_hash(from));
        tessera_chip_free(saved);
        tessera_chip_destroy(from);
        tessera_chip_destroy(to);
      }
}

/* A state from before the first cycle. */
static void so_does_one_that_has_not_run(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE);
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  void *saved;
  size_t length;
  set(tile, TESSERA_CHECK_ALL);
  start(tile);
  assert_int_equal(tessera_chip_save(chip, &saved, &length), TESSERA_OK);
  assert_int_equal(tessera_chip_restore(chip, saved, length), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 1000), TESSERA_LIMIT);
  tessera_chip_free(saved);
  tessera_chip_destroy(chip);
}

/* BRISC stores a word, NCRISC loads it later, and no order is between them. */
static void start_race(struct tessera_tile *tile) {
  for (unsigned core = TESSERA_BRISC; core <= TESSERA_NCRISC; core++) {
    struct rv p = {.count = 0};
    const uint32_t code = core == TESSERA_BRISC ? CODE : CODE + 0x1000;
    for (unsigned i = 0; i < (core == TESSERA_BRISC ? 300 : 450); i++) rv_addi(&p, A1, A1, 1);
    if (core == TESSERA_BRISC) rv_poke(&p, DATA, 7);
    else rv_peek(&p, A0, DATA);
    rv_ebreak(&p);
    assert_int_equal(tessera_tile_write(tile, code, p.word, 4 * p.count), TESSERA_OK);
    assert_int_equal(tessera_tile_set_reset_pc(tile, (enum tessera_core)core, code), TESSERA_OK);
    assert_int_equal(tessera_tile_start(tile, 1u << core), TESSERA_OK);
  }
}

/* The checkers of the restoring chip see what happens after the restore, and the report has the cycle. */
static void checkers_work_after_a_restore(void **state) {
  (void)state;
  for (unsigned fresh = 0; fresh < 2; fresh++) {
    struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE), *to = fresh ? new_chip(TESSERA_TIMING_CYCLE) : chip;
    struct tessera_tile *tile = tessera_chip_tile(to, 1, 2);
    void *saved;
    size_t length;
    start_race(tessera_chip_tile(chip, 1, 2));
    set(tile, TESSERA_CHECK_ALL);
    assert_int_equal(tessera_chip_run(chip, 200), TESSERA_LIMIT);
    assert_null(strstr(tessera_tile_report(tile, TESSERA_REPORT_TEXT), "the checkers know"));
    assert_int_equal(tessera_chip_save(chip, &saved, &length), TESSERA_OK);
    assert_int_equal(tessera_chip_restore(to, saved, length), TESSERA_OK);
    assert_int_equal(tessera_chip_run(to, 2000), TESSERA_DONE);
    assert_int_equal(tessera_tile_finding_count(tile), 1);
    const char *report = tessera_tile_report(tile, TESSERA_REPORT_TEXT);
    assert_non_null(strstr(report, "L1_UNORDERED"));
    assert_non_null(strstr(report, "the checkers know what happened after cycle 200\n"));
    assert_non_null(strstr(tessera_tile_report(tile, TESSERA_REPORT_JSON), "\"checked_from\":200,"));
    tessera_chip_free(saved);
    if (fresh) tessera_chip_destroy(to);
    tessera_chip_destroy(chip);
  }
}

static void count(void *context, const struct tessera_event *event) {
  (void)event;
  ++*(unsigned *)context;
}

static int drop(void *context, const void *bytes, size_t size) {
  (void)bytes;
  *(size_t *)context += size;
  return 0;
}

/* Hooks, a trace and the account of a chip's tile go on after a restore. */
static void observers_stay_attached(void **state) {
  (void)state;
  struct tessera_chip *chip = new_chip(TESSERA_TIMING_CYCLE);
  struct tessera_tile *tile = tessera_chip_tile(chip, 1, 2);
  const struct tessera_trace_options text = {.format = TESSERA_TRACE_TEXT};
  void *saved;
  size_t length, written = 0;
  unsigned events = 0;
  int number;
  uint64_t begin = 0;
  start(tile);
  assert_int_equal(tessera_tile_hook(tile, TESSERA_EVENT_BIT(TESSERA_EVENT_CORE), count, &events, &number), TESSERA_OK);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
  assert_int_equal(tessera_tile_trace(tile, &text, drop, &written), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 1000), TESSERA_LIMIT);
  assert_int_equal(tessera_chip_save(chip, &saved, &length), TESSERA_OK);
  const unsigned before = events;
  const size_t bytes = written;
  assert_true(before > 100);
  assert_int_equal(tessera_chip_restore(chip, saved, length), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 20000), TESSERA_LIMIT);
  assert_true(events > before + 1000);
  assert_true(written > bytes + 10000);
  assert_int_equal(tessera_tile_account_begin(tile, &begin), TESSERA_OK);
  assert_int_equal(begin, 1000);
  assert_int_equal(tessera_tile_unhook(tile, number), TESSERA_OK);
  assert_int_equal(tessera_tile_trace_end(tile), TESSERA_OK);
  tessera_chip_free(saved);
  tessera_chip_destroy(chip);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_chip_takes_the_state), cmocka_unit_test(so_does_one_that_has_not_run),
      cmocka_unit_test(checkers_work_after_a_restore), cmocka_unit_test(observers_stay_attached)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
