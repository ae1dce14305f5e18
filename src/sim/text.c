/* Text buffers of text.h. */
#include "sim/text.h"

#include <stdarg.h>
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

void sim_text_add_json(struct sim_text *text, const char *value) {
  put(text, "\"", 1);
  for (const char *plain = value;; value++) {
    unsigned char ch = (unsigned char)*value;
    if (ch >= 0x20 && ch != '"' && ch != '\\') continue;
    put(text, plain, (size_t)(value - plain));
    if (!ch) break;
    if (ch < 0x20) sim_text_add(text, "\\u%04x", ch);
    else sim_text_add(text, "\\%c", ch);
    plain = value + 1;
  }
  put(text, "\"", 1);
}
