#include "host/findings.h"

#include <stdlib.h>
#include <string.h>

#include "tensix/tile/tile.h"

#define KEPT_MAX 4096u

static const struct tx_tile *tensix_at(struct chip *chip, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(chip, tile);
  return e && e->self && e->slot->kind == CHIP_TENSIX ? e->self : NULL;
}

static uint32_t begin_of(uint32_t pc) { return pc > HOST_KERNEL_REACH ? (pc - HOST_KERNEL_REACH) & ~3u : 0; }

static size_t length_at(uint32_t from) {
  if (from >= TX_L1_BYTES) return 0;
  return TX_L1_BYTES - from < 2 * HOST_KERNEL_REACH ? TX_L1_BYTES - from : 2 * HOST_KERNEL_REACH;
}

static bool has_room(struct host_findings *f) {
  if (f->count < f->capacity) return true;
  size_t wanted = f->capacity ? 2 * f->capacity : 64;
  void *moved = f->capacity < KEPT_MAX ? realloc(f->kept, wanted * sizeof *f->kept) : NULL;
  if (!moved) return false;
  f->kept = moved;
  f->capacity = wanted;
  return true;
}

/* The other side may lie on another tile: its code is there. */
static void keep(struct host_findings *f, struct chip *chip, const struct tx_tile *t, unsigned tile, unsigned index) {
  const struct tx_finding *finding = &t->diag.findings[index];
  const uint32_t pcs[2] = {finding->pc, finding->other.pc};
  const struct tx_tile *far = finding->other.tile ? tensix_at(chip, finding->other.tile - 1) : t;
  if (!has_room(f)) return;
  struct host_finding_code *k = &f->kept[f->count++];
  k->tile = tile;
  k->index = index;
  for (unsigned side = 0; side < 2; side++) {
    k->from[side] = begin_of(pcs[side]);
    memcpy(k->code[side], &(side && far ? far : t)->l1[k->from[side] % TX_L1_BYTES], length_at(k->from[side]));
  }
}

void host_findings_note(struct host_findings *f, struct chip *chip, unsigned tile) {
  unsigned first = tile < CHIP_TILES ? tile : 0, end = tile < CHIP_TILES ? tile + 1 : CHIP_TILES;
  for (unsigned i = first; i < end; i++) {
    const struct tx_tile *t = tensix_at(chip, i);
    for (; t && f->seen[i] < t->diag.finding_count; f->seen[i]++) keep(f, chip, t, i, f->seen[i]);
  }
}

const uint8_t *host_findings_l1(struct host_findings *f, const struct tx_tile *t, unsigned tile, unsigned index,
                                unsigned side) {
  for (size_t i = 0; i < f->count; i++) {
    const struct host_finding_code *k = &f->kept[i];
    if (k->tile != tile || k->index != index) continue;
    if (!f->l1) f->l1 = calloc(1, TX_L1_BYTES);
    if (!f->l1) break;
    memcpy(&f->l1[k->from[side] % TX_L1_BYTES], k->code[side], length_at(k->from[side]));
    return f->l1;
  }
  return t->l1;
}

void host_findings_free(struct host_findings *f) {
  free(f->kept);
  free(f->l1);
  memset(f, 0, sizeof *f);
}
