/* The trace of chip_trace.h. */
#include "cli/chip_trace.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"

static int put(void *context, const void *bytes, size_t size) { return fwrite(bytes, 1, size, context) == size ? 0 : -1; }

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const char *path) {
  if (ends_in(path, ".vcd") || ends_in(path, ".kanata"))
    return cli_bad_input("chip", "--trace writes text, .pftrace or .json (ui.perfetto.dev opens both), not '%s'", path),
           false;
  t->file = cli_create(path);
  if (!t->file) return cli_bad_input("chip", "%s: could not be written: %s", path, strerror(errno)), false;
  enum tessera_trace_format format = ends_in(path, ".json")      ? TESSERA_TRACE_CHROME
                                     : ends_in(path, ".pftrace") ? TESSERA_TRACE_PERFETTO
                                                                 : TESSERA_TRACE_TEXT;
  if (tessera_chip_trace(chip, format, put, t->file) == TESSERA_OK) return true;
  cli_discard(t->file, path);
  return cli_bad_input("chip", "out of memory"), false;
}

bool chip_trace_end(struct chip_trace *t, struct tessera_chip *chip, const char *path) {
  if (!t->file) return true;
  if (cli_finish(t->file, path, tessera_chip_trace_end(chip) == TESSERA_OK && !ferror(t->file))) return true;
  return cli_bad_input("chip", "%s: could not be written completely", path), false;
}
