/* gdb on the cores of a chip that a host program drives through the libttsim ABI (TESSERA_GDB).
 *
 * The debugger (gdb/debugger.h) runs on a thread of its own and runs the chip; a clock call of the host grants it cycles and waits until they
 * have passed. So a clock call blocks while gdb has stopped the cores, and the chip stands still while the host does something else.
 * The first clock call waits for gdb. Everything that the host writes between two clock calls is a change of the state at that cycle:
 * the debugger keeps the state there, so steps back go over it. When gdb detaches, clock calls run the chip by themselves again. */
#ifndef TESSERA_HOST_ABI_DEBUG_H
#define TESSERA_HOST_ABI_DEBUG_H

#include "host/machine.h"

struct host_debug;

/* Tiles in which the debugger can work. */
void host_debug_configure(struct chip_config *config);
/* Listens at options.gdb. NULL: `error` has one line. */
struct host_debug *host_debug_begin(struct host_machine *machine, char *error, size_t error_size);
/* The host closes the device: gdb is told, and the call returns when gdb has gone. NULL is allowed. */
void host_debug_end(struct host_debug *debug);

#endif
