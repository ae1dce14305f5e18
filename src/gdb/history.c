/* The history of history.h. */
#include "gdb/history.h"

#include <stdlib.h>
#include <string.h>

#include "gdb/front.h"

#define INTERVAL_FIRST (UINT64_C(1) << 16)
#define INTERVAL_MIN (UINT64_C(1) << 12)
#define INTERVAL_MAX (UINT64_C(1) << 22)
#define COST_PER_CENT 1.5

/* The number of snapshots at or before the cycle. */
static size_t place_of(const struct gdb_history *h, uint64_t cycle) {
  size_t low = 0, high = h->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (h->at[middle].cycle <= cycle) low = middle + 1;
    else high = middle;
  }
  return low;
}

const struct gdb_snapshot *gdb_history_before(const struct gdb_history *h, uint64_t cycle) {
  size_t place = place_of(h, cycle);
  return place ? &h->at[place - 1] : NULL;
}

const struct gdb_snapshot *gdb_history_pinned(const struct gdb_history *h, uint64_t cycle) {
  for (size_t i = place_of(h, cycle); i < h->count; i++)
    if (h->at[i].pinned) return &h->at[i];
  return NULL;
}

static void remove_at(struct gdb_history *h, size_t place) {
  gdb_pages_drop(h->pool, &h->at[place]);
  memmove(&h->at[place], &h->at[place + 1], (h->count - place - 1) * sizeof *h->at);
  h->count--;
}

/* The snapshot whose neighbours are closest relative to its distance from the position. 0: none may be dropped. */
static size_t weakest(const struct gdb_history *h) {
  size_t best = 0;
  double least = 0;
  for (size_t i = 1; i + 1 < h->count; i++) {
    if (h->at[i].pinned) continue;
    double gap = (double)(h->at[i + 1].cycle - h->at[i - 1].cycle);
    uint64_t at = h->at[i].cycle;
    double far = (double)(at < h->place ? h->place - at : at - h->place) + 1;
    if (best && gap / far >= least) continue;
    best = i;
    least = gap / far;
  }
  return best;
}

static void thin(struct gdb_history *h, size_t count_max) {
  while (h->pool->bytes > h->bytes_max || h->count > count_max) {
    size_t place = weakest(h);
    if (!place) return;
    remove_at(h, place);
  }
}

void gdb_history_limit(struct gdb_history *h, size_t bytes) {
  h->bytes_max = bytes;
  thin(h, GDB_HISTORY_MAX - 1);
}

/* NULL: out of memory, or there is already a snapshot of this cycle. */
static struct gdb_snapshot *add(struct gdb_history *h, struct gdb_machine *m) {
  uint64_t now = gdb_now(m);
  struct gdb_snapshot made;
  thin(h, GDB_HISTORY_MAX - 2);
  size_t place = place_of(h, now);
  if (h->count >= GDB_HISTORY_MAX || (place && h->at[place - 1].cycle == now)) return NULL;
  if (!gdb_take(m, &made, place ? &h->at[place - 1] : NULL)) return NULL;
  memmove(&h->at[place + 1], &h->at[place], (h->count - place) * sizeof *h->at);
  h->at[place] = made;
  h->count++;
  thin(h, GDB_HISTORY_MAX - 1);
  return &h->at[place_of(h, now) - 1];
}

bool gdb_history_begin(struct gdb_history *h, struct gdb_machine *m) {
  *h = (struct gdb_history){.pool = &m->pool, .bytes_max = GDB_HISTORY_BYTES, .interval = INTERVAL_FIRST};
  h->at = calloc(GDB_HISTORY_MAX + 1, sizeof *h->at);
  return h->at && add(h, m);
}

static void drop_origin(struct gdb_history *h) {
  if (h->has_origin) gdb_pages_drop(h->pool, &h->origin);
  h->has_origin = false;
}

void gdb_history_free(struct gdb_history *h) {
  drop_origin(h);
  while (h->count) remove_at(h, h->count - 1);
  free(h->at);
  h->at = NULL;
}

void gdb_history_note(struct gdb_history *h, struct gdb_machine *m) { add(h, m); }

void gdb_history_note_timed(struct gdb_history *h, struct gdb_machine *m, double (*clock)(void)) {
  double before = clock(), ran = before - h->since;
  add(h, m);
  h->since = clock();
  double cost = h->since - before;
  h->cost = h->cost > 0 ? 0.75 * h->cost + 0.25 * cost : cost; /* smooths single snapshots that are slow on a busy host */
  if (100.0 * h->cost > COST_PER_CENT * ran && h->interval < INTERVAL_MAX) h->interval *= 2;
  else if (250.0 * h->cost < COST_PER_CENT * ran && h->interval > INTERVAL_MIN) h->interval /= 2;
}

bool gdb_history_cut(struct gdb_history *h, struct gdb_machine *m) {
  gdb_front_changed(m);
  uint64_t now = gdb_now(m);
  while (h->count > 1 && h->at[h->count - 1].cycle >= now) remove_at(h, h->count - 1);
  if (h->count && h->at[0].cycle >= now && h->has_origin) remove_at(h, 0);
  if (h->count && h->at[0].cycle >= now) {
    h->origin = h->at[0];
    h->has_origin = true;
    h->count = 0;
  }
  struct gdb_snapshot *s = add(h, m);
  if (s) s->pinned = true;
  return s != NULL;
}

bool gdb_history_changed(const struct gdb_history *h) {
  return h->at[0].pinned || gdb_history_pinned(h, h->at[0].cycle) != NULL;
}

bool gdb_history_reset(struct gdb_history *h, struct gdb_machine *m) {
  if (!gdb_put(m, h->has_origin ? &h->origin : &h->at[0])) return false;
  while (h->count) remove_at(h, h->count - 1);
  bool good = add(h, m);
  drop_origin(h);
  gdb_front_changed(m);
  return good;
}
