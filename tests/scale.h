/* How much work a test does: its normal amount times TESSERA_TEST_SCALE per cent (100 when unset), never less than once.
 * `make test` sets 100 for the plain run and 10 under the sanitizers, `make soak` 10000. */
#ifndef TESSERA_TESTS_SCALE_H
#define TESSERA_TESTS_SCALE_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t test_scaled(uint64_t count) {
  const char *text = getenv("TESSERA_TEST_SCALE");
  uint64_t percent = text ? strtoull(text, NULL, 10) : 100;
  uint64_t scaled = count / 100 * percent + count % 100 * percent / 100;
  return scaled ? scaled : 1;
}

#endif
