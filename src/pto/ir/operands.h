/* Operands of an operation, sorted: the pipe, inputs, outputs. */
#ifndef TESSERA_PTO_IR_OPERANDS_H
#define TESSERA_PTO_IR_OPERANDS_H

#include "pto/ir/builder.h"

struct ir_operands {
  struct ir_symbol *pipe;
  struct ir_symbol *in[6];
  const struct ir_arg *in_arg[6];
  unsigned in_count;
  struct ir_symbol *out;
  struct ir_slice result; /* name of the result, if it has one */
  struct pto_value scalars[4];
  unsigned scalar_count;
  double number;
  bool has_number;
};
bool pto_ir_operands(struct ir_builder *b, const struct ir_op *op, struct ir_operands *out);

/* The global tensor named @name or %name; NULL: an error. */
struct ir_symbol *pto_ir_global_symbol(struct ir_builder *b, const struct ir_arg *arg);

#endif
