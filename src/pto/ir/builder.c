/* See builder.h. */
#include "pto/ir/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool pto_ir_fail(struct ir_builder *b, uint32_t line, uint32_t column, const char *format, ...) {
  if (b->failed) return false;
  va_list args;
  va_start(args, format);
  vsnprintf(b->error->text, sizeof b->error->text, format, args);
  va_end(args);
  b->error->line = line;
  b->error->column = column;
  b->failed = true;
  return false;
}

bool pto_ir_fail_program(struct ir_builder *b, const struct ir_op *op) {
  return pto_ir_fail(b, op->line, op->column, "%s", b->program->error);
}

bool pto_ir_fail_op(struct ir_builder *b, const struct ir_op *op, const char *what) {
  return pto_ir_fail(b, op->line, op->column, "%s", what);
}

static bool same(struct ir_slice x, struct ir_slice y) { return x.length == y.length && memcmp(x.at, y.at, x.length) == 0; }

struct ir_symbol *pto_ir_find(struct ir_builder *b, struct ir_slice name) {
  for (uint32_t i = b->symbol_count; i-- > 0;)
    if (same(b->symbols[i].name, name)) return &b->symbols[i];
  return NULL;
}

struct ir_symbol *pto_ir_add(struct ir_builder *b, struct ir_slice name, unsigned kind, uint32_t line) {
  if (b->symbol_count == IR_SYMBOLS_MAX) {
    pto_ir_fail(b, line, 1, "more than %u names in one function", IR_SYMBOLS_MAX);
    return NULL;
  }
  struct ir_symbol *s = &b->symbols[b->symbol_count++];
  memset(s, 0, sizeof *s);
  s->name = name;
  s->kind = (uint8_t)kind;
  s->index = PTO_NONE;
  s->value.reg = s->column.reg = -1;
  s->addr = PTO_AUTO;
  s->line = line;
  return s;
}

const struct ir_arg *pto_ir_attr(const struct ir_builder *b, const struct ir_op *op, const char *key) {
  for (uint32_t i = 0; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role == IR_ATTR && pto_ir_is(a->key, key)) return a;
  }
  return NULL;
}

int64_t pto_ir_attr_int(const struct ir_builder *b, const struct ir_op *op, const char *key, int64_t otherwise) {
  const struct ir_arg *a = pto_ir_attr(b, op, key);
  if (!a) return otherwise;
  if (a->kind == IR_INT) return a->integer;
  if (a->kind == IR_END || pto_ir_is(a->text, "true")) return 1;
  if (pto_ir_is(a->text, "false")) return 0;
  return otherwise;
}

bool pto_ir_scalar_arg(struct ir_builder *b, const struct ir_arg *arg, struct pto_value *value) {
  value->reg = -1;
  value->pad = 0;
  if (arg->kind == IR_INT) {
    value->imm = (int32_t)arg->integer;
    return true;
  }
  if (arg->kind == IR_IDENT && (pto_ir_is(arg->text, "true") || pto_ir_is(arg->text, "false"))) {
    value->imm = pto_ir_is(arg->text, "true");
    return true;
  }
  struct ir_symbol *s = arg->kind == IR_PERCENT ? pto_ir_find(b, arg->text) : NULL;
  if (!s) return pto_ir_fail(b, arg->line, arg->column, "unknown value %%%.*s", (int)arg->text.length, arg->text.at);
  if (s->kind != IR_S_SCALAR)
    return pto_ir_fail(b, arg->line, arg->column, "%%%.*s is not an integer", (int)arg->text.length, arg->text.at);
  *value = s->value;
  return true;
}

void pto_ir_emit(struct ir_builder *b, const struct ir_op *op, const struct pto_instr *instr) {
  struct pto_instr i = *instr;
  i.line = op->line;
  i.column = op->column;
  if (pto_program_emit(b->program, b->function, &i) < 0) pto_ir_fail_program(b, op);
}

/* A tile gets its number, and so its address, at its first use: both IR levels then give the same program. */
int pto_ir_use_tile(struct ir_builder *b, struct ir_symbol *s, unsigned default_loc) {
  if (s->index >= 0) return s->index;
  struct pto_tile tile = s->type.tile;
  if (tile.loc == PTO_LOC_NONE) tile.loc = (uint8_t)default_loc;
  tile.addr = s->addr;
  tile.line = s->line;
  snprintf(tile.name, sizeof tile.name, "%.*s", (int)(s->name.length < 31 ? s->name.length : 31), s->name.at);
  int index = pto_program_tile(b->program, b->function, &tile);
  if (index < 0) pto_ir_fail(b, s->line, 1, "%s", b->program->error);
  s->index = (int16_t)index;
  return index < 0 ? 0 : index;
}

bool pto_ir_result_type(struct ir_builder *b, const struct ir_op *op, struct ir_type *type) {
  char why[160];
  const struct ir_arg *last = NULL;
  for (uint32_t i = 0; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role == IR_RESULT_TYPE) {
      last = a;
      break;
    }
    if (a->role == IR_OPERAND_TYPE && op->result_count) last = a; /* a lone `: type` is the type of the result */
  }
  if (!last) return pto_ir_fail(b, op->line, op->column, "the result needs a type");
  if (!pto_ir_type_parse(last->text, type, why, sizeof why)) return pto_ir_fail(b, last->line, last->column, "%s", why);
  return true;
}

int pto_ir_new_reg(struct ir_builder *b, const struct ir_op *op) {
  struct pto_function *fn = &b->program->functions[b->function];
  if (fn->reg_count >= PTO_REGS_MAX) {
    pto_ir_fail(b, op->line, op->column, "more than %u scalar values in one function", PTO_REGS_MAX);
    return 0;
  }
  return fn->reg_count++;
}

struct pto_value pto_ir_arith(struct ir_builder *b, const struct ir_op *op, unsigned code, struct pto_value x,
                              struct pto_value y) {
  if (x.reg < 0 && y.reg < 0 && (code < PTO_OP_BLOCK || code > PTO_OP_LANE))
    return (struct pto_value){.imm = (int32_t)pto_arith(code, x.imm, y.imm), .reg = -1};
  if (code == PTO_OP_ADD && x.reg < 0 && x.imm == 0) return y;
  if (code == PTO_OP_ADD && y.reg < 0 && y.imm == 0) return x;
  struct pto_instr i = pto_instr_make(code, op->line);
  i.dst = (int16_t)pto_ir_new_reg(b, op);
  i.a = x;
  i.b = y;
  pto_ir_emit(b, op, &i);
  return (struct pto_value){.reg = i.dst};
}
