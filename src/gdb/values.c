/* The values of values.h. */
#include "gdb/values.h"

uint64_t gdb_watch_value(const struct tessera_debugger *d, unsigned watch) {
  const struct gdb_watch *w = &d->watches[watch];
  uint64_t value = 0;
  if (!w->used || w->registers || !(w->access & GDB_WRITES)) return 0;
  const struct tx_tile *t = gdb_tile(&d->machine, w->where.unit);
  const uint8_t *at = w->local ? &t->core[w->where.core].local[w->address - TX_LOCAL_BASE] : &t->l1[w->address];
  for (uint32_t k = 0; k < w->length; k++) value = (value ^ at[k]) * UINT64_C(0x100000001b3) + k;
  return value;
}

void gdb_watch_values(struct tessera_debugger *d, uint64_t values[GDB_WATCHES]) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) values[i] = gdb_watch_value(d, i);
}

bool gdb_watch_changed(struct tessera_debugger *d, const uint64_t values[GDB_WATCHES], struct gdb_stop *stop) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    if (!d->watches[i].used || gdb_watch_value(d, i) == values[i]) continue;
    stop->kind = GDB_STOP_WATCH;
    stop->address = d->watches[i].address;
    stop->access = d->watches[i].access;
    return true;
  }
  return false;
}
