/* Where a debugger listens for gdb; tessera/debugger.h has the serving itself. */
#ifndef TESSERA_GDB_SERVE_H
#define TESSERA_GDB_SERVE_H

#include <stdbool.h>

/* Tries to listen there, and stops again; false: errno has the reason. `where` as for tessera_debugger_serve, without "stdio". */
bool gdb_can_listen(const char *where);

#endif
