/* See error.h. */
#include "pto/ir/error.h"

#include <stdio.h>
#include <string.h>

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
  size_t width = 0;
  char shown[200]; /* control characters are not printed */
  for (; at + width < end && at[width] != '\n' && width < sizeof shown; width++)
    shown[width] = (char)(at[width] == '\t' || (at[width] >= ' ' && at[width] <= '~') ? at[width] : '?');
  int caret = error->column > 0 && error->column < 200 ? (int)error->column - 1 : 0;
  int need = snprintf(out, size, "%s:%u:%u: error: %s\n  %.*s\n  %*s^\n", file, error->line, error->column, error->text,
                      (int)width, shown, caret, "");
  return need < 0 ? 0 : (size_t)need;
}
