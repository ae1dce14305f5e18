/* L1 of l1.h. The checks are here so that all users of L1 treat a bad address alike. */
#include "tensix/mem/l1.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/memo.h"

void tx_l1_refuse(struct tx_tile *t, uint32_t address, uint32_t length, const char *what) {
  tx_fault(t, SIM_FAULT_ADDRESS, "L1.md", "%s: L1 address 0x%08x, %u bytes: L1 ends at 0x%08x", what, address, length,
           TX_L1_BYTES);
}

uint32_t tx_l1_read(const struct tx_tile *t, uint32_t address, unsigned bytes) {
  tx_assert(bytes <= 4 && address <= TX_L1_BYTES - bytes);
  uint32_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint32_t)t->l1[address + i] << (8 * i);
  return value;
}

static void note_writer(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct tx_writers *w = &t->unsaved.writers;
  for (uint32_t i = 0; i < w->count; i++) {
    struct tx_writer *of = &w->of[i];
    if (of->address >= address + length || address >= of->address + of->length) continue;
    if (of->last.known && of->last.agent != (uint16_t)t->current.agent) of->other = of->last;
    of->last = tx_trail_now(t);
  }
}

void tx_l1_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length) {
  tx_assert(length <= TX_L1_BYTES && address <= TX_L1_BYTES - length);
  if (t->unsaved.memo.on) tx_memo_write(t, address, bytes, length);
  else memcpy(&t->l1[address], bytes, length);
  tx_l1_wrote(t, address, length);
}

__attribute__((noinline)) static void note_pages(struct tx_tile *t, uint32_t page, uint32_t last) {
  for (; page <= last; page++) t->unsaved.l1_same[page / 64] &= ~(UINT64_C(1) << page % 64);
}

/* A checker or a mailbox looks at the write, or the writers of some words are recorded. Out of line, as the one above: keeps the usual
 * write short. */
__attribute__((noinline)) static void wrote_observed(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (t->ethernet.on || t->inflight.used & TX_INFLIGHT_WATCHED) t->unsaved.ports->l1_written(t, address, length);
  if (!t->engine.parked) return;
  if (t->unsaved.writers.count) note_writer(t, address, length);
  sim_poke_range(&t->engine, address & ~3u, (address & 3u) + length);
}

void tx_l1_wrote_anywhere(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (!length) return;
  const uint32_t page = address / TX_L1_PAGE, last = (address + length - 1) / TX_L1_PAGE;
  if (page == last) t->unsaved.l1_same[page / 64] &= ~(UINT64_C(1) << page % 64);
  else note_pages(t, page, last);
  if (t->ethernet.on || t->inflight.used & TX_INFLIGHT_WATCHED || t->unsaved.writers.count)
    wrote_observed(t, address, length);
  else sim_poke_range(&t->engine, address & ~3u, (address & 3u) + length);
}
