/* An endpoint's turn in a window (turn.h). */
#include "chip/turn.h"

#include "chip/inbox.h"

sim_time chip_endpoint_next(const struct chip_endpoint *e) {
  sim_time arrival = e->inbox_count ? e->inbox[0]->arrives : SIM_NEVER;
  return arrival < e->next ? arrival : e->next;
}

/* false: the endpoint has sent a packet and was to stop then, or a breakpoint stopped it. */
static bool run_to(struct chip_endpoint *e, sim_time until) {
  enum sim_end end = e->ops->run(e->self, until, e->chip->until);
  e->next = e->ops->next(e->self);
  if (end == SIM_END_STOPPED && !(e->stop_at_send && e->outbox)) e->stopped = 1;
  return !e->stop_at_send || (!e->outbox && !e->stopped);
}

void chip_run_endpoint(struct chip_endpoint *e, sim_time until) {
  for (;;) {
    sim_time arrival = e->inbox_count ? e->inbox[0]->arrives : SIM_NEVER;
    if (e->next < arrival && e->next <= until) {
      if (!run_to(e, arrival <= until ? arrival - 1 : until)) return;
      continue;
    }
    if (arrival > until) return;
    struct noc_packet *p = chip_inbox_take(e);
    uint32_t wait = e->ops->take(e->self, p, arrival);
    if (wait) {
      p->arrives += wait;
      chip_inbox_put(e, p);
      e->next = e->ops->next(e->self);
      continue;
    }
    e->received++;
    chip_trail_arrived(&e->trail, p);
    noc_packet_free(p);
    if (e->ops->next) e->next = e->ops->next(e->self);
    if (e->stop_at_send && e->outbox) return;
  }
}
