/* The instruction and configuration register tables, built from tensix.def and config.def.
 *
 * Each table is the .def file read once more with other macros. The enums come first because C requires constant expressions in
 * a table: FIRST_x is the index of an instruction's first field in tx_fields, COUNT_x the number of its fields, USED_x their bits.
 */
#include "tensix/isa/isa.h"

#include <ctype.h>

enum {
#define INSN(opcode, name, ...) FIRST_##name, BEFORE_##name = FIRST_##name - 1, /* the next one gets FIRST_x's value again */
#define FIELD(insn, name, ...) INDEX_##insn##_##name,
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

enum {
  COUNT_NOTHING = 0
#define INSN(opcode, name, ...) , COUNT_##name = 0
#define FIELD(...) +1
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

enum {
  USED_NOTHING = 0
#define INSN(opcode, name, ...) , USED_##name = 0
#define FIELD(insn, name, lo, width, ...) | (((1 << (width)) - 1) << (lo))
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

const struct tx_op tx_ops[256] = {
#define INSN(code, mnemonic, unit_, block_, wait_, issue, lat, time_by, time_src, shown_by, state_, spec_, text) \
  [code] = {.name = #mnemonic, \
            .used = 0xff000000u | (uint32_t)USED_##mnemonic, \
            .block = (uint16_t)(block_), \
            .opcode = (code), \
            .unit = TX_UNIT_##unit_, \
            .wait = (uint8_t)(wait_), \
            .issue_cycles = (issue), \
            .latency_cycles = (lat), \
            .state = TX_OP_##state_, \
            .evidence = TX_##shown_by, \
            .timing_evidence = TX_##time_by, \
            .field_count = COUNT_##mnemonic, \
            .field_first = FIRST_##mnemonic, \
            .timing_source = (time_src), \
            .spec = (spec_), \
            .semantics = (text)},
#define FIELD(...)
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};

#define POSITIONAL false
#define NAMED true
const struct tx_field tx_fields[] = {
#define INSN(...)
#define FIELD(insn, field, lo_, width_, place) {.name = #field, .lo = (lo_), .width = (width_), .named_only = (place)},
#include "chips/blackhole/tensix.def"
#undef INSN
#undef FIELD
};
#undef POSITIONAL
#undef NAMED

const struct tx_config_field tx_config_fields[] = {
#define THREAD_CFG(field, addr_, shift_, width_) \
  {.name = #field, .addr = (addr_), .shift = (shift_), .width = (width_), .thread = true},
#define GLOBAL_CFG(field, addr_, shift_, width_) \
  {.name = #field, .addr = (addr_), .shift = (shift_), .width = (width_), .thread = false},
#include "chips/blackhole/config.def"
#undef THREAD_CFG
#undef GLOBAL_CFG
};
const size_t tx_config_field_count = sizeof tx_config_fields / sizeof tx_config_fields[0];

static bool same_name(const char *name, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '\0' || name[i] != toupper((unsigned char)text[i])) return false;
  }
  return name[length] == '\0';
}

const struct tx_op *tx_op_by_name(const char *name, size_t length) {
  for (size_t i = 0; i < 256; i++) {
    if (tx_ops[i].name != NULL && same_name(tx_ops[i].name, name, length)) return &tx_ops[i];
  }
  return NULL;
}

uint32_t tx_unused_bits(uint32_t word) { return word & ~tx_ops[word >> 24].used; }
