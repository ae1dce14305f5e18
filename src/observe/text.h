/* Appending formatted text to a buffer that may be too small: the length goes on counting, as snprintf's does. */
#ifndef TESSERA_OBSERVE_TEXT_H
#define TESSERA_OBSERVE_TEXT_H

#include <stddef.h>

struct obs_text {
  char *data;
  size_t size, length;
};

void obs_add(struct obs_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void obs_add_json_string(struct obs_text *text, const char *value);

#endif
