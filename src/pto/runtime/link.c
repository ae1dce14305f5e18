/* See link.h. inferred: transfers are served in the order of their start; no cache holds data that several blocks read. */
#include "pto/runtime/link.h"

/* A transfer is served after those before it; it ends when both its own route and its service have ended. */
sim_time pto_link_serve(struct pto_machine *m, uint32_t bytes, sim_time route_end) {
  uint64_t rate = (uint64_t)m->profile->gm_centi_gb_per_s * 10;
  uint64_t service = ((uint64_t)bytes * m->profile->clock_mhz * 1024 + rate - 1) / rate, now = m->engine.now * 1024;
  m->link->free_at = (m->link->free_at > now ? m->link->free_at : now) + service;
  m->link->busy += service;
  sim_time served = (m->link->free_at + 1023) / 1024;
  return served > route_end ? served : route_end;
}
