/* Scalars: constants, arithmetic, comparisons, the core's number. */
#ifndef TESSERA_PTO_IR_BUILD_SCALAR_H
#define TESSERA_PTO_IR_BUILD_SCALAR_H

#include "pto/ir/builder.h"

/* `known` false: the name is none of these. */
bool pto_ir_build_scalar(struct ir_builder *b, const struct ir_op *op, bool *known);

#endif
