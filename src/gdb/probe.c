/* The searches of probe.h. */
#include "gdb/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/findings.h"
#include "gdb/breaks.h"
#include "gdb/middle.h"
#include "gdb/reads.h"
#include "gdb/values.h"
#include "gdb/writer.h"
#include "observe/words.h"
#include "tensix/tile/watch.h"

bool gdb_find_hit(struct tessera_debugger *d, struct gdb_hit *hit) {
  bool found = false;
  for (unsigned u = 0; u < d->machine.count; u++) {
    struct tx_tile *t = gdb_tile(&d->machine, u);
    uint32_t stopped = t->unsaved.breaks.stopped;
    t->unsaved.breaks.stopped = 0;
    if (!stopped || (found && t->engine.now >= hit->cycle)) continue;
    bool focus = d->focus.unit == u && stopped >> d->focus.core & 1u;
    *hit = (struct gdb_hit){.kind = GDB_STOP_BREAK,
                            .where = {u, focus ? d->focus.core : (unsigned)__builtin_ctz(stopped)},
                            .cycle = t->engine.now};
    found = true;
  }
  return found;
}

void gdb_note_first(void *context, const struct sim_event *e) {
  struct gdb_first *f = context;
  if (e->agent != f->agent || f->found) return;
  f->found = true;
  f->cycle = e->at;
  sim_stop(f->engine);
}

/* --- conditions --- */

struct look {
  struct tessera_debugger *d;
  unsigned unit;
  struct gdb_hit hit;
  bool found;
  uint64_t values[GDB_WATCHES];
};

static bool holds(const struct gdb_condition *c, const struct sim_event *e) {
  if (!c->used || c->kind != e->kind || (c->agent >= 0 && (uint32_t)c->agent != e->agent)) return false;
  uint32_t index = e->kind == TX_EVENT_ISSUE ? e->a >> 24 : e->a;
  return c->index < 0 || (uint32_t)c->index == index;
}

static void stop_here(struct look *l, const struct sim_event *e) {
  l->found = true;
  l->hit.cycle = e->at;
  sim_stop(&gdb_tile(&l->d->machine, l->unit)->engine);
}

/* A core's instruction has changed its local RAM. */
static void look_at_local(struct look *l, const struct sim_event *e) {
  struct gdb_stop stop = {0};
  if (!gdb_watch_changed(l->d, l->values, &stop)) return;
  l->hit.kind = GDB_STOP_WATCH;
  l->hit.address = stop.address;
  l->hit.access = stop.access;
  l->hit.where = (struct gdb_where){l->unit, e->agent - TX_AGENT_TRISC0};
  stop_here(l, e);
}

static void look_at(void *context, const struct sim_event *e) {
  struct look *l = context;
  if (l->found) return;
  if (e->kind == TX_EVENT_CORE) look_at_local(l, e);
  for (unsigned i = 0; i < GDB_CONDITIONS && !l->found; i++) {
    const struct gdb_condition *c = &l->d->conditions[i];
    if (!holds(c, e)) continue;
    int core = api_core_behind(e->agent);
    l->hit.kind = GDB_STOP_EVENT;
    l->hit.where = (struct gdb_where){l->unit, core >= 0 ? (unsigned)core : l->d->focus.core};
    snprintf(l->hit.text, sizeof l->hit.text, "%s: %s", c->text, obs_agent_name(e->agent));
    stop_here(l, e);
  }
}

static uint32_t events_of(const struct tessera_debugger *d, unsigned unit) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < GDB_WATCHES; i++)
    if (d->watches[i].used && d->watches[i].local && d->watches[i].access & GDB_WRITES && d->watches[i].where.unit == unit)
      mask |= 1u << TX_EVENT_CORE;
  for (unsigned i = 0; i < GDB_CONDITIONS; i++)
    if (d->conditions[i].used) mask |= 1u << d->conditions[i].kind;
  return mask;
}

static bool is_watched(const struct tessera_debugger *d) {
  bool any = false;
  for (unsigned i = 0; i < GDB_WATCHES; i++) any |= d->watches[i].used;
  return any;
}

static bool wants_probe(const struct tessera_debugger *d) {
  bool any = is_watched(d);
  for (unsigned i = 0; i < GDB_CONDITIONS; i++) any |= d->conditions[i].used;
  return any;
}

/* A watched word of L1 was written in the preceding cycle. */
static bool find_written(struct tessera_debugger *d, const int numbers[GDB_WATCHES], struct gdb_hit *hit) {
  bool found = false;
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &d->watches[i];
    struct tx_tile *t = gdb_tile(&d->machine, w->where.unit);
    if (numbers[i] < 0 || !t->watch[numbers[i]].met || (found && t->engine.now > hit->cycle)) continue;
    *hit = (struct gdb_hit){
        .kind = GDB_STOP_WATCH, .where = w->where, .cycle = t->engine.now - 1, .address = w->address, .access = w->access};
    found = true;
  }
  return found;
}

static void name_writer(struct tessera_debugger *d, struct gdb_hit *hit) {
  struct tx_trail trail;
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &d->watches[i];
    if (!w->used || w->local || w->registers || !(w->access & GDB_WRITES) || w->address != hit->address) continue;
    if (!gdb_last_write(d, w->where.unit, w->address, w->length, hit->cycle, &trail)) return;
    gdb_writer_text(d, w->where.unit, &trail, hit->text, sizeof hit->text);
    return;
  }
}

static void look_for(struct tessera_debugger *d, uint64_t until, struct look *looks, struct gdb_hit *hit, bool *found) {
  int numbers[GDB_WATCHES], handles[GDB_UNITS];
  struct gdb_exact x = {.halt = true, .skip_cycle = gdb_now(&d->machine) + 1, .skip = gdb_passed_accesses(d)};
  const bool exact = gdb_is_exact(d) && is_watched(d);
  gdb_begin_trial(&d->machine);
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &d->watches[i];
    bool signalled = !exact && w->used && !w->local && w->access & GDB_WRITES;
    numbers[i] = signalled ? tx_watch_range(gdb_tile(&d->machine, w->where.unit), w->address, w->length) : -1;
  }
  for (unsigned u = 0; u < d->machine.count; u++) {
    uint32_t mask = events_of(d, u) & ~(exact ? 1u << TX_EVENT_CORE : 0);
    looks[u] = (struct look){.d = d, .unit = u};
    gdb_watch_values(d, looks[u].values);
    handles[u] = mask ? sim_log_attach(&gdb_tile(&d->machine, u)->unsaved.log, look_at, &looks[u], mask) : -1;
  }
  if (!exact) gdb_reads_begin(d, GDB_FIRST_READ);
  if (!exact || !gdb_exact_run(d, until, NULL, &x)) gdb_try(&d->machine, until, false);
  *found = find_written(d, numbers, hit);
  if (exact && x.halted) gdb_exact_hit(d, &x, hit), *found = true;
  for (unsigned u = 0; u < d->machine.count; u++) {
    if (handles[u] >= 0) sim_log_detach(&gdb_tile(&d->machine, u)->unsaved.log, handles[u]);
    if (!looks[u].found || (*found && looks[u].hit.cycle >= hit->cycle)) continue;
    *hit = looks[u].hit;
    *found = true;
  }
  if (!exact) gdb_reads_end(d, hit, found);
}

bool gdb_probe_piece(struct tessera_debugger *d, uint64_t until, struct gdb_hit *hit) {
  struct gdb_machine *m = &d->machine;
  struct gdb_snapshot p;
  static const size_t bytes = GDB_UNITS * sizeof(struct look);
  if (!wants_probe(d)) return false;
  struct look *looks = d->looks ? d->looks : (d->looks = calloc(1, bytes));
  if (!looks || !gdb_take(m, &p, gdb_history_before(&d->history, gdb_now(m)))) {
    *hit = (struct gdb_hit){.kind = GDB_STOP_NO_MEMORY, .where = d->focus, .cycle = gdb_now(m)};
    return true;
  }
  bool found;
  look_for(d, until, looks, hit, &found);
  gdb_put(m, &p);
  if (found && hit->kind == GDB_STOP_WATCH && !hit->text[0]) {
    name_writer(d, hit);
    gdb_put(m, &p);
  }
  gdb_pages_drop(&d->machine.pool, &p);
  d->plain = true;
  return found;
}
