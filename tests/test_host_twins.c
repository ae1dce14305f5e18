/* Two kernels whose sources differ only in comments have the same code: reports name the lines of both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "elf_builder.h"
#include "host/kernels.h"

#define LINKED_AT 0x5000u
#define WORDS 64u

static struct host_kernels kernels;
static uint8_t l1[TX_L1_BYTES];
static char root[32];
static long files;

static uint32_t code_word(uint32_t i) { return (i + 1000) * 2654435761u | 3u; }

/* The executable of a source whose first line is `line` lines below that of elf_builder.h. */
static void write_elf(const char *directory, const char *source, unsigned line) {
  static const uint8_t name[] = "kernel.c";
  uint32_t text[WORDS];
  struct built b;
  char path[128];
  for (uint32_t i = 0; i < WORDS; i++) text[i] = code_word(i);
  build_elf(&b, &(struct built_options){.base = LINKED_AT, .text = text, .words = WORDS, .dwarf = 4});
  for (uint32_t i = 0; i + sizeof name <= b.size; i++)
    if (!memcmp(b.bytes + i, name, sizeof name)) memcpy(b.bytes + i, source, sizeof name);
  for (uint32_t i = 4 * WORDS; i + 3 <= b.size; i++) /* the row of the first line: see put_lines */
    if (b.bytes[i] == 3 && b.bytes[i + 1] == 9 && b.bytes[i + 2] == 1) b.bytes[i + 1] = (uint8_t)(9 + line);
  snprintf(path, sizeof path, "%s/%s", root, directory);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/%s/brisc", root, directory);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/%s/brisc/brisc.elf", root, directory);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(b.bytes, 1, b.size, out), b.size);
  assert_int_equal(fclose(out), 0);
  struct timeval written = {1000000, 10 * ++files}; /* the next file is newer, in the same second */
  assert_int_equal(utimes(path, (struct timeval[]){written, written}), 0);
}

static char *no_variable(const char *name) {
  (void)name;
  return NULL;
}

static int begin(void **state) {
  (void)state;
  snprintf(root, sizeof root, "/tmp/tessera-twins-XXXXXX");
  memset(l1, 0, sizeof l1);
  for (uint32_t i = 0; i < WORDS; i++) {
    uint32_t word = code_word(i);
    memcpy(&l1[0x9000 + 4 * i], &word, sizeof word);
  }
  return mkdtemp(root) ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  char command[64];
  host_kernels_free(&kernels);
  snprintf(command, sizeof command, "rm -r %s", root);
  return system(command);
}

static void expect(const char *where, const char *line) {
  uint32_t pcs[TX_CORES] = {[TX_CORE_BRISC] = 0x9004};
  struct dbg_source source;
  char text[160];
  host_kernels_init(&kernels, root, no_variable);
  host_kernels_find_at(&kernels, l1, pcs);
  assert_string_equal(host_kernels_place(&kernels, TX_CORE_BRISC, 0x9004)->where, where);
  dbg_program_source(&kernels.program, TX_CORE_BRISC, 0x9004, &source);
  dbg_source_text(&source, text, sizeof text);
  assert_string_equal(text, line);
}

static void both_sources_are_named(void **state) {
  (void)state;
  write_elf("1", "frst.cpp", 0);
  write_elf("2", "scnd.cpp", 6);
  expect("main+0x4 (scnd.cpp:18) or frst.cpp:12", "scnd.cpp:18 or frst.cpp:12");
  assert_string_equal(kernels.names[TX_CORE_BRISC], "2/brisc/brisc.elf");
  assert_string_equal(kernels.twin_names[TX_CORE_BRISC][0], "1/brisc/brisc.elf");
  assert_null(kernels.twin_names[TX_CORE_BRISC][1]);
}

/* A cache keeps the files of earlier versions of a source: the newest is the present one. */
static void an_old_version_is_not_named(void **state) {
  (void)state;
  write_elf("1", "frst.cpp", 0);
  write_elf("2", "frst.cpp", 6);
  expect("main+0x4 (frst.cpp:18)", "frst.cpp:18");
  assert_string_equal(kernels.names[TX_CORE_BRISC], "2/brisc/brisc.elf");
  assert_null(kernels.twin_names[TX_CORE_BRISC][0]);
}

static void the_newest_of_many_are_named(void **state) {
  (void)state;
  char directory[8], source[] = "srcA.cpp";
  for (unsigned i = 0; i < 6; i++) {
    snprintf(directory, sizeof directory, "%u", i);
    source[3] = (char)('A' + i);
    write_elf(directory, source, i);
  }
  expect("main+0x4 (srcF.cpp:17) or srcE.cpp:16 or srcD.cpp:15 or srcC.cpp:14",
         "srcF.cpp:17 or srcE.cpp:16 or srcD.cpp:15 or srcC.cpp:14");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(both_sources_are_named, begin, end),
      cmocka_unit_test_setup_teardown(an_old_version_is_not_named, begin, end),
      cmocka_unit_test_setup_teardown(the_newest_of_many_are_named, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
