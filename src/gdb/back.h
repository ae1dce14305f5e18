/* Backwards in time. */
#ifndef TESSERA_GDB_BACK_H
#define TESSERA_GDB_BACK_H

#include "gdb/debugger.h"

void gdb_step_back(struct tessera_debugger *d, struct gdb_where w);
void gdb_continue_back(struct tessera_debugger *d, struct gdb_where from);
struct gdb_hit;
/* On a chip: the first instruction with a breakpoint after a cycle of the history; `hit` names a cycle after it. false: out of
 * memory. */
bool gdb_first_break(struct tessera_debugger *d, uint64_t from, struct gdb_hit *hit);

#endif
