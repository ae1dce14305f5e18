/* The lexer of lex.h. */
#include "tensix/isa/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }
static char peek(const struct tx_lexer *lexer, size_t offset) {
  return (size_t)(lexer->end - lexer->at) > offset ? lexer->at[offset] : '\0';
}

static bool at_comment(const struct tx_lexer *lexer) {
  char c = peek(lexer, 0);
  return c == ';' || c == '#' || (c == '/' && peek(lexer, 1) == '/');
}

static int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

static void bad(struct tx_token *token, const char *why) {
  token->kind = TX_TOKEN_BAD;
  token->wrong = why;
}

static void lex_number(struct tx_lexer *lexer) {
  struct tx_token *token = &lexer->token;
  int base = 10;
  size_t first = 0;
  while (is_name_part(peek(lexer, 0))) lexer->at++;
  token->length = (size_t)(lexer->at - token->text);
  token->kind = TX_TOKEN_NUMBER;
  if (token->length > 1 && token->text[0] == '0') {
    char mark = (char)(token->text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 10;
    first = base == 10 ? 0 : 2;
  }
  if (first == token->length) bad(token, "number without digits");
  for (size_t i = first; i < token->length && token->kind == TX_TOKEN_NUMBER; i++) {
    int digit = digit_value(token->text[i]);
    token->number = token->number * base + digit;
    if (digit >= base) bad(token, "bad digit in a number");
    else if (token->number > (int64_t)UINT32_MAX) bad(token, "number does not fit in 32 bits");
  }
}

static void lex_name(struct tx_lexer *lexer) {
  for (lexer->at++; lexer->at < lexer->end; lexer->at++) {
    bool scope = peek(lexer, 0) == ':' && peek(lexer, 1) == ':' && is_name_start(peek(lexer, 2));
    if (scope) lexer->at++;
    else if (!is_name_part(peek(lexer, 0))) break;
  }
  lexer->token.kind = TX_TOKEN_NAME;
  lexer->token.length = (size_t)(lexer->at - lexer->token.text);
}

static void lex_punct(struct tx_lexer *lexer) {
  struct tx_token *token = &lexer->token;
  char c = *lexer->at++;
  token->kind = TX_TOKEN_PUNCT;
  token->punct = c;
  if (c == '/' && peek(lexer, 0) == '*') {
    bad(token, "this comment does not end on its line");
    token->punct = 0;
    lexer->at++;
  } else if ((c == '<' || c == '>') && peek(lexer, 0) == c) lexer->at++;
  else if (c == '\0' || strchr(",:=()+-*/%&|^~", c) == NULL) {
    bad(token, "unexpected character");
    token->punct = 0;
    while ((*token->text & 0x80) && (peek(lexer, 0) & 0xc0) == 0x80) lexer->at++; /* the rest of a UTF-8 character */
  }
  token->length = (size_t)(lexer->at - token->text);
}

/* Skips blanks and C comments that end on their line. An unterminated comment is left for lex_punct, which rejects it. */
static void skip_blanks(struct tx_lexer *lexer) {
  for (;;) {
    char c = peek(lexer, 0);
    if (c == ' ' || c == '\t' || c == '\r') lexer->at++;
    else if (c == '/' && peek(lexer, 1) == '*') {
      const char *close = lexer->at + 2;
      while (lexer->end - close >= 2 && (close[0] != '*' || close[1] != '/')) close++;
      if (lexer->end - close < 2) return;
      lexer->at = close + 2;
    } else return;
  }
}

void tx_lex_next(struct tx_lexer *lexer) {
  lexer->last_end = lexer->at;
  skip_blanks(lexer);
  lexer->token = (struct tx_token){.kind = TX_TOKEN_END, .text = lexer->at};
  char c = peek(lexer, 0);
  if (lexer->at == lexer->end || at_comment(lexer)) lexer->end = lexer->at;
  else if (is_digit(c)) lex_number(lexer);
  else if (is_name_start(c) || (c == '.' && is_name_start(peek(lexer, 1)))) lex_name(lexer);
  else lex_punct(lexer);
}

void tx_lex_line(struct tx_lexer *lexer, const char *line, const char *end) {
  *lexer = (struct tx_lexer){.line = line, .end = end, .at = line, .last_end = line};
  tx_lex_next(lexer);
}

bool tx_lex_take(struct tx_lexer *lexer, char punct) {
  if (lexer->token.kind != TX_TOKEN_PUNCT || lexer->token.punct != punct) return false;
  tx_lex_next(lexer);
  return true;
}

bool tx_lex_same(const char *text, size_t length, const char *name) {
  for (size_t i = 0; i < length; i++, name++) {
    bool scope = text[i] == ':';
    if (*name != (scope ? '.' : text[i])) return false;
    i += scope; /* the second colon */
  }
  return *name == '\0';
}

void tx_asm_fail(struct tx_asm_error *error, const struct tx_lexer *lexer, const char *from, size_t length,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
  error->column = (uint32_t)(from - lexer->line) + 1;
  error->length = length ? (uint32_t)length : 1;
  error->is_limit = false;
}

void tx_asm_expected(struct tx_asm_error *error, const struct tx_lexer *lexer, const char *what) {
  const struct tx_token *token = &lexer->token;
  if (token->kind == TX_TOKEN_BAD) tx_asm_fail(error, lexer, token->text, token->length, "%s", token->wrong);
  else if (token->kind == TX_TOKEN_END) tx_asm_fail(error, lexer, lexer->last_end, 1, "expected %s", what);
  else {
    int shown = token->length > 40 ? 40 : (int)token->length;
    tx_asm_fail(error, lexer, token->text, token->length, "expected %s, not '%.*s'", what, shown, token->text);
  }
}
