/* Text buffers of text.h. */
#include "sim/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "sim/format.h"

static void put(struct sim_text *text, const char *from, size_t n) {
  size_t room = text->length < text->size ? text->size - text->length : 0;
  if (room) {
    size_t fits = n < room ? n : room - 1;
    memcpy(text->data + text->length, from, fits);
    text->data[text->length + fits] = '\0';
  }
  text->length += n;
}

void sim_text_add(struct sim_text *text, const char *format, ...) {
  size_t room = text->length < text->size ? text->size - text->length : 0;
  va_list args;
  va_start(args, format);
  text->length += sim_format_list(room ? text->data + text->length : NULL, room, format, args);
  va_end(args);
}

void sim_text_puts(struct sim_text *text, const char *value) { put(text, value, strlen(value)); }

const char *sim_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* U+200E, 200F, 202A to 202E, 2066 to 2069: a terminal shows the text after them in another order. */
static bool is_direction(const unsigned char *c) {
  if (c[0] != 0xe2) return false;
  if (c[1] == 0x80) return c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae);
  return c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9;
}

/* RFC 3629: no overlong forms, surrogates or numbers above U+10FFFF. */
size_t sim_text_shown(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) return c[0] >= 0x20 && c[0] != 0x7f;
  size_t n = c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < n; i++)
    if ((c[i] & 0xc0u) != 0x80) return 0;
  if (c[0] == 0xc2 && c[1] < 0xa0) return 0; /* C1 */
  if (n == 3 && is_direction(c)) return 0;
  if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0)) return 0;
  if ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90)) return 0;
  return n;
}

bool sim_text_clean(char *text, size_t length) {
  bool changed = false;
  for (char *c = text, *end = text + length; c < end;) {
    size_t shown = *c ? sim_text_shown(c) : 1;
    if (!shown) *c = '?';
    changed |= !shown;
    c += shown ? shown : 1;
  }
  return changed;
}

void sim_text_add_json(struct sim_text *text, const char *value) {
  put(text, "\"", 1);
  for (const char *plain = value;;) {
    unsigned char ch = (unsigned char)*value;
    size_t shown = ch != '"' && ch != '\\' ? sim_text_shown(value) : 0;
    if (shown) {
      value += shown;
      continue;
    }
    put(text, plain, (size_t)(value - plain));
    if (!ch) break;
    if (ch == '"' || ch == '\\') sim_text_add(text, "\\%c", ch);
    else sim_text_add(text, "\\u%04x", ch < 0x80 ? ch : 0xfffdu);
    plain = ++value;
  }
  put(text, "\"", 1);
}

#define PLACE_BYTES 120u /* of a long line that are shown */

static const char *shown_byte(char byte, char escaped[5]) {
  static const char digits[] = "0123456789abcdef";
  bool plain = byte == '\t' || (byte >= ' ' && byte <= '~');
  const char bytes[5] = {'\\', 'x', digits[(unsigned char)byte >> 4], digits[byte & 15]};
  memcpy(escaped, plain ? (const char[5]){byte} : bytes, 5);
  return escaped;
}

void sim_text_place(struct sim_text *text, const char *line, size_t length, size_t column, size_t marked) {
  char escaped[5];
  if (column > length) column = length;
  size_t from = column > PLACE_BYTES * 2 / 3 ? column - PLACE_BYTES / 2 : 0;
  size_t to = length - from > PLACE_BYTES ? from + PLACE_BYTES : length;
  size_t mark_end = marked > to - column ? to : column + marked;
  put(text, "  ", 2);
  for (size_t i = from; i < to; i++) sim_text_puts(text, shown_byte(line[i], escaped));
  put(text, "\n  ", 3);
  for (size_t i = from; i < column; i++)
    for (size_t n = strlen(shown_byte(line[i], escaped)); n; n--) put(text, line[i] == '\t' ? "\t" : " ", 1);
  put(text, "^", 1);
  for (size_t i = column; i < mark_end; i++)
    for (size_t n = strlen(shown_byte(line[i], escaped)) - (i == column); n; n--) put(text, "~", 1);
  put(text, "\n", 1);
}
