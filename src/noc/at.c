/* Counters, events, completion interrupts and errors of an NIU (at.h). */
#include "noc/at.h"

#include <stdio.h>

void noc_changed(const struct noc_at *at, uint32_t offset) {
  if (at->port->changed) at->port->changed(at->tile, at->niu->noc, offset);
}

void noc_later(const struct noc_at *at, sim_time when, uint32_t what) {
  sim_time now = at->port->now(at->tile);
  at->port->later(at->tile, when > now ? when : now + 1, at->niu->noc, what);
}

void noc_count(const struct noc_at *at, unsigned counter, uint32_t by) {
  uint32_t *c = &at->niu->counter[counter];
  *c += by;
  if (counter >= NOC_MST_OUTSTANDING && counter < NOC_SLV_ATOMIC_RESP) *c &= 0xffu;
  noc_changed(at, NOC_REG_COUNTERS + 4 * counter);
}

void noc_raise(const struct noc_at *at) {
  bool raised = at->niu->rtz_source & at->niu->config[NOC_CFG_RTZ] & 0xffffu;
  if (at->port->interrupt) at->port->interrupt(at->tile, at->niu->noc, raised);
}

/* ISA: NoC/Interrupts.md: the source bit is set when the counter goes from positive to zero. */
void noc_complete(const struct noc_at *at, unsigned id) {
  bool last = at->niu->counter[NOC_MST_OUTSTANDING + id] == 1;
  noc_count(at, NOC_MST_OUTSTANDING + id, UINT32_MAX);
  if (!last) return;
  at->niu->rtz_source |= 1u << id;
  noc_changed(at, NOC_REG_RTZ_SOURCE);
  noc_raise(at);
}

void noc_refuse(const struct noc_at *at, enum sim_fault_kind kind, const char *document, const struct noc_packet *packet,
                const char *why) {
  char words[160], text[SIM_WHY_MAX + 64];
  noc_packet_words(packet, words, sizeof words);
  snprintf(text, sizeof text, "%s: %s", words, why);
  at->port->fault(at->tile, kind, document, text);
}
