/* The machine of machine.h. */
#include "gdb/machine.h"

#include <stdlib.h>
#include <string.h>

#include "api/chip_hang.h"

uint64_t gdb_now(const struct gdb_machine *m) { return m->tile ? tessera_tile_cycle(m->tile) : tessera_chip_cycle(m->chip); }

/* --- snapshots --- */

#define KEY_REST UINT64_MAX

static bool add_region(struct gdb_machine *m, uint64_t key, void *at, size_t bytes, uint64_t *same) {
  if (m->region_count == m->region_size) {
    size_t size = 2 * m->region_size + 64;
    struct gdb_region *moved = realloc(m->regions, size * sizeof *moved);
    if (!moved) return false;
    m->regions = moved;
    m->region_size = size;
  }
  m->regions[m->region_count++] = (struct gdb_region){.key = key, .at = at, .bytes = bytes, .same = same};
  return true;
}

static void note_bulk(void *context, uint64_t key, void *at, size_t bytes, uint64_t *same) {
  struct gdb_machine *m = context;
  if (!add_region(m, key, at, bytes, same)) m->stream.failed = true;
}

/* Adds tiles and DRAM in place, and the rest of the chip in saved form. */
static bool add_chip(struct gdb_machine *m) {
  m->stream.length = m->stream.at = 0;
  m->stream.failed = false;
  m->stream.bulk = note_bulk;
  m->stream.context = m;
  return chip_save(m->chip->chip, &m->stream) && add_region(m, KEY_REST, m->stream.bytes, m->stream.length, NULL);
}

static bool add_tile(struct gdb_machine *m) {
  struct tx_tile *t = &m->tile->tile;
  const size_t l1 = offsetof(struct tx_tile, l1), behind = l1 + TX_L1_BYTES;
  return add_region(m, 0, t, l1, NULL) && add_region(m, 1, t->l1, TX_L1_BYTES, t->unsaved.l1_same) &&
         add_region(m, 2, (uint8_t *)t + behind, offsetof(struct tx_tile, unsaved) - behind, NULL);
}

bool gdb_take(struct gdb_machine *m, struct gdb_snapshot *s, const struct gdb_snapshot *base) {
  uint64_t cycle = gdb_now(m);
  memset(s, 0, sizeof *s);
  m->region_count = 0;
  bool good = (m->tile ? add_tile(m) : add_chip(m)) && gdb_pages_take(&m->pool, s, m->regions, m->region_count, base);
  if (!good) return false;
  gdb_pages_sync(&m->pool, s, m->regions);
  s->cycle = cycle;
  return true;
}

struct put {
  struct gdb_machine *m;
  const struct gdb_snapshot *s;
  size_t region;
};

/* Restores regions in the order in which they were recorded; m->regions gets their present addresses. */
static void put_bulk(void *context, uint64_t key, void *at, size_t bytes, uint64_t *same) {
  struct put *put = context;
  const struct gdb_region *r = &put->s->regions[put->region];
  if (r->key != key || r->bytes != bytes || !add_region(put->m, key, at, bytes, same)) return;
  gdb_pages_put(&put->m->pool, put->s, put->region++, at, same);
}

static bool restore_chip(struct gdb_machine *m, const struct gdb_snapshot *s) {
  struct put put = {m, s, 0};
  size_t rest = s->region_count - 1, length = s->regions[rest].bytes;
  if (m->stream.capacity < length) {
    uint8_t *moved = realloc(m->stream.bytes, length);
    if (!moved) return false;
    m->stream.bytes = moved;
    m->stream.capacity = length;
  }
  gdb_pages_put(&m->pool, s, rest, m->stream.bytes, NULL);
  m->region_count = 0;
  m->stream.length = length;
  m->stream.at = 0;
  m->stream.failed = false;
  m->stream.bulk = put_bulk;
  m->stream.context = &put;
  return !chip_restore(m->chip->chip, &m->stream) && put.region == rest &&
         add_region(m, KEY_REST, m->stream.bytes, length, NULL);
}

static bool put_chip(struct gdb_machine *m, const struct gdb_snapshot *s) {
  bool good = restore_chip(m, s);
  api_chip_forget_hang(m->chip);
  m->chip->end = CHIP_END_TIME;
  for (unsigned i = 0; i < m->count; i++) {
    gdb_tile(m, i)->unsaved.breaks.stopped = 0;
    gdb_tile(m, i)->engine.stop = 0;
  }
  return good;
}

static bool put_tile(struct gdb_machine *m, const struct gdb_snapshot *s) {
  m->region_count = 0;
  if (!add_tile(m)) return false;
  for (size_t i = 0; i < m->region_count; i++) gdb_pages_put(&m->pool, s, i, m->regions[i].at, m->regions[i].same);
  tx_tile_copied(&m->tile->tile);
  m->tile->tile.unsaved.breaks.stopped = 0;
  m->tile->tile.engine.stop = 0;
  m->tile->end = SIM_END_TIME;
  m->tile->stop = (struct tessera_stop_info){.number = -1, .core = -1, .cycle = s->cycle};
  return true;
}

bool gdb_put_state(struct gdb_machine *m, const struct gdb_snapshot *s) {
  if (!(m->tile ? put_tile(m, s) : put_chip(m, s))) return false;
  gdb_pages_sync(&m->pool, s, m->regions);
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
    m->tile->untouched = false; /* commands of the debugger do not use the API alone */
    enum tessera_result result = tessera_tile_run(m->tile, until - t->engine.now);
    t->unsaved.breaks.stopped |= m->tile->stop.cores; /* consumed by find_hit */
    return end_of(result, m->tile->stop.reason);
  }
  if (!api_enter(&m->tile->handle)) return GDB_END_STOPPED;
  enum sim_end end = tx_tile_run(t, until);
  api_leave(&m->tile->handle);
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
    obs_chip_progress_reset(&m->chip->progress); /* the debugger may have changed any tile */
    result = tessera_chip_run(m->chip, until - gdb_now(m));
  } else {
    if (!api_enter_chip(m->chip)) return GDB_END_STOPPED;
    enum chip_end end = chip_run(m->chip->chip, until);
    api_leave_chip(m->chip);
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

/* A log without events, for the time of a run. A core that is not observed pushes words into its FIFO ahead of their cycle, one that is observed
 * does not; the state in the middle of a cycle must not depend on which part of a run was observed. (If no sink is free, the
 * others observe it.) */
#define NO_EVENT (UINT32_C(1) << 31)
static void ignore(void *context, const struct sim_event *event) { (void)context, (void)event; }

enum gdb_end gdb_run_state(struct gdb_machine *m, uint64_t until, bool watchful) {
  int sinks[GDB_UNITS];
  if (until <= gdb_now(m)) return GDB_END_TIME;
  for (unsigned i = 0; i < m->count; i++) sinks[i] = sim_log_attach(&gdb_tile(m, i)->unsaved.log, ignore, NULL, NO_EVENT);
  enum gdb_end end = m->tile ? run_tile(m, until, watchful) : run_chip(m, until, watchful);
  for (unsigned i = 0; i < m->count; i++)
    if (sinks[i] >= 0) sim_log_detach(&gdb_tile(m, i)->unsaved.log, sinks[i]);
  return end;
}

const char *gdb_explain(struct gdb_machine *m) {
  return m->tile ? tessera_tile_explain(m->tile) : tessera_chip_explain(m->chip);
}

void gdb_machine_free(struct gdb_machine *m) {
  gdb_pages_free(&m->pool);
  free(m->stream.bytes);
  free(m->regions);
  m->stream = (struct chip_stream){0};
  m->regions = NULL;
  m->region_count = m->region_size = 0;
}
