/* gdb on the cores of a chip that a host program drives through the libttsim ABI (TESSERA_GDB).
 *
 * The debugger (gdb/debugger.h) runs the chip on its own thread; a clock call of the host grants it cycles and waits until
 * they have passed. So a clock call blocks while gdb has stopped the cores, and the chip does not advance between clock
 * calls. The first clock call waits for gdb. Writes of the host between two clock calls change the state at that cycle: the
 * debugger snapshots it there, so steps back can cross it. When gdb detaches, clock calls run the chip again. */
#ifndef TESSERA_HOST_ABI_DEBUG_H
#define TESSERA_HOST_ABI_DEBUG_H

#include "host/machine.h"

struct host_debug;

/* Prepares the chip's tiles for the debugger. */
void host_debug_configure(struct chip_config *config);
/* Listens at options.gdb. NULL: `error` has one line. */
struct host_debug *host_debug_begin(struct host_machine *machine, char *error, size_t error_size);
/* The host closes the device: informs gdb, and returns when gdb has disconnected. NULL is allowed. */
void host_debug_end(struct host_debug *debug);

#endif
