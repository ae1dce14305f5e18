/* Every example passes its own comparison with the host's result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "beside.h"

static char build[512];

static void run(const char *example, const char *arguments, int expected) {
  char command[2048];
  snprintf(command, sizeof command, "%s/examples/%s %s/kernels/%s %s > /dev/null 2>&1", build, example, build, example,
           arguments);
  int status = system(command); /* NOLINT(cert-env33-c): the test's own programs */
  if (status != expected << 8) fail_msg("%s: exit status %d, expected %d", command, status >> 8, expected);
}

static void test_matmul(void **state) {
  (void)state;
  run("matmul", "32 32 32", 0);
  run("matmul", "64 96 128 --format fp16 --fidelity 3", 0);
  run("matmul", "32 64 96 --format int8", 0);
  run("matmul", "64 64 64 --format bfp8 --fidelity 2 --throttle 4 --launches 3", 0);
  run("matmul", "64 64 64 --format tf32 --dst32 --dst-full --timing off", 0);
  run("matmul", "512 32 512 --timing off",
      0); /* many elements: one accumulated more roundings in one direction than a fixed bound allowed */
  run("matmul", "64 128 64 --dst32 --out fp32 --timing off", 0);
  run("matmul", "33 32 32", 2);
  run("matmul", "64 64", 2);
  run("matmul", "64 64 64 --fidelity 1", 2);
  run("matmul", "64 64 64 --format int32", 2);
  run("matmul", "64 64 64 --out", 2);
  run("matmul", "512 512 512 --format fp32", 2);
  run("matmul", "--help", 0);
}

static void test_eltwise(void **state) {
  (void)state;
  run("eltwise", "add none", 0);
  run("eltwise", "sub col sigmoid", 0);
  run("eltwise", "mul row gelu", 0);
  run("eltwise", "add scalar sqrt", 0);
  run("eltwise", "mul none exp", 0);
  run("eltwise", "mul none sqrt", 0); /* of negative numbers too */
  run("eltwise", "divide", 2);
  run("eltwise", "--help", 0);
}

static void test_softmax(void **state) {
  (void)state;
  run("softmax", "32 32", 0);
  run("softmax", "64 160", 0);
  run("softmax", "64", 2);
  run("softmax", "64 65", 2);
  run("softmax", "--help", 0);
}

int main(int argc, char **argv) {
  (void)argc;
  test_build_directory(build, sizeof build, argv[0]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_matmul), cmocka_unit_test(test_eltwise),
                                     cmocka_unit_test(test_softmax)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
