/* The core's side of Auto TTSync (autosync.h): the resources of an address, and accesses in progress. */
#ifndef TESSERA_TENSIX_AUTOSYNC_ACCESS_H
#define TESSERA_TENSIX_AUTOSYNC_ACCESS_H

#include <stdint.h>

struct tx_tile;

/* The resources of an access by this agent; 0: not tracked. */
uint32_t tx_autosync_resources(const struct tx_tile *t, unsigned agent, uint32_t address);

/* The part of `resources` for which a store or load must now wait, because of instructions in the front end.
 * The caller records a load that does not complete in this cycle, and ends it when it has its value or is cancelled. */
uint32_t tx_autosync_store_waits(struct tx_tile *t, unsigned thread, uint32_t resources);
uint32_t tx_autosync_load_waits(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_note_load(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_end_load(struct tx_tile *t, unsigned thread);
void tx_autosync_store_begins(struct tx_tile *t, unsigned thread, uint32_t resources);
void tx_autosync_store_ends(struct tx_tile *t, unsigned thread, uint32_t resources);

#endif
