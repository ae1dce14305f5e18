/* Backwards in time: finds the last match before the position by running again from the snapshot before it. */
#include "gdb/back.h"

#include <stdlib.h>
#include <string.h>

#include "gdb/breaks.h"
#include "gdb/middle.h"
#include "gdb/place.h"
#include "gdb/probe.h"
#include "gdb/reads.h"
#include "gdb/values.h"
#include "gdb/writer.h"
#include "tensix/tile/watch.h"

/* The last snapshot before a cycle from which a run reproduces that cycle. */
static const struct gdb_snapshot *start_of(const struct tessera_debugger *d, uint64_t cycle) {
  return cycle ? gdb_history_before(&d->history, cycle - 1) : NULL;
}

static void stop_at_beginning(struct tessera_debugger *d, struct gdb_where w) {
  gdb_go_to(d, d->history.at[0].cycle);
  gdb_stop_at(d, GDB_STOP_BEGIN, w);
}

/* --- one instruction --- */

static void note_trail(void *context, const struct sim_event *e) {
  struct gdb_trail *t = context;
  if (e->agent != TX_AGENT_TRISC0 + t->where.core) return;
  if (t->count == GDB_TRAIL) { /* keep the later half */
    t->from = t->at[GDB_TRAIL / 2 - 1].cycle;
    memmove(t->at, &t->at[GDB_TRAIL / 2], GDB_TRAIL / 2 * sizeof *t->at);
    t->count = GDB_TRAIL / 2;
  }
  t->at[t->count++] = (struct gdb_trace){.cycle = e->at, .pc = e->b};
}

static bool knows(const struct gdb_trail *t, struct gdb_where w, uint64_t cycle) {
  return gdb_same(t->where, w) && t->to >= cycle && t->from < cycle;
}

/* The last instruction at or before a cycle in the trail; NULL: none. */
static const struct gdb_trace *last_in(const struct gdb_trail *t, uint64_t cycle) {
  size_t i = t->count;
  while (i && t->at[i - 1].cycle > cycle) i--;
  return i && t->at[i - 1].cycle > t->from ? &t->at[i - 1] : NULL;
}

/* The snapshot from which a run to `end` covers about the last `width` cycles without a change by the user. */
static const struct gdb_snapshot *begin_of(const struct tessera_debugger *d, uint64_t end, uint64_t width) {
  uint64_t first = d->history.at[0].cycle;
  const struct gdb_snapshot *s = gdb_history_before(&d->history, end - first > width ? end - width : first);
  const struct gdb_snapshot *pinned = gdb_history_pinned(&d->history, s->cycle);
  for (; pinned && pinned->cycle < end; pinned = gdb_history_pinned(&d->history, s->cycle)) s = pinned;
  return s;
}

static void look(struct tessera_debugger *d, struct gdb_where w, uint64_t end, uint64_t width) {
  struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  gdb_approach(d, end, width);
  const struct gdb_snapshot *s = begin_of(d, end, width);
  d->trail.where = w;
  d->trail.from = s->cycle;
  d->trail.to = end;
  d->trail.count = 0;
  gdb_go_to(d, s->cycle);
  d->plain = false;
  gdb_begin_trial(&d->machine);
  int handle = sim_log_attach(&t->unsaved.log, note_trail, &d->trail, 1u << TX_EVENT_CORE);
  gdb_try(&d->machine, end, false);
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
}

/* The cycle of the oldest snapshot since which the core has executed nothing: a long wait is not run again. */
static uint64_t quiet_since(const struct tessera_debugger *d, struct gdb_where w) {
  const struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  const size_t at = offsetof(struct tx_tile, core) + w.core * sizeof *t->core + offsetof(struct tx_core, retired);
  uint64_t cycle = d->cycle, retired;
  if (gdb_now(&d->machine) != cycle) return cycle;
  for (;;) {
    const struct gdb_snapshot *s = start_of(d, cycle);
    if (!s || !gdb_pages_read(s, t, at, &retired, sizeof retired) || retired != t->core[w.core].retired) return cycle;
    cycle = s->cycle;
  }
}

/* From the middle of a cycle. Timing off: before the core's last instruction of this cycle; false: it has executed none. Else: undoes all
 * of them. */
static bool back_inside(struct tessera_debugger *d, struct gdb_where w) {
  const uint64_t retired = gdb_core(d, w)->retired;
  if (!gdb_is_exact(d) && !gdb_same(d->stop.where, w)) return false;
  gdb_go_to(d, d->cycle);
  const uint64_t before = gdb_core(d, w)->retired;
  if (gdb_is_exact(d) && retired == before) return false;
  if (gdb_is_exact(d) && retired > before + 1) gdb_go_inside(d, &(struct gdb_inside){.where = w, .number = retired});
  gdb_stop_at(d, GDB_STOP_STEP, w);
  return true;
}

/* The number of the core's instructions in that one's cycle, up to it. */
static unsigned nth_of_cycle(const struct gdb_trail *t, const struct gdb_trace *last) {
  unsigned count = 1;
  while (last > t->at && last[-1].cycle == last->cycle) last--, count++;
  return count;
}

void gdb_step_back(struct tessera_debugger *d, struct gdb_where w) {
  uint64_t end = d->cycle, width = GDB_NEAR, first = d->history.at[0].cycle;
  if (d->sub && gdb_same(d->sub_of, w)) {
    d->sub--;
    gdb_stop_at(d, GDB_STOP_STEP, w);
    return;
  }
  gdb_pass_none(d);
  if (d->middle && back_inside(d, w)) return;
  if (!knows(&d->trail, w, end)) end = quiet_since(d, w);
  while (end > first) {
    if (!knows(&d->trail, w, end)) look(d, w, end, width);
    const struct gdb_trace *last = last_in(&d->trail, end);
    if (last) {
      uint32_t pc = last->pc;
      uint64_t cycle = last->cycle - 1;
      unsigned nth = nth_of_cycle(&d->trail, last);
      gdb_approach(d, cycle, GDB_NEAR);
      gdb_go_to(d, cycle);
      if (gdb_is_exact(d) && nth > 1)
        gdb_go_inside(d, &(struct gdb_inside){.where = w, .number = gdb_core(d, w)->retired + nth});
      unsigned count = gdb_group(d, w, pc);
      d->sub = count - 1;
      d->sub_of = w;
      gdb_stop_at(d, GDB_STOP_STEP, w);
      return;
    }
    end = d->trail.from;
    if (width < d->history.interval) width *= 4;
  }
  stop_at_beginning(d, w);
}

/* --- to a breakpoint or a watchpoint --- */

struct back {
  struct tessera_debugger *d;
  unsigned unit;
  struct gdb_hit hit;
  bool found, first; /* first: use the first match, not the last */
  uint64_t values[GDB_WATCHES];
};

static void look_for_break(struct back *b, const struct sim_event *e) {
  if (b->first && b->found) return;
  struct gdb_where w = {b->unit, e->agent - TX_AGENT_TRISC0};
  unsigned count = w.core < TX_THREADS ? gdb_group(b->d, w, e->b) : 1;
  if (b->first && gdb_core(b->d, w)->retired + 2 - count <= gdb_passed(b->d, w)) return;
  for (unsigned i = 0; i < count; i++)
    if (gdb_has_break(b->d, w, e->b + 4 * i)) {
      b->hit = (struct gdb_hit){.kind = GDB_STOP_BREAK, .where = w, .cycle = e->at};
      b->found = true;
      return;
    }
}

static void look_back(void *context, const struct sim_event *e) {
  struct back *b = context;
  struct gdb_stop stop = {0};
  look_for_break(b, e);
  if (b->first) return;
  if (!gdb_watch_changed(b->d, b->values, &stop)) return;
  gdb_watch_values(b->d, b->values);
  b->hit = (struct gdb_hit){.kind = GDB_STOP_WATCH,
                            .where = {b->unit, e->agent - TX_AGENT_TRISC0},
                            .cycle = e->at,
                            .address = stop.address,
                            .access = stop.access};
  b->found = true;
}

static bool is_local_watched(const struct tessera_debugger *d, unsigned unit) {
  for (unsigned i = 0; i < GDB_WATCHES; i++)
    if (d->watches[i].used && d->watches[i].local && d->watches[i].where.unit == unit) return true;
  return false;
}

static bool is_l1_written(const struct gdb_watch *w, unsigned unit) {
  return w->used && !w->local && !w->registers && w->access & GDB_WRITES && w->where.unit == unit;
}

/* Words of L1 whose last writers the tile records. */
static void note_writers(struct tessera_debugger *d, unsigned unit) {
  struct tx_tile *t = gdb_tile(&d->machine, unit);
  struct tx_writers *w = &t->unsaved.writers;
  memset(w, 0, sizeof *w);
  for (unsigned i = 0; i < GDB_WATCHES && w->count < TX_WRITERS; i++)
    if (is_l1_written(&d->watches[i], unit))
      w->of[w->count++] = (struct tx_writer){.address = d->watches[i].address, .length = d->watches[i].length};
  if (w->count) sim_park_nobody(&t->engine);
}

static void hit_watch(const struct gdb_watch *w, uint64_t cycle, struct gdb_hit *hit) {
  *hit = (struct gdb_hit){
      .kind = GDB_STOP_WATCH, .where = w->where, .cycle = cycle, .address = w->address, .access = w->access};
}

static void take_writers(struct tessera_debugger *d, unsigned unit, struct gdb_hit *hit, bool *found) {
  struct tx_writers *w = &gdb_tile(&d->machine, unit)->unsaved.writers;
  for (unsigned i = 0; i < w->count; i++) {
    const struct tx_trail *trail = &w->of[i].last;
    if (!trail->known || (*found && trail->cycle <= hit->cycle)) continue;
    for (unsigned k = 0; k < GDB_WATCHES; k++) /* gdb expects the watchpoint in the process for which it was set */
      if (is_l1_written(&d->watches[k], unit) && d->watches[k].address == w->of[i].address)
        hit_watch(&d->watches[k], trail->cycle, hit);
    gdb_writer_text(d, unit, trail, hit->text, sizeof hit->text);
    *found = true;
  }
  w->count = 0;
}

/* Prepares the search for the last stop of a tile in a run to `end`. */
static int begin_look(struct tessera_debugger *d, unsigned unit, struct back *b) {
  struct tx_tile *t = gdb_tile(&d->machine, unit);
  bool breaks = false;
  *b = (struct back){.d = d, .unit = unit};
  gdb_watch_values(d, b->values);
  for (unsigned i = 0; i < GDB_BREAKS; i++) {
    if (!d->breaks[i].uses || d->breaks[i].where.unit != unit) continue;
    breaks = true;
  }
  note_writers(d, unit);
  if (!breaks && !is_local_watched(d, unit)) return -1;
  return sim_log_attach(&t->unsaved.log, look_back, b, 1u << TX_EVENT_CORE);
}

/* Watches of registers for writes, in their tiles: a tile stops in the cycle after the write. */
static bool watch_registers(struct tessera_debugger *d, int numbers[GDB_WATCHES]) {
  bool any = false;
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &d->watches[i];
    bool signalled = w->used && w->registers && w->access & GDB_WRITES;
    numbers[i] = signalled ? tx_watch_range(gdb_tile(&d->machine, w->where.unit), w->address, w->length) : -1;
    any |= signalled;
  }
  return any;
}

/* Runs to a cycle and takes the last write before it to such a register. */
static void run_past_writes(struct tessera_debugger *d, uint64_t to, const int numbers[GDB_WATCHES], struct gdb_hit *hit,
                            bool *found) {
  enum gdb_end end;
  do {
    end = gdb_try(&d->machine, to, false);
    for (unsigned i = 0; i < GDB_WATCHES; i++) {
      struct tx_tile *t = gdb_tile(&d->machine, d->watches[i].where.unit);
      if (numbers[i] < 0 || !t->watch[numbers[i]].met) continue;
      t->watch[numbers[i]].met = 0;
      if (*found && t->engine.now - 1 <= hit->cycle) continue;
      hit_watch(&d->watches[i], t->engine.now - 1, hit);
      *found = true;
    }
  } while (end == GDB_END_STOPPED && gdb_now(&d->machine) < to);
}

/* NULL: out of memory. */
static struct back *looks_of(struct tessera_debugger *d) {
  return d->looks_back ? d->looks_back : (d->looks_back = calloc(GDB_UNITS, sizeof(struct back)));
}

static bool last_stop(struct tessera_debugger *d, struct back *looks, uint64_t from, uint64_t to, struct gdb_hit *hit) {
  int handles[GDB_UNITS], numbers[GDB_WATCHES];
  bool found = false;
  gdb_go_to(d, from);
  gdb_begin_trial(&d->machine);
  for (unsigned u = 0; u < d->machine.count; u++) handles[u] = begin_look(d, u, &looks[u]);
  d->plain = false;
  gdb_reads_begin(d, GDB_LAST_READ);
  bool registers = watch_registers(d, numbers);
  run_past_writes(d, to, numbers, hit, &found);
  for (unsigned u = 0; u < d->machine.count; u++) {
    if (handles[u] >= 0) sim_log_detach(&gdb_tile(&d->machine, u)->unsaved.log, handles[u]);
    if (looks[u].found && (!found || looks[u].hit.cycle > hit->cycle)) *hit = looks[u].hit, found = true;
    take_writers(d, u, hit, &found);
  }
  gdb_reads_end(d, hit, &found);
  if (registers) run_past_writes(d, to + 1, numbers, hit, &found); /* a write in cycle `to` */
  return found;
}

/* From the middle of a cycle: to the breakpoint before it in the same cycle. */
static bool back_in_cycle(struct tessera_debugger *d) {
  const bool middle = d->middle;
  const struct gdb_where w = d->stop.where;
  const uint64_t number = gdb_passed(d, w);
  gdb_pass_none(d);
  if (!middle) return false;
  gdb_go_to(d, d->cycle);
  if (!gdb_stand_at_break(d, w, number)) return false;
  gdb_stop_at(d, GDB_STOP_BREAK, w);
  gdb_show_break(d, w);
  return true;
}

/* Timing off: the last breakpoint or access in the cycles after `from` up to `to`. */
static bool last_exactly(struct tessera_debugger *d, uint64_t from, uint64_t to, struct gdb_exact *x) {
  *x = (struct gdb_exact){.halt = false};
  gdb_go_to(d, from);
  gdb_begin_trial(&d->machine);
  d->plain = false;
  return gdb_exact_run(d, to, NULL, x) && x->last.kind != GDB_STOP_START;
}

static bool back_exactly(struct tessera_debugger *d, uint64_t from, uint64_t to) {
  struct gdb_exact x;
  if (!last_exactly(d, from, to, &x)) return false;
  gdb_go_before(d, &x);
  return true;
}

/* From the middle of a cycle: before the last breakpoint or access there. */
static bool back_in_cycle_exactly(struct tessera_debugger *d) {
  struct gdb_exact x;
  if (!d->middle || !gdb_last_inside(d, &x)) return false;
  gdb_go_before(d, &x);
  return true;
}

void gdb_continue_back(struct tessera_debugger *d, struct gdb_where from) {
  const bool exact = gdb_is_exact(d);
  uint64_t end = d->cycle;
  struct gdb_hit hit = {0};
  struct back *looks = looks_of(d);
  d->focus = from;
  if (!looks) {
    gdb_stop_at(d, GDB_STOP_NO_MEMORY, from);
    return;
  }
  if (exact ? back_in_cycle_exactly(d) : back_in_cycle(d)) return;
  while (end > d->history.at[0].cycle) {
    const struct gdb_snapshot *s = start_of(d, end);
    uint64_t begin = s ? s->cycle : 0;
    if (exact && back_exactly(d, begin, end)) return;
    if (!exact && last_stop(d, looks, begin, end, &hit)) {
      gdb_go_to(d, hit.cycle - 1);
      gdb_stop_at(d, hit.kind, hit.where);
      d->stop.address = hit.address;
      d->stop.access = hit.access;
      memcpy(d->stop.text, hit.text, sizeof hit.text);
      if (hit.kind == GDB_STOP_BREAK) {
        gdb_stand_at_break(d, hit.where, UINT64_MAX);
        gdb_show_break(d, hit.where);
      }
      return;
    }
    end = begin;
    if (d->interrupted && d->interrupted(d->interrupted_context)) {
      gdb_go_to(d, end);
      gdb_stop_at(d, GDB_STOP_INTERRUPT, from);
      return;
    }
  }
  stop_at_beginning(d, from);
}

bool gdb_first_break(struct tessera_debugger *d, uint64_t from, struct gdb_hit *hit) {
  struct back *looks = looks_of(d);
  int handles[GDB_UNITS];
  bool found = false;
  if (!looks) return false;
  gdb_go_to(d, from);
  gdb_begin_trial(&d->machine);
  for (unsigned u = 0; u < d->machine.count; u++) {
    handles[u] = begin_look(d, u, &looks[u]);
    looks[u].first = true;
  }
  d->plain = false;
  gdb_try(&d->machine, hit->cycle, false);
  for (unsigned u = 0; u < d->machine.count; u++) {
    if (handles[u] >= 0) sim_log_detach(&gdb_tile(&d->machine, u)->unsaved.log, handles[u]);
    gdb_tile(&d->machine, u)->unsaved.writers.count = 0;
    if (looks[u].found && (!found || looks[u].hit.cycle < hit->cycle)) *hit = looks[u].hit, found = true;
  }
  return true;
}
