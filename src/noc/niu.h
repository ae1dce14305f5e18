/* The network interface unit (NIU): four request initiators, configuration, counters, and the response side. A tile has one per NoC.
 * Tensix, Ethernet and DRAM tiles use all of it; the others use registers and the response side.
 *
 *   core's store to NOC_CMD_CTRL -> initiator waits for the NIU's output -> packet -> network -> noc_niu_arrive at the target
 *                                                                                              -> answer -> noc_niu_arrive
 *
 * A request with both ends in its own tile does not leave the tile: it stays in `loop` until it completes.
 * Plain data. ISA: NoC/MemoryMap.md, Counters.md, Atomics.md, Coordinates.md (Blackhole); Ordering.md (Wormhole). */
#ifndef TESSERA_NOC_NIU_H
#define TESSERA_NOC_NIU_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/packet.h"
#include "noc/port.h"
#include "noc/state.h"

struct noc_times noc_times_default(void);
struct noc_times noc_times_off(void);

/* Identity as NOC_NODE_ID and NOC_ENDPOINT_ID show it; `config` as firmware leaves it, or NULL for the state after power-on. */
void noc_niu_reset(struct noc_niu *niu, unsigned noc, uint32_t node_id, uint32_t endpoint_id, const uint32_t *config,
                   const struct noc_times *times);

/* Aligned 32-bit accesses. false: no such register (nothing recorded), or a fault was recorded. */
bool noc_niu_read(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t offset, uint32_t *value);
bool noc_niu_write(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t offset, uint32_t value);
bool noc_niu_writable(uint32_t offset);

/* A packet's last flit has arrived, now. The caller keeps the packet. Executes requests and sends the responses. */
void noc_niu_arrive(struct noc_niu *niu, const struct noc_port *port, void *tile, const struct noc_packet *packet);
/* A what-if: what is queued leaves now and does not occupy the output. */
void noc_niu_hurry(struct noc_niu *niu, const struct noc_port *port, void *tile);
/* The callback of port->later. */
void noc_niu_due(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t what);

/* Has the NIU opted out of broadcasts? */
static inline bool noc_niu_opted_out(const struct noc_niu *n) {
  struct noc_place at = noc_niu_place(n);
  return (n->config[NOC_CFG_OPT_OUT_X] >> at.x & 1u) || (n->config[NOC_CFG_OPT_OUT_Y] >> at.y & 1u);
}
/* A what-if: packets of this kind, with an answer and without a broadcast, that wait for the output; and with those inside the tile. */
bool noc_niu_asks(const struct noc_niu *niu, unsigned initiator,
                  unsigned kind); /* is the initiator set up for such a request? */
uint32_t noc_niu_queued(const struct noc_niu *niu, unsigned kind);
uint32_t noc_niu_pending(const struct noc_niu *niu, unsigned kind);
/* Is a request of this NIU in progress: is a response outstanding, or does a request wait or loop? */
bool noc_niu_waits(const struct noc_niu *niu);

/* For a saved state: is the NIU's state possible, and can this event be pending (noc_niu_due)? */
bool noc_niu_valid(const struct noc_niu *niu);
bool noc_event_valid(const struct noc_niu *niu, uint32_t what);
/* The claim on L1 that the event ends; 0: none. */
unsigned noc_event_claim(uint32_t what);
/* Whether the event belongs to a packet that the network already has, so that nothing can hold it back. */
bool noc_event_departed(uint32_t what);

#endif
