/* Values of watched bytes. */
#ifndef TESSERA_GDB_VALUES_H
#define TESSERA_GDB_VALUES_H

#include "gdb/debugger.h"

/* A sum over a range that is watched for writes; registers are not compared: 0. */
uint64_t gdb_watch_value(const struct tessera_debugger *d, unsigned watch);
/* That of each range, and whether one has changed since. */
void gdb_watch_values(struct tessera_debugger *d, uint64_t values[GDB_WATCHES]);
bool gdb_watch_changed(struct tessera_debugger *d, const uint64_t values[GDB_WATCHES], struct gdb_stop *stop);

#endif
