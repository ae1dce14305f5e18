/* The disassembler of dis.h. */
#include "tensix/isa/dis.h"

#include <ctype.h>

#include "sim/text.h"
#include "tensix/isa/encode.h"

static void put_mnemonic(struct sim_text *text, const struct tx_op *op) {
  sim_text_add(text, "tt");
  for (const char *c = op->name; *c; c++) sim_text_add(text, "%c", tolower((unsigned char)*c));
}

/* A word from 0xC0000000 on has no .ttinsn form: only a store can push it. */
static void put_raw(struct sim_text *text, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  sim_text_add(text, "%s 0x%08x ; ", word < 0xc0000000u ? ".ttinsn" : ".word", word);
  if (op->name == NULL) sim_text_add(text, "unknown opcode 0x%02x", word >> 24);
  else sim_text_add(text, "%s: unused bits 0x%08x are set", op->name, tx_unused_bits(word));
}

size_t tx_dis(uint32_t word, char *text, size_t size) {
  struct sim_text out = {text, size, 0};
  if (size) text[0] = '\0';
  if (!tx_is_instruction(word)) {
    put_raw(&out, word);
    return out.length;
  }
  const struct tx_op *op = &tx_ops[word >> 24];
  const struct tx_field *fields = tx_op_fields(op);
  put_mnemonic(&out, op);
  char separator = ' ';
  for (unsigned i = 0; i < op->field_count; i++) {
    if (fields[i].named_only) continue;
    sim_text_add(&out, "%c%u", separator, tx_field_get(&fields[i], word));
    separator = ',';
  }
  for (unsigned i = 0; i < op->field_count; i++) {
    uint32_t value = tx_field_get(&fields[i], word);
    if (!fields[i].named_only || value == 0) continue;
    sim_text_add(&out, "%c%s=%u", separator, fields[i].name, value);
    separator = ',';
  }
  return out.length;
}

/* The access of an instruction to configuration: the register, and the bits and value if the word contains them. */
struct config_access {
  bool any, thread, has_value;
  uint16_t addr;
  uint32_t bits, value;
};

static struct config_access config_write(uint32_t addr, bool thread, uint32_t bits, uint32_t value) {
  return (struct config_access){
      .any = true, .thread = thread, .has_value = true, .addr = (uint16_t)addr, .bits = bits, .value = value};
}

static struct config_access config_touch(uint32_t addr) {
  return (struct config_access){.any = true, .addr = (uint16_t)addr, .bits = 0xffffffffu};
}

static struct config_access rmwcib(uint32_t word, unsigned byte) {
  uint32_t mask = TX_FIELD(word, RMWCIB0, mask) << (8 * byte);
  return config_write(TX_FIELD(word, RMWCIB0, cfg_reg_addr), false, mask, TX_FIELD(word, RMWCIB0, data) << (8 * byte));
}

static struct config_access find_config_access(uint32_t word) {
  switch (word >> 24) {
    case TX_SETC16:
      return config_write(TX_FIELD(word, SETC16, setc16_reg), true, 0xffffu, TX_FIELD(word, SETC16, setc16_value));
    case TX_RMWCIB0: return rmwcib(word, 0);
    case TX_RMWCIB1: return rmwcib(word, 1);
    case TX_RMWCIB2: return rmwcib(word, 2);
    case TX_RMWCIB3: return rmwcib(word, 3);
    case TX_WRCFG: return config_touch(TX_FIELD(word, WRCFG, cfg_reg));
    case TX_RDCFG: return config_touch(TX_FIELD(word, RDCFG, cfg_reg));
    case TX_STREAMWRCFG: return config_touch(TX_FIELD(word, STREAMWRCFG, cfg_reg));
    case TX_CFGSHIFTMASK: return config_touch(TX_FIELD(word, CFGSHIFTMASK, cfg_reg));
    case TX_REG2FLOP: /* target 0 writes Config from THCON's first word on. ISA: REG2FLOP_Configuration.md */
      if (TX_FIELD(word, REG2FLOP, target_sel) != 0) return (struct config_access){0};
      return config_touch(TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR + TX_FIELD(word, REG2FLOP, flop_index));
    default: return (struct config_access){0};
  }
}

static uint32_t config_mask(const struct tx_config_field *field) {
  if (field->width >= 32) return 0xffffffffu;
  return ((1u << field->width) - 1u) << field->shift;
}

static bool touches(const struct config_access *access, const struct tx_config_field *field) {
  unsigned words = field->width > 32 ? field->width / 32u : 1u;
  return field->thread == access->thread && access->addr >= field->addr && access->addr < field->addr + words &&
         (config_mask(field) & access->bits) != 0;
}

/* A register may have twenty fields; the first few identify it. */
static void put_config(struct sim_text *text, const struct config_access *access) {
  unsigned found = 0, shown_max = access->has_value ? UINT32_MAX : 3;
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *field = &tx_config_fields[i];
    if (!touches(access, field) || ++found > shown_max) continue;
    sim_text_add(text, "%s%s", found == 1 ? " (" : " ", field->name);
    if (access->has_value) sim_text_add(text, "=%u", (access->value & access->bits & config_mask(field)) >> field->shift);
  }
  if (found > shown_max) sim_text_add(text, " and %u more", found - shown_max);
  sim_text_add(text, found ? ")" : " (no field there)");
}

size_t tx_dis_fields(uint32_t word, char *text, size_t size) {
  struct sim_text out = {text, size, 0};
  if (size) text[0] = '\0';
  if (!tx_is_instruction(word)) return 0;
  const struct tx_op *op = &tx_ops[word >> 24];
  const struct tx_field *fields = tx_op_fields(op);
  for (unsigned i = 0; i < op->field_count; i++) {
    if (fields[i].width == 0) continue;
    sim_text_add(&out, "%s%s=%u", out.length ? " " : "", fields[i].name, tx_field_get(&fields[i], word));
  }
  struct config_access access = find_config_access(word);
  if (access.any) put_config(&out, &access);
  return out.length;
}
