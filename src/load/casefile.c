/* The reader of casefile.h. Every number and every address is checked: a malformed case is not run. */
#include "load/casefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/case_text.h"
#include "tensix/mem/l1.h"

struct case_reader {
  struct case_text text;
  bool in_case;
  int core; /* block being read, -1 outside */
};

struct case_reader *case_open(const char *name, case_read_fn *read, void *context) {
  struct case_reader *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->core = -1;
  case_text_open(&r->text, name, read, context);
  return r;
}

void case_close(struct case_reader *reader) { free(reader); }

void case_free(struct conform_case *c) {
  free(c->initial.items);
  free(c->expected.items);
  free(c->bytes.data);
  for (unsigned i = 0; i < 3; i++) free(c->core[i].ops);
  memset(c, 0, sizeof *c);
}

static int add_op(struct case_reader *r, struct conform_case *c, struct tx_script_op op) {
  if (r->core < 0) return case_broken(&r->text, "this statement belongs inside a core block");
  struct case_ops *list = &c->core[r->core];
  if (!case_grow((void **)&list->ops, &list->capacity, list->count + 1, sizeof *list->ops))
    return case_broken(&r->text, "out of memory");
  list->ops[list->count++] = op;
  return 1;
}

static int add_range(struct case_reader *r, struct case_ranges *ranges, struct case_range range) {
  if (range.address > TX_L1_BYTES || range.length > TX_L1_BYTES - range.address)
    return case_broken(&r->text, "0x%x bytes at 0x%x lie outside L1", range.length, range.address);
  if (!case_grow((void **)&ranges->items, &ranges->capacity, ranges->count + 1, sizeof *ranges->items))
    return case_broken(&r->text, "out of memory");
  ranges->items[ranges->count++] = range;
  return 1;
}

/* --- statements --- */

static int read_bytes(struct case_reader *r, struct conform_case *c, struct case_ranges *ranges, char *cursor) {
  struct case_range range = {.data = c->bytes.count};
  if (!case_hex(&cursor, &range.address)) return case_broken(&r->text, "expected a hexadecimal address");
  range.length = (uint32_t)case_hex_bytes(&r->text, &cursor, &c->bytes);
  return range.length ? add_range(r, ranges, range) : -1;
}

static int read_fill(struct case_reader *r, struct case_ranges *ranges, char *cursor) {
  struct case_range range = {.is_fill = true};
  uint32_t value;
  if (!case_hex(&cursor, &range.address) || !case_hex(&cursor, &range.length) || !case_hex(&cursor, &value) || value > 0xff)
    return case_broken(&r->text, "expected ADDR LEN BYTE in hexadecimal");
  range.fill = (uint8_t)value;
  return add_range(r, ranges, range);
}

static int read_push(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *word;
  int result = case_broken(&r->text, "push without words");
  while ((word = case_word(&cursor))) {
    uint64_t value;
    if (!case_parse_hex(word, 8, &value)) return case_broken(&r->text, "'%s' is not a word in hexadecimal", word);
    result = add_op(r, c, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = (uint32_t)value});
    if (result < 0) return result;
  }
  return result;
}

static int read_operands(struct case_reader *r, struct conform_case *c, char *cursor, enum tx_script_kind kind,
                         unsigned count) {
  uint32_t v[3] = {0};
  for (unsigned i = 0; i < count; i++)
    if (!case_hex(&cursor, &v[i])) return case_broken(&r->text, "expected %u numbers in hexadecimal", count);
  return add_op(r, c, (struct tx_script_op){.kind = kind, .a = v[0], .b = v[1], .c = v[2]});
}

static int read_core(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *word = case_word(&cursor);
  if (!word || word[0] < '0' || word[0] > '2' || word[1]) return case_broken(&r->text, "core takes 0, 1 or 2");
  r->core = word[0] - '0';
  if (c->core[r->core].seen) return case_broken(&r->text, "second block for core %d", r->core);
  c->core[r->core].seen = true;
  return 1;
}

static int read_name(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *name = case_word(&cursor);
  if (r->in_case) return case_broken(&r->text, "case inside a case: 'end' is missing");
  if (!name || strlen(name) >= sizeof c->name)
    return case_broken(&r->text, "case needs a name of at most %zu characters", sizeof c->name - 1);
  memcpy(c->name, name, strlen(name) + 1);
  c->line = r->text.line;
  r->in_case = true;
  r->core = -1;
  return 1;
}

static int read_tags(struct case_reader *r, struct conform_case *c, const char *cursor) {
  if (case_add_tags(c->tags, sizeof c->tags, cursor)) return 1;
  return case_broken(&r->text, "tags of more than %zu characters", sizeof c->tags - 2);
}

/* 1: continue, 0: the case ended, -1: malformed. */
static int read_statement(struct case_reader *r, struct conform_case *c, char *line) {
  char *cursor = line;
  char *keyword = case_word(&cursor);
  if (!keyword || keyword[0] == '#') return 1;
  if (strcmp(keyword, "case") == 0) return read_name(r, c, cursor);
  static const char *const known[] = {"tag",  "l1",   "fill", "core",   "push",       "store",
                                      "wait", "sync", "copy", "expect", "expectfill", "end"};
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= strcmp(keyword, known[i]) == 0;
  if (!is_known) return 1; /* the format requires unknown leading words to be ignored */
  if (!r->in_case) return case_broken(&r->text, "'%s' outside a case", keyword);
  if (strcmp(keyword, "tag") == 0) return read_tags(r, c, cursor);
  if (strcmp(keyword, "l1") == 0) return read_bytes(r, c, &c->initial, cursor);
  if (strcmp(keyword, "fill") == 0) return read_fill(r, &c->initial, cursor);
  if (strcmp(keyword, "expect") == 0) return read_bytes(r, c, &c->expected, cursor);
  if (strcmp(keyword, "expectfill") == 0) return read_fill(r, &c->expected, cursor);
  if (strcmp(keyword, "core") == 0) return read_core(r, c, cursor);
  if (strcmp(keyword, "push") == 0) return read_push(r, c, cursor);
  if (strcmp(keyword, "store") == 0) return read_operands(r, c, cursor, TX_SCRIPT_STORE, 2);
  if (strcmp(keyword, "wait") == 0) return read_operands(r, c, cursor, TX_SCRIPT_WAIT, 3);
  if (strcmp(keyword, "copy") == 0) return read_operands(r, c, cursor, TX_SCRIPT_COPY, 2);
  if (strcmp(keyword, "sync") == 0) return read_operands(r, c, cursor, TX_SCRIPT_SYNC, 0);
  r->in_case = false;
  r->core = -1;
  return 0;
}

int case_next(struct case_reader *reader, struct conform_case *out, char *error, size_t error_size) {
  memset(out, 0, sizeof *out);
  reader->text.error = error;
  reader->text.error_size = error_size;
  reader->text.since = 0;
  for (;;) {
    int result = case_text_line(&reader->text);
    if (result == 0) {
      if (!reader->in_case) return 0;
      result = case_broken(&reader->text, "the file ends inside case %s", out->name);
    }
    if (result > 0) result = read_statement(reader, out, reader->text.text);
    if (result == 0) return 1;
    if (result < 0) {
      case_free(out);
      return -1;
    }
  }
}

bool case_matches(const struct conform_case *c, const char *selector) {
  return strcmp(c->name, selector) == 0 || case_tags_match(c->tags, selector);
}
