/* The C API from the outside: only include/tessera. */
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
#include "tessera/chip.h"
#include "tessera/debug.h"
#include "tessera/tensix.h"

#define L1_BYTES (1536u * 1024u)

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

/* 0x20000 := (0x20008) + 5, then ebreak; the line table of elf_builder.h names the first instructions. */
static void build_kernel(struct built *b, uint32_t base) {
  struct rv p = {0};
  rv_peek(&p, A0, 0x20008);
  rv_addi(&p, A0, A0, 5);
  rv_li(&p, A4, 0x20000);
  rv_store(&p, 2, A0, A4, 0);
  rv_ebreak(&p);
  build_elf(b, &(struct built_options){.base = base, .text = p.word, .words = p.count, .data_at = 0xFFB00100u, .dwarf = 5});
}

static void memory_and_ranges(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  uint8_t bytes[64], back[64];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 3);
  assert_int_equal(tessera_tile_write(tile, L1_BYTES - 64, bytes, 64), TESSERA_OK);
  assert_int_equal(tessera_tile_read(tile, L1_BYTES - 64, back, 64), TESSERA_OK);
  assert_memory_equal(bytes, back, 64);
  assert_int_equal(tessera_tile_write(tile, L1_BYTES - 63, bytes, 64), TESSERA_INVALID);
  assert_int_equal(tessera_tile_read(tile, 0xFFFFFFF0u, back, 64), TESSERA_INVALID);
  assert_int_equal(tessera_tile_write(tile, 0xFFB17FFFu, bytes, 1), TESSERA_OK); /* NCRISC's local RAM */
  assert_int_equal(tessera_tile_write(tile, 0xFFB17FFFu, bytes, 2), TESSERA_INVALID);
  assert_int_equal(tessera_tile_write(tile, 0xFFEF0000u, bytes, 4), TESSERA_INVALID); /* not visible to the network */
  assert_int_equal(tessera_tile_read(tile, 0xFFB12002u, back, 4), TESSERA_INVALID);
  assert_int_equal(word(tile, 0xFFB121B0u), 0x47800);
  assert_int_equal(tessera_tile_read(tile, 0xFFB1206Cu, back, 4), TESSERA_FAULT); /* the debug array port */
  struct tessera_fault fault;
  assert_int_equal(tessera_tile_fault(tile, &fault), 1);
  assert_string_equal(fault.kind, "unsupported");
  assert_non_null(strstr(fault.why, "debug array port"));
  tessera_tile_destroy(tile);
}

static void executables_run(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tessera_tile *tile = tessera_tile_create((enum tessera_timing)timing);
    struct built b;
    uint32_t input = 37;
    uint64_t count = 0;
    build_kernel(&b, 0x7000);
    assert_int_equal(tessera_tile_load_elf(tile, TESSERA_TRISC1, b.bytes, b.size), TESSERA_OK);
    memset(&b, 0xee, sizeof b); /* the file was copied */
    tessera_tile_write(tile, 0x20008, &input, 4);
    assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_TRISC1), TESSERA_OK);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
    assert_int_equal(word(tile, 0x20000), 42);
    assert_int_equal(word(tile, 0xFFB1A104u), 2); /* the executable's data, in the core's local RAM */
    assert_int_equal(reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC1, 10), 42);
    assert_int_equal(reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC1, 65), 2);
    assert_int_equal(tessera_tile_counter(tile, TESSERA_COUNTER_INSTRUCTIONS, TESSERA_TRISC1, &count), TESSERA_OK);
    assert_in_range(count, 7, 8);
    assert_non_null(strstr(tessera_tile_report(tile, TESSERA_REPORT_TEXT), "TRISC1"));
    assert_non_null(strstr(tessera_tile_report(tile, TESSERA_REPORT_JSON), "\"core\":\"TRISC1\",\"state\":\"ebreak\""));
    assert_string_equal(tessera_tile_explain(tile), "");
    tessera_tile_destroy(tile);
  }
}

/* A segment without bytes in the file (.bss) leaves the clearing of local RAM to the reset, which takes a cycle per word; one with bytes
 * keeps them by DISABLE_RESET. */
static void zeros_alone_do_not_keep_local_ram(void **state) {
  (void)state;
  for (unsigned zeros = 0; zeros < 2; zeros++) {
    struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
    uint32_t stale = 0x1234567;
    struct built b;
    struct rv p = {0};
    rv_peek(&p, A0, 0xFFB00104u);
    rv_peek(&p, A1, 0xFFB00200u); /* outside the segment */
    rv_ebreak(&p);
    build_elf(&b, &(struct built_options){.base = 0x7000, .text = p.word, .words = p.count, .data_at = 0xFFB00100u});
    if (zeros) set32(&b, 52 + 32 + 16, 0); /* size of the data in the file */
    assert_int_equal(tessera_tile_write(tile, 0xFFB1A200u, &stale, 4), TESSERA_OK);
    assert_int_equal(tessera_tile_load_elf(tile, TESSERA_TRISC1, b.bytes, b.size), TESSERA_OK);
    assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_TRISC1), TESSERA_OK);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
    assert_int_equal(reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC1, 10), zeros ? 0 : 2);
    assert_int_equal(reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC1, 11), zeros ? 0 : stale);
    assert_in_range(tessera_tile_cycle(tile), zeros ? 1024 : 0, zeros ? 1100 : 100);
    tessera_tile_destroy(tile);
  }
}

static void assert_at(const struct tessera_tile *tile, enum tessera_core core, const char *path) {
  char text[300];
  assert_true(tessera_tile_place_text(tile, core, 0x6000, text, sizeof text) > 0);
  assert_non_null(strstr(text, path));
}

/* The tiles of a chip share an executable. Each keeps its own when the caller reuses the buffer, when another tile loads a different one, and when
 * another tile loads one that is refused. */
static void tiles_of_a_chip_keep_their_executables(void **state) {
  (void)state;
  struct tessera_chip *chip = tessera_chip_create(NULL);
  struct tessera_tile *tile[3];
  struct built first, second;
  struct rv p = {0};
  rv_loop_for_ever(&p);
  build_elf(&first, &(struct built_options){.base = 0x6000, .text = p.word, .words = p.count, .dwarf = 5});
  second = first;
  for (uint32_t i = 0; i + 6 < second.size; i++)
    if (memcmp(&second.bytes[i], "main", 5) == 0) memcpy(&second.bytes[i], "m\033in", 5);
  for (unsigned i = 0; i < 3; i++) {
    tile[i] = tessera_chip_tile(chip, 1 + i, 2);
    assert_int_equal(tessera_tile_load_elf(tile[i], TESSERA_BRISC, first.bytes, first.size), TESSERA_OK);
    assert_int_equal(tessera_tile_load_elf(tile[i], TESSERA_NCRISC, i ? first.bytes : second.bytes, first.size), TESSERA_OK);
  }
  assert_int_equal(tessera_tile_load_elf(tile[2], TESSERA_BRISC, second.bytes, second.size), TESSERA_OK);
  assert_int_equal(tessera_tile_load_elf(tile[2], TESSERA_NCRISC, second.bytes, 60), TESSERA_REFUSED);
  memset(&first, 0, sizeof first);
  memset(&second, 0, sizeof second);
  assert_at(tile[0], TESSERA_BRISC, "main");
  assert_at(tile[0], TESSERA_NCRISC, "m?in");
  assert_at(tile[1], TESSERA_NCRISC, "main");
  assert_at(tile[2], TESSERA_BRISC, "m?in");
  tessera_chip_destroy(chip);
}

static void bad_executables_are_refused(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);
  struct built b;
  build_kernel(&b, 0x7000);
  b.bytes[18] = 3;
  assert_int_equal(tessera_tile_load_elf(tile, TESSERA_BRISC, b.bytes, b.size), TESSERA_REFUSED);
  assert_non_null(strstr(tessera_tile_error(tile), "RISC-V"));
  build_kernel(&b, 0x17fff0); /* leaves L1 */
  assert_int_equal(tessera_tile_load_elf(tile, TESSERA_BRISC, b.bytes, b.size), TESSERA_REFUSED);
  assert_non_null(strstr(tessera_tile_error(tile), "neither in L1"));
  assert_int_equal(tessera_tile_load_elf(tile, (enum tessera_core)9, b.bytes, b.size), TESSERA_INVALID);
  assert_int_equal(tessera_tile_start(tile, 0), TESSERA_INVALID);
  assert_int_equal(tessera_tile_start(tile, 1u << 5), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

/* Loads as a driver does: everything through tessera_tile_write. */
static void a_driver_starts_a_core(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct rv p = {0};
  uint32_t pc = 0x9000, all = 0x7, held = 0x43800; /* T2 released */
  rv_poke(&p, 0x20000, 0x1111);
  rv_ebreak(&p);
  tessera_tile_write(tile, pc, p.word, 4 * p.count);
  tessera_tile_write(tile, 0xFFB12230u, &pc, 4);
  tessera_tile_write(tile, 0xFFB12234u, &all, 4);
  tessera_tile_write(tile, 0xFFB121B0u, &held, 4);
  assert_int_equal(tessera_tile_run(tile, 10000), TESSERA_DONE);
  assert_int_equal(word(tile, 0x20000), 0x1111);
  assert_int_equal(word(tile, 0xFFB13148u), reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC2, 64)); /* pc snapshot */
  tessera_tile_destroy(tile);
}

static void conditions_and_breaks(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct rv p = {0};
  for (unsigned i = 1; i <= 4; i++) rv_poke(&p, 0x20000 + 16 * i, i); /* far enough apart not to be merged */
  rv_loop_for_ever(&p);
  struct built b;
  build_elf(&b, &(struct built_options){.base = 0x6000, .text = p.word, .words = p.count, .dwarf = 5});
  tessera_tile_load_elf(tile, TESSERA_TRISC0, b.bytes, b.size);
  assert_int_equal(tessera_tile_until(tile, 0x20030, 0xff, 3, NULL), TESSERA_OK);
  assert_int_equal(tessera_tile_until(tile, 0x20001, 0xff, 3, NULL), TESSERA_INVALID);
  assert_int_equal(tessera_tile_until(tile, 0x20000, 0x0f, 0x13, NULL), TESSERA_INVALID);
  tessera_tile_start(tile, 1);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
  assert_int_equal(word(tile, 0x20030), 3);
  assert_int_equal(word(tile, 0x20040), 0);
  struct tessera_stop_info stop;
  assert_int_equal(tessera_tile_stop_info(tile, &stop), TESSERA_OK);
  assert_int_equal(stop.reason, TESSERA_STOP_CONDITION);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG); /* it loops forever */
  assert_int_equal(word(tile, 0x20040), 4);
  assert_non_null(strstr(tessera_tile_explain(tile), "TRISC0 loops forever"));
  assert_non_null(strstr(tessera_tile_explain(tile), "in helper"));
  tessera_tile_destroy(tile);

  tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_load_elf(tile, TESSERA_TRISC0, b.bytes, b.size);
  assert_int_equal(tessera_tile_break(tile, TESSERA_TRISC0, 0x6028, NULL), TESSERA_OK); /* the third poke */
  tessera_tile_start(tile, 1);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_STOPPED);
  assert_int_equal(reg(tile, TESSERA_FILE_CORE, TESSERA_TRISC0, 64), 0x6028);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_HANG);
  tessera_tile_destroy(tile);
}

static void faults_are_values_and_state_goes_back(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  size_t size = tessera_tile_state_size(tile);
  void *before = malloc(size);
  struct rv p = {0};
  struct built b;
  struct tessera_fault fault;
  rv_poke(&p, 0xFFE50000u, 0x02000000u); /* a T core pushing to another thread */
  rv_ebreak(&p);
  build_elf(&b, &(struct built_options){.base = 0x6000, .text = p.word, .words = p.count, .dwarf = 5});
  tessera_tile_load_elf(tile, TESSERA_TRISC0, b.bytes, b.size);
  tessera_tile_start(tile, 1);
  assert_int_equal(tessera_tile_save(tile, before, size), TESSERA_OK);
  uint64_t hash = tessera_tile_hash(tile);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(tessera_tile_fault(tile, &fault), 0);
    assert_int_equal(tessera_tile_run(tile, 10000), TESSERA_FAULT);
    assert_int_equal(tessera_tile_fault(tile, &fault), 1);
    assert_string_equal(fault.who, "TRISC0");
    assert_int_equal(fault.pc, 0x6010);
    assert_non_null(strstr(fault.why, "0xffe50000"));
    assert_non_null(strstr(tessera_tile_explain(tile), "helper+0x8"));
    assert_int_equal(tessera_tile_write(tile, 0, &hash, 4), TESSERA_FAULT); /* frozen, but readable: */
    assert_int_equal(word(tile, 0x6000), p.word[0]);
    tessera_tile_restore(tile, before, size);
    assert_true(tessera_tile_hash(tile) == hash);
  }
  free(before);
  tessera_tile_destroy(tile);
}

/* Stops at any cycle, saves, runs on, restores and runs on again: the final state is the same, in this tile and in another. */
static void a_run_continues_from_a_copy(void **state) {
  (void)state;
  for (uint64_t stop = 1; stop < 1300; stop += 61) {
    struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE),
                        *other = tessera_tile_create(TESSERA_TIMING_CYCLE);
    size_t size = tessera_tile_state_size(tile);
    void *copy = malloc(size);
    struct built b;
    build_kernel(&b, 0x7000);
    tessera_tile_load_elf(tile, TESSERA_TRISC1, b.bytes, b.size);
    tessera_tile_start(tile, 1u << TESSERA_TRISC1);
    enum tessera_result end = tessera_tile_run(tile, stop);
    assert_true(end == TESSERA_LIMIT || end == TESSERA_DONE);
    assert_int_equal(tessera_tile_save(tile, copy, size), TESSERA_OK);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
    uint64_t hash = tessera_tile_hash(tile);
    tessera_tile_restore(tile, copy, size);
    assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
    assert_true(tessera_tile_hash(tile) == hash);
    tessera_tile_restore(other, copy, size);
    assert_int_equal(tessera_tile_run(other, 100000), TESSERA_DONE);
    assert_true(tessera_tile_hash(other) == hash);
    assert_int_equal(word(other, 0x20000), 5);
    free(copy);
    tessera_tile_destroy(tile);
    tessera_tile_destroy(other);
  }
}

static void every_register_file_has_its_bounds(void **state) {
  (void)state;
  static const unsigned bounds[][2] = {
      [TESSERA_FILE_CORE] = {5, 66},    [TESSERA_FILE_GPR] = {3, 64},
      [TESSERA_FILE_CONFIG] = {2, 224}, [TESSERA_FILE_THREAD_CONFIG] = {3, 68},
      [TESSERA_FILE_DST] = {1024, 16},  [TESSERA_FILE_DST_VALID] = {1024, 1},
      [TESSERA_FILE_SRCA] = {128, 16},  [TESSERA_FILE_SRCB] = {128, 16},
      [TESSERA_FILE_LREG] = {17, 32},   [TESSERA_FILE_RWC] = {3, 8},
      [TESSERA_FILE_ADC] = {3, 48},     [TESSERA_FILE_SEMAPHORE] = {8, 2},
      [TESSERA_FILE_MUTEX] = {8, 1},    [TESSERA_FILE_SRC_BANK] = {4, 4},
  };
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);
  uint32_t value;
  uint64_t count;
  for (unsigned file = 0; file < sizeof bounds / sizeof *bounds; file++) {
    enum tessera_file f = (enum tessera_file)file;
    for (unsigned i = 0; i < bounds[file][0]; i++)
      for (unsigned k = 0; k < bounds[file][1]; k++)
        assert_int_equal(tessera_tile_register(tile, f, i, k, &value), TESSERA_OK);
    assert_int_equal(tessera_tile_register(tile, f, bounds[file][0], 0, &value), TESSERA_INVALID);
    assert_int_equal(tessera_tile_register(tile, f, 0, bounds[file][1], &value), TESSERA_INVALID);
    assert_int_equal(tessera_tile_register(tile, f, UINT32_MAX, UINT32_MAX, &value), TESSERA_INVALID);
  }
  assert_int_equal(tessera_tile_counter(tile, TESSERA_COUNTER_ISSUED, 3, &count), TESSERA_INVALID);
  assert_int_equal(tessera_tile_counter(tile, (enum tessera_counter)77, 0, &count), TESSERA_INVALID);
  tessera_tile_destroy(tile);
}

/* Words pushed to a thread without a core, as before. */
static void words_can_be_pushed(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  const uint32_t words[2] = {0x45000000u | 0x1234u << 8 | 10,
                             0x45000000u | 0x5678u << 8 | 11}; /* SETDMAREG: both halves of GPR 5 */
  uint64_t issued = 0;
  assert_int_equal(tessera_tile_push(tile, 2, words, 2), TESSERA_OK);
  assert_int_equal(tessera_tile_push(tile, 3, words, 2), TESSERA_INVALID);
  assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_DONE);
  assert_int_equal(reg(tile, TESSERA_FILE_GPR, 2, 5), 0x56781234);
  tessera_tile_counter(tile, TESSERA_COUNTER_ISSUED, 2, &issued);
  assert_int_equal(issued, 2);
  tessera_tile_destroy(tile);
}

/* A core held in reset does not stop the clock; a core released later reads the current time. */
static void time_passes_while_all_cores_are_held(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct built b;
  assert_int_equal(tessera_tile_run(tile, 1000), TESSERA_DONE);
  assert_int_equal(tessera_tile_cycle(tile), 1000);
  assert_int_equal(word(tile, 0xFFB121F0u), 1000); /* the wall clock */
  assert_int_equal(tessera_tile_run(tile, UINT64_C(5) << 32), TESSERA_DONE);
  assert_int_equal(word(tile, 0xFFB121F0u), 1000);
  assert_int_equal(word(tile, 0xFFB121F4u), 5);
  build_kernel(&b, 0x7000);
  tessera_tile_load_elf(tile, TESSERA_TRISC1, b.bytes, b.size);
  tessera_tile_start(tile, 1u << TESSERA_TRISC1);
  assert_int_equal(tessera_tile_run(tile, 100000), TESSERA_DONE);
  uint64_t end = tessera_tile_cycle(tile);
  assert_true(end > (UINT64_C(5) << 32) + 1000 &&
              end < (UINT64_C(5) << 32) + 3000); /* the run stops when the program is done */
  assert_int_equal(word(tile, 0x20000), 5);
  assert_int_equal(tessera_tile_run(tile, TESSERA_FOREVER), TESSERA_DONE); /* nothing to wait for */
  assert_true(tessera_tile_cycle(tile) == end);
  tessera_tile_destroy(tile);
}

struct stopper {
  uint64_t at; /* number of runs */
  int stop;
};
static void stop_at(void *context, uint64_t done, uint64_t all) {
  struct stopper *s = context;
  assert_true(done <= all);
  if (done == s->at) s->stop = 1;
}

/* A word ends an exploration between two schedules and in the run without delays; the tile stays as it was. */
static void an_exploration_stops(void **state) {
  (void)state;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  struct built b;
  struct stopper s = {.at = 7};
  struct tessera_explore_options o = {
      .schedules = 1000000, .threads = 1, .seed = 1, .progress = stop_at, .progress_context = &s};
  static struct tessera_exploration found;
  build_kernel(&b, 0x7000);
  assert_int_equal(tessera_tile_load_elf(tile, TESSERA_TRISC1, b.bytes, b.size), TESSERA_OK);
  assert_int_equal(tessera_tile_start(tile, 1u << TESSERA_TRISC1), TESSERA_OK);
  assert_int_equal(tessera_tile_explore_until(tile, &o, &s.stop, &found), TESSERA_STOPPED);
  assert_int_equal(found.runs, 7);
  assert_int_equal(found.broken, 0);
  assert_int_equal(tessera_tile_explore_until(tile, &o, &s.stop, &found), TESSERA_STOPPED);
  assert_int_equal(found.runs, 0);
  o.schedules = 9;
  assert_int_equal(tessera_tile_explore_until(tile, &o, NULL, &found), TESSERA_OK);
  assert_int_equal(found.runs, 9);
  assert_int_equal(tessera_tile_cycle(tile), 0);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_and_ranges),
      cmocka_unit_test(executables_run),
      cmocka_unit_test(zeros_alone_do_not_keep_local_ram),
      cmocka_unit_test(bad_executables_are_refused),
      cmocka_unit_test(tiles_of_a_chip_keep_their_executables),
      cmocka_unit_test(a_driver_starts_a_core),
      cmocka_unit_test(conditions_and_breaks),
      cmocka_unit_test(faults_are_values_and_state_goes_back),
      cmocka_unit_test(a_run_continues_from_a_copy),
      cmocka_unit_test(every_register_file_has_its_bounds),
      cmocka_unit_test(words_can_be_pushed),
      cmocka_unit_test(time_passes_while_all_cores_are_held),
      cmocka_unit_test(an_exploration_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
