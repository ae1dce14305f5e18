/* The position of a session: moving the machine to a cycle, and recording a stop there. */
#ifndef TESSERA_GDB_PLACE_H
#define TESSERA_GDB_PLACE_H

#include "gdb/debugger.h"

/* Restores the state of a run without stops to `cycle`. */
void gdb_go_to(struct tessera_debugger *d, uint64_t cycle);
/* The position is the cycle that the machine has reached. */
void gdb_arrive(struct tessera_debugger *d);
/* Takes snapshots on the way to a cycle until one is at most about `near` cycles before it. */
#define GDB_NEAR 512u
void gdb_approach(struct tessera_debugger *d, uint64_t cycle, uint64_t near);
void gdb_stop_at(struct tessera_debugger *d, enum gdb_stop_kind kind, struct gdb_where where);
/* Selects the instruction with the breakpoint in the group at the core's pc. */
void gdb_show_break(struct tessera_debugger *d, struct gdb_where w);
void gdb_core_title(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size); /* "tile 1,2 TRISC1" */

#endif
