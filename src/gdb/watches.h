/* Watchpoints. */
#ifndef TESSERA_GDB_WATCHES_H
#define TESSERA_GDB_WATCHES_H

#include "gdb/debugger.h"

enum gdb_watch_result {
  GDB_WATCH_SET,
  GDB_WATCH_UNFIT /* neither L1 nor local RAM nor a register */,
  GDB_WATCH_FULL,
  GDB_WATCH_NO_MEMORY
};
/* access: enum gdb_access. */
enum gdb_watch_result gdb_watch_add(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length,
                                    unsigned access);
bool gdb_watch_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length, unsigned access);
const char *gdb_watch_name(unsigned access); /* "watch", "rwatch", "awatch" */

#endif
