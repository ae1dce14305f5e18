/* The error line of a tile. */
#ifndef TESSERA_API_TILE_ERROR_H
#define TESSERA_API_TILE_ERROR_H

#include "api/tile_value.h"

/* Keeps the error line and returns `result`. The first call with TESSERA_OK clears it. */
enum tessera_result api_refuse(struct tessera_tile *tile, enum tessera_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Before the tile runs, or calls a write function; api_leave follows. false after a refusal: it does so already. */
bool api_enter_tile(struct tessera_tile *tile);
static inline enum tessera_result api_ok(struct tessera_tile *tile) {
  tile->error[0] = '\0';
  return TESSERA_OK;
}

#endif
