/* The network of network.h: packets move from link to link, driven by a heap of events.
 *
 *        NIU ──in──► router ──x──► router ──x──► ... ──y──► router ──out──► NIU
 *
 * Each router has four links for which packets wait: from its NIU, to the next router of the row, to the next router of the
 * column, and to its NIU. Raw coordinates of a NoC increase along its flow, so every hop increases a coordinate, and wraps
 * to 0 at the edge. */
#include "chip/network.h"

#include <stdlib.h>
#include <string.h>

#include "chip/holds.h"
#include "chip/inbox.h"
#include "chip/internal.h"
#include "chip/receivers.h"
#include "chip/service.h"
#include "chip/stream.h"
#include "noc/route.h"

#define OFF_CYCLES 128u /* timing off: latency of a packet. Large, so that windows are long. */

enum {
  LINK_X = CHIP_PORT_X,
  LINK_Y = CHIP_PORT_Y,
  LINK_OUT = CHIP_PORT_NIU,
  LINK_IN = CHIP_PORT_FROM_NIU,
  LINKS_PER_ROUTER = 4
};
_Static_assert(LINK_OUT == (unsigned)NOC_LINK_TO_TILE && LINK_X == (unsigned)NOC_LINK_X && LINK_Y == (unsigned)NOC_LINK_Y &&
                   LINK_IN == (unsigned)NOC_LINK_FROM_TILE,
               "links");
#define INPUTS 3u /* of a link: NIU, X, Y */
#define CHANNELS 8u
#define ROUTERS (NOC_GRID_X * NOC_GRID_Y)
#define LINKS (NOC_NOCS * ROUTERS * LINKS_PER_ROUTER)

struct link {
  sim_time free_at;
  struct noc_packet *head[INPUTS], *tail[INPUTS]; /* packets that wait, by input */
  uint32_t last;                                  /* the input that was served last */
  uint32_t release;                               /* an event at free_at is pending */
  struct chip_link_counts counts;
  uint16_t owner[CHANNELS]; /* 1 + the tile whose linked transaction has the virtual channel; 0: none */
};

enum { EVENT_PACKET, EVENT_RELEASE };

/* A packet reaches a link, or a link with waiting packets becomes free. */
struct event {
  sim_time at;
  struct noc_packet *packet; /* NULL: the link is free */
  uint16_t link;
  uint8_t input;
};

struct chip_network {
  struct chip *chip;
  struct noc_times times;
  bool timing;
  chip_packet_fn *watch;
  void *watcher;
  struct chip_holds *holds; /* NULL: none */
  uint64_t delivered, under_way;
  uint32_t owned;   /* entries of all links' `owner` that are not 0 */
  uint32_t stalled; /* a linked transaction may wait in its own tile for the links of others */
  uint32_t event_count, event_capacity;
  struct event *events; /* binary heap */
  struct link link[LINKS];
};

struct chip_network *chip_network_create(struct chip *chip, const struct noc_times *times, bool timing) {
  struct chip_network *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->chip = chip;
  n->times = *times;
  n->timing = timing;
  return n;
}

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

void chip_network_destroy(struct chip_network *n) {
  if (!n) return;
  chip_network_clear(n);
  free(n->events);
  free(n);
}

uint32_t chip_network_in_cycles(const struct chip_network *n) {
  return n->timing ? n->times.niu_out + n->times.hop : OFF_CYCLES;
}
/* From the last link to the arrival at least. */
static uint32_t out_cycles(const struct chip_network *n) { return n->timing ? n->times.niu_in : 0; }
uint32_t chip_network_lookahead(const struct chip_network *n) { return chip_network_in_cycles(n) + out_cycles(n); }

unsigned chip_network_hops(unsigned noc, struct noc_place from, struct noc_place to) {
  (void)noc;
  return (to.x + NOC_GRID_X - from.x) % NOC_GRID_X + (to.y + NOC_GRID_Y - from.y) % NOC_GRID_Y;
}

/* --- the heap --- */

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

static void refuse_memory(struct chip_network *n, const struct noc_packet *p) {
  chip_refuse(&n->chip->endpoint[p->tile], p->departs, SIM_FAULT_CAPACITY, "packet.h", "no memory for a packet");
}

static bool push(struct chip_network *n, struct event e) {
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

static struct event pop(struct chip_network *n) {
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

/* --- places and links --- */

static uint16_t link_of(unsigned noc, struct noc_place at, unsigned link) {
  return (uint16_t)(((noc * NOC_GRID_Y + at.y) * NOC_GRID_X + at.x) * LINKS_PER_ROUTER + link);
}

static struct noc_place place_of(unsigned link) {
  unsigned router = link / LINKS_PER_ROUTER % ROUTERS;
  return (struct noc_place){(uint8_t)(router % NOC_GRID_X), (uint8_t)(router / NOC_GRID_X)};
}

static struct noc_place behind(struct noc_place at, unsigned link) {
  if (link == LINK_X) at.x = (uint8_t)((at.x + 1u) % NOC_GRID_X);
  else at.y = (uint8_t)((at.y + 1u) % NOC_GRID_Y);
  return at;
}

static unsigned route(const struct noc_packet *p, struct noc_place at) { return noc_route(p->noc, at, p->target); }

/* Cycles for which a packet occupies a link: its header flit, and its data. */
static uint32_t holds(const struct chip_network *n, const struct noc_packet *p) {
  bool data = p->kind == NOC_WRITE || p->kind == NOC_READ_ANSWER || p->kind == NOC_ATOMIC_ANSWER;
  uint32_t flits = data ? noc_flits(p->length) : 0;
  if (p->leg) return 1 + flits * n->times.broadcast_percent / 100;
  return 1 + flits + flits / n->times.flits_per_bubble;
}

/* --- broadcasts --- */

enum { LEG_NONE, LEG_MAIN, LEG_BRANCH, LEG_LAST }; /* along the major axis, along the other one, into a tile */

static unsigned farthest(unsigned from, unsigned start, unsigned end, unsigned size) {
  unsigned best = 0;
  for (unsigned v = start;; v = (v + 1) % size) {
    unsigned steps = (v + size - from) % size;
    if (steps > best) best = steps;
    if (v == end) return best;
  }
}

static bool major_is_x(const struct noc_packet *p) { return !(p->ctrl & NOC_CTRL_Y_MAJOR); }

/* Remaining steps along an axis from `at` to the end of the rectangle. */
static unsigned steps_left(const struct noc_packet *p, bool along_x, struct noc_place at) {
  unsigned all = along_x ? farthest(p->source.x, p->start.x, p->target.x, NOC_GRID_X)
                         : farthest(p->source.y, p->start.y, p->target.y, NOC_GRID_Y);
  unsigned done = along_x ? (at.x + NOC_GRID_X - p->source.x) % NOC_GRID_X : (at.y + NOC_GRID_Y - p->source.y) % NOC_GRID_Y;
  return all > done ? all - done : 0;
}

static bool in_span(unsigned v, unsigned start, unsigned end) {
  return start <= end ? v >= start && v <= end : v >= start || v <= end;
}

static bool wants(struct chip_network *n, const struct noc_packet *p, struct noc_place at) {
  unsigned tile = chip_tile_of_raw(p->noc, at.x, at.y);
  if (tile == p->tile && !(p->ctrl & NOC_CTRL_SOURCE_INCLUDE)) return false;
  return chip_is_receiver(n->chip, p->noc, p->start, p->target, p->exclude, tile);
}

static void come(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t link, unsigned input);

static void fork_to(struct chip_network *n, sim_time at, const struct noc_packet *p, struct noc_place place, unsigned link,
                    unsigned input, unsigned leg) {
  struct noc_packet *copy = noc_packet_share(p);
  if (!copy) {
    refuse_memory(n, p);
    return;
  }
  copy->leg = leg & 3u;
  n->under_way++;
  come(n, at, copy, link_of(p->noc, place, link), input);
}

/* A broadcast's packet is in a router: copies continue along its axis, branch off, and enter the tile. */
static void spread(struct chip_network *n, sim_time at, struct noc_packet *p, struct noc_place place, unsigned input) {
  bool x_major = major_is_x(p), main = p->leg == LEG_MAIN;
  bool along_x = main == x_major;
  bool branches = main && (x_major ? in_span(place.x, p->start.x, p->target.x) : in_span(place.y, p->start.y, p->target.y));
  bool minor_x = !x_major;
  if (steps_left(p, along_x, place)) fork_to(n, at, p, place, along_x ? LINK_X : LINK_Y, input, p->leg);
  if (branches && steps_left(p, minor_x, place)) fork_to(n, at, p, place, minor_x ? LINK_X : LINK_Y, input, LEG_BRANCH);
  if ((branches || !main) && wants(n, p, place)) fork_to(n, at, p, place, LINK_OUT, input, LEG_LAST);
  n->under_way--;
  noc_packet_free(p);
}

/* --- linked transactions --- */

/* Each router on the way of a linked transaction keeps its virtual channel for it until its last request has passed. ISA: NoC/MemoryMap.md, NOC_CMD_VC_LINKED.
 * All links are taken at once, when all are free: that is what a request with NOC_CMD_PATH_RESERVE does; without it hardware takes one link after the
 * other, and may deadlock. A request that may take any channel of its class passes. */
static bool is_bound(const struct noc_packet *p) {
  return !noc_packet_is_answer(p) && (p->ctrl & (NOC_CTRL_VC_STATIC | NOC_CTRL_LINKED));
}

static bool is_owned(const struct link *l, const struct noc_packet *p) {
  unsigned owner = l->owner[p->vc % CHANNELS];
  return owner && owner != 1u + p->tile && is_bound(p);
}

typedef bool link_fn(struct chip_network *n, uint16_t link, const struct noc_packet *p, uint16_t *found);

static bool each_branch(struct chip_network *n, const struct noc_packet *p, struct noc_place at, bool along_x,
                        link_fn *visit, uint16_t *found) {
  unsigned kind = along_x ? LINK_X : LINK_Y;
  for (;; at = behind(at, kind)) {
    if (wants(n, p, at) && !visit(n, link_of(p->noc, at, LINK_OUT), p, found)) return false;
    if (!steps_left(p, along_x, at)) return true;
    if (!visit(n, link_of(p->noc, at, kind), p, found)) return false;
  }
}

static bool each_of_tree(struct chip_network *n, const struct noc_packet *p, link_fn *visit, uint16_t *found) {
  bool x_major = major_is_x(p);
  unsigned kind = x_major ? LINK_X : LINK_Y;
  for (struct noc_place at = p->source;; at = behind(at, kind)) {
    bool branches = x_major ? in_span(at.x, p->start.x, p->target.x) : in_span(at.y, p->start.y, p->target.y);
    if (branches && !each_branch(n, p, at, !x_major, visit, found)) return false;
    if (!steps_left(p, x_major, at)) return true;
    if (!visit(n, link_of(p->noc, at, kind), p, found)) return false;
  }
}

/* Calls `visit` for each link that the packet passes after the one from its NIU, until it returns false. */
static bool each_link(struct chip_network *n, const struct noc_packet *p, link_fn *visit, uint16_t *found) {
  if (p->ctrl & NOC_CTRL_BROADCAST) return each_of_tree(n, p, visit, found);
  for (struct noc_place at = p->source;;) {
    unsigned kind = route(p, at);
    if (!visit(n, link_of(p->noc, at, kind), p, found)) return false;
    if (kind == LINK_OUT) return true;
    at = behind(at, kind);
  }
}

/* false: it is not, and it is the found one. */
static bool is_free(struct chip_network *n, uint16_t link, const struct noc_packet *p, uint16_t *found) {
  *found = link;
  return !is_owned(&n->link[link], p);
}

static bool take_link(struct chip_network *n, uint16_t link, const struct noc_packet *p, uint16_t *found) {
  (void)found;
  uint16_t *owner = &n->link[link].owner[p->vc % CHANNELS];
  if (!*owner) n->owned++;
  *owner = (uint16_t)(1u + p->tile);
  return true;
}

/* The link that another tile's linked transaction has: the one for which the packet waits, or one of those that it takes at once. */
static bool finds_owned(struct chip_network *n, const struct noc_packet *p, uint16_t link, uint16_t *held) {
  *held = link;
  if (!is_bound(p)) return false;
  if (link % LINKS_PER_ROUTER != LINK_IN) return is_owned(&n->link[link], p);
  return (p->ctrl & NOC_CTRL_LINKED) && !each_link(n, p, is_free, held);
}

/* Must the packet wait for a linked transaction of another tile? */
static bool must_wait(struct chip_network *n, const struct noc_packet *p, uint16_t link) {
  uint16_t held;
  if (!n->owned || p->weightless || !finds_owned(n, p, link, &held)) return false;
  if (link % LINKS_PER_ROUTER == LINK_IN) n->stalled = 1;
  return true;
}

static void wake_link(struct chip_network *n, sim_time at, unsigned link) {
  struct link *l = &n->link[link];
  if (l->release || !(l->head[0] || l->head[1] || l->head[2])) return;
  l->release = 1;
  push(n, (struct event){.at = l->free_at > at ? l->free_at : at, .link = (uint16_t)link});
}

/* The last request of a linked transaction passes: the link is free for what waits for it, here and at other sources. */
static void free_link(struct chip_network *n, sim_time at, const struct noc_packet *p, uint16_t link) {
  uint16_t *owner = &n->link[link].owner[p->vc % CHANNELS];
  if (!n->owned || noc_packet_is_answer(p) || (p->ctrl & NOC_CTRL_LINKED) || *owner != 1u + p->tile) return;
  *owner = 0;
  n->owned--;
  wake_link(n, at, link);
  if (!n->stalled) return;
  n->stalled = 0;
  for (unsigned k = LINK_IN; k < LINKS; k += LINKS_PER_ROUTER) wake_link(n, at, k);
}

/* --- packets on links --- */

/* A packet is in a router: selects its next link. */
static void enter_router(struct chip_network *n, sim_time at, struct noc_packet *p, struct noc_place place, unsigned input) {
  if (p->leg == LEG_MAIN || p->leg == LEG_BRANCH) spread(n, at, p, place, input);
  else come(n, at, p, link_of(p->noc, place, route(p, place)), input);
}

static void arrive(struct chip_network *n, struct noc_packet *p, struct noc_place place, uint32_t cycles) {
  unsigned tile = chip_tile_of_raw(p->noc, place.x, place.y);
  n->delivered++;
  n->under_way--;
  if (n->watch) n->watch(n->watcher, p, tile, cycles);
  chip_arrive(n->chip, tile, p);
}

/* The link accepts the packet at `at`. */
static sim_time carry(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t index) {
  struct link *l = &n->link[index];
  unsigned kind = index % LINKS_PER_ROUTER;
  uint32_t cycles = p->weightless ? 1 : holds(n, p);
  struct noc_place place = place_of(index);
  if (!p->weightless) {
    l->free_at = at + cycles;
    l->counts.packets++;
    l->counts.flits += cycles;
  }
  if (kind != LINK_IN) free_link(n, at, p, index);
  else if (!p->weightless && !noc_packet_is_answer(p) && (p->ctrl & NOC_CTRL_LINKED)) each_link(n, p, take_link, NULL);
  if (kind == LINK_OUT) {
    p->arrives = at + cycles + n->times.niu_in;
    sim_time arrives = p->arrives;
    arrive(n, p, place, cycles);
    return arrives;
  }
  if (kind == LINK_IN) enter_router(n, at, p, place, CHIP_PORT_NIU);
  else enter_router(n, at, p, behind(place, kind), kind);
  return SIM_NEVER;
}

/* The cycles of a hop are counted before the link to the next router, not after it: the arbitration of the last link, into
 * the target's NIU, is then known as early as possible, and windows are longer. The hop before the first link is counted
 * when the packet departs. */
static void come(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t link, unsigned input) {
  unsigned kind = link % LINKS_PER_ROUTER;
  if (input != CHIP_PORT_NIU && (kind == LINK_X || kind == LINK_Y)) at += n->times.hop;
  if (!push(n, (struct event){.at = at, .packet = p, .link = link, .input = (uint8_t)input})) refuse_memory(n, p);
}

static void wait_for(struct chip_network *n, struct link *l, const struct event *e) {
  e->packet->next = NULL;
  if (l->head[e->input]) l->tail[e->input]->next = e->packet;
  else l->head[e->input] = e->packet;
  l->tail[e->input] = e->packet;
  if (l->release) return;
  l->release = 1;
  push(n, (struct event){.at = l->free_at > e->at ? l->free_at : e->at, .link = e->link});
}

static bool holds_tile(const struct chip_hold *h, unsigned tile) { return h->tile == tile || h->tile == CHIP_NO_TILE; }

/* The link into a tile is busy for a hold's time. */
static void hold_link(struct chip_network *n, const struct event *e) {
  struct noc_place place = place_of(e->link);
  unsigned tile = chip_tile_of_raw(e->packet->noc, place.x, place.y);
  for (uint32_t i = 0; i < n->holds->count; i++) {
    const struct chip_hold *h = &n->holds->hold[i];
    if (h->kind != CHIP_HOLD_ARRIVALS || !holds_tile(h, tile) || h->noc != e->packet->noc) continue;
    if (e->at >= h->from && e->at < h->from + h->cycles && n->link[e->link].free_at < h->from + h->cycles)
      n->link[e->link].free_at = h->from + h->cycles;
  }
}

/* The first packet of an input's queue that need not wait for a linked transaction: removed from the queue. What is bound to the channel of one that waits
 * stays behind it. */
static struct noc_packet *next_of(struct chip_network *n, uint16_t link, unsigned input) {
  struct link *l = &n->link[link];
  struct noc_packet *p = l->head[input], *ahead = NULL;
  uint32_t waiting = 0;
  for (; p; ahead = p, p = p->next) {
    bool waits = must_wait(n, p, link) || (is_bound(p) && (waiting >> p->vc % CHANNELS & 1u));
    if (!waits) break;
    waiting |= 1u << p->vc % CHANNELS;
  }
  if (!p) return NULL;
  if (ahead) ahead->next = p->next;
  else l->head[input] = p->next;
  if (l->tail[input] == p) l->tail[input] = ahead;
  p->next = NULL;
  return p;
}

/* The link is free: serves the next input in round-robin order that has a packet. */
static sim_time serve(struct chip_network *n, const struct event *e) {
  struct link *l = &n->link[e->link];
  l->release = 0;
  for (unsigned k = 1; k <= INPUTS; k++) {
    unsigned input = (l->last + k) % INPUTS;
    struct noc_packet *p = next_of(n, e->link, input);
    if (!p) continue;
    l->last = input;
    l->counts.waited_packets++;
    sim_time arrives = carry(n, e->at, p, e->link);
    wake_link(n, l->free_at, e->link);
    return arrives;
  }
  return SIM_NEVER;
}

/* A packet of the same input and channel waits for a linked transaction. */
static bool is_behind(const struct chip_network *n, const struct link *l, const struct event *e) {
  if (!n->owned || !is_bound(e->packet)) return false;
  for (const struct noc_packet *p = l->head[e->input]; p; p = p->next)
    if (is_bound(p) && p->vc == e->packet->vc) return true;
  return false;
}

/* Returns the arrival that the event produced, or SIM_NEVER. */
static sim_time handle(struct chip_network *n, const struct event *e) {
  struct link *l = &n->link[e->link];
  if (!e->packet) return serve(n, e);
  if (n->holds && e->link % LINKS_PER_ROUTER == LINK_OUT) hold_link(n, e);
  if (e->packet->weightless) return carry(n, e->at, e->packet, e->link);
  if (l->release || l->free_at > e->at || must_wait(n, e->packet, e->link) || is_behind(n, l, e)) {
    wait_for(n, l, e);
    return SIM_NEVER;
  }
  l->last = e->input;
  return carry(n, e->at, e->packet, e->link);
}

void chip_network_advance(struct chip_network *n, sim_time to) {
  uint32_t in = chip_network_in_cycles(n);
  while (n->event_count && n->events[0].at <= to) {
    struct event e = pop(n);
    sim_time arrives = handle(n, &e);
    if (arrives != SIM_NEVER && arrives + in - 1 < to) to = arrives + in - 1;
  }
}

sim_time chip_network_next(const struct chip_network *n) { return n->event_count ? n->events[0].at : SIM_NEVER; }

/* --- taking packets --- */

/* Timing off: no links. */
static void deliver(struct chip_network *n, struct noc_packet *p, unsigned tile) {
  p->arrives = p->departs + (p->returned ? 0 : OFF_CYCLES);
  n->delivered++;
  if (n->watch) n->watch(n->watcher, p, tile, 0);
  chip_arrive(n->chip, tile, p);
}

static void deliver_all(struct chip_network *n, struct noc_packet *p) {
  uint16_t tiles[CHIP_TILES];
  unsigned count = chip_receivers(n->chip, p->noc, p->start, p->target, p->exclude, tiles);
  for (unsigned i = 0; i < count; i++) {
    if (tiles[i] == p->tile) continue;
    struct noc_packet *one = noc_packet_share(p);
    if (!one) {
      refuse_memory(n, p);
      continue;
    }
    one->returned = 0;
    deliver(n, one, tiles[i]);
  }
  if (p->returned) deliver(n, p, p->tile);
  else noc_packet_free(p);
}

void chip_network_hold(struct chip_network *n, struct chip_holds *holds) { n->holds = holds; }

/* Does a request on a static channel stay behind an earlier one? */
static bool stays_behind(unsigned later, unsigned earlier) {
  return later == earlier || (later == NOC_READ && earlier == NOC_WRITE);
}

static sim_time stay_behind(struct chip_holds *holds, const struct noc_packet *p, sim_time leaves) {
  sim_time *behind = holds->behind[p->tile][p->noc][p->vc % CHIP_CHANNELS];
  bool linked = p->ctrl & NOC_CTRL_LINKED;
  if (!linked && !(p->ctrl & NOC_CTRL_VC_STATIC)) return leaves;
  for (unsigned kind = 0; kind < NOC_REQUESTS; kind++)
    if ((linked || stays_behind(p->kind, kind)) && leaves < behind[kind]) leaves = behind[kind];
  for (unsigned kind = 0; kind < NOC_REQUESTS; kind++)
    if ((linked || kind == p->kind) && behind[kind] < leaves) behind[kind] = leaves;
  return leaves;
}

/* When the packet leaves its tile. */
static sim_time held_until(struct chip_holds *holds, const struct noc_packet *p, bool broadcast) {
  unsigned kind = broadcast ? CHIP_HOLD_MULTICAST : p->kind;
  sim_time leaves = p->departs;
  for (uint32_t i = 0; i < holds->count; i++) {
    const struct chip_hold *h = &holds->hold[i];
    if (!holds_tile(h, p->tile) || h->noc != p->noc || (h->kind != kind && h->kind != CHIP_HOLD_ALL)) continue;
    if (p->departs >= h->from && p->departs < h->from + h->cycles && leaves < p->departs + h->cycles)
      leaves = p->departs + h->cycles;
  }
  return noc_packet_is_answer(p) ? leaves : stay_behind(holds, p, leaves);
}

void chip_network_take(struct chip_network *n, struct noc_packet *p) {
  bool broadcast = !noc_packet_is_answer(p) && (p->ctrl & NOC_CTRL_BROADCAST);
  if (!n->timing) {
    if (broadcast) deliver_all(n, p);
    else deliver(n, p, chip_tile_of_raw(p->noc, p->target.x, p->target.y));
    return;
  }
  p->leg = broadcast ? LEG_MAIN : LEG_NONE;
  n->under_way++;
  sim_time departs = n->holds ? held_until(n->holds, p, broadcast) : p->departs;
  come(n, departs + n->times.niu_out + n->times.hop, p, link_of(p->noc, p->source, LINK_IN), CHIP_PORT_NIU);
}

/* --- looking at it --- */

void chip_network_watch(struct chip_network *n, chip_packet_fn *watch, void *context) {
  n->watch = watch;
  n->watcher = context;
}

struct chip_link_counts chip_network_link(const struct chip_network *n, unsigned noc, struct noc_place at,
                                          enum chip_router_port port) {
  return n->link[link_of(noc, at, port)].counts;
}

static bool waits_at(struct chip_network *n, const struct noc_packet *p, unsigned link, struct chip_waiting *out) {
  uint16_t held;
  if (!finds_owned(n, p, (uint16_t)link, &held)) return false;
  struct noc_place place = place_of(held);
  *out = (struct chip_waiting){p, n->link[held].owner[p->vc % CHANNELS] - 1u, chip_tile_of_raw(p->noc, place.x, place.y)};
  return true;
}

bool chip_network_waiting(struct chip_network *n, unsigned which, struct chip_waiting *out) {
  for (unsigned l = 0; n->owned && l < LINKS; l++)
    for (unsigned input = 0; input < INPUTS; input++)
      for (const struct noc_packet *p = n->link[l].head[input]; p; p = p->next)
        if (waits_at(n, p, l, out) && !which--) return true;
  return false;
}

uint64_t chip_network_packets(const struct chip_network *n) { return n->delivered; }
uint64_t chip_network_under_way(const struct chip_network *n) { return n->under_way; }

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
    struct saved_link saved = {l->free_at, l->last, l->release, l->counts, {0}};
    memcpy(saved.owner, l->owner, sizeof saved.owner);
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
  if (push(n, e)) return true;
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
    for (unsigned input = 0; input < INPUTS; input++)
      for (const struct noc_packet *p = l->head[input]; p; p = p->next)
        h = (h ^ chip_packet_hash(p)) * UINT64_C(0x100000001b3);
  }
  return h;
}
