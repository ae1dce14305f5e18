/* The breakpoints of middle.h. */
#include "gdb/middle.h"

#include <string.h>

#include "gdb/breaks.h"
#include "gdb/place.h"

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
  gdb_go_to(d, cycle);
  if (!middle) return;
  uint64_t number = gdb_passed(d, w);
  d->passed.number[w.unit][w.core] = 0;
  run_to_stop(d, w, number - 1);
  d->passed.number[w.unit][w.core] = number;
  d->middle = true;
  d->plain = false;
}
