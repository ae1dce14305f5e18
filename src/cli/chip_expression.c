/* The reader of chip_expression.h. */
#include "cli/chip_expression.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define DEPTH 16u                   /* of parentheses and signs */
#define LARGEST (INT64_C(1) << 40u) /* of every part: products of two fit into 128 bits */

struct parser {
  const char *at;
  chip_name_fn name_of;
  const void *context;
  const char *wrong; /* NULL: nothing yet */
  char *part;
  unsigned depth;
};

static bool is_of_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool chip_is_expression(const char *word) {
  const char *at = word + (*word == '-');
  return *at && at[strcspn(at, "+-*/%()")] != '\0';
}

static int64_t fail(struct parser *p, const char *wrong) {
  if (!p->wrong) p->wrong = wrong;
  return 0;
}

static int64_t checked(struct parser *p, int64_t value) {
  return value > LARGEST || value < -LARGEST ? fail(p, "is too large") : value;
}

static int64_t operand(struct parser *p) {
  char *word = p->part;
  size_t length = 0;
  while (is_of_name(p->at[length])) length++;
  if (!length) return fail(p, "a number or a name is missing");
  if (length >= CHIP_EXPRESSION_PART) return fail(p, "is too long");
  memcpy(word, p->at, length);
  word[length] = '\0';
  p->at += length;
  uint64_t number;
  int64_t value;
  if (cli_parse_u64(word, &number)) return number > UINT32_MAX ? fail(p, "is too large") : (int64_t)number;
  return p->name_of(p->context, word, &value) ? checked(p, value) : fail(p, "is neither a number nor a name");
}

static int64_t sum(struct parser *p);

static int64_t factor(struct parser *p) {
  if (p->depth == DEPTH) return fail(p, "has too many parentheses");
  int64_t value;
  p->depth++;
  if (*p->at == '-') {
    p->at++;
    value = -factor(p);
  } else if (*p->at == '(') {
    p->at++;
    value = sum(p);
    if (*p->at == ')') p->at++;
    else fail(p, "a ) is missing");
  } else {
    value = operand(p);
  }
  p->depth--;
  return value;
}

static int64_t product(struct parser *p) {
  int64_t value = factor(p);
  while (!p->wrong && *p->at && strchr("*/%", *p->at)) {
    char op = *p->at++;
    int64_t other = factor(p);
    if (p->wrong) return 0;
    if (op != '*' && !other) return fail(p, "divides by 0");
    if (op == '*' && other && (value > LARGEST / llabs(other) || value < -LARGEST / llabs(other)))
      return fail(p, "is too large");
    value = op == '*' ? value * other : op == '/' ? value / other : value % other;
  }
  return value;
}

static int64_t sum(struct parser *p) {
  int64_t value = product(p);
  while (!p->wrong && (*p->at == '+' || *p->at == '-')) {
    bool minus = *p->at++ == '-';
    int64_t other = product(p);
    value = checked(p, minus ? value - other : value + other);
  }
  return value;
}

const char *chip_expression(const char *word, chip_name_fn name_of, const void *context, uint32_t *value,
                            char part[CHIP_EXPRESSION_PART]) {
  struct parser p = {.at = word, .name_of = name_of, .context = context, .part = part};
  part[0] = '\0';
  int64_t result = sum(&p);
  if (!p.wrong && *p.at) fail(&p, *p.at == ')' ? "has a ) too many" : "is no expression");
  if (!p.wrong && (result > (int64_t)UINT32_MAX || result < INT32_MIN)) fail(&p, "does not fit into 32 bits");
  *value = (uint32_t)result;
  if (p.wrong && strncmp(p.wrong, "is ", 3) != 0 && strncmp(p.wrong, "has ", 4) != 0) part[0] = '\0';
  return p.wrong;
}
