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

/* The same in parts, for a file that states its own length. */
struct cli_stream {
  void *file; /* NULL: not open */
};
bool cli_stream_open(struct cli_stream *stream, const char *verb, const char *path);
/* Appends the next `size` bytes, fewer only at the end of the file. False after one line on stderr. */
bool cli_stream_take(struct cli_stream *stream, struct cli_input *in, size_t size, const char *verb, const char *path);
void cli_stream_close(struct cli_stream *stream);

#endif
