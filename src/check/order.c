/* The order of accesses (order.h). */
#include "check/order.h"

#include <string.h>

#include "check/peers.h"

/* Each uses one byte of its parts, and not the same. */
static bool share_parts(const struct chk_mark *a, const struct chk_mark *b) {
  return ((a->locks | b->locks) & CHK_ONE_BYTE) == CHK_ONE_BYTE;
}

static bool meet(const struct chk_mark *a, const struct chk_mark *b) {
  if (share_parts(a, b)) return false;
  return !(a->locks & b->locks & ~CHK_ONE_BYTE) && (!a->parts || !b->parts || (a->parts & b->parts));
}

/* Hardware orders a core's loads and stores to the same address. ISA: MemoryOrdering.md, "Load then store", "Store then
 * load" */
static bool of_one_core(unsigned a, unsigned b) {
  return (a - CHK_CORE < 5 && b - CHK_STORES == a - CHK_CORE) || (b - CHK_CORE < 5 && a - CHK_STORES == b - CHK_CORE);
}

static inline bool in_order(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m) {
  if (entity == CHK_NETWORK && m->entity == CHK_NETWORK && m->clock) return chk_tiles_know(c, entity, m);
  if (chk_knows(c, entity, m) || of_one_core(entity, m->entity)) return true;
  if (entity == CHK_NETWORK) return chk_tiles_before_host(c, m);
  return m->entity == CHK_NETWORK && chk_tiles_know(c, entity, m);
}

bool chk_in_order(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m) { return in_order(c, entity, m); }

static bool find_other(const struct chk_clocks *c, const struct chk_cell *cell, const struct chk_mark *now, bool write,
                       struct chk_mark *other) {
  const struct chk_mark *found = NULL;
  if (!in_order(c, now->entity, &cell->write) && meet(now, &cell->write)) found = &cell->write;
  if (!found && !in_order(c, now->entity, &cell->older) && meet(now, &cell->older)) found = &cell->older;
  for (unsigned i = 0; write && !found && i < CHK_READERS; i++)
    if (!in_order(c, now->entity, &cell->read[i]) && meet(now, &cell->read[i])) found = &cell->read[i];
  if (found) *other = *found;
  return found != NULL;
}

/* Not by find_other: chk_use, its only caller, has its code inline. */
bool chk_races(const struct chk_clocks *c, const struct chk_cell *cell, const struct chk_mark *now, struct chk_mark *other) {
  const struct chk_mark *writes[2] = {&cell->write, &cell->older};
  for (unsigned i = 0; i < 2; i++)
    if (!in_order(c, now->entity, writes[i]) && meet(now, writes[i])) {
      *other = *writes[i];
      return true;
    }
  return false;
}

/* The entity's own entry, a free one, one that this read is ordered after, else the last. */
static struct chk_mark *place_of(const struct chk_clocks *c, struct chk_cell *cell, unsigned entity) {
  for (unsigned i = 0; i < CHK_READERS; i++)
    if (cell->read[i].clock && cell->read[i].entity == entity) return &cell->read[i];
  for (unsigned i = 0; i < CHK_READERS; i++)
    if (chk_knows(c, entity, &cell->read[i])) return &cell->read[i];
  return &cell->read[CHK_READERS - 1];
}

/* Two entities write the bytes of the same parts in turns: the parts of both are kept. Returns those of the new write's entity. */
static uint8_t keep_both(struct chk_cell *cell, const struct chk_mark *now) {
  struct chk_mark kept = cell->older;
  cell->older = cell->write;
  if (!kept.clock || share_parts(&kept, &cell->write) == share_parts(&kept, now)) return 0;
  if (kept.entity == now->entity && !share_parts(&kept, now)) return kept.parts;
  if (kept.entity == cell->write.entity) cell->older.parts |= kept.parts;
  return 0;
}

/* Keeps the earlier write for the parts that the new write does not cover. */
static uint8_t keep_older(struct chk_cell *cell, const struct chk_mark *now) {
  const struct chk_mark *last = &cell->write;
  if (last->clock && last->entity != now->entity && share_parts(last, now)) return keep_both(cell, now);
  if (last->clock && last->parts && now->parts && last->entity != now->entity && last->parts & ~now->parts)
    cell->older = *last;
  cell->older.parts &= (uint8_t)~now->parts;
  if (!now->parts || !cell->older.parts) cell->older.clock = 0;
  return 0;
}

/* The locks of a mark that covers both accesses of it: one byte of the parts only if both have the same. */
static inline uint8_t merged(uint8_t old, uint8_t now) { return now & (old | (uint8_t)~CHK_ONE_BYTE); }

bool chk_use(const struct chk_clocks *c, struct chk_cell *cell, const struct chk_mark *now, bool write,
             struct chk_mark *other) {
  unsigned e = now->entity;
  if (write && cell->write.clock && cell->write.entity == e && e != CHK_NETWORK && !cell->read[0].clock &&
      !cell->older.clock) { /* the same entity writes again: always in order */
    uint8_t parts = cell->write.parts, locks = cell->write.locks;
    cell->write = *now;
    if (locks != now->locks) cell->write.locks = merged(locks, now->locks);
    if (!parts || !now->parts) cell->write.parts = 0;
    else cell->write.parts |= parts;
    return false;
  }
  bool again = !write && cell->read[0].clock == now->clock && cell->read[0].entity == e;
  if (again && (!cell->read[0].parts || (cell->read[0].parts == now->parts && cell->read[0].locks == now->locks)))
    return false;
  bool unordered = find_other(c, cell, now, write, other);
  if (write) {
    memset(cell->read, 0, sizeof cell->read);
    uint8_t more = keep_older(cell, now);
    cell->write = *now;
    cell->write.parts |= more;
  } else {
    struct chk_mark *place = place_of(c, cell, e);
    bool same = place->clock == now->clock && place->entity == e;
    uint8_t parts = place->parts, locks = place->locks;
    *place = *now;
    if (same && locks != now->locks) place->locks = merged(locks, now->locks);
    if (same) place->parts = (uint8_t)(parts && now->parts ? parts | now->parts : 0);
  }
  return unordered;
}
