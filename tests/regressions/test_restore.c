/* Saved states: one restored into a fresh tile goes on with the words that its threads had still to push (it crashed in the stand-in's
 * list), and a report is the same before and after a save and restore. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
      {0xa6ff8005u, 0x02000000, 0x02000000, 0x02000000}}; /* the second waits for a semaphore for ever */
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fresh_tile_goes_on), cmocka_unit_test(a_report_survives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
