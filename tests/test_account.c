/* The account of cycles: for every core, thread and unit of every kernel of tests/llk-like, with timing on and off, the categories sum to
 * the cycles; they agree with the counters that the machine keeps by itself; and watching changes neither cycles nor state. Events come
 * in the order of time. */
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
#include "observe/account/account.h"
#include "scale.h"
#include "tensix/frontend/gate.h"

#define BUFFER_BYTES 0x10000u

static char programs[512]; /* directory of the programs: next to the directory of this test */

static const char *const kernels[] = {"matmul_lofi", "matmul_hifi4", "eltwise_add",   "eltwise_mul_col", "eltwise_add_row",
                                      "sfpu_exp",    "transpose",    "reduce_col",    "reduce_row",      "sfpu_typecast",
                                      "tilize",      "untilize",     "pack_untilize", "datacopy",        "int32_add"};
#define KERNELS (sizeof kernels / sizeof *kernels)

static struct tessera_tile *start(const char *name, bool timing) {
  static const char *const cores[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  bool whole = strcmp(name, "int32_add") == 0;
  struct launch l;
  assert_non_null(tile);
  for (unsigned core = 0; core < 4; core++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/llk_%s/%s.elf", programs, name, cores[core]);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot read %s", path);
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_int_equal(tessera_tile_load_elf(tile, (enum tessera_core)core, file, size), TESSERA_OK);
  }
  memset(&l, 0, sizeof l);
  for (unsigned b = 0; b < 3; b++)
    l.buffer[b == 2 ? 16 : b] =
        (struct launch_buffer){LAUNCH_HEAP + b * BUFFER_BYTES, whole ? 4096 : 2048, 16, whole ? 8 : 5};
  l.args[0] = 1;
  l.go = RUN_SYNC_MSG_GO;
  tessera_tile_start(tile, 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  return tile;
}

static uint64_t category(const struct tessera_tile *tile, enum tessera_of of, unsigned index, unsigned which) {
  uint64_t cycles = 0;
  assert_int_equal(tessera_tile_account(tile, of, index, which, &cycles), TESSERA_OK);
  return cycles;
}

static uint64_t sum(const struct tessera_tile *tile, enum tessera_of of, unsigned index) {
  uint64_t all = 0;
  for (unsigned i = 0; i < tessera_category_count(); i++) all += category(tile, of, index, i);
  return all;
}

/* Every row sums to `cycles`, and nothing is unknown. */
static void rows_add_up(const struct tessera_tile *tile, const char *name, uint64_t cycles) {
  static const unsigned counts[] = {TESSERA_CORES, TESSERA_THREADS, 9};
  for (unsigned of = 0; of < 3; of++)
    for (unsigned i = 0; i < counts[of]; i++) {
      uint64_t got = sum(tile, (enum tessera_of)of, i);
      if (got != cycles)
        fail_msg("%s: row %u of %u sums to %llu, not %llu", name, i, of, (unsigned long long)got,
                 (unsigned long long)cycles);
      if (category(tile, (enum tessera_of)of, i, OBS_UNKNOWN))
        fail_msg("%s: %llu cycles of core %u are told by no event", name,
                 (unsigned long long)category(tile, (enum tessera_of)of, i, OBS_UNKNOWN), i);
    }
}

/* The same run without events, with the counters of the wait gate and the units. */
static void agrees_with_counters(const struct tessera_tile *tile, const struct tessera_tile *plain, const char *name) {
  for (unsigned thread = 0; thread < TESSERA_THREADS; thread++) {
    assert_int_equal(category(tile, TESSERA_OF_THREAD, thread, OBS_ISSUE), plain->tile.gate[thread].issued);
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++) {
      uint64_t told = category(tile, TESSERA_OF_THREAD, thread, kind), counted = tx_gate_stalled(&plain->tile, thread, kind);
      bool open = plain->tile.engine.agents[thread].wait.kind == kind; /* the last cycle counts as well */
      if (told != counted + open)
        fail_msg("%s: thread %u, %s: %llu cycles, the gate counts %llu", name, thread, tessera_category_name(kind),
                 (unsigned long long)told, (unsigned long long)counted);
    }
  }
  static const unsigned units[] = {TX_UNIT_MATRIX, TX_UNIT_PACK, TX_UNIT_VECTOR};
  for (unsigned i = 0; i < 3; i++) {
    uint64_t told = category(tile, TESSERA_OF_UNIT, units[i], OBS_BUSY);
    if (told != plain->tile.units[units[i]].busy_cycles)
      fail_msg("%s: %s: %llu busy cycles, the unit counts %llu", name, tessera_unit_name(units[i]), (unsigned long long)told,
               (unsigned long long)plain->tile.units[units[i]].busy_cycles);
  }
}

static void account_of(const char *name, bool timing) {
  struct tessera_tile *plain = start(name, timing), *tile = start(name, timing);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
  assert_int_equal(tessera_tile_run(plain, 5000000), TESSERA_STOPPED);
  assert_int_equal(tessera_tile_run(tile, 5000000), TESSERA_STOPPED);
  assert_int_equal(tessera_tile_cycle(tile), tessera_tile_cycle(plain));
  rows_add_up(tile, name, tessera_tile_cycle(tile));
  if (timing) agrees_with_counters(tile, plain, name);
  for (unsigned core = 0; core < 4; core++) assert_true(category(tile, TESSERA_OF_CORE, core, OBS_ISSUE) > 20);
  assert_int_equal(category(tile, TESSERA_OF_CORE, TESSERA_NCRISC, OBS_RESET), tessera_tile_cycle(tile));
  tessera_tile_destroy(plain);
  tessera_tile_destroy(tile);
}

static void kernels_add_up_timed(void **state) {
  (void)state;
  for (unsigned i = 0; i < KERNELS; i++) account_of(kernels[i], true);
}

static void kernels_add_up_untimed(void **state) {
  (void)state;
  for (unsigned i = 0; i < KERNELS; i++) account_of(kernels[i], false);
}

/* Cut into pieces, and begun in the middle of a run, the rows still sum to the cycles. */
static void pieces_add_up(void **state) {
  (void)state;
  struct tessera_tile *tile = start("eltwise_add", true);
  assert_int_equal(tessera_tile_run(tile, 3001), TESSERA_LIMIT);
  uint64_t from = tessera_tile_cycle(tile);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
  enum tessera_result result;
  unsigned pieces = 0;
  do {
    result = tessera_tile_run(tile, 997);
    rows_add_up(tile, "eltwise_add in pieces", tessera_tile_cycle(tile) - from);
  } while (result == TESSERA_LIMIT && pieces++ < 10000);
  assert_int_equal(result, TESSERA_STOPPED);
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 0), TESSERA_OK);
  uint64_t cycles;
  assert_int_equal(tessera_tile_account(tile, TESSERA_OF_CORE, 0, OBS_ISSUE, &cycles), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

static void ignore(void *context, const struct tessera_event *e) { (void)context, (void)e; }

/* A profile lets the cores run ahead of the tile; a hook on their instructions does not. Both give the same account and profile, also
 * at every cut. */
static void cores_ahead_give_the_same_profile(void **state) {
  (void)state;
  static const unsigned counts[] = {TESSERA_CORES, TESSERA_THREADS, 9};
  for (unsigned kernel = 0; kernel < KERNELS; kernel++) {
    struct tessera_tile *ahead = start(kernels[kernel], true), *ordered = start(kernels[kernel], true);
    enum tessera_result result;
    uint64_t piece = 100 + 37 * kernel;
    assert_int_equal(tessera_tile_hook(ordered, TESSERA_EVENT_BIT(TESSERA_EVENT_CORE), ignore, NULL, NULL), TESSERA_OK);
    assert_int_equal(tessera_tile_set_option(ahead, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
    assert_int_equal(tessera_tile_set_option(ordered, TESSERA_OPTION_ACCOUNT, 1), TESSERA_OK);
    do {
      result = tessera_tile_run(ahead, piece);
      assert_int_equal(tessera_tile_run(ordered, piece), result);
      assert_int_equal(tessera_tile_cycle(ahead), tessera_tile_cycle(ordered));
      for (unsigned of = 0; of < 3; of++)
        for (unsigned i = 0; i < counts[of]; i++)
          for (unsigned k = 0; k < tessera_category_count(); k++)
            if (category(ahead, (enum tessera_of)of, i, k) != category(ordered, (enum tessera_of)of, i, k))
              fail_msg("%s, cycle %llu: row %u of %u, %s: %llu and %llu", kernels[kernel],
                       (unsigned long long)tessera_tile_cycle(ahead), i, of, tessera_category_name(k),
                       (unsigned long long)category(ahead, (enum tessera_of)of, i, k),
                       (unsigned long long)category(ordered, (enum tessera_of)of, i, k));
      piece *= 3;
    } while (result == TESSERA_LIMIT);
    assert_int_equal(result, TESSERA_STOPPED);
    const char *first = tessera_tile_profile(ahead, TESSERA_PROFILE_CALLGRIND);
    assert_non_null(first);
    char *copy = strdup(first);
    assert_non_null(copy);
    assert_string_equal(copy, tessera_tile_profile(ordered, TESSERA_PROFILE_CALLGRIND));
    assert_true(strlen(copy) > 1000);
    free(copy);
    tessera_tile_destroy(ahead);
    tessera_tile_destroy(ordered);
  }
}

/* --- events --- */

struct seen {
  uint64_t last, count[TESSERA_EVENT_KINDS];
  uint64_t core_next[TESSERA_CORES]; /* every earlier cycle is accounted for */
  bool ordered, tiled;
};

static void look(void *context, const struct tessera_event *e) {
  struct seen *s = context;
  if (e->cycle < s->last) s->ordered = false;
  s->last = e->cycle;
  s->count[e->kind]++;
  if (e->kind != TESSERA_EVENT_CORE && e->kind != TESSERA_EVENT_CORE_WAIT) return;
  uint64_t *next = &s->core_next[e->agent - TX_AGENT_TRISC0];
  if (e->kind == TESSERA_EVENT_CORE_WAIT) *next += *next ? (uint32_t)e->c : 0;
  else if (*next && *next != e->cycle) s->tiled = false;
  if (e->kind == TESSERA_EVENT_CORE) *next = e->cycle + 1;
}

static void events_are_in_order(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct seen seen = {.ordered = true, .tiled = true};
    struct tessera_tile *tile = start("matmul_lofi", timing), *plain = start("matmul_lofi", timing);
    uint64_t issued = 0, of_thread;
    assert_int_equal(tessera_tile_hook(tile, TESSERA_EVENT_BIT(TESSERA_EVENT_KINDS) - 1, look, &seen, NULL), TESSERA_OK);
    assert_int_equal(tessera_tile_run(tile, 5000000), TESSERA_STOPPED);
    assert_int_equal(tessera_tile_run(plain, 5000000), TESSERA_STOPPED);
    assert_int_equal(tessera_tile_cycle(tile), tessera_tile_cycle(plain));
    assert_true(seen.ordered);
    if (timing) assert_true(seen.tiled); /* timing off: a core that lags behind the others catches up within one cycle */
    for (unsigned thread = 0; thread < TESSERA_THREADS; thread++) {
      tessera_tile_counter(plain, TESSERA_COUNTER_ISSUED, thread, &of_thread);
      issued += of_thread;
    }
    assert_int_equal(seen.count[TESSERA_EVENT_ISSUE], issued);
    assert_int_equal(seen.count[TESSERA_EVENT_UNIT], issued);
    assert_true(seen.count[TESSERA_EVENT_BANK] && seen.count[TESSERA_EVENT_SEMAPHORE] && seen.count[TESSERA_EVENT_RETIRE]);
    assert_true(seen.count[TESSERA_EVENT_BLOCK] && seen.count[TESSERA_EVENT_CORE_WAIT]);
    tessera_tile_destroy(tile);
    tessera_tile_destroy(plain);
  }
}

static void schema_has_every_row(void **state) {
  (void)state;
  static char text[32768], file[32768];
  size_t length = tessera_trace_schema(text, sizeof text);
  assert_true(length > 1000 && length < sizeof text);
  for (unsigned kind = 0; kind < TESSERA_EVENT_KINDS; kind++) {
    char row[64];
    snprintf(row, sizeof row, "| %u | `%s` |", kind, tessera_event_name((enum tessera_event_kind)kind));
    assert_non_null(strstr(text, row));
  }
  FILE *f = fopen("docs/reference/trace-schema.md", "r");
  if (!f) skip(); /* not run from the top directory */
  size_t size = fread(file, 1, sizeof file - 1, f);
  fclose(f);
  assert_int_equal(size, length);
  assert_memory_equal(file, text, length); /* make docs */
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_add_up_timed), cmocka_unit_test(kernels_add_up_untimed),
      cmocka_unit_test(pieces_add_up),        cmocka_unit_test(cores_ahead_give_the_same_profile),
      cmocka_unit_test(events_are_in_order),  cmocka_unit_test(schema_has_every_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
