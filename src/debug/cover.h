/* Overlapping ranges of addresses as disjoint ones, each with the best range that covers it: a question takes a binary search, whatever an
 * executable holds. */
#ifndef TESSERA_DEBUG_COVER_H
#define TESSERA_DEBUG_COVER_H

#include <stddef.h>
#include <stdint.h>

struct dbg_span {
  uint32_t low, high, item;
};

struct dbg_cover {
  uint32_t *at, *item; /* from at[i] to at[i + 1]: 1 + item; 0: none */
  uint32_t count;
};

size_t dbg_cover_bytes(uint32_t count); /* of `memory`, aligned as uint32_t */
/* `spans`: the best first; those with low >= high cover nothing. */
void dbg_cover_make(struct dbg_cover *cover, const struct dbg_span *spans, uint32_t count, void *memory);
uint32_t dbg_cover_find(const struct dbg_cover *cover, uint32_t address); /* the item; UINT32_MAX: none */

#endif
