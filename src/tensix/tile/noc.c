/* The NIUs of noc.h. */
#include "tensix/tile/noc.h"

#include <string.h>

#include "tensix/tile/bus_region.h"

#define PACKET_BYTES 16384u
#define FLIT_BYTES 64u

/* words of an initiator */
enum {
  TARG_LO,
  TARG_MID,
  TARG_HI,
  RET_LO,
  RET_MID,
  RET_HI,
  PACKET_TAG,
  CTRL,
  AT_LEN_BE,
  AT_LEN_BE_1,
  AT_DATA,
  BRCST_EXCLUDE,
  L1_ACC_AT_INSTRN,
  SEC_CTRL,
  INITIATOR_WORDS
};
/* NOC_CTRL */
enum {
  CMD_AT = 1u << 0,
  CMD_WR = 1u << 1,
  CMD_WR_BE = 1u << 2,
  CMD_WR_INLINE = 1u << 3,
  CMD_RESP_MARKED = 1u << 4,
  CMD_BRCST = 1u << 5,
  CMD_LINKED = 1u << 6
};
#define CMD_L1_ACC 0x80000000u
/* registers besides the initiators */
enum {
  CMD_CTRL = 0x40,
  NODE_ID = 0x44,
  ENDPOINT_ID = 0x48,
  CLEAR_OUTSTANDING = 0x60,
  BUF_AVAIL = 0x64,
  BUF_OVERFLOW = 0x68,
  CONFIG = 0x100,
  CONFIG_END = 0x180,
  COUNTERS = 0x200,
  COUNTERS_END = 0x300
};
enum { CFG_NIU_0 = 0, CFG_ID_LOGICAL = 18 };
/* counters */
enum {
  MST_ATOMIC_RESP = 0,
  MST_WR_ACK = 1,
  MST_RD_RESP = 2,
  MST_RD_WORDS = 3,
  MST_ACCEPTED = 4,
  MST_RD_SENT = 5,
  MST_NP_ATOMIC = 6,
  MST_P_ATOMIC = 7,
  MST_NP_WORDS = 8,
  MST_P_WORDS = 9,
  MST_NP_WR = 10,
  MST_P_WR = 11,
  MST_NP_WR_STARTED = 12,
  MST_P_WR_STARTED = 13,
  MST_RD_STARTED = 14,
  MST_NP_ATOMIC_STARTED = 15,
  MST_OUTSTANDING = 16,
  MST_OUTGOING = 32,
  SLV_ATOMIC_RESP = 48,
  SLV_WR_ACK = 49,
  SLV_RD_RESP = 50,
  SLV_RD_WORDS = 51,
  SLV_ACCEPTED = 52,
  SLV_RD = 53,
  SLV_NP_ATOMIC = 54,
  SLV_P_ATOMIC = 55,
  SLV_NP_WORDS = 56,
  SLV_P_WORDS = 57,
  SLV_NP_WR = 58,
  SLV_P_WR = 59,
  SLV_NP_WR_STARTED = 60,
  SLV_P_WR_STARTED = 61
};

static uint32_t own_place(unsigned noc) {
  return noc == 0 ? (TX_NOC_X | TX_NOC_Y << 6) : ((16 - TX_NOC_X) | (11 - TX_NOC_Y) << 6);
}

void tx_noc_reset(struct tx_tile *t) {
  memset(t->noc, 0, sizeof t->noc);
  for (unsigned noc = 0; noc < TX_NOCS; noc++) t->noc[noc].config[CFG_ID_LOGICAL] = own_place(noc);
}

static void count(struct tx_tile *t, unsigned noc, unsigned which, uint32_t by) {
  uint32_t *c = &t->noc[noc].counter[which];
  bool narrow = which >= MST_OUTSTANDING && which < SLV_ATOMIC_RESP;
  *c += by;
  if (narrow) *c &= 0xffu;
  sim_poke(&t->engine, TX_ADDR_NOC + noc * TX_NOC_BYTES + COUNTERS + 4 * which);
}

/* --- where a request goes --- */

/* One end of a request: this tile, by its place or (the same here) its logical place. */
static bool is_here(struct tx_tile *t, unsigned noc, uint32_t high, uint32_t middle, const char *what) {
  uint32_t place = high & 0xfffu;
  if (middle == 0 && (place == own_place(noc) || place == (t->noc[noc].config[CFG_ID_LOGICAL] & 0xfffu))) return true;
  tx_fault(
      t, SIM_FAULT_UNSUPPORTED, "NoC/MemoryMap.md",
      "NoC %u: the %s of a request is at x %u, y %u (address bits 63:32 0x%x); only this tile, x %u, y %u, is simulated",
      noc, what, place & 63u, place >> 6, middle, own_place(noc) & 63u, own_place(noc) >> 6);
  return false;
}

static bool refuse(struct tx_tile *t, unsigned noc, const char *what) {
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "NoC/MemoryMap.md", "NoC %u: %s", noc, what);
  return false;
}

static bool check(struct tx_tile *t, unsigned noc, const uint32_t *w) {
  uint32_t c = w[CTRL];
  bool inline_write = (c & CMD_WR) && (c & CMD_WR_INLINE), atomic = c & CMD_AT;
  if (c & CMD_BRCST) return refuse(t, noc, "broadcast requests are not simulated");
  if (c & CMD_LINKED) return refuse(t, noc, "linked requests are not simulated");
  if (c & CMD_L1_ACC) return refuse(t, noc, "accumulation in L1 by the NoC is not simulated (the document calls it broken)");
  if ((c & 3u) == 3u) return refuse(t, noc, "request type 3 is reserved");
  if (t->noc[noc].config[CFG_NIU_0] & 1u << 14) return refuse(t, noc, "coordinate translation is not simulated");
  if (!is_here(t, noc, w[TARG_HI], w[TARG_MID], "target")) return false;
  if (inline_write || (atomic && !(c & CMD_RESP_MARKED))) return true; /* the return address is not used */
  return is_here(t, noc, w[RET_HI], w[RET_MID], "return address");
}

/* --- carrying it out --- */

static bool in_l1(uint32_t address) { return address < TX_L1_BYTES; }

static void bad_range(struct tx_tile *t, unsigned noc, uint32_t address, uint32_t length) {
  tx_fault(t, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", "NoC %u: %u bytes at 0x%08x are not visible to the NoC", noc, length,
           address);
}

static void copy(struct tx_tile *t, unsigned noc, uint32_t from, uint32_t to, uint32_t length) {
  static const uint32_t step = 256;
  uint8_t bytes[256];
  if ((!in_l1(from) || !in_l1(to)) && length != 4) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "NoC/MemoryMap.md",
             "NoC %u: %u bytes from 0x%08x to 0x%08x: registers take 4 bytes only", noc, length, from, to);
    return;
  }
  for (uint32_t at = 0; at < length && !t->fault.kind; at += step) {
    uint32_t n = length - at < step ? length - at : step;
    if (!tx_outside_read(t, from + at, bytes, n)) bad_range(t, noc, from + at, n);
    else if (!tx_outside_write(t, to + at, bytes, n)) bad_range(t, noc, to + at, n);
  }
}

static void copy_masked(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  if (!in_l1(q->ret)) {
    copy(t, noc, q->target, q->ret, 4);
    return;
  }
  for (uint32_t i = 0; i < FLIT_BYTES && !t->fault.kind; i++)
    if (q->enables[i / 32] >> (i % 32) & 1u) copy(t, noc, (q->target & ~15u) + i, (q->ret & ~15u) + i, 1);
}

/* ISA: Atomics.md. [1:0] word in the 16 bytes, [6:2] width - 1 or compare and set values, [15:12] opcode. */
static void atomic(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  enum { INCR_GET = 1, SWAP_MASK = 3, CAS = 4, SWAP_INDEX6 = 6, SWAP_INDEX7 = 7 };
  uint32_t op = q->length >> 12 & 15u, at = (q->target & ~15u) + 4 * (q->length & 3u);
  if (!in_l1(q->target) || (q->control & CMD_RESP_MARKED && !in_l1(q->ret))) {
    bad_range(t, noc, in_l1(q->target) ? q->ret : q->target, 4);
    return;
  }
  uint32_t result = tx_l1_read(t, q->target & ~3u, 4), old = tx_l1_read(t, at, 4), value;
  uint32_t mask = 0xffffffffu >> (31 - (q->length >> 2 & 31u));
  switch (op) {
    case INCR_GET: value = ((old + q->data) & mask) | (old & ~mask); break;
    case CAS: value = old == (q->length >> 2 & 15u) ? q->length >> 6 & 15u : old; break;
    case SWAP_INDEX6:
    case SWAP_INDEX7: value = q->data; break;
    default:
      tx_fault(t, SIM_FAULT_UNSUPPORTED, "NoC/Atomics.md", "NoC %u: atomic opcode %u is not simulated", noc, op);
      return;
  }
  uint8_t raw[4];
  for (unsigned i = 0; i < 4; i++) raw[i] = (uint8_t)(value >> (8 * i));
  tx_l1_write(t, at, raw, 4);
  for (unsigned i = 0; i < 4; i++) raw[i] = (uint8_t)(result >> (8 * i));
  if (q->control & CMD_RESP_MARKED) tx_l1_write(t, q->ret & ~3u, raw, 4);
}

static uint32_t flits(uint32_t length) { return length ? (length + FLIT_BYTES - 1) / FLIT_BYTES : 1; }

static void finish_write(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q, uint32_t words) {
  bool marked = q->control & CMD_RESP_MARKED, inline_write = q->control & CMD_WR_INLINE;
  if (!inline_write) {
    count(t, noc, marked ? MST_NP_WR : MST_P_WR, 1);
    count(t, noc, marked ? MST_NP_WORDS : MST_P_WORDS, words);
    count(t, noc, MST_OUTGOING + q->id, UINT32_MAX);
  }
  count(t, noc, marked ? SLV_NP_WR_STARTED : SLV_P_WR_STARTED, 1);
  count(t, noc, marked ? SLV_NP_WORDS : SLV_P_WORDS, words);
  count(t, noc, marked ? SLV_NP_WR : SLV_P_WR, 1);
  if (!marked) return;
  count(t, noc, SLV_WR_ACK, 1);
  count(t, noc, MST_WR_ACK, 1);
  count(t, noc, MST_OUTSTANDING + q->id, UINT32_MAX);
}

static void finish_read(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  uint32_t words = flits(q->length);
  count(t, noc, SLV_ACCEPTED, 1);
  count(t, noc, SLV_RD, 1);
  count(t, noc, SLV_RD_RESP, 1);
  count(t, noc, SLV_RD_WORDS, words);
  count(t, noc, MST_RD_RESP, 1);
  count(t, noc, MST_RD_WORDS, words);
  count(t, noc, MST_OUTSTANDING + q->id, UINT32_MAX);
}

static void finish_atomic(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  bool marked = q->control & CMD_RESP_MARKED;
  count(t, noc, marked ? MST_NP_ATOMIC : MST_P_ATOMIC, 1);
  count(t, noc, SLV_ACCEPTED, 1);
  count(t, noc, marked ? SLV_NP_ATOMIC : SLV_P_ATOMIC, 1);
  if (!marked) return;
  count(t, noc, SLV_ATOMIC_RESP, 1);
  count(t, noc, MST_ATOMIC_RESP, 1);
  count(t, noc, MST_OUTSTANDING + q->id, UINT32_MAX);
}

static void carry_out(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  if (q->control & CMD_AT) {
    atomic(t, noc, q);
    finish_atomic(t, noc, q);
  } else if (!(q->control & CMD_WR)) {
    copy(t, noc, q->target, q->ret, q->length);
    finish_read(t, noc, q);
  } else if (q->control & CMD_WR_INLINE) {
    uint8_t raw[4] = {(uint8_t)q->data, (uint8_t)(q->data >> 8), (uint8_t)(q->data >> 16), (uint8_t)(q->data >> 24)};
    if (!tx_outside_write(t, q->target & ~3u, raw, 4)) bad_range(t, noc, q->target, 4);
    finish_write(t, noc, q, 1);
  } else if (q->control & CMD_WR_BE) {
    copy_masked(t, noc, q);
    finish_write(t, noc, q, 1);
  } else {
    copy(t, noc, q->target, q->ret, q->length);
    finish_write(t, noc, q, flits(q->length));
  }
}

/* --- starting one --- */

static uint32_t list_range(struct tx_tile *t, const struct tx_noc_request *q, uint32_t base, bool write) {
  if (!in_l1(base) || q->length > TX_L1_BYTES - base || (q->control & (CMD_AT | CMD_WR_INLINE | CMD_WR_BE)))
    return TX_INFLIGHT_NONE;
  struct tx_range range = {
      .base = base, .width = q->length, .rows = 1, .agent = (uint16_t)q->agent, .unit = TX_UNIT_FRONTEND, .write = write};
  return tx_inflight_add(t, &range);
}

static void send(struct tx_tile *t, unsigned noc, unsigned place, const struct tx_noc_request *request) {
  struct tx_noc_request *q = &t->noc[noc].pending[place];
  *q = *request;
  q->used = 1;
  q->range[0] = (uint8_t)list_range(t, q, q->target, false);
  q->range[1] = (uint8_t)list_range(t, q, q->ret, true);
  uint32_t bytes = q->control & (CMD_AT | CMD_WR_INLINE | CMD_WR_BE) ? 4 : q->length;
  uint32_t w[SIM_EFFECT_WORDS] = {noc, place};
  count(t, noc, MST_ACCEPTED, 1);
  tx_later(t, t->params.noc_loop_cycles + flits(bytes), TX_EFFECT_NOC_DONE, w);
}

static int free_place(const struct tx_noc *n) {
  for (unsigned i = 0; i < TX_NOC_PENDING; i++)
    if (!n->pending[i].used) return (int)i;
  return -1;
}

/* The counters that move when a virtual channel is assigned. */
static void count_start(struct tx_tile *t, unsigned noc, const struct tx_noc_request *q) {
  bool marked = q->control & CMD_RESP_MARKED;
  if (q->control & CMD_AT) {
    if (marked) count(t, noc, MST_NP_ATOMIC_STARTED, 1);
  } else if (q->control & CMD_WR) {
    count(t, noc, marked ? MST_NP_WR_STARTED : MST_P_WR_STARTED, 1);
    if (q->control & CMD_WR_INLINE) count(t, noc, marked ? MST_NP_WR : MST_P_WR, 1);
  } else {
    count(t, noc, MST_RD_STARTED, 1);
    count(t, noc, MST_RD_SENT, 1);
  }
}

/* Starts what an initiator holds, one packet of at most 16 KiB at a time while there are places; the rest stays in its registers. */
static void pump(struct tx_tile *t, unsigned noc, unsigned i) {
  uint32_t *w = t->noc[noc].initiator[i];
  bool whole = w[CTRL] & (CMD_AT | CMD_WR_BE) || ((w[CTRL] & CMD_WR) && (w[CTRL] & CMD_WR_INLINE));
  while (t->noc[noc].busy[i] && !t->fault.kind) {
    int place = free_place(&t->noc[noc]);
    if (place < 0) return;
    bool more = !whole && w[AT_LEN_BE] > PACKET_BYTES;
    struct tx_noc_request q = {.target = w[TARG_LO],
                               .ret = w[RET_LO],
                               .length = more ? PACKET_BYTES : w[AT_LEN_BE],
                               .enables = {w[AT_LEN_BE], w[AT_LEN_BE_1]},
                               .control = w[CTRL],
                               .data = w[AT_DATA],
                               .id = w[PACKET_TAG] >> 10 & 15u,
                               .agent = t->current.agent};
    count_start(t, noc, &q);
    send(t, noc, (unsigned)place, &q);
    if (more) {
      w[AT_LEN_BE] -= PACKET_BYTES;
      w[TARG_LO] += PACKET_BYTES;
      w[RET_LO] += PACKET_BYTES;
    } else {
      t->noc[noc].busy[i] = 0;
      sim_poke(&t->engine, TX_ADDR_NOC + noc * TX_NOC_BYTES + 0x800u * i + CMD_CTRL);
    }
  }
}

static void begin(struct tx_tile *t, unsigned noc, unsigned i) {
  const uint32_t *w = t->noc[noc].initiator[i];
  uint32_t c = w[CTRL], id = w[PACKET_TAG] >> 10 & 15u;
  if (t->noc[noc].busy[i]) {
    refuse(t, noc, "NOC_CMD_CTRL written while the initiator's last request has not left it");
    return;
  }
  if (!check(t, noc, w)) return;
  bool copies = !(c & CMD_AT) && !((c & CMD_WR) && (c & (CMD_WR_INLINE | CMD_WR_BE)));
  uint32_t packets =
      copies && w[AT_LEN_BE] > PACKET_BYTES ? (uint32_t)(((uint64_t)w[AT_LEN_BE] + PACKET_BYTES - 1) / PACKET_BYTES) : 1;
  if (!(c & (CMD_AT | CMD_WR)) || (c & CMD_RESP_MARKED)) count(t, noc, MST_OUTSTANDING + id, packets);
  if ((c & CMD_WR) && !(c & CMD_WR_INLINE)) count(t, noc, MST_OUTGOING + id, packets);
  t->noc[noc].busy[i] = 1;
  pump(t, noc, i);
}

void tx_effect_NOC_DONE(struct tx_tile *t, const struct sim_effect *e) {
  unsigned noc = e->w[0];
  struct tx_noc_request q = t->noc[noc].pending[e->w[1]];
  t->current = (struct tx_current){.agent = q.agent, .unit = TX_UNIT_FRONTEND};
  for (unsigned i = 0; i < 2; i++) tx_inflight_remove(t, q.range[i]);
  memset(&t->noc[noc].pending[e->w[1]], 0, sizeof q);
  carry_out(t, noc, &q);
  for (unsigned i = 0; i < TX_NOC_INITIATORS; i++) pump(t, noc, i);
}

/* --- registers --- */

static unsigned noc_of(uint32_t address) { return (address - TX_ADDR_NOC) / TX_NOC_BYTES; }

bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  unsigned noc = noc_of(address), i;
  uint32_t offset = address % TX_NOC_BYTES, low = offset & 0x7ffu;
  const struct tx_noc *n = &t->noc[noc];
  i = offset / 0x800u;
  if (i < TX_NOC_INITIATORS && low / 4 < INITIATOR_WORDS) *value = n->initiator[i][low / 4];
  else if (i < TX_NOC_INITIATORS && low == CMD_CTRL) *value = n->busy[i];
  else if (i < TX_NOC_INITIATORS && low == NODE_ID)
    *value = own_place(noc) | 17u << 12 | 12u << 19 | (noc == 0 ? 1u << 28 : 0);
  else if (i < TX_NOC_INITIATORS && low == ENDPOINT_ID) *value = 0x0100u << 8 | noc << 24;
  else if (i < TX_NOC_INITIATORS && low == BUF_AVAIL)
    *value = 0x08080808u; /* inferred: places of the request FIFO, all free */
  else if (i < TX_NOC_INITIATORS && low == BUF_OVERFLOW) *value = 0;
  else if (offset >= CONFIG && offset < CONFIG_END) *value = n->config[(offset - CONFIG) / 4];
  else if (offset >= COUNTERS && offset < COUNTERS_END) *value = n->counter[(offset - COUNTERS) / 4];
  else return false;
  return true;
}

static bool writable(uint32_t address) {
  uint32_t offset = address % TX_NOC_BYTES, low = offset & 0x7ffu;
  if (offset / 0x800u < TX_NOC_INITIATORS && (low / 4 < INITIATOR_WORDS || low == CMD_CTRL)) return true;
  return offset == CLEAR_OUTSTANDING || (offset >= CONFIG && offset < CONFIG_END);
}

bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  if (!writable(address)) return false;
  unsigned noc = noc_of(address), i;
  uint32_t offset = address % TX_NOC_BYTES, low = offset & 0x7ffu;
  struct tx_noc *n = &t->noc[noc];
  i = offset / 0x800u;
  if (i < TX_NOC_INITIATORS && low / 4 < INITIATOR_WORDS) {
    n->initiator[i][low / 4] = low / 4 == PACKET_TAG ? value & 0xffffu : value;
  } else if (i < TX_NOC_INITIATORS && low == CMD_CTRL) {
    if (value & 1u) begin(t, noc, i);
  } else if (offset == CLEAR_OUTSTANDING) {
    for (unsigned id = 0; id < 16; id++)
      if (value >> id & 1u) n->counter[MST_OUTSTANDING + id] = 0, count(t, noc, MST_OUTSTANDING + id, 0);
  } else {
    n->config[(offset - CONFIG) / 4] = value;
  }
  return !t->fault.kind;
}

/* --- as a core sees them --- */

struct tx_bus_answer tx_access_noc(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->store) return writable(r->address) ? tx_bus_emit(t, r, TX_REGION_NOC) : tx_bus_refuse_unmapped(t, r);
  if (tx_bus_behind_stores(t, r, TX_REGION_NOC, &answer)) return answer;
  if (!tx_noc_read(t, r->address & ~3u, &value)) return tx_bus_refuse_unmapped(t, r);
  return tx_bus_finish_load(t, r, value, there, 2 * there + 1);
}

bool tx_arrive_noc(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_noc_write(t, r->address, r->value);
  return true;
}
