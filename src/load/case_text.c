/* The reader of case_text.h, line by line. */
#include "load/case_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int case_broken(struct case_text *t, const char *format, ...) {
  char why[256];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  snprintf(t->error, t->error_size, "%s:%u: %s", t->name, t->line, why);
  return -1;
}

void case_text_open(struct case_text *t, const char *name, case_read_fn *read, void *context) {
  t->name = name;
  t->read = read;
  t->context = context;
  t->line = 0;
  t->at = t->end = t->since = 0;
  t->at_end = t->failed = false;
}

/* The next byte; -1 at the end, or if the source cannot be read. */
static int next_byte(struct case_text *t) {
  if (t->at == t->end && !t->at_end) {
    long got = t->read(t->context, t->block, sizeof t->block);
    t->failed = got < 0 || (size_t)got > sizeof t->block;
    t->at_end = got == 0 || t->failed;
    t->at = 0;
    t->end = t->at_end ? 0 : (size_t)got;
  }
  return t->at < t->end ? (unsigned char)t->block[t->at++] : -1;
}

int case_text_line(struct case_text *t) {
  size_t length = 0;
  int byte = next_byte(t);
  if (byte >= 0) t->line++;
  for (; byte >= 0 && byte != '\n'; byte = next_byte(t)) {
    bool plain = byte == '\t' || byte == '\r' || (byte >= ' ' && byte <= '~');
    if (length + (plain ? 1 : 4) > sizeof t->text - 2) return case_broken(t, "line longer than %u bytes", CASE_LINE_BYTES);
    if (plain) t->text[length++] = (char)byte;
    else length += (size_t)snprintf(t->text + length, 5, "\\x%02x", (unsigned)byte); /* names are printed */
  }
  if (t->failed) return case_broken(t, "read error");
  t->since += length + 1;
  if (t->since > (size_t)CASE_TEXT_MIB << 20) return case_broken(t, "no case ends within %u MiB of text", CASE_TEXT_MIB);
  t->text[length] = '\0';
  t->text[strcspn(t->text, "\r")] = '\0';
  return byte >= 0 || length > 0;
}

/* --- words of a line --- */

char *case_word(char **cursor) {
  char *word = *cursor + strspn(*cursor, " ");
  if (!*word) return NULL;
  char *end = word + strcspn(word, " ");
  *cursor = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static int digit_of(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  return -1;
}

bool case_parse_hex(const char *word, unsigned digits_max, uint64_t *value) {
  uint64_t v = 0;
  size_t length = word ? strlen(word) : 0;
  if (length == 0 || length > digits_max) return false;
  for (; *word; word++) {
    int digit = digit_of(*word);
    if (digit < 0) return false;
    v = v << 4 | (uint64_t)digit;
  }
  *value = v;
  return true;
}

bool case_hex(char **cursor, uint32_t *value) {
  uint64_t wide;
  if (!case_parse_hex(case_word(cursor), 8, &wide)) return false;
  *value = (uint32_t)wide;
  return true;
}

bool case_hex64(char **cursor, uint64_t *value) { return case_parse_hex(case_word(cursor), 16, value); }

size_t case_hex_bytes(struct case_text *t, char **cursor, struct case_bytes *bytes) {
  char *hex = case_word(cursor);
  size_t digits = hex ? strlen(hex) : 0;
  if (digits == 0 || digits % 2) return case_broken(t, "expected bytes as pairs of hexadecimal digits"), 0;
  if (!case_grow((void **)&bytes->data, &bytes->capacity, bytes->count + digits / 2, 1))
    return case_broken(t, "out of memory"), 0;
  for (size_t i = 0; i < digits; i += 2) {
    int high = digit_of(hex[i]), low = digit_of(hex[i + 1]);
    if (high < 0 || low < 0) return case_broken(t, "'%c%c' is not a byte in hexadecimal", hex[i], hex[i + 1]), 0;
    bytes->data[bytes->count++] = (uint8_t)(high << 4 | low);
  }
  return digits / 2;
}

bool case_grow(void **items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return true;
  size_t wanted = *capacity ? *capacity * 2 : 64;
  while (wanted < needed) wanted *= 2;
  void *moved = realloc(*items, wanted * size);
  if (!moved) return false;
  *items = moved;
  *capacity = wanted;
  return true;
}

/* --- tags --- */

bool case_add_tags(char *tags, size_t size, const char *more) {
  size_t have = strlen(tags);
  if (have + strlen(more) + 2 > size) return false;
  snprintf(tags + have, size - have, "%s%s", have ? " " : "", more);
  return true;
}

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

bool case_tags_match(const char *tags, const char *selector) {
  for (const char *tag = tags; *tag;) {
    size_t length = strcspn(tag, " ");
    if (length == strlen(selector) && strncmp(tag, selector, length) == 0) return true;
    if (names_instruction(tag, length, selector)) return true;
    tag += length + strspn(tag + length, " ");
  }
  return false;
}
