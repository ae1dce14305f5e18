/* Integer expressions in assembler text: numbers, names, ( ), unary - ~ +, and the binary operators of C in C's order:
 * * / %   + -   << >>   &   ^   |   and t6_sem(n), which kernels use for 1 << n. Arithmetic is 64 bits wide; overflow is
 * an error. */
#ifndef TESSERA_TENSIX_EXPR_H
#define TESSERA_TENSIX_EXPR_H

#include "tensix/isa/lex.h"
#include "tensix/isa/symbols.h"

#define TX_EXPR_DEPTH_MAX 64u

struct tx_expr {
  struct tx_lexer *lexer; /* at the first token of the expression, then after its last */
  struct tx_symbols *symbols;
  struct tx_asm_error *error; /* set when the evaluation fails */
  bool first_pass;            /* an unknown name is not an error: the value is 0 and `undefined` is set */
  bool undefined;
  unsigned depth;
};

struct tx_value {
  int64_t value;
  uint8_t space; /* enum tx_space: the address of a register, possibly plus a constant */
};

bool tx_expr(struct tx_expr *expr, struct tx_value *value);

#endif
