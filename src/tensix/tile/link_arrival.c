/* The receiving end of a link: link.h. */
#include "tensix/tile/link_arrival.h"

#include "noc/packet.h"
#include "tensix/machine.h"
#include "tensix/tile/link.h"
#include "tensix/tile/outside.h"

void tx_link_arrive(struct tx_tile *t, const struct noc_packet *p, uint64_t at) {
  if (t->fault.kind) return;
  t->engine.now = at;
  t->engine.in_effects = 1;
  t->current = (struct tx_current){.agent = TX_AGENT_NETWORK, .unit = TX_UNIT_FRONTEND};
  tx_link_note_arrival(t);
  if (!tx_outside_write(t, (uint32_t)p->address, noc_packet_data(p), p->length) && !t->fault.kind)
    tx_fault(t, SIM_FAULT_ADDRESS, "tt_eth_ss_regs.h",
             "the other end of the Ethernet link writes %u bytes to 0x%x: there is no such %s", p->length,
             (uint32_t)p->address, p->length == 4 ? "register" : "memory");
  t->engine.in_effects = 0;
}
