/* The position of a session, as described in debugger.h. */
#include "gdb/place.h"

#include <stdio.h>

#include "gdb/breaks.h"

void gdb_stop_at(struct tessera_debugger *d, enum gdb_stop_kind kind, struct gdb_where where) {
  d->stop = (struct gdb_stop){.kind = kind, .where = where};
  d->focus = where;
  if (kind == GDB_STOP_NO_MEMORY) snprintf(d->stop.text, sizeof d->stop.text, "no memory is left to look for stops");
}

void gdb_arrive(struct tessera_debugger *d) {
  d->cycle = gdb_now(&d->machine);
  d->sub = 0;
  d->middle = false;
}

void gdb_go_to(struct tessera_debugger *d, uint64_t cycle) {
  struct gdb_machine *m = &d->machine;
  const struct gdb_snapshot *s = gdb_history_before(&d->history, cycle);
  gdb_arm(d, false);
  d->history.place = cycle;
  if (!s) s = &d->history.at[0], cycle = s->cycle;
  bool here = d->plain && gdb_now(m) <= cycle && gdb_now(m) >= s->cycle;
  if (!here && !gdb_put(m, s)) d->stop.kind = GDB_STOP_NO_MEMORY;
  d->plain = true;
  uint64_t last = gdb_now(m);
  while (gdb_now(m) < cycle) {
    uint64_t until = cycle - last > d->history.interval ? last + d->history.interval : cycle;
    if (gdb_run(m, until, false) != GDB_END_TIME) break;
    if (until < cycle) gdb_history_note(&d->history, m);
    last = until;
  }
  gdb_front_settle(m);
  gdb_arrive(d);
}

/* Takes snapshots whose distance to the target shrinks to a quarter each time: going back over n cycles then costs about
 * log n runs over them. */
void gdb_approach(struct tessera_debugger *d, uint64_t cycle, uint64_t near) {
  uint64_t before = UINT64_MAX;
  for (;;) {
    const struct gdb_snapshot *s = cycle ? gdb_history_before(&d->history, cycle - 1) : NULL;
    uint64_t gap = s ? cycle - s->cycle : 0;
    if (gap <= 2 * near || gap >= before) return;
    gdb_go_to(d, cycle - gap / 4);
    gdb_history_note(&d->history, &d->machine);
    before = gap;
  }
}

void gdb_show_break(struct tessera_debugger *d, struct gdb_where w) {
  unsigned count = gdb_group(d, w, gdb_core(d, w)->pc);
  for (unsigned i = 0; i < count; i++) {
    if (!gdb_has_break(d, w, gdb_core(d, w)->pc + 4 * i)) continue;
    d->sub = i;
    d->sub_of = w;
    return;
  }
}

void gdb_core_title(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size) {
  const struct gdb_unit *u = &d->machine.unit[w.unit];
  if (d->machine.chip) snprintf(text, size, "tile %u,%u %s", u->x, u->y, tx_core_name(w.core));
  else snprintf(text, size, "%s", tx_core_name(w.core));
}
