/* The error line of a tile (tile.h). */
#include "api/tile_error.h"

#include <stdarg.h>
#include <stdio.h>

enum tessera_result api_refuse(struct tessera_tile *tile, enum tessera_result result, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(tile->error, sizeof tile->error, format, args);
  va_end(args);
  return result;
}

bool api_enter_tile(struct tessera_tile *tile) {
  return api_enter(&tile->handle) || (api_refuse(tile, TESSERA_INVALID, "%s", API_TILE_RUNS), false);
}

const char *tessera_tile_error(const struct tessera_tile *tile) { return api_is_tile(tile) ? tile->error : ""; }
