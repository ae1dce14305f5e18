/* An error in PTO IR text: its position and its reason. */
#ifndef TESSERA_PTO_IR_ERROR_H
#define TESSERA_PTO_IR_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pto_ir_error {
  uint32_t line, column; /* both count from 1 */
  char text[200];
  bool is_limit; /* a limit of the parser: the source line is not shown */
};

/* "file:line:column: error: reason", the source line, and a caret under it; a limit has the first line only. Returns the
 * full length, as snprintf does. */
size_t pto_ir_error_text(const struct pto_ir_error *error, const char *file, const char *source, size_t length, char *out,
                         size_t size);

#endif
