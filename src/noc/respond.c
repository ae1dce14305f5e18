/* The response side of an NIU: executes arriving requests on the tile and responds to them, and stores the data of arriving
 * responses. */
#include "noc/respond.h"

#include <stdio.h>
#include <string.h>

#include "chips/blackhole/address_map.h"
#include "noc/atomic.h"

static bool answered(const struct noc_packet *p) { return p->kind == NOC_READ || (p->ctrl & NOC_CTRL_ANSWERED); }

/* --- counters (ISA: NoC/Counters.md) --- */

void noc_count_request(const struct noc_at *at, const struct noc_packet *p) {
  bool np = p->ctrl & NOC_CTRL_ANSWERED;
  if (p->kind == NOC_WRITE) {
    noc_count(at, np ? NOC_SLV_NP_WR_STARTED : NOC_SLV_P_WR_STARTED, 1);
    noc_count(at, np ? NOC_SLV_NP_WORDS : NOC_SLV_P_WORDS, noc_data_flits(p));
    noc_count(at, np ? NOC_SLV_NP_WR : NOC_SLV_P_WR, 1);
    return;
  }
  noc_count(at, NOC_SLV_ACCEPTED, 1);
  if (p->kind == NOC_READ) noc_count(at, NOC_SLV_RD, 1);
  else noc_count(at, np ? NOC_SLV_NP_ATOMIC : NOC_SLV_P_ATOMIC, 1);
}

/* The response to request `p` leaves. */
void noc_count_answer(const struct noc_at *at, const struct noc_packet *p) {
  if (p->kind == NOC_WRITE) noc_count(at, NOC_SLV_WR_ACK, 1);
  else if (p->kind == NOC_ATOMIC) noc_count(at, NOC_SLV_ATOMIC_RESP, 1);
  else {
    noc_count(at, NOC_SLV_RD_RESP, 1);
    noc_count(at, NOC_SLV_RD_WORDS, noc_data_flits(p));
  }
}

/* The response has arrived; `p` is the request or its response. */
void noc_count_completed(const struct noc_at *at, const struct noc_packet *p) {
  if (p->kind == NOC_WRITE || p->kind == NOC_WRITE_ANSWER) noc_count(at, NOC_MST_WR_ACK, 1);
  else if (p->kind == NOC_ATOMIC || p->kind == NOC_ATOMIC_ANSWER) noc_count(at, NOC_MST_ATOMIC_RESP, 1);
  else {
    noc_count(at, NOC_MST_RD_RESP, 1);
    noc_count(at, NOC_MST_RD_WORDS, noc_data_flits(p));
  }
  noc_complete(at, noc_packet_id(p));
}

/* --- memory --- */

/* The first bytes may be visible: then the text states where they end. */
static void refuse_invisible(const struct noc_at *at, const struct noc_packet *p, uint64_t address, uint32_t length,
                             const char *document, const char *what) {
  char why[96];
  const char *known = at->port->refusal ? at->port->refusal(at->tile, address) : NULL;
  if (known) {
    noc_refuse(at, SIM_FAULT_UNSUPPORTED, document, p, known);
    return;
  }
  enum noc_space space = at->port->space(at->tile, address, 1);
  uint32_t visible = space == NOC_SPACE_L1 || space == NOC_SPACE_MEMORY, beyond = length;
  while (visible && beyond - visible > 1) {
    uint32_t middle = visible + (beyond - visible) / 2;
    if (at->port->space(at->tile, address, middle) == NOC_SPACE_NOTHING) beyond = middle;
    else visible = middle;
  }
  if (visible && visible < length)
    snprintf(why, sizeof why, "%s ends at 0x%llx, the access at 0x%llx: not visible to the NoC",
             space == NOC_SPACE_L1 ? "L1" : "memory", (unsigned long long)(address + visible),
             (unsigned long long)(address + length));
  else snprintf(why, sizeof why, "the %s's address is not visible to the NoC", what);
  noc_refuse(at, SIM_FAULT_ADDRESS, document, p, why);
}

/* May the bytes of a read or write move between p->address in this tile and `other` at the remote end? ISA:
 * NoC/Alignment.md */
bool noc_check_ends(const struct noc_at *at, const struct noc_packet *p, uint64_t other) {
  enum noc_space space = at->port->space(at->tile, p->address, p->length);
  const char *why = NULL;
  bool read = p->kind == NOC_READ;
  uint64_t differ = p->address ^ other;
  if (space == NOC_SPACE_NOTHING) {
    refuse_invisible(at, p, p->address, p->length, "NoC/Alignment.md", "target");
    return false;
  }
  if (space == NOC_SPACE_REGISTERS) {
    if (p->length > 4 || (p->address & 3u) + p->length > 4 || (!read && p->length != 4))
      why = "registers take aligned words";
    else if (differ & 3u) why = "register and memory address differ modulo 4";
  } else if (other >= TX_ADDR_MMIO) {
    if (p->length > 4) why = "registers take aligned words";
  } else if (differ & (read && space == NOC_SPACE_MEMORY ? 63u : 15u)) {
    why = read && space == NOC_SPACE_MEMORY ? "source and destination differ modulo 64"
                                            : "source and destination differ modulo 16";
  }
  if (why) noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/Alignment.md", p, why);
  return !why;
}

static bool write_masked(const struct noc_at *at, const struct noc_packet *p, const uint8_t *data) {
  uint64_t to = p->address & ~(uint64_t)15;
  if (at->port->space(at->tile, to, 4) == NOC_SPACE_REGISTERS) return at->port->write(at->tile, to, data, 4);
  if (at->port->space(at->tile, to, NOC_FLIT_BYTES) == NOC_SPACE_NOTHING) {
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p, "the target's address is not visible to the NoC");
    return false;
  }
  for (unsigned first = 0; first < NOC_FLIT_BYTES;) { /* runs of enabled bytes */
    unsigned last = first;
    while (last < NOC_FLIT_BYTES && p->byte_mask >> last & 1u) last++;
    if (last > first && !at->port->write(at->tile, to + first, data + first, last - first)) return false;
    first = last + 1;
  }
  return true;
}

/* The final write as an accumulation: 16 bytes at a time. ISA: NoC/Atomics.md, op 9 */
static bool write_accumulated(const struct noc_at *at, const struct noc_packet *p, const uint8_t *data) {
  if (at->port->space(at->tile, p->address, p->length) != NOC_SPACE_L1 || ((p->address | p->length) & 15u) ||
      !at->port->accumulate || (p->accumulate >> 12 & 15u) != 9) {
    noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/Atomics.md", p, "accumulation needs op 9 and whole 16-byte lines of L1");
    return false;
  }
  for (uint32_t i = 0; i < p->length; i += 16) {
    uint8_t line[16];
    if (!at->port->read(at->tile, p->address + i, line, 16)) return false;
    if (!at->port->accumulate(p->accumulate & 15u, line, data + i)) {
      noc_refuse(at, SIM_FAULT_UNSUPPORTED, "NoC/Atomics.md", p, "no such format of accumulation");
      return false;
    }
    if (!at->port->write(at->tile, p->address + i, line, 16)) return false;
  }
  return true;
}

/* ISA: NoC/MemoryMap.md, NIU_CFG_0 bit 13: tiles other than Tensix and Ethernet may ignore the flag; firmware sets the bit. */
static bool stores_headers(const struct noc_niu *n) {
  const uint32_t type = n->endpoint_id >> 8 & 0xffffu;
  return type == NOC_ENDPOINT_TENSIX || type == NOC_ENDPOINT_ETHERNET ||
         !(n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_NO_HEADER_STORE);
}

static bool store_header(const struct noc_at *at, const struct noc_packet *p, const uint8_t *data) {
  uint64_t to = (uint64_t)p->data << 4;
  uint32_t n = p->length < 16 ? p->length : 16;
  enum noc_space space = at->port->space(at->tile, to, 16);
  if (space == NOC_SPACE_L1 || space == NOC_SPACE_MEMORY) return at->port->write(at->tile, to, data, n);
  noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/MemoryMap.md", p, "a header store needs memory at NOC_AT_DATA * 16");
  return false;
}

bool noc_do_write(const struct noc_at *at, const struct noc_packet *p, const uint8_t *data) {
  bool ok;
  if (p->ctrl & NOC_CTRL_INLINE) {
    /* ISA: NoC/MemoryMap.md (Blackhole): an inline write to L1 can hang, so it is rejected. */
    enum noc_space space = at->port->space(at->tile, p->address & ~(uint64_t)3, 4);
    ok = space == NOC_SPACE_REGISTERS && at->port->write(at->tile, p->address & ~(uint64_t)3, data, 4);
    if (space == NOC_SPACE_NOTHING)
      noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p, "the target's address is not visible to the NoC");
    else if (space != NOC_SPACE_REGISTERS)
      noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/MemoryMap.md", p, "an inline write to memory: Blackhole may hang on it");
    else if (!ok) noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p, "no such register, or it cannot be written");
    return ok;
  }
  if (p->ctrl & NOC_CTRL_BYTE_MASK) return write_masked(at, p, data);
  if (!noc_check_ends(at, p, p->answer_address)) return false;
  ok = p->ctrl & NOC_CTRL_ACCUMULATE ? write_accumulated(at, p, data)
                                     : at->port->write(at->tile, p->address, data, p->length);
  if (ok && (p->tag & 0x200u) && stores_headers(at->niu)) ok = store_header(at, p, data);
  if (!ok)
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p,
               at->port->space(at->tile, p->address, p->length) == NOC_SPACE_REGISTERS
                   ? "no such register, or it cannot be written"
                   : "no memory answers at that address");
  return ok;
}

/* --- requests --- */

/* The response to `p` with room for `bytes`; NULL: out of memory. */
static struct noc_packet *answer_to(const struct noc_at *at, const struct noc_packet *p, uint32_t bytes, bool write) {
  struct noc_packet *a = noc_packet_new(bytes);
  sim_time now = at->port->now(at->tile);
  if (!a) {
    noc_refuse(at, SIM_FAULT_CAPACITY, "packet.h", p, "no memory for a packet");
    return NULL;
  }
  a->kind = (uint8_t)noc_answer_kind(p->kind);
  a->noc = p->noc;
  a->tag = p->tag;
  a->ctrl = p->ctrl;
  a->accumulate = p->accumulate;
  a->claim = p->kind == NOC_READ ? p->claim : 0;
  a->initiator = p->initiator;
  a->agent = noc_same_place(p->source, p->answer) ? p->agent : SIM_NO_AGENT;
  a->pc = p->pc;
  a->tile = (uint16_t)at->niu->tile;
  a->source = noc_niu_place(at->niu);
  a->target = a->answer = p->answer;
  a->address = p->answer_address;
  a->answer_address = p->address;
  a->length = bytes;
  a->vc = 6u | (p->vc & 1u); /* class 3 */
  a->weightless = p->weightless;
  a->departs = at->port->serve && !p->weightless ? at->port->serve(at->tile, p->address, p->length, write)
                                                 : now + (write ? at->niu->times.write_answer : 0);
  return a;
}

static void send_answer(const struct noc_at *at, const struct noc_packet *p, struct noc_packet *a) {
  noc_count_answer(at, p);
  if (at->port->send(at->tile, a)) return;
  noc_refuse(at, SIM_FAULT_UNSUPPORTED, "NoC/MemoryMap.md", p, "there is no network for the answer");
  noc_packet_free(a);
}

static void take_read(const struct noc_at *at, const struct noc_packet *p) {
  if (!noc_check_ends(at, p, p->answer_address)) return;
  struct noc_packet *a = answer_to(at, p, p->length, false);
  if (!a) return;
  uint64_t from = p->address;
  uint8_t word[4], *bytes = noc_packet_bytes(a);
  bool small = p->length < 4 && at->port->space(at->tile, from & ~(uint64_t)3, 4) == NOC_SPACE_REGISTERS;
  bool ok =
      small ? at->port->read(at->tile, from & ~(uint64_t)3, word, 4) : at->port->read(at->tile, from, bytes, p->length);
  if (!ok) {
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p,
               at->port->space(at->tile, from & ~(uint64_t)3, 4) == NOC_SPACE_REGISTERS
                   ? "no such register"
                   : "no memory answers at that address");
    noc_packet_free(a);
    return;
  }
  if (small) memcpy(bytes, word + (from & 3u), p->length);
  if (!p->weightless) a->departs = noc_stream(at, false, from, p->length, a->departs + noc_late(at, false));
  send_answer(at, p, a);
}

static void take_write(const struct noc_at *at, const struct noc_packet *p) {
  if (!noc_do_write(at, p, noc_packet_data(p))) return;
  if (!answered(p)) {
    if (at->port->serve && !p->weightless)
      at->port->serve(at->tile, p->address, p->length, true); /* it occupies the memory all the same */
    return;
  }
  struct noc_packet *a = answer_to(at, p, 0, true);
  if (a) send_answer(at, p, a);
}

static void take_atomic(const struct noc_at *at, const struct noc_packet *p) {
  uint32_t result;
  if (!noc_do_atomic(at, p, &result) || !answered(p)) return;
  struct noc_packet *a = answer_to(at, p, 4, false);
  if (!a) return;
  for (unsigned k = 0; k < 4; k++) a->small[k] = (uint8_t)(result >> (8 * k));
  send_answer(at, p, a);
}

/* --- answers --- */

static void take_answer(const struct noc_at *at, const struct noc_packet *p) {
  uint64_t to = p->kind == NOC_ATOMIC_ANSWER ? p->address & ~(uint64_t)3 : p->address;
  if (p->claim && noc_same_place(p->target, noc_niu_place(at->niu)) && at->port->release)
    at->port->release(at->tile, p->claim);
  if (p->kind != NOC_WRITE_ANSWER) {
    enum noc_space space = at->port->space(at->tile, to, p->length);
    bool fits = space == NOC_SPACE_REGISTERS ? p->length == 4 && p->kind == NOC_READ_ANSWER : space != NOC_SPACE_NOTHING;
    /* ISA: NoC/Atomics.md: the result goes to L1. inferred: elsewhere it is undefined */
    if (p->kind == NOC_ATOMIC_ANSWER && space != NOC_SPACE_L1 && space != NOC_SPACE_NOTHING) {
      noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/Atomics.md", p, "the result's address is not in L1");
      return;
    }
    bool adds = fits && p->kind == NOC_READ_ANSWER && (p->ctrl & NOC_CTRL_ACCUMULATE);
    if (adds && !write_accumulated(at, p, noc_packet_data(p))) return;
    if (!adds && (!fits || !at->port->write(at->tile, to, noc_packet_data(p), p->length))) {
      refuse_invisible(at, p, to, p->length, "NoC/MemoryMap.md", "answer");
      return;
    }
  }
  if (!at->port->at_once || !at->port->at_once(at->tile, p)) noc_count_completed(at, p);
}

void noc_take(const struct noc_at *at, const struct noc_packet *p) {
  if (noc_packet_is_answer(p)) {
    take_answer(at, p);
    return;
  }
  if (p->kind == NOC_WRITE && p->claim && noc_same_place(p->source, noc_niu_place(at->niu)) && at->port->release)
    at->port->release(at->tile, p->claim);
  noc_count_request(at, p);
  if (p->kind == NOC_READ) take_read(at, p);
  else if (p->kind == NOC_WRITE) take_write(at, p);
  else take_atomic(at, p);
}
