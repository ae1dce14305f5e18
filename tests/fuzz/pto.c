/* Fuzz target: PTO IR, checked and run. */
#include <stdint.h>

#include "tessera/pto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char error[4096];
  struct tessera_pto_program *program = tessera_pto_parse((const char *)data, size, "a5", error, sizeof error);
  tessera_pto_destroy(program);
  return 0;
}
