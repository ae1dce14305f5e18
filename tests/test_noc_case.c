/* The reader of NoC cases: valid input, its data pattern, and no crash on any input. */
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
#include "load/noc_case.h"
#include "scale.h"

static char path[] = "/tmp/tessera_noc_case_XXXXXX";

static void write_file(const void *bytes, size_t length) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, length, f), length);
  assert_int_equal(fclose(f), 0);
}

static const char example[] = "# comment\n"
                              "case noc_one_s1_0\n"
                              "tag src=document fam=read noc=1\n"
                              "mem 7 3 1000 0102ff\n"
                              "memfill 10 b 2000 20 cc\n"
                              "mempat 11 c 3000 11 7b0c64fa\n"
                              "hostpat 73b84f 14 16d891b4\n"
                              "reg d 7 ffb20100 2000\n"
                              "core 7 3 N\n"
                              "wait ffb30040 1 0\n"
                              "store ffb30000 4c8c8\n"
                              "copy ffb20264 83380\n"
                              "hw 2 a ffb30814 2cc\n"
                              "hmw 1 2 10 b ffb121b0 47800\n"
                              "hwait 2 a ffb30840 1 0\n"
                              "bar 4 123456789 00aa\n"
                              "until c b 37d80 ffffffff 576d2076\n"
                              "expect 7 3 1000 0102ff\n"
                              "expectpat 7 3 1000 4 5 6\n"
                              "expecthostfill 1000 10 0\n"
                              "expectreg 7 3 ffb30200 1 ff\n"
                              "expectbar 0 1a0e7dd 99\n"
                              "whatever it is\n"
                              "end\n"
                              "case noc_two_s1_0\ntag src=golden\nend\n";

static void reads_every_statement(void **state) {
  (void)state;
  char error[256];
  struct noc_case c;
  write_file(example, sizeof example - 1);
  struct cli_source source;
  assert_true(cli_source_open(&source, path, error, sizeof error));
  struct noc_case_reader *r = noc_case_open(path, cli_source_read, &source);
  assert_non_null(r);
  assert_int_equal(noc_case_next(r, &c, error, sizeof error), 1);
  assert_string_equal(c.name, "noc_one_s1_0");
  assert_true(c.document);
  assert_true(noc_case_matches(&c, "fam=read"));
  assert_int_equal(c.setup.count, 5);
  assert_int_equal(noc_case_byte(&c, &c.setup.items[0], 2), 0xff);
  assert_int_equal(noc_case_byte(&c, &c.setup.items[1], 5), 0xcc);
  assert_int_equal(c.setup.items[1].x, 16);
  /* The first bytes of this pattern are in the format's own example. */
  static const uint8_t first[] = {0x36, 0xaf, 0x5b, 0xb9, 0xeb, 0xdf, 0x01, 0x13};
  for (uint32_t k = 0; k < sizeof first; k++) assert_int_equal(noc_case_byte(&c, &c.setup.items[2], k), first[k]);
  assert_int_equal(c.setup.items[3].x, NOC_CASE_HOST);
  assert_int_equal(c.setup.items[4].value, 0x2000);
  assert_int_equal(c.program_count, 1);
  assert_int_equal(c.programs[0].core, 'N');
  assert_int_equal(c.programs[0].count, 3);
  assert_int_equal(c.programs[0].ops[2].kind, TX_SCRIPT_COPY);
  assert_int_equal(c.host.count, 4);
  assert_int_equal(c.host.items[1].x_end, 16);
  assert_true(c.host.items[3].address == 0x123456789);
  assert_int_equal(c.until.count, 1);
  assert_int_equal(c.expected.count, 5);
  assert_int_equal(c.expected.items[1].offset, 6);
  assert_int_equal(c.expected.items[3].mask, 0xff);
  noc_case_free(&c);
  assert_int_equal(noc_case_next(r, &c, error, sizeof error), 1);
  assert_false(c.document);
  noc_case_free(&c);
  assert_int_equal(noc_case_next(r, &c, error, sizeof error), 0);
  noc_case_close(r);
  cli_source_close(&source);
}

static void refuses(void **state) {
  (void)state;
  static const char *const bad[] = {
      "case noc_a\nend\n",                                              /* neither golden nor document */
      "case noc_a\ntag src=golden\nmem 40 3 1000 01\nend\n",            /* no such coordinate */
      "case noc_a\ntag src=golden\nstore 1 2\nend\n",                   /* outside a core block */
      "case noc_a\ntag src=golden\ncore 1 2 T0\nend\n",                 /* no such core */
      "case noc_a\ntag src=golden\ncore 1 2 B\ncore 1 2 B\nend\n",      /* twice */
      "case noc_a\ntag src=golden\nmem 1 2 1000 012\nend\n",            /* half a byte */
      "case noc_a\ntag src=golden\nbar 3 0 00\nend\n",                  /* no such BAR */
      "case noc_a\ntag src=golden\nmemfill 1 2 1000 ffffffff 0\nend\n", /* too long */
      "case noc_a\ntag src=golden\n",                                   /* cut */
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char error[256] = "";
    struct noc_case c;
    write_file(bad[i], strlen(bad[i]));
    struct cli_source source;
    assert_true(cli_source_open(&source, path, error, sizeof error));
    struct noc_case_reader *r = noc_case_open(path, cli_source_read, &source);
    assert_non_null(r);
    assert_int_equal(noc_case_next(r, &c, error, sizeof error), -1);
    assert_non_null(strchr(error, ':'));
    noc_case_close(r);
    cli_source_close(&source);
  }
}

static uint64_t next(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

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
    struct noc_case_reader *r = noc_case_open(path, cli_source_read, &source);
    assert_non_null(r);
    struct noc_case c;
    int result;
    error[0] = '\0';
    while ((result = noc_case_next(r, &c, error, sizeof error)) > 0) noc_case_free(&c);
    if (result < 0) assert_non_null(strchr(error, ':'));
    noc_case_close(r);
    cli_source_close(&source);
  }
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_statement),
      cmocka_unit_test(refuses),
      cmocka_unit_test(survives_any_bytes),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
