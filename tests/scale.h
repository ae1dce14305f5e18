/* How much work a test does: its normal amount times TESSERA_TEST_SCALE per cent (100 when unset), never less than once.
 * `make test` sets 25 for the plain run and 2 under the sanitizers, `make test-all` 100 and 10, `make soak` 10000. */
#ifndef TESSERA_TESTS_SCALE_H
#define TESSERA_TESTS_SCALE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t test_percent(void) {
  const char *text = getenv("TESSERA_TEST_SCALE");
  return text ? strtoull(text, NULL, 10) : 100;
}

static inline uint64_t test_scaled(uint64_t count) {
  uint64_t percent = test_percent();
  uint64_t scaled = count / 100 * percent + count % 100 * percent / 100;
  return scaled ? scaled : 1;
}

/* Whether case number i of a fixed list belongs to the slice that this scale runs: all of them from 100 per cent on, case 0 always,
 * and a share of the others chosen by a hash, so that no recurring property of the list is left out entirely. */
static inline bool test_in_slice(unsigned i) { return i == 0 || (i * UINT32_C(2654435761) >> 8) % 100 < test_percent(); }

#endif
