/* L1: 1536 KiB of byte-addressed memory, little endian. Addresses are checked; a bad one becomes a fault, never an access. */
#ifndef TESSERA_TENSIX_L1_H
#define TESSERA_TENSIX_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"

struct tx_tile;

/* Records the fault of an access that is out of range, with `what` naming it. */
void tx_l1_refuse(struct tx_tile *t, uint32_t address, uint32_t length, const char *what);
/* false: out of range, and a fault was recorded. */
static inline bool tx_l1_check(struct tx_tile *t, uint32_t address, uint32_t length, const char *what) {
  if (length <= TX_L1_BYTES && address <= TX_L1_BYTES - length) return true;
  tx_l1_refuse(t, address, length, what);
  return false;
}
uint32_t tx_l1_read(const struct tx_tile *t, uint32_t address, unsigned bytes); /* 1, 2 or 4; in range */
/* Writes and wakes the agents that spin on those words. While any agent is parked, records the writers of the words in unsaved.writers. */
void tx_l1_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);
/* Bytes of L1 have been written in place: clears the bits of their pages in unsaved.l1_same, wakes the agents that wait for them. */
void tx_l1_wrote(struct tx_tile *t, uint32_t address, uint32_t length);

#endif
