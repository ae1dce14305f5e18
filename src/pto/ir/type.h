/* Types of PTO IR: tiles, views, pointers, pipes. */
#ifndef TESSERA_PTO_IR_TYPE_H
#define TESSERA_PTO_IR_TYPE_H

#include "pto/ir/lex.h"
#include "pto/program/program.h"

struct ir_type {
  enum { IR_T_OTHER, IR_T_TILE, IR_T_VIEW, IR_T_PTR, IR_T_SCALAR, IR_T_PIPE, IR_T_MPIPE, IR_T_EVENT } kind;
  struct pto_tile tile;
  uint32_t rank, shape[5]; /* views and tensors; 0: unknown */
  uint8_t dtype;
  bool complete; /* pipes: parameters were given in full */
  struct pto_pipe_config pipe;
};
bool pto_ir_type_parse(struct ir_slice text, struct ir_type *type, char *why, size_t size);

#endif
