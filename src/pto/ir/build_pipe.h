/* Pipes in all spellings, push, pop, alloc, free, statuses, flags. */
#ifndef TESSERA_PTO_IR_BUILD_PIPE_H
#define TESSERA_PTO_IR_BUILD_PIPE_H

#include "pto/ir/builder.h"
#include "pto/ir/ops.h"

bool pto_ir_build_pipe(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row);
bool pto_ir_buffers_pair(struct ir_builder *b); /* called at the end: checks that every import has its reservation */

#endif
