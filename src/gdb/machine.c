/* The machine of machine.h. */
#include "gdb/machine.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"

uint64_t gdb_now(const struct gdb_machine *m) { return m->tile ? tessera_tile_cycle(m->tile) : tessera_chip_cycle(m->chip); }

/* --- snapshots --- */

#define KEY_CHECK (UINT64_C(1) << 63) /* or-ed with the number of the tile */
#define KEY_REST UINT64_MAX

static bool add_region(struct gdb_machine *m, uint64_t key, void *at, size_t bytes) {
  if (m->region_count == m->region_size) {
    size_t size = 2 * m->region_size + 64;
    struct gdb_region *moved = realloc(m->regions, size * sizeof *moved);
    if (!moved) return false;
    m->regions = moved;
    m->region_size = size;
  }
  m->regions[m->region_count++] = (struct gdb_region){.key = key, .at = at, .bytes = bytes};
  return true;
}

/* Adds the checkers' state; their pointers stay the same. */
static bool add_checkers(struct gdb_machine *m) {
  for (unsigned i = 0; i < m->count; i++) {
    struct chk *check = m->unit[i].tile->check;
    if (check && !add_region(m, KEY_CHECK | i, check, chk_bytes())) return false;
  }
  return true;
}

static void note_bulk(void *context, uint64_t key, void *at, size_t bytes) {
  struct gdb_machine *m = context;
  if (!add_region(m, key, at, bytes)) m->stream.failed = true;
}

/* Adds tiles and DRAM in place, and the rest of the chip in saved form. */
static bool add_chip(struct gdb_machine *m) {
  m->stream.length = m->stream.at = 0;
  m->stream.failed = false;
  m->stream.bulk = note_bulk;
  m->stream.context = m;
  return chip_save(m->chip->chip, &m->stream) && add_region(m, KEY_REST, m->stream.bytes, m->stream.length);
}

size_t gdb_take(struct gdb_machine *m, struct gdb_snapshot *s, const struct gdb_snapshot *base) {
  uint64_t cycle = gdb_now(m);
  memset(s, 0, sizeof *s);
  m->region_count = 0;
  bool good =
      add_checkers(m) && (m->tile ? add_region(m, 0, &m->tile->tile, offsetof(struct tx_tile, unsaved)) : add_chip(m));
  size_t spent = good ? gdb_pages_take(s, m->regions, m->region_count, base) : 0;
  s->cycle = cycle;
  return spent;
}

/* A tile's checker may have been created or destroyed since. */
static size_t put_checkers(struct gdb_machine *m, const struct gdb_snapshot *s) {
  size_t region = 0;
  for (; region < s->region_count && s->regions[region].key >= KEY_CHECK && s->regions[region].key != KEY_REST; region++) {
    uint64_t unit = s->regions[region].key & ~KEY_CHECK;
    struct chk *check = unit < m->count ? m->unit[unit].tile->check : NULL;
    if (check == s->regions[region].at) gdb_pages_put(s, region, check);
  }
  return region;
}

struct put {
  const struct gdb_snapshot *s;
  size_t region;
};

/* Restores regions in the order in which they were recorded. */
static void put_bulk(void *context, uint64_t key, void *at, size_t bytes) {
  struct put *put = context;
  const struct gdb_region *r = &put->s->regions[put->region];
  if (r->key == key && r->bytes == bytes) gdb_pages_put(put->s, put->region++, at);
}

static bool restore_chip(struct gdb_machine *m, const struct gdb_snapshot *s, size_t region) {
  struct put put = {s, region};
  size_t rest = s->region_count - 1, length = s->regions[rest].bytes;
  if (m->stream.capacity < length) {
    uint8_t *moved = realloc(m->stream.bytes, length);
    if (!moved) return false;
    m->stream.bytes = moved;
    m->stream.capacity = length;
  }
  gdb_pages_put(s, rest, m->stream.bytes);
  m->stream.length = length;
  m->stream.at = 0;
  m->stream.failed = false;
  m->stream.bulk = put_bulk;
  m->stream.context = &put;
  return !chip_restore(m->chip->chip, &m->stream) && put.region == rest;
}

/* A tile that the snapshot does not contain is reset, except for what its caller attached. */
static bool put_chip(struct gdb_machine *m, const struct gdb_snapshot *s, size_t region) {
  struct tx_breaks *breaks = calloc(m->count ? m->count : 1, sizeof *breaks);
  if (!breaks) return false;
  for (unsigned i = 0; i < m->count; i++) breaks[i] = gdb_tile(m, i)->unsaved.breaks;
  bool good = restore_chip(m, s, region);
  api_chip_forget_hang(m->chip);
  m->chip->end = CHIP_END_TIME;
  for (unsigned i = 0; i < m->count; i++) {
    gdb_tile(m, i)->unsaved.breaks = breaks[i];
    gdb_tile(m, i)->unsaved.breaks.stopped = 0;
    gdb_tile(m, i)->engine.stop = 0;
  }
  free(breaks);
  return good;
}

bool gdb_put(struct gdb_machine *m, const struct gdb_snapshot *s) {
  size_t region = put_checkers(m, s);
  if (!m->tile) return put_chip(m, s, region);
  gdb_pages_put(s, region, &m->tile->tile);
  tx_matrix_forget(&m->tile->tile);
  m->tile->tile.unsaved.breaks.stopped = 0;
  m->tile->tile.engine.stop = 0;
  m->tile->end = SIM_END_TIME;
  m->tile->stop = (struct tessera_stop_info){.number = -1, .core = -1, .cycle = s->cycle};
  return true;
}

/* --- runs --- */

static enum gdb_end end_of(enum tessera_result result, enum tessera_stop reason) {
  switch (result) {
    case TESSERA_LIMIT: return GDB_END_TIME;
    case TESSERA_DONE: return GDB_END_DONE;
    case TESSERA_HANG: return GDB_END_HANG;
    case TESSERA_FAULT: return reason == TESSERA_STOP_FINDING ? GDB_END_FINDING : GDB_END_FAULT;
    default: return GDB_END_STOPPED;
  }
}

static enum gdb_end run_tile(struct gdb_machine *m, uint64_t until, bool watchful) {
  struct tx_tile *t = &m->tile->tile;
  if (watchful) {
    enum tessera_result result = tessera_tile_run(m->tile, until - t->engine.now);
    t->unsaved.breaks.stopped |= m->tile->stop.cores; /* consumed by find_hit */
    return end_of(result, m->tile->stop.reason);
  }
  enum sim_end end = tx_tile_run(t, until);
  if (t->fault.kind) return t->fault.kind == SIM_FAULT_HAZARD ? GDB_END_FINDING : GDB_END_FAULT;
  switch (end) {
    case SIM_END_TIME: return GDB_END_TIME;
    case SIM_END_DONE: return GDB_END_DONE;
    case SIM_END_BLOCKED: return GDB_END_HANG;
    default: return GDB_END_STOPPED;
  }
}

static enum gdb_end run_chip(struct gdb_machine *m, uint64_t until, bool watchful) {
  struct tessera_fault fault;
  enum tessera_result result;
  if (watchful) {
    result = tessera_chip_run(m->chip, until - gdb_now(m));
  } else {
    enum chip_end end = chip_run(m->chip->chip, until);
    result = end == CHIP_END_TIME      ? TESSERA_LIMIT
             : end == CHIP_END_DONE    ? TESSERA_DONE
             : end == CHIP_END_BLOCKED ? TESSERA_HANG
             : end == CHIP_END_FAULT   ? TESSERA_FAULT
                                       : TESSERA_STOPPED;
  }
  bool finding =
      result == TESSERA_FAULT && tessera_chip_fault(m->chip, &fault, NULL, NULL) && strcmp(fault.kind, "hazard") == 0;
  return end_of(result, finding ? TESSERA_STOP_FINDING : TESSERA_STOP_FAULT);
}

enum gdb_end gdb_run(struct gdb_machine *m, uint64_t until, bool watchful) {
  if (until <= gdb_now(m)) return GDB_END_TIME;
  return m->tile ? run_tile(m, until, watchful) : run_chip(m, until, watchful);
}

const char *gdb_explain(struct gdb_machine *m) {
  return m->tile ? tessera_tile_explain(m->tile) : tessera_chip_explain(m->chip);
}

void gdb_machine_free(struct gdb_machine *m) {
  free(m->stream.bytes);
  free(m->regions);
  m->stream = (struct chip_stream){0};
  m->regions = NULL;
  m->region_count = m->region_size = 0;
}
