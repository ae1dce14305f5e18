/* See params.h. */
#include "pto/ir/params.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32u

struct expander {
  const char *at, *end;
  uint32_t line;
  const char *line_start;
  struct pto_setting values[PTO_PARAMS_MAX];
  bool used_names[PTO_PARAMS_MAX]; /* declared, or named in an expression */
  unsigned count, depth;
  struct pto_ir_error *error;
  bool failed;
  char *out;
  size_t used, room;
};

static void fail(struct expander *x, const char *what, const char *name) {
  if (x->failed) return;
  x->failed = true;
  x->error->line = x->line;
  x->error->column = (uint32_t)(x->at - x->line_start) + 1;
  snprintf(x->error->text, sizeof x->error->text, "%s%s", what, name);
}

static void put(struct expander *x, const char *bytes, size_t count) {
  if (x->failed) return;
  if (x->used + count + 1 > x->room) {
    size_t room = (x->used + count + 1) * 2;
    char *grown = realloc(x->out, room);
    if (!grown) {
      fail(x, "out of memory", "");
      return;
    }
    x->out = grown;
    x->room = room;
  }
  memcpy(x->out + x->used, bytes, count);
  x->used += count;
  x->out[x->used] = '\0';
}

static bool word_at(const struct expander *x, const char *word) {
  size_t length = strlen(word);
  return (size_t)(x->end - x->at) >= length && memcmp(x->at, word, length) == 0;
}

static void blanks(struct expander *x) {
  while (x->at < x->end && (*x->at == ' ' || *x->at == '\t')) x->at++;
}

static bool name_of(struct expander *x, char name[32]) {
  size_t n = 0;
  while (x->at < x->end && (isalnum((unsigned char)*x->at) || *x->at == '_') && n < 31) name[n++] = *x->at++;
  name[n] = '\0';
  return n > 0;
}

static int64_t sum(struct expander *x);

static int64_t number(struct expander *x) {
  uint64_t value = 0;
  while (x->at < x->end && isdigit((unsigned char)*x->at) && value < UINT64_C(1) << 40)
    value = value * 10 + (uint64_t)(*x->at++ - '0');
  return (int64_t)value;
}

static int64_t primary(struct expander *x) {
  char name[32];
  blanks(x);
  if (x->failed || x->at == x->end || ++x->depth > DEPTH_MAX) {
    fail(x, "an expression such as ${M / 2} is expected", "");
    return 0;
  }
  int64_t value = 0;
  if (*x->at == '(') {
    x->at++;
    value = sum(x);
    blanks(x);
    if (x->at < x->end && *x->at == ')') x->at++;
    else fail(x, "expected ')'", "");
  } else if (*x->at == '-') {
    x->at++;
    value = -primary(x);
  } else if (isdigit((unsigned char)*x->at)) {
    value = number(x);
  } else if (name_of(x, name)) {
    unsigned i = 0;
    while (i < x->count && strcmp(x->values[i].name, name) != 0) i++;
    if (i < x->count) value = x->values[i].value, x->used_names[i] = true;
    else fail(x, "no parameter: declare pto.param @", name);
  } else {
    fail(x, "an expression such as ${M / 2} is expected", "");
  }
  x->depth--;
  return value;
}

static int64_t product(struct expander *x) {
  int64_t value = primary(x);
  for (blanks(x); !x->failed && x->at < x->end && strchr("*/%", *x->at) && !word_at(x, "//"); blanks(x)) {
    char op = *x->at++;
    int64_t other = primary(x);
    if (op != '*' && other == 0) fail(x, "division by zero", "");
    else if (op == '*') value = (int64_t)((uint64_t)value * (uint64_t)other);
    else value = other == -1 ? (op == '/' ? (int64_t)(0 - (uint64_t)value) : 0) : op == '/' ? value / other : value % other;
  }
  return value;
}

static int64_t sum(struct expander *x) {
  int64_t value = product(x);
  for (blanks(x); !x->failed && x->at < x->end && (*x->at == '+' || *x->at == '-'); blanks(x)) {
    char op = *x->at++;
    int64_t other = product(x);
    value = (int64_t)(op == '+' ? (uint64_t)value + (uint64_t)other : (uint64_t)value - (uint64_t)other);
  }
  return value;
}

static void expression(struct expander *x) {
  char digits[32];
  x->at += 2;
  int64_t value = sum(x);
  blanks(x);
  if (!x->failed && (x->at == x->end || *x->at != '}')) fail(x, "expected '}' after the expression", "");
  if (x->failed) return;
  x->at++;
  put(x, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)value));
}

/* pto.param @NAME = VALUE, up to the end of the line. */
static void declaration(struct expander *x) {
  struct pto_setting one = {.value = 0};
  x->at += strlen("pto.param");
  blanks(x);
  if (x->at < x->end && *x->at == '@') x->at++;
  bool named = name_of(x, one.name);
  blanks(x);
  if (!named || x->at == x->end || *x->at != '=') {
    fail(x, "a parameter is written pto.param @NAME = VALUE", "");
    return;
  }
  x->at++;
  one.value = sum(x);
  for (unsigned i = 0; i < x->count; i++)
    if (strcmp(x->values[i].name, one.name) == 0) { /* the user's value takes precedence */
      x->used_names[i] = true;
      return;
    }
  if (x->count == PTO_PARAMS_MAX) fail(x, "too many parameters", "");
  else x->values[x->count++] = one;
}

char *pto_ir_expand(const char *text, size_t length, const struct pto_setting *settings, unsigned count, size_t *out_length,
                    struct pto_ir_error *error) {
  struct expander x = {.at = text, .end = text + length, .line = 1, .line_start = text, .error = error};
  memset(error, 0, sizeof *error);
  for (unsigned i = 0; i < count && i < PTO_PARAMS_MAX; i++) x.values[x.count++] = settings[i];
  put(&x, "", 0);
  while (x.at < x.end && !x.failed) {
    if (word_at(&x, "//")) { /* comments are copied unchanged */
      const char *from = x.at;
      while (x.at < x.end && *x.at != '\n') x.at++;
      put(&x, from, (size_t)(x.at - from));
    } else if (word_at(&x, "${")) {
      expression(&x);
    } else if (word_at(&x, "pto.param") && x.at + 9 < x.end && (x.at[9] == ' ' || x.at[9] == '\t')) {
      declaration(&x);
    } else {
      put(&x, x.at, 1);
      if (*x.at == '\n') x.line++, x.line_start = x.at + 1;
      x.at++;
    }
  }
  for (unsigned i = 0; i < count && i < PTO_PARAMS_MAX; i++)
    if (!x.used_names[i]) {
      fail(&x, "the program has no parameter ", settings[i].name);
      error->is_limit = true; /* no place in the source */
    }
  *out_length = x.used;
  if (!x.failed) return x.out;
  free(x.out);
  return NULL;
}
