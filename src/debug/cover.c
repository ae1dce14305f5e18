/* The ranges of cover.h. */
#include "debug/cover.h"

#include <stdlib.h>

size_t dbg_cover_bytes(uint32_t count) { return (3 * 2 * (size_t)count + 1) * sizeof(uint32_t); }

static int by_number(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* The number of boundaries that are not greater than the address. */
static uint32_t rank(const struct dbg_cover *cover, uint32_t address) {
  uint32_t low = 0, high = cover->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (cover->at[middle] <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The first piece from i on that no span has. next[i] is i, or a later piece. */
static uint32_t next_free(uint32_t *next, uint32_t i) {
  while (next[i] != i) i = next[i] = next[next[i]];
  return i;
}

void dbg_cover_make(struct dbg_cover *cover, const struct dbg_span *spans, uint32_t count, void *memory) {
  uint32_t ends = 0, *next;
  cover->at = memory;
  cover->item = cover->at + 2 * (size_t)count;
  next = cover->item + 2 * (size_t)count;
  for (uint32_t i = 0; i < count; i++)
    if (spans[i].low < spans[i].high) cover->at[ends++] = spans[i].low, cover->at[ends++] = spans[i].high;
  qsort(cover->at, ends, sizeof *cover->at, by_number);
  cover->count = 0;
  for (uint32_t i = 0; i < ends; i++)
    if (!cover->count || cover->at[cover->count - 1] != cover->at[i]) cover->at[cover->count++] = cover->at[i];
  for (uint32_t i = 0; i <= cover->count; i++) next[i] = i;
  for (uint32_t i = 0; i < cover->count; i++) cover->item[i] = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (spans[i].low >= spans[i].high) continue;
    const uint32_t end = rank(cover, spans[i].high) - 1;
    for (uint32_t k = next_free(next, rank(cover, spans[i].low) - 1); k < end; k = next_free(next, k))
      cover->item[k] = spans[i].item + 1, next[k] = k + 1;
  }
}

uint32_t dbg_cover_find(const struct dbg_cover *cover, uint32_t address) {
  const uint32_t i = rank(cover, address);
  return i ? cover->item[i - 1] - 1 : UINT32_MAX;
}
