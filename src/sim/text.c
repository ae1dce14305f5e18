/* Text buffers of text.h. */
#include "sim/text.h"

#include <stdarg.h>
#include <stdio.h>

void sim_text_add(struct sim_text *text, const char *format, ...) {
  size_t room = text->length < text->size ? text->size - text->length : 0;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(room ? text->data + text->length : NULL, room, format, args);
  va_end(args);
  if (n > 0) text->length += (size_t)n;
}

void sim_text_puts(struct sim_text *text, const char *value) { sim_text_add(text, "%s", value); }

void sim_text_add_json(struct sim_text *text, const char *value) {
  sim_text_add(text, "\"");
  for (; *value; value++) {
    unsigned char ch = (unsigned char)*value;
    if (ch == '"' || ch == '\\') sim_text_add(text, "\\%c", ch);
    else if (ch < 0x20) sim_text_add(text, "\\u%04x", ch);
    else sim_text_add(text, "%c", ch);
  }
  sim_text_add(text, "\"");
}
