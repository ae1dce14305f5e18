/* Fuzz target: a .npy file as the command reads it. The shape must match the bytes: the first and the last element are read. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[] = "/tmp/tessera-npy-XXXXXX";
  struct npy n = {.count = 0};
  int fd = mkstemp(path);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  close(fd);
  if (npy_open(&n, "fuzz", path) && n.count && npy_read(&n, "fuzz", path)) {
    volatile double sum = npy_number(&n, 0) + npy_number(&n, n.count - 1);
    if (n.size == 2) sum += npy_bfloat16(&n, n.count - 1);
    (void)sum;
  }
  npy_close(&n);
  unlink(path);
  return 0;
}
