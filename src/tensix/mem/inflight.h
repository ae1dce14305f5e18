/* L1 ranges in flight: the present transfers of unpackers, packer and mover. An access by another agent to a range that is being
 * written, or a write to one that is being read, is a race: it is reported with both instructions named.
 *
 * A unit adds its ranges when it accepts an instruction and removes them when the instruction is complete: it removes the range before
 * it moves the data, so that it does not race with itself. Ranges of one unit never race with each other: a unit works in order.
 *
 * Code that accesses L1 calls tx_inflight_touch, which costs one comparison while no range near is in flight.
 *
 * A checker that is attached to the tile (state/ports.h) receives every access: while TX_INFLIGHT_WATCHED is set, all of L1 counts as
 * near, so that the same comparison calls it. */
#ifndef TESSERA_TENSIX_INFLIGHT_H
#define TESSERA_TENSIX_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/machine.h"

/* Adds a range and reports races with other units' ranges. Returns the handle for its removal; an empty range is
 * not added and returns TX_INFLIGHT_NONE, which may be removed too. */
unsigned tx_inflight_add(struct tx_tile *t, const struct tx_range *range);
/* A range that is written as a whole, later and in one access: reports races with the present ranges and is not in flight. */
void tx_inflight_once(struct tx_tile *t, const struct tx_range *range);
/* A range that a packet on its way is going to write. The checker learns of it when the packet arrives. */
unsigned tx_inflight_expect(struct tx_tile *t, const struct tx_range *range);
void tx_inflight_remove(struct tx_tile *t, unsigned handle);
/* Turns the reporting of every access to the checker on or off. */
void tx_inflight_watch(struct tx_tile *t, bool on);
/* The list of the tile was copied from another state: every access is reported if this tile's own ports receive it. */
void tx_inflight_copied(struct tx_tile *t);
/* The list as it is without a checker: in saved states and in the hash. */
void tx_inflight_plain(const struct tx_tile *t, struct tx_inflight *plain);
/* Searches the list for ranges that the access of t->current overlaps. */
void tx_inflight_check(struct tx_tile *t, uint32_t address, uint32_t length, bool write);

/* Is a range near this one in flight? `t` is a struct tx_tile *, whose layout this header does not include. */
#define tx_inflight_near(t, address, length) \
  ((t)->inflight.used && (address) < (t)->inflight.high && (uint64_t)(address) + (length) > (t)->inflight.low)
/* Reports races of the bytes by which a range grows. */
void tx_inflight_check_extension(struct tx_tile *t, const struct tx_range *range, uint32_t from, uint32_t bytes);
/* Extends a range of one piece at its end. */
static inline void tx_inflight_extend(struct tx_tile *t, unsigned handle, uint32_t bytes) {
  if (handle == TX_INFLIGHT_NONE) return;
  struct tx_range *range = &t->inflight.range[handle - 1];
  tx_assert(handle <= TX_INFLIGHT_MAX && (t->inflight.used >> (handle - 1) & 1u) && range->rows == 1);
  const uint32_t from = range->base + range->width;
  if (tx_inflight_near(t, from, bytes)) tx_inflight_check_extension(t, range, from, bytes);
  range->width += bytes;
  if (from + bytes > t->inflight.high) t->inflight.high = from + bytes;
}
#define tx_inflight_touch(t, address, length, write) \
  (tx_inflight_near(t, address, length) ? tx_inflight_check((t), (address), (length), (write)) : (void)0)

#endif
