/* Tessera, debugging: a session on a tile or a chip that goes forwards and backwards in time, for gdb and for a terminal.
 *
 * A position in a run is a cycle. Its state is that of a run without stops: breakpoints, steps and going back change no cycle and no
 * bit. To go back, the session runs again from a snapshot; a write to memory or a register begins a new history from there.
 *
 *   struct tessera_debugger *debugger = tessera_debugger_open(tile);
 *   fputs(tessera_debugger_command(debugger, "break trisc1 kernel_main"), stdout);
 *   fputs(tessera_debugger_command(debugger, "continue"), stdout);
 *   fputs(tessera_debugger_command(debugger, "back"), stdout);
 *   tessera_debugger_close(debugger);
 *
 * While a session is open, run, restore and reset the tile or chip only through it. */
#ifndef TESSERA_DEBUGGER_H
#define TESSERA_DEBUGGER_H

#include "tessera/chip.h"
#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_debugger;

/* NULL: out of memory, or an invalid handle; a tile of a chip is debugged through its chip. */
struct tessera_debugger *tessera_debugger_open(struct tessera_tile *tile);
struct tessera_debugger *tessera_debugger_open_chip(struct tessera_chip *chip);
/* The tile or chip keeps the state of the session's position. */
void tessera_debugger_close(struct tessera_debugger *debugger);

/* Makes the cores of a Tensix tile of the chip available for debugging. TESSERA_INVALID: no such tile, or it was added
 * before. */
enum tessera_result tessera_debugger_add_tile(struct tessera_debugger *debugger, unsigned x, unsigned y);
/* The cycle at which `continue` stops at the latest; 0: none. */
enum tessera_result tessera_debugger_limit_cycles(struct tessera_debugger *debugger, uint64_t cycle);
/* Limit of the memory for snapshots, in bytes (default 256 MiB). */
enum tessera_result tessera_debugger_limit_memory(struct tessera_debugger *debugger, uint64_t bytes);
/* Called at intervals during a run; a result other than 0 stops it. NULL: not called. */
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

/* gdb's remote protocol. `where`: "stdio", "unix:PATH", "HOST:PORT", ":PORT" or "PORT"; without a host only this machine
 * can reach it. Calls `ready` with a line for the user when the server listens. Returns when the client has killed the
 * program (TESSERA_STOPPED), when it has detached and the run has ended or stdio is closed (TESSERA_DONE), or when the
 * server cannot listen (TESSERA_REFUSED: tessera_debugger_error). One client at a time; a second one is rejected. When a
 * client disconnects, the run stays at its cycle for the next client. */
typedef void tessera_ready_fn(void *context, const char *line);
enum tessera_result tessera_debugger_serve(struct tessera_debugger *debugger, const char *where, tessera_ready_fn *ready,
                                           void *context);
const char *tessera_debugger_error(const struct tessera_debugger *debugger); /* one line; "" */

#ifdef __cplusplus
}
#endif
#endif
