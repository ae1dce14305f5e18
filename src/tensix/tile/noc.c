/* The port of noc.h between a tile and its NIUs. */
#include "tensix/tile/noc.h"

#include <string.h>

#include "noc/node.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/mem/memo.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

/* --- the NIUs in the tile --- */

void tx_noc_reset(struct tx_tile *t) {
  struct noc_times times = t->timing ? noc_times_default() : noc_times_off();
  if (t->timing) times.loop = t->params.noc_loop_cycles;
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    uint32_t x = noc == 0 ? TX_NOC_X : NOC_GRID_X - 1 - TX_NOC_X, y = noc == 0 ? TX_NOC_Y : NOC_GRID_Y - 1 - TX_NOC_Y;
    noc_niu_reset(&t->niu[noc], noc, noc_node_id(noc, x, y), noc_endpoint_id(noc, NOC_ENDPOINT_TENSIX, 0), NULL, &times);
  }
}

void tx_noc_attach(struct tx_tile *t, struct tx_network network) { t->unsaved.network = network; }

void tx_effect_NOC_EVENT(struct tx_tile *t, const struct sim_effect *e) {
  t->current = (struct tx_current){.agent = e->agent, .pc = e->pc, .unit = TX_UNIT_FRONTEND};
  noc_niu_due(&t->niu[e->w[0]], t->unsaved.ports->noc, t, e->w[1]);
  tx_perf_touch(t);
}

/* --- banks of L1 --- */

/* The first and the last line of a write that are not whole. */
struct ends {
  unsigned count;
  uint32_t address[2];
};

static struct ends narrow_ends(const struct tx_tile *t, uint64_t address, uint32_t length) {
  struct ends e = {0};
  if (!t->timing || !length || address >= t->l1_bytes || length > t->l1_bytes - address) return e;
  const uint32_t first = (uint32_t)address, end = first + length;
  const bool head = first % 16, tail = end % 16, apart = (end - 1) / 16 != first / 16;
  if (head || (tail && !apart)) e.address[e.count++] = first;
  if (tail && apart) e.address[e.count++] = end - 1;
  return e;
}

uint32_t tx_noc_bank_wait(const struct tx_tile *t, uint64_t address, uint32_t length, uint64_t at) {
  const struct ends e = narrow_ends(t, address, length);
  sim_time free = at;
  for (unsigned i = 0; i < e.count; i++) {
    sim_time bank = t->l1_ports.bank_free[tx_l1_bank(e.address[i])];
    if (bank > free) free = bank;
  }
  return (uint32_t)(free - at);
}

void tx_noc_hold_banks(struct tx_tile *t, uint64_t address, uint32_t length) {
  const struct ends e = narrow_ends(t, address, length);
  for (unsigned i = 0; i < e.count; i++)
    tx_l1_request_of_unit(t, TX_L1_PORTS, e.address[i], t->params.l1_narrow_write_cycles);
}

static bool writes_l1(const struct noc_packet *p) {
  return p->kind == NOC_ATOMIC || p->kind == NOC_WRITE || p->kind == NOC_READ_ANSWER;
}

static uint32_t bytes_of(const struct noc_packet *p) { return p->kind == NOC_ATOMIC ? 4 : p->length; }

bool tx_noc_has_lines(const struct noc_packet *p) {
  if (p->kind == NOC_WRITE) return !(p->ctrl & (NOC_CTRL_INLINE | NOC_CTRL_BYTE_MASK));
  return p->kind == NOC_READ_ANSWER;
}

/* A waiting packet is completed before later ones: they wait too, and their flits enter after it. */
static sim_time behind(const struct tx_l1_niu *n, uint64_t packet, uint32_t flits, sim_time at) {
  if (packet == n->waits || at >= n->until + flits) return at;
  return at < n->until ? n->until : n->until + flits;
}

uint32_t tx_noc_wait(struct tx_tile *t, const struct noc_packet *p, uint64_t at) {
  struct tx_l1_niu *n = &t->l1_ports.niu[p->noc];
  if (!t->timing || t->fault.kind) return 0;
  const uint32_t flits = tx_noc_has_lines(p) ? noc_flits(p->length) : 0;
  const uint64_t packet = (uint64_t)p->tile << 48 | (p->sequence & UINT64_C(0xffffffffffff));
  sim_time until = behind(n, packet, flits, at);
  if (until > at && until == n->until) return (uint32_t)(until - at); /* its turn comes then */
  if (flits && n->delay) {
    if (until < at + n->delay) until = at + n->delay;
    n->delay = 0;
  }
  uint32_t banks = writes_l1(p) ? tx_noc_bank_wait(t, p->address, bytes_of(p), at) : 0;
  if (until < at + banks) until = at + banks;
  if (until == at) return 0;
  n->until = until;
  n->waits = packet;
  return (uint32_t)(until - at);
}

/* For hang reports: flags and semaphores, not responses. */
static void note_packet(struct tx_tile *t, const struct noc_packet *p) {
  if (!t->unsaved.memo.on || (p->kind != NOC_ATOMIC && p->kind != NOC_WRITE)) return;
  if (bytes_of(p) <= TX_MEMO_BYTES && p->address < t->l1_bytes) tx_memo_packet(t, (uint32_t)p->address, bytes_of(p));
}

/* The packet is not possible here: its sender is to blame, and an answer's is a core of this tile. */
static void blame_sender(struct tx_tile *t, const struct noc_packet *p) {
  struct sim_fault *f = &t->fault;
  if (p->agent < TX_AGENT_TRISC0 || p->agent > TX_AGENT_NCRISC || f->agent != TX_AGENT_NETWORK) return;
  f->pc = p->pc;
  if (noc_packet_is_answer(p)) {
    f->agent = p->agent;
    return;
  }
  f->word = p->agent;
  f->unit = p->tile;
}

static struct tx_memo_source memo_source(const struct noc_packet *p) {
  uint16_t tile = (uint16_t)(p->tile + 1);
  if (noc_packet_is_answer(p)) return (struct tx_memo_source){.tile = tile, .agent = TX_AGENT_NETWORK};
  return (struct tx_memo_source){p->pc, tile, p->agent};
}

static void arrive(struct tx_tile *t, const struct noc_packet *packet) {
  t->current = (struct tx_current){.agent = TX_AGENT_NETWORK, .unit = TX_UNIT_FRONTEND};
  t->unsaved.memo.arriving = memo_source(packet);
  note_packet(t, packet);
  if (t->unsaved.ports->noc_arrives) t->unsaved.ports->noc_arrives(t, packet);
  if (writes_l1(packet)) tx_noc_hold_banks(t, packet->address, bytes_of(packet));
  noc_niu_arrive(&t->niu[packet->noc], t->unsaved.ports->noc, t, packet);
  if (t->fault.kind) blame_sender(t, packet);
  if (__builtin_expect(t->unsaved.arrivals.note != NULL, 0)) t->unsaved.arrivals.note(t->unsaved.arrivals.context, packet);
  tx_perf_touch(t);
}

void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at) {
  if (t->fault.kind) return;
  t->engine.now = at;
  t->engine.in_effects = 1;
  arrive(t, packet);
  t->engine.in_effects = 0;
}

void tx_noc_arrive_own(struct tx_tile *t, const struct noc_packet *packet) {
  struct tx_current sender = t->current;
  struct tx_memo_source source = t->unsaved.memo.arriving;
  sim_assert(t->engine.in_effects); /* requests and answers leave in effects only */
  if (t->fault.kind) return;
  arrive(t, packet);
  t->current = sender;
  t->unsaved.memo.arriving = source;
}

bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  return noc_niu_read(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], t->unsaved.ports->noc, t, address % TX_NOC_BYTES,
                      value);
}

bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  bool done = noc_niu_write(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], t->unsaved.ports->noc, t,
                            address % TX_NOC_BYTES, value);
  tx_perf_touch(t);
  return done && !t->fault.kind;
}

/* --- accesses by cores --- */

struct tx_bus_answer tx_access_noc(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->store) return noc_niu_writable(r->address % TX_NOC_BYTES) ? tx_bus_emit(t, r, TX_REGION_NOC) : tx_bus_unmapped();
  if (tx_bus_behind_stores(t, r, TX_REGION_NOC, &answer)) return answer;
  if (!tx_noc_read(t, r->address & ~3u, &value)) return tx_bus_unmapped();
  answer = tx_bus_finish_load(t, r, value, there, 2 * there + 1);
  answer.moves = r->address % TX_NOC_BYTES == NOC_REG_RTZ_NUM; /* the load itself changes it */
  return answer;
}

bool tx_arrive_noc(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_noc_write(t, r->address, r->value);
  return true;
}
