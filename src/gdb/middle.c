/* The breakpoints of middle.h. */
#include "gdb/middle.h"

#include <string.h>

#include "gdb/breaks.h"
#include "gdb/place.h"
#include "gdb/reads.h"

/* --- passed breakpoints --- */

void gdb_pass_none(struct tessera_debugger *d) { d->passed.any = false; }

static bool counts(const struct tessera_debugger *d) { return d->passed.any && d->passed.cycle == d->cycle; }

void gdb_pass(struct tessera_debugger *d, struct gdb_where w, uint64_t number) {
  if (!counts(d)) memset(&d->passed, 0, sizeof d->passed);
  d->passed.any = true;
  d->passed.cycle = d->cycle;
  if (d->passed.number[w.unit][w.core] < number) d->passed.number[w.unit][w.core] = number;
}

uint64_t gdb_passed(const struct tessera_debugger *d, struct gdb_where w) {
  return counts(d) ? d->passed.number[w.unit][w.core] : 0;
}

void gdb_mark_passed(struct tessera_debugger *d, bool on) {
  for (unsigned u = 0; d->passed.any && u < d->machine.count; u++)
    for (unsigned core = 0; core < TX_CORES; core++)
      if (d->passed.number[u][core])
        gdb_tile(&d->machine, u)->core[core].passed_break = on ? gdb_passed(d, (struct gdb_where){u, core}) : 0;
}

/* --- the middle of a cycle --- */

/* Runs through the next cycle until the core stops at a breakpoint behind its instruction `after`. false: at none. */
static bool run_to_stop(struct tessera_debugger *d, struct gdb_where w, uint64_t after) {
  struct gdb_machine *m = &d->machine;
  struct tx_tile *t = gdb_tile(m, w.unit);
  enum gdb_end end;
  gdb_begin_trial(m);
  gdb_arm(d, true);
  gdb_mark_passed(d, true);
  if (t->core[w.core].passed_break < after) t->core[w.core].passed_break = after;
  do {
    end = gdb_try(m, d->cycle + 1, false);
  } while (end == GDB_END_STOPPED && !(t->unsaved.breaks.stopped >> w.core & 1u) && gdb_now(m) <= d->cycle + 1);
  bool stopped = t->unsaved.breaks.stopped >> w.core & 1u;
  gdb_arm(d, false);
  return stopped;
}

bool gdb_stand_at_break(struct tessera_debugger *d, struct gdb_where w, uint64_t below) {
  struct gdb_machine *m = &d->machine;
  struct gdb_snapshot p;
  const uint64_t plain = gdb_core(d, w)->retired + 1;
  uint64_t number = 0, after = below ? 0 : gdb_passed(d, w);
  if (!gdb_take(m, &p, gdb_history_before(&d->history, d->cycle))) {
    d->stop.kind = GDB_STOP_NO_MEMORY;
    return false;
  }
  while (run_to_stop(d, w, after) && (!below || gdb_core(d, w)->retired + 1 < below)) {
    number = after = gdb_core(d, w)->retired + 1;
    if (!below) break;
    gdb_put(m, &p);
  }
  d->middle = number && number != plain;
  d->inside = (struct gdb_inside){.where = w, .number = number};
  d->plain = !d->middle;
  if (!d->middle || below) gdb_put(m, &p);
  if (d->middle && below) run_to_stop(d, w, number - 1);
  gdb_pages_drop(&m->pool, &p);
  if (number || !below) gdb_pass(d, w, number ? number : plain);
  return number != 0;
}

void gdb_settle(struct tessera_debugger *d) {
  if (!d->middle) gdb_go_to(d, d->cycle);
  else gdb_arrive(d);
  gdb_pass_none(d);
}

void gdb_return(struct tessera_debugger *d, uint64_t cycle, bool middle) {
  struct gdb_where w = d->stop.where;
  const struct gdb_inside inside = d->inside;
  gdb_go_to(d, cycle);
  if (!middle) return;
  if (gdb_is_exact(d)) {
    gdb_go_inside(d, &inside);
    return;
  }
  uint64_t number = gdb_passed(d, w);
  d->passed.number[w.unit][w.core] = 0;
  run_to_stop(d, w, number - 1);
  d->passed.number[w.unit][w.core] = number;
  d->middle = true;
  d->plain = false;
}

/* --- timing off --- */

bool gdb_is_exact(const struct tessera_debugger *d) { return d->machine.tile && !d->machine.tile->tile.timing; }

unsigned gdb_passed_accesses(const struct tessera_debugger *d) { return counts(d) ? d->passed.accesses : 0; }

/* Runs through the next cycle, to a place in it if `to` is given. Returns the cores that stopped, a bit each. */
static uint32_t look_inside(struct tessera_debugger *d, const struct gdb_inside *to, struct gdb_exact *x) {
  struct tx_tile *t = gdb_tile(&d->machine, 0);
  gdb_begin_trial(&d->machine);
  d->plain = false;
  if (!gdb_exact_run(d, d->cycle + 1, to, x)) return 0;
  uint32_t stopped = t->unsaved.breaks.stopped;
  t->unsaved.breaks.stopped = 0;
  return stopped;
}

/* The breakpoints and accesses up to this place are passed. */
static void stand_inside(struct tessera_debugger *d, const struct gdb_inside *to, const struct gdb_exact *x) {
  for (unsigned core = 0; core < TX_CORES; core++) gdb_pass(d, (struct gdb_where){0, core}, x->passed[core]);
  d->passed.accesses = x->cycle == d->cycle + 1 ? x->ordinal : 0;
  d->inside = *to;
  d->middle = true;
  d->plain = false;
}

bool gdb_go_inside(struct tessera_debugger *d, const struct gdb_inside *to) {
  struct gdb_exact x = {.halt = to->accesses, .skip_cycle = d->cycle + 1, .skip = to->accesses - 1};
  uint32_t stopped = look_inside(d, to, &x);
  if (to->accesses ? x.halted : stopped >> to->where.core & 1u) {
    stand_inside(d, to, &x);
    return true;
  }
  gdb_go_to(d, d->cycle);
  return false;
}

bool gdb_step_inside(struct tessera_debugger *d, struct gdb_where w, uint64_t retired, struct gdb_hit *hit) {
  struct tx_core *c = gdb_core(d, w);
  struct gdb_inside to = {.where = w, .number = retired + 2};
  struct gdb_exact x = {.halt = true, .skip_cycle = d->cycle + 1, .skip = gdb_passed_accesses(d)};
  gdb_begin_trial(&d->machine);
  gdb_arm(d, true);
  gdb_mark_passed(d, true);
  if (c->passed_break <= retired) c->passed_break = retired + 1;
  uint32_t stopped = look_inside(d, &to, &x);
  gdb_arm(d, false);
  if (x.halted) {
    gdb_exact_hit(d, &x, hit);
    to = (struct gdb_inside){.accesses = x.last.ordinal};
  } else if (stopped) {
    struct gdb_where v = {0, stopped >> w.core & 1u ? w.core : (unsigned)__builtin_ctz(stopped)};
    bool at_break = gdb_has_break(d, v, gdb_core(d, v)->pc);
    *hit = (struct gdb_hit){.kind = at_break ? GDB_STOP_BREAK : GDB_STOP_STEP, .where = v, .cycle = d->cycle + 1};
    to = (struct gdb_inside){.where = v, .number = gdb_core(d, v)->retired + 1};
    if (at_break) gdb_pass(d, v, to.number);
  } else {
    gdb_go_to(d, d->cycle);
    return false;
  }
  stand_inside(d, &to, &x);
  return true;
}

bool gdb_last_inside(struct tessera_debugger *d, struct gdb_exact *x) {
  const struct gdb_inside to = d->inside;
  gdb_pass_none(d);
  gdb_go_to(d, d->cycle);
  *x = (struct gdb_exact){.halt = to.accesses, .skip_cycle = d->cycle + 1, .skip = to.accesses - 1};
  look_inside(d, &to, x);
  gdb_go_to(d, d->cycle);
  return x->last.kind != GDB_STOP_START;
}

void gdb_go_before(struct tessera_debugger *d, const struct gdb_exact *x) {
  const struct gdb_event *e = &x->last;
  struct gdb_inside to = {.where = {0, e->core}, .number = e->number};
  struct gdb_hit hit = {0};
  gdb_pass_none(d);
  gdb_go_to(d, e->cycle - 1);
  if (e->kind == GDB_STOP_WATCH) gdb_exact_hit(d, x, &hit);
  const unsigned before = x->cycle != e->cycle ? 0 : e->kind == GDB_STOP_WATCH ? e->ordinal - 1 : x->ordinal;
  if (e->core == TX_CORES) to = (struct gdb_inside){.accesses = before};
  if (before || (e->core < TX_CORES && gdb_core(d, to.where)->retired + 1 != e->number)) gdb_go_inside(d, &to);
  gdb_stop_at(d, e->kind, e->kind == GDB_STOP_BREAK ? to.where : hit.where);
  d->stop.address = hit.address;
  d->stop.access = hit.access;
  memcpy(d->stop.text, hit.text, sizeof hit.text);
  if (e->kind == GDB_STOP_BREAK) gdb_pass(d, to.where, e->number);
}

bool gdb_access_is_first(struct tessera_debugger *d, const struct gdb_hit *hit) {
  struct gdb_exact x = {.halt = true, .skip_cycle = d->cycle + 1, .skip = hit->ordinal - 1};
  gdb_begin_trial(&d->machine);
  gdb_arm(d, true);
  gdb_mark_passed(d, true);
  look_inside(d, NULL, &x);
  gdb_arm(d, false);
  gdb_go_to(d, d->cycle);
  return x.halted;
}
