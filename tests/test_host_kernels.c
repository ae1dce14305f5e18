/* Finds the file of a core's code: code that was moved, code with words changed by a loader, and code of another file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/kernels.h"

#define LINKED_AT 0x5000u
#define WORDS 300u
#define HEADERS 84u /* ELF header and one program header */

static uint8_t file[HEADERS + 4 * WORDS], l1[0x20000];
static struct dbg_elf elf;

static void put32(uint8_t *at, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t code_word(uint32_t seed, uint32_t i) { return (i + 1000 * seed) * 2654435761u | 3u; }

/* An executable with one segment of code. System V gABI, chapters 4 and 5. */
static void build(uint32_t seed) {
  static const uint8_t identity[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  char why[128];
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
}

static void load(uint32_t seed, uint32_t address) {
  memset(l1, 0, sizeof l1);
  for (uint32_t i = 0; i < WORDS; i++) put32(&l1[address + 4 * i], code_word(seed, i));
}

static unsigned match(uint32_t pc, uint32_t *moved) { return host_kernel_match(&elf, l1, sizeof l1, pc, moved); }

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moved_code_is_found),
      cmocka_unit_test(changed_words_do_not_hide_it),
      cmocka_unit_test(other_code_is_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
