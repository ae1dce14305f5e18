/* A broken invariant ends the process of the test that found it. Nothing of this is in the release build. */
#include "sim/assert.h"

#ifdef TESSERA_INVARIANTS
#include <stdio.h>
#include <stdlib.h>

void sim_assert_failed(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, condition);
  abort();
}
#endif
