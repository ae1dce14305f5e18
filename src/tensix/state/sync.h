/* The semaphores and mutexes. Plain data; the functions are in unit/sync.h. */
#ifndef TESSERA_TENSIX_STATE_SYNC_H
#define TESSERA_TENSIX_STATE_SYNC_H

#include <stdint.h>

#include "sim/csem.h"
#include "tensix/trail.h"

#define TX_SEMAPHORES 8u
#define TX_MUTEXES 8u /* of which 0, 2, 3, 4 exist */
#define TX_MUTEX_FREE 0xffu

struct tx_sync {
  struct sim_csem sem[TX_SEMAPHORES];
  uint8_t mutex_holder[TX_MUTEXES]; /* thread or TX_MUTEX_FREE */
  uint8_t initialised;              /* bit per semaphore: SEMINIT has set its maximum since reset */
  uint8_t pad[7];
  uint32_t posters[TX_SEMAPHORES], takers[TX_SEMAPHORES]; /* bit per agent that has posted, taken it */
  struct tx_trail posted[TX_SEMAPHORES], taken[TX_SEMAPHORES];
  struct tx_trail acquired[TX_MUTEXES];
};

#endif
