/* The reader of case_text.h, line by line through zlib, which reads plain files as they are. */
#include "cli/case_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int case_broken(struct case_text *t, const char *format, ...) {
  char why[256];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  snprintf(t->error, t->error_size, "%s:%u: %s", t->path, t->line, why);
  return -1;
}

bool case_text_open(struct case_text *t, const char *path, char *error, size_t error_size) {
  struct stat status;
  t->path = path;
  t->line = 0;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    snprintf(error, error_size, "%s: cannot be read; it is a directory", path);
    return false;
  }
  t->file = gzopen(path, "rb");
  if (!t->file) snprintf(error, error_size, "%s: cannot be read; is the name right?", path);
  return t->file;
}

void case_text_close(struct case_text *t) { gzclose(t->file); }

/* Zero, or the complaint when the file could not be read to its end (a cut gzip stream, say). */
static int check_stream(struct case_text *t) {
  int code;
  const char *why = gzerror(t->file, &code);
  return code < 0 ? case_broken(t, "cannot be read on: %s", why) : 0;
}

int case_text_line(struct case_text *t) {
  if (!gzgets(t->file, t->text, (int)sizeof t->text)) return check_stream(t);
  t->line++;
  size_t length = strlen(t->text);
  if (length && t->text[length - 1] != '\n') {
    if (!gzeof(t->file)) return case_broken(t, "line longer than %u bytes", CASE_LINE_BYTES);
    if (check_stream(t) < 0) return -1;
  }
  t->text[strcspn(t->text, "\r\n")] = '\0';
  return 1;
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
