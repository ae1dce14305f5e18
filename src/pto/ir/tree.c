/* Parses PTO IR text into generic operations. An operation ends where a line begins with a result (%x), with a dotted name or
 * with a closing brace, unless a bracket or a comma is open. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/ir/tree.h"

#define DEPTH_MAX 32u
#define OPS_MAX 100000u
#define ARGS_MAX 1000000u

struct reader {
  struct ir_lexer lexer;
  struct ir_token token; /* the next one */
  struct ir_tree *tree;
  struct pto_ir_error *error;
  uint32_t depth;
  bool failed;
};

__attribute__((format(printf, 3, 4))) static bool fail_at(struct reader *r, const struct ir_token *at, const char *format,
                                                          ...) {
  if (r->failed) return false;
  va_list args;
  va_start(args, format);
  vsnprintf(r->error->text, sizeof r->error->text, format, args);
  va_end(args);
  r->error->line = at->line;
  r->error->column = at->column;
  r->failed = true;
  return false;
}

static void advance(struct reader *r) {
  r->token = pto_ir_lex_next(&r->lexer);
  if (r->token.kind == IR_BAD) fail_at(r, &r->token, "this is not a token of PTO IR");
}

static bool at_punct(const struct reader *r, char c) { return r->token.kind == IR_PUNCT && r->token.punct == c; }

static bool take_punct(struct reader *r, char c) {
  if (r->failed || !at_punct(r, c)) return false;
  advance(r);
  return true;
}

static bool expect(struct reader *r, char c) {
  if (take_punct(r, c)) return true;
  return fail_at(r, &r->token, "expected '%c'", c);
}

static bool at_word(const struct reader *r, const char *word) {
  return r->token.kind == IR_IDENT && pto_ir_is(r->token.text, word);
}

static uint32_t new_op(struct reader *r) {
  struct ir_tree *t = r->tree;
  if (t->op_count == t->op_room) {
    uint32_t room = t->op_room ? t->op_room * 2 : 64;
    struct ir_op *grown = t->op_count < OPS_MAX ? realloc(t->ops, room * sizeof *grown) : NULL;
    if (!grown) {
      fail_at(r, &r->token, t->op_count < OPS_MAX ? "out of memory" : "too many operations");
      return 0;
    }
    t->ops = grown;
    t->op_room = room;
  }
  memset(&t->ops[t->op_count], 0, sizeof t->ops[0]);
  struct ir_op *op = &t->ops[t->op_count];
  op->first_child = op->else_child = op->next = IR_NO_OP;
  op->line = r->token.line;
  op->column = r->token.column;
  op->first_arg = t->arg_count;
  return t->op_count++;
}

static struct ir_arg *new_arg(struct reader *r, unsigned role) {
  struct ir_tree *t = r->tree;
  if (t->arg_count == t->arg_room) {
    uint32_t room = t->arg_room ? t->arg_room * 2 : 256;
    struct ir_arg *grown = t->arg_count < ARGS_MAX ? realloc(t->args, room * sizeof *grown) : NULL;
    if (!grown) {
      fail_at(r, &r->token, t->arg_count < ARGS_MAX ? "out of memory" : "too many operands");
      return &t->args[0];
    }
    t->args = grown;
    t->arg_room = room;
  }
  struct ir_arg *a = &t->args[t->arg_count++];
  memset(a, 0, sizeof *a);
  a->role = (uint8_t)role;
  a->line = r->token.line;
  a->column = r->token.column;
  return a;
}

static void fill(struct ir_arg *a, const struct ir_token *t) {
  a->kind = t->kind;
  a->text = t->text;
  a->integer = t->integer;
  a->number = t->number;
  a->line = t->line;
  a->column = t->column;
}

static bool value_token(const struct reader *r) { return r->token.kind >= IR_IDENT && r->token.kind <= IR_SHAPE; }

/* A type: one token, a parenthesised list, or a scalar type's name. Returns its text. */
static struct ir_slice take_type(struct reader *r) {
  struct ir_slice text = r->token.text;
  if (r->token.kind != IR_TYPE && r->token.kind != IR_IDENT && r->token.kind != IR_SHAPE)
    fail_at(r, &r->token, "expected a type");
  else advance(r);
  return text;
}

static void take_types(struct reader *r, unsigned role) {
  bool paren = take_punct(r, '(');
  while (!r->failed && !(paren && at_punct(r, ')'))) {
    struct ir_arg *a = new_arg(r, role);
    if (r->failed) return;
    struct ir_token t = r->token;
    take_type(r);
    fill(a, &t);
    if (!take_punct(r, ',')) break;
  }
  if (paren) expect(r, ')');
}

static void take_list(struct reader *r, uint32_t owner) {
  uint32_t elements[64], count = 0;
  while (!r->failed && !at_punct(r, ']')) {
    if (!value_token(r)) {
      fail_at(r, &r->token, "expected a value");
      return;
    }
    if (count == 64 && r->token.kind == IR_PERCENT) {
      fail_at(r, &r->token, "a list of values may have 64 elements");
      return;
    }
    struct ir_arg *a = new_arg(r, 255); /* belongs to the list, not to the operation */
    if (r->failed) return;
    fill(a, &r->token);
    if (count < 64) elements[count] = r->tree->arg_count - 1;
    count++;
    advance(r);
    if (!take_punct(r, ',')) break;
  }
  expect(r, ']');
  r->tree->args[owner].list = count ? elements[0] : 0; /* elements are contiguous */
  r->tree->args[owner].list_count = count;
}

/* key = value, or key alone. */
static void take_attr(struct reader *r, struct ir_slice key, bool has_value) {
  struct ir_arg *a = new_arg(r, IR_ATTR);
  if (r->failed) return;
  a->key = key;
  uint32_t index = r->tree->arg_count - 1;
  if (!has_value) return;
  if (take_punct(r, '[')) {
    a->kind = IR_PUNCT;
    take_list(r, index);
    return;
  }
  if (!value_token(r)) {
    fail_at(r, &r->token, "expected the value of attribute %.*s", (int)key.length, key.at);
    return;
  }
  fill(a, &r->token);
  bool number = r->token.kind == IR_INT || r->token.kind == IR_FLOAT;
  advance(r);
  if (number && take_punct(r, ':')) take_type(r); /* a number may have a type, as in 4 : i32 */
}

static void take_attrs(struct reader *r) {
  expect(r, '{');
  while (!r->failed && !at_punct(r, '}')) {
    if (r->token.kind != IR_IDENT && r->token.kind != IR_STRING) {
      fail_at(r, &r->token, "expected the name of an attribute");
      return;
    }
    struct ir_slice key = r->token.text;
    advance(r);
    take_attr(r, key, take_punct(r, '='));
    if (!take_punct(r, ',')) break;
  }
  expect(r, '}');
}

/* ( ... ) after the name of a group or of the operation: operands, named operands, their types. */
static void take_group(struct reader *r, struct ir_slice key) {
  uint32_t first = r->tree->arg_count;
  while (!r->failed && !at_punct(r, ')')) {
    struct ir_slice name = key;
    struct ir_token t = r->token;
    if (!value_token(r)) {
      fail_at(r, &r->token, "expected an operand");
      return;
    }
    advance(r);
    if (t.kind == IR_IDENT && take_punct(r, '=')) {
      name = t.text;
      t = r->token;
      if (!value_token(r)) {
        fail_at(r, &r->token, "expected an operand");
        return;
      }
      advance(r);
    }
    struct ir_arg *a = new_arg(r, IR_OPERAND);
    if (r->failed) return;
    fill(a, &t);
    a->key = name;
    if (take_punct(r, ':')) { /* types of all operands so far, or of this one */
      uint32_t last = r->tree->arg_count - 1;
      bool named = name.at != key.at;
      for (uint32_t i = named ? last : first; i <= last && !r->failed; i++) {
        struct ir_slice type = take_type(r);
        if (r->tree->args[i].type.length == 0) r->tree->args[i].type = type;
        if (i < last && !take_punct(r, ',')) break;
      }
    }
    if (!take_punct(r, ',')) break;
  }
  expect(r, ')');
}

static bool op_ends(const struct reader *r) {
  const struct ir_token *t = &r->token;
  if (t->kind == IR_END || at_punct(r, '}')) return true;
  if (!t->first_on_line) return false;
  if (t->kind == IR_PERCENT) return true;
  return t->kind == IR_IDENT &&
         (memchr(t->text.at, '.', t->text.length) != NULL || pto_ir_is(t->text, "return") || pto_ir_is(t->text, "module"));
}

static void take_operand(struct reader *r) {
  struct ir_arg *a = new_arg(r, IR_OPERAND);
  if (r->failed) return;
  fill(a, &r->token);
  advance(r);
}

/* Everything after the name of a plain operation. */
static void take_rest(struct reader *r) {
  while (!r->failed && !op_ends(r)) {
    if (take_punct(r, ':')) {
      take_types(r, IR_OPERAND_TYPE);
      if (r->token.kind == IR_IDENT && pto_ir_is(r->token.text, "to")) { /* a cast: i32 to index */
        advance(r);
        take_types(r, IR_RESULT_TYPE);
      }
    } else if (r->token.kind == IR_ARROW) {
      advance(r);
      take_types(r, IR_RESULT_TYPE);
    } else if (at_punct(r, '{')) {
      take_attrs(r);
    } else if (take_punct(r, '(')) {
      take_group(r, (struct ir_slice){"", 0});
    } else if (take_punct(r, '<')) { /* <{ attributes }> */
      take_attrs(r);
      expect(r, '>');
    } else if (at_punct(r, ',')) {
      advance(r);
      if (op_ends(r) && r->token.kind != IR_PERCENT) fail_at(r, &r->token, "expected an operand after ','");
      else if (r->token.kind == IR_PERCENT) take_operand(r);
    } else if (take_punct(r, '=')) {
      if (value_token(r)) take_operand(r);
      else fail_at(r, &r->token, "expected a value");
    } else if (r->token.kind == IR_IDENT) {
      struct ir_token t = r->token;
      advance(r);
      if (take_punct(r, '(')) take_group(r, t.text);
      else if (take_punct(r, '=')) take_attr(r, t.text, true);
      else {
        struct ir_arg *a = new_arg(r, IR_OPERAND);
        if (!r->failed) fill(a, &t);
      }
    } else if (value_token(r)) {
      take_operand(r);
    } else {
      fail_at(r, &r->token, "unexpected '%.*s'", (int)(r->token.text.length < 20 ? r->token.text.length : 20),
              r->token.text.at);
    }
  }
}

static uint32_t read_op(struct reader *r);

static void read_region(struct reader *r, uint32_t *first, uint32_t *count) {
  uint32_t last = IR_NO_OP;
  *first = IR_NO_OP;
  *count = 0;
  if (++r->depth > DEPTH_MAX) {
    if (!r->failed) r->error->is_limit = true;
    fail_at(r, &r->token, "regions are nested more than %u deep", DEPTH_MAX);
    return;
  }
  while (!r->failed && r->token.kind != IR_END && !at_punct(r, '}')) {
    uint32_t op = read_op(r);
    if (r->failed) return;
    if (last == IR_NO_OP) *first = op;
    else r->tree->ops[last].next = op;
    last = op;
    ++*count;
  }
  r->depth--;
}

static void read_braced(struct reader *r, uint32_t op, bool is_else) {
  uint32_t first, count;
  if (!expect(r, '{')) return;
  read_region(r, &first, &count);
  if (r->failed || !expect(r, '}')) return;
  struct ir_op *o = &r->tree->ops[op];
  if (is_else) {
    o->else_child = first;
    o->else_count = count;
  } else {
    o->first_child = first;
    o->child_count = count;
  }
}

static void read_func(struct reader *r) {
  if (at_word(r, "private") || at_word(r, "public")) advance(r);
  if (r->token.kind != IR_AT) {
    fail_at(r, &r->token, "expected the name of the function");
    return;
  }
  take_operand(r);
  if (!expect(r, '(')) return;
  while (!r->failed && !at_punct(r, ')')) {
    if (r->token.kind != IR_PERCENT) {
      fail_at(r, &r->token, "expected an argument");
      return;
    }
    take_operand(r);
    uint32_t a = r->tree->arg_count - 1;
    if (!r->failed && expect(r, ':')) {
      struct ir_slice type = take_type(r);
      if (!r->failed) r->tree->args[a].type = type;
    }
    if (at_punct(r, '{')) take_attrs(r);
    if (!take_punct(r, ',')) break;
  }
  expect(r, ')');
  if (r->token.kind == IR_ARROW) {
    advance(r);
    take_types(r, IR_RESULT_TYPE);
  }
  if (at_word(r, "attributes")) {
    advance(r);
    take_attrs(r);
  }
}

/* scf.for %i = %a to %b step %c */
static void read_for(struct reader *r) {
  static const char *const words[] = {"=", "to", "step"};
  if (r->token.kind != IR_PERCENT) {
    fail_at(r, &r->token, "expected the loop variable");
    return;
  }
  take_operand(r);
  for (unsigned k = 0; k < 3 && !r->failed; k++) {
    bool there = k == 0 ? take_punct(r, '=') : at_word(r, words[k]);
    if (!there && k == 2) break; /* step may be omitted */
    if (!there) {
      fail_at(r, &r->token, "expected '%s'", words[k]);
      return;
    }
    if (k) advance(r);
    if (r->token.kind != IR_PERCENT && r->token.kind != IR_INT) {
      fail_at(r, &r->token, "expected a bound");
      return;
    }
    take_operand(r);
  }
  if (take_punct(r, ':')) take_type(r);
}

static void read_results(struct reader *r, uint32_t op) {
  while (!r->failed && r->token.kind == IR_PERCENT) {
    struct ir_op *o = &r->tree->ops[op];
    if (o->result_count == 4) {
      fail_at(r, &r->token, "more than four results");
      return;
    }
    o->results[o->result_count++] = r->token.text;
    advance(r);
    if (!take_punct(r, ',')) break;
  }
  if (r->tree->ops[op].result_count) expect(r, '=');
}

static uint32_t read_op(struct reader *r) {
  uint32_t op = new_op(r);
  if (r->failed) return op;
  read_results(r, op);
  if (r->failed) return op;
  if (r->token.kind != IR_IDENT) {
    fail_at(r, &r->token, "expected an operation");
    return op;
  }
  struct ir_slice name = r->token.text;
  r->tree->ops[op].name = name;
  r->tree->ops[op].line = r->token.line;
  r->tree->ops[op].column = r->token.column;
  advance(r);
  r->tree->ops[op].first_arg = r->tree->arg_count;
  bool region = true;
  if (pto_ir_is(name, "module")) {
    if (r->token.kind == IR_AT) advance(r);
    if (at_word(r, "attributes")) {
      advance(r);
      take_attrs(r);
    }
  } else if (pto_ir_is(name, "func.func")) {
    read_func(r);
  } else if (pto_ir_is(name, "scf.for")) {
    read_for(r);
  } else if (pto_ir_is(name, "scf.if")) {
    if (value_token(r)) take_operand(r);
    else fail_at(r, &r->token, "expected a condition");
  } else {
    take_rest(r);
    region = false;
  }
  if (r->failed) return op;
  r->tree->ops[op].arg_count = r->tree->arg_count - r->tree->ops[op].first_arg;
  if (region) read_braced(r, op, false);
  if (!r->failed && pto_ir_is(name, "scf.if") && at_word(r, "else")) {
    advance(r);
    read_braced(r, op, true);
  }
  return op;
}

bool pto_ir_read(struct ir_tree *tree, const char *text, size_t length, struct pto_ir_error *error) {
  struct reader r = {.tree = tree, .error = error};
  memset(tree, 0, sizeof *tree);
  memset(error, 0, sizeof *error);
  pto_ir_lex_start(&r.lexer, text, length);
  advance(&r);
  uint32_t root = new_op(&r), first = IR_NO_OP, count = 0;
  if (r.failed) return false;
  tree->ops[root].name = (struct ir_slice){"", 0};
  read_region(&r, &first, &count);
  if (!r.failed && r.token.kind != IR_END) fail_at(&r, &r.token, "unexpected '}'");
  if (r.failed) return false;
  tree->ops[root].first_child = first;
  tree->ops[root].child_count = count;
  return true;
}

void pto_ir_tree_free(struct ir_tree *tree) {
  free(tree->ops);
  free(tree->args);
  memset(tree, 0, sizeof *tree);
}
