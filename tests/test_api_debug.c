/* The C API's debugger: conditions, watchpoints, breakpoints, steps, register writes, symbols; and saved states. Only include/tessera. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elf_builder.h"
#include "rv_builder.h"
#include "tessera/tensix.h"

static uint32_t word(struct tessera_tile *tile, uint32_t address) {
  uint32_t value = 0;
  assert_int_equal(tessera_tile_read(tile, address, &value, 4), TESSERA_OK);
  return value;
}

static uint32_t reg(struct tessera_tile *tile, enum tessera_file file, unsigned index, unsigned item) {
  uint32_t value = 0;
  assert_int_equal(tessera_tile_register(tile, file, index, item, &value), TESSERA_OK);
  return value;
}

static uint32_t pc_of(struct tessera_tile *tile, enum tessera_core core) { return reg(tile, TESSERA_FILE_CORE, core, 64); }

static struct tessera_stop_info stop_of(struct tessera_tile *tile) {
  struct tessera_stop_info stop;
  assert_int_equal(tessera_tile_stop_info(tile, &stop), TESSERA_OK);
  return stop;
}

/* TRISC0 stores 1..4 to 0x20010, 0x20020, ...: four instructions of code each; then loops forever. */
static struct tessera_tile *four_stores(enum tessera_timing timing) {
  struct tessera_tile *tile = tessera_tile_create(timing);
  struct rv p = {0};
  struct built b;
  for (unsigned i = 1; i <= 4; i++) rv_poke(&p, 0x20000 + 16 * i, i);
  rv_loop_for_ever(&p);
  build_elf(&b, &(struct built_options){.base = 0x6000, .text = p.word, .words = p.count, .dwarf = 5});
  assert_int_equal(tessera_tile_load_elf(tile, TESSERA_TRISC0, b.bytes, b.size), TESSERA_OK);
  assert_int_equal(tessera_tile_start(tile, 1), TESSERA_OK);
  return tile;
}

static void conditions_of_several_words(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_tile *tile = four_stores((enum tessera_timing)timing);
    const struct tessera_word both[2] = {{0x20010, UINT32_MAX, 1}, {0x20030, UINT32_MAX, 3}};
    int first = -1, second = -1;
    assert_int_equal(tessera_tile_until(tile, 0x20040, 0xff, 4, &first), TESSERA_OK);
    assert_int_equal(tessera_tile_until_all(tile, both, 2, &second), TESSERA_OK);
    assert_int_not_equal(first, second);
    assert_int_equal(tessera_tile_until_all(tile, both, 5, NULL), TESSERA_INVALID);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
    assert_int_equal(stop_of(tile).reason, TESSERA_STOP_CONDITION);
    assert_int_equal(stop_of(tile).number, second);
    assert_int_equal(word(tile, 0x20030), 3);
    assert_int_equal(word(tile, 0x20040), 0);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
    assert_int_equal(stop_of(tile).number, first);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
    assert_int_equal(stop_of(tile).reason, TESSERA_STOP_HANG);
    tessera_tile_destroy(tile);
  }
}

/* One write meets both: each is a stop, in the same cycle. */
static void two_conditions_of_one_word(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_tile *tile = four_stores((enum tessera_timing)timing);
    int numbers[2];
    for (unsigned i = 0; i < 2; i++)
      assert_int_equal(tessera_tile_until(tile, 0x20020, UINT32_MAX, 2, &numbers[i]), TESSERA_OK);
    for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
      assert_int_equal(stop_of(tile).reason, TESSERA_STOP_CONDITION);
      assert_int_equal(stop_of(tile).number, numbers[i]);
      assert_int_equal(word(tile, 0x20030), 0);
    }
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
    tessera_tile_destroy(tile);
  }
}

/* A timer holds off the hang: the caller writes the word that the core waits for. */
static void a_run_stops_at_a_cycle(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_CYCLE);
  int number = -1;
  assert_int_equal(tessera_tile_until_cycle(tile, 20000, &number), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
  assert_int_equal(stop_of(tile).reason, TESSERA_STOP_CONDITION);
  assert_int_equal(stop_of(tile).number, number);
  assert_int_equal(tessera_tile_cycle(tile), 20000);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  assert_int_equal(tessera_tile_until_cycle(tile, UINT64_MAX, NULL), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

static void watchpoints_stop_at_every_write(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_CYCLE);
  int number = -1;
  assert_int_equal(tessera_tile_watch(tile, 0x20020, 0x14, &number), TESSERA_OK); /* 0x20020 .. 0x20033 */
  assert_int_equal(tessera_tile_watch(tile, 0xFFB14000u, 4, NULL), TESSERA_INVALID);
  assert_int_equal(tessera_tile_watch(tile, 0x20000, 0, NULL), TESSERA_INVALID);
  for (uint32_t i = 2; i <= 3; i++) {
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
    assert_int_equal(stop_of(tile).reason, TESSERA_STOP_WATCHPOINT);
    assert_int_equal(stop_of(tile).number, number);
    assert_int_equal(word(tile, 0x20000 + 16 * i), i);
    assert_int_equal(word(tile, 0x20010 + 16 * i), 0);
  }
  assert_int_equal(tessera_tile_unwatch(tile, number), TESSERA_OK);
  assert_int_equal(tessera_tile_unwatch(tile, number), TESSERA_INVALID);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  for (unsigned i = 0; i < 16; i++) assert_int_equal(tessera_tile_watch(tile, 0x30000 + 4 * i, 4, NULL), TESSERA_OK);
  assert_int_equal(tessera_tile_until(tile, 0x20000, UINT32_MAX, 1, NULL), TESSERA_INVALID);
  assert_string_equal(tessera_tile_error(tile), "a tile has at most 16 conditions and watchpoints");
  assert_int_equal(tessera_tile_watch(tile, 0x40000, 4, NULL), TESSERA_INVALID);
  assert_int_equal(tessera_tile_unwatch(tile, -1), TESSERA_OK);
  assert_int_equal(tessera_tile_watch(tile, 0x40000, 4, NULL), TESSERA_OK);
  tessera_tile_destroy(tile);
}

static void several_breakpoints(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_CYCLE);
  int number[3];
  const uint32_t at[3] = {0x6014, 0x6028, 0x603c};
  for (unsigned i = 0; i < 3; i++) assert_int_equal(tessera_tile_break(tile, TESSERA_TRISC0, at[i], &number[i]), TESSERA_OK);
  assert_int_equal(tessera_tile_break(tile, TESSERA_TRISC1, 0x6000, NULL), TESSERA_OK); /* another core's */
  assert_int_equal(tessera_tile_break(tile, (enum tessera_core)5, 0, NULL), TESSERA_INVALID);
  assert_int_equal(tessera_tile_unbreak(tile, number[1]), TESSERA_OK);
  for (unsigned i = 0; i < 3; i += 2) {
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
    assert_int_equal(stop_of(tile).reason, TESSERA_STOP_BREAKPOINT);
    assert_int_equal(stop_of(tile).number, number[i]);
    assert_int_equal(stop_of(tile).core, TESSERA_TRISC0);
    assert_int_equal(stop_of(tile).pc, at[i]);
    assert_int_equal(pc_of(tile, TESSERA_TRISC0), at[i]);
  }
  assert_int_equal(tessera_tile_unbreak(tile, number[1]), TESSERA_INVALID);
  assert_int_equal(tessera_tile_unbreak(tile, -1), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  /* A parked loop stops at a new breakpoint in every round. */
  uint32_t loop = pc_of(tile, TESSERA_TRISC0);
  assert_int_equal(tessera_tile_break(tile, TESSERA_TRISC0, loop, NULL), TESSERA_OK);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_STOPPED);
  for (unsigned i = 1; i < 64; i++) assert_int_equal(tessera_tile_break(tile, TESSERA_BRISC, 4 * i, NULL), TESSERA_OK);
  assert_int_equal(tessera_tile_break(tile, TESSERA_BRISC, 0, NULL), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

/* Single steps give the same run: same pcs, cycles and bits. */
static void steps_are_the_run(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_tile *tile = four_stores((enum tessera_timing)timing), *other = four_stores((enum tessera_timing)timing);
    uint64_t before = 0, after = 0;
    for (unsigned i = 0; i < 20; i++) {
      tessera_tile_counter(tile, TESSERA_COUNTER_INSTRUCTIONS, TESSERA_TRISC0, &before);
      assert_int_equal(tessera_tile_step(tile, TESSERA_TRISC0, 10000), TESSERA_STOPPED);
      assert_int_equal(stop_of(tile).reason, TESSERA_STOP_STEP);
      tessera_tile_counter(tile, TESSERA_COUNTER_INSTRUCTIONS, TESSERA_TRISC0, &after);
      assert_int_equal(after, before + 1);
      assert_int_equal(pc_of(tile, TESSERA_TRISC0), 0x6000 + 4 * (i + 1));
    }
    assert_int_equal(tessera_tile_run(other, 100000), TESSERA_HANG);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
    assert_int_equal(word(tile, 0x20040), 4);
    for (unsigned i = 0; i < 5; i++) { /* the jump to itself too */
      assert_int_equal(tessera_tile_step(tile, TESSERA_TRISC0, 1000), TESSERA_STOPPED);
      assert_int_equal(pc_of(tile, TESSERA_TRISC0), 0x6000 + 4 * 20);
    }
    assert_int_equal(tessera_tile_step(tile, TESSERA_TRISC1, 1000), TESSERA_INVALID);
    assert_non_null(strstr(tessera_tile_error(tile), "TRISC1 does not run"));
    tessera_tile_destroy(tile);
    tessera_tile_destroy(other);
  }
}

static void registers_are_written_and_read_in_bulk(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_CYCLE);
  static uint32_t dst[1024 * 16];
  unsigned indices = 0, items = 0;
  for (unsigned i = 0; i < 5; i++) assert_int_equal(tessera_tile_step(tile, TESSERA_TRISC0, 10000), TESSERA_STOPPED);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 64, 0x6000 + 4 * 15), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG); /* jumped over the second and third store */
  assert_int_equal(word(tile, 0x20010), 1);
  assert_int_equal(word(tile, 0x20020), 0);
  assert_int_equal(word(tile, 0x20040), 4);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 0, 1), TESSERA_INVALID);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 64, 2), TESSERA_INVALID);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 65, 1), TESSERA_INVALID);
  uint32_t rows[2 * 16], back[2 * 16];
  for (unsigned k = 0; k < 32; k++) rows[k] = 0x100 + k;
  assert_int_equal(tessera_tile_set_registers(tile, TESSERA_FILE_DST, 1022, 2, rows), TESSERA_OK);
  assert_int_equal(tessera_tile_registers(tile, TESSERA_FILE_DST, 1022, 2, back), TESSERA_OK);
  assert_memory_equal(rows, back, sizeof rows);
  assert_int_equal(tessera_tile_set_registers(tile, TESSERA_FILE_DST, 1023, 2, rows), TESSERA_INVALID);
  assert_int_equal(tessera_tile_set_registers(tile, TESSERA_FILE_DST, 0, 1, NULL), TESSERA_INVALID);
  rows[3] = 0x10000; /* Dst has 16 bits */
  assert_int_equal(tessera_tile_set_registers(tile, TESSERA_FILE_DST, 0, 1, rows), TESSERA_INVALID);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_SEMAPHORE, 1, 0, 16), TESSERA_INVALID);
  static const struct {
    enum tessera_file file;
    unsigned index, item;
    uint32_t value;
  } places[] = {{TESSERA_FILE_CORE, 2, 5, 0x12345678},  {TESSERA_FILE_GPR, 1, 63, 0xdeadbeef},
                {TESSERA_FILE_CONFIG, 1, 100, 0x55},    {TESSERA_FILE_THREAD_CONFIG, 2, 40, 0x1234},
                {TESSERA_FILE_DST, 1023, 15, 0xabcd},   {TESSERA_FILE_DST_VALID, 7, 0, 0},
                {TESSERA_FILE_SRCA, 127, 15, 0x7ffff},  {TESSERA_FILE_SRCB, 0, 0, 0x40001},
                {TESSERA_FILE_LREG, 3, 31, 0x80000001}, {TESSERA_FILE_RWC, 1, 4, 1000},
                {TESSERA_FILE_ADC, 0, 21, 77},          {TESSERA_FILE_SEMAPHORE, 3, 1, 15}};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    assert_int_equal(tessera_tile_set_register(tile, places[i].file, places[i].index, places[i].item, places[i].value),
                     TESSERA_OK);
    assert_int_equal(reg(tile, places[i].file, places[i].index, places[i].item), places[i].value);
    assert_int_equal(tessera_file_shape(places[i].file, &indices, &items), TESSERA_OK);
    uint32_t *all = calloc((size_t)indices * items, sizeof *all);
    assert_int_equal(tessera_tile_registers(tile, places[i].file, 0, indices, all), TESSERA_OK);
    assert_int_equal(all[places[i].index * items + places[i].item], places[i].value);
    free(all);
  }
  assert_int_equal(tessera_tile_registers(tile, TESSERA_FILE_DST, 0, 1024, dst), TESSERA_OK);
  assert_int_equal(dst[1023 * 16 + 15], 0xabcd);
  assert_int_equal(tessera_tile_registers(tile, TESSERA_FILE_DST, 1, 1024, dst), TESSERA_INVALID);
  assert_int_equal(tessera_tile_registers(tile, TESSERA_FILES, 0, 1, dst), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

/* A thread that waits for a semaphore goes on when the caller posts it. */
static void a_written_semaphore_wakes(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  const uint32_t words[] = {0xa3100008u, 0xa6000000u | 511u << 15 | 2u << 2 | 1u, 0x02000000u};
  tessera_tile_push(tile, 0, words, 3); /* SEMINIT max 1, value 0; SEMWAIT while zero; NOP */
  assert_int_equal(tessera_tile_run(tile, 10000), TESSERA_HANG);
  assert_int_equal(tessera_tile_set_register(tile, TESSERA_FILE_SEMAPHORE, 1, 0, 1), TESSERA_OK);
  assert_int_equal(tessera_tile_run(tile, 10000), TESSERA_DONE);
  tessera_tile_destroy(tile);
}

/* The row of an address begins at that address or before it; a file may be named with its directories. */
static void check_lines(struct tessera_tile *tile, uint32_t address) {
  struct tessera_place place, found;
  uint32_t first = 0;
  assert_int_equal(tessera_tile_place(tile, TESSERA_TRISC0, address, &place), TESSERA_OK);
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC0, place.file, place.line, &first), TESSERA_OK);
  assert_true(first <= address);
  assert_int_equal(tessera_tile_place(tile, TESSERA_TRISC0, first, &found), TESSERA_OK);
  assert_true(found.line == place.line);
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC0, place.file, 100000, &first), TESSERA_INVALID);
  assert_non_null(strstr(tessera_tile_error(tile), "nor has a line after it"));
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC0, place.file, 0, &first), TESSERA_INVALID);
  assert_non_null(strstr(tessera_tile_error(tile), "the next line that has is "));
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC0, "none.c", 1, &first), TESSERA_INVALID);
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC1, place.file, place.line, &first), TESSERA_INVALID);
  assert_non_null(strstr(tessera_tile_error(tile), "TRISC1 has no executable"));
  assert_int_equal(tessera_tile_line(tile, TESSERA_TRISC0, NULL, 1, &first), TESSERA_INVALID);
  assert_int_equal(tessera_tile_line(NULL, TESSERA_TRISC0, place.file, 1, &first), TESSERA_INVALID);
}

static void symbols_and_places(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_OFF);
  uint32_t address = 0;
  struct tessera_place place;
  char text[64], small[5];
  assert_int_equal(tessera_tile_symbol(tile, TESSERA_TRISC0, "helper", &address), TESSERA_OK);
  assert_int_equal(tessera_tile_symbol(tile, TESSERA_TRISC0, "nothing", &address), TESSERA_INVALID);
  assert_int_equal(tessera_tile_symbol(tile, TESSERA_TRISC1, "helper", &address), TESSERA_INVALID);
  assert_int_equal(tessera_tile_place(tile, TESSERA_TRISC1, address, &place), TESSERA_OK); /* shared code */
  assert_string_equal(place.function, "helper");
  assert_non_null(place.file);
  assert_int_equal(tessera_tile_place(tile, TESSERA_TRISC0, 0x100000, &place), TESSERA_INVALID);
  check_lines(tile, address);
  size_t length = tessera_tile_place_text(tile, TESSERA_TRISC0, address, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_int_equal(tessera_tile_place_text(tile, TESSERA_TRISC0, address, small, sizeof small), length);
  assert_string_equal(small, "help");
  assert_int_equal(tessera_tile_place_text(tile, TESSERA_TRISC0, address, NULL, 0), length);
  tessera_tile_destroy(tile);
}

/* Every byte of a state flipped (a sample of the body), truncated at every section, other versions: rejected with one line, and the tile is as
 * it was. */
static void damaged_states_are_refused(void **state) {
  (void)state;
  struct tessera_tile *tile = four_stores(TESSERA_TIMING_CYCLE);
  const uint32_t words[2] = {0x02000000u, 0x02000000u};
  tessera_tile_push(tile, 1, words, 2); /* queued words are a part of it */
  size_t size = tessera_tile_state_size(tile);
  unsigned char *copy = malloc(size + 1);
  assert_int_equal(tessera_tile_save(tile, copy, size - 1), TESSERA_INVALID);
  assert_int_equal(tessera_tile_save(tile, copy, size), TESSERA_OK);
  tessera_tile_run(tile, 40);
  uint64_t hash = tessera_tile_hash(tile);
  for (size_t i = 0; i < size; i += i < 64 ? 1 : 9973) {
    copy[i] ^= 0x10;
    assert_int_equal(tessera_tile_restore(tile, copy, size), TESSERA_REFUSED);
    assert_true(strlen(tessera_tile_error(tile)) > 10 && !strchr(tessera_tile_error(tile), '\n'));
    copy[i] ^= 0x10;
  }
  const size_t cuts[] = {0, 1, 7, 8, 39, 40, 41, size / 2, size - 1, size + 1};
  for (unsigned i = 0; i < sizeof cuts / sizeof *cuts; i++)
    assert_int_equal(tessera_tile_restore(tile, copy, cuts[i]), TESSERA_REFUSED);
  copy[8]++; /* format version */
  assert_int_equal(tessera_tile_restore(tile, copy, size), TESSERA_REFUSED);
  assert_non_null(strstr(tessera_tile_error(tile), "another format version"));
  copy[8]--;
  copy[0] = 'X';
  assert_int_equal(tessera_tile_restore(tile, copy, size), TESSERA_REFUSED);
  assert_non_null(strstr(tessera_tile_error(tile), "not a saved state"));
  copy[0] = 'T';
  assert_true(tessera_tile_hash(tile) == hash);
  assert_int_equal(tessera_tile_restore(tile, copy, size), TESSERA_OK);
  assert_true(tessera_tile_cycle(tile) == 0);
  free(copy);
  tessera_tile_destroy(tile);
}

/* Cut anywhere in a queue of pushed words, restored in another tile: the same hash in the end. */
static void queued_words_are_saved(void **state) {
  (void)state;
  uint32_t words[200];
  for (unsigned i = 0; i < 200; i++) words[i] = 0x45000000u | i << 8 | (i % 64);
  for (uint64_t cut = 0; cut < 260; cut += 13) {
    struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE), *other = tessera_tile_create(TESSERA_TIMING_OFF);
    tessera_tile_push(tile, 1, words, 200);
    tessera_tile_store(tile, 2, 0x20000, 7);
    tessera_tile_run(tile, cut);
    size_t size = tessera_tile_state_size(tile);
    void *copy = malloc(size);
    assert_int_equal(tessera_tile_save(tile, copy, size), TESSERA_OK);
    assert_int_equal(tessera_tile_restore(other, copy, size), TESSERA_OK);
    assert_true(tessera_tile_hash(other) == tessera_tile_hash(tile));
    assert_int_equal(tessera_tile_run(tile, 10000), TESSERA_DONE);
    assert_int_equal(tessera_tile_run(other, 10000), TESSERA_DONE);
    assert_true(tessera_tile_hash(other) == tessera_tile_hash(tile));
    free(copy);
    tessera_tile_destroy(tile);
    tessera_tile_destroy(other);
  }
}

static void parameters_options_and_names(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct tessera_param param;
  uint32_t value = 0;
  assert_true(tessera_param_count() > 20);
  for (size_t i = 0; i < tessera_param_count(); i++) {
    assert_int_equal(tessera_param_info(i, &param), TESSERA_OK);
    assert_int_equal(tessera_tile_param(tile, param.name, &value), TESSERA_OK);
    assert_int_equal(value, param.initial);
    assert_int_equal(tessera_tile_set_param(tile, param.name, value + 1), TESSERA_OK);
    assert_int_equal(tessera_tile_param(tile, param.name, &value), TESSERA_OK);
    assert_int_equal(value, param.initial + 1);
  }
  assert_int_equal(tessera_param_info(tessera_param_count(), &param), TESSERA_INVALID);
  assert_int_equal(tessera_tile_set_param(tile, "nothing", 1), TESSERA_INVALID);
  for (unsigned i = 0; i < TESSERA_OPTIONS; i++) {
    enum tessera_option option = (enum tessera_option)i;
    for (uint32_t on = 2; on-- > 0;) {
      assert_int_equal(tessera_tile_set_option(tile, option, on), TESSERA_OK);
      assert_int_equal(tessera_tile_option(tile, option, &value), TESSERA_OK);
      assert_int_equal(value, on);
    }
  }
  assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTIONS, 1), TESSERA_INVALID);
  assert_int_equal(tessera_api_version(), TESSERA_API_VERSION);
  for (unsigned i = 0; i < TESSERA_STOPS; i++) assert_string_not_equal(tessera_stop_name((enum tessera_stop)i), "?");
  for (unsigned i = 0; i <= TESSERA_NO_MEMORY; i++)
    assert_string_not_equal(tessera_result_name((enum tessera_result)i), "?");
  for (unsigned i = 0; i < TESSERA_FILES; i++) assert_string_not_equal(tessera_file_name((enum tessera_file)i), "?");
  for (unsigned i = 0; i < TESSERA_COUNTERS; i++)
    assert_string_not_equal(tessera_counter_name((enum tessera_counter)i), "?");
  for (unsigned i = 0; i < TESSERA_CORES; i++)
    assert_int_equal(tessera_core_number(tessera_core_name((enum tessera_core)i)), (int)i);
  assert_string_equal(tessera_result_name((enum tessera_result)99), "?");
  assert_int_equal(tessera_tile_reset(tile, TESSERA_TIMING_OFF), TESSERA_OK);
  assert_int_equal(tessera_tile_param(tile, param.name, &value), TESSERA_OK);
  assert_int_equal(value, param.initial);
  tessera_tile_destroy(tile);
}

static void findings_are_values(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  const uint32_t semget[1] = {0xa5000004u | 1u << 2};
  struct tessera_finding finding;
  tessera_tile_push(tile, 1, semget, 1);
  assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_DONE);
  assert_int_equal(tessera_tile_finding_count(tile), 1);
  assert_int_equal(tessera_tile_finding(tile, 0, &finding), TESSERA_OK);
  assert_string_equal(finding.id, "SEM_GET_AT_ZERO");
  assert_string_equal(finding.who, "thread 1 (math)");
  assert_int_equal(finding.core, TESSERA_TRISC1);
  assert_int_equal(finding.count, 1);
  char text[1024], cut[8];
  size_t length = tessera_tile_finding_text(tile, 0, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_non_null(strstr(tessera_tile_report(tile, TESSERA_REPORT_TEXT), text)); /* as the report has it */
  assert_non_null(strstr(text, finding.id));
  assert_int_equal(tessera_tile_finding_text(tile, 0, cut, sizeof cut), length);
  assert_int_equal(tessera_tile_finding_text(tile, 0, NULL, 0), length);
  assert_int_equal(tessera_tile_finding_text(tile, 1, text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_int_equal(tessera_tile_finding(tile, 1, &finding), TESSERA_INVALID);
  tessera_tile_destroy(tile);
  tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_set_option(tile, TESSERA_OPTION_STRICT, 1);
  tessera_tile_push(tile, 1, semget, 1);
  assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_FAULT);
  assert_int_equal(stop_of(tile).reason, TESSERA_STOP_FINDING);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_of_several_words),
      cmocka_unit_test(two_conditions_of_one_word),
      cmocka_unit_test(a_run_stops_at_a_cycle),
      cmocka_unit_test(watchpoints_stop_at_every_write),
      cmocka_unit_test(several_breakpoints),
      cmocka_unit_test(steps_are_the_run),
      cmocka_unit_test(registers_are_written_and_read_in_bulk),
      cmocka_unit_test(a_written_semaphore_wakes),
      cmocka_unit_test(symbols_and_places),
      cmocka_unit_test(damaged_states_are_refused),
      cmocka_unit_test(queued_words_are_saved),
      cmocka_unit_test(parameters_options_and_names),
      cmocka_unit_test(findings_are_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
