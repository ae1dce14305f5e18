/* See build_scalar.h. */
#include "pto/ir/build_scalar.h"

static int compare_code(struct ir_slice s) {
  static const struct {
    const char *name;
    uint8_t code;
  } words[] = {{"eq", PTO_OP_EQ},  {"ne", PTO_OP_NE},   {"slt", PTO_OP_LT},  {"sle", PTO_OP_LE},  {"sgt", PTO_OP_GT},
               {"sge", PTO_OP_GE}, {"ult", PTO_OP_ULT}, {"ule", PTO_OP_ULE}, {"ugt", PTO_OP_UGT}, {"uge", PTO_OP_UGE}};
  for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
    if (pto_ir_is(s, words[i].name)) return words[i].code;
  return -1;
}

/* The word before the operands: arith.cmpi slt, %a, %b. */
static bool take_predicate(struct ir_builder *b, const struct ir_op *op, unsigned *code) {
  const struct ir_arg *a = op->arg_count ? &b->tree->args[op->first_arg] : NULL;
  bool word = a && a->role == IR_OPERAND && (a->kind == IR_IDENT || a->kind == IR_STRING);
  int found = word ? compare_code(a->text) : -1;
  if (found < 0)
    return pto_ir_fail(b, word ? a->line : op->line, word ? a->column : op->column,
                       "arith.cmpi needs a predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge");
  *code = (unsigned)found;
  return true;
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

static bool add_scalar(struct ir_builder *b, const struct ir_op *op, struct pto_value value) {
  if (b->failed) return false;
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_SCALAR, op->line);
  if (s) s->value = value;
  return s != NULL;
}

static bool build_identity(struct ir_builder *b, const struct ir_op *op, unsigned code) {
  const struct pto_value none = {.reg = -1};
  if (code == PTO_OP_SET) return add_scalar(b, op, (struct pto_value){.imm = 2, .reg = -1}); /* Vectors of a block */
  return add_scalar(b, op, pto_ir_arith(b, op, code, none, none));
}

bool pto_ir_build_scalar(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row) {
  struct pto_value v[2] = {{.reg = -1}, {.reg = -1}};
  unsigned code = row->code, n = 0, first = 0;
  if (row->builder == IR_B_CONSTANT) return build_constant(b, op);
  if (op->result_count != 1) return pto_ir_fail(b, op->line, op->column, "%s needs one result", row->name);
  if (row->builder == IR_B_IDENTITY) return build_identity(b, op, code);
  if (row->builder == IR_B_COMPARE && !take_predicate(b, op, &code)) return false;
  if (row->builder == IR_B_COMPARE) first = 1;
  for (uint32_t i = first; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role == IR_OPERAND && n < 2 && !pto_ir_scalar_arg(b, a, &v[n++])) return false;
  }
  if (n < (code == PTO_OP_SET ? 1u : 2u))
    return pto_ir_fail(b, op->line, op->column, "an operand is missing: %s", row->syntax);
  return add_scalar(b, op, code == PTO_OP_SET ? v[0] : pto_ir_arith(b, op, code, v[0], v[1]));
}
