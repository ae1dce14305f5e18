/* Tiles, views and the operations on data. */
#ifndef TESSERA_PTO_IR_BUILD_OPS_H
#define TESSERA_PTO_IR_BUILD_OPS_H

#include "pto/ir/builder.h"
#include "pto/ir/ops.h"

bool pto_ir_build_tile_op(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row);

#endif
