/* Tokens of PTO IR text. */
#ifndef TESSERA_PTO_IR_LEX_H
#define TESSERA_PTO_IR_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  struct ir_slice text; /* text of the token without sigil and quotes */
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

#endif
