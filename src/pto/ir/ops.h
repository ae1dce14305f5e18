/* The table of operations, for the reader and the reference. */
#ifndef TESSERA_PTO_IR_OPS_H
#define TESSERA_PTO_IR_OPS_H

#include "pto/ir/lex.h"

enum ir_builder_kind {
  IR_B_CONTROL,
  IR_B_CONSTANT,
  IR_B_SCALAR,
  IR_B_COMPARE,
  IR_B_IDENTITY,
  IR_B_PIPE_DECL,
  IR_B_PIPE_ASM,
  IR_B_BUFFER,
  IR_B_PIPE_END,
  IR_B_PUSH,
  IR_B_ALLOC,
  IR_B_POP,
  IR_B_FREE,
  IR_B_STATUS,
  IR_B_EVENT,
  IR_B_SYNC,
  IR_B_TILE_DECL,
  IR_B_VIEW,
  IR_B_PARTITION,
  IR_B_VALID,
  IR_B_LOAD,
  IR_B_STORE,
  IR_B_DATA,
};
enum ir_shape_rule { IR_SHAPES_ANY, IR_SHAPES_ELEMENTWISE, IR_SHAPES_ROWS, IR_SHAPES_MATMUL };
enum ir_core_rule { IR_CORE_ANY, IR_CORE_CUBE, IR_CORE_VECTOR };

struct ir_row {
  const char *name;
  uint8_t builder, code, tiles, shapes, number, core;
  const char *syntax, *meaning;
};

unsigned pto_ir_row_count(void);
const struct ir_row *pto_ir_row(unsigned index);
const struct ir_row *pto_ir_row_find(struct ir_slice name); /* NULL: no such operation */
/* The known names that are nearest to an unknown one, "a, b or c". */
void pto_ir_row_nearest(struct ir_slice name, char *text, size_t size);

#endif
