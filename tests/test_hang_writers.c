/* The last writer of a polled word (observe/hang/replay.h): cores, merged stores, the host, writes before the history begins; the repeated
 * run changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "tessera/debug.h"
#include "tessera/hang.h"
#include "tessera/tile.h"

#define WORD 0x100u

/* Thread 0 polls WORD for 7; thread 1 stores 3 and then 5. */
static struct tessera_tile *make(void) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  assert_non_null(tile);
  assert_int_equal(tessera_tile_poll(tile, 0, WORD, UINT32_MAX, 7), TESSERA_OK);
  assert_int_equal(tessera_tile_store(tile, 1, WORD, 3), TESSERA_OK);
  assert_int_equal(tessera_tile_store(tile, 1, WORD, 5), TESSERA_OK);
  return tile;
}

static struct tessera_waiter hang(struct tessera_tile *tile) {
  struct tessera_waiter w;
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  assert_int_equal(tessera_tile_waiter(tile, 0, &w), TESSERA_OK);
  assert_int_equal(w.address, WORD);
  return w;
}

static void write_word(struct tessera_tile *tile, uint32_t address, uint32_t value) {
  assert_int_equal(tessera_tile_write(tile, address, &value, 4), TESSERA_OK);
}

static void test_core(void **state) {
  (void)state;
  struct tessera_tile *tile = make();
  struct tessera_waiter w = hang(tile);
  assert_string_equal(w.last_name, "TRISC1");
  assert_int_equal(w.value, 5);
  assert_non_null(strstr(tessera_tile_explain(tile), "TRISC1 last wrote it"));
  tessera_tile_destroy(tile);
}

/* The host's write is the last one, then a core's again. */
static void test_host(void **state) {
  (void)state;
  struct tessera_tile *tile = make();
  struct tessera_waiter w = hang(tile);
  uint64_t first = w.last_cycle, cycle = tessera_tile_cycle(tile);
  write_word(tile, WORD, 6);
  w = hang(tile);
  assert_string_equal(w.last_name, "the host");
  assert_int_equal(w.last_cycle, cycle);
  assert_true(first < cycle);
  write_word(tile, WORD + 4, 1); /* beside it */
  w = hang(tile);
  assert_string_equal(w.last_name, "the host");
  assert_int_equal(w.last_cycle, cycle);
  tessera_tile_destroy(tile);
}

/* A long write of the host ends the history: no writer is named for the time before. */
static void test_history_ends(void **state) {
  (void)state;
  static const uint8_t zeros[64];
  struct tessera_tile *tile = make();
  hang(tile);
  assert_int_equal(tessera_tile_write(tile, 0x1000, zeros, sizeof zeros), TESSERA_OK);
  assert_int_equal(tessera_tile_push(tile, 2, (const uint32_t[]){0x02000000}, 1), TESSERA_OK);
  struct tessera_waiter w = hang(tile);
  assert_string_equal(w.last_name, "");
  assert_non_null(strstr(tessera_tile_explain(tile), "TRISC1 has returned;")); /* and not: "and never wrote it" */
  tessera_tile_destroy(tile);
}

/* The same state and the same answer whether the run was cut into pieces or not, with conditions that stop it in between. */
static void test_pieces(void **state) {
  (void)state;
  struct tessera_tile *whole = make(), *cut = make();
  struct tessera_waiter w = hang(whole), v;
  enum tessera_result result;
  assert_int_equal(tessera_tile_until(cut, WORD, UINT32_MAX, 3, NULL), TESSERA_OK);
  do result = tessera_tile_run(cut, 3);
  while (result == TESSERA_LIMIT || result == TESSERA_STOPPED);
  assert_int_equal(result, TESSERA_HANG);
  assert_int_equal(tessera_tile_waiter(cut, 0, &v), TESSERA_OK);
  assert_string_equal(v.last_name, w.last_name);
  assert_int_equal(v.last_cycle, w.last_cycle);
  assert_int_equal(tessera_tile_unwatch(cut, -1), TESSERA_OK);
  tessera_tile_destroy(cut);
  tessera_tile_destroy(whole);
}

/* A tile whose writers were searched continues exactly like a tile restored from a state saved before the search. */
static void test_nothing_changes(void **state) {
  (void)state;
  static uint8_t saved[8u << 20];
  struct tessera_tile *tile = make(), *other = tessera_tile_create(TESSERA_TIMING_CYCLE);
  hang(tile);
  size_t size = tessera_tile_state_size(tile);
  assert_true(size <= sizeof saved);
  assert_int_equal(tessera_tile_save(tile, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_restore(other, saved, size), TESSERA_OK);
  assert_int_equal(tessera_tile_hash(tile), tessera_tile_hash(other));
  write_word(tile, WORD, 7);
  write_word(other, WORD, 7);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
  assert_int_equal(tessera_tile_run(other, 100000), TESSERA_DONE);
  assert_int_equal(tessera_tile_hash(tile), tessera_tile_hash(other));
  tessera_tile_destroy(other);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_core), cmocka_unit_test(test_host),
                                     cmocka_unit_test(test_history_ends), cmocka_unit_test(test_pieces),
                                     cmocka_unit_test(test_nothing_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
