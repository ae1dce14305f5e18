/* Tokens of PTO IR. Types and attributes with balanced angle brackets are one token. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pto/ir/lex.h"

void pto_ir_lex_start(struct ir_lexer *lexer, const char *text, size_t length) {
  *lexer = (struct ir_lexer){.at = text, .end = text + length, .line_start = text, .line = 1, .fresh_line = true};
}

bool pto_ir_is(struct ir_slice s, const char *word) { return s.length == strlen(word) && memcmp(s.at, word, s.length) == 0; }

static char peek(const struct ir_lexer *l, size_t ahead) { return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0'; }

static void skip_space(struct ir_lexer *l) {
  while (l->at < l->end) {
    if (*l->at == '\n') {
      l->line++;
      l->at++;
      l->line_start = l->at;
      l->fresh_line = true;
    } else if (isspace((unsigned char)*l->at)) {
      l->at++;
    } else if (*l->at == '/' && peek(l, 1) == '/') {
      while (l->at < l->end && *l->at != '\n') l->at++;
    } else {
      return;
    }
  }
}

static bool name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$'; }

/* Consumes a balanced <...>, which may not span lines. */
static bool take_angles(struct ir_lexer *l) {
  unsigned depth = 0;
  if (peek(l, 0) != '<') return true;
  do {
    char c = peek(l, 0);
    if (c == '\0' || c == '\n') return false;
    if (c == '<') depth++;
    if (c == '>' && l->at[-1] != '-') depth--;
    l->at++;
  } while (depth);
  return true;
}

static void take_name(struct ir_lexer *l) {
  while (l->at < l->end && name_char(*l->at)) l->at++;
}

static void take_number(struct ir_lexer *l, struct ir_token *t) {
  const char *start = l->at;
  if (*l->at == '-') l->at++;
  bool hex = peek(l, 0) == '0' && (peek(l, 1) == 'x' || peek(l, 1) == 'X') && isxdigit((unsigned char)peek(l, 2));
  char digits[64];
  t->kind = IR_INT;
  if (hex) l->at += 2;
  while (hex ? isxdigit((unsigned char)peek(l, 0)) : isdigit((unsigned char)peek(l, 0))) l->at++;
  if (!hex && peek(l, 0) == 'x' && (isalnum((unsigned char)peek(l, 1)) || peek(l, 1) == '?')) {
    t->kind = IR_SHAPE;
    while (name_char(peek(l, 0)) || peek(l, 0) == '?') l->at++;
    return;
  }
  if (!hex && (peek(l, 0) == '.' || ((peek(l, 0) | 32) == 'e' &&
                                     (isdigit((unsigned char)peek(l, 1)) || peek(l, 1) == '-' || peek(l, 1) == '+')))) {
    t->kind = IR_FLOAT;
    if (peek(l, 0) == '.') l->at++;
    while (isdigit((unsigned char)peek(l, 0))) l->at++;
    if ((peek(l, 0) | 32) == 'e') {
      l->at++;
      if (peek(l, 0) == '-' || peek(l, 0) == '+') l->at++;
      while (isdigit((unsigned char)peek(l, 0))) l->at++;
    }
  }
  size_t length = (size_t)(l->at - start);
  if (length >= sizeof digits) {
    t->kind = IR_BAD;
    return;
  }
  memcpy(digits, start, length);
  digits[length] = '\0';
  t->number = strtod(digits, NULL);
  t->integer = strtoll(digits, NULL, 0);
  if (!hex && t->kind == IR_INT) t->integer = strtoll(digits, NULL, 10);
}

static void take_string(struct ir_lexer *l, struct ir_token *t) {
  const char *start = ++l->at;
  while (l->at < l->end && *l->at != '"' && *l->at != '\n') l->at++;
  t->text = (struct ir_slice){start, (uint32_t)(l->at - start)};
  t->kind = l->at < l->end && *l->at == '"' ? IR_STRING : IR_BAD;
  if (l->at < l->end && *l->at == '"') l->at++;
}

static void take_sigil(struct ir_lexer *l, struct ir_token *t) {
  char sigil = *l->at++;
  const char *start = l->at;
  take_name(l);
  t->kind = sigil == '%' ? IR_PERCENT : sigil == '@' ? IR_AT : sigil == '!' ? IR_TYPE : IR_HASH;
  if (l->at == start) t->kind = IR_BAD;
  if ((sigil == '!' || sigil == '#') && !take_angles(l)) t->kind = IR_BAD;
  t->text = (struct ir_slice){start, (uint32_t)(l->at - start)};
}

struct ir_token pto_ir_lex_next(struct ir_lexer *l) {
  skip_space(l);
  struct ir_token t;
  memset(&t, 0, sizeof t);
  t.line = l->line;
  t.column = (uint32_t)(l->at - l->line_start) + 1;
  t.first_on_line = l->fresh_line;
  l->fresh_line = false;
  const char *start = l->at;
  if (l->at >= l->end) return t;
  char c = *l->at;
  if (c == '%' || c == '@' || c == '!' || c == '#') {
    take_sigil(l, &t);
    return t;
  }
  if (c == '"') {
    take_string(l, &t);
    return t;
  }
  if (c == '-' && peek(l, 1) == '>') {
    t.kind = IR_ARROW;
    l->at += 2;
  } else if (isdigit((unsigned char)c) || (c == '-' && isdigit((unsigned char)peek(l, 1)))) {
    take_number(l, &t);
  } else if (c == '?') {
    t.kind = IR_SHAPE;
    while (name_char(peek(l, 0)) || peek(l, 0) == '?') l->at++;
  } else if (isalpha((unsigned char)c) || c == '_') {
    t.kind = IR_IDENT;
    take_name(l);
    if (!take_angles(l)) t.kind = IR_BAD;
  } else {
    t.kind = strchr("(){}[]<>,:=*", c) ? IR_PUNCT : IR_BAD;
    t.punct = c;
    l->at++;
  }
  t.text = (struct ir_slice){start, (uint32_t)(l->at - start)};
  return t;
}
