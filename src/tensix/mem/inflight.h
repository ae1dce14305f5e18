/* L1 ranges in flight: what unpackers, packer and mover are streaming now. An access by another agent to a range that is being
 * written, or a write to one that is being read, is a race: it is reported with both instructions named.
 *
 * A unit lists its ranges when it accepts an instruction and takes them off when the instruction is complete: first off the
 * list, then the data, so that it does not race with itself. Ranges of one unit never race with each other: it is in order.
 *
 * Code that touches L1 calls tx_inflight_touch, which costs one comparison while nothing is in flight near.
 *
 * A checker that is attached to the tile (state/ports.h) is shown every access: while TX_INFLIGHT_WATCHED is set all of L1 counts as near,
 * so that the test that is there anyhow leads to it. */
#ifndef TESSERA_TENSIX_INFLIGHT_H
#define TESSERA_TENSIX_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/inflight.h"

struct tx_tile;

/* Lists a range, reporting races with other units' ranges. The answer takes it off again; an empty range is not
 * listed and answers TX_INFLIGHT_NONE, which may be taken off as well. */
unsigned tx_inflight_add(struct tx_tile *t, const struct tx_range *range);
/* A range of one piece grows at its end. */
void tx_inflight_extend(struct tx_tile *t, unsigned handle, uint32_t bytes);
void tx_inflight_remove(struct tx_tile *t, unsigned handle);
/* Turns the checker's look at every access on or off. */
void tx_inflight_watch(struct tx_tile *t, bool on);
/* Looks through the list for what t->current touches. */
void tx_inflight_check(struct tx_tile *t, uint32_t address, uint32_t length, bool write);

/* Near what is in flight? `t` is a struct tx_tile *, whose layout this header does not know. */
#define tx_inflight_near(t, address, length) \
  ((t)->inflight.used && (address) < (t)->inflight.high && (uint64_t)(address) + (length) > (t)->inflight.low)
#define tx_inflight_touch(t, address, length, write) \
  (tx_inflight_near(t, address, length) ? tx_inflight_check((t), (address), (length), (write)) : (void)0)

#endif
