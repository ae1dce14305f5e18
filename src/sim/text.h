/* Appends formatted text to a buffer that may be too small: the length keeps counting, as with snprintf. */
#ifndef TESSERA_SIM_TEXT_H
#define TESSERA_SIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct sim_text {
  char *data;
  size_t size, length;
};

void sim_text_add(struct sim_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sim_text_puts(struct sim_text *text, const char *value);     /* as it stands */
const char *sim_base_name(const char *path);                      /* the part after its last slash */
void sim_text_add_json(struct sim_text *text, const char *value); /* what is not UTF-8 becomes U+FFFD */
/* Bytes of the character at `text` if it may be shown as it is, 0 if not (tessera_text_shown). */
size_t sim_text_shown(const char *text);
/* Replaces what may not be shown by ?; true: something was. For names that reports contain: NUL-terminated, or several with a NUL after each. */
bool sim_text_clean(char *text, size_t length);
/* Two lines, each after two blanks: the part of `line` around its byte `column` (from 0), what is not printable as \x1b, and under it ^
 * with a ~ below each further one of the `marked` bytes. */
void sim_text_place(struct sim_text *text, const char *line, size_t length, size_t column, size_t marked);

#endif
