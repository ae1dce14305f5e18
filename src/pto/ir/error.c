/* See error.h. */
#include "pto/ir/error.h"

#include <stdio.h>
#include <string.h>

#include "sim/text.h"

size_t pto_ir_error_text(const struct pto_ir_error *error, const char *file, const char *source, size_t length, char *out,
                         size_t size) {
  /* an error without text or position does not come from the source */
  if (!error->text[0] || strcmp(error->text, "out of memory") == 0) {
    int line = snprintf(out, size, "%s: out of memory\n", file);
    return line < 0 ? 0 : (size_t)line;
  }
  if (error->is_limit) {
    int line = snprintf(out, size, "%s:%u:%u: error: %s\n", file, error->line, error->column, error->text);
    return line < 0 ? 0 : (size_t)line;
  }
  const char *at = source, *end = source + length;
  for (uint32_t line = 1; line < error->line && at < end; at++) line += *at == '\n';
  const char *feed = memchr(at, '\n', (size_t)(end - at));
  struct sim_text text = {.data = out, .size = size};
  sim_text_add(&text, "%s:%u:%u: error: %s\n", file, error->line, error->column, error->text);
  sim_text_place(&text, at, (size_t)((feed ? feed : end) - at), error->column ? error->column - 1 : 0, 1);
  return text.length;
}
