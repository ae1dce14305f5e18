/* The port of noc.h between a tile and its NIUs. */
#include "tensix/tile/noc.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/mem/memo.h"
#include "tensix/num/format_pack_acc.h"
#include "tensix/tile/bus_region.h"

/* --- the NIU's interface to the tile --- */

static enum noc_space space(void *tile, uint64_t address, uint32_t length) {
  const struct tx_tile *t = tile;
  if (address + length <= t->l1_bytes) return NOC_SPACE_L1;
  if (address < TX_ADDR_MMIO || address + length > TX_MMIO_END) return NOC_SPACE_NOTHING;
  uint32_t first = (uint32_t)address & ~3u, last = ((uint32_t)address + length + 3u) & ~3u;
  return length && tx_outside_visible_in(t, first, last - first) ? NOC_SPACE_REGISTERS : NOC_SPACE_NOTHING;
}

static bool read(void *tile, uint64_t address, void *bytes, uint32_t length) {
  return tx_outside_read(tile, (uint32_t)address, bytes, length);
}

static bool write(void *tile, uint64_t address, const void *bytes, uint32_t length) {
  return tx_outside_write(tile, (uint32_t)address, bytes, length);
}

static sim_time now(void *tile) { return ((struct tx_tile *)tile)->engine.now; }

static void later(void *tile, sim_time when, unsigned noc, uint32_t what) {
  struct tx_tile *t = tile;
  struct sim_effect effect = {
      .at = when, .kind = TX_EFFECT_NOC_EVENT, .agent = (uint16_t)t->current.agent, .pc = t->current.pc, .w = {noc, what}};
  if (!sim_effect_at(&t->engine, effect))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
}

static void changed(void *tile, unsigned noc, uint32_t offset) {
  struct tx_tile *t = tile;
  if (t->engine.parked) sim_poke(&t->engine, TX_ADDR_NOC + noc * TX_NOC_BYTES + offset);
}

/* Hardware interrupt 1 of the PIC is NoC 0, 2 is NoC 1. ISA: PIC.md */
static void interrupt(void *tile, unsigned noc, bool raised) {
  struct tx_tile *t = tile;
  t->pic.word[TX_PIC_HW_INT + 1 + noc] = raised;
  sim_poke(&t->engine, TX_ADDR_PIC + 4 * (TX_PIC_HW_INT + 1 + noc));
}

static void fault(void *tile, enum sim_fault_kind kind, const char *document, const char *why) {
  tx_fault(tile, kind, document, "%s", why);
}

/* A program may have any number of reads in flight. The list of ranges serves to detect races: the NoC uses at most half of
 * it, and further reads are not checked. */
#define CLAIMS_MAX (TX_INFLIGHT_MAX / 2)

static unsigned claim(void *tile, uint64_t address, uint32_t length, enum noc_claim what) {
  struct tx_tile *t = tile;
  if ((unsigned)__builtin_popcountll(t->inflight.used) >= CLAIMS_MAX) return TX_INFLIGHT_NONE;
  if (address >= t->l1_bytes || length > t->l1_bytes - address) return TX_INFLIGHT_NONE;
  struct tx_range range = {.base = (uint32_t)address,
                           .width = length,
                           .rows = 1,
                           .agent = (uint16_t)(t->current.agent < TX_AGENT_COUNT ? t->current.agent : TX_AGENT_NETWORK),
                           .unit = TX_UNIT_FRONTEND,
                           .write = (uint8_t)what};
  return tx_inflight_add(t, &range);
}

/* A packet returns its handle; a packet of a damaged saved chip may contain any value. */
static void release(void *tile, unsigned handle) {
  const struct tx_tile *t = tile;
  if (handle < TX_INFLIGHT_MAX && handle && (t->inflight.used >> (handle - 1) & 1u)) tx_inflight_remove(tile, handle);
}

static void add_words(uint8_t line[16], const uint8_t data[16]) {
  for (unsigned i = 0; i < 16; i += 4) {
    uint32_t carry = 0;
    for (unsigned k = 0; k < 4; k++) {
      carry += (uint32_t)line[i + k] + data[i + k];
      line[i + k] = (uint8_t)carry;
      carry >>= 8;
    }
  }
}

/* ISA: NoC/Atomics.md, the formats of op 9; sums as in the packer. */
static bool accumulate(unsigned format, uint8_t line[16], const uint8_t data[16]) {
  static const uint8_t floats[3] = {NUM_FP32, NUM_FP16, NUM_BF16};
  if ((format & 7u) < 3) {
    num_acc_bytes(floats[format & 7u], line, data, 16);
    return true;
  }
  if (format == 4 || format == 12 || format == 13) {
    add_words(line, data);
    return true;
  }
  if (format != 7 && format != 15) return false;
  for (unsigned i = 0; i < 16; i++) {
    unsigned sum = (unsigned)line[i] + data[i];
    line[i] = (uint8_t)(format == 7 && sum > 255 ? 255 : sum);
  }
  return true;
}

static bool send(void *tile, struct noc_packet *packet) {
  struct tx_tile *t = tile;
  if (!t->unsaved.network.send) return false;
  packet->agent = (uint16_t)t->current.agent;
  packet->pc = t->current.pc;
  t->unsaved.network.send(t->unsaved.network.net, packet);
  if (t->unsaved.ports->noc_sent) t->unsaved.ports->noc_sent(t, packet); /* the outbox holds it until the window ends */
  return true;
}

static const struct noc_port port = {.space = space,
                                     .read = read,
                                     .write = write,
                                     .now = now,
                                     .later = later,
                                     .changed = changed,
                                     .interrupt = interrupt,
                                     .fault = fault,
                                     .claim = claim,
                                     .release = release,
                                     .accumulate = accumulate,
                                     .send = send};

/* --- the NIUs in the tile --- */

void tx_noc_reset(struct tx_tile *t) {
  struct noc_times times = t->timing ? noc_times_default() : noc_times_off();
  if (t->timing) times.loop = t->params.noc_loop_cycles;
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    uint32_t x = noc == 0 ? TX_NOC_X : NOC_GRID_X - 1 - TX_NOC_X, y = noc == 0 ? TX_NOC_Y : NOC_GRID_Y - 1 - TX_NOC_Y;
    uint32_t node_id = x | y << 6 | NOC_GRID_X << 12 | NOC_GRID_Y << 19 | (noc == 0 ? 1u << 28 : 0);
    noc_niu_reset(&t->niu[noc], noc, node_id, 0x0100u << 8 | noc << 24, NULL, &times);
  }
}

void tx_noc_attach(struct tx_tile *t, struct tx_network network) { t->unsaved.network = network; }

void tx_effect_NOC_EVENT(struct tx_tile *t, const struct sim_effect *e) {
  t->current = (struct tx_current){.agent = e->agent, .pc = e->pc, .unit = TX_UNIT_FRONTEND};
  noc_niu_due(&t->niu[e->w[0]], &port, t, e->w[1]);
  tx_perf_touch(t);
}

/* An atomic, and a write of less than a line, read, modify and write: they occupy the banks of those lines. ISA: L1.md */
static void hold_banks(struct tx_tile *t, const struct noc_packet *p) {
  if (!t->timing || (p->kind != NOC_ATOMIC && p->kind != NOC_WRITE && p->kind != NOC_READ_ANSWER)) return;
  uint32_t bytes = p->kind == NOC_ATOMIC ? 4 : p->length, hold = t->params.l1_narrow_write_cycles;
  if (!bytes || p->address >= t->l1_bytes || bytes > t->l1_bytes - p->address) return;
  const uint32_t first = (uint32_t)p->address, end = first + bytes;
  const bool head = first % 16, tail = end % 16, apart = (end - 1) / 16 != first / 16;
  if (head || (tail && !apart)) tx_l1_request_of_unit(t, TX_L1_PORTS, first, hold);
  if (tail && apart) tx_l1_request_of_unit(t, TX_L1_PORTS, end - 1, hold);
}

void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at) {
  if (t->fault.kind) return;
  t->engine.now = at;
  t->engine.in_effects = 1;
  t->current = (struct tx_current){.agent = TX_AGENT_NETWORK, .unit = TX_UNIT_FRONTEND};
  t->unsaved.memo.arriving = (struct tx_memo_source){packet->pc, (uint16_t)(packet->tile + 1), packet->agent};
  if (t->unsaved.ports->noc_arrives) t->unsaved.ports->noc_arrives(t, packet);
  hold_banks(t, packet);
  noc_niu_arrive(&t->niu[packet->noc], &port, t, packet);
  tx_perf_touch(t);
  t->engine.in_effects = 0;
}

void tx_noc_catch_up(struct tx_tile *t, uint64_t now_is) {
  if (t->engine.now < now_is) t->engine.now = now_is;
}

bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  return noc_niu_read(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], &port, t, address % TX_NOC_BYTES, value);
}

bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  bool done = noc_niu_write(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], &port, t, address % TX_NOC_BYTES, value);
  tx_perf_touch(t);
  return done && !t->fault.kind;
}

/* --- accesses by cores --- */

struct tx_bus_answer tx_access_noc(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->store)
    return noc_niu_writable(r->address % TX_NOC_BYTES) ? tx_bus_emit(t, r, TX_REGION_NOC) : tx_bus_refuse_unmapped(t, r);
  if (tx_bus_behind_stores(t, r, TX_REGION_NOC, &answer)) return answer;
  if (!tx_noc_read(t, r->address & ~3u, &value)) return tx_bus_refuse_unmapped(t, r);
  answer = tx_bus_finish_load(t, r, value, there, 2 * there + 1);
  answer.moves = r->address % TX_NOC_BYTES == NOC_REG_RTZ_NUM; /* the load itself changes it */
  return answer;
}

bool tx_arrive_noc(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_noc_write(t, r->address, r->value);
  return true;
}
