/* Parameters and options of a tile (include/tessera/tile.h). */
#include <string.h>

#include "api/history.h"
#include "api/profile.h"
#include "api/tile_error.h"

size_t tessera_param_count(void) { return tx_param_count; }

enum tessera_result tessera_param_info(size_t index, struct tessera_param *param) {
  if (index >= tx_param_count || !param) return TESSERA_INVALID;
  const struct tx_param_info *p = &tx_param_infos[index];
  *param = (struct tessera_param){
      .name = p->name, .what = p->what, .evidence = p->evidence, .source = p->source, .initial = p->initial};
  return TESSERA_OK;
}

static const struct tx_param_info *find(const char *name) {
  for (size_t i = 0; name && i < tx_param_count; i++)
    if (strcmp(tx_param_infos[i].name, name) == 0) return &tx_param_infos[i];
  return NULL;
}

enum tessera_result tessera_tile_set_param(struct tessera_tile *tile, const char *name, uint32_t value) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  const struct tx_param_info *p = find(name);
  if (!p) return api_refuse(tile, TESSERA_INVALID, "no parameter '%s'", name ? name : "");
  api_changed(tile);
  memcpy((char *)&tile->tile.params + p->offset, &value, sizeof value);
  return api_ok(tile);
}

enum tessera_result tessera_tile_param(const struct tessera_tile *tile, const char *name, uint32_t *value) {
  const struct tx_param_info *p = find(name);
  if (!api_is_tile(tile) || !p || !value) return TESSERA_INVALID;
  memcpy(value, (const char *)&tile->tile.params + p->offset, sizeof *value);
  return TESSERA_OK;
}

static void set_scalar(struct tx_tile *t, uint32_t on) {
  t->vector.scalar_only = 0;
  t->unsaved.matrix.ops = NULL; /* the fastest variant for this processor */
  if (on) tx_tile_use_scalar(t);
}

static enum tessera_result set_check(struct tessera_tile *tile, uint32_t kinds) {
  if (!tile->check && kinds && !(tile->check = chk_create())) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  if (tile->check) chk_attach(tile->check, &tile->tile, kinds);
  return api_ok(tile);
}

enum tessera_result tessera_tile_set_option(struct tessera_tile *tile, enum tessera_option option, uint32_t value) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if ((unsigned)option >= TESSERA_OPTIONS || value > (option == TESSERA_OPTION_CHECK ? CHK_ALL : 1u))
    return api_refuse(tile, TESSERA_INVALID, "no such option or value");
  if (option != TESSERA_OPTION_VERBOSE) api_changed(tile);
  switch (option) {
    case TESSERA_OPTION_STRICT: tile->tile.diag.strict = value; break;
    case TESSERA_OPTION_QUIET: tile->tile.diag.quiet = value; break;
    case TESSERA_OPTION_VERBOSE: tile->verbose = value; break;
    case TESSERA_OPTION_CHECK: return set_check(tile, value);
    case TESSERA_OPTION_ACCOUNT: return api_set_profile(tile, value != 0);
    default: set_scalar(&tile->tile, value); break;
  }
  return api_ok(tile);
}

enum tessera_result tessera_tile_option(const struct tessera_tile *tile, enum tessera_option option, uint32_t *value) {
  if (!api_is_tile(tile) || !value || (unsigned)option >= TESSERA_OPTIONS) return TESSERA_INVALID;
  const uint32_t values[TESSERA_OPTIONS] = {[TESSERA_OPTION_STRICT] = tile->tile.diag.strict,
                                            [TESSERA_OPTION_QUIET] = tile->tile.diag.quiet,
                                            [TESSERA_OPTION_VERBOSE] = tile->verbose,
                                            [TESSERA_OPTION_SCALAR] = tile->tile.vector.scalar_only,
                                            [TESSERA_OPTION_CHECK] = tile->check ? chk_kinds(tile->check) : 0,
                                            [TESSERA_OPTION_ACCOUNT] = tile->profile != NULL};
  *value = values[option];
  return TESSERA_OK;
}
