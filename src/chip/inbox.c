/* The packets in flight to an endpoint whose arrival is known: a binary heap. */
#include "chip/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "chip/internal.h"
#include "chip/service.h"
#include "chips/blackhole/address_map.h"

bool chip_packet_before(const struct noc_packet *a, const struct noc_packet *b) {
  if (a->arrives != b->arrives) return a->arrives < b->arrives;
  if (a->departs != b->departs) return a->departs < b->departs;
  if (a->tile != b->tile) return a->tile < b->tile;
  return a->sequence < b->sequence;
}

static bool grow(struct chip_endpoint *e) {
  uint32_t wanted = e->inbox_capacity ? 2 * e->inbox_capacity : SIM_LIMIT(16u, 1u);
  struct noc_packet **moved = realloc(e->inbox, wanted * sizeof(struct noc_packet *));
  if (!moved) return false;
  e->inbox = moved;
  e->inbox_capacity = wanted;
  return true;
}

void chip_inbox_put(struct chip_endpoint *e, struct noc_packet *packet) {
  if (e->inbox_count == e->inbox_capacity && !grow(e)) {
    chip_refuse(e, packet->arrives, SIM_FAULT_CAPACITY, "endpoint.h", "no memory for packets in flight");
    noc_packet_free(packet);
    return;
  }
  sim_assert(e->inbox_count < e->inbox_capacity);
  uint32_t i = e->inbox_count++;
  while (i > 0 && chip_packet_before(packet, e->inbox[(i - 1) / 2])) {
    e->inbox[i] = e->inbox[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  e->inbox[i] = packet;
}

struct noc_packet *chip_inbox_take(struct chip_endpoint *e) {
  sim_assert(e->inbox_count > 0 && e->inbox_count <= e->inbox_capacity);
  struct noc_packet *first = e->inbox[0], *last = e->inbox[--e->inbox_count];
  uint32_t i = 0, count = e->inbox_count;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && chip_packet_before(e->inbox[child + 1], e->inbox[child])) child++;
    if (!chip_packet_before(e->inbox[child], last)) break;
    e->inbox[i] = e->inbox[child];
    i = child;
  }
  if (count) e->inbox[i] = last;
  sim_assert(!count || !chip_packet_before(e->inbox[0], first)); /* packets arrive in order */
  return first;
}

/* A fused-off tile has no clock: its NIU accepts the packet and never responds, except for its own registers. */
static bool answers(const struct chip *c, unsigned tile, const struct noc_packet *packet) {
  uint32_t low = (uint32_t)packet->address;
  return c->grid.slot[tile].good || low - TX_ADDR_NOC < TX_NOC_WINDOWS_BYTES;
}

static void lose(struct chip *c, struct noc_packet *packet) {
  struct noc_packet *kept = &c->lost[c->lost_count++ % CHIP_LOST_MAX];
  *kept = *packet;
  kept->payload = NULL;
  kept->next = NULL;
  noc_packet_free(packet);
}

void chip_arrive(struct chip *c, unsigned tile, struct noc_packet *packet) {
  if (!answers(c, tile, packet)) {
    lose(c, packet);
    return;
  }
  struct chip_endpoint *e = chip_endpoint(c, tile);
  if (e && packet->returned) {
    e->received++;
    chip_trail_arrived(&e->trail, packet);
    noc_packet_free(packet);
  } else if (e) chip_inbox_put(e, packet);
  else {
    chip_refuse(&c->endpoint[packet->tile], packet->arrives, SIM_FAULT_CAPACITY, "endpoint.h", "no memory for a tile");
    noc_packet_free(packet);
  }
}
