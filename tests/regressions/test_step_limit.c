/* The debugger's step obeys the cycle limit of its session: it went on without end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../rv_builder.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

#define LIMIT 50u

static void a_step_stops_at_the_limit(void **state) {
  static const char *const commands[] = {"step 100000", "step", "continue", "step 3"};
  (void)state;
  for (unsigned timing = TESSERA_TIMING_OFF; timing <= TESSERA_TIMING_CYCLE; timing++) {
    struct tessera_tile *tile = tessera_tile_create((enum tessera_timing)timing);
    struct rv p = {.count = 0};
    rv_addi(&p, A0, A0, 1);
    rv_beq(&p, ZERO, ZERO, 0);
    assert_int_equal(tessera_tile_write(tile, 0x1000, p.word, 4 * p.count), TESSERA_OK);
    assert_int_equal(tessera_tile_set_reset_pc(tile, TESSERA_BRISC, 0x1000), TESSERA_OK);
    assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_BRISC), TESSERA_OK);
    struct tessera_debugger *d = tessera_debugger_open(tile);
    tessera_debugger_limit_cycles(d, LIMIT);
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
      assert_non_null(strstr(tessera_debugger_command(d, commands[i]), "the cycle limit 50 is reached"));
      assert_int_equal(tessera_debugger_cycle(d), LIMIT);
    }
    tessera_debugger_close(d);
    tessera_tile_destroy(tile);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_stops_at_the_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
