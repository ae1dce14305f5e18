/* Breakpoints. */
#ifndef TESSERA_GDB_BREAKS_H
#define TESSERA_GDB_BREAKS_H

#include "gdb/debugger.h"

bool gdb_break_add(struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
bool gdb_break_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
void gdb_clear_points(struct tessera_debugger *d); /* removes the breakpoints and watchpoints of a disconnected client */
/* gdb_has_break_at: a breakpoint at exactly this address. gdb_has_break: one that stops the core at this pc. */
bool gdb_has_break_at(const struct tessera_debugger *d, struct gdb_where w, uint32_t address);
bool gdb_has_break(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
/* Inserts all breakpoints into the tiles without waking an agent, or removes them. */
void gdb_arm(struct tessera_debugger *d, bool on);
/* How many .ttinsn from this pc on the core pushes in one cycle; 1 for any other instruction. */
unsigned gdb_group(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
uint32_t gdb_pc(const struct tessera_debugger *d, struct gdb_where w); /* the pc that is shown to the user */

#endif
