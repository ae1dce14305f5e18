/* See operands.h. */
#include "pto/ir/operands.h"

#include <string.h>

struct ir_symbol *pto_ir_global_symbol(struct ir_builder *b, const struct ir_arg *a) {
  struct ir_symbol *s = pto_ir_find(b, a->text);
  if (s && s->kind == IR_S_GLOBAL) return s;
  for (uint32_t i = 0; i < b->program->global_count; i++) {
    if (!pto_ir_is(a->text, b->program->globals[i].name)) continue;
    s = pto_ir_add(b, a->text, IR_S_GLOBAL, a->line);
    if (s) s->index = (int16_t)i;
    return s;
  }
  pto_ir_fail(b, a->line, a->column, "unknown global @%.*s", (int)a->text.length, a->text.at);
  return NULL;
}

static bool sort_operand(struct ir_builder *b, const struct ir_arg *a, struct ir_operands *out) {
  struct ir_symbol *s = NULL;
  if (a->kind == IR_INT || a->kind == IR_FLOAT) {
    out->number = a->number;
    out->has_number = true;
    if (a->kind == IR_INT && out->scalar_count < 4)
      out->scalars[out->scalar_count++] = (struct pto_value){.imm = (int32_t)a->integer, .reg = -1};
    return true;
  }
  if (a->kind == IR_AT) s = pto_ir_global_symbol(b, a);
  else if (a->kind == IR_PERCENT) s = pto_ir_find(b, a->text);
  else if (a->kind == IR_IDENT && (pto_ir_is(a->text, "true") || pto_ir_is(a->text, "false"))) {
    if (out->scalar_count < 4)
      out->scalars[out->scalar_count++] = (struct pto_value){.imm = pto_ir_is(a->text, "true"), .reg = -1};
    return true;
  } else return pto_ir_fail(b, a->line, a->column, "expected an operand");
  if (b->failed) return false;
  if (!s)
    return pto_ir_fail(b, a->line, a->column, "unknown value %%%.*s", (int)(a->text.length < 60 ? a->text.length : 60),
                       a->text.at);
  if (s->kind == IR_S_PIPE) {
    out->pipe = s;
  } else if (s->kind == IR_S_NUMBER) {
    out->number = s->number;
    out->has_number = true;
  } else if (s->kind == IR_S_SCALAR || s->kind == IR_S_BUFFER) {
    if (out->scalar_count < 4) out->scalars[out->scalar_count++] = s->value;
  } else if (pto_ir_is(a->key, "outs") && !out->out) {
    out->out = s;
  } else {
    if (out->in_count == 6) return pto_ir_fail(b, a->line, a->column, "too many operands");
    out->in_arg[out->in_count] = a;
    out->in[out->in_count++] = s;
  }
  return true;
}

bool pto_ir_operands(struct ir_builder *b, const struct ir_op *op, struct ir_operands *out) {
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role == IR_OPERAND && !sort_operand(b, a, out)) return false;
  }
  if (op->result_count) out->result = op->results[0];
  const struct ir_arg *value = pto_ir_attr(b, op, "value");
  if (value && (value->kind == IR_INT || value->kind == IR_FLOAT)) {
    out->number = value->number;
    out->has_number = true;
  }
  return !b->failed;
}
