/* The past of trail.h. */
#include "chip/trail.h"

#include <stddef.h>

#include "noc/streams.h"

static unsigned slot_of(uint32_t line, uint32_t tile) { return (line * 7u + tile) % CHIP_TRAIL_WRITES; }

void chip_trail_arrived(struct chip_trail *trail, const struct noc_packet *p) {
  bool small = p->kind == NOC_ATOMIC || (p->kind == NOC_WRITE && p->length <= CHIP_TRAIL_BYTES);
  if (!small) return;
  uint32_t line = noc_stream_changes((uint32_t)p->address, p->data) / CHIP_TRAIL_BYTES;
  trail->writes[slot_of(line, p->tile)] = (struct chip_trail_write){p->arrives, line, p->tile};
}

static bool same(struct noc_place a, struct noc_place b) { return a.x == b.x && a.y == b.y; }

void chip_trail_sent(struct chip_trail *trail, const struct noc_packet *p) {
  if (noc_packet_is_answer(p) || !(p->ctrl & NOC_CTRL_BROADCAST)) return;
  const struct noc_packet *last = &trail->broadcast[p->noc];
  if (last->departs && !(same(last->start, p->start) && same(last->target, p->target))) trail->other[p->noc] = *last;
  trail->broadcast[p->noc] = *p;
  trail->broadcast[p->noc].payload = NULL;
  trail->broadcast[p->noc].next = NULL;
}

sim_time chip_trail_find(const struct chip_trail *trail, uint32_t address, unsigned tile) {
  uint32_t line = address / CHIP_TRAIL_BYTES;
  const struct chip_trail_write *w = &trail->writes[slot_of(line, tile)];
  return w->line == line && w->tile == tile ? w->cycle : 0;
}
