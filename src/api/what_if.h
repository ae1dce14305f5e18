/* What-if runs of a tile. */
#ifndef TESSERA_API_WHAT_IF_H
#define TESSERA_API_WHAT_IF_H

#include "api/tile_value.h"

void api_forget_what_if(struct tessera_tile *tile);

#endif
