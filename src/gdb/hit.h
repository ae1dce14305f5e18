/* What a trial run found: a breakpoint, a watchpoint or a condition, with its place. */
#ifndef TESSERA_GDB_HIT_H
#define TESSERA_GDB_HIT_H

#include "gdb/debugger.h"

struct gdb_hit {
  enum gdb_stop_kind kind;
  struct gdb_where where;
  uint64_t cycle; /* BREAK: the cycle of the instruction; else the cycle after which the change is visible */
  uint32_t address;
  unsigned access;  /* of the watchpoint, enum gdb_access */
  unsigned ordinal; /* timing off: number of the access among those of its cycle; 0: not known */
  char text[GDB_TEXT];
};

#endif
