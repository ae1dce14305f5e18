/* Memory and registers as a core addresses them. A write changes the run's history. */
#ifndef TESSERA_GDB_ACCESS_H
#define TESSERA_GDB_ACCESS_H

#include "gdb/debugger.h"

bool gdb_read(struct tessera_debugger *d, struct gdb_where w, uint32_t address, void *bytes, size_t length);
bool gdb_write(struct tessera_debugger *d, struct gdb_where w, uint32_t address, const void *bytes, size_t length);
bool gdb_set_register(struct tessera_debugger *d, struct gdb_where w, enum tessera_file file, unsigned index, unsigned item,
                      uint32_t value);

#endif
