/* Traces of a tile. */
#ifndef TESSERA_API_TRACE_H
#define TESSERA_API_TRACE_H

#include "api/tile_value.h"

void api_forget_trace(struct tessera_tile *tile);

#endif
