/* Breakpoints and watchpoints. */
#ifndef TESSERA_GDB_BREAKS_H
#define TESSERA_GDB_BREAKS_H

#include "gdb/debugger.h"

bool gdb_break_add(struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
bool gdb_break_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t pc);
/* access: enum gdb_access. */
bool gdb_watch_add(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length, unsigned access);
/* Do the bytes lie in L1, in a core's local RAM or in registers? Writes are found in registers that the NoC can address. */
bool gdb_watch_fits(uint32_t address, uint32_t length, unsigned access);
bool gdb_watch_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length, unsigned access);
const char *gdb_watch_name(unsigned access);       /* "watch", "rwatch", "awatch" */
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
