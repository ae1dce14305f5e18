/* include/tessera/profile.h over observe/account/account.h and observe/account/profile.h. */
#include "api/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/texts.h"
#include "api/tile_error.h"
#include "debug/entry.h"
#include "debug/extent.h"
#include "observe/account/coverage.h"
#include "observe/account/profile_text.h"
#include "tessera/profile.h"

#define PROFILE_BYTES ((size_t)4 << 20)

static enum tessera_result attach(struct tessera_tile *tile, const struct obs_region *region) {
  if (tile->profile) obs_profile_detach(tile->profile, &tile->tile);
  tile->why_chosen = 0;
  tile->why_keeps_waits = false;
  if (!tile->profile && !(tile->profile = malloc(sizeof *tile->profile)))
    return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  if (obs_profile_attach(tile->profile, &tile->tile, &tile->program, region)) return api_ok(tile);
  free(tile->profile);
  tile->profile = NULL;
  return api_refuse(tile, TESSERA_INVALID, "the tile already has the maximum number of observers");
}

enum tessera_result api_set_profile(struct tessera_tile *tile, bool on) {
  if (on) return attach(tile, NULL);
  if (tile->profile) obs_profile_detach(tile->profile, &tile->tile);
  free(tile->profile);
  tile->profile = NULL;
  return api_ok(tile);
}

void api_restart_profile(struct tessera_tile *tile) {
  if (!tile->profile) return;
  const struct obs_region region = tile->profile->region;
  const bool awaits = tile->profile->awaits;
  obs_profile_detach(tile->profile, &tile->tile);
  obs_profile_attach(tile->profile, &tile->tile, &tile->program, awaits ? &region : NULL);
}

/* --- the region --- */

#define ZONE "zone:"
#define START "start"

static enum tessera_result find_region(struct tessera_tile *tile, const char *where, struct obs_region *region) {
  const struct dbg_program *p = &tile->program;
  struct dbg_extent extent;
  bool any = false;
  if (strncmp(where, ZONE, strlen(ZONE)) == 0) {
    size_t length = strlen(where + strlen(ZONE));
    if (!length || length >= sizeof region->zone)
      return api_refuse(tile, TESSERA_INVALID, "the name of a zone has 1 to %u letters", OBS_ZONE_NAME - 1);
    memcpy(region->zone, where + strlen(ZONE), length + 1);
    return TESSERA_OK;
  }
  for (unsigned core = 0; core < TX_CORES; core++) {
    uint32_t entries[DBG_ENTRIES];
    region->count[core] = p->loaded[core] ? dbg_entries_find(&p->elf[core], where, entries) : 0;
    for (unsigned i = 0; i < region->count[core]; i++) region->entry[core][i] = entries[i] + p->moved[core];
    any = any || region->count[core];
  }
  if (any) return TESSERA_OK;
  return dbg_extent_parse(where, &extent) && extent.first
             ? api_refuse(tile, TESSERA_INVALID, "'%s' is a line; a region begins with a function or with zone:NAME", where)
             : api_refuse(tile, TESSERA_INVALID, "no core's executable has a function '%s'", where);
}

enum tessera_result tessera_tile_account_from(struct tessera_tile *tile, const char *where) {
  struct obs_region region = {.zone = ""};
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!where) return api_refuse(tile, TESSERA_INVALID, "no function or zone given");
  if (strcmp(where, START) == 0 && tile->profile) {
    obs_profile_keep_all(tile->profile);
    return api_ok(tile);
  }
  if (strcmp(where, START) == 0) return attach(tile, NULL);
  enum tessera_result result = find_region(tile, where, &region);
  return result == TESSERA_OK ? attach(tile, &region) : result;
}

enum tessera_result tessera_tile_account_begin(const struct tessera_tile *tile, uint64_t *cycle) {
  if (!api_is_tile(tile) || !cycle || !tile->profile || tile->profile->awaits) return TESSERA_INVALID;
  *cycle = tile->profile->account.from;
  return TESSERA_OK;
}

/* --- reading it --- */

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

static void *build_index(const struct dbg_elf *elf, struct dbg_index *index) {
  size_t bytes = dbg_index_bytes(index, elf);
  void *memory = malloc(bytes ? bytes : 1);
  if (memory && dbg_index_build(index, memory, bytes)) return memory;
  free(memory);
  index->elf = NULL;
  return NULL;
}

void *api_line_index(const struct dbg_program *program, unsigned core, struct dbg_index *index) {
  struct dbg_lines *lines = program->elf[core].lines;
  *index = (struct dbg_index){.elf = NULL};
  if (!program->loaded[core]) return NULL;
  if (!lines) return build_index(&program->elf[core], index);
  const struct dbg_elf *elf = lines->index.elf;
  if (!lines->memory) lines->memory = build_index(elf, &lines->index);
  if (lines->memory) *index = lines->index;
  lines->index.elf = elf; /* to try again after a failed allocation */
  return NULL;
}

void api_line_indexes(const struct dbg_program *program, struct dbg_index index[TX_CORES], void *memory[TX_CORES]) {
  for (unsigned core = 0; core < TX_CORES; core++) memory[core] = api_line_index(program, core, &index[core]);
}

static bool same_bytes(const struct dbg_bytes *a, const struct dbg_bytes *b) {
  return a->size == b->size && (a->data == b->data || memcmp(a->data, b->data, a->size) == 0);
}

bool api_same_program(const struct dbg_program *a, const struct dbg_program *b) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (a->loaded[core] != b->loaded[core] || (a->loaded[core] && !same_bytes(&a->elf[core].file, &b->elf[core].file)))
      return false;
  return true;
}

static void callgrind(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out) {
  struct obs_callgrind c = {.out = out};
  void *memory = malloc(obs_callgrind_bytes(index));
  if (!memory) return; /* no profile */
  obs_callgrind_columns(&c, p);
  obs_callgrind_begin(&c);
  obs_callgrind_add(&c, p, index, memory);
  obs_callgrind_end(&c);
  free(memory);
}

static void speedscope(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out) {
  struct obs_speedscope s;
  if (!obs_speedscope_begin(&s, out, 1)) return; /* no profile */
  obs_speedscope_add(&s, p, index, "");
  obs_speedscope_end(&s);
}

static size_t render(const struct tessera_tile *tile, enum tessera_profile_format format, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct dbg_index index[TX_CORES];
  void *memory[TX_CORES];
  api_line_indexes(&tile->program, index, memory);
  if (format == TESSERA_PROFILE_CALLGRIND) callgrind(tile->profile, index, &out);
  else if (format == TESSERA_PROFILE_SPEEDSCOPE) speedscope(tile->profile, index, &out);
  else obs_profile_lcov(tile->profile, index, &out);
  for (unsigned core = 0; core < TX_CORES; core++) free(memory[core]);
  return out.length;
}

static size_t render_callgrind(const struct tessera_tile *tile, char *text, size_t size) {
  return render(tile, TESSERA_PROFILE_CALLGRIND, text, size);
}

static size_t render_speedscope(const struct tessera_tile *tile, char *text, size_t size) {
  return render(tile, TESSERA_PROFILE_SPEEDSCOPE, text, size);
}

static size_t render_lcov(const struct tessera_tile *tile, char *text, size_t size) {
  return render(tile, TESSERA_PROFILE_LCOV, text, size);
}

const char *tessera_tile_profile(struct tessera_tile *tile, enum tessera_profile_format format) {
  static api_render_fn *const renders[TESSERA_PROFILES] = {render_callgrind, render_speedscope, render_lcov};
  if (!api_is_read_tile(tile) || !tile->profile || (unsigned)format >= TESSERA_PROFILES) return "";
  api_reserve_text(tile, PROFILE_BYTES); /* large enough for one rendering: a second one would look up all lines again */
  return api_text(tile, renders[format]);
}
