/* The texts of a tile. */
#ifndef TESSERA_API_TEXTS_H
#define TESSERA_API_TEXTS_H

#include "api/tile_value.h"

/* Renders into the tile's text, which grows until all of it fits; "" if out of memory. `render` returns the full length, as
 * snprintf does. */
typedef size_t api_render_fn(const struct tessera_tile *tile, char *text, size_t size);
const char *api_text(struct tessera_tile *tile, api_render_fn *render);
void api_reserve_text(struct tessera_tile *tile, size_t size); /* for a long text; if out of memory, api_text tries again */

struct obs_report;
struct obs_report api_report_of(const struct tessera_tile *tile);
sim_time api_account_end(const struct tessera_tile *tile, sim_time last);
size_t api_render_json(const struct tessera_tile *tile, const struct obs_report *r, char *text, size_t size);

#endif
