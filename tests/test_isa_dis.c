/* The disassembler against words of published listings (docs/evidence/sources.md), and against the assembler: every word round-trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "scale.h"
#include "tensix/isa/asm.h"
#include "tensix/isa/dis.h"
#include "tensix/isa/encode.h"

static void assert_dis(uint32_t word, const char *expected) {
  char text[TX_DIS_MAX];
  size_t length = tx_dis(word, text, sizeof text);
  assert_string_equal(text, expected);
  assert_int_equal(length, strlen(expected));
}

/* Words as the RISC-V stream holds them. */
static void test_stream_words_of_listings(void **state) {
  (void)state;
  assert_dis(tx_stream_to_word(0x98000000u), "ttmvmul 0,0,0,0");
  assert_dis(tx_stream_to_word(0x98010000u), "ttmvmul 0,0,1,0");
  assert_dis(tx_stream_to_word(0x98020000u), "ttmvmul 0,0,2,0");
  assert_dis(tx_stream_to_word(0x98040000u), "ttmvmul 0,0,4,0");
  assert_dis(tx_stream_to_word(0x98050000u), "ttmvmul 0,0,5,0");
  assert_dis(tx_stream_to_word(0xdc00003cu), "ttsetrwc 0,0,0,0,0,15");
  assert_dis(tx_stream_to_word(0x4600002du), "ttsetadcxy 4,0,0,0,0,11");
  assert_dis(tx_stream_to_word(0x5200003du), "ttsetadczw 4,0,0,0,0,15");
}

/* Words as they are stored to INSTRN_BUF. */
static void test_plain_words_of_listings(void **state) {
  (void)state;
  assert_dis(0x10184000u, "ttzeroacc 3,0,0,1,0");
  assert_dis(0x3700000fu, "ttsetrwc 0,0,0,0,0,15");
}

static void test_named_fields(void **state) {
  (void)state;
  assert_dis(0x5104000bu, "ttsetadcxy 0,0,0,0,0,11,thread_override=1");
  assert_dis(0x50030000u, "ttsetadc 0,0,0,0,thread_override=3");
  assert_dis(0x63400000u, "ttatswap 0,0,0,0,single_data_reg=1");
  assert_dis(0x02000000u, "ttnop");
}

static void test_raw_words(void **state) {
  (void)state;
  assert_dis(0x26ffffffu, ".ttinsn 0x26ffffff ; MVMUL: unused bits 0x00363c00 are set");
  assert_dis(0x00000000u, ".ttinsn 0x00000000 ; unknown opcode 0x00");
  assert_dis(0x2a000001u, ".ttinsn 0x2a000001 ; unknown opcode 0x2a");
  assert_dis(0xc0000000u, ".word 0xc0000000 ; unknown opcode 0xc0"); /* has no .ttinsn form */
}

static void assert_fields(uint32_t word, const char *expected) {
  char text[TX_DIS_MAX];
  tx_dis_fields(word, text, sizeof text);
  assert_string_equal(text, expected);
}

static void test_fields_and_registers(void **state) {
  (void)state;
  assert_fields(0x02000000u, "");
  assert_fields(0x26ffffffu, "");
  assert_fields(0x26c14008u, "clear_dvalid=3 instr_mod19=0 addr_mode=5 dst=8");
  assert_fields(0xb2010200u, "setc16_reg=1 setc16_value=512 (DEST_TARGET_REG_CFG_MATH_Offset=512)");
  assert_fields(0xb20c4810u, "setc16_reg=12 setc16_value=18448 (ADDR_MOD_AB_SEC0_SrcAIncr=16 ADDR_MOD_AB_SEC0_SrcACR=0 "
                             "ADDR_MOD_AB_SEC0_SrcAClear=0 ADDR_MOD_AB_SEC0_SrcBIncr=8 ADDR_MOD_AB_SEC0_SrcBCR=1 "
                             "ADDR_MOD_AB_SEC0_SrcBClear=0)");
  assert_fields(0xb2ff0000u, "setc16_reg=255 setc16_value=0 (no field there)");
  assert_fields(0xb00500d1u, "gpr_address=5 wr128b=0 cfg_reg=209 (SCRATCH_SEC0_val)");
  assert_fields(0xb301ff04u, "mask=1 data=255 cfg_reg_addr=4 (STATE_RESET_EN=1)");
  assert_fields(0x7d000121u, "lreg_c=1 lreg_dest=2 instr_mod1=1"); /* imm12_math has no bit: nothing to show */
}

/* A text that does not fit is cut and terminated, and the returned length is the length needed. */
static void test_short_buffers(void **state) {
  (void)state;
  char text[8] = "zzzzzzz";
  assert_int_equal(tx_dis(0x26014000u, text, sizeof text), 15);
  assert_string_equal(text, "ttmvmul");
  assert_int_equal(tx_dis(0x26014000u, NULL, 0), 15);
  assert_int_equal(tx_dis_fields(0x26014000u, text, 4), strlen("clear_dvalid=0 instr_mod19=0 addr_mode=5 dst=0"));
  assert_string_equal(text, "cle");
  for (uint32_t opcode = 0; opcode < 256; opcode++) { /* no text outgrows TX_DIS_MAX */
    for (uint32_t low = 0; low < 0x100; low++) {
      assert_true(tx_dis((opcode << 24) | (tx_ops[opcode].used & 0xffffffu), NULL, 0) < TX_DIS_MAX);
      assert_true(tx_dis_fields((opcode << 24) | 0xffff00u | low, NULL, 0) < TX_DIS_MAX);
      assert_true(tx_dis_fields((opcode << 24) | (low << 16) | 0xffffu, NULL, 0) < TX_DIS_MAX);
    }
  }
}

static uint32_t next_random(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32);
}

#define BATCH 4096u

/* Assembles the disassembly of all words at once and compares. */
static void assert_comes_back(const uint32_t *words, size_t count) {
  static char text[BATCH * 320];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    used += tx_dis(words[i], text + used, sizeof text - used);
    assert_true(used + 2 < sizeof text);
    text[used++] = '\n';
  }
  struct tx_asm out;
  if (!tx_asm(&out, "text", text, used)) {
    char why[1024];
    tx_asm_explain(&out.errors[0], text, used, why, sizeof why);
    fail_msg("%s", why);
  }
  assert_int_equal(out.threads[0].count, count);
  for (size_t i = 0; i < count; i++) {
    if (out.threads[0].words[i] != words[i]) fail_msg("%08x came back as %08x", words[i], out.threads[0].words[i]);
    assert_int_equal(out.threads[0].lines[i], i + 1);
  }
  tx_asm_free(&out);
}

/* Every instruction with random fields, then random words. */
static void test_round_trip(void **state) {
  (void)state;
  static uint32_t words[BATCH];
  uint64_t seed = 1, rounds = test_scaled(200), total = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    size_t count = 0;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
      for (unsigned i = 0; i < 8 && tx_ops[opcode].name; i++) {
        uint32_t fields = i == 0 ? 0 : i == 1 ? 0xffffffu : next_random(&seed);
        words[count++] = ((uint32_t)opcode << 24) | (fields & tx_ops[opcode].used & 0xffffffu);
        assert_true(tx_is_instruction(words[count - 1]));
      }
    }
    assert_true(count >= 8 * 100 && count <= sizeof words / sizeof *words - 1024);
    for (unsigned i = 0; i < 1024; i++) words[count++] = next_random(&seed);
    assert_comes_back(words, count);
    total += count;
  }
  print_message("note: %llu words disassembled and assembled again, none changed\n", (unsigned long long)total);
}

/* The decoder against the encoder, field by field, for every value of every field. */
static void test_fields_round_trip(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (unsigned opcode = 0; opcode < 256; opcode++) {
    const struct tx_op *op = &tx_ops[opcode];
    for (unsigned f = 0; op->name && f < op->field_count; f++) {
      const struct tx_field *field = &tx_op_fields(op)[f];
      for (unsigned i = 0; i < 64; i++) {
        uint32_t value = next_random(&seed) & (uint32_t)tx_field_max(field);
        int64_t values[16] = {0};
        uint32_t word;
        values[f] = value;
        assert_null(tx_encode(op, values, &word));
        assert_int_equal(word, ((uint32_t)opcode << 24) | value << field->lo);
        assert_int_equal(tx_field_get(field, word), value);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stream_words_of_listings),
      cmocka_unit_test(test_plain_words_of_listings),
      cmocka_unit_test(test_named_fields),
      cmocka_unit_test(test_raw_words),
      cmocka_unit_test(test_fields_and_registers),
      cmocka_unit_test(test_short_buffers),
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_fields_round_trip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
