/* Text of conformance cases, from a source of bytes: lines, words, hexadecimal numbers, growing arrays. Both formats of
 * case files read through this. A malformed file is rejected as a whole; case_broken writes the reason, with file and line. */
#ifndef TESSERA_LOAD_CASE_TEXT_H
#define TESSERA_LOAD_CASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CASE_LINE_BYTES 32768u
#define CASE_TEXT_MIB 32u /* from one case to the end of the next: the limit against decompression bombs */

/* Returns the number of bytes read, 0 at the end, -1 if the source cannot be read. */
typedef long case_read_fn(void *context, char *bytes, size_t size);

struct case_text {
  case_read_fn *read;
  void *context;
  const char *name; /* prefix of error lines; owned by the caller */
  unsigned line;
  size_t at, end; /* range of `block` that was read and is unused */
  size_t since;   /* bytes of text since the reader set this to 0 */
  bool at_end, failed;
  char *error; /* owned by the caller, for the current call */
  size_t error_size;
  char text[CASE_LINE_BYTES], block[CASE_LINE_BYTES];
};

void case_text_open(struct case_text *t, const char *name, case_read_fn *read, void *context);
/* 1: `text` holds a line without its newline, 0: the end, -1: malformed. */
int case_text_line(struct case_text *t);
/* Writes the error message; returns -1. */
int case_broken(struct case_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

char *case_word(char **cursor); /* NULL at the end of the line */
bool case_parse_hex(const char *word, unsigned digits_max, uint64_t *value);
bool case_hex(char **cursor, uint32_t *value);
bool case_hex64(char **cursor, uint64_t *value);
/* Pairs of digits, appended to a growing array. Returns the bytes appended, 0 after an error. */
struct case_bytes {
  uint8_t *data;
  size_t count, capacity;
};
size_t case_hex_bytes(struct case_text *t, char **cursor, struct case_bytes *bytes);

bool case_grow(void **items, size_t *capacity, size_t needed, size_t size);

/* Tags: words separated by single spaces. */
bool case_add_tags(char *tags, size_t size, const char *more);
/* Is `selector` one of the tags (KEY=VALUE), or a name in inst=A+B/C? */
bool case_tags_match(const char *tags, const char *selector);

#endif
