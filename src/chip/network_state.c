/* The state of the network as a whole: cleared, as bytes, and its hash. */
#include <string.h>

#include "chip/inbox.h"
#include "chip/network.h"
#include "chip/network_internal.h"
#include "chip/stream.h"

void chip_network_clear(struct chip_network *n) {
  for (uint32_t i = 0; i < n->event_count; i++) noc_packet_free(n->events[i].packet);
  for (unsigned l = 0; l < LINKS; l++)
    for (unsigned i = 0; i < INPUTS; i++)
      while (n->link[l].head[i]) {
        struct noc_packet *p = n->link[l].head[i];
        n->link[l].head[i] = p->next;
        noc_packet_free(p);
      }
  memset(n->link, 0, sizeof n->link);
  n->event_count = n->owned = n->stalled = 0;
  n->delivered = n->under_way = 0;
}

/* --- the state as bytes --- */

static void put_waiting(struct chip_stream *to, const struct link *l, unsigned input) {
  uint32_t count = 0;
  for (const struct noc_packet *p = l->head[input]; p; p = p->next) count++;
  chip_put(to, &count, sizeof count);
  for (const struct noc_packet *p = l->head[input]; p; p = p->next) chip_put_packet(to, p);
}

static bool get_waiting(struct chip_stream *from, struct link *l, unsigned input) {
  uint32_t count;
  if (!chip_get(from, &count, sizeof count)) return false;
  while (count--) {
    struct noc_packet *p = chip_get_packet(from);
    if (!p) return false;
    if (l->head[input]) l->tail[input]->next = p;
    else l->head[input] = p;
    l->tail[input] = p;
  }
  return true;
}

/* A link without its queues. */
struct saved_link {
  sim_time free_at;
  uint32_t last, release;
  struct chip_link_counts counts;
  uint16_t owner[CHANNELS];
  uint8_t closed[LANES];
  uint16_t behind[LANES];
  sim_time ready[LANES];
};

void chip_network_save(const struct chip_network *n, struct chip_stream *to) {
  uint64_t head[3] = {n->delivered, n->under_way, n->event_count};
  chip_put(to, head, sizeof head);
  for (uint32_t i = 0; i < n->event_count; i++) {
    const struct event *e = &n->events[i];
    uint64_t words[2] = {e->at, e->link | (uint64_t)e->input << 16 | (uint64_t)(e->packet != NULL) << 32};
    chip_put(to, words, sizeof words);
    if (e->packet) chip_put_packet(to, e->packet);
  }
  for (unsigned k = 0; k < LINKS; k++) {
    const struct link *l = &n->link[k];
    struct saved_link saved = {.free_at = l->free_at, .last = l->last, .release = l->release, .counts = l->counts};
    memcpy(saved.owner, l->owner, sizeof saved.owner);
    memcpy(saved.closed, l->closed, sizeof saved.closed);
    memcpy(saved.behind, l->behind, sizeof saved.behind);
    memcpy(saved.ready, l->ready, sizeof saved.ready);
    chip_put(to, &saved, sizeof saved);
    for (unsigned input = 0; input < INPUTS; input++) put_waiting(to, l, input);
  }
}

static bool get_event(struct chip_network *n, struct chip_stream *from) {
  uint64_t words[2];
  if (!chip_get(from, words, sizeof words)) return false;
  struct event e = {.at = words[0], .link = (uint16_t)words[1], .input = (uint8_t)(words[1] >> 16)};
  if (e.link >= LINKS || e.input >= LINKS_PER_ROUTER) return false;
  if (words[1] >> 32 && !(e.packet = chip_get_packet(from))) return false;
  if (chip_network_push(n, e)) return true;
  noc_packet_free(e.packet);
  return false;
}

bool chip_network_restore(struct chip_network *n, struct chip_stream *from) {
  uint64_t head[3];
  chip_network_clear(n);
  if (!chip_get(from, head, sizeof head)) return false;
  n->delivered = head[0];
  n->under_way = head[1];
  n->stalled = 1;
  for (uint64_t i = 0; i < head[2]; i++)
    if (!get_event(n, from)) return false;
  for (unsigned k = 0; k < LINKS; k++) {
    struct saved_link saved;
    struct link *l = &n->link[k];
    if (!chip_get(from, &saved, sizeof saved)) return false;
    l->free_at = saved.free_at;
    l->last = saved.last;
    l->release = saved.release;
    l->counts = saved.counts;
    memcpy(l->owner, saved.owner, sizeof l->owner);
    memcpy(l->closed, saved.closed, sizeof l->closed);
    memcpy(l->behind, saved.behind, sizeof l->behind);
    memcpy(l->ready, saved.ready, sizeof l->ready);
    for (unsigned i = 0; i < CHANNELS; i++) {
      if (l->owner[i] > CHIP_TILES) return false;
      n->owned += l->owner[i] != 0;
    }
    if (l->last >= INPUTS || l->release > 1) return false;
    for (unsigned input = 0; input < INPUTS; input++)
      if (!get_waiting(from, l, input)) return false;
  }
  return true;
}

/* The order of events does not affect the hash; the order of packets that wait for a link does. */
uint64_t chip_network_hash(const struct chip_network *n) {
  uint64_t h = n->delivered * 31u + n->under_way;
  for (uint32_t i = 0; i < n->event_count; i++) {
    const struct event *e = &n->events[i];
    uint64_t one = (e->at * LINKS + e->link) * UINT64_C(0x9e3779b97f4a7c15);
    h += e->packet ? one ^ chip_packet_hash(e->packet) : one;
  }
  for (unsigned k = 0; k < LINKS; k++) {
    const struct link *l = &n->link[k];
    if (!l->counts.packets) continue;
    h = (h ^ (l->free_at * 4 + l->last)) * UINT64_C(0x2127599bf4325c37) + l->counts.flits;
    for (unsigned i = 0; n->owned && i < CHANNELS; i++) h += l->owner[i] * UINT64_C(0x9e3779b97f4a7c15) * (i + 1u);
    for (unsigned i = 0; i < LANES; i++)
      h += (l->ready[i] ^ (uint64_t)l->behind[i] << 48 ^ (uint64_t)l->closed[i] << 40) * UINT64_C(0x9e3779b97f4a7c15) *
           (i + 9u);
    for (unsigned input = 0; input < INPUTS; input++)
      for (const struct noc_packet *p = l->head[input]; p; p = p->next)
        h = (h ^ chip_packet_hash(p)) * UINT64_C(0x100000001b3);
  }
  return h;
}
