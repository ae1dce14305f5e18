/* The order of accesses (order.h). */
#include "check/order.h"

#include <string.h>

#include "check/peers.h"

static bool meet(const struct chk_mark *a, const struct chk_mark *b) {
  return !(a->locks & b->locks) && (!a->parts || !b->parts || (a->parts & b->parts));
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

bool chk_races(const struct chk_clocks *c, const struct chk_cell *cell, const struct chk_mark *now, struct chk_mark *other) {
  return find_other(c, cell, now, false, other);
}

/* The entity's own entry, a free one, one that this read is ordered after, else the last. */
static struct chk_mark *place_of(const struct chk_clocks *c, struct chk_cell *cell, unsigned entity) {
  for (unsigned i = 0; i < CHK_READERS; i++)
    if (cell->read[i].clock && cell->read[i].entity == entity) return &cell->read[i];
  for (unsigned i = 0; i < CHK_READERS; i++)
    if (chk_knows(c, entity, &cell->read[i])) return &cell->read[i];
  return &cell->read[CHK_READERS - 1];
}

/* Keeps the earlier write for the parts that the new write does not cover. */
static void keep_older(struct chk_cell *cell, const struct chk_mark *now) {
  const struct chk_mark *last = &cell->write;
  if (last->clock && last->parts && now->parts && last->entity != now->entity && last->parts & ~now->parts)
    cell->older = *last;
  cell->older.parts &= (uint8_t)~now->parts;
  if (!now->parts || !cell->older.parts) cell->older.clock = 0;
}

bool chk_use(const struct chk_clocks *c, struct chk_cell *cell, const struct chk_mark *now, bool write,
             struct chk_mark *other) {
  unsigned e = now->entity;
  if (write && cell->write.clock && cell->write.entity == e && e != CHK_NETWORK && !cell->read[0].clock &&
      !cell->older.clock) { /* the same entity writes again: always in order */
    uint8_t parts = cell->write.parts;
    cell->write = *now;
    if (!parts || !now->parts) cell->write.parts = 0;
    else cell->write.parts |= parts;
    return false;
  }
  bool again = !write && cell->read[0].clock == now->clock && cell->read[0].entity == e;
  if (again && (!cell->read[0].parts || cell->read[0].parts == now->parts)) return false;
  bool unordered = find_other(c, cell, now, write, other);
  if (write) {
    memset(cell->read, 0, sizeof cell->read);
    keep_older(cell, now);
    cell->write = *now;
  } else {
    struct chk_mark *place = place_of(c, cell, e);
    bool same = place->clock == now->clock && place->entity == e;
    uint8_t parts = place->parts;
    *place = *now;
    if (same) place->parts = (uint8_t)(parts && now->parts ? parts | now->parts : 0);
  }
  return unordered;
}
