/* The machine of machine.h. */
#include "gdb/machine.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"

uint64_t gdb_now(const struct gdb_machine *m) { return m->tile ? tessera_tile_cycle(m->tile) : tessera_chip_cycle(m->chip); }

/* --- snapshots --- */

/* The saved part of a tile, and the checker's memory of the run, whose pointers stay what they are. */
static unsigned regions_of(const struct gdb_machine *m, struct gdb_region regions[GDB_REGIONS]) {
  regions[0] = (struct gdb_region){&m->tile->tile, offsetof(struct tx_tile, unsaved)};
  if (!m->tile->check) return 1;
  regions[1] = (struct gdb_region){m->tile->check, chk_bytes()};
  return 2;
}

size_t gdb_take(struct gdb_machine *m, struct gdb_snapshot *s, const struct gdb_snapshot *base) {
  struct gdb_region regions[GDB_REGIONS];
  unsigned count = 1;
  memset(s, 0, sizeof *s);
  if (m->tile) {
    count = regions_of(m, regions);
  } else {
    m->stream.length = m->stream.at = 0;
    m->stream.failed = false;
    if (!chip_save(m->chip->chip, &m->stream)) return 0;
    regions[0] = (struct gdb_region){m->stream.bytes, m->stream.length};
  }
  uint64_t cycle = gdb_now(m);
  size_t spent = gdb_pages_take(s, regions, count, base);
  s->cycle = cycle;
  return spent;
}

/* The tiles of a chip are made anew, but for what their callers put there. */
static bool put_chip(struct gdb_machine *m, const struct gdb_snapshot *s) {
  struct tx_breaks *breaks = calloc(m->count ? m->count : 1, sizeof *breaks);
  size_t length = s->region[0].bytes;
  if (!breaks) return false;
  for (unsigned i = 0; i < m->count; i++) breaks[i] = gdb_tile(m, i)->unsaved.breaks;
  bool good = true;
  if (m->stream.capacity < length) {
    uint8_t *moved = realloc(m->stream.bytes, length);
    good = moved != NULL;
    if (moved) m->stream.bytes = moved, m->stream.capacity = length;
  }
  if (good) {
    struct gdb_region region = {m->stream.bytes, length};
    gdb_pages_put(s, &region, 1);
    m->stream.length = length;
    m->stream.at = 0;
    m->stream.failed = false;
    good = !chip_restore(m->chip->chip, &m->stream);
    api_chip_forget_hang(m->chip);
    m->chip->end = CHIP_END_TIME;
  }
  for (unsigned i = 0; i < m->count; i++) gdb_tile(m, i)->unsaved.breaks = breaks[i];
  free(breaks);
  return good;
}

bool gdb_put(struct gdb_machine *m, const struct gdb_snapshot *s) {
  struct gdb_region regions[GDB_REGIONS];
  if (!m->tile) return put_chip(m, s);
  gdb_pages_put(s, regions, regions_of(m, regions));
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
    t->unsaved.breaks.stopped |= m->tile->stop.cores; /* find_hit takes it */
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
  m->stream = (struct chip_stream){0};
}
