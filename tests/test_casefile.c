/* The reader of conformance cases: good input, and no crash for any input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/source.h"
#include "load/casefile.h"
#include "scale.h"

static char path[] = "/tmp/tessera_case_XXXXXX";

static void write_file(const void *bytes, size_t length) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, length, f), length);
  fclose(f);
}

static const char example[] = "# a comment\n"
                              "case one\n"
                              "tag unit=x inst=MVMUL+ELWADD mode=m\n"
                              "unknownword is ignored\n"
                              "l1 20000 0102ff\n"
                              "fill 20010 4 cc\n"
                              "core 2\n"
                              "push 2000000 26000000\n"
                              "store ffe00000 5\n"
                              "wait ffe00000 ff 5\n"
                              "sync\n"
                              "copy ffe00000 20020\n"
                              "expect 20000 0102\n"
                              "expectfill 20010 4 cc\n"
                              "end\n"
                              "case two\nend\n";

static void reads_every_statement(void **state) {
  (void)state;
  char error[256];
  struct conform_case c;
  write_file(example, sizeof example - 1);
  struct cli_source source;
  assert_true(cli_source_open(&source, path, error, sizeof error));
  struct case_reader *r = case_open(path, cli_source_read, &source);
  assert_non_null(r);
  assert_int_equal(case_next(r, &c, error, sizeof error), 1);
  assert_string_equal(c.name, "one");
  assert_int_equal(c.line, 2);
  assert_int_equal(c.initial.count, 2);
  assert_int_equal(c.initial.items[0].length, 3);
  assert_int_equal(c.bytes.data[c.initial.items[0].data + 2], 0xff);
  assert_int_equal(c.expected.count, 2);
  assert_true(c.expected.items[1].is_fill);
  assert_int_equal(c.core[2].count, 6);
  assert_int_equal(c.core[2].ops[1].a, 0x26000000);
  assert_int_equal(c.core[2].ops[3].kind, TX_SCRIPT_WAIT);
  assert_int_equal(c.core[2].ops[3].c, 5);
  assert_true(case_matches(&c, "unit=x"));
  assert_true(case_matches(&c, "ELWADD"));
  assert_true(case_matches(&c, "one"));
  assert_false(case_matches(&c, "ELW"));
  assert_false(case_matches(&c, "mode"));
  case_free(&c);
  assert_int_equal(case_next(r, &c, error, sizeof error), 1);
  assert_string_equal(c.name, "two");
  case_free(&c);
  assert_int_equal(case_next(r, &c, error, sizeof error), 0);
  case_close(r);
  cli_source_close(&source);
}

static uint64_t next(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

/* Mutated cases and noise: the reader accepts each one or rejects it with a line number. */
static void survives_any_bytes(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  char text[2 * sizeof example], error[256];
  for (uint64_t n = test_scaled(3000); n; n--) {
    size_t length = sizeof example - 1;
    memcpy(text, example, length);
    for (unsigned k = (unsigned)next(&seed) % 6; k; k--) text[next(&seed) % length] = (char)next(&seed);
    if (n % 3 == 0) length = next(&seed) % length;
    write_file(text, length);
    struct cli_source source;
    assert_true(cli_source_open(&source, path, error, sizeof error));
    struct case_reader *r = case_open(path, cli_source_read, &source);
    assert_non_null(r);
    struct conform_case c;
    int result;
    error[0] = '\0';
    while ((result = case_next(r, &c, error, sizeof error)) > 0) case_free(&c);
    if (result < 0) assert_non_null(strchr(error, ':'));
    case_close(r);
    cli_source_close(&source);
  }
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_statement),
      cmocka_unit_test(survives_any_bytes),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
