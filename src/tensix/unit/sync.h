/* The sync unit: eight semaphores and four mutexes. ISA: SyncUnit.md, ATGETM.md, SEM*.md. */
#ifndef TESSERA_TENSIX_SYNC_H
#define TESSERA_TENSIX_SYNC_H

#include <stdbool.h>

#include "tensix/state/sync.h"

struct tx_tile;

void tx_sync_reset(struct tx_sync *sync);
bool tx_mutex_exists(unsigned index);
bool tx_mutex_available(const struct tx_sync *sync, unsigned index, unsigned thread);
void tx_semaphore_changed(struct tx_tile *t, unsigned index); /* the value or the maximum was written */
void tx_sem_post(struct tx_tile *t, unsigned index);
void tx_sem_get(struct tx_tile *t, unsigned index);

#endif
