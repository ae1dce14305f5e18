/* Searches for the next stop on copies of the state, which are then discarded. */
#ifndef TESSERA_GDB_PROBE_H
#define TESSERA_GDB_PROBE_H

#include "gdb/debugger.h"
#include "gdb/hit.h"

/* A run has ended at a break: finds the first. false: at none. */
bool gdb_find_hit(struct tessera_debugger *d, struct gdb_hit *hit);
/* A sink that stops the tile at the first instruction of a core. */
struct gdb_first {
  struct sim_engine *engine;
  uint32_t agent;
  bool found;
  uint64_t cycle;
};
void gdb_note_first(void *context, const struct sim_event *e);
/* Is a watchpoint or a condition met up to this cycle? The state is as before. */
bool gdb_probe_piece(struct tessera_debugger *d, uint64_t until, struct gdb_hit *hit);

#endif
