/* The ELF reader: the contents of a good file, the message for a bad one, and no crash for any file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "debug/elf.h"
#include "debug/frames.h"
#include "debug/place.h"
#include "debug/program.h"
#include "debug/symbols.h"
#include "elf_builder.h"
#include "scale.h"

#define NOP 0x00000013u

static const uint32_t text[5] = {NOP, NOP, NOP, NOP, NOP};

static void build(struct built *b, unsigned dwarf) {
  build_elf(b, &(struct built_options){.base = 0x6000, .text = text, .words = 5, .data_at = 0xFFB00010u, .dwarf = dwarf});
}

static struct dbg_elf open_good(const struct built *b) {
  struct dbg_elf elf;
  char why[128] = "";
  if (!dbg_elf_open(&elf, b->bytes, b->size, why, sizeof why)) fail_msg("refused: %s", why);
  return elf;
}

static void segments_are_found(void **state) {
  (void)state;
  struct built b;
  struct dbg_segment s;
  build(&b, 5);
  struct dbg_elf elf = open_good(&b);
  assert_int_equal(elf.entry, 0x6000);
  assert_true(dbg_elf_segment(&elf, 0, &s));
  assert_int_equal(s.address, 0x6000);
  assert_int_equal(s.bytes.size, 20);
  assert_int_equal(dbg_u32(s.bytes, 16), NOP);
  assert_true(s.executable);
  assert_true(dbg_elf_segment(&elf, 1, &s));
  assert_int_equal(s.address, 0xFFB00010u);
  assert_int_equal(s.memory_size, 16);
  assert_int_equal(dbg_u32(s.bytes, 4), 2);
  assert_false(s.executable);
  assert_false(dbg_elf_segment(&elf, 2, &s));
}

static void symbols_name_addresses(void **state) {
  (void)state;
  struct built b;
  struct dbg_place p;
  uint32_t address = 0;
  build(&b, 5);
  struct dbg_elf elf = open_good(&b);
  dbg_place_find(&elf, 0x6004, &p);
  assert_string_equal(p.function, "main");
  assert_int_equal(p.offset, 4);
  dbg_place_find(&elf, 0x6010, &p);
  assert_string_equal(p.function, "helper");
  assert_int_equal(p.offset, 8);
  dbg_place_find(&elf, 0x6014, &p); /* after the text */
  assert_null(p.function);
  dbg_place_find(&elf, 0x20000, &p); /* data is in no segment of the program */
  assert_null(p.function);
  assert_true(dbg_symbol_find(&elf, "flag", &address));
  assert_int_equal(address, 0x20000);
  assert_true(dbg_symbol_find(&elf, "helper", &address));
  assert_int_equal(address, 0x6008);
  assert_false(dbg_symbol_find(&elf, "mai", &address));
  assert_false(dbg_symbol_find(&elf, "", &address));
}

/* The rows of put_lines, by hand: 10 at +0, 12 at +4, 13 at +12, nothing from +16 on. */
static bool line_find(const struct dbg_elf *elf, uint32_t address, const char **file, uint32_t *line) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  if (!dbg_frames_find(elf, address, frames, DBG_FRAMES_MAX) || !frames[0].path.file) return false;
  *file = dbg_path_base(&frames[0].path);
  *line = frames[0].line;
  return true;
}

static void lines_name_addresses(void **state) {
  (void)state;
  static const uint32_t expected[5] = {10, 12, 12, 13, 0};
  for (unsigned version = 2; version <= 5; version++) {
    struct built b;
    build(&b, version);
    struct dbg_elf elf = open_good(&b);
    for (uint32_t i = 0; i < 5; i++) {
      const char *file = NULL;
      uint32_t line = 0;
      bool found = line_find(&elf, 0x6000 + 4 * i, &file, &line);
      assert_int_equal(found, expected[i] != 0);
      if (!found) continue;
      assert_int_equal(line, expected[i]);
      assert_string_equal(file, "kernel.c");
    }
  }
}

static void places_read_well(void **state) {
  (void)state;
  struct built b;
  char words[64];
  build(&b, 4);
  struct dbg_elf elf = open_good(&b);
  dbg_place_words(&elf, 0x600c, words, sizeof words);
  assert_string_equal(words, "helper+0x4 (kernel.c:13)");
  assert_int_equal(dbg_place_words(&elf, 0x9000, words, sizeof words), 0);
  assert_string_equal(words, "");
  build(&b, 0);
  elf = open_good(&b);
  dbg_place_words(&elf, 0x6000, words, sizeof words);
  assert_string_equal(words, "main+0x0");
}

static void expect_refusal(const struct built *b, const char *expected) {
  struct dbg_elf elf;
  char why[160] = "";
  assert_false(dbg_elf_open(&elf, b->bytes, b->size, why, sizeof why));
  if (!strstr(why, expected)) fail_msg("expected '%s' in: %s", expected, why);
}

static void liars_are_refused(void **state) {
  (void)state;
  struct built good, b;
  build(&good, 5);
  b = good, b.bytes[1] = 'X', expect_refusal(&b, "not an ELF file");
  b = good, b.size = 20, expect_refusal(&b, "cut off");
  b = good, b.bytes[4] = 2, expect_refusal(&b, "32-bit");
  b = good, b.bytes[5] = 2, expect_refusal(&b, "little-endian");
  b = good, b.bytes[18] = 62, b.bytes[19] = 0, expect_refusal(&b, "not for RISC-V");
  b = good, b.bytes[16] = 1, expect_refusal(&b, "linked executables");
  b = good, b.bytes[44] = 0, expect_refusal(&b, "no program headers");
  b = good, set32(&b, 28, 0xffffffe0u), expect_refusal(&b, "program headers");
  b = good, b.bytes[42] = 4, expect_refusal(&b, "program headers");
  b = good, set32(&b, 52 + 4, 0xfffffff0u), expect_refusal(&b, "outside the file");
  b = good, set32(&b, 52 + 16, 0xfffffff0u), expect_refusal(&b, "outside the file");
  b = good, set32(&b, 52 + 20, 3), expect_refusal(&b, "only 3 in memory");
  b = good, set32(&b, 52 + 12, 0xfffffffcu), expect_refusal(&b, "leave the address space");
}

/* A file without usable section headers still loads; only the names are missing. */
static void broken_sections_cost_only_names(void **state) {
  (void)state;
  struct built b;
  struct dbg_place p;
  build(&b, 5);
  set32(&b, 32, 0xfffffff0u);
  struct dbg_elf elf = open_good(&b);
  dbg_place_find(&elf, 0x6000, &p);
  assert_null(p.function);
  assert_null(p.file);
}

/* --- fuzz: changed files, every query on each --- */

static uint64_t step(uint64_t *s) {
  *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
  return *s;
}

static void ask_everything(const struct built *b) {
  struct dbg_elf elf;
  struct dbg_segment s;
  struct dbg_place p;
  char why[160], words[160];
  uint32_t address;
  uint8_t *exact = malloc(b->size ? b->size : 1); /* so that the sanitizer sees the end of the file */
  assert_non_null(exact);
  memcpy(exact, b->bytes, b->size);
  if (dbg_elf_open(&elf, exact, b->size, why, sizeof why)) {
    for (unsigned i = 0; dbg_elf_segment(&elf, i, &s); i++)
      if (s.bytes.size) assert_int_equal(dbg_u8(s.bytes, s.bytes.size - 1), s.bytes.data[s.bytes.size - 1]);
    for (uint32_t i = 0; i < 6; i++) {
      dbg_place_find(&elf, 0x6000 + 4 * i, &p);
      dbg_place_words(&elf, 0x6000 + 4 * i, words, sizeof words);
    }
    const char *file;
    uint32_t line;
    line_find(&elf, 0x6004, &file, &line); /* also when no segment covers it any more */
    dbg_symbol_find(&elf, "helper", &address);
    dbg_elf_section(&elf, ".nothing");
  } else {
    assert_true(why[0] && strlen(why) < sizeof why);
  }
  free(exact);
}

static void no_file_breaks_the_reader(void **state) {
  (void)state;
  static const uint32_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000u, 0xfffffffcu, 0xffffffffu};
  uint64_t seed = UINT64_C(0x5eed1e1f), rounds = test_scaled(100000);
  for (uint64_t round = 0; round < rounds; round++) {
    struct built b;
    build(&b, 2 + (unsigned)(step(&seed) % 4));
    if (step(&seed) % 8 == 0) b.size = (uint32_t)(step(&seed) % (b.size + 1));
    for (uint64_t changes = step(&seed) % 6; changes && b.size >= 4; changes--) {
      uint32_t at = (uint32_t)(step(&seed) % (b.size - 3));
      if (step(&seed) % 2) b.bytes[at] = (uint8_t)step(&seed);
      else set32(&b, at, edges[step(&seed) % (sizeof edges / sizeof *edges)]);
    }
    ask_everything(&b);
  }
  printf("note: %llu changed ELF files read\n", (unsigned long long)rounds);
}

/* The same files loaded into a tile: a file that does not fit is refused with one line, and nothing is written elsewhere. */
static void no_file_breaks_the_loader(void **state) {
  (void)state;
  uint64_t seed = UINT64_C(0xf00d), rounds = test_scaled(100000), loaded = 0;
  struct tx_tile *t = malloc(sizeof *t);
  struct dbg_program program = {0};
  assert_non_null(t);
  tx_tile_reset(t, false);
  for (uint64_t round = 0; round < rounds; round++) {
    struct built b;
    char why[256] = "";
    build(&b, 5);
    for (uint64_t changes = step(&seed) % 4; changes; changes--) {
      uint32_t at = 52 + (uint32_t)(step(&seed) % 64); /* the program headers */
      b.bytes[at] = (uint8_t)step(&seed);
    }
    if (step(&seed) % 4 == 0) set32(&b, 24, (uint32_t)step(&seed)); /* the entry */
    if (dbg_program_load(&program, t, (unsigned)(step(&seed) % TX_CORES), b.bytes, b.size, why, sizeof why)) loaded++;
    else assert_true(strlen(why) > 10);
  }
  assert_true(loaded > 0 && loaded < rounds);
  printf("note: %llu changed ELF files loaded, %llu taken\n", (unsigned long long)rounds, (unsigned long long)loaded);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_are_found),        cmocka_unit_test(symbols_name_addresses),
      cmocka_unit_test(lines_name_addresses),      cmocka_unit_test(places_read_well),
      cmocka_unit_test(liars_are_refused),         cmocka_unit_test(broken_sections_cost_only_names),
      cmocka_unit_test(no_file_breaks_the_reader), cmocka_unit_test(no_file_breaks_the_loader),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
