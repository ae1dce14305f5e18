/* PTO IR text as generic operations: name, results, operands by group, attributes, types, regions. */
#ifndef TESSERA_PTO_IR_TREE_H
#define TESSERA_PTO_IR_TREE_H

#include "pto/ir/error.h"
#include "pto/ir/lex.h"

/* One operand, attribute or type of an operation. */
enum ir_role { IR_OPERAND, IR_ATTR, IR_OPERAND_TYPE, IR_RESULT_TYPE };
struct ir_arg {
  uint8_t role, kind;  /* kind: ir_token_kind of the value; IR_PUNCT '[' for a list; IR_END: attribute without value */
  struct ir_slice key; /* ins, outs, pipe, gm_slot_buffer ..., or the attribute's name */
  struct ir_slice text;
  int64_t integer;
  double number;
  struct ir_slice type;      /* type of an operand, if written directly after it */
  uint32_t list, list_count; /* elements of a list: index into args */
  uint32_t line, column;
};

struct ir_op {
  struct ir_slice name;
  struct ir_slice results[4];
  uint32_t result_count;
  uint32_t first_arg, arg_count;
  uint32_t first_child, child_count, else_child, else_count; /* regions: index into ops by `next` */
  uint32_t next;                                             /* next operation of the same region; UINT32_MAX: last */
  uint32_t line, column;
};

struct ir_tree {
  struct ir_op *ops;
  struct ir_arg *args;
  uint32_t op_count, op_room, arg_count, arg_room;
};

#define IR_NO_OP UINT32_MAX

bool pto_ir_read(struct ir_tree *tree, const char *text, size_t length,
                 struct pto_ir_error *error); /* ops[0] is the module */
void pto_ir_tree_free(struct ir_tree *tree);

#endif
