/* Requests of a tile to itself, which do not leave the tile. Data moves when the request completes; its L1 ranges are
 * claimed until then. */
#include "noc/loop.h"

#include <string.h>

#include "noc/atomic.h"
#include "noc/respond.h"

static bool plain_write(const struct noc_packet *p) {
  return p->kind == NOC_WRITE && !(p->ctrl & (NOC_CTRL_INLINE | NOC_CTRL_BYTE_MASK));
}

static void tell(const struct noc_at *at, const struct noc_packet *p, unsigned place, bool done) {
  if ((p->kind == NOC_ATOMIC || p->kind == NOC_READ) && at->port->looped) at->port->looped(at->tile, p, place, done);
}

/* The request's flits pass at its end, from L1 to L1. */
static void stream(const struct noc_at *at, const struct noc_packet *p) {
  sim_time from = at->port->now(at->tile) + at->niu->times.loop;
  if (p->kind != NOC_READ && !plain_write(p)) return;
  noc_stream(at, false, p->kind == NOC_READ ? p->address : p->answer_address, p->length, from);
  noc_stream(at, true, p->kind == NOC_READ ? p->answer_address : p->address, p->length, from);
}

/* Cycles for which the request waits at the banks of L1. */
static uint32_t wait_of(const struct noc_at *at, const struct noc_packet *p) {
  uint32_t read = noc_late(at, false), written = noc_late(at, true), late = read > written ? read : written;
  if (late || !at->port->narrow) return late;
  if (p->kind == NOC_READ) return at->port->narrow(at->tile, p->answer_address, p->length);
  return p->kind == NOC_ATOMIC || plain_write(p) ? at->port->narrow(at->tile, p->address, p->length) : 0;
}

bool noc_loop_start(const struct noc_at *at, const struct noc_packet *p, unsigned source_claim) {
  struct noc_niu *n = at->niu;
  unsigned place = 0;
  while (place < NOC_LOOPS && n->loop[place].used) place++;
  if (place == NOC_LOOPS) return false;
  n->loop[place] = (struct noc_loop){.packet = *p, .used = 1, .source_claim = source_claim};
  if (plain_write(p) && at->port->claim)
    n->loop[place].packet.claim = (uint8_t)at->port->claim(at->tile, p->address, p->length, NOC_CLAIM_TARGET);
  if (p->kind == NOC_READ && at->port->claim)
    n->loop[place].source_claim = at->port->claim(at->tile, p->address, p->length, NOC_CLAIM_OWN);
  tell(at, p, place, false);
  noc_count(at, NOC_MST_ACCEPTED, 1);
  bool answered = p->ctrl & NOC_CTRL_ANSWERED;
  if (p->kind == NOC_READ) {
    noc_count(at, NOC_MST_RD_STARTED, 1);
    noc_count(at, NOC_MST_RD_SENT, 1);
  } else if (p->kind == NOC_WRITE) {
    noc_count(at, answered ? NOC_MST_NP_WR_STARTED : NOC_MST_P_WR_STARTED, 1);
    if (p->ctrl & NOC_CTRL_INLINE) noc_count(at, answered ? NOC_MST_NP_WR : NOC_MST_P_WR, 1);
  } else if (answered) {
    noc_count(at, NOC_MST_NP_ATOMIC_STARTED, 1);
  }
  uint32_t cycles = n->times.loop ? n->times.loop + noc_data_flits(p) : 1;
  stream(at, p);
  noc_later(at, at->port->now(at->tile) + cycles, NOC_EVENT_LOOP_DONE | place << NOC_EVENT_BITS);
  return true;
}

static bool copy_read(const struct noc_at *at, const struct noc_packet *p) {
  uint8_t bytes[256];
  if (!noc_check_ends(at, p, p->answer_address)) return false;
  for (uint32_t done = 0; done < p->length; done += sizeof bytes) {
    uint32_t n = p->length - done < sizeof bytes ? p->length - done : (uint32_t)sizeof bytes;
    if (!at->port->read(at->tile, p->address + done, bytes, n)) return false;
    if (!at->port->write(at->tile, p->answer_address + done, bytes, n)) return false;
  }
  return true;
}

static bool copy_write(const struct noc_at *at, struct noc_packet *p) {
  uint8_t bytes[NOC_PACKET_BYTES];
  if (p->ctrl & NOC_CTRL_INLINE) {
    for (unsigned k = 0; k < 4; k++) bytes[k] = (uint8_t)(p->data >> (8 * k));
    return noc_do_write(at, p, bytes);
  }
  uint64_t from = p->ctrl & NOC_CTRL_BYTE_MASK ? p->answer_address & ~(uint64_t)15 : p->answer_address;
  if (at->port->space(at->tile, from, p->length) == NOC_SPACE_NOTHING || !at->port->read(at->tile, from, bytes, p->length)) {
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p, "the source is not visible to the NoC");
    return false;
  }
  return noc_do_write(at, p, bytes);
}

static void finish_write(const struct noc_at *at, const struct noc_packet *p) {
  bool answered = p->ctrl & NOC_CTRL_ANSWERED;
  if (p->ctrl & NOC_CTRL_INLINE) return;
  noc_count(at, answered ? NOC_MST_NP_WR : NOC_MST_P_WR, 1);
  noc_count(at, answered ? NOC_MST_NP_WORDS : NOC_MST_P_WORDS, noc_data_flits(p));
  noc_count(at, NOC_MST_OUTGOING + noc_packet_id(p), UINT32_MAX);
}

static bool finish_atomic(const struct noc_at *at, const struct noc_packet *p) {
  uint32_t result;
  uint8_t raw[4];
  bool answered = p->ctrl & NOC_CTRL_ANSWERED;
  if (!noc_do_atomic(at, p, &result)) return false;
  noc_count(at, answered ? NOC_MST_NP_ATOMIC : NOC_MST_P_ATOMIC, 1);
  for (unsigned k = 0; k < 4; k++) raw[k] = (uint8_t)(result >> (8 * k));
  if (!answered) return true;
  if (at->port->space(at->tile, p->answer_address & ~(uint64_t)3, 4) == NOC_SPACE_L1)
    return at->port->write(at->tile, p->answer_address & ~(uint64_t)3, raw, 4);
  noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/Atomics.md", p, "the result's address is not in L1");
  return false;
}

bool noc_loop_done(const struct noc_at *at, unsigned place) {
  struct noc_loop loop = at->niu->loop[place];
  struct noc_packet *p = &loop.packet;
  uint32_t wait = wait_of(at, p);
  if (wait) {
    noc_later(at, at->port->now(at->tile) + wait, NOC_EVENT_LOOP_DONE | place << NOC_EVENT_BITS);
    return false;
  }
  memset(&at->niu->loop[place], 0, sizeof loop);
  if (p->claim) at->port->release(at->tile, p->claim);
  if (loop.source_claim) at->port->release(at->tile, loop.source_claim);
  tell(at, p, place, true);
  bool done = p->kind == NOC_READ ? copy_read(at, p) : p->kind == NOC_WRITE ? copy_write(at, p) : finish_atomic(at, p);
  if (!done) return false;
  if (p->kind == NOC_WRITE) finish_write(at, p);
  noc_count_request(at, p);
  if (p->kind == NOC_READ || (p->ctrl & NOC_CTRL_ANSWERED)) {
    noc_count_answer(at, p);
    noc_count_completed(at, p);
  }
  return true;
}
