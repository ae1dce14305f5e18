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
#include "chip/network_internal.h"
#include "chip/receivers.h"
#include "chip/service.h"
#include "chip/stream.h"
#include "noc/route.h"

#define LOOK_MAX 16u    /* packets of a tile's queue that are looked at for one that need not wait */
#define OFF_CYCLES 128u /* timing off: latency of a packet. Large, so that windows are long. */

struct chip_network *chip_network_create(struct chip *chip, const struct noc_times *times, bool timing) {
  struct chip_network *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->chip = chip;
  n->times = *times;
  n->timing = timing;
  return n;
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

static void refuse_memory(struct chip_network *n, const struct noc_packet *p) {
  chip_refuse(&n->chip->endpoint[p->tile], p->departs, SIM_FAULT_CAPACITY, "packet.h", "no memory for a packet");
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
  return 1 + flits + flits / (p->leg ? n->times.broadcast_flits_per_bubble : n->times.flits_per_bubble);
}

/* --- broadcasts --- */

/* Along the major axis, along the other one, into a tile; in its tile with its path reserved. */
enum { LEG_NONE, LEG_MAIN, LEG_BRANCH, LEG_LAST, LEG_RESERVED };

static bool major_is_x(const struct noc_packet *p) { return !(p->ctrl & NOC_CTRL_Y_MAJOR); }

/* Remaining steps along an axis from `at` to the end of the rectangle. */
static unsigned steps_left(const struct noc_packet *p, bool along_x, struct noc_place at) {
  unsigned all = along_x ? noc_farthest(p->source.x, p->start.x, p->target.x, NOC_GRID_X)
                         : noc_farthest(p->source.y, p->start.y, p->target.y, NOC_GRID_Y);
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
  copy->leg = leg & 7u;
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
 * other, and may deadlock. A request that may take any channel of its class passes.
 *
 * A broadcast with NOC_CMD_PATH_RESERVE leaves its tile some cycles after it has got its tree, whose links are free for others when its data has
 * left the tile: the next reservation takes longer than the data needs to the last receiver. Silicon: of many tiles whose trees share links one after the
 * other completes all its broadcasts; here the one whose tile has the lowest raw coordinates is first (inferred). */
static bool is_reserved(const struct noc_packet *p) {
  return !noc_packet_is_answer(p) && (p->ctrl & NOC_CTRL_BROADCAST) && (p->ctrl & NOC_CTRL_PATH_RESERVE);
}

static uint32_t reserve_cycles(const struct chip_network *n, const struct noc_packet *p) {
  return n->times.reserve + n->times.reserve_hop * noc_spread_hops(p);
}

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
  if (link % LINKS_PER_ROUTER != LINK_IN) return !is_reserved(p) && is_owned(&n->link[link], p);
  if (is_reserved(p) && n->link[link].owner[p->vc % CHANNELS]) return true; /* an earlier one of the tile */
  return ((p->ctrl & NOC_CTRL_LINKED) || is_reserved(p)) && !each_link(n, p, is_free, held);
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
  chip_network_push(n, (struct event){.at = l->free_at > at ? l->free_at : at, .link = (uint16_t)link});
}

static void disown(struct chip_network *n, const struct noc_packet *p, uint16_t link) {
  uint16_t *owner = &n->link[link].owner[p->vc % CHANNELS];
  if (*owner != 1u + p->tile) return;
  *owner = 0;
  n->owned--;
}

static void wake_sources(struct chip_network *n, sim_time at) {
  if (!n->stalled) return;
  n->stalled = 0;
  for (unsigned k = LINK_IN; k < LINKS; k += LINKS_PER_ROUTER) wake_link(n, at, k);
}

/* The last request of a linked transaction to one tile passes: the link is free for what waits for it, here and at other sources. */
static void free_link(struct chip_network *n, sim_time at, const struct noc_packet *p, uint16_t link) {
  if (!n->owned || p->leg || noc_packet_is_answer(p) || (p->ctrl & NOC_CTRL_LINKED)) return;
  if (n->link[link].owner[p->vc % CHANNELS] != 1u + p->tile) return;
  disown(n, p, link);
  wake_link(n, at, link);
  wake_sources(n, at);
}

static bool leave_link(struct chip_network *n, uint16_t link, const struct noc_packet *p, uint16_t *found) {
  (void)found;
  disown(n, p, link);
  return true;
}

/* false: it is owned by this tile, whose transaction is open. */
static bool is_not_own(struct chip_network *n, uint16_t link, const struct noc_packet *p, uint16_t *found) {
  (void)found;
  return n->link[link].owner[p->vc % CHANNELS] != 1u + p->tile;
}

/* A request leaves its tile, and its data will have left at `end`. */
static void take_or_free_tree(struct chip_network *n, sim_time end, const struct noc_packet *p) {
  if (noc_packet_is_answer(p)) return;
  if (p->ctrl & NOC_CTRL_LINKED) {
    each_link(n, p, take_link, NULL);
  } else if (n->owned && p->leg) {
    each_link(n, p, leave_link, NULL);
    wake_sources(n, end);
  }
}

/* --- buffers --- */

/* Each router keeps `buffer_flits` flits per input and lane. A packet that waits for a link keeps its lane on the links behind it for the flits that the
 * buffers between do not hold, and packets that wait together fill one buffer: nothing follows on a lane that is closed. When the packet gets its link, its
 * last flit passes each link behind it as much earlier as there are buffers between. A lane is a virtual channel before or after the edge of
 * the grid, so that a ring cannot close on itself. Broadcasts with a reserved path pass, and answers without data, which are one flit on a channel of
 * their own. ISA: NoC/README.md, Virtual channels; the depth is inferred. */
static bool waits_in_buffers(const struct noc_packet *p) {
  return !p->leg && !p->weightless && p->kind != NOC_WRITE_ANSWER && p->kind != NOC_ATOMIC_ANSWER;
}

static unsigned lane_of(const struct noc_packet *p, unsigned link) {
  struct noc_place at = place_of(link);
  unsigned kind = link % LINKS_PER_ROUTER;
  bool over = (kind == LINK_X && at.x < p->source.x) || (kind == LINK_Y && at.y < p->source.y);
  return 2u * (p->vc % CHANNELS) + over;
}

/* The link before this one on the packet's way; false: it is the first. */
static bool link_behind(const struct noc_packet *p, uint16_t *link) {
  struct noc_place at = place_of(*link);
  unsigned kind = *link % LINKS_PER_ROUTER;
  if (kind == LINK_IN) return false;
  bool first_y = p->noc != 0;
  bool in_second = kind == LINK_OUT || kind == (first_y ? (unsigned)LINK_X : (unsigned)LINK_Y);
  bool moved_second = in_second && (first_y ? at.x != p->source.x : at.y != p->source.y);
  bool moved_first = first_y ? at.y != p->source.y : at.x != p->source.x;
  unsigned from = moved_second ? (first_y ? LINK_X : LINK_Y) : moved_first ? (first_y ? LINK_Y : LINK_X) : LINK_IN;
  if (from == LINK_X) at.x = (uint8_t)((at.x + NOC_GRID_X - 1) % NOC_GRID_X);
  if (from == LINK_Y) at.y = (uint8_t)((at.y + NOC_GRID_Y - 1) % NOC_GRID_Y);
  *link = link_of(p->noc, at, from);
  return true;
}

/* The packet begins to wait for `link`. */
static void close_behind(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t link) {
  uint32_t flits = holds(n, p), room = n->times.buffer_flits;
  p->arrives = 0;
  if (!waits_in_buffers(p) || !link_behind(p, &link)) return;
  n->link[link].behind[lane_of(p, link)] = (uint16_t)(n->link[link].behind[lane_of(p, link)] + flits);
  for (p->arrives = 1; flits > p->arrives * room && link_behind(p, &link); p->arrives++) {
    struct link *l = &n->link[link];
    if (l->ready[lane_of(p, link)] <= at) break; /* its last flit has passed */
    l->closed[lane_of(p, link)]++;
  }
}

static void wake_link(struct chip_network *n, sim_time at, unsigned link);

/* It gets the link at `at`. */
static void open_behind(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t link) {
  uint32_t flits = holds(n, p), room = n->times.buffer_flits;
  for (unsigned k = 1; k <= p->arrives; k++) {
    if (!link_behind(p, &link)) return;
    struct link *l = &n->link[link];
    unsigned lane = lane_of(p, link);
    sim_time ready = flits > k * room ? at + flits - k * room : at + 1;
    if (k == 1) l->behind[lane] = (uint16_t)(l->behind[lane] - flits);
    else l->closed[lane]--;
    if (ready > l->ready[lane]) l->ready[lane] = ready;
    wake_link(n, l->ready[lane], link);
  }
  p->arrives = 0;
}

/* May the packet follow the earlier ones on its lane? `when`: the time from which it may, if that is known. */
static bool is_closed(const struct chip_network *n, sim_time at, const struct noc_packet *p, uint16_t link, sim_time *when) {
  const struct link *l = &n->link[link];
  if (!waits_in_buffers(p)) return false;
  unsigned lane = lane_of(p, link);
  if (l->closed[lane] || l->behind[lane] >= n->times.buffer_flits) return true;
  if (l->ready[lane] <= at) return false;
  if (l->ready[lane] < *when) *when = l->ready[lane];
  return true;
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
    if (p->arrives) open_behind(n, at, p, index);
    l->ready[lane_of(p, index)] = at + cycles;
  }
  if (kind != LINK_IN) free_link(n, at, p, index);
  else if (!p->weightless) take_or_free_tree(n, at + cycles, p);
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
  if (!chip_network_push(n, (struct event){.at = at, .packet = p, .link = link, .input = (uint8_t)input}))
    refuse_memory(n, p);
}

/* A request may leave its tile. Its path is reserved first, unless a linked transaction has it already. */
static sim_time start(struct chip_network *n, sim_time at, struct noc_packet *p, uint16_t link) {
  if (link % LINKS_PER_ROUTER != LINK_IN || !is_reserved(p) || !each_link(n, p, is_not_own, NULL))
    return carry(n, at, p, link);
  each_link(n, p, take_link, NULL);
  take_link(n, link, p, NULL);
  p->leg = LEG_RESERVED;
  if (!chip_network_push(n, (struct event){.at = at + reserve_cycles(n, p), .packet = p, .link = link})) refuse_memory(n, p);
  return SIM_NEVER;
}

/* The path of a broadcast is reserved. */
static void leave(struct chip_network *n, const struct event *e) {
  struct link *l = &n->link[e->link];
  if (l->free_at > e->at) { /* an answer is passing */
    struct event later = *e;
    later.at = l->free_at;
    if (!chip_network_push(n, later)) refuse_memory(n, e->packet);
    return;
  }
  e->packet->leg = LEG_MAIN;
  disown(n, e->packet, e->link);
  carry(n, e->at, e->packet, e->link);
  wake_link(n, l->free_at, e->link);
}

static void wait_for(struct chip_network *n, struct link *l, const struct event *e) {
  e->packet->next = NULL;
  if (l->head[e->input]) l->tail[e->input]->next = e->packet;
  else l->head[e->input] = e->packet;
  l->tail[e->input] = e->packet;
  close_behind(n, e->at, e->packet, e->link);
  if (l->release) return;
  l->release = 1;
  chip_network_push(n, (struct event){.at = l->free_at > e->at ? l->free_at : e->at, .link = e->link});
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
static struct noc_packet *next_of(struct chip_network *n, sim_time at, uint16_t link, unsigned input, sim_time *when) {
  struct link *l = &n->link[link];
  struct noc_packet *p = l->head[input], *ahead = NULL;
  uint32_t waiting = 0, closed = 0;
  for (unsigned seen = 0; p; ahead = p, p = p->next, seen++) {
    if (seen == LOOK_MAX && link % LINKS_PER_ROUTER == LINK_IN) return NULL;
    bool waits = must_wait(n, p, link) || (is_bound(p) && (waiting >> p->vc % CHANNELS & 1u));
    if (waits) waiting |= 1u << p->vc % CHANNELS;
    bool stops = closed >> lane_of(p, link) & 1u;
    if (!waits && !stops && !is_closed(n, at, p, link, when)) break;
    if (!waits) closed |= 1u << lane_of(p, link);
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
  sim_time when = SIM_NEVER;
  l->release = 0;
  for (unsigned k = 1; k <= INPUTS; k++) {
    unsigned input = (l->last + k) % INPUTS;
    struct noc_packet *p = next_of(n, e->at, e->link, input, &when);
    if (!p) continue;
    l->last = input;
    l->counts.waited_packets++;
    sim_time arrives = start(n, e->at, p, e->link);
    wake_link(n, e->at, e->link);
    return arrives;
  }
  if (when != SIM_NEVER) wake_link(n, when, e->link);
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
  if (e->packet->leg == LEG_RESERVED) {
    leave(n, e);
    return SIM_NEVER;
  }
  sim_time when = SIM_NEVER;
  if (l->release || l->head[e->input] || l->free_at > e->at || must_wait(n, e->packet, e->link) || is_behind(n, l, e) ||
      is_closed(n, e->at, e->packet, e->link, &when)) {
    wait_for(n, l, e);
    return SIM_NEVER;
  }
  l->last = e->input;
  return start(n, e->at, e->packet, e->link);
}

void chip_network_advance(struct chip_network *n, sim_time to) {
  uint32_t in = chip_network_in_cycles(n);
  while (n->event_count && n->events[0].at <= to) {
    struct event e = chip_network_pop(n);
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
  come(n, departs + n->times.niu_out + n->times.hop, p, link_of(p->noc, p->source, LINK_IN),
       noc_packet_is_answer(p) ? CHIP_PORT_X : CHIP_PORT_NIU); /* answers have a queue of their own */
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
