/* An NIU with its tile and its port, shared by its files: counters, events, completion interrupts, errors. All others use
 * niu.h. */
#ifndef TESSERA_NOC_AT_H
#define TESSERA_NOC_AT_H

#include "noc/packet.h"
#include "noc/port.h"
#include "noc/state.h"

/* An NIU with its tile and its port: the first argument of its functions. */
struct noc_at {
  struct noc_niu *niu;
  const struct noc_port *port;
  void *tile;
};

/* The argument that port->later returns: the event in the low bits, its operands above. */
enum noc_event {
  NOC_EVENT_SEND,      /* the output accepts the next initiator's packet */
  NOC_EVENT_SENT,      /* a write's last flit has left: [7:4] id, [8] answered, [15:9] claim, [31:16] flits */
  NOC_EVENT_LOOP_DONE, /* [7:4] place in loop[] */
};
#define NOC_EVENT_BITS 4u
#define NOC_EVENT_CLAIM 9u

static inline bool noc_same_place(struct noc_place a, struct noc_place b) { return a.x == b.x && a.y == b.y; }

void noc_count(const struct noc_at *at, unsigned counter, uint32_t by);
/* A response with this id has arrived: updates the outstanding counter and the completion interrupt. */
void noc_complete(const struct noc_at *at, unsigned id);
void noc_raise(const struct noc_at *at); /* re-evaluates the completion interrupt */
void noc_changed(const struct noc_at *at, uint32_t offset);
void noc_later(const struct noc_at *at, sim_time when, uint32_t what);
/* Records a fault that shows the request's registers and both ends. */
void noc_refuse(const struct noc_at *at, enum sim_fault_kind kind, const char *document, const struct noc_packet *packet,
                const char *why);

/* The banks of the tile's memory (port.h); 0 and nothing without them. */
static inline sim_time noc_stream(const struct noc_at *at, bool write, uint64_t address, uint32_t length, sim_time from) {
  return at->port->stream ? at->port->stream(at->tile, at->niu->noc, write, address, length, from) : from;
}
static inline uint32_t noc_late(const struct noc_at *at, bool write) {
  return at->port->late ? at->port->late(at->tile, at->niu->noc, write) : 0;
}

/* Number of flits after the header for the bytes that the packet carries or requests. */
static inline uint32_t noc_data_flits(const struct noc_packet *p) {
  if (p->kind == NOC_ATOMIC || p->kind == NOC_ATOMIC_ANSWER || (p->ctrl & (NOC_CTRL_INLINE | NOC_CTRL_BYTE_MASK))) return 1;
  uint32_t flits = noc_flits(p->length);
  return flits ? flits : 1;
}

#endif
