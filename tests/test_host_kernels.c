/* Finds the file of a core's code: code that was moved, code with words changed by a loader, and code of another file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/kernels.h"

#define LINKED_AT 0x5000u
#define WORDS 300u
#define HEADERS 84u /* ELF header and one program header */

static uint8_t file[HEADERS + 4 * WORDS], l1[0x20000];
static struct dbg_segment segment;

static void put32(uint8_t *at, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t code_word(uint32_t seed, uint32_t i) { return (i + 1000 * seed) * 2654435761u | 3u; }

/* An executable with one segment of code. System V gABI, chapters 4 and 5. */
static void build(uint32_t seed) {
  static const uint8_t identity[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  char why[128];
  struct dbg_elf elf;
  memset(file, 0, HEADERS);
  memcpy(file, identity, sizeof identity);
  put32(file + 16, 2u | 243u << 16); /* executable, RISC-V */
  put32(file + 20, 1);
  put32(file + 24, LINKED_AT);
  put32(file + 28, 52);              /* program headers */
  put32(file + 40, 52u | 32u << 16); /* header sizes */
  put32(file + 44, 1);
  put32(file + 52, 1); /* PT_LOAD */
  put32(file + 56, HEADERS);
  put32(file + 60, LINKED_AT);
  put32(file + 64, LINKED_AT);
  put32(file + 68, 4 * WORDS);
  put32(file + 72, 4 * WORDS);
  put32(file + 76, 5); /* read, execute */
  for (uint32_t i = 0; i < WORDS; i++) put32(file + HEADERS + 4 * i, code_word(seed, i));
  assert_true(dbg_elf_open(&elf, file, sizeof file, why, sizeof why));
  assert_true(dbg_elf_segment(&elf, 0, &segment));
}

static void load(uint32_t seed, uint32_t address) {
  memset(l1, 0, sizeof l1);
  for (uint32_t i = 0; i < WORDS; i++) put32(&l1[address + 4 * i], code_word(seed, i));
}

static unsigned match(uint32_t pc, uint32_t *moved) {
  struct host_kernel_code code = {&segment, 1};
  return host_kernel_match(&code, l1, sizeof l1, pc, moved);
}

static void moved_code_is_found(void **state) {
  (void)state;
  uint32_t moved = 0;
  build(1);
  load(1, 0x9000);
  for (uint32_t at = 0; at < WORDS; at += 37) {
    assert_true(match(0x9000 + 4 * at, &moved) >= 100);
    assert_int_equal(moved, 0x9000 - LINKED_AT);
  }
  load(1, 0x100); /* below its link address */
  assert_true(match(0x100, &moved) > 0);
  assert_int_equal(moved, 0x100u - LINKED_AT);
}

static void changed_words_do_not_hide_it(void **state) {
  (void)state;
  uint32_t moved = 0;
  build(1);
  load(1, 0x9000);
  for (uint32_t i = 0; i < WORDS; i += 15) put32(&l1[0x9000 + 4 * i], 0x13); /* one word in fifteen */
  assert_true(match(0x9000 + 4 * 150, &moved) >= 100);                       /* the pc itself is at a changed word */
  assert_int_equal(moved, 0x9000 - LINKED_AT);
}

static void other_code_is_not_taken(void **state) {
  (void)state;
  uint32_t moved = 0;
  build(1);
  load(2, 0x9000);
  assert_int_equal(match(0x9100, &moved), 0);
  for (uint32_t i = 50; i < 60; i++) put32(&l1[0x9000 + 4 * i], code_word(1, i)); /* ten equal words, the rest different */
  assert_int_equal(match(0x9000 + 4 * 52, &moved), 0);
  assert_int_equal(match(0xffb00000u, &moved), 0); /* outside L1 */
  assert_int_equal(match((uint32_t)sizeof l1 - 4, &moved), 0);
}

/* --- a directory of files --- */

static char root[32];

static void make_root(void) {
  snprintf(root, sizeof root, "/tmp/tessera-kernels-XXXXXX");
  assert_non_null(mkdtemp(root));
}

static void remove_root(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

static void write_elf(const char *name, const char *core, uint32_t seed) {
  char path[128];
  build(seed);
  snprintf(path, sizeof path, "%s/%s", root, name);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/%s/%s", root, name, core);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/%s/%s/%s.elf", root, name, core, core);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(file, 1, sizeof file, out), sizeof file);
  assert_int_equal(fclose(out), 0);
}

static char *no_variable(const char *name) {
  (void)name;
  return NULL;
}

/* The name of the file that BRISC's code is found in; NULL: none. */
static const char *found(struct host_kernels *kernels, uint32_t pc) {
  static struct tx_tile tile;
  uint32_t pcs[TX_CORES] = {0};
  pcs[TX_CORE_BRISC] = pc;
  memcpy(tile.l1, l1, sizeof l1);
  host_kernels_find_at(kernels, tile.l1, pcs);
  return kernels->program.loaded[TX_CORE_BRISC] ? kernels->names[TX_CORE_BRISC] : NULL;
}

/* The answer for a pc is that for the code which is there now, and for the files which were there when they were read. */
static void the_answer_follows_the_code(void **state) {
  (void)state;
  static struct host_kernels kernels;
  make_root();
  write_elf("first", "brisc", 1);
  write_elf("second", "brisc", 2);
  write_elf("third", "ncrisc", 3);
  host_kernels_init(&kernels, root, no_variable);
  for (unsigned round = 0; round < 3; round++) {
    load(1, 0x9000);
    assert_string_equal(found(&kernels, 0x9100), "first/brisc/brisc.elf");
    load(2, 0x9000);
    assert_string_equal(found(&kernels, 0x9100), "second/brisc/brisc.elf");
    load(3, 0x9000);
    assert_null(found(&kernels, 0x9100)); /* another core's file */
  }
  write_elf("fourth", "brisc", 3);
  host_kernels_forget(&kernels);
  assert_string_equal(found(&kernels, 0x9100), "fourth/brisc/brisc.elf");
  assert_null(found(&kernels, 0xffc00000u));
  host_kernels_free(&kernels);
  remove_root();
}

static const struct host_kernel_file *file_named(const struct host_kernels *kernels, const char *name) {
  for (size_t i = 0; i < kernels->files.count; i++)
    if (!strcmp(kernels->files.file[i]->name, name)) return kernels->files.file[i];
  return NULL;
}

/* After a report the directory is looked at again: what has not changed is not read again, what has changed or gone is. */
static void only_changed_files_are_read_again(void **state) {
  (void)state;
  static struct host_kernels kernels;
  char path[128];
  make_root();
  write_elf("same", "brisc", 1);
  write_elf("other", "brisc", 2);
  write_elf("gone", "brisc", 3);
  host_kernels_init(&kernels, root, no_variable);
  load(1, 0x9000);
  assert_string_equal(found(&kernels, 0x9100), "same/brisc/brisc.elf");
  const struct host_kernel_file *same = file_named(&kernels, "same/brisc/brisc.elf");
  assert_non_null(same->bytes); /* only the file that was found is whole in memory */
  assert_null(file_named(&kernels, "other/brisc/brisc.elf")->bytes);
  host_kernels_forget(&kernels);
  assert_null(same->bytes);
  write_elf("other", "brisc", 4); /* of the same size, perhaps within the same tick of the clock */
  snprintf(path, sizeof path, "%s/other/brisc/brisc.elf", root);
  assert_int_equal(utimes(path, (struct timeval[]){{1, 0}, {1, 0}}), 0);
  snprintf(path, sizeof path, "%s/gone/brisc/brisc.elf", root);
  assert_int_equal(remove(path), 0);
  assert_string_equal(found(&kernels, 0x9100), "same/brisc/brisc.elf");
  assert_ptr_equal(file_named(&kernels, "same/brisc/brisc.elf"), same);
  assert_int_equal(kernels.files.count, 2);
  load(2, 0x9000);
  assert_null(found(&kernels, 0x9100));
  load(3, 0x9000);
  assert_null(found(&kernels, 0x9100));
  load(4, 0x9000);
  assert_string_equal(found(&kernels, 0x9100), "other/brisc/brisc.elf");
  host_kernels_free(&kernels);
  remove_root();
}

/* Bytes that this process has read so far; 0: the system does not count them. */
static unsigned long long bytes_read(void) {
  FILE *counts = fopen("/proc/self/io", "r");
  unsigned long long bytes = 0;
  if (!counts) return 0;
  if (fscanf(counts, "rchar: %llu", &bytes) != 1) bytes = 0;
  fclose(counts);
  return bytes;
}

/* Most of a file are tables behind its code: they are read only of the file that is found. */
static void only_the_code_of_a_file_is_read(void **state) {
  (void)state;
  static struct host_kernels kernels;
  char path[128];
  make_root();
  write_elf("first", "brisc", 1);
  write_elf("large", "brisc", 2);
  snprintf(path, sizeof path, "%s/large/brisc/brisc.elf", root);
  assert_int_equal(truncate(path, 16 << 20), 0);
  host_kernels_init(&kernels, root, no_variable);
  load(1, 0x9000);
  unsigned long long before = bytes_read();
  assert_string_equal(found(&kernels, 0x9100), "first/brisc/brisc.elf");
  assert_true(bytes_read() - before < 1u << 20);
  load(2, 0x9000);
  assert_string_equal(found(&kernels, 0x9100), "large/brisc/brisc.elf");
  host_kernels_free(&kernels);
  remove_root();
}

/* A place is looked up once in a report, and again for other code, another core and the next report. */
static void a_place_is_looked_up_once(void **state) {
  (void)state;
  static struct host_kernels kernels;
  make_root();
  write_elf("first", "brisc", 1);
  write_elf("second", "brisc", 2);
  host_kernels_init(&kernels, root, no_variable);
  load(1, 0x9000);
  assert_non_null(found(&kernels, 0x9100));
  const struct host_kernel_place *place = host_kernels_place(&kernels, TX_CORE_BRISC, 0x9100);
  assert_string_equal(place->where, ""); /* these files have no symbols */
  assert_false(place->user || place->library);
  strcpy((char *)place->where, "kept");
  assert_string_equal(host_kernels_place(&kernels, TX_CORE_BRISC, 0x9100)->where, "kept");
  assert_string_equal(host_kernels_place(&kernels, TX_CORE_BRISC, 0x9104)->where, "");
  assert_string_equal(host_kernels_place(&kernels, 0, 0x9100)->where, "");
  load(2, 0x9000);
  assert_non_null(found(&kernels, 0x9100));
  assert_string_equal(host_kernels_place(&kernels, TX_CORE_BRISC, 0x9100)->where, "");
  load(1, 0x9000);
  assert_non_null(found(&kernels, 0x9100));
  strcpy((char *)host_kernels_place(&kernels, TX_CORE_BRISC, 0x9100)->where, "kept");
  host_kernels_forget(&kernels);
  assert_non_null(found(&kernels, 0x9100));
  assert_string_equal(host_kernels_place(&kernels, TX_CORE_BRISC, 0x9100)->where, "");
  host_kernels_free(&kernels);
  remove_root();
}

static struct tx_tile tile;
static void put_code(uint32_t seed, uint32_t address) {
  for (uint32_t i = 0; i < WORDS; i++) put32(&tile.l1[address + 4 * i], code_word(seed, i));
}

/* A core that has jumped out of all code is found by the jump; without one by its return address. */
static void a_wild_jump_does_not_hide_the_file(void **state) {
  (void)state;
  static struct host_kernels kernels;
  struct tx_core *c = &tile.core[TX_CORE_NCRISC];
  make_root();
  write_elf("kernel", "ncrisc", 1);
  host_kernels_init(&kernels, root, no_variable);
  memset(&tile, 0, sizeof tile);
  put_code(1, 0x9000);
  for (unsigned core = 0; core < TX_CORES; core++) tile.core[core].state = TX_CORE_HELD;
  c->state = TX_CORE_RUNNING;
  c->pc = 0xffb10000u;
  host_kernels_find(&kernels, &tile);
  assert_false(kernels.program.loaded[TX_CORE_NCRISC]);
  c->jump_from = 0x9100;
  host_kernels_find(&kernels, &tile);
  assert_true(kernels.program.loaded[TX_CORE_NCRISC]);
  assert_int_equal(kernels.program.moved[TX_CORE_NCRISC], 0x9000 - LINKED_AT);
  c->jump_from = 0x100; /* firmware without a file */
  c->x[1] = 0x9104;
  host_kernels_find(&kernels, &tile);
  assert_string_equal(kernels.names[TX_CORE_NCRISC], "kernel/ncrisc/ncrisc.elf");
  host_kernels_free(&kernels);
  remove_root();
}

/* The core is back in firmware while its thread waits at an instruction of the kernel: both files are found. */
static void a_thread_keeps_the_kernel_that_its_core_has_left(void **state) {
  (void)state;
  static struct host_kernels kernels;
  make_root();
  write_elf("firmware", "trisc2", 1);
  write_elf("kernel", "trisc2", 2);
  host_kernels_init(&kernels, root, no_variable);
  memset(&tile, 0, sizeof tile);
  put_code(1, 0x7000);
  put_code(2, 0xa000);
  for (unsigned core = 0; core < TX_CORES; core++) tile.core[core].state = TX_CORE_HELD;
  tile.core[2].state = TX_CORE_RUNNING;
  tile.core[2].pc = 0x7100;
  tile.gate[2].latch.pc = 0xa100;
  host_kernels_find(&kernels, &tile);
  assert_null(kernels.second_names[2]); /* an old latch: the thread does not wait */
  tile.engine.agents[tx_agent_of_thread(2)].wait.kind = TX_BLOCKED_SEMAPHORE;
  host_kernels_find(&kernels, &tile);
  assert_string_equal(kernels.names[2], "firmware/trisc2/trisc2.elf");
  assert_string_equal(kernels.second_names[2], "kernel/trisc2/trisc2.elf");
  assert_true(kernels.program.has_second[2]);
  assert_int_equal(kernels.program.second_moved[2], 0xa000 - LINKED_AT);
  tile.core[2].pc = 0xa200; /* one file for both */
  host_kernels_find(&kernels, &tile);
  assert_string_equal(kernels.names[2], "kernel/trisc2/trisc2.elf");
  assert_null(kernels.second_names[2]);
  host_kernels_free(&kernels);
  remove_root();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moved_code_is_found),
      cmocka_unit_test(changed_words_do_not_hide_it),
      cmocka_unit_test(other_code_is_not_taken),
      cmocka_unit_test(the_answer_follows_the_code),
      cmocka_unit_test(only_changed_files_are_read_again),
      cmocka_unit_test(only_the_code_of_a_file_is_read),
      cmocka_unit_test(a_place_is_looked_up_once),
      cmocka_unit_test(a_wild_jump_does_not_hide_the_file),
      cmocka_unit_test(a_thread_keeps_the_kernel_that_its_core_has_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
