/* include/tessera/profile.h over observe/account.h and observe/profile.h. */
#include "tessera/profile.h"

#include <stdlib.h>

#include "api/tile.h"
#include "observe/profile.h"

enum tessera_result api_set_profile(struct tessera_tile *tile, bool on) {
  if (tile->profile) obs_profile_detach(tile->profile, &tile->tile);
  if (!on) {
    free(tile->profile);
    tile->profile = NULL;
    return api_ok(tile);
  }
  if (!tile->profile && !(tile->profile = malloc(sizeof *tile->profile)))
    return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  if (obs_profile_attach(tile->profile, &tile->tile)) return api_ok(tile);
  free(tile->profile);
  tile->profile = NULL;
  return api_refuse(tile, TESSERA_INVALID, "the tile has as many observers as it can have");
}

unsigned tessera_category_count(void) { return OBS_CATEGORIES; }

const char *tessera_category_name(unsigned category) { return obs_category_name(category); }

enum tessera_result tessera_tile_account(const struct tessera_tile *tile, enum tessera_of of, unsigned index,
                                         unsigned category, uint64_t *cycles) {
  if (!api_is_tile(tile) || !tile->profile || (unsigned)of > TESSERA_OF_UNIT || category >= OBS_CATEGORIES || !cycles)
    return TESSERA_INVALID;
  const struct obs_account_row *row = obs_account_row(&tile->profile->account, (enum obs_of)of, index);
  if (!row) return TESSERA_INVALID;
  *cycles = row->cycles[category];
  return TESSERA_OK;
}
