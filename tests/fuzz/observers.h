/* Observers of a tile for the fuzz targets: bit 0 all checkers, bit 1 an account, bit 2 a trace whose bytes are dropped. */
#ifndef TESSERA_TESTS_FUZZ_OBSERVERS_H
#define TESSERA_TESTS_FUZZ_OBSERVERS_H

#include "tessera/tensix.h"

static inline int fuzz_drop(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

/* Attaches the observers of `which` and detaches the others. */
static inline void fuzz_observe(struct tessera_tile *tile, unsigned which) {
  const struct tessera_trace_options text = {.format = TESSERA_TRACE_TEXT};
  tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, which & 1u ? (uint32_t)TESSERA_CHECK_ALL : 0);
  tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, which >> 1 & 1u);
  tessera_tile_trace_end(tile);
  if (which & 4u) tessera_tile_trace(tile, &text, fuzz_drop, NULL);
}

#endif
