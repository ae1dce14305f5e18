/* A file, plain or gzipped, as a source of bytes for readers of the library. */
#ifndef TESSERA_CLI_SOURCE_H
#define TESSERA_CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

struct cli_source {
  gzFile file;
};

/* false: `error` has the line. */
bool cli_source_open(struct cli_source *source, const char *path, char *error, size_t error_size);
long cli_source_read(void *source, char *bytes, size_t size); /* a tessera_read_fn */
/* The reason why it cannot be read; "" if it can. */
const char *cli_source_error(const struct cli_source *source);
void cli_source_close(struct cli_source *source);

#endif
