/* The answers of kept.h: a list per file, to which answers are only added. Two threads that ask at the same time may both add the same one. */
#include "debug/kept.h"

#include <stdlib.h>
#include <string.h>

#include "debug/symbols.h"
#include "sim/assert.h"

#define KEPT_MAX SIM_LIMIT(256u, 2u) /* answers per file; further ones are found each time */

struct dbg_kept {
  struct dbg_kept *next;
  uint32_t address, place; /* place: number in the list, the oldest has 1 */
  bool has_frames;         /* otherwise the symbol */
  const char *symbol;
  unsigned count;
  struct dbg_frame frames[];
};

static struct dbg_kept *newest(const struct dbg_elf *elf) {
  return elf->lines ? __atomic_load_n(&elf->lines->kept, __ATOMIC_ACQUIRE) : NULL;
}

static const struct dbg_kept *find(const struct dbg_elf *elf, uint32_t address, bool has_frames) {
  const struct dbg_kept *k = newest(elf);
  while (k && (k->address != address || k->has_frames != has_frames)) k = k->next;
  return k;
}

/* Without memory the answer is not kept. */
static void add(const struct dbg_elf *elf, const struct dbg_kept *answer, const struct dbg_frame *frames) {
  struct dbg_kept *first = newest(elf);
  if (!elf->lines || (first && first->place == KEPT_MAX)) return;
  struct dbg_kept *k = malloc(sizeof *k + answer->count * sizeof *frames);
  if (!k) return;
  *k = *answer;
  if (answer->count) memcpy(k->frames, frames, answer->count * sizeof *frames);
  do {
    k->next = first;
    k->place = first ? first->place + 1 : 1;
  } while (!__atomic_compare_exchange_n(&elf->lines->kept, &first, k, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

unsigned dbg_kept_frames(const struct dbg_elf *elf, uint32_t address, struct dbg_frame frames[DBG_FRAMES_MAX]) {
  const struct dbg_kept *known = find(elf, address, true);
  if (known) {
    memcpy(frames, known->frames, known->count * sizeof *frames);
    return known->count;
  }
  const unsigned count = dbg_frames_find(elf, address, frames, DBG_FRAMES_MAX);
  add(elf, &(struct dbg_kept){.address = address, .has_frames = true, .count = count}, frames);
  return count;
}

const char *dbg_kept_symbol(const struct dbg_elf *elf, uint32_t address) {
  uint32_t offset;
  const struct dbg_kept *known = find(elf, address, false);
  if (known) return known->symbol;
  const char *symbol = dbg_symbol_at(elf, address, &offset);
  add(elf, &(struct dbg_kept){.address = address, .symbol = symbol}, NULL);
  return symbol;
}

void dbg_kept_free(struct dbg_lines *lines) {
  for (struct dbg_kept *k = lines->kept, *next; k; k = next) {
    next = k->next;
    free(k);
  }
  lines->kept = NULL;
}
