/* A pool of tiles for tests: a fresh one costs two megabytes of page faults, more under sanitizers. A tile must be
 * reset after it is taken. */
#ifndef TESSERA_TESTS_TILE_POOL_H
#define TESSERA_TESTS_TILE_POOL_H

#include <stdlib.h>

#include "tensix/tile/tile.h"

#define TILE_POOL 4u

static struct tx_tile *tile_pool[TILE_POOL];
static unsigned tile_pool_count;

static inline struct tx_tile *tile_take(void) {
  if (tile_pool_count) return tile_pool[--tile_pool_count];
  struct tx_tile *t = malloc(sizeof *t);
  if (!t) abort();
  return t;
}

static inline void tile_give_back(struct tx_tile *t) {
  if (tile_pool_count < TILE_POOL) tile_pool[tile_pool_count++] = t;
  else free(t);
}

#endif
