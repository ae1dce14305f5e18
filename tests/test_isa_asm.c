/* The assembler: its language, compared word by word with encodings worked out by hand, and the text of its errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensix/isa/asm.h"
#include "tensix/isa/dis.h"

/* Thread 0 of `text` is exactly the words up to WORDS_END. */
#define WORDS_END 0xdeadbeefu
static void assert_words(const char *text, ...) {
  struct tx_asm out;
  if (!tx_asm(&out, "t.tta", text, strlen(text))) fail_msg("%u: %s", out.errors[0].line, out.errors[0].message);
  va_list words;
  va_start(words, text);
  size_t count = 0;
  for (uint32_t word; (word = va_arg(words, uint32_t)) != WORDS_END; count++) {
    assert_true(count < out.threads[0].count);
    assert_int_equal(out.threads[0].words[count], word);
  }
  va_end(words);
  assert_int_equal(out.threads[0].count, count);
  tx_asm_free(&out);
}

static void test_spellings(void **state) {
  (void)state;
  assert_words("ttmvmul 3,1,7,1023", 0x26c9c3ffu, WORDS_END);
  assert_words("MVMUL 3, 1, 7, 1023", 0x26c9c3ffu, WORDS_END);
  assert_words("  TtMvMul 3,1 , 7,0x3FF ; comment", 0x26c9c3ffu, WORDS_END);
  assert_words("TTI_MVMUL(3, 1, 7, 1023);", 0x26c9c3ffu, WORDS_END);
  assert_words("TT_OP_MVMUL(3,1,7,0b1111111111) // comment", 0x26c9c3ffu, WORDS_END);
  assert_words("TTI_NOP;\nTTI_SFPNOP\r\nTT_NOP()", 0x02000000u, 0x8f000000u, 0x02000000u, WORDS_END);
  assert_words("ttreplay 16,16,0,1", 0x04040101u, WORDS_END);
  assert_words("", WORDS_END);
  assert_words("# nothing\n\n\t; here\n// at all", WORDS_END);
}

static void test_named_operands(void **state) {
  (void)state;
  assert_words("ttmvmul dst=8", 0x26000008u, WORDS_END);
  assert_words("ttmvmul 3, dst=8, addr_mode=5", 0x26c14008u, WORDS_END);
  assert_words("ttsetadcxy 4,0,0,0,0,11,thread_override=1", 0x5184000bu, WORDS_END);
  assert_words("ttsetrwc BitMask=15, rwc_cr=8", 0x3720000fu, WORDS_END); /* the vendor's capitals */
  assert_words("ttrmwcib1 CfgRegAddr=4, Mask=0xf0, Data=0x50", 0xb4f05004u, WORDS_END);
  assert_words("ttsfpabs 0,1,2,1", 0x7d000121u, WORDS_END); /* an operand without bits keeps its position */
}

static void test_expressions(void **state) {
  (void)state;
  assert_words(".word 1 + 2 * 3 - 8 / 2 % 3", 6u, WORDS_END);
  assert_words(".word 1 << 4 | 0xff & ~0xf ^ 1 << 1", 0xf2u, WORDS_END); /* C's order: (1<<4) | ((0xff & ~0xf) ^ (1<<1)) */
  assert_words(".word 1 | 6 & 8, 1 ^ 3 & 4, 1 | 3 ^ 1, 5 & 3 << 1, 1 << 1 + 1, 2 + 3 * 4", 1u, 1u, 3u, 4u, 4u, 14u,
               WORDS_END);
  assert_words(".word 8 - 3 - 2, 64 >> 2 >> 1, 100 / 5 / 2, 17 % 10 * 2, -1 + 2", 3u, 8u, 10u, 14u, 1u, WORDS_END);
  assert_words(".word (1 + 2) * (3 + 4), -(-5), - - 5, ~~7, +3", 21u, 5u, 5u, 7u, 3u, WORDS_END);
}

static void test_expression_limits(void **state) {
  (void)state;
  assert_words(".word (0xffffffff << 20 >> 20), -7 / 2 + 10, -7 >> 1 & 0xff", 0xffffffffu, 7u, 0xfcu, WORDS_END);
  assert_words("ttsfpiadd -1,2,3,4\nttsfploadi 1,2,-2", 0x79fff234u, 0x7112fffeu, WORDS_END);
}

static void test_constants_and_labels(void **state) {
  (void)state;
  assert_words(".equ N, 4\n.equ TWICE, N * 2\nttsetrwc 0,0,TWICE,N,0,0", 0x37021000u, WORDS_END);
  assert_words("ttreplay 0, end - start, 0, 1\nstart: ttnop\nttnop\nend: ttnop", 0x04000021u, 0x02000000u, 0x02000000u,
               0x02000000u, WORDS_END);
  assert_words("a: b: .word a, b, c\nc:", 0u, 0u, 3u, WORDS_END);
  assert_words(".word LATER\n.equ LATER, 9", 9u, WORDS_END); /* known after the first pass */
  assert_words("ttsetrwc p_setrwc::CLR_AB, p_setrwc.CR_D, 0, 0, 0, p_setrwc::SET_ABD_F", 0x37d0000fu, WORDS_END);
  assert_words("ttstallwait p_stall::STALL_MATH, p_stall::SRCA_VLD | p_stall::SRCB_VLD", 0xa2200180u, WORDS_END);
  assert_words("TTI_SEMPOST(semaphore::t6_sem(semaphore::MATH_PACK)); ttsempost\nttsempost t6_sem(1 + 6)", 0xa4000008u,
               0xa4000200u, WORDS_END);
  assert_words("ttsfpmov 0 /*imm*/, ckernel::p_sfpu::LREG3 /* c */, p_sfpu::LREG4, 0 // x", 0x7c000340u, WORDS_END);
  assert_words("ttsempost 1 << semaphore.MATH_PACK\nttatgetm mutex::SFPU", 0xa4000008u, 0xa0000004u, WORDS_END);
}

static void test_config_names(void **state) {
  (void)state;
  assert_words("ttsetc16 DEST_TARGET_REG_CFG_MATH_Offset, 512", 0xb2010200u, WORDS_END);
  assert_words("ttsetc16 ADDR_MOD_AB_SEC0_SrcAIncr + 1, 8 << ADDR_MOD_AB_SEC0_SrcBIncr.shift", 0xb20d0800u, WORDS_END);
  assert_words("ttsetc16 ADDR_MOD_AB_SEC0_SrcBIncr_ADDR32, ADDR_MOD_AB_SEC0_SrcBIncr_MASK", 0xb20c3f00u, WORDS_END);
  assert_words(".word ADDR_MOD_AB_SEC0_SrcBIncr_SHAMT, ADDR_MOD_AB_SEC0_SrcBIncr.width, ADDR_MOD_AB_SEC0_SrcBIncr.addr", 8u,
               6u, 12u, WORDS_END);
  assert_words("ttwrcfg 5, p_cfg::WRCFG_32b, SCRATCH_SEC0_val", 0xb00500d1u, WORDS_END);
  assert_words(".equ R, SCRATCH_SEC0_val\nttrdcfg 5, R", 0xb10500d1u, WORDS_END);
}

static void test_raw_words(void **state) {
  (void)state;
  assert_words(".ttinsn 0x26ffffff, 1", 0x26ffffffu, 1u, WORDS_END);
  assert_words(".word 0xffffffff", 0xffffffffu, WORDS_END);
  assert_words(".stream 0x98050000, 0x4600002d", 0x26014000u, 0x5180000bu, WORDS_END);
}

static void test_threads(void **state) {
  (void)state;
  const char *text = "ttnop\n.thread 2\nx: .word 7\n.thread 1\ny: .word x, y\n.thread 2\n.word z\nz:";
  struct tx_asm out;
  assert_true(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_int_equal(out.threads[0].count, 1);
  assert_int_equal(out.threads[1].count, 2);
  assert_int_equal(out.threads[2].count, 2);
  assert_int_equal(out.threads[2].words[1], 2); /* labels count the words of their thread */
  assert_int_equal(out.threads[2].lines[0], 3);
  assert_int_equal(out.threads[2].lines[1], 7);
  tx_asm_free(&out);
}

/* --- errors --- */

static void assert_error(const char *text, const char *expected) {
  struct tx_asm out;
  char shown[1024];
  assert_false(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_int_equal(out.error_count, 1);
  size_t length = tx_asm_explain(&out.errors[0], text, strlen(text), shown, sizeof shown);
  assert_string_equal(shown, expected);
  assert_int_equal(length, strlen(expected));
  tx_asm_free(&out);
}

static void test_operand_errors(void **state) {
  (void)state;
  assert_error("ttnop\n  ttmvmul 0,0,9,0\n", "t.tta:2:15: error: addr_mode is 9, must be 0 to 7\n"
                                             "    ttmvmul 0,0,9,0\n"
                                             "                ^\n");
  assert_error("ttmvmul 0,0,0,1000 + 24", "t.tta:1:15: error: dst is 1024, must be 0 to 1023\n"
                                          "  ttmvmul 0,0,0,1000 + 24\n"
                                          "                ^~~~~~~~~\n");
  assert_error("ttmvmul 0,0,0", "t.tta:1:1: error: MVMUL takes 4 operands, 3 given: dst is missing\n"
                                "  ttmvmul 0,0,0\n"
                                "  ^~~~~~~\n");
  assert_error("ttmvmul 0,0,0,0,0", "t.tta:1:17: error: MVMUL takes 4 operands\n"
                                    "  ttmvmul 0,0,0,0,0\n"
                                    "                  ^\n");
  assert_error("ttmvmul dst=1, 2",
               "t.tta:1:16: error: expected name=value, since a field was given by name before, not '2'\n"
               "  ttmvmul dst=1, 2\n"
               "                 ^\n");
  assert_error("ttmvmul dst=1, dst=2", "t.tta:1:16: error: this field has its value already\n"
                                       "  ttmvmul dst=1, dst=2\n"
                                       "                 ^~~\n");
  assert_error("ttmvmul color=1", "t.tta:1:9: error: MVMUL has no field 'color'\n"
                                  "  ttmvmul color=1\n"
                                  "          ^~~~~\n");
  assert_error("ttsfpabs 1,0,0,0", "t.tta:1:10: error: imm12_math must be 0: the hardware uses no bit of it\n"
                                   "  ttsfpabs 1,0,0,0\n"
                                   "           ^\n");
  assert_error("ttsfpiadd -2049,0,0,0", "t.tta:1:11: error: imm12_math is -2049, must be -2048 to 4095\n"
                                        "  ttsfpiadd -2049,0,0,0\n"
                                        "            ^~~~~\n");
  assert_error("ttnop 0", "t.tta:1:7: error: NOP takes 0 operands\n"
                          "  ttnop 0\n"
                          "        ^\n");
}

static void test_syntax_errors(void **state) {
  (void)state;
  assert_error("ttmvmull 0", "t.tta:1:1: error: unknown instruction 'ttmvmull'; did you mean MVMUL?\n"
                             "  ttmvmull 0\n"
                             "  ^~~~~~~~\n");
  assert_error("frobnicate", "t.tta:1:1: error: unknown instruction 'frobnicate'\n"
                             "  frobnicate\n"
                             "  ^~~~~~~~~~\n");
  assert_error("\tttmvmul 0,,0,0", "t.tta:1:12: error: expected a number, a name or '(', not ','\n"
                                   "  \tttmvmul 0,,0,0\n"
                                   "  \t          ^\n");
  assert_error("ttmvmul 0,0,0,", "t.tta:1:15: error: expected a number, a name or '('\n"
                                 "  ttmvmul 0,0,0,\n"
                                 "                ^\n");
  assert_error("ttmvmul 0 0", "t.tta:1:11: error: expected ',' or the end of the line, not '0'\n"
                              "  ttmvmul 0 0\n"
                              "            ^\n");
  assert_error("TTI_MVMUL 0,0,0,0", "t.tta:1:11: error: expected '(', not '0'\n"
                                    "  TTI_MVMUL 0,0,0,0\n"
                                    "            ^\n");
  assert_error("TTI_MVMUL(0,0,0,0", "t.tta:1:18: error: expected ',' or ')'\n"
                                    "  TTI_MVMUL(0,0,0,0\n"
                                    "                   ^\n");
  assert_error(".word (1 + 2", "t.tta:1:7: error: this parenthesis is not closed\n"
                               "  .word (1 + 2\n"
                               "        ^\n");
  assert_error("= 3", "t.tta:1:1: error: expected an instruction, a directive or a label, not '='\n"
                      "  = 3\n"
                      "  ^\n");
  assert_error("ttnop \x80", "t.tta:1:7: error: unexpected character\n"
                             "  ttnop \\x80\n"
                             "        ^~~~\n");
  assert_error("ttnop /* and so on", "t.tta:1:7: error: this comment does not end on its line\n"
                                     "  ttnop /* and so on\n"
                                     "        ^~\n");
  assert_error("ttsempost t6_sem(8)", "t.tta:1:11: error: a semaphore is 0 to 7\n"
                                      "  ttsempost t6_sem(8)\n"
                                      "            ^~~~~~\n");
  assert_error(".org 5",
               "t.tta:1:1: error: unknown directive; there are .thread .equ .word .ttinsn .stream .store .poll .sync\n"
               "  .org 5\n"
               "  ^~~~\n");
}

static void test_value_errors(void **state) {
  (void)state;
  assert_error(".word 12q", "t.tta:1:7: error: bad digit in a number\n"
                            "  .word 12q\n"
                            "        ^~~\n");
  assert_error(".word 0x", "t.tta:1:7: error: number without digits\n"
                           "  .word 0x\n"
                           "        ^~\n");
  assert_error(".word 4294967296", "t.tta:1:7: error: number does not fit in 32 bits\n"
                                   "  .word 4294967296\n"
                                   "        ^~~~~~~~~~\n");
  assert_error(".word 7 / (2 - 2)", "t.tta:1:9: error: division by zero\n"
                                    "  .word 7 / (2 - 2)\n"
                                    "          ^\n");
  assert_error(".word 1 << 64", "t.tta:1:9: error: a shift is by 0 to 63\n"
                                "  .word 1 << 64\n"
                                "          ^~\n");
  assert_error(".word 1 << 62 << 1", "t.tta:1:15: error: the value does not fit in 64 bits\n"
                                     "  .word 1 << 62 << 1\n"
                                     "                ^~\n");
  assert_error(".word -1", "t.tta:1:7: error: a word is 0 to 0xffffffff\n"
                           "  .word -1\n"
                           "        ^~\n");
  assert_error(".ttinsn 0xc0000000", "t.tta:1:9: error: a word from 0xc0000000 on has no .ttinsn form; use .word\n"
                                     "  .ttinsn 0xc0000000\n"
                                     "          ^~~~~~~~~~\n");
  assert_error(".stream 0x13", "t.tta:1:9: error: this is a RISC-V instruction: its low two bits are 11\n"
                               "  .stream 0x13\n"
                               "          ^~~~\n");
  assert_error(".thread 3", "t.tta:1:9: error: a thread is 0, 1 or 2\n"
                            "  .thread 3\n"
                            "          ^\n");
  assert_error(".thread x", "t.tta:1:9: error: expected a thread: 0, 1 or 2, not 'x'\n"
                            "  .thread x\n"
                            "          ^\n");
}

static void test_name_errors(void **state) {
  (void)state;
  assert_error(".word nothing", "t.tta:1:7: error: unknown name 'nothing'\n"
                                "  .word nothing\n"
                                "        ^~~~~~~\n");
  assert_error(".word p_setrwc::CLR_AA", "t.tta:1:7: error: unknown name 'p_setrwc::CLR_AA'; did you mean p_setrwc.CLR_A?\n"
                                         "  .word p_setrwc::CLR_AA\n"
                                         "        ^~~~~~~~~~~~~~~~\n");
  assert_error("a:\n\na: ttnop", "t.tta:3:1: error: this name is already defined on line 1\n"
                                 "  a: ttnop\n"
                                 "  ^\n");
  assert_error("a: a: ttnop", "t.tta:1:4: error: this name is already defined on line 1\n"
                              "  a: a: ttnop\n"
                              "     ^\n");
  assert_error(".equ ADDR_MOD_0, 1", "t.tta:1:6: error: this name is predefined\n"
                                     "  .equ ADDR_MOD_0, 1\n"
                                     "       ^~~~~~~~~~\n");
  assert_error(".equ a.b, 1", "t.tta:1:6: error: a name to define is made of letters, digits and _\n"
                              "  .equ a.b, 1\n"
                              "       ^~~\n");
  assert_error(".word B\n.equ B, 1 + end\nend:", "t.tta:1:7: error: used before it has a value: 'B'\n"
                                                 "  .word B\n"
                                                 "        ^\n");
  assert_error("ttsetc16 SCRATCH_SEC0_val, 1", "t.tta:1:10: error: this is a Config register; SETC16 writes ThreadConfig\n"
                                               "  ttsetc16 SCRATCH_SEC0_val, 1\n"
                                               "           ^~~~~~~~~~~~~~~~\n");
  assert_error("ttwrcfg 0,0,1 + CFG_STATE_ID_StateID",
               "t.tta:1:13: error: this is a ThreadConfig register; only SETC16 writes those\n"
               "  ttwrcfg 0,0,1 + CFG_STATE_ID_StateID\n"
               "              ^~~~~~~~~~~~~~~~~~~~~~~~\n");
}

/* Each wrong line is reported, once, with its own number; the words after it keep their place. */
static void test_several_errors(void **state) {
  (void)state;
  const char *text = "ttmvmul 9,0,0,0\nttnop\nwhat\nttmvmul end,0,0,0\nend: ttnop x\n";
  struct tx_asm out;
  assert_false(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_int_equal(out.error_count, 3);
  assert_int_equal(out.errors[0].line, 1);
  assert_int_equal(out.errors[0].column, 9);
  assert_int_equal(out.errors[1].line, 3);
  assert_int_equal(out.errors[2].line, 5); /* end is 3: fits clear_dvalid */
  assert_false(out.more_errors);
  tx_asm_free(&out);
}

static void append(char *text, size_t size, const char *more) {
  size_t length = strlen(text);
  snprintf(text + length, size - length, "%s", more);
}

static void test_error_limit(void **state) {
  (void)state;
  char text[1024] = "";
  for (int i = 0; i < 30; i++) append(text, sizeof text, "ttbad\n");
  struct tx_asm out;
  assert_false(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_int_equal(out.error_count, TX_ASM_ERRORS_MAX);
  assert_int_equal(out.errors[19].line, 20);
  assert_true(out.more_errors);
  tx_asm_free(&out);
}

/* The first pass may stop early only at lines that fail in the second pass too. */
static void test_late_names(void **state) {
  (void)state;
  char text[4096] = "";
  for (int i = 0; i < 30; i++) append(text, sizeof text, "ttsempost t6_sem(later - 1)\n.word 8 / later\n");
  append(text, sizeof text, ".equ later, 1\n");
  struct tx_asm out;
  assert_true(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_int_equal(out.threads[0].count, 60);
  tx_asm_free(&out);
  /* after 21 errors a name is not said to be unknown: it may be defined in what was not read */
  char more[4096] = "ttsempost t6_sem(after)\n";
  for (int i = 0; i < 30; i++) append(more, sizeof more, "ttbad\n");
  append(more, sizeof more, ".equ after, 1\n");
  assert_false(tx_asm(&out, "t.tta", more, strlen(more)));
  assert_int_equal(out.error_count, TX_ASM_ERRORS_MAX);
  assert_int_equal(out.errors[0].line, 2);
  tx_asm_free(&out);
}

static void test_nesting_limit(void **state) {
  (void)state;
  char text[40000] = ".word ";
  memset(text + 6, '(', 30000);
  struct tx_asm out;
  assert_false(tx_asm(&out, "t.tta", text, strlen(text)));
  assert_string_equal(out.errors[0].message, "the expression is nested too deep");
  assert_int_equal(out.errors[0].column, 7 + 64);
  tx_asm_free(&out);
}

/* A window of a long line is shown, with the caret at the place. */
static void test_long_lines(void **state) {
  (void)state;
  char text[600] = ".word 1", shown[1024];
  for (int i = 0; i < 100; i++) append(text, sizeof text, " + 1");
  append(text, sizeof text, " + x");
  for (int i = 0; i < 40; i++) append(text, sizeof text, " + 1");
  struct tx_asm out;
  assert_false(tx_asm(&out, "t.tta", text, strlen(text)));
  tx_asm_explain(&out.errors[0], text, strlen(text), shown, sizeof shown);
  const char *line = strchr(shown, '\n') + 1, *marks = strchr(line, '\n') + 1;
  assert_true(marks - line <= 124);
  assert_int_equal(line[strchr(marks, '^') - marks], 'x');
  tx_asm_free(&out);
}

/* --- a whole program --- */

static char *read_text(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("cannot read %s: run the tests from the top directory", path);
  char *text = calloc(1, 65536);
  *length = fread(text, 1, 65535, file);
  fclose(file);
  return text;
}

static void test_matmul(void **state) {
  (void)state;
  /* address modes of LLK's matmul, in the layout of RWCs.md */
  static const uint32_t setup[] = {0x10184000u, 0x3700000fu, 0xb20c0800u, 0xb21c0008u, 0xb20d4010u,
                                   0xb21d0008u, 0xb20e6040u, 0xb21e0008u, 0xb2107060u, 0xb2200400u,
                                   0xb2118080u, 0xb2212800u, 0xa3200008u, 0x04040101u};
  static const uint32_t stream[] = {0x98000000u, 0x98010000u, 0x98000000u, 0x98020000u, 0x98000000u, 0x98010000u,
                                    0x98000000u, 0x98040000u, 0x98000000u, 0x98010000u, 0x98000000u, 0x98020000u,
                                    0x98000000u, 0x98010000u, 0x98000000u, 0x98050000u};
  size_t length;
  char *text = read_text("tests/asm/matmul.tta", &length);
  struct tx_asm out;
  if (!tx_asm(&out, "matmul.tta", text, length)) fail_msg("%u: %s", out.errors[0].line, out.errors[0].message);
  assert_int_equal(out.threads[0].count, 5);
  assert_int_equal(out.threads[1].count, 14 + 16 + 5);
  assert_int_equal(out.threads[2].count, 7);
  for (unsigned i = 0; i < 14; i++) assert_int_equal(out.threads[1].words[i], setup[i]);
  for (unsigned i = 0; i < 16; i++) assert_int_equal(tx_word_to_stream(out.threads[1].words[14 + i]), stream[i]);
  assert_int_equal(out.threads[1].words[31], 0x04040100u);
  assert_int_equal(tx_word_to_stream(out.threads[2].words[0]), 0x4600002du);
  assert_int_equal(tx_word_to_stream(out.threads[2].words[1]), 0x5200003du);
  tx_asm_free(&out);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_named_operands),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_expression_limits),
      cmocka_unit_test(test_constants_and_labels),
      cmocka_unit_test(test_config_names),
      cmocka_unit_test(test_raw_words),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_operand_errors),
      cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_value_errors),
      cmocka_unit_test(test_name_errors),
      cmocka_unit_test(test_several_errors),
      cmocka_unit_test(test_error_limit),
      cmocka_unit_test(test_late_names),
      cmocka_unit_test(test_nesting_limit),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_matmul),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
