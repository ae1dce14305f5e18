/* A broken invariant ends the test's process. The release build contains none of this. */
#include "sim/assert.h"

#ifdef TESSERA_INVARIANTS
#include <stdio.h>
#include <stdlib.h>

void sim_assert_failed(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, condition);
  abort();
}
#endif
