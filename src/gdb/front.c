/* The front of front.h. */
#include "gdb/front.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"

static unsigned tile_count(const struct gdb_machine *m) { return m->tile ? 1 : CHIP_TILES; }

/* NULL: no such tile, or it has no checker. */
static struct tessera_tile *checked_tile(const struct gdb_machine *m, unsigned i) {
  struct tessera_tile *tile = m->tile ? m->tile : api_chip_touched_tile(m->chip, i);
  return tile && tile->check && chk_kinds(tile->check) ? tile : NULL;
}

/* Each tile's findings at the front: tiles of a chip by number. */
static void keep_findings(struct gdb_machine *m) {
  for (unsigned i = 0; i < tile_count(m); i++) {
    const struct tessera_tile *tile = checked_tile(m, i);
    if (!tile) continue;
    if (!m->front.findings[i]) m->front.findings[i] = malloc(sizeof(struct tx_diag));
    if (m->front.findings[i]) memcpy(m->front.findings[i], &tile->tile.diag, sizeof(struct tx_diag));
  }
}

bool gdb_is_watched(const struct gdb_machine *m) {
  for (unsigned i = 0; i < tile_count(m); i++) {
    const struct tessera_tile *tile = checked_tile(m, i);
    if (tile && tile->tile.unsaved.check) return true;
  }
  return false;
}

/* Without memory for the state the checkers stay paused. */
void gdb_begin_trial(struct gdb_machine *m) {
  if (m->front.known || !gdb_is_watched(m)) return;
  m->front.known = gdb_take(m, &m->front.state, &m->pool.last);
  keep_findings(m);
  for (unsigned i = 0; i < tile_count(m); i++) {
    struct tessera_tile *tile = checked_tile(m, i);
    if (tile) chk_pause(tile->check);
  }
  if (m->chip) chip_watch_memory(m->chip->chip, NULL, NULL);
}

static void forget(struct gdb_machine *m) {
  if (m->front.known) gdb_pages_drop(&m->pool, &m->front.state);
  m->front.known = false;
}

/* The machine is at the front's cycle: restores the front's state; the checkers resume. false: out of memory. */
static bool reach(struct gdb_machine *m) {
  bool good = gdb_put_state(m, &m->front.state);
  for (unsigned i = 0; i < tile_count(m); i++) {
    struct tessera_tile *tile = checked_tile(m, i);
    if (tile) chk_resume(tile->check);
  }
  forget(m);
  return (!m->chip || api_chip_join_checks(m->chip)) && good;
}

void gdb_front_settle(struct gdb_machine *m) {
  if (m->front.known && m->front.state.cycle == gdb_now(m)) reach(m);
}

void gdb_front_changed(struct gdb_machine *m) {
  if (!m->front.known) return;
  forget(m);
  for (unsigned i = 0; i < tile_count(m); i++) {
    struct tessera_tile *tile = checked_tile(m, i);
    if (tile) chk_attach(tile->check, &tile->tile, chk_kinds(tile->check));
  }
  if (m->chip) api_chip_join_checks(m->chip);
}

void gdb_front_end(struct gdb_machine *m) {
  gdb_front_settle(m);
  gdb_front_changed(m);
  for (unsigned i = 0; i < CHIP_TILES; i++) free(m->front.findings[i]);
  memset(m->front.findings, 0, sizeof m->front.findings);
}

/* The findings of `all` up to a cycle. */
static void show_until(struct tx_diag *d, const struct tx_diag *all, sim_time cycle) {
  uint32_t count = 0;
  memset(d->findings, 0, sizeof d->findings);
  memset(d->counts, 0, sizeof d->counts);
  for (uint32_t i = 0; i < all->finding_count; i++) {
    if (all->findings[i].first_cycle > cycle) continue;
    d->counts[all->findings[i].id] += all->findings[i].count;
    d->findings[count++] = all->findings[i];
  }
  d->finding_count = count;
}

/* Before the front: puts the findings up to this cycle into the tiles, with their counts at the front. */
static void show_findings(struct gdb_machine *m) {
  for (unsigned i = 0; m->front.known && i < tile_count(m); i++) {
    struct tessera_tile *tile = checked_tile(m, i);
    if (tile && m->front.findings[i]) show_until(&tile->tile.diag, m->front.findings[i], gdb_now(m));
  }
}

/* --- runs and snapshots --- */

bool gdb_put(struct gdb_machine *m, const struct gdb_snapshot *s) {
  gdb_begin_trial(m);
  bool good = gdb_put_state(m, s);
  show_findings(m);
  return good;
}

enum gdb_end gdb_run(struct gdb_machine *m, uint64_t until, bool watchful) {
  enum gdb_end end = GDB_END_TIME;
  if (m->front.known && until >= m->front.state.cycle) {
    end = gdb_run_state(m, m->front.state.cycle, watchful);
    if (end == GDB_END_TIME && !reach(m)) return GDB_END_NO_MEMORY;
  }
  if (end == GDB_END_TIME) end = gdb_run_state(m, until, watchful);
  show_findings(m);
  return end;
}

enum gdb_end gdb_try(struct gdb_machine *m, uint64_t until, bool watchful) {
  gdb_begin_trial(m);
  return gdb_run_state(m, until, watchful);
}

/* --- hash --- */

static uint64_t hash_of(const struct gdb_machine *m) {
  return m->tile ? tessera_tile_hash(m->tile) : tessera_chip_hash(m->chip);
}

/* Moves the findings of all checked tiles from the tiles to `kept`, or back. */
static void move_findings(struct gdb_machine *m, struct tx_diag *kept, bool out) {
  for (unsigned i = 0; i < tile_count(m); i++) {
    struct tessera_tile *tile = checked_tile(m, i);
    if (!tile) continue;
    struct tx_diag *diag = &tile->tile.diag;
    if (out) memcpy(kept, diag, sizeof *diag), show_until(diag, &(struct tx_diag){0}, 0);
    else memcpy(diag, kept, sizeof *diag);
    kept++;
  }
}

uint64_t gdb_front_hash(struct gdb_machine *m) {
  size_t count = 0;
  for (unsigned i = 0; i < tile_count(m); i++) count += checked_tile(m, i) != NULL;
  struct tx_diag *kept = count ? malloc(count * sizeof *kept) : NULL;
  if (!kept) return hash_of(m);
  move_findings(m, kept, true);
  uint64_t hash = hash_of(m);
  move_findings(m, kept, false);
  free(kept);
  return hash;
}
