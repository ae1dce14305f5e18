/* The program while it is being built from generic operations: names, attributes, scalars, tiles. */
#ifndef TESSERA_PTO_IR_BUILDER_H
#define TESSERA_PTO_IR_BUILDER_H

#include "pto/ir/tree.h"
#include "pto/ir/type.h"

#define IR_SYMBOLS_MAX 1024u

enum ir_symbol_kind { IR_S_SCALAR, IR_S_NUMBER, IR_S_TILE, IR_S_VIEW, IR_S_GLOBAL, IR_S_PIPE, IR_S_EVENT, IR_S_BUFFER };

struct ir_symbol {
  struct ir_slice name;
  uint8_t kind;
  int16_t index;           /* tile (PTO_NONE until first used), view, global, pipe, event */
  struct pto_value value;  /* scalar; view: row offset */
  struct pto_value column; /* view: column offset */
  double number;
  uint32_t addr;       /* buffer; tile with an address */
  uint32_t size;       /* buffer: bytes reserved; 0: not given */
  struct ir_type type; /* tile */
  uint32_t line;
};

/* reserve_buffer and import_reserved_buffer: the latter names a reservation of another function. */
struct ir_buffer {
  struct ir_slice name, peer;
  uint32_t line, column;
  int function;
  bool imported;
};
#define IR_BUFFERS_MAX 32u

struct ir_builder {
  const struct ir_tree *tree;
  struct pto_program *program;
  struct pto_ir_error *error;
  int function; /* being built */
  bool failed;
  uint32_t symbol_count;
  struct ir_symbol symbols[IR_SYMBOLS_MAX];
  int pipe_ids[PTO_PIPES_MAX]; /* assembler form: pipes of this function by their id attribute */
  int pipe_of_id[PTO_PIPES_MAX];
  unsigned pipe_id_count;
  struct ir_buffer buffers[IR_BUFFERS_MAX];
  unsigned buffer_count;
};

bool pto_ir_fail(struct ir_builder *b, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
struct ir_symbol *pto_ir_find(struct ir_builder *b, struct ir_slice name);
struct ir_symbol *pto_ir_add(struct ir_builder *b, struct ir_slice name, unsigned kind, uint32_t line);
const struct ir_arg *pto_ir_attr(const struct ir_builder *b, const struct ir_op *op, const char *key);
int64_t pto_ir_attr_int(const struct ir_builder *b, const struct ir_op *op, const char *key, int64_t otherwise);
bool pto_ir_scalar_arg(struct ir_builder *b, const struct ir_arg *arg, struct pto_value *value);
int pto_ir_use_tile(struct ir_builder *b, struct ir_symbol *symbol, unsigned default_loc);
void pto_ir_emit(struct ir_builder *b, const struct ir_op *op, const struct pto_instr *instr);
bool pto_ir_result_type(struct ir_builder *b, const struct ir_op *op, struct ir_type *type);
struct pto_value pto_ir_arith(struct ir_builder *b, const struct ir_op *op, unsigned code, struct pto_value x,
                              struct pto_value y);

/* A new scalar register of the function. */
int pto_ir_new_reg(struct ir_builder *b, const struct ir_op *op);
/* The program rejected this operation; always returns false. */
bool pto_ir_fail_program(struct ir_builder *b, const struct ir_op *op);
bool pto_ir_fail_op(struct ir_builder *b, const struct ir_op *op, const char *what);

#endif
