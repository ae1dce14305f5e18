/* The order of accesses to a page of a circular buffer, by the bytes that they use. */
#ifndef TESSERA_CHECK_PAGES_H
#define TESSERA_CHECK_PAGES_H

#include "check/internal.h"

/* The parts of a line of L1 between two addresses, as in chk_mark. */
static inline uint8_t chk_parts_of(uint32_t line, uint32_t from, uint32_t to) {
  uint32_t first = line * CHK_LINE, low = from > first ? (from - first) / CHK_PART : 0;
  uint32_t high = to < first + CHK_LINE ? (to - first + CHK_PART - 1) / CHK_PART : CHK_LINE / CHK_PART;
  return (uint8_t)(((1u << high) - 1u) & ~((1u << low) - 1u));
}

/* Records the access `now` to a page. true: it is unordered with `*other`, and one of the two writes. */
bool chk_page_use(struct chk *c, const struct chk_buffer *b, uint32_t page, const struct tx_range *r,
                  const struct chk_mark *now, struct chk_mark *other);
/* The last write at this address of a page; NULL: none. */
const struct chk_mark *chk_page_writer(const struct chk *c, const struct chk_buffer *b, uint32_t address);

#endif
