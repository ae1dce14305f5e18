/* See error.h. */
#include "pto/ir/error.h"

#include <stdio.h>

size_t pto_ir_error_text(const struct pto_ir_error *error, const char *file, const char *source, size_t length, char *out,
                         size_t size) {
  const char *at = source, *end = source + length;
  for (uint32_t line = 1; line < error->line && at < end; at++) line += *at == '\n';
  size_t width = 0;
  while (at + width < end && at[width] != '\n' && width < 200) width++;
  int caret = error->column > 0 && error->column < 200 ? (int)error->column - 1 : 0;
  int need = snprintf(out, size, "%s:%u:%u: error: %s\n  %.*s\n  %*s^\n", file, error->line, error->column, error->text,
                      (int)width, at, caret, "");
  return need < 0 ? 0 : (size_t)need;
}
