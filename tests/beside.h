/* Directories beside a test's own: build/tests/NAME belongs to build, its kernels are in build/kernels. */
#ifndef TESSERA_TESTS_BESIDE_H
#define TESSERA_TESTS_BESIDE_H

#include <stdio.h>
#include <string.h>

/* The directory of the build, from the path by which the test was started. */
static inline void test_build_directory(char *out, size_t size, const char *program) {
  snprintf(out, size, "%s", program);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(out, '/');
    if (slash) *slash = '\0';
  }
}

static inline void test_kernels_directory(char *out, size_t size, const char *program) {
  test_build_directory(out, size, program);
  size_t length = strlen(out);
  snprintf(out + length, size - length, "/kernels");
}

#endif
