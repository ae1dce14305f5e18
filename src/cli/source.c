/* The source of source.h. zlib also reads uncompressed files. */
#include "cli/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cli_source_open(struct cli_source *source, const char *path, char *error, size_t error_size) {
  struct stat status;
  bool directory = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  errno = 0;
  source->file = directory ? NULL : gzopen(path, "rb");
  if (directory) snprintf(error, error_size, "%s: cannot be read; it is a directory", path);
  else if (!source->file) snprintf(error, error_size, "%s: cannot be read: %s", path, strerror(errno));
  return source->file != NULL;
}

const char *cli_source_error(const struct cli_source *source) {
  int code;
  const char *why = gzerror(source->file, &code);
  return code < 0 ? why : "";
}

long cli_source_read(void *context, char *bytes, size_t size) {
  struct cli_source *source = context;
  int got = gzread(source->file, bytes, (unsigned)(size > 1u << 20 ? 1u << 20 : size));
  return got == 0 && cli_source_error(source)[0] ? -1 : got; /* a truncated gzip stream ends with an error, not with -1 */
}

void cli_source_close(struct cli_source *source) { gzclose(source->file); }
