/* --gdb and tessera debug: a session on the machine that was set up. */
#ifndef TESSERA_CLI_GDB_H
#define TESSERA_CLI_GDB_H

#include <stdbool.h>

#include "tessera/debugger.h"

#define CLI_GDB_OPTION(set) \
  { \
    "--gdb", "WHERE", "wait for gdb at unix:PATH, [HOST:]PORT (without a host: this machine only) or stdio", \
        "stdio unix:", set \
  }

/* Opens a session on the tile (or on the chip, whose tiles the caller adds); NULL after one line on stderr. */
struct tessera_debugger *cli_debugger_open(const char *verb, struct tessera_tile *tile, struct tessera_chip *chip,
                                           uint64_t limit);
/* Serves gdb. 1: the client detached, the run continues; 0: the client killed the run; -1 after one line on stderr. */
int cli_gdb_serve(const char *verb, struct tessera_debugger *debugger, const char *where);

#endif
