/* Fuzz target: conformance cases, of the tile and of the NoC. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "load/casefile.h"

struct bytes {
  const uint8_t *data;
  size_t size;
};

static long take(void *context, char *to, size_t room) {
  struct bytes *b = context;
  size_t n = b->size < room ? b->size : room;
  memcpy(to, b->data, n);
  b->data += n;
  b->size -= n;
  return (long)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct conform_case out;
  struct bytes b = {data, size};
  char error[256];
  struct case_reader *reader = case_open("fuzz", take, &b);
  while (reader && case_next(reader, &out, error, sizeof error) > 0) case_free(&out);
  case_close(reader);
  return 0;
}
