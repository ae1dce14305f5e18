/* Text buffers of text.h. */
#include "observe/text.h"

#include <stdarg.h>
#include <stdio.h>

void obs_add(struct obs_text *text, const char *format, ...) {
  size_t room = text->length < text->size ? text->size - text->length : 0;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(room ? text->data + text->length : NULL, room, format, args);
  va_end(args);
  if (n > 0) text->length += (size_t)n;
}

void obs_add_json_string(struct obs_text *text, const char *value) {
  obs_add(text, "\"");
  for (; *value; value++) {
    unsigned char ch = (unsigned char)*value;
    if (ch == '"' || ch == '\\') obs_add(text, "\\%c", ch);
    else if (ch < 0x20) obs_add(text, "\\u%04x", ch);
    else obs_add(text, "%c", ch);
  }
  obs_add(text, "\"");
}
