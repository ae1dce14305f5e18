/* A condition that stops the tile: a word that the network can see, under a mask, has a value. An agent of its own is parked on the
 * word, so that waiting costs nothing; the tile stops in the cycle after the write. */
#ifndef TESSERA_TENSIX_WATCH_H
#define TESSERA_TENSIX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct tx_watch {
  uint32_t address, mask, value;
  uint8_t armed, met, pad[2];
};

struct tx_tile;

/* false: no such word, or one that changes without telling (local RAM, clocks). Replaces the one before. */
bool tx_watch_set(struct tx_tile *t, uint32_t address, uint32_t mask, uint32_t value);
void tx_watch_clear(struct tx_tile *t);
void tx_watch_issue(struct tx_tile *t);

#endif
