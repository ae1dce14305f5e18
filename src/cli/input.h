/* Reading a whole file, plain or gzipped, or standard input, into memory. */
#ifndef TESSERA_CLI_INPUT_H
#define TESSERA_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct cli_input {
  char *data; /* ends with a zero byte that `size` does not count */
  size_t size;
};

/* `path` may be "-". False after one line on stderr. At most `size_max` bytes. */
bool cli_input_read(struct cli_input *in, const char *verb, const char *path, size_t size_max);
void cli_input_free(struct cli_input *in);

#endif
