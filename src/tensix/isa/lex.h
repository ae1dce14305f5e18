/* Tokens of one line of assembler text. A line ends at a line feed or at a comment: ; or # or //
 * (C comments within a line are blanks). */
#ifndef TESSERA_TENSIX_LEX_H
#define TESSERA_TENSIX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tx_token_kind {
  TX_TOKEN_END,    /* of the line */
  TX_TOKEN_NUMBER, /* 12, 0x1f, 0b101 */
  TX_TOKEN_NAME,   /* ttmvmul, .thread, p_setrwc::CLR_A */
  TX_TOKEN_PUNCT,  /* one of , : = ( ) + - * / % & | ^ ~ and < for <<, > for >> */
  TX_TOKEN_BAD,    /* `wrong` says why */
};

struct tx_token {
  enum tx_token_kind kind;
  const char *text;
  size_t length;
  int64_t number;    /* of a number: 0..2^32-1 */
  const char *wrong; /* of a bad token */
  char punct;        /* 0 for other kinds */
};

struct tx_lexer {
  const char *line, *end; /* the line, without its line feed */
  const char *at;         /* after `token` */
  const char *last_end;   /* end of the previous token */
  struct tx_token token;  /* the current token */
};

void tx_lex_line(struct tx_lexer *lexer, const char *line, const char *end); /* moves to the first token */
void tx_lex_next(struct tx_lexer *lexer);
bool tx_lex_take(struct tx_lexer *lexer, char punct); /* consumes the token if it matches */
/* Compares names. Case matters; :: and . are equal. */
bool tx_lex_same(const char *text, size_t length, const char *name);

struct tx_asm_error {
  const char *file;              /* as given to tx_asm */
  uint32_t line, column, length; /* from 1; column and length in bytes */
  char message[192];             /* one line */
  bool is_limit;                 /* a limit of the assembler: the source line is not shown */
};

/* Fills in an error at a position in the lexer's line. The assembler adds file and line. */
__attribute__((format(printf, 5, 6))) void tx_asm_fail(struct tx_asm_error *error, const struct tx_lexer *lexer,
                                                       const char *from, size_t length, const char *format, ...);
/* The same at the current token: "expected WHAT". */
void tx_asm_expected(struct tx_asm_error *error, const struct tx_lexer *lexer, const char *what);

#endif
