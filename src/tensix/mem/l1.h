/* L1: 1536 KiB of byte-addressed memory, little endian. Addresses are checked; a bad one becomes a fault, never an access. */
#ifndef TESSERA_TENSIX_L1_H
#define TESSERA_TENSIX_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/machine.h"

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
void tx_l1_wrote_anywhere(struct tx_tile *t, uint32_t address, uint32_t length);
/* The usual write: within a page of keys on which no agent is parked, and no other block looks at it. Only the page is noted. */
static inline bool tx_l1_is_quiet(const struct tx_tile *t, uint32_t address, uint32_t length) {
  const uint32_t keys = address >> SIM_PARK_PAGE_SHIFT;
  return keys == (address + length - 1) >> SIM_PARK_PAGE_SHIFT && !(t->engine.park_pages >> SIM_PARK_BIT(keys) & 1u) &&
         !(t->ethernet.on | t->unsaved.writers.count) && !(t->inflight.used & TX_INFLIGHT_WATCHED);
}
static inline void tx_l1_note_page(struct tx_tile *t, uint32_t address) {
  const uint32_t page = address / TX_L1_PAGE;
  t->unsaved.l1_same[page / 64] &= ~(UINT64_C(1) << page % 64);
}
static inline void tx_l1_wrote(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (tx_l1_is_quiet(t, address, length)) tx_l1_note_page(t, address);
  else tx_l1_wrote_anywhere(t, address, length);
}

#endif
