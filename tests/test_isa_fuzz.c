/* The assembler under random input: it must return, with error positions inside the text and words inside their bounds. Run under
 * the sanitizers too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scale.h"
#include "tensix/isa/asm.h"
#include "tensix/isa/dis.h"

#define TEXT_MAX 4096u

static uint64_t random_state = 88172645463325252u;

static uint32_t next_random(void) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)((random_state * UINT64_C(2685821657736338717)) >> 32);
}

static uint32_t below(uint32_t bound) { return (uint32_t)(((uint64_t)next_random() * bound) >> 32); }

static uint32_t count_lines(const char *text, size_t length) {
  uint32_t lines = 1;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
  return lines;
}

/* True when the text assembled. */
static bool run(const char *text, size_t length) {
  char *exact = malloc(length ? length : 1); /* so that a sanitizer detects a read past the end */
  struct tx_asm out;
  memcpy(exact, text, length);
  bool good = tx_asm(&out, "fuzz", exact, length);
  assert_int_equal(good, out.error_count == 0);
  assert_true(out.error_count <= TX_ASM_ERRORS_MAX);
  for (size_t i = 0; i < out.error_count; i++) {
    const struct tx_asm_error *error = &out.errors[i];
    char shown[1024];
    size_t needs = tx_asm_explain(error, exact, length, shown, sizeof shown);
    assert_true(error->line >= 1 && error->line <= count_lines(exact, length));
    assert_true(error->column >= 1 && error->column <= length + 1 && error->length >= 1);
    assert_true(strlen(error->message) > 0 && strchr(error->message, '\n') == NULL);
    assert_true(needs < sizeof shown && needs == strlen(shown));
    if (i) assert_true(error->line > out.errors[i - 1].line);
  }
  for (unsigned t = 0; t < TX_ASM_THREADS; t++) {
    for (size_t i = 0; i < out.threads[t].count; i++) {
      assert_true(out.threads[t].lines[i] >= 1 && out.threads[t].lines[i] <= count_lines(exact, length));
    }
  }
  tx_asm_free(&out);
  free(exact);
  return good;
}

static void test_random_bytes(void **state) {
  (void)state;
  static char text[TEXT_MAX];
  uint64_t rounds = test_scaled(6000);
  for (uint64_t i = 0; i < rounds; i++) {
    size_t length = below(400);
    for (size_t k = 0; k < length; k++) text[k] = (char)next_random();
    run(text, length);
  }
}

/* Pieces of the language in any order: gets past the lexer into every statement. */
static void test_random_tokens(void **state) {
  (void)state;
  static const char *const pieces[] = {"ttmvmul",
                                       "mvmul",
                                       "TTI_SETRWC(",
                                       "ttsetadcxy",
                                       "ttunpacr",
                                       "ttnop",
                                       "tt",
                                       "ttsfpabs",
                                       ".thread",
                                       ".equ",
                                       ".word",
                                       ".ttinsn",
                                       ".stream",
                                       ".",
                                       "p_setrwc::CLR_A",
                                       "ADDR_MOD_0",
                                       "p_stall.MATH",
                                       "x",
                                       "y",
                                       "end",
                                       "SCRATCH_SEC0_val",
                                       "CFG_STATE_ID_StateID.mask",
                                       "dst",
                                       "addr_mode",
                                       "thread_override",
                                       "0",
                                       "1",
                                       "2",
                                       "7",
                                       "0x",
                                       "0x3ff",
                                       "0b101",
                                       "4294967295",
                                       "99999999999",
                                       "(",
                                       ")",
                                       ",",
                                       ",",
                                       ",",
                                       ":",
                                       "::",
                                       "=",
                                       "+",
                                       "-",
                                       "*",
                                       "/",
                                       "%",
                                       "<<",
                                       ">>",
                                       "<",
                                       "&",
                                       "|",
                                       "^",
                                       "~",
                                       ";",
                                       "#",
                                       "//",
                                       "\n",
                                       "\n",
                                       "\n",
                                       " ",
                                       "\t",
                                       "\r",
                                       "\x80",
                                       "$"};
  static char text[TEXT_MAX];
  uint64_t rounds = test_scaled(8000), good = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    size_t length = 0, wanted = below(120);
    for (size_t k = 0; k < wanted && length + 40 < TEXT_MAX; k++) {
      const char *piece = pieces[below(sizeof pieces / sizeof pieces[0])];
      length += (size_t)snprintf(text + length, TEXT_MAX - length, "%s%s", piece, below(3) ? " " : "");
    }
    good += run(text, length);
  }
  assert_true(rounds < 1000 || good > 0);
}

/* A good program with a few bytes changed, lines cut, doubled or swapped. */
static size_t mutate(char *text, size_t length) {
  for (uint32_t edits = 1 + below(6); edits > 0 && length > 2; edits--) {
    size_t at = below((uint32_t)length), span = 1 + below(12);
    if (span > length - at) span = length - at;
    switch (below(5)) {
      case 0: text[at] = (char)next_random(); break;
      case 1: text[at] = "0123456789,=:+-()\n .#;"[below(22)]; break;
      case 2:
        memmove(text + at, text + at + span, length - at - span);
        length -= span;
        break;
      case 3:
        if (length + span > TEXT_MAX) break;
        memmove(text + at + span, text + at, length - at);
        length += span;
        break;
      default: {
        size_t other = below((uint32_t)length);
        char kept = text[at];
        text[at] = text[other];
        text[other] = kept;
      }
    }
  }
  return length;
}

static void test_mutated_programs(void **state) {
  (void)state;
  static char program[TEXT_MAX * 2], text[TEXT_MAX];
  FILE *file = fopen("tests/asm/matmul.tta", "rb");
  if (file == NULL) fail_msg("cannot read tests/asm/matmul.tta: run the tests from the top directory");
  size_t whole = fread(program, 1, sizeof program, file);
  fclose(file);
  assert_true(whole > 1000 && run(program, whole));
  uint64_t rounds = test_scaled(6000), good = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    size_t from = below(4) ? below((uint32_t)whole - 600) : 0, length = whole - from > TEXT_MAX ? TEXT_MAX : whole - from;
    memcpy(text, program + from, length);
    good += run(text, mutate(text, length));
  }
  assert_true(rounds < 1000 || good > 0);
  print_message("note: %llu of %llu mutated programs still assemble\n", (unsigned long long)good,
                (unsigned long long)rounds);
}

/* A table that is full is an error, not a crash; so is a program that is too long. */
static void test_full_tables(void **state) {
  (void)state;
  size_t size = 80000 * 12, length = 0;
  char *text = malloc(size);
  for (unsigned i = 0; i < 80000; i++) length += (size_t)snprintf(text + length, size - length, "l%u:\n", i);
  struct tx_asm out;
  assert_false(tx_asm(&out, "fuzz", text, length));
  assert_string_equal(out.errors[0].message, "more than 65536 names");
  assert_int_equal(out.error_count, 1); /* what follows would only repeat it */
  tx_asm_free(&out);
  free(text);
  assert_false(tx_asm(&out, "fuzz", "", (size_t)TX_ASM_TEXT_MAX + 1)); /* is rejected before it is read */
  assert_string_equal(out.errors[0].message, "the text is longer than 16 MiB");
  tx_asm_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_bytes),
      cmocka_unit_test(test_random_tokens),
      cmocka_unit_test(test_mutated_programs),
      cmocka_unit_test(test_full_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
