/* Checkers that are set a second time, as `tessera kernel run` does, take memory for what they have noted and not for everything that they
 * can note: 30 MB for each tile of a grid, 4140 MiB for 140 tiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/tile.h"

#define TILES 8u

/* KiB of this process in memory. */
static unsigned long resident(void) {
  char line[256];
  unsigned long found = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmRSS: %lu", &found) == 1) break;
  if (file) fclose(file);
  return found;
}

static void checkers_set_twice(void **state) {
  struct tessera_tile *tile[TILES];
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* its shadow counts too */
#endif
  unsigned long before = resident();
  if (!before) skip();
  for (unsigned i = 0; i < TILES; i++) {
    tile[i] = tessera_tile_create(TESSERA_TIMING_CYCLE);
    assert_non_null(tile[i]);
    for (unsigned times = 0; times < 3; times++)
      assert_int_equal(tessera_tile_set_option(tile[i], TESSERA_OPTION_CHECK, TESSERA_CHECK_DEFAULT), TESSERA_OK);
  }
  unsigned long each = (resident() - before) / TILES;
  print_message("note: a tile with checkers takes %lu KiB before its run (at most 4096)\n", each);
  assert_true(each < 4096);
  for (unsigned i = 0; i < TILES; i++) tessera_tile_destroy(tile[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(checkers_set_twice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
