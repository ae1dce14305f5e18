/* See build_scalar.h. */
#include "pto/ir/build_scalar.h"

static const struct {
  const char *name;
  uint8_t code;
} arith_ops[] = {{"arith.addi", PTO_OP_ADD},  {"arith.subi", PTO_OP_SUB},       {"arith.muli", PTO_OP_MUL},
                 {"arith.divsi", PTO_OP_DIV}, {"arith.divui", PTO_OP_DIV},      {"arith.remsi", PTO_OP_REM},
                 {"arith.remui", PTO_OP_REM}, {"arith.andi", PTO_OP_AND},       {"arith.ori", PTO_OP_OR},
                 {"arith.xori", PTO_OP_XOR},  {"arith.index_cast", PTO_OP_SET}, {"arith.extsi", PTO_OP_SET},
                 {"arith.extui", PTO_OP_SET}, {"arith.trunci", PTO_OP_SET},     {"arith.cmpi", PTO_OP_EQ}};

static int compare_code(struct ir_slice s) {
  static const struct {
    const char *name;
    uint8_t code;
  } words[] = {{"eq", PTO_OP_EQ},  {"ne", PTO_OP_NE},  {"slt", PTO_OP_LT}, {"ult", PTO_OP_LT}, {"sle", PTO_OP_LE},
               {"ule", PTO_OP_LE}, {"sgt", PTO_OP_GT}, {"ugt", PTO_OP_GT}, {"sge", PTO_OP_GE}, {"uge", PTO_OP_GE}};
  for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
    if (pto_ir_is(s, words[i].name)) return words[i].code;
  return -1;
}

static bool build_constant(struct ir_builder *b, const struct ir_op *op) {
  const struct ir_arg *a = op->arg_count ? &b->tree->args[op->first_arg] : NULL;
  if (!a || op->result_count != 1) return pto_ir_fail(b, op->line, op->column, "arith.constant needs a value and a result");
  struct ir_symbol *s;
  if (a->kind == IR_FLOAT) {
    s = pto_ir_add(b, op->results[0], IR_S_NUMBER, op->line);
    if (s) s->number = a->number;
    return s != NULL;
  }
  struct pto_value v;
  if (!pto_ir_scalar_arg(b, a, &v)) return false;
  s = pto_ir_add(b, op->results[0], IR_S_SCALAR, op->line);
  if (s) s->value = v, s->number = (double)v.imm;
  return s != NULL;
}

bool pto_ir_build_scalar(struct ir_builder *b, const struct ir_op *op, bool *known) {
  int code = -1;
  struct pto_value x = {.reg = -1}, y = {.reg = -1};
  if (pto_ir_is(op->name, "arith.constant")) return build_constant(b, op);
  for (unsigned i = 0; i < sizeof arith_ops / sizeof arith_ops[0]; i++)
    if (pto_ir_is(op->name, arith_ops[i].name)) code = arith_ops[i].code;
  bool lane = pto_ir_is(op->name, "pto.get_subblock_idx") || pto_ir_is(op->name, "pto.get_subblock_id");
  bool block = pto_ir_is(op->name, "pto.get_block_idx"), blocks = pto_ir_is(op->name, "pto.get_block_num");
  bool two = pto_ir_is(op->name, "pto.get_subblock_num");
  if (code < 0 && !lane && !block && !blocks && !two) {
    *known = false;
    return true;
  }
  if (op->result_count != 1)
    return pto_ir_fail(b, op->line, op->column, "%.*s needs one result", (int)op->name.length, op->name.at);
  unsigned n = 0;
  for (uint32_t i = 0; i < op->arg_count && code >= 0; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role != IR_OPERAND) continue;
    int compare = a->kind == IR_IDENT ? compare_code(a->text) : -1;
    if (pto_ir_is(op->name, "arith.cmpi") && compare >= 0) code = compare;
    else if (n < 2 && !pto_ir_scalar_arg(b, a, n++ == 0 ? &x : &y)) return false;
  }
  if (code >= 0 && n < (code == PTO_OP_SET ? 1u : 2u)) return pto_ir_fail(b, op->line, op->column, "an operand is missing");
  struct pto_value v = x;
  if (lane) v = pto_ir_arith(b, op, PTO_OP_LANE, x, y);
  else if (block || blocks) v = pto_ir_arith(b, op, block ? PTO_OP_BLOCK : PTO_OP_BLOCK_NUM, x, y);
  else if (two) v.imm = 2;
  else if (code != PTO_OP_SET && code >= 0) v = pto_ir_arith(b, op, (unsigned)code, x, y);
  if (b->failed) return false;
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_SCALAR, op->line);
  if (s) s->value = v;
  return s != NULL;
}
