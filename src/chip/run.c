/* Time of the chip: windows in which tiles run independently, and the network between two windows.
 *
 * Let E be the first time at which any endpoint acts. A packet sent from E on reaches its first link at E + in and its target `out`
 * later, so all arrivals before E + in + out are already known: up to there endpoints run independently. */
#include <string.h>

#include "chip/chip.h"
#include "chip/inbox.h"
#include "chip/internal.h"
#include "chip/turn.h"
#include "chip/workers.h"

/* --- a window --- */

/* The two earliest endpoints. */
struct front {
  sim_time first, second;
  struct chip_endpoint *endpoint; /* that of `first` */
};

static struct front find_front(struct chip *c) {
  struct front f = {SIM_NEVER, SIM_NEVER, NULL};
  for (unsigned i = 0; i < c->active_count; i++) {
    struct chip_endpoint *e = &c->endpoint[c->active[i]];
    sim_time at = chip_endpoint_next(e);
    if (at < f.first) {
      f.second = f.first;
      f.first = at;
      f.endpoint = e;
    } else if (at < f.second) {
      f.second = at;
    }
  }
  return f;
}

static void collect(struct chip *c, struct chip_endpoint *e) {
  struct noc_packet *p = e->outbox;
  e->outbox = NULL;
  e->outbox_end = &e->outbox;
  while (p) {
    struct noc_packet *next = p->next;
    p->next = NULL;
    if (p->noc == NOC_LINK) {
      *c->frames_end = p;
      c->frames_end = &p->next;
    } else {
      chip_trail_sent(&e->trail, p);
      chip_network_take(c->network, p);
    }
    p = next;
  }
  const struct sim_fault *fault = e->ops->fault ? e->ops->fault(e->self) : NULL;
  if (e->stopped && !fault) c->stopped = 1;
  e->stopped = 0;
  if (!fault) return;
  bool first =
      !c->fault.kind || fault->cycle < c->fault.cycle || (fault->cycle == c->fault.cycle && e->tile < c->fault_tile);
  if (!first) return;
  c->fault = *fault;
  c->fault_tile = e->tile;
}

/* Only one endpoint is active for some time: runs it until it sends a packet. Returns the cycle up to which all endpoints
 * have run. */
static sim_time run_lone(struct chip *c, struct chip_endpoint *e, sim_time until) {
  uint32_t lookahead = chip_network_lookahead(c->network);
  sim_time reached = until;
  e->stop_at_send = 1;
  chip_run_endpoint(e, until);
  e->stop_at_send = 0;
  if (e->outbox || e->stopped) {
    sim_time next = chip_endpoint_next(e);
    if (next - 1 < reached) reached = next - 1;
    for (const struct noc_packet *p = e->outbox; p; p = p->next)
      if (p->departs + lookahead - 1 < reached) reached = p->departs + lookahead - 1;
  }
  collect(c, e);
  return reached;
}

/* Delivers packets to passive endpoints on this thread, in the order of arrival: ports of one DRAM controller share state. */
static void run_passive(struct chip *c, sim_time until) {
  for (;;) {
    struct chip_endpoint *first = NULL;
    for (unsigned i = 0; i < c->active_count; i++) {
      struct chip_endpoint *e = &c->endpoint[c->active[i]];
      if (e->ops->run || !e->inbox_count || e->inbox[0]->arrives > until) continue;
      if (!first || chip_packet_before(e->inbox[0], first->inbox[0])) first = e;
    }
    if (!first) return;
    chip_run_endpoint(first, first->inbox[0]->arrives);
  }
}

static void run_all(struct chip *c, sim_time until) {
  struct chip_endpoint *due[CHIP_TILES];
  unsigned count = 0;
  for (unsigned i = 0; i < c->active_count; i++) {
    struct chip_endpoint *e = &c->endpoint[c->active[i]];
    if (chip_endpoint_next(e) > until) continue;
    if (e->ops->run) due[count++] = e;
  }
  run_passive(c, until);
  if (count > 1 && c->workers) chip_workers_run(c->workers, due, count, until);
  else
    for (unsigned i = 0; i < count; i++) chip_run_endpoint(due[i], until);
  for (unsigned i = 0; i < c->active_count; i++) {
    struct chip_endpoint *e = &c->endpoint[c->active[i]];
    if (e->outbox || e->stopped || (e->ops->fault && e->ops->fault(e->self))) collect(c, e);
  }
}

/* Moves packets as far as their arrivals are certain; returns the two earliest endpoints after that. */
static struct front advance_network(struct chip *c) {
  struct front f = find_front(c);
  uint32_t in = chip_network_in_cycles(c->network);
  for (;;) {
    sim_time to = f.first < SIM_NEVER - in ? f.first + in - 1 : SIM_NEVER - 1;
    if (chip_network_next(c->network) > to) return f;
    chip_network_advance(c->network, to);
    f = find_front(c);
  }
}

/* A request that has not left its NIU: behind a linked transaction that no request ends. */
static bool holds_request(const struct chip_endpoint *e) {
  for (unsigned noc = 0; e->ops->niu && noc < NOC_NOCS; noc++) {
    const struct noc_niu *niu = e->ops->niu(e->self, noc);
    if (niu && niu->queue) return true;
  }
  return false;
}

static bool anything_blocked(const struct chip *c) {
  if (chip_network_under_way(c->network)) return true; /* behind a linked transaction that no request ends */
  for (unsigned i = 0; i < c->active_count; i++) {
    const struct chip_endpoint *e = &c->endpoint[c->active[i]];
    if ((e->ops->blocked && e->ops->blocked(e->self)) || holds_request(e)) return true;
  }
  return false;
}

/* A caller may have changed tiles whose struct it holds. */
static void look_at_exposed(struct chip *c) {
  for (unsigned i = 0; i < c->active_count; i++) {
    struct chip_endpoint *e = &c->endpoint[c->active[i]];
    if (e->exposed) e->next = e->ops->next(e->self);
    if (e->outbox) collect(c, e);
  }
}

static enum chip_end end_of(struct chip *c, enum chip_end otherwise) {
  if (c->fault.kind) return CHIP_END_FAULT;
  return c->stopped ? CHIP_END_STOPPED : otherwise;
}

sim_time chip_next(struct chip *c) {
  look_at_exposed(c);
  sim_time first = find_front(c).first, packets = chip_network_next(c->network);
  return first < packets ? first : packets;
}

enum chip_end chip_run(struct chip *c, sim_time until) {
  uint32_t lookahead = chip_network_lookahead(c->network);
  c->stopped = 0;
  c->until = until;
  look_at_exposed(c);
  while (!c->fault.kind && !c->stopped) {
    struct front f = advance_network(c);
    if (f.first > until) {
      c->now = until > c->now ? until : c->now;
      if (f.first != SIM_NEVER) return end_of(c, CHIP_END_TIME);
      return end_of(c, anything_blocked(c) ? CHIP_END_BLOCKED : CHIP_END_DONE);
    }
    sim_time window = f.first + lookahead - 1;
    bool lone = f.second > window && f.endpoint->ops->run && chip_network_next(c->network) == SIM_NEVER;
    if (lone && f.second != SIM_NEVER) window = f.second + lookahead - 1;
    if (lone && f.second == SIM_NEVER) window = until;
    if (window > until) window = until;
    if (lone) window = run_lone(c, f.endpoint, window);
    else run_all(c, window);
    c->now = window;
    c->last_progress = window;
    c->windows++;
  }
  return end_of(c, CHIP_END_TIME);
}

bool chip_quiet(const struct chip *c) {
  if (chip_network_under_way(c->network)) return false;
  for (unsigned i = 0; i < c->active_count; i++) {
    const struct chip_endpoint *e = &c->endpoint[c->active[i]];
    if (e->inbox_count || e->outbox || holds_request(e)) return false;
    for (unsigned noc = 0; e->ops->niu && noc < NOC_NOCS; noc++) {
      const struct noc_niu *niu = e->ops->niu(e->self, noc);
      for (unsigned k = 0; niu && k < NOC_LOOPS; k++)
        if (niu->loop[k].used) return false;
    }
  }
  return true;
}
