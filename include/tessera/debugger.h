/* Tessera, debugging: a session on a tile or a chip that goes forwards and backwards in time, for gdb and for a terminal.
 *
 * A place in a run is a cycle, and the state there is that of a straight run to it: breakpoints, steps and going back change no
 * cycle and no bit. Going back is running again from a snapshot; a write to memory or a register begins a new history from there.
 *
 *   struct tessera_debugger *debugger = tessera_debugger_open(tile);
 *   fputs(tessera_debugger_command(debugger, "break trisc1 kernel_main"), stdout);
 *   fputs(tessera_debugger_command(debugger, "continue"), stdout);
 *   fputs(tessera_debugger_command(debugger, "back"), stdout);
 *   tessera_debugger_close(debugger);
 *
 * While a session is open, run, restore and reset the tile or chip through it alone. */
#ifndef TESSERA_DEBUGGER_H
#define TESSERA_DEBUGGER_H

#include "tessera/chip.h"
#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_debugger;

/* NULL: no memory, or no such handle; a tile that belongs to a chip is debugged on its chip. */
struct tessera_debugger *tessera_debugger_open(struct tessera_tile *tile);
struct tessera_debugger *tessera_debugger_open_chip(struct tessera_chip *chip);
/* The tile or chip stays, in the state of the session's place. */
void tessera_debugger_close(struct tessera_debugger *debugger);

/* A Tensix tile of the chip whose cores can be debugged. TESSERA_INVALID: there is none, or it has been added. */
enum tessera_result tessera_debugger_add_tile(struct tessera_debugger *debugger, unsigned x, unsigned y);
/* Where `continue` stops at the latest; 0: nowhere. */
enum tessera_result tessera_debugger_limit_cycles(struct tessera_debugger *debugger, uint64_t cycle);
/* What snapshots may take, in bytes (256 MiB). */
enum tessera_result tessera_debugger_limit_memory(struct tessera_debugger *debugger, uint64_t bytes);
/* Called from time to time during a run; not 0: stop. NULL: not called. */
typedef int tessera_stop_fn(void *context);
enum tessera_result tessera_debugger_on_run(struct tessera_debugger *debugger, tessera_stop_fn *stop, void *context);

/* One command of the terminal and of gdb's `monitor`; `help` lists them. The text is valid until the next call. */
const char *tessera_debugger_command(struct tessera_debugger *debugger, const char *line);
struct tessera_debugger_verb {
  const char *name, *arguments, *help;
  const char *complete; /* words that complete its first argument; "" */
};
/* TESSERA_INVALID after the last. */
enum tessera_result tessera_debugger_verb(size_t index, struct tessera_debugger_verb *verb);
uint64_t tessera_debugger_cycle(const struct tessera_debugger *debugger);

/* gdb's remote protocol. `where`: "stdio", "unix:PATH", "HOST:PORT", ":PORT" or "PORT"; without a host only this machine can reach it.
 * Calls `ready` with a line for the user when it listens. Returns when the client has killed the program (TESSERA_STOPPED), when it
 * has detached and the run has ended or stdio is over (TESSERA_DONE), or when it cannot listen (TESSERA_REFUSED: tessera_debugger_error).
 * One client at a time; a second one is turned away, and one that vanishes leaves the run where it is for the next one. */
typedef void tessera_ready_fn(void *context, const char *line);
enum tessera_result tessera_debugger_serve(struct tessera_debugger *debugger, const char *where, tessera_ready_fn *ready,
                                           void *context);
const char *tessera_debugger_error(const struct tessera_debugger *debugger); /* one line; "" */

#ifdef __cplusplus
}
#endif
#endif
