/* tessera debug: the terminal. */
#ifndef TESSERA_CLI_TERMINAL_H
#define TESSERA_CLI_TERMINAL_H

#include "cli/gdb.h"

/* The terminal: commands from stdin until quit or its end. */
void cli_terminal(struct tessera_debugger *debugger);

#endif
