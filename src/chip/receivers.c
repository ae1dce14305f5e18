/* The receivers of a broadcast (receivers.h). */
#include "chip/receivers.h"

#include "chip/internal.h"
#include "noc/niu.h"

static bool in_span(unsigned v, unsigned start, unsigned end) {
  return start <= end ? v >= start && v <= end : v >= start || v <= end;
}

/* ISA: HostToDeviceTLBs.md gives the meaning of direction and start; inferred for NOC_BRCST_EXCLUDE. */
static bool excluded(uint32_t word, unsigned x, unsigned y) {
  unsigned sx = word >> 8 & 63u, sy = word >> 14 & 63u;
  if (!(word >> 22 & 1u)) return false;
  return (word >> 20 & 1u ? x >= sx : x <= sx) && (word >> 21 & 1u ? y >= sy : y <= sy);
}

/* The NIU's own registers decide; those of an unaccessed tile are as firmware left them. */
static bool receives(struct chip *c, unsigned tile, unsigned noc) {
  struct chip_endpoint *e = &c->endpoint[tile];
  if (!e->ops || !e->ops->niu) return false;
  if (!e->self) return !chip_opted_out(&c->grid, tile, noc);
  struct noc_niu *niu = e->ops->niu(e->self, noc);
  return niu && !noc_niu_opted_out(niu);
}

bool chip_is_receiver(struct chip *c, unsigned noc, struct noc_place start, struct noc_place end, uint32_t exclude,
                      unsigned tile) {
  unsigned x, y;
  chip_raw_of_tile(noc, tile, &x, &y);
  return in_span(x, start.x, end.x) && in_span(y, start.y, end.y) && !excluded(exclude, x, y) && receives(c, tile, noc);
}

unsigned chip_receivers(struct chip *c, unsigned noc, struct noc_place start, struct noc_place end, uint32_t exclude,
                        uint16_t tiles[CHIP_TILES]) {
  unsigned count = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    if (chip_is_receiver(c, noc, start, end, exclude, tile)) tiles[count++] = (uint16_t)tile;
  return count;
}
