/* The hang as a value (include/tessera/hang.h), from observe/hang/hang.h. */
#include "api/hang.h"

#include <stdlib.h>
#include <string.h>

#include "api/tile_value.h"
#include "observe/hang/hang.h"

_Static_assert(TESSERA_WAITERS_MAX == OBS_WAITERS_MAX && TESSERA_RELEASERS_MAX == OBS_RELEASERS_MAX, "the same bounds");

/* The caller frees it. NULL: no hang, or out of memory. */
static struct obs_hang *find(const struct tessera_tile *tile) {
  if (!api_is_tile(tile) || tile->end != SIM_END_BLOCKED || tile->tile.fault.kind) return NULL;
  struct obs_hang *hang = obs_hang_new(&tile->tile, &tile->program);
  for (uint32_t i = 0; hang && tile->chip && i < hang->waiter_count; i++)
    hang->waiters[i].tile = (tile->logical >> 6 & 63u) << 16 | (tile->logical & 63u);
  return hang;
}

static void copy_place(struct tessera_source *to, const struct dbg_source *from) {
  to->pc = from->pc;
  to->line = from->line;
  memcpy(to->file, from->file, sizeof to->file);
  memcpy(to->path, from->path, sizeof to->path);
  memcpy(to->function, from->function, sizeof to->function);
  memcpy(to->call, from->call, sizeof to->call);
  memcpy(to->caller, from->caller, sizeof to->caller);
}

int tessera_tile_hang(const struct tessera_tile *tile, struct tessera_hang *hang) {
  if (!hang) return 0;
  memset(hang, 0, sizeof *hang);
  struct obs_hang *found = find(tile);
  if (!found) return 0;
  hang->cycle = found->cycle;
  hang->deadlock = found->deadlock;
  hang->waiter_count = found->waiter_count;
  hang->chain_count = found->chain_count;
  for (unsigned i = 0; i < found->chain_count; i++) hang->chain[i] = found->chain[i];
  memcpy(hang->cause, found->cause, sizeof found->cause);
  free(found);
  return 1;
}

static void copy_releasers(struct tessera_waiter *to, const struct obs_waiter *from) {
  to->releaser_count = from->releaser_count;
  for (unsigned i = 0; i < from->releaser_count; i++) {
    memcpy(to->releasers[i].name, from->releasers[i].name, sizeof to->releasers[i].name);
    memcpy(to->releasers[i].role, from->releasers[i].role, sizeof to->releasers[i].role);
    to->releasers[i].state = obs_party_state_name(from->releasers[i].state);
  }
}

void api_copy_waiter(struct tessera_waiter *waiter, const struct obs_waiter *w) {
  memset(waiter, 0, sizeof *waiter);
  waiter->tile_x = w->tile == OBS_NO_TILE ? -1 : (int)(w->tile & 0xffffu);
  waiter->tile_y = w->tile == OBS_NO_TILE ? -1 : (int)(w->tile >> 16);
  waiter->core = w->core < TX_CORES ? (int)w->core : -1;
  memcpy(waiter->name, w->name, sizeof waiter->name);
  waiter->since = w->since;
  memcpy(waiter->what, w->what, sizeof waiter->what);
  memcpy(waiter->resource, w->resource.name, sizeof waiter->resource);
  waiter->kind = obs_resource_name(w->resource.kind);
  waiter->index = w->resource.index;
  waiter->address = w->resource.address;
  waiter->value = w->resource.value;
  waiter->wish = obs_wish_name(w->resource.wish);
  waiter->wanted = w->resource.wanted;
  copy_place(&waiter->place, &w->place);
  waiter->waits_for = w->waits_for;
  copy_releasers(waiter, w);
  memcpy(waiter->last_name, w->last.name, sizeof waiter->last_name);
  waiter->last_cycle = w->last.cycle;
  copy_place(&waiter->last_place, &w->last.place);
  waiter->other_x = waiter->other_y = -1;
  memcpy(waiter->why, w->detail, sizeof w->detail);
}

enum tessera_result tessera_tile_waiter(const struct tessera_tile *tile, size_t index, struct tessera_waiter *waiter) {
  struct obs_hang *found = waiter ? find(tile) : NULL;
  const bool has = found && index < found->waiter_count;
  if (has) api_copy_waiter(waiter, &found->waiters[index]);
  free(found);
  return has ? TESSERA_OK : TESSERA_INVALID;
}

void api_copy_party(struct tessera_party *to, const struct obs_party *from, int x, int y) {
  memset(to, 0, sizeof *to);
  to->tile_x = x;
  to->tile_y = y;
  to->core = (int)from->agent - TX_AGENT_TRISC0;
  memcpy(to->name, from->name, sizeof to->name);
  to->state = obs_party_state_name(from->state);
  copy_place(&to->place, &from->place);
}

enum tessera_result tessera_tile_party(const struct tessera_tile *tile, size_t index, struct tessera_party *party) {
  struct obs_hang *found = party ? find(tile) : NULL;
  const bool has = found && index < found->party_count;
  const bool one = has && !tile->chip;
  if (has)
    api_copy_party(party, &found->parties[index], one ? -1 : (int)(tile->logical & 63u),
                   one ? -1 : (int)(tile->logical >> 6 & 63u));
  free(found);
  return has ? TESSERA_OK : TESSERA_INVALID;
}
