/* What the small examples have in common: see run.h. */
#include "run.h"

#include <stdio.h>

int example_run(const char *name, const char *directory, const struct launch *l, const struct region *in, unsigned ins,
                const struct region *out) {
  char why[8192];
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  if (tile == NULL) return 3;
  int code = 2;
  for (unsigned i = 0; i < ins; i++) tessera_tile_write(tile, in[i].address, in[i].bytes, in[i].length);
  if (kernel_load(tile, directory) == 0) {
    enum tessera_result result = kernel_launch(tile, l, UINT64_C(1000000000), why, sizeof why);
    code = result == TESSERA_DONE ? 0 : result == TESSERA_HANG ? 4 : result == TESSERA_LIMIT ? 6 : 3;
    if (code) fprintf(stderr, "%s: %s\n", name, why);
    else fputs(tessera_tile_report(tile), stdout);
    tessera_tile_read(tile, out->address, out->bytes, out->length);
  }
  tessera_tile_destroy(tile);
  return code;
}
