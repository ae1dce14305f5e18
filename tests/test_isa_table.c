/* The rows of tensix.def and config.def: they do not overlap, and they agree with the instruction list in
 * tests/data/isa_blackhole.csv, which was collected from the documents independently of the rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tensix/isa/encode.h"
#include "tensix/isa/isa.h"

#define CSV "tests/data/isa_blackhole.csv"

static uint32_t field_bits(const struct tx_field *field) {
  return (uint32_t)((UINT64_C(1) << field->width) - 1) << field->lo;
}

/* --- the encoding --- */

static unsigned count_of_opcodes(void) {
  unsigned count = 0;
  for (unsigned i = 0; i < 256; i++) count += tx_ops[i].name != NULL;
  return count;
}

static void test_opcodes_are_distinct(void **state) {
  (void)state;
  unsigned seen[256] = {0}, total = 0;
#define INSN(opcode, ...) seen[opcode]++;
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
  for (unsigned i = 0; i < 256; i++) {
    assert_true(seen[i] <= 1);
    assert_int_equal(seen[i] == 1, tx_ops[i].name != NULL);
    if (tx_ops[i].name) assert_int_equal(tx_ops[i].opcode, i);
    total += seen[i];
  }
  assert_int_equal(total, count_of_opcodes());
}

static void test_fields_do_not_overlap(void **state) {
  (void)state;
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    if (op->name == NULL) continue;
    uint32_t used = 0xff000000u;
    unsigned above = 24;
    for (unsigned f = 0; f < op->field_count; f++) {
      const struct tx_field *field = &tx_op_fields(op)[f];
      assert_true(field->lo + field->width <= 24);
      assert_int_equal(used & field_bits(field), 0);
      assert_true(field->lo < above); /* most significant first */
      above = field->lo;
      used |= field_bits(field);
    }
    assert_int_equal(op->used, used);
  }
}

static void test_field_names_are_distinct(void **state) {
  (void)state;
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    assert_true(op->field_count <= 16); /* at most the assembler's FIELDS_MAX */
    for (unsigned f = 0; f < op->field_count; f++) {
      for (unsigned g = 0; g < f; g++) {
        assert_string_not_equal(tx_op_fields(op)[f].name, tx_op_fields(op)[g].name);
      }
    }
  }
}

static void test_unused_bits(void **state) {
  (void)state;
  assert_int_equal(tx_unused_bits(0x26c9c3ffu), 0); /* MVMUL with every field full */
  assert_int_equal(tx_unused_bits(0x26ffffffu), 0x00363c00u);
  assert_int_equal(tx_unused_bits(0x02000001u), 1u);
  assert_int_equal(tx_unused_bits(0x45ffffffu), 0); /* SETDMAREG uses every bit */
}

static void test_lookup_by_name(void **state) {
  (void)state;
  assert_ptr_equal(tx_op_by_name("MVMUL", 5), &tx_ops[0x26]);
  assert_ptr_equal(tx_op_by_name("sfp_stoch_rnd(", 13), &tx_ops[0x8e]);
  assert_null(tx_op_by_name("MVMU", 4));
  assert_null(tx_op_by_name("MVMULL", 6));
  assert_null(tx_op_by_name("", 0));
}

static void test_stream_form(void **state) {
  (void)state;
  assert_int_equal(tx_word_to_stream(0x26014000u), 0x98050000u);
  assert_int_equal(tx_word_to_stream(0x5180000bu), 0x4600002du);
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(tx_stream_to_word(tx_word_to_stream(1u << i)), 1u << i);
}

static void test_encode_checks_ranges(void **state) {
  (void)state;
  const struct tx_op *mvmul = &tx_ops[TX_MVMUL], *iadd = &tx_ops[TX_SFPIADD], *sfpabs = &tx_ops[TX_SFPABS];
  uint32_t word = 7;
  int64_t values[5] = {3, 1, 7, 1023};
  assert_null(tx_encode(mvmul, values, &word));
  assert_int_equal(word, 0x26c9c3ffu);
  values[3] = 1024;
  assert_string_equal(tx_encode(mvmul, values, &word)->name, "dst");
  values[2] = -1;
  assert_string_equal(tx_encode(mvmul, values, &word)->name, "addr_mode");
  assert_int_equal(word, 0x26c9c3ffu);
  int64_t minus[4] = {-1, 2, 3, 4}; /* immediates take two's complement */
  assert_null(tx_encode(iadd, minus, &word));
  assert_int_equal(word, 0x79fff234u);
  minus[0] = -2048;
  assert_null(tx_encode(iadd, minus, &word));
  assert_int_equal(word, 0x79800234u);
  minus[0] = -2049;
  assert_non_null(tx_encode(iadd, minus, &word));
  int64_t ignored[4] = {0, 2, 3, 1}; /* an operand of which the hardware uses no bit must be 0 */
  assert_null(tx_encode(sfpabs, ignored, &word));
  ignored[0] = 1;
  assert_string_equal(tx_encode(sfpabs, ignored, &word)->name, "imm12_math");
}

/* --- agreement with the list --- */

enum { OPCODE, MNEMONIC, UNIT, EX_RESOURCE, BLOCK_BITS, AUTO_WAIT, FIELDS_USED, FIELDS_YAML, TIMING, COLUMNS };

static void split_csv(char *line, char *column[COLUMNS]) {
  for (unsigned i = 0; i < COLUMNS; i++) {
    bool quoted = *line == '"';
    if (quoted) line++;
    column[i] = line;
    line += strcspn(line, quoted ? "\"" : ",\r\n");
    if (*line) *line++ = '\0';
    if (quoted && *line == ',') line++;
  }
}

static void for_each_row(void (*check)(const struct tx_op *op, char *column[COLUMNS])) {
  static char line[4096];
  FILE *file = fopen(CSV, "r");
  unsigned rows = 0;
  if (file == NULL) fail_msg("cannot read " CSV ": run the tests from the top directory");
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    char *column[COLUMNS];
    split_csv(line, column);
    check(&tx_ops[strtoul(column[OPCODE], NULL, 16) & 0xff], column);
    rows++;
  }
  fclose(file);
  assert_int_equal(rows, count_of_opcodes()); /* the vendor's list and tensix.def have the same instructions */
}

static bool named(const struct tx_op *op, const char *const *names) {
  for (; *names; names++) {
    if (strcmp(op->name, *names) == 0) return true;
  }
  return false;
}

static void check_names_and_units(const struct tx_op *op, char *column[COLUMNS]) {
  static const struct {
    const char *begins;
    enum tx_unit unit;
  } units[] = {{"Sync", TX_UNIT_SYNC},           {"Unpackers", TX_UNIT_UNPACK},  {"Matrix", TX_UNIT_MATRIX},
               {"Packer", TX_UNIT_PACK},         {"Vector", TX_UNIT_VECTOR},     {"Scalar", TX_UNIT_SCALAR},
               {"Mover", TX_UNIT_MOVER},         {"Frontend", TX_UNIT_FRONTEND}, {"Misc", TX_UNIT_MISC},
               {"Configuration", TX_UNIT_CONFIG}};
  bool found = false;
  assert_string_equal(op->name, column[MNEMONIC]);
  for (unsigned i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strncmp(column[UNIT], units[i].begins, strlen(units[i].begins)) != 0) continue;
    assert_int_equal(op->unit, units[i].unit);
    found = true;
  }
  assert_true(found);
}

static void check_block_bits(const struct tx_op *op, char *column[COLUMNS]) {
  const char *text = column[BLOCK_BITS];
  uint32_t block = 0;
  if (strcmp(text, "all9") == 0) block = TX_BLOCK_ALL9;
  else if (strcmp(text, "any") == 0) block = TX_BLOCK_BITS;
  else {
    for (; *text; text++) {
      if (*text == 'B') block |= 1u << (text[1] - '0');
    }
  }
  assert_int_equal(op->block, block);
}

/* The list states which Src banks an instruction waits for; "undocumented" ones have no rule. */
static void check_waits(const struct tx_op *op, char *column[COLUMNS]) {
  const char *text = column[AUTO_WAIT];
  uint32_t wait = 0;
  if (strstr(text, "SrcA") && strstr(text, "valid")) wait |= TX_WAIT_SRCA;
  if (strstr(text, "SrcB") && strstr(text, "valid")) wait |= TX_WAIT_SRCB;
  if (strstr(text, "mutex")) wait |= TX_WAIT_MUTEX;
  if (strstr(text, "owned by Unpackers")) wait |= TX_WAIT_UNPACK_BANK;
  assert_int_equal(op->wait, wait);
}

/* Reads "name[hi:lo]" or "name[bit]" at or after `text`; returns the rest of the text, or NULL. */
static const char *read_range(const char *text, unsigned *hi, unsigned *lo) {
  const char *open = strchr(text, '[');
  char *end;
  if (open == NULL) return NULL;
  *hi = *lo = (unsigned)strtoul(open + 1, &end, 10);
  if (*end == ':') *lo = (unsigned)strtoul(end + 1, &end, 10);
  assert_int_equal(*end, ']');
  return end + 1;
}

static void check_used_bits(const struct tx_op *op, char *column[COLUMNS]) {
  static const char *const other_ranges[] = {"STOREIND", /* Size/mode[22:21] is two operands in the vendor's macro */
                                             "REPLAY",   /* len needs bit 9 to encode 32, as kernels and golden cases do */
                                             NULL};
  uint32_t used = 0xff000000u;
  unsigned hi, lo, ranges = 0, fields = 0, exact = 0;
  for (const char *text = column[FIELDS_USED]; (text = read_range(text, &hi, &lo)) != NULL; ranges++) {
    used |= (uint32_t)((UINT64_C(2) << hi) - (UINT64_C(1) << lo));
    for (unsigned f = 0; f < op->field_count; f++) {
      const struct tx_field *field = &tx_op_fields(op)[f];
      exact += field->lo == lo && field->lo + field->width == hi + 1;
    }
  }
  for (unsigned f = 0; f < op->field_count; f++) fields += tx_op_fields(op)[f].width > 0;
  if (op->opcode == TX_REPLAY) used |= 0x200u;
  if (op->used != used) fail_msg("%s uses %08x, the list says %08x", op->name, op->used, used);
  if (!named(op, other_ranges)) {
    assert_int_equal(ranges, fields);
    assert_int_equal(exact, fields);
  }
}

static bool same_name(const char *ours, const char *theirs, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (theirs[i] == '_') continue;
    while (*ours == '_') ours++;
    if (*ours++ != tolower((unsigned char)theirs[i])) return false;
  }
  return *ours == '\0';
}

/* The operands of the vendor's macros are the fields of assembly.yaml, most significant first: ours have the same places and
 * names, and are at most as wide. */
static void check_operand_list(const struct tx_op *op, char *column[COLUMNS]) {
  static const char *const other_names[] = {"MOP",      /* zmask_lo16_or_loop_count: the override is unverified */
                                            "SETADCZW", /* named Ch0_X although it selects Z */
                                            "INCADCZW", "ADDRCRZW", NULL};
  unsigned hi, lo, count = 0, index = op->field_count;
  const char *text = column[FIELDS_YAML];
  for (const char *next; (next = read_range(text, &hi, &lo)) != NULL; text = next, count++) {
    do {
      assert_true(index > 0);
      index--;
    } while (tx_op_fields(op)[index].named_only);
    const struct tx_field *field = &tx_op_fields(op)[index];
    while (*text == ' ') text++;
    if (field->lo != lo || field->lo + field->width > hi + 1) fail_msg("%s.%s is misplaced", op->name, field->name);
    if (!named(op, other_names) && !same_name(field->name, text, strcspn(text, "["))) {
      fail_msg("%s.%s is called %.*s", op->name, field->name, (int)strcspn(text, "["), text);
    }
  }
  while (index > 0) assert_true(tx_op_fields(op)[--index].named_only);
}

/* "1/clk; 5 ..." and "1; ..." state issue and latency plainly; other wordings are for the reader. */
static void check_timing(const struct tx_op *op, char *column[COLUMNS]) {
  const char *text = column[TIMING];
  if (strncmp(text, "1/clk; ", 7) == 0 && isdigit((unsigned char)text[7])) {
    assert_int_equal(op->issue_cycles, 1);
    assert_int_equal(op->latency_cycles, text[7] - '0');
  } else if (strncmp(text, "0.5/clk; ", 9) == 0) {
    assert_int_equal(op->issue_cycles, 2);
    assert_int_equal(op->latency_cycles, text[9] - '0');
  } else if (strncmp(text, "2; 1/clk", 8) == 0) {
    assert_int_equal(op->issue_cycles, 1);
    assert_int_equal(op->latency_cycles, 2);
  } else if (strncmp(text, "undocumented", 12) == 0) assert_int_equal(op->timing_evidence, TX_INFERRED);
}

static void test_names_and_units(void **state) {
  (void)state;
  for_each_row(check_names_and_units);
}
static void test_block_bits(void **state) {
  (void)state;
  for_each_row(check_block_bits);
}
static void test_waits(void **state) {
  (void)state;
  for_each_row(check_waits);
}
static void test_used_bits(void **state) {
  (void)state;
  for_each_row(check_used_bits);
}
static void test_operand_lists(void **state) {
  (void)state;
  for_each_row(check_operand_list);
}
static void test_timing(void **state) {
  (void)state;
  for_each_row(check_timing);
}

/* Every row names the source of its figures and its meaning. */
static void test_every_row_has_its_source(void **state) {
  (void)state;
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    if (op->name == NULL) continue;
    assert_true(strlen(op->semantics) > 0 && strlen(op->spec) > 0 && strlen(op->timing_source) > 0);
    assert_true(op->issue_cycles > 0);
    if (op->state == TX_OP_UNDOC) assert_int_equal(op->evidence, TX_INFERRED);
    if (op->timing_evidence == TX_SILICON) assert_non_null(strstr(op->timing_source, "silicon"));
  }
}

/* --- configuration registers --- */

static void test_config_fields(void **state) {
  (void)state;
  static uint32_t used[2][256];
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *field = &tx_config_fields[i];
    unsigned bits = field->thread ? 16 : 32, words = field->width > 32 ? field->width / 32u : 1;
    assert_true(field->addr + words <= (field->thread ? 68u : 224u));
    assert_true(field->width > 0 && (words > 1 || field->shift + field->width <= bits));
    for (unsigned w = 0; w < words; w++) {
      uint32_t mask = field->width >= 32 ? 0xffffffffu : ((1u << field->width) - 1) << field->shift;
      if (used[field->thread][field->addr + w] & mask) fail_msg("%s overlaps", field->name);
      used[field->thread][field->addr + w] |= mask;
    }
    for (size_t k = 0; k < i; k++) {
      if (strcmp(field->name, tx_config_fields[k].name) == 0) fail_msg("%s twice", field->name);
    }
  }
}

/* Addresses that documents name. */
static void test_config_landmarks(void **state) {
  (void)state;
  assert_int_equal(TX_CFG_CFG_STATE_ID_StateID_ADDR, 0);
  assert_int_equal(TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 1);
  assert_int_equal(TX_CFG_DISABLE_IMPLIED_SRCA_FMT_Base_ADDR, 2);
  assert_int_equal(TX_CFG_DISABLE_IMPLIED_SRCB_FMT_Base_ADDR, 3);
  assert_int_equal(TX_CFG_CLR_DVALID_SrcA_Disable_ADDR, 7);
  assert_int_equal(TX_CFG_FIDELITY_BASE_Phase_ADDR, 11);
  assert_int_equal(TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR, 12);
  assert_int_equal(TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR, 28);
  assert_int_equal(TX_CFG_ADDR_MOD_DST_SEC7_FidelityClear_ADDR, 35);
  assert_int_equal(TX_CFG_ADDR_MOD_DST_SEC7_FidelityClear_SHIFT, 15);
  assert_int_equal(TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR, 37);
  assert_int_equal(TX_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR, 47);
  assert_int_equal(TX_CFG_ALU_FORMAT_SPEC_REG0_SrcA_ADDR, 1);
  assert_int_equal(TX_CFG_STATE_RESET_EN_ADDR, 4);
  assert_int_equal(TX_CFG_DEST_REGW_BASE_Base_ADDR, 6);
  assert_int_equal(TX_CFG_PRNG_SEED_Seed_Val_ADDR, 186);
  assert_int_equal(TX_CFG_SCRATCH_SEC0_val_ADDR, 209);
  assert_int_equal(TX_CFG_SCRATCH_SEC2_val_ADDR, 211);
  assert_int_equal(TX_CFG_DEST_ACCESS_CFG_remap_addrs_ADDR, 220);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_opcodes_are_distinct),
      cmocka_unit_test(test_fields_do_not_overlap),
      cmocka_unit_test(test_field_names_are_distinct),
      cmocka_unit_test(test_unused_bits),
      cmocka_unit_test(test_lookup_by_name),
      cmocka_unit_test(test_stream_form),
      cmocka_unit_test(test_encode_checks_ranges),
      cmocka_unit_test(test_names_and_units),
      cmocka_unit_test(test_block_bits),
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_used_bits),
      cmocka_unit_test(test_operand_lists),
      cmocka_unit_test(test_timing),
      cmocka_unit_test(test_every_row_has_its_source),
      cmocka_unit_test(test_config_fields),
      cmocka_unit_test(test_config_landmarks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
