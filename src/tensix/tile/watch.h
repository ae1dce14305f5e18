/* Watches stop the tile: a condition when words visible to the NoC have given values, under masks, all at the same time; a
 * watchpoint when a word of a range is written. Each watch is an agent that is parked on its words, so waiting costs
 * nothing; the tile stops in the cycle after the write. */
#ifndef TESSERA_TENSIX_WATCH_H
#define TESSERA_TENSIX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/watch.h"

struct tx_tile;

/* The number of the watch, or -1: none is free, no such word, or one that changes without a signal (local RAM, clocks). */
int tx_watch_condition(struct tx_tile *t, const struct tx_watch_word *words, unsigned count);
int tx_watch_range(struct tx_tile *t, uint32_t address, uint32_t length);
bool tx_watch_range_fits(uint32_t address, uint32_t length); /* is it signalled when the bytes are written? */
int tx_watch_timer(struct tx_tile *t, uint64_t cycle); /* stops the tile in this cycle, or in the next if it has passed */
void tx_watch_remove(struct tx_tile *t, unsigned number);
/* The lowest-numbered watch that was met since the last call; -1: none. */
bool tx_watch_met(const struct tx_tile *t); /* has one been met that was not taken? */
int tx_watch_take(struct tx_tile *t);
/* A word of the parked watch was written with timing off. false: the value is not yet there. */
bool tx_watch_look(struct tx_tile *t, unsigned number, uint32_t key);
void tx_watch_issue(struct tx_tile *t, unsigned number);

#endif
