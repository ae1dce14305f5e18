/* The registers of a core as gdb numbers them, and target.xml with their names for gdb.
 *
 *   0..31 x, 32 pc, then f, CSRs; of a T core also the state of its Tensix thread: GPRs, RWC, ADC, semaphores, ThreadConfig by name */
#ifndef TESSERA_GDB_REGISTERS_H
#define TESSERA_GDB_REGISTERS_H

#include "gdb/debugger.h"

#define GDB_G_REGISTERS 33u /* those of the g packet: x and pc */

struct gdb_register {
  char name[64];
  const char *group, *type;
  unsigned bits;
};

/* false: there is no such register of this core. */
bool gdb_register(unsigned core, unsigned number, struct gdb_register *out);
bool gdb_register_read(const struct tessera_debugger *d, struct gdb_where w, unsigned number, uint64_t *value);
bool gdb_register_write(struct tessera_debugger *d, struct gdb_where w, unsigned number, uint64_t value);
/* target.xml of this core; as snprintf. */
size_t gdb_target_xml(unsigned core, char *text, size_t size);

#endif
