/* Saved states: a state restored into a fresh tile continues with the words that its threads still had to push (it crashed in the scripted
 * core's list), and a report is the same before and after a save and restore. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/tile_value.h"
#include "tessera/chip.h"
#include "tessera/tensix.h"

static void a_fresh_tile_goes_on(void **state) {
  uint32_t words[1200];
  (void)state;
  for (unsigned i = 0; i < 1200; i++) words[i] = 0x02000000u;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *fresh = tessera_tile_create(TESSERA_TIMING_CYCLE);
  assert_int_equal(tessera_tile_push(tile, 0, words, 1200), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 20), TESSERA_LIMIT);
  size_t size = tessera_tile_state_size(tile);
  void *saved = malloc(size);
  assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_restore(fresh, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_run(fresh, 100000), TESSERA_DONE);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
  assert_true(tessera_tile_hash(fresh) == tessera_tile_hash(tile));
  free(saved);
  tessera_tile_destroy(tile);
  tessera_tile_destroy(fresh);
}

static void a_report_survives(void **state) {
  static const uint32_t programs[2][4] = {
      {0x02000000, 0x02000000, 0x02000000, 0x02000000},
      {0xa6ff8005u, 0x02000000, 0x02000000, 0x02000000}}; /* the second waits for a semaphore forever */
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
    char before[20000];
    tessera_tile_push(tile, 0, programs[k], 4);
    assert_int_equal(tessera_tile_run(tile, 100000), k ? TESSERA_HANG : TESSERA_DONE);
    snprintf(before, sizeof before, "%s", tessera_tile_report(tile, TESSERA_REPORT_TEXT));
    size_t size = tessera_tile_state_size(tile);
    void *saved = malloc(size);
    assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
    assert_int_equal(tessera_tile_restore(tile, saved, size), TESSERA_OK);
    assert_string_equal(tessera_tile_report(tile, TESSERA_REPORT_TEXT), before);
    free(saved);
    tessera_tile_destroy(tile);
  }
}

/* A saved state holds no address: two tiles that run the same program give the same bytes, wherever the runs are cut. The program counts,
 * so some of the states are in the middle of a search for a hang. */
static void the_same_run_saves_the_same_bytes(void **state) {
  static const uint32_t count[2] = {0x00150513u, 0xffdff06fu}; /* addi a0, a0, 1; j -4 */
  struct tessera_tile *tiles[2];
  unsigned char *saved[2];
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    tiles[k] = tessera_tile_create(TESSERA_TIMING_CYCLE);
    saved[k] = malloc(tessera_tile_state_size(tiles[k]));
    tessera_tile_write(tiles[k], 0x1000, count, sizeof count);
    assert_int_equal(tessera_tile_set_reset_pc(tiles[k], TESSERA_BRISC, 0x1000), TESSERA_OK);
    assert_int_equal(tessera_tile_start(tiles[k], 1u << TESSERA_BRISC), TESSERA_OK);
  }
  size_t size = tessera_tile_state_size(tiles[0]);
  for (unsigned cut = 0; cut < 50; cut++) {
    for (unsigned k = 0; k < 2; k++) {
      assert_int_equal(tessera_tile_run(tiles[k], 64), TESSERA_LIMIT);
      assert_int_equal(tessera_tile_save(tiles[k], saved[k], size), TESSERA_OK);
    }
    for (size_t i = 0; i < size; i++)
      if (saved[0][i] != saved[1][i]) fail_msg("after %u cuts byte %zu of %zu differs", cut + 1, i, size);
  }
  for (unsigned k = 0; k < 2; k++) {
    free(saved[k]);
    tessera_tile_destroy(tiles[k]);
  }
}

/* The engine's list of channels holds some without a waiter, depending on where a run was cut: hash and saved bytes exclude them. */
static void channels_of_before_do_not_count(void **state) {
  static const uint32_t wait = 0xa6ff8005u; /* for a semaphore, forever */
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  (void)state;
  tessera_tile_push(tile, 0, &wait, 1);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  size_t size = tessera_tile_state_size(tile);
  unsigned char *saved[2] = {malloc(size), malloc(size)};
  uint64_t hash = tessera_tile_hash(tile);
  assert_int_equal(tessera_tile_save(tile, saved[0], size), TESSERA_OK);
  assert_true(tile->tile.engine.watched != UINT64_MAX);
  tile->tile.engine.watched = UINT64_MAX;
  assert_true(tessera_tile_hash(tile) == hash);
  assert_int_equal(tessera_tile_save(tile, saved[1], size), TESSERA_OK);
  assert_memory_equal(saved[0], saved[1], size);
  for (unsigned k = 0; k < 2; k++) free(saved[k]);
  tessera_tile_destroy(tile);
}

/* lui a0, 1; sw a0, 0x100(a0); lui a1, 0xffb00; 1: lw a2, 0(a1); j 1b */
static const uint32_t store_and_stay[5] = {0x00001537u, 0x10a52023u, 0xffb005b7u, 0x0005a603u, 0xffdff06fu};

/* A loop over the core's own RAM hangs since the core's last access to the tile. A restored tile counted from cycle 2048 instead,
 * where the search for hangs began. */
static void a_restored_loop_hangs_since_the_same_cycle(void **state) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *fresh = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct tessera_hang hang[2];
  (void)state;
  tessera_tile_write(tile, 0x1000, store_and_stay, sizeof store_and_stay);
  assert_int_equal(tessera_tile_set_reset_pc(tile, TESSERA_TRISC1, 0x1000), TESSERA_OK);
  assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_TRISC1), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 500), TESSERA_LIMIT);
  size_t size = tessera_tile_state_size(tile);
  void *saved = malloc(size);
  assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_restore(fresh, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  assert_int_equal(tessera_tile_run(fresh, 100000), TESSERA_HANG);
  assert_int_equal(tessera_tile_hang(tile, &hang[0]), 1);
  assert_int_equal(tessera_tile_hang(fresh, &hang[1]), 1);
  assert_true(hang[0].cycle < 100); /* the store */
  assert_int_equal(hang[1].cycle, hang[0].cycle);
  free(saved);
  tessera_tile_destroy(tile);
  tessera_tile_destroy(fresh);
}

/* The same on a chip. */
static void a_loop_of_a_restored_chip_hangs_since_the_same_cycle(void **state) {
  struct tessera_chip *chip = tessera_chip_create(NULL), *fresh = tessera_chip_create(NULL);
  struct tessera_hang hang[2];
  void *saved = NULL;
  size_t size = 0;
  (void)state;
  tessera_chip_write(chip, 1, 2, 0, store_and_stay, sizeof store_and_stay);
  assert_int_equal(tessera_tile_start(tessera_chip_tile(chip, 1, 2), 1u << TESSERA_BRISC), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 500), TESSERA_LIMIT);
  assert_int_equal(tessera_chip_save(chip, &saved, &size), TESSERA_OK);
  assert_int_equal(tessera_chip_restore(fresh, saved, size), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 1000000), TESSERA_HANG);
  assert_int_equal(tessera_chip_run(fresh, 1000000), TESSERA_HANG);
  assert_int_equal(tessera_chip_hang(chip, &hang[0]), 1);
  assert_int_equal(tessera_chip_hang(fresh, &hang[1]), 1);
  assert_true(hang[0].cycle < 500);
  assert_int_equal(hang[1].cycle, hang[0].cycle);
  tessera_chip_free(saved);
  tessera_chip_destroy(chip);
  tessera_chip_destroy(fresh);
}

/* A tile faults with a store under way; the chip's time goes on. The chip's saved state was rejected as damaged. */
static void a_chip_with_a_fault_is_restored(void **state) {
  /* lui a5, 0xffb31; sw zero, 8(a5); sw zero, 0xa8(a5): no register; j . */
  static const uint32_t code[4] = {0xffb317b7u, 0x0007a423u, 0x0a07a423u, 0x0000006fu};
  struct tessera_chip_options options = {.timing = TESSERA_TIMING_CYCLE};
  struct tessera_chip *chip = tessera_chip_create(&options), *fresh = tessera_chip_create(&options);
  char before[4096];
  void *saved = NULL;
  size_t size = 0;
  (void)state;
  tessera_chip_write(chip, 1, 2, 0, code, sizeof code);
  assert_int_equal(tessera_tile_start(tessera_chip_tile(chip, 1, 2), 1u << TESSERA_BRISC), TESSERA_OK);
  assert_int_equal(tessera_chip_run(chip, 1500), TESSERA_FAULT);
  snprintf(before, sizeof before, "%s", tessera_chip_explain(chip));
  assert_int_equal(tessera_chip_save(chip, &saved, &size), TESSERA_OK);
  assert_int_equal(tessera_chip_restore(fresh, saved, size), TESSERA_OK);
  assert_true(tessera_chip_hash(fresh) == tessera_chip_hash(chip));
  assert_int_equal(tessera_chip_run(fresh, 1500), TESSERA_FAULT);
  assert_string_equal(tessera_chip_explain(fresh), before);
  tessera_chip_free(saved);
  tessera_chip_destroy(chip);
  tessera_chip_destroy(fresh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fresh_tile_goes_on),
                                     cmocka_unit_test(a_report_survives),
                                     cmocka_unit_test(the_same_run_saves_the_same_bytes),
                                     cmocka_unit_test(channels_of_before_do_not_count),
                                     cmocka_unit_test(a_restored_loop_hangs_since_the_same_cycle),
                                     cmocka_unit_test(a_loop_of_a_restored_chip_hangs_since_the_same_cycle),
                                     cmocka_unit_test(a_chip_with_a_fault_is_restored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
