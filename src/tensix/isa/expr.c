/* The expressions of expr.h, by recursive descent: one function climbs the binary operators by precedence. */
#include "tensix/isa/expr.h"

#include <string.h>

static bool climb(struct tx_expr *expr, int level, struct tx_value *value);

/* Kernels may write ckernel:: before a constant. */
static size_t skip_namespace(const struct tx_token *name) {
  return name->length > 9 && strncmp(name->text, "ckernel::", 9) == 0 ? 9 : 0;
}

/* semaphore::t6_sem(n) and t6_sem(n): the mask of semaphore n. */
static bool is_semaphore_mask(const struct tx_lexer *lexer) {
  const struct tx_token name = lexer->token;
  size_t skipped = skip_namespace(&name);
  struct tx_lexer ahead = *lexer;
  tx_lex_next(&ahead);
  return name.kind == TX_TOKEN_NAME && ahead.token.punct == '(' &&
         (tx_lex_same(name.text + skipped, name.length - skipped, "semaphore.t6_sem") ||
          tx_lex_same(name.text + skipped, name.length - skipped, "t6_sem"));
}

static void fail_name(struct tx_expr *expr, const struct tx_token *name, bool comes_later) {
  const char *near = comes_later ? NULL : tx_nearest_name(name->text, name->length);
  const char *what = comes_later ? "used before it has a value:" : "unknown name";
  int shown = name->length > 60 ? 60 : (int)name->length;
  tx_asm_fail(expr->error, expr->lexer, name->text, name->length, "%s '%.*s'%s%s%s", what, shown, name->text,
              near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static bool evaluate_name(struct tx_expr *expr, struct tx_value *value) {
  struct tx_token name = expr->lexer->token;
  name.text += skip_namespace(&name);
  name.length = (size_t)(expr->lexer->at - name.text);
  const struct tx_symbol *symbol = tx_symbols_find(expr->symbols, name.text, name.length);
  if (symbol && symbol->known) {
    *value = (struct tx_value){.value = symbol->value, .space = symbol->space};
  } else if (expr->first_pass) {
    expr->undefined = true;
  } else {
    fail_name(expr, &name, symbol != NULL);
    return false;
  }
  tx_lex_next(expr->lexer);
  return true;
}

static bool evaluate_group(struct tx_expr *expr, struct tx_value *value) {
  const struct tx_token open = expr->lexer->token;
  tx_lex_next(expr->lexer);
  if (!climb(expr, 0, value)) return false;
  if (tx_lex_take(expr->lexer, ')')) return true;
  if (expr->lexer->token.kind == TX_TOKEN_END) {
    tx_asm_fail(expr->error, expr->lexer, open.text, open.length, "this parenthesis is not closed");
  } else tx_asm_expected(expr->error, expr->lexer, "an operator or ')'");
  return false;
}

static bool evaluate_unary(struct tx_expr *expr, struct tx_value *value);

static bool evaluate_sign(struct tx_expr *expr, char sign, struct tx_value *value) {
  tx_lex_next(expr->lexer);
  if (!evaluate_unary(expr, value)) return false;
  if (sign == '-') *value = (struct tx_value){.value = -value->value}; /* cannot overflow: see combine */
  if (sign == '~') *value = (struct tx_value){.value = ~value->value};
  return true;
}

static bool evaluate_semaphore_mask(struct tx_expr *expr, struct tx_value *value) {
  const struct tx_token name = expr->lexer->token;
  tx_lex_next(expr->lexer);
  if (!evaluate_group(expr, value)) return false;
  if (expr->undefined) value->value = 0; /* not a final value yet */
  if (value->value < 0 || value->value > 7) {
    tx_asm_fail(expr->error, expr->lexer, name.text, name.length, "a semaphore is 0 to 7");
    return false;
  }
  *value = (struct tx_value){.value = INT64_C(1) << value->value};
  return true;
}

static bool evaluate_nested(struct tx_expr *expr, struct tx_value *value) {
  const struct tx_token *token = &expr->lexer->token;
  switch (token->punct) {
    case '(': return evaluate_group(expr, value);
    case '-':
    case '~':
    case '+': return evaluate_sign(expr, token->punct, value);
    default: break;
  }
  if (is_semaphore_mask(expr->lexer)) return evaluate_semaphore_mask(expr, value);
  if (token->kind == TX_TOKEN_NAME && token->text[0] != '.') return evaluate_name(expr, value);
  tx_asm_expected(expr->error, expr->lexer, "a number, a name or '('");
  return false;
}

static bool evaluate_unary(struct tx_expr *expr, struct tx_value *value) {
  const struct tx_token token = expr->lexer->token;
  *value = (struct tx_value){0};
  if (token.kind == TX_TOKEN_NUMBER) {
    value->value = token.number;
    tx_lex_next(expr->lexer);
    return true;
  }
  if (expr->depth == TX_EXPR_DEPTH_MAX) {
    tx_asm_fail(expr->error, expr->lexer, token.text, token.length, "the expression is nested too deep");
    expr->error->is_limit = true;
    return false;
  }
  expr->depth++;
  bool good = evaluate_nested(expr, value);
  expr->depth--;
  return good;
}

static int level_of(const struct tx_token *token) {
  switch (token->punct) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case '<':
    case '>': return 4;
    case '+':
    case '-': return 5;
    case '*':
    case '/':
    case '%': return 6;
    default: return 0;
  }
}

static const char *shift(char op, int64_t a, int64_t b, int64_t *result) {
  if (b < 0 || b > 63) return "a shift is by 0 to 63";
  if (op == '>') {
    *result = a < 0 ? ~(~a >> b) : a >> b;
    return NULL;
  }
  *result = (int64_t)((uint64_t)a << b);
  return (*result < 0 ? ~(~*result >> b) : *result >> b) == a ? NULL : "the value does not fit in 64 bits";
}

/* NULL, or the reason of an error. Values stay between -2^63 and 2^63, both excluded, so that - ~ and / cannot overflow. */
static const char *combine(char op, int64_t a, int64_t b, int64_t *result) {
  const char *wrong = NULL;
  bool overflow = false;
  switch (op) {
    case '|': *result = a | b; break;
    case '^': *result = a ^ b; break;
    case '&': *result = a & b; break;
    case '<':
    case '>': wrong = shift(op, a, b, result); break;
    case '+': overflow = __builtin_add_overflow(a, b, result); break;
    case '-': overflow = __builtin_sub_overflow(a, b, result); break;
    case '*': overflow = __builtin_mul_overflow(a, b, result); break;
    default:
      if (b == 0) return "division by zero";
      *result = op == '/' ? a / b : a % b;
      break;
  }
  if (!wrong && (overflow || *result == INT64_MIN || *result == INT64_MAX)) wrong = "the value does not fit in 64 bits";
  return wrong;
}

static uint8_t space_of(char op, const struct tx_value *a, const struct tx_value *b) {
  if (op == '+' || op == '-') {
    if (b->space == TX_SPACE_NONE) return a->space;
    if (op == '+' && a->space == TX_SPACE_NONE) return b->space;
  }
  return TX_SPACE_NONE;
}

static bool climb(struct tx_expr *expr, int level, struct tx_value *value) {
  if (!evaluate_unary(expr, value)) return false;
  for (;;) {
    const struct tx_token op = expr->lexer->token;
    int found = op.kind == TX_TOKEN_PUNCT ? level_of(&op) : 0;
    if (found <= level) return true;
    struct tx_value right;
    tx_lex_next(expr->lexer);
    if (!climb(expr, found, &right)) return false;
    struct tx_value left = *value;
    const char *wrong = combine(op.punct, left.value, right.value, &value->value);
    if (wrong && expr->undefined) value->value = 0; /* not a final value yet */
    else if (wrong) {
      tx_asm_fail(expr->error, expr->lexer, op.text, op.length, "%s", wrong);
      return false;
    }
    value->space = space_of(op.punct, &left, &right);
  }
}

bool tx_expr(struct tx_expr *expr, struct tx_value *value) { return climb(expr, 0, value); }
