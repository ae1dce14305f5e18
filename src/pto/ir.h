/* PTO IR text (.pto) into a program.
 *
 * Three spellings, one program: the document's SSA level 1 and DPS level 2, and the forms of the real assembler. The
 * text is first read into generic operations (name, results, operands by group, attributes, types); what they mean is
 * decided afterwards. An error carries line, column and words; pto_ir_error_text draws the line with a caret. */
#ifndef TESSERA_PTO_IR_H
#define TESSERA_PTO_IR_H

#include "pto/program.h"

struct pto_ir_error {
  uint32_t line, column; /* from 1 */
  char text[200];
};

/* NULL: error says why. `profile` -1: the module says, or A2/A3. */
struct pto_program *pto_ir_parse(const char *text, size_t length, int profile, struct pto_ir_error *error);
/* "file:line:column: error: words", the source line, and a caret below it. Returns the length it needs, as snprintf does. */
size_t pto_ir_error_text(const struct pto_ir_error *error, const char *file, const char *source, size_t length, char *out,
                         size_t size);

/* --- inside the reader --- */

enum ir_token_kind {
  IR_END,
  IR_IDENT,
  IR_PERCENT,
  IR_AT,
  IR_TYPE /* !x<...> */,
  IR_HASH /* #x<...> */,
  IR_INT,
  IR_FLOAT,
  IR_STRING,
  IR_SHAPE,
  IR_PUNCT,
  IR_ARROW,
  IR_BAD,
};

struct ir_slice {
  const char *at;
  uint32_t length;
};

struct ir_token {
  uint8_t kind;
  uint8_t first_on_line;
  char punct;
  struct ir_slice text; /* without sigil and quotes */
  int64_t integer;
  double number;
  uint32_t line, column;
};

struct ir_lexer {
  const char *at, *end, *line_start;
  uint32_t line;
  bool fresh_line;
};

void pto_ir_lex_start(struct ir_lexer *lexer, const char *text, size_t length);
struct ir_token pto_ir_lex_next(struct ir_lexer *lexer);
bool pto_ir_is(struct ir_slice s, const char *word);

/* One operand, attribute or type of an operation. */
enum ir_role { IR_OPERAND, IR_ATTR, IR_OPERAND_TYPE, IR_RESULT_TYPE };
struct ir_arg {
  uint8_t role, kind;  /* kind: ir_token_kind of the value; IR_PUNCT '[' for a list; IR_END: attribute without value */
  struct ir_slice key; /* ins, outs, pipe, gm_slot_buffer ..., or the attribute's name */
  struct ir_slice text;
  int64_t integer;
  double number;
  struct ir_slice type;      /* of an operand, when written right behind it */
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

/* Types. */
struct ir_type {
  enum { IR_T_OTHER, IR_T_TILE, IR_T_VIEW, IR_T_PTR, IR_T_SCALAR, IR_T_PIPE, IR_T_MPIPE, IR_T_EVENT } kind;
  struct pto_tile tile;
  uint32_t rank, shape[5]; /* views and tensors; 0: unknown */
  uint8_t dtype;
  bool complete; /* pipes: parameters were written out */
  struct pto_pipe_config pipe;
};
bool pto_ir_type_parse(struct ir_slice text, struct ir_type *type, char *why, size_t size);

#endif
