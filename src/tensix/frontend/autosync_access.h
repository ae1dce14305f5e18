/* The core's side of Auto TTSync (autosync.h): what an address counts as, and the accesses under way. */
#ifndef TESSERA_TENSIX_AUTOSYNC_ACCESS_H
#define TESSERA_TENSIX_AUTOSYNC_ACCESS_H

#include <stdint.h>

struct tx_tile;

/* What an access by this agent counts as: resources, 0 when it is not tracked. */
uint32_t tx_autosync_resources(const struct tx_tile *t, unsigned agent, uint32_t address);

/* Of `resources`, what instructions in the front end keep it from storing to or loading from now. A load that
 * is not done in this cycle is to be noted, and ended when it has its value or is given up. */
uint32_t tx_autosync_store_waits(struct tx_tile *t, unsigned thread, uint32_t resources);
uint32_t tx_autosync_load_waits(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_note_load(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_end_load(struct tx_tile *t, unsigned thread);
void tx_autosync_store_begins(struct tx_tile *t, unsigned thread, uint32_t resources);
void tx_autosync_store_ends(struct tx_tile *t, unsigned thread, uint32_t resources);

#endif
