/* What watches the tiles of the library's chip: checkers (src/check) and traces (src/observe), on the user's wish. */
#ifndef TESSERA_HOST_WATCH_H
#define TESSERA_HOST_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/chip.h"
#include "host/port.h"
#include "host/settings.h"

struct host_watch;

/* NULL: the options want nothing watched, or `error` has one line about what is wrong. */
struct host_watch *host_watch_create(struct chip *chip, const struct host_options *options, char *error, size_t error_size);
/* Detaches everything and ends the traces; before the chip is destroyed. */
void host_watch_destroy(struct host_watch *watch);

/* The host writes to a tile or to a rectangle: what checkers know of those tiles is out of date. */
void host_watch_wrote(struct host_watch *watch, const struct host_target *target);
/* Before the chip runs: new tiles are watched, and those that the host wrote to are looked at again. false: a tile has no checker now,
 * because there is no memory for one; once per tile. */
bool host_watch_prepare(struct host_watch *watch);
/* Writes what the traces still hold. Nothing is traced after it. false: some file could not be written. */
bool host_watch_end_traces(struct host_watch *watch);

#endif
