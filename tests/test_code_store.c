/* The store of decoded lines: every line is found as it would be decoded, by several threads at once and until the store is full. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tensix/riscv/code.h"
#include "tensix/riscv/decode.h"

#define THREADS 4u
#define LINES 4000u

/* Few different words: many lines share a word, and some a hash. */
static void line_of(uint32_t number, uint32_t words[TX_IC_WORDS]) {
  for (unsigned i = 0; i < TX_IC_WORDS; i++, number /= 16)
    words[i] = 0x00100013u | number % 16 << 7 | (number / 65536u) << 20;
}

static bool is_decoded(const struct tx_code *code, uint32_t line, const uint32_t words[TX_IC_WORDS]) {
  for (unsigned i = 0; i < TX_IC_WORDS; i++) {
    const struct tx_insn d = tx_rv_decode(words[i]), *s = &code->line[line][i];
    if (s->word != d.word || s->imm != d.imm || s->op != d.op || s->class != d.class || s->rd != d.rd || s->rs1 != d.rs1)
      return false;
  }
  return true;
}

struct part {
  pthread_t thread;
  struct tx_code *code;
  unsigned first, wrong, full;
};

static void *look_up(void *context) {
  struct part *p = context;
  for (unsigned i = 0; i < 2 * LINES; i++) {
    uint32_t words[TX_IC_WORDS];
    line_of((p->first + 7 * i) % LINES, words);
    const uint32_t line = tx_code_find(p->code, words);
    p->full += !line;
    p->wrong += line && !is_decoded(p->code, line, words);
  }
  return NULL;
}

static void threads_find_the_same(void **state) {
  (void)state;
  struct part part[THREADS];
  struct tx_code *code = tx_code_create();
  assert_non_null(code);
  for (unsigned i = 0; i < THREADS; i++) {
    part[i] = (struct part){.code = code, .first = i % 2 * 13};
    assert_int_equal(pthread_create(&part[i].thread, NULL, look_up, &part[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(part[i].thread, NULL);
    assert_int_equal(part[i].wrong, 0);
    if (LINES * THREADS < TX_CODE_LINES) assert_int_equal(part[i].full, 0);
  }
  if (LINES * THREADS < TX_CODE_LINES) assert_in_range(code->count, LINES, LINES * THREADS);
  tx_code_destroy(code);
}

static void a_full_store_keeps_what_it_has(void **state) {
  (void)state;
  struct tx_code *code = tx_code_create();
  uint32_t words[TX_IC_WORDS] = {0x13, 0x13, 0x13, 0x13}, again;
  assert_non_null(code);
  for (uint32_t i = 1; i < TX_CODE_LINES; i++) {
    words[1] = i << 12 | 0x37u;
    words[2] = i >> 16;
    assert_int_equal(tx_code_find(code, words), i);
  }
  words[0] = 0x33;
  assert_int_equal(tx_code_find(code, words), 0);
  assert_int_equal(tx_code_find(code, words), 0);
  words[0] = 0x13;
  again = tx_code_find(code, words);
  assert_int_equal(again, TX_CODE_LINES - 1);
  assert_true(is_decoded(code, again, words));
  tx_code_destroy(code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_find_the_same),
      cmocka_unit_test(a_full_store_keeps_what_it_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
