/* Calls from hooks and write functions that the headers forbid: each is refused with an error value, and the run goes on as if it had not been made.
 * A run, a step, a debugger or the end of a trace inside a hook crashed; an exploration never returned. A machine in use is not destroyed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../rv_builder.h"
#include "tessera/chip.h"
#include "tessera/conform.h"
#include "tessera/debug.h"
#include "tessera/debugger.h"
#include "tessera/explore.h"
#include "tessera/launch.h"
#include "tessera/profile.h"
#include "tessera/tensix.h"

#define CODE 0x8000u
#define CYCLES 2000u
#define CALLS 300u /* of a hook that are tried */

static struct tessera_tile *tile;
static struct tessera_chip *chip;
static struct tessera_debugger *session;
static unsigned calls, accepted;
static const char *which;
static char state[1u << 24];

static void start(struct tessera_tile *t) {
  struct rv p = {.count = 0};
  rv_li(&p, S0, 0x40000);
  uint32_t again = p.count;
  rv_addi(&p, S1, S1, 1);
  rv_store(&p, 2, S1, S0, 0);
  rv_load(&p, 2, A0, S0, 0);
  rv_beq(&p, ZERO, ZERO, again);
  assert_int_equal(tessera_tile_write(t, CODE, p.word, 4 * p.count), TESSERA_OK);
  assert_int_equal(tessera_tile_set_reset_pc(t, TESSERA_BRISC, CODE), TESSERA_OK);
  assert_int_equal(tessera_tile_start(t, 1u << TESSERA_BRISC), TESSERA_OK);
}

static void expect(bool refused, const char *name) {
  if (refused) return;
  accepted++;
  which = name;
}

#define REFUSED(call) expect((call) == TESSERA_INVALID, #call)

/* Every call that changes or runs the tile. */
static void misuse_tile(void) {
  struct tessera_explore_options schedules = {.schedules = 1};
  static struct tessera_exploration found;
  const struct tessera_trace_options text = {.format = TESSERA_TRACE_TEXT};
  const struct tessera_word word = {.address = 0x1000};
  uint32_t value = 0;
  int number = 0;
  REFUSED(tessera_tile_run(tile, 10));
  REFUSED(tessera_tile_step(tile, TESSERA_BRISC, 10));
  REFUSED(tessera_tile_reset(tile, TESSERA_TIMING_CYCLE));
  REFUSED(tessera_tile_restore(tile, state, sizeof state));
  REFUSED(tessera_tile_write(tile, 0x40000, &value, 4));
  REFUSED(tessera_tile_start(tile, 31));
  REFUSED(tessera_tile_set_reset_pc(tile, TESSERA_BRISC, CODE));
  REFUSED(tessera_tile_load_elf(tile, TESSERA_BRISC, state, 100));
  REFUSED(tessera_tile_push(tile, 0, &value, 1));
  REFUSED(tessera_tile_store(tile, 0, 0x1000, 1));
  REFUSED(tessera_tile_poll(tile, 0, 0x1000, 1, 1));
  REFUSED(tessera_tile_sync(tile, 0));
  REFUSED(tessera_tile_copy(tile, 0, 0x1000, 0x2000));
  REFUSED(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, TESSERA_CHECK_ALL));
  REFUSED(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1));
  REFUSED(tessera_tile_set_param(tile, "none", 1));
  REFUSED(tessera_tile_set_what_if(tile, "all"));
  REFUSED(tessera_tile_set_register(tile, TESSERA_FILE_CORE, 3, 9, 5));
  REFUSED(tessera_tile_hook(tile, ~UINT64_C(0) >> (64 - TESSERA_EVENT_KINDS), NULL, NULL, &number));
  REFUSED(tessera_tile_unhook(tile, 0));
  REFUSED(tessera_tile_trace(tile, &text, NULL, NULL));
  REFUSED(tessera_tile_trace_end(tile));
  REFUSED(tessera_tile_break(tile, TESSERA_BRISC, CODE, &number));
  REFUSED(tessera_tile_unbreak(tile, -1));
  REFUSED(tessera_tile_watch(tile, 0x1000, 4, &number));
  REFUSED(tessera_tile_unwatch(tile, -1));
  REFUSED(tessera_tile_until_all(tile, &word, 1, &number));
  REFUSED(tessera_tile_account_from(tile, "start"));
  REFUSED(tessera_tile_explore(tile, &schedules, &found));
  expect(!tessera_debugger_open(tile), "tessera_debugger_open");
  if (session) expect(!tessera_debugger_command(session, "step")[0], "tessera_debugger_command");
  tessera_debugger_close(session); /* do nothing */
  tessera_tile_destroy(tile);
}

/* What a hook may do. */
static void use_tile(void) {
  uint32_t value = 0;
  assert_int_equal(tessera_tile_read(tile, 0x40000, &value, 4), TESSERA_OK);
  assert_true(tessera_tile_report(tile, TESSERA_REPORT_JSON)[0] == '{');
  assert_non_null(tessera_tile_where(tile));
  assert_int_equal(tessera_tile_register(tile, TESSERA_FILE_CORE, TESSERA_BRISC, 9, &value), TESSERA_OK);
  assert_true(tessera_tile_cycle(tile) <= 2 * CYCLES);
}

static void hook(void *context, const struct tessera_event *event) {
  (void)context, (void)event;
  if (calls++ >= CALLS) return;
  misuse_tile();
  if (calls % 50 == 1) use_tile();
}

static int write_and_misuse(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  if (calls++ < CALLS) misuse_tile();
  return 0;
}

static uint64_t hash_of_plain_run(void) {
  struct tessera_tile *plain = tessera_tile_create(TESSERA_TIMING_CYCLE);
  start(plain);
  assert_int_equal(tessera_tile_run(plain, 2 * CYCLES), TESSERA_LIMIT);
  uint64_t hash = tessera_tile_hash(plain);
  tessera_tile_destroy(plain);
  return hash;
}

static void expect_refused(void) {
  if (accepted) fail_msg("%u calls were not refused, the last of them %s", accepted, which);
  assert_true(calls > 0);
}

static void a_hook_of_a_tile(void **unused) {
  (void)unused;
  int number;
  calls = accepted = 0;
  tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  start(tile);
  assert_int_equal(tessera_tile_hook(tile, TESSERA_EVENT_BIT(TESSERA_EVENT_CORE), hook, NULL, &number), TESSERA_OK);
  for (unsigned i = 0; i < 2; i++) assert_int_equal(tessera_tile_run(tile, CYCLES), TESSERA_LIMIT);
  expect_refused();
  assert_int_equal(tessera_tile_unhook(tile, number), TESSERA_OK);
  assert_true(tessera_tile_hash(tile) == hash_of_plain_run());
  tessera_tile_destroy(tile);
}

static void a_hook_below_a_debugger(void **unused) {
  (void)unused;
  int number;
  calls = accepted = 0;
  tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  start(tile);
  assert_int_equal(tessera_tile_hook(tile, TESSERA_EVENT_BIT(TESSERA_EVENT_CORE), hook, NULL, &number), TESSERA_OK);
  session = tessera_debugger_open(tile);
  assert_non_null(session);
  tessera_debugger_command(session, "step 20");
  tessera_debugger_command(session, "back");
  expect_refused();
  tessera_tile_destroy(tile); /* does nothing */
  assert_true(tessera_tile_cycle(tile) > 0);
  tessera_debugger_close(session);
  session = NULL;
  tessera_tile_destroy(tile);
}

static void a_write_function(void **unused) {
  (void)unused;
  for (unsigned format = 0; format < TESSERA_TRACE_FORMATS; format++) {
    const struct tessera_trace_options options = {.format = (enum tessera_trace_format)format};
    calls = accepted = 0;
    tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
    start(tile);
    assert_int_equal(tessera_tile_trace(tile, &options, write_and_misuse, NULL), TESSERA_OK);
    assert_int_equal(tessera_tile_run(tile, 2 * CYCLES), TESSERA_LIMIT);
    assert_int_equal(tessera_tile_trace_end(tile), TESSERA_OK);
    expect_refused();
    assert_true(tessera_tile_hash(tile) == hash_of_plain_run());
    tessera_tile_destroy(tile);
  }
}

/* The hooks of a chip must not call it. */
static void misuse_chip(void) {
  static struct tessera_chip_exploration found;
  void *saved = NULL;
  size_t length = 0;
  uint32_t value = 0;
  REFUSED(tessera_chip_run(chip, 10));
  REFUSED(tessera_chip_run_until(chip, 1, 2, 0x1000, 1, 1, 10, 10));
  REFUSED(tessera_chip_save(chip, &saved, &length));
  REFUSED(tessera_chip_restore(chip, state, sizeof state));
  REFUSED(tessera_chip_write(chip, 1, 2, 0x40000, &value, 4));
  REFUSED(tessera_chip_read(chip, 1, 2, 0x40000, &value, 4));
  REFUSED(tessera_chip_broadcast(chip, 1, 2, 2, 2, 0x40000, &value, 4));
  REFUSED(tessera_chip_packet_hook(chip, NULL, NULL));
  REFUSED(tessera_chip_trace_end(chip));
  REFUSED(tessera_chip_explore(chip, NULL, NULL, &found));
  REFUSED(tessera_chip_run_explored(chip, &found, 10));
  expect(!tessera_chip_tile(chip, 1, 2), "tessera_chip_tile");
  expect(!tessera_debugger_open_chip(chip), "tessera_debugger_open_chip");
  expect(!tessera_chip_report(chip)[0], "tessera_chip_report");
  tessera_chip_destroy(chip);
  misuse_tile();
}

static void packet(void *context, const struct tessera_packet *p) {
  (void)context, (void)p;
  if (calls++ < CALLS) misuse_chip();
}

static int read_host(void *host, uint64_t address, void *bytes, size_t length) {
  (void)host, (void)address;
  memset(bytes, 0, length);
  if (calls++ < CALLS) misuse_chip();
  return 1;
}

static void request(struct tessera_tile *t, uint32_t target, uint32_t xy) {
  struct rv p = {.count = 0};
  const uint32_t words[][2] = {{0, target},        {4, 0},         {8, xy},    {0xc, 0x40000},
                               {0x14, 2 << 6 | 1}, {0x1c, 0x2090}, {0x20, 64}, {0x40, 1}};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) rv_poke(&p, 0xFFB20800u + words[i][0], words[i][1]);
  rv_ebreak(&p);
  assert_int_equal(tessera_tile_write(t, CODE + 0x1000, p.word, 4 * p.count), TESSERA_OK);
  assert_int_equal(tessera_tile_set_reset_pc(t, TESSERA_NCRISC, CODE + 0x1000), TESSERA_OK);
  assert_int_equal(tessera_tile_start(t, 1u << TESSERA_NCRISC), TESSERA_OK);
}

static void hooks_and_the_host_of_a_chip(void **unused) {
  (void)unused;
  for (unsigned host = 0; host < 2; host++) {
    const struct tessera_chip_options options = {
        .timing = TESSERA_TIMING_CYCLE, .threads = 2, .host = {NULL, read_host, NULL}};
    calls = accepted = 0;
    chip = tessera_chip_create(&options);
    tile = tessera_chip_tile(chip, 1, 2);
    start(tile);
    request(tile, 0x1000, host ? 24 << 6 | 19 : 3 << 6 | 2);
    if (!host) assert_int_equal(tessera_chip_packet_hook(chip, packet, NULL), TESSERA_OK);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(tessera_chip_run(chip, CYCLES), TESSERA_LIMIT);
    expect_refused();
    struct tessera_debugger *open = tessera_debugger_open_chip(chip);
    assert_non_null(open);
    tessera_chip_destroy(chip); /* does nothing */
    assert_true(tessera_chip_cycle(chip) >= 2 * CYCLES);
    tessera_debugger_close(open);
    tessera_chip_destroy(chip);
  }
}

/* More words than a list can hold are refused before they are read. */
static void a_list_without_end(void **unused) {
  (void)unused;
  const uint32_t word = 0x02000000u;
  tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  assert_int_equal(tessera_tile_push(tile, 0, &word, SIZE_MAX), TESSERA_NO_MEMORY);
  assert_int_equal(tessera_tile_push(tile, 0, &word, SIZE_MAX / 2), TESSERA_NO_MEMORY);
  assert_int_equal(tessera_tile_push(tile, 0, &word, 1), TESSERA_OK);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_hook_of_a_tile), cmocka_unit_test(a_hook_below_a_debugger),
                                     cmocka_unit_test(a_write_function), cmocka_unit_test(hooks_and_the_host_of_a_chip),
                                     cmocka_unit_test(a_list_without_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
