/* The events of the network: a binary heap. */
#include <stdlib.h>

#include "chip/network_internal.h"
#include "sim/assert.h"

/* A total order that does not depend on the order in which events were created. */
static bool before(const struct event *a, const struct event *b) {
  if (a->at != b->at) return a->at < b->at;
  if (!a->packet != !b->packet)
    return a->packet != NULL; /* a packet that arrives in this cycle takes part in the arbitration of this cycle */
  if (a->packet && a->packet != b->packet) {
    const struct noc_packet *p = a->packet, *q = b->packet;
    if (p->departs != q->departs) return p->departs < q->departs;
    if (p->tile != q->tile) return p->tile < q->tile;
    if (p->sequence != q->sequence) return p->sequence < q->sequence;
  }
  return a->link < b->link;
}

bool chip_network_push(struct chip_network *n, struct event e) {
  if (n->event_count == n->event_capacity) {
    uint32_t wanted = n->event_capacity ? 2 * n->event_capacity : SIM_LIMIT(256u, 1u);
    struct event *moved = realloc(n->events, wanted * sizeof *moved);
    if (!moved) return false;
    n->events = moved;
    n->event_capacity = wanted;
  }
  uint32_t i = n->event_count++;
  while (i > 0 && before(&e, &n->events[(i - 1) / 2])) {
    n->events[i] = n->events[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  n->events[i] = e;
  return true;
}

struct event chip_network_pop(struct chip_network *n) {
  struct event first = n->events[0], last = n->events[--n->event_count];
  uint32_t i = 0, count = n->event_count;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && before(&n->events[child + 1], &n->events[child])) child++;
    if (!before(&n->events[child], &last)) break;
    n->events[i] = n->events[child];
    i = child;
  }
  if (count) n->events[i] = last;
  return first;
}
