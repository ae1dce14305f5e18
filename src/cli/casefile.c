/* The reader of casefile.h. Line by line through zlib, which reads plain files as they are. Every number and every address is
 * checked: a file is broken or it is right, and nothing of a broken case is used. */
#include "cli/casefile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "tensix/mem/l1.h"

#define LINE_MAX_BYTES 4096

struct case_reader {
  gzFile file;
  unsigned line;
  bool in_case;
  int core; /* block being read, -1 outside */
  char text[LINE_MAX_BYTES];
  char *error;
  size_t error_size;
  const char *path;
};

static int broken(struct case_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int broken(struct case_reader *r, const char *format, ...) {
  char why[256];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  snprintf(r->error, r->error_size, "%s:%u: %s", r->path, r->line, why);
  return -1;
}

struct case_reader *case_open(const char *path, char *error, size_t error_size) {
  struct case_reader *r = calloc(1, sizeof *r);
  if (!r) {
    snprintf(error, error_size, "%s: out of memory", path);
    return NULL;
  }
  struct stat status;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    snprintf(error, error_size, "%s: cannot be read; it is a directory", path);
    free(r);
    return NULL;
  }
  r->path = path;
  r->core = -1;
  r->file = gzopen(path, "rb");
  if (!r->file) {
    snprintf(error, error_size, "%s: cannot be read; is the name right?", path);
    free(r);
    return NULL;
  }
  return r;
}

void case_close(struct case_reader *reader) {
  gzclose(reader->file);
  free(reader);
}

void case_free(struct conform_case *c) {
  free(c->initial.items);
  free(c->expected.items);
  free(c->bytes);
  for (unsigned i = 0; i < 3; i++) free(c->core[i].ops);
  memset(c, 0, sizeof *c);
}

/* --- words of a line --- */

/* The next word, or NULL at the end of the line. */
static char *next_word(char **cursor) {
  char *word = *cursor + strspn(*cursor, " ");
  if (!*word) return NULL;
  char *end = word + strcspn(word, " ");
  *cursor = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static bool parse_hex(const char *word, uint32_t *value) {
  uint32_t v = 0;
  size_t length = word ? strlen(word) : 0;
  if (length == 0 || length > 8) return false;
  for (; *word; word++) {
    char ch = *word;
    uint32_t digit;
    if (ch >= '0' && ch <= '9') digit = (uint32_t)(ch - '0');
    else if (ch >= 'a' && ch <= 'f') digit = (uint32_t)(ch - 'a') + 10;
    else if (ch >= 'A' && ch <= 'F') digit = (uint32_t)(ch - 'A') + 10;
    else return false;
    v = v << 4 | digit;
  }
  *value = v;
  return true;
}

static bool next_hex(char **cursor, uint32_t *value) { return parse_hex(next_word(cursor), value); }

/* --- growing arrays --- */

static bool grow(void **items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return true;
  size_t wanted = *capacity ? *capacity * 2 : 64;
  while (wanted < needed) wanted *= 2;
  void *moved = realloc(*items, wanted * size);
  if (!moved) return false;
  *items = moved;
  *capacity = wanted;
  return true;
}

static int add_op(struct case_reader *r, struct conform_case *c, struct tx_script_op op) {
  if (r->core < 0) return broken(r, "this statement belongs inside a core block");
  struct case_ops *list = &c->core[r->core];
  if (!grow((void **)&list->ops, &list->capacity, list->count + 1, sizeof *list->ops)) return broken(r, "out of memory");
  list->ops[list->count++] = op;
  return 1;
}

static int add_range(struct case_reader *r, struct case_ranges *ranges, struct case_range range) {
  if (range.address > TX_L1_BYTES || range.length > TX_L1_BYTES - range.address)
    return broken(r, "0x%x bytes at 0x%x lie outside L1", range.length, range.address);
  if (!grow((void **)&ranges->items, &ranges->capacity, ranges->count + 1, sizeof *ranges->items))
    return broken(r, "out of memory");
  ranges->items[ranges->count++] = range;
  return 1;
}

/* --- statements --- */

static int read_bytes(struct case_reader *r, struct conform_case *c, struct case_ranges *ranges, char *cursor) {
  struct case_range range = {.data = c->byte_count};
  if (!next_hex(&cursor, &range.address)) return broken(r, "expected a hexadecimal address");
  char *hex = next_word(&cursor);
  size_t digits = hex ? strlen(hex) : 0;
  if (digits == 0 || digits % 2) return broken(r, "expected bytes as pairs of hexadecimal digits");
  range.length = (uint32_t)(digits / 2);
  if (!grow((void **)&c->bytes, &c->byte_capacity, c->byte_count + range.length, 1)) return broken(r, "out of memory");
  for (uint32_t i = 0; i < range.length; i++) {
    char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
    uint32_t value;
    if (!parse_hex(pair, &value)) return broken(r, "'%s' is not a byte in hexadecimal", pair);
    c->bytes[c->byte_count++] = (uint8_t)value;
  }
  return add_range(r, ranges, range);
}

static int read_fill(struct case_reader *r, struct case_ranges *ranges, char *cursor) {
  struct case_range range = {.is_fill = true};
  uint32_t value;
  if (!next_hex(&cursor, &range.address) || !next_hex(&cursor, &range.length) || !next_hex(&cursor, &value) || value > 0xff)
    return broken(r, "expected ADDR LEN BYTE in hexadecimal");
  range.fill = (uint8_t)value;
  return add_range(r, ranges, range);
}

static int read_push(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *word;
  int result = broken(r, "push without words");
  while ((word = next_word(&cursor))) {
    uint32_t value;
    if (!parse_hex(word, &value)) return broken(r, "'%s' is not a word in hexadecimal", word);
    result = add_op(r, c, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = value});
    if (result < 0) return result;
  }
  return result;
}

static int read_operands(struct case_reader *r, struct conform_case *c, char *cursor, enum tx_script_kind kind,
                         unsigned count) {
  uint32_t v[3] = {0};
  for (unsigned i = 0; i < count; i++)
    if (!next_hex(&cursor, &v[i])) return broken(r, "expected %u numbers in hexadecimal", count);
  return add_op(r, c, (struct tx_script_op){.kind = kind, .a = v[0], .b = v[1], .c = v[2]});
}

static int read_core(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *word = next_word(&cursor);
  if (!word || word[0] < '0' || word[0] > '2' || word[1]) return broken(r, "core takes 0, 1 or 2");
  r->core = word[0] - '0';
  if (c->core[r->core].seen) return broken(r, "second block for core %d", r->core);
  c->core[r->core].seen = true;
  return 1;
}

static int read_name(struct case_reader *r, struct conform_case *c, char *cursor) {
  char *name = next_word(&cursor);
  if (r->in_case) return broken(r, "case inside a case: 'end' is missing");
  if (!name || strlen(name) >= sizeof c->name)
    return broken(r, "case needs a name of at most %zu characters", sizeof c->name - 1);
  memcpy(c->name, name, strlen(name) + 1);
  c->line = r->line;
  r->in_case = true;
  r->core = -1;
  return 1;
}

static int read_tags(struct case_reader *r, struct conform_case *c, const char *cursor) {
  size_t have = strlen(c->tags);
  if (have + strlen(cursor) + 2 > sizeof c->tags) return broken(r, "tags of more than %zu characters", sizeof c->tags - 2);
  snprintf(c->tags + have, sizeof c->tags - have, "%s%s", have ? " " : "", cursor);
  return 1;
}

/* 1: go on, 0: the case ended, -1: broken. */
static int read_statement(struct case_reader *r, struct conform_case *c, char *line) {
  char *cursor = line;
  char *keyword = next_word(&cursor);
  if (!keyword || keyword[0] == '#') return 1;
  if (strcmp(keyword, "case") == 0) return read_name(r, c, cursor);
  static const char *const known[] = {"tag",  "l1",   "fill", "core",   "push",       "store",
                                      "wait", "sync", "copy", "expect", "expectfill", "end"};
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= strcmp(keyword, known[i]) == 0;
  if (!is_known) return 1; /* unknown leading words are ignored, says the format */
  if (!r->in_case) return broken(r, "'%s' outside a case", keyword);
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

/* Zero, or the complaint when the file could not be read to its end (a cut gzip stream, say). */
static int check_stream(struct case_reader *r) {
  int code;
  const char *why = gzerror(r->file, &code);
  return code < 0 ? broken(r, "cannot be read on: %s", why) : 0;
}

static int read_line(struct case_reader *r) {
  if (!gzgets(r->file, r->text, LINE_MAX_BYTES)) return check_stream(r);
  r->line++;
  size_t length = strlen(r->text);
  if (length && r->text[length - 1] != '\n') {
    if (!gzeof(r->file)) return broken(r, "line longer than %d bytes", LINE_MAX_BYTES);
    if (check_stream(r) < 0) return -1;
  }
  r->text[strcspn(r->text, "\r\n")] = '\0';
  return 1;
}

int case_next(struct case_reader *reader, struct conform_case *out, char *error, size_t error_size) {
  memset(out, 0, sizeof *out);
  reader->error = error;
  reader->error_size = error_size;
  for (;;) {
    int result = read_line(reader);
    if (result == 0) {
      if (!reader->in_case) return 0;
      result = broken(reader, "the file ends inside case %s", out->name);
    }
    if (result > 0) result = read_statement(reader, out, reader->text);
    if (result == 0) return 1;
    if (result < 0) {
      case_free(out);
      return -1;
    }
  }
}

/* --- selection --- */

/* Is `value` one of the names in inst=A+B/C? */
static bool names_instruction(const char *tag, size_t length, const char *value) {
  if (length < 5 || strncmp(tag, "inst=", 5) != 0) return false;
  const char *end = tag + length;
  for (const char *at = tag + 5; at < end;) {
    size_t part = strcspn(at, "+/ ");
    if (at + part > end) part = (size_t)(end - at);
    if (part == strlen(value) && strncmp(at, value, part) == 0) return true;
    at += part + 1;
  }
  return false;
}

bool case_matches(const struct conform_case *c, const char *selector) {
  if (strcmp(c->name, selector) == 0) return true;
  for (const char *tag = c->tags; *tag;) {
    size_t length = strcspn(tag, " ");
    if (length == strlen(selector) && strncmp(tag, selector, length) == 0) return true;
    if (names_instruction(tag, length, selector)) return true;
    tag += length + strspn(tag + length, " ");
  }
  return false;
}
