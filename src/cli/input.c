/* The file reader of input.h. zlib also reads uncompressed files. */
#include "cli/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cli/cli.h"

#define READ_BYTES (1u << 20) /* at once */

static gzFile open_input(const char *path) {
  if (strcmp(path, "-") != 0) return gzopen(path, "rb");
  int copy = dup(STDIN_FILENO); /* closing the copy leaves standard input open */
  gzFile file = copy < 0 ? NULL : gzdopen(copy, "rb");
  if (file == NULL && copy >= 0) close(copy);
  return file;
}

static bool grow(struct cli_input *in, size_t *capacity) {
  size_t larger = *capacity ? *capacity * 2 : 65536;
  char *data = realloc(in->data, larger);
  if (data == NULL) return false;
  in->data = data;
  *capacity = larger;
  return true;
}

/* Returns NULL, or an error message. */
static const char *read_all(struct cli_input *in, gzFile file, size_t size_max) {
  size_t capacity = 0;
  for (;;) {
    if (in->size + 1 >= capacity && !grow(in, &capacity)) return "out of memory";
    size_t room = capacity - in->size - 1;
    int got = gzread(file, in->data + in->size, (unsigned)(room > READ_BYTES ? READ_BYTES : room));
    if (got < 0) return errno ? strerror(errno) : "broken gzip data";
    if (got == 0) break;
    in->size += (size_t)got;
    if (in->size > size_max) return ""; /* the caller names the limit */
  }
  in->data[in->size] = '\0';
  return NULL;
}

bool cli_stream_open(struct cli_stream *stream, const char *verb, const char *path) {
  struct stat status;
  stream->file = NULL;
  errno = 0;
  if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    cli_bad_input(verb, "cannot read %s: it is a directory", path);
    return false;
  }
  stream->file = open_input(path);
  if (stream->file == NULL) cli_bad_input(verb, "cannot read %s: %s", path, errno ? strerror(errno) : "out of memory");
  return stream->file != NULL;
}

bool cli_stream_take(struct cli_stream *stream, struct cli_input *in, size_t size, const char *verb, const char *path) {
  char *data = realloc(in->data, in->size + size + 1);
  if (data == NULL) {
    cli_bad_input(verb, "cannot read %s: out of memory", path);
    return false;
  }
  in->data = data;
  for (int got = 1; size && got > 0; size -= (size_t)got) {
    got = gzread(stream->file, in->data + in->size, (unsigned)(size > READ_BYTES ? READ_BYTES : size));
    if (got < 0) {
      cli_bad_input(verb, "cannot read %s: %s", path, errno ? strerror(errno) : "broken gzip data");
      return false;
    }
    in->size += (size_t)got;
  }
  in->data[in->size] = '\0';
  return true;
}

void cli_stream_close(struct cli_stream *stream) {
  if (stream->file) gzclose(stream->file);
  stream->file = NULL;
}

bool cli_input_read(struct cli_input *in, const char *verb, const char *path, size_t size_max) {
  struct cli_stream stream;
  *in = (struct cli_input){0};
  if (!cli_stream_open(&stream, verb, path)) return false;
  const char *wrong = read_all(in, stream.file, size_max);
  cli_stream_close(&stream);
  if (wrong == NULL) return true;
  if (*wrong) cli_bad_input(verb, "cannot read %s: %s", path, wrong);
  else
    cli_bad_input(verb, "cannot read %s: longer than %zu %s", path, size_max >> 20 ? size_max >> 20 : size_max,
                  size_max >> 20 ? "MiB" : "bytes");
  cli_input_free(in);
  return false;
}

void cli_input_free(struct cli_input *in) {
  free(in->data);
  *in = (struct cli_input){0};
}
