/* The verbs asm, dis and isa, called as main calls them: their output, its stream, and their exit codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tensix/isa/isa.h"

#define TEXT_MAX (1u << 20)

static char out[TEXT_MAX], err[TEXT_MAX];

static void read_back(FILE *file, char *text) {
  rewind(file);
  size_t length = fread(text, 1, TEXT_MAX - 1, file);
  text[length] = '\0';
  fclose(file);
}

/* Runs the verb with the arguments up to NULL and `input` on standard input; leaves its output in out and err. */
static int run(const struct cli_verb *verb, const char *input, ...) {
  char *argv[16] = {NULL};
  int argc = 0;
  va_list args;
  va_start(args, input);
  while ((argv[argc] = va_arg(args, char *)) != NULL) argc++;
  va_end(args);
  FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
  int kept[3];
  fputs(input, files[0]);
  fflush(NULL);
  rewind(files[0]);
  for (int i = 0; i < 3; i++) {
    kept[i] = dup(i);
    dup2(fileno(files[i]), i);
  }
  int code = cli_call(verb, argc, argv);
  fflush(NULL);
  for (int i = 0; i < 3; i++) {
    dup2(kept[i], i);
    close(kept[i]);
  }
  fclose(files[0]);
  read_back(files[1], out);
  read_back(files[2], err);
  return code;
}

static void test_dis_words(void **state) {
  (void)state;
  assert_int_equal(run(&cli_dis, "", "dis", "--stream", "98050000", "dc00003c", "4600002d", NULL), CLI_OK);
  assert_string_equal(out, "        ttmvmul 0,0,5,0                  ; 26014000\n"
                           "        ttsetrwc 0,0,0,0,0,15            ; 3700000f\n"
                           "        ttsetadcxy 4,0,0,0,0,11          ; 5180000b\n");
  assert_string_equal(err, "");
  assert_int_equal(run(&cli_dis, "", "dis", "0x10184000", "26FFFFFF", NULL), CLI_OK);
  assert_string_equal(out, "        ttzeroacc 3,0,0,1,0              ; 10184000\n"
                           "        .ttinsn 0x26ffffff ; MVMUL: unused bits 0x00363c00 are set\n");
}

static void test_dis_fields_and_json(void **state) {
  (void)state;
  assert_int_equal(run(&cli_dis, "", "dis", "--fields", "b2010200", NULL), CLI_OK);
  assert_string_equal(out, "        ttsetc16 1,512                   ; b2010200  setc16_reg=1 setc16_value=512 "
                           "(DEST_TARGET_REG_CFG_MATH_Offset=512)\n");
  assert_int_equal(run(&cli_dis, ".thread 2\n04040101\n", "dis", "-", "--json", NULL), CLI_OK);
  assert_string_equal(out,
                      "[\n  {\"thread\": 2, \"word\": \"04040101\", \"text\": \"ttreplay 16,16,0,1\", \"name\": \"REPLAY\", "
                      "\"fields\": {\"start_idx\": 16, \"len\": 16, \"execute_while_loading\": 0, \"load_mode\": 1}}\n]\n");
  assert_int_equal(run(&cli_dis, "", "dis", "-", "--json", NULL), CLI_OK);
  assert_string_equal(out, "[]\n");
}

/* Lines as the vendor's objdump prints them; a RISC-V instruction among them. */
static void test_dis_objdump_lines(void **state) {
  (void)state;
  const char *text = "6404:  98000000   ttmvmul  0,0,0,0    ; clear_dvalid=0\n"
                     "6408:\t98010000 \tttmvmul\t0,0,1,0\n"
                     "640c:  00112623   sw ra,12(sp)\n";
  assert_int_equal(run(&cli_dis, text, "dis", "--stream", "-", NULL), CLI_OK);
  assert_string_equal(out, "        ttmvmul 0,0,0,0                  ; 26000000\n"
                           "        ttmvmul 0,0,1,0                  ; 26004000\n"
                           "        ; 00112623 is a RISC-V instruction\n");
}

static void test_dis_case(void **state) {
  (void)state;
  const char *text =
      "case one\ntag unit=x\nl1 20000 00\ncore 1\nstore FFB80008 02000000\npush 02000000 26000000\nsync\nend\n";
  assert_int_equal(run(&cli_dis, text, "dis", "-", NULL), CLI_OK);
  assert_string_equal(out, "; case one\n"
                           "        ; MopCfg[2] = 02000000  ttnop\n"
                           ".thread 1\n"
                           "        ttnop                            ; 02000000\n"
                           "        ttmvmul 0,0,0,0                  ; 26000000\n");
}

static void test_asm_formats(void **state) {
  (void)state;
  const char *text = ".thread 1\nttmvmul 0,0,5,0\nttsetadcxy 4,0,0,0,0,11\n";
  assert_int_equal(run(&cli_asm, text, "asm", "-", NULL), CLI_OK);
  assert_string_equal(out, ".thread 1\n26014000\n5180000b\n");
  assert_int_equal(run(&cli_asm, text, "asm", "-", "--format", "stream", NULL), CLI_OK);
  assert_string_equal(out, ".thread 1\n98050000\n4600002d\n");
  assert_int_equal(run(&cli_asm, text, "asm", "--format=case", "-", NULL), CLI_OK);
  assert_string_equal(out, "core 1\npush 26014000 5180000B\n");
  assert_int_equal(run(&cli_asm, text, "asm", "--format", "bin", "-", NULL), CLI_OK);
  const char bytes[] = {0x00, 0x40, 0x01, 0x26, 0x0b, 0x00, (char)0x80, 0x51};
  assert_memory_equal(out, bytes, 8);
}

/* The sample programs through asm, dis, and asm again, in each form. */
static void assert_comes_back(const char *path) {
  static char words[TEXT_MAX], middle[TEXT_MAX];
  static const char *const forms[][2] = {{"words", "--fields"}, {"stream", "--stream"}, {"case", "--fields"}};
  assert_int_equal(run(&cli_asm, "", "asm", path, NULL), CLI_OK);
  memcpy(words, out, sizeof words);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(run(&cli_asm, "", "asm", path, "--format", forms[i][0], NULL), CLI_OK);
    memcpy(middle, out, sizeof middle);
    assert_int_equal(run(&cli_dis, middle, "dis", forms[i][1], "-", NULL), CLI_OK);
    memcpy(middle, out, sizeof middle);
    assert_int_equal(run(&cli_asm, middle, "asm", "-", NULL), CLI_OK);
    assert_string_equal(out, words);
  }
}

static void test_samples_come_back(void **state) {
  (void)state;
  assert_comes_back("tests/asm/matmul.tta");
  assert_comes_back("tests/asm/handshake.tta");
}

static void assert_bad(int code, const char *expected) {
  assert_int_equal(code, CLI_BAD_INPUT);
  assert_string_equal(err, expected);
  assert_string_equal(out, "");
}

static void test_bad_input(void **state) {
  (void)state;
  assert_bad(run(&cli_asm, "", "asm", NULL), "tessera asm: no file given; see tessera asm --help\n");
  assert_bad(run(&cli_asm, "", "asm", "no-such-file", NULL),
             "tessera asm: cannot read no-such-file: No such file or directory\n");
  assert_bad(run(&cli_asm, "", "asm", "tests", NULL), "tessera asm: cannot read tests: it is a directory\n");
  assert_bad(run(&cli_asm, "", "asm", "a", "b", NULL), "tessera asm: one file at a time: a and b\n");
  assert_bad(run(&cli_asm, "", "asm", "-", "--format", "elf", NULL),
             "tessera asm: unknown format 'elf': words, stream, case or bin\n");
  assert_bad(run(&cli_asm, "", "asm", "-", "--thread", "3", NULL), "tessera asm: --thread is 0, 1 or 2, not '3'\n");
  assert_bad(run(&cli_asm, "", "asm", "-", "-o", NULL), "tessera asm: -o needs a value\n");
  assert_bad(run(&cli_asm, "", "asm", "-", "--wat", NULL),
             "tessera asm: unknown option '--wat'; tessera asm --help lists them\n");
  assert_bad(run(&cli_asm, "ttnop", "asm", "-", "-o", "no/such/place", NULL),
             "tessera asm: cannot write no/such/place: No such file or directory\n");
  assert_bad(run(&cli_asm, ".word 0xc0000000", "asm", "-", "--format", "stream", NULL),
             "tessera asm: -:1: c0000000 has no stream form: the stream holds words below c0000000\n");
  const char *wrong = "ttmvmul 9,0,0,0\n";
  assert_bad(run(&cli_asm, wrong, "asm", "-", NULL), "<stdin>:1:9: error: clear_dvalid is 9, must be 0 to 3\n");
  assert_bad(run(&cli_asm, wrong, "asm", "--verbose", "-", NULL), "<stdin>:1:9: error: clear_dvalid is 9, must be 0 to 3\n"
                                                                  "  ttmvmul 9,0,0,0\n"
                                                                  "          ^\n");
  assert_bad(run(&cli_asm, "", "asm", "tests/asm/matmul.tta", "--format", "bin", NULL),
             "tessera asm: tests/asm/matmul.tta has words for several threads; choose one with --thread\n");
  assert_bad(run(&cli_dis, "", "dis", NULL), "tessera dis: no word or file given; see tessera dis --help\n");
  assert_bad(run(&cli_dis, "", "dis", "no-such-file", NULL),
             "tessera dis: 'no-such-file' is neither a word (up to eight hexadecimal digits) nor a file\n");
  assert_bad(run(&cli_dis, "\n frog 26\n", "dis", "-", NULL),
             "tessera dis: <stdin>:2:2: expected a hexadecimal word, not 'frog'\n");
  assert_bad(run(&cli_dis, ".thread x\n", "dis", "-", NULL),
             "tessera dis: <stdin>:1:9: expected a thread: 0, 1 or 2, not 'x'\n");
  assert_bad(run(&cli_dis, "\x01\x02\x03", "dis", "-", NULL),
             "tessera dis: <stdin>: 3 bytes is not a whole number of 4-byte words\n");
  assert_bad(run(&cli_isa, "", "isa", "MVMULL", NULL), "tessera isa: no instruction 'MVMULL'; did you mean MVMUL?\n");
  assert_bad(run(&cli_isa, "", "isa", "--wat", NULL),
             "tessera isa: unknown option '--wat'; tessera isa --help lists them\n");
}

static void test_help(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const struct cli_verb *verb;
  } verbs[] = {{"asm", &cli_asm}, {"dis", &cli_dis}, {"isa", &cli_isa}};
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(run(verbs[i].verb, "", verbs[i].name, "--help", NULL), CLI_OK);
    assert_non_null(strstr(out, "usage: tessera"));
    assert_non_null(strstr(out, "example: "));
    assert_string_equal(err, "");
  }
}

static unsigned rows_of_the_table(void) {
  unsigned count = 0;
  for (unsigned opcode = 0; opcode < 256; opcode++) count += tx_ops[opcode].name != NULL;
  return count;
}

static void test_isa_explains(void **state) {
  (void)state;
  assert_int_equal(run(&cli_isa, "", "isa", "ttmvmul", NULL), CLI_OK);
  assert_non_null(strstr(out, "MVMUL  0x26  matrix unit\n"));
  assert_non_null(strstr(out, "   31    24 23 22 21 20 19 18 17 16    14 13       10 9                           0\n"
                              "  +--------+-----+-----+--+-----+--------+-----------+-----------------------------+\n"
                              "  |00100110|  A  |     | B|     |    C   |           |              D              |\n"
                              "  +--------+-----+-----+--+-----+--------+-----------+-----------------------------+\n"
                              "  A  [23:22] clear_dvalid             0 to 3\n"
                              "  B  [19]    instr_mod19              0 to 1\n"
                              "  C  [16:14] addr_mode                0 to 7\n"
                              "  D  [9:0]   dst                      0 to 1023\n"));
  assert_non_null(strstr(out, "operands     ttmvmul clear_dvalid,instr_mod19,addr_mode,dst\n"));
  assert_int_equal(run(&cli_isa, "", "isa", NULL), CLI_OK);
  unsigned lines = 0;
  for (const char *c = out; *c; c++) lines += *c == '\n';
  assert_int_equal(lines, rows_of_the_table() + 2); /* an empty line, and the number of instructions that work */
}

/* The same as data: every instruction once, or those named. */
static void test_isa_json(void **state) {
  (void)state;
  assert_int_equal(run(&cli_isa, "", "isa", "--json", "ttnop", NULL), CLI_OK);
  assert_true(strncmp(out, "[\n{\"name\":\"NOP\",\"opcode\":2,\"unit\":\"misc unit\",\"state\":\"works\"", 59) == 0);
  assert_non_null(strstr(out, "\"fields\":[]}\n]\n"));
  assert_int_equal(run(&cli_isa, "", "isa", "--json", NULL), CLI_OK);
  unsigned count = 0;
  for (const char *at = out; (at = strstr(at, "{\"name\":\"")) != NULL; at++)
    if (strncmp(at - 1, "\n", 1) == 0) count++;
  assert_int_equal(count, rows_of_the_table());
  assert_int_equal(run(&cli_isa, "", "isa", "--json", "--json", NULL), CLI_OK); /* listed twice: still all of them */
  assert_true(strlen(out) > 10000 && strncmp(out, "[\n{", 3) == 0);
  assert_int_equal(run(&cli_isa, "", "isa", "--json", "--markdown", NULL), CLI_BAD_INPUT);
  assert_int_equal(run(&cli_isa, "", "isa", "--json", "UNPACR", NULL), CLI_OK);
  assert_non_null(strstr(out, "\"latency_cycles\":null,"));
  assert_int_equal(run(&cli_isa, "", "isa", "MVMUL", "--json", "NOP", NULL), CLI_OK);
  assert_non_null(strstr(out, "{\"name\":\"clear_dvalid\",\"low_bit\":22,\"width\":2}"));
}

/* --- the committed documents match the rows --- */

static void assert_current(const char *path, const char *option) {
  static char text[TEXT_MAX];
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("cannot read %s: run the tests from the top directory", path);
  read_back(file, text);
  assert_int_equal(run(&cli_isa, "", "isa", option, NULL), CLI_OK);
  assert_true(strlen(out) > 1000 && strlen(out) < TEXT_MAX - 1);
  if (strcmp(text, out) != 0) fail_msg("%s is out of date: run make docs", path);
}

static void test_documents_are_current(void **state) {
  (void)state;
  assert_current("docs/reference/isa.md", "--markdown");
  assert_current("docs/evidence/coverage.md", "--coverage-markdown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dis_words),
      cmocka_unit_test(test_dis_fields_and_json),
      cmocka_unit_test(test_dis_objdump_lines),
      cmocka_unit_test(test_dis_case),
      cmocka_unit_test(test_asm_formats),
      cmocka_unit_test(test_samples_come_back),
      cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_isa_explains),
      cmocka_unit_test(test_isa_json),
      cmocka_unit_test(test_documents_are_current),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
