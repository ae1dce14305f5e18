/* The account and the profile of a tile. */
#ifndef TESSERA_API_PROFILE_H
#define TESSERA_API_PROFILE_H

#include "api/tile_value.h"

/* Begins or ends both (TESSERA_OPTION_ACCOUNT). */
enum tessera_result api_set_profile(struct tessera_tile *tile, bool on);

#endif
