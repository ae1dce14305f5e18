/* Code shared by the small examples: see run.h. */
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool example_wants_help(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

bool example_number(const char *text, unsigned most, unsigned *value) {
  size_t length = strlen(text);
  if (length == 0 || length > 9 || strspn(text, "0123456789") != length) return false;
  *value = (unsigned)strtoul(text, NULL, 10);
  return *value <= most;
}

bool example_size(const char *text, unsigned most, unsigned *value) {
  return example_number(text, most, value) && *value && *value % 32 == 0;
}

int example_complain(const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: ", name);
  vfprintf(stderr, format, args);
  fprintf(stderr, "; %s --help says more\n", name);
  va_end(args);
  return 2;
}

int example_run(const char *name, const char *directory, const struct launch *l, const struct region *in, unsigned ins,
                const struct region *out) {
  char why[8192];
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  if (tile == NULL) return 3;
  int code = 2;
  for (unsigned i = 0; i < ins; i++) tessera_tile_write(tile, in[i].address, in[i].bytes, in[i].length);
  if (kernel_load(tile, directory) == 0) {
    enum tessera_result result = kernel_launch(tile, l, UINT64_C(1000000000), why, sizeof why);
    code = result == TESSERA_DONE ? 0 : result == TESSERA_HANG ? 4 : result == TESSERA_LIMIT ? 6 : 3;
    if (code) fprintf(stderr, "%s: %s\n", name, why);
    else fputs(tessera_tile_report(tile, TESSERA_REPORT_TEXT), stdout);
    tessera_tile_read(tile, out->address, out->bytes, out->length);
  }
  tessera_tile_destroy(tile);
  return code;
}
