/* Scalars: constants, arithmetic, comparisons, the core's number. */
#ifndef TESSERA_PTO_IR_BUILD_SCALAR_H
#define TESSERA_PTO_IR_BUILD_SCALAR_H

#include "pto/ir/builder.h"
#include "pto/ir/ops.h"

bool pto_ir_build_scalar(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row);

#endif
