/* Observers of the tiles of the library's chip: checkers (src/check) and traces (src/observe), if the user enables them. */
#ifndef TESSERA_HOST_WATCH_H
#define TESSERA_HOST_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/chip.h"
#include "host/port.h"
#include "host/settings.h"

struct host_watch;

/* NULL: the options enable neither, or `error` has one line with the reason: it also checks the tiles of both lists, which gdb uses too. */
struct host_watch *host_watch_create(struct chip *chip, const struct host_options *options, char *error, size_t error_size);
/* Detaches everything and ends the traces; before the chip is destroyed. */
void host_watch_destroy(struct host_watch *watch);

/* The host writes: later accesses to DRAM are ordered after earlier ones. */
void host_watch_wrote(struct host_watch *watch);
/* Call before the chip runs: attaches observers to new tiles.
 * false: out of memory for the checker of a tile; returned once per tile. */
bool host_watch_prepare(struct host_watch *watch);
/* In a child of fork: forgets the bytes of the traces that the parent has yet to write. */
void host_watch_abandon(struct host_watch *watch);
/* Writes the rest of the traces and ends them. false: a file could not be written. */
bool host_watch_end_traces(struct host_watch *watch);

#endif
