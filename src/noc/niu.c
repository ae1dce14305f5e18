/* The NIU of niu.h: registers, counters, completion interrupts. initiate.c sends requests, respond.c executes them. */
#include "noc/niu.h"

#include <stdio.h>
#include <string.h>

#include "noc/at.h"
#include "noc/initiate.h"
#include "noc/loop.h"
#include "noc/respond.h"

/* --- time --- */

struct noc_times noc_times_default(void) {
  return (struct noc_times){
#define NOC_TIME(name, value, evidence, source, what) .name = (value),
#include "chips/blackhole/noc_timing.def"
#undef NOC_TIME
  };
}

struct noc_times noc_times_off(void) {
  return (struct noc_times){0};
}

/* --- reset --- */

void noc_niu_reset(struct noc_niu *niu, unsigned noc, uint32_t node_id, uint32_t endpoint_id, const uint32_t *config,
                   const struct noc_times *times) {
  memset(niu, 0, sizeof *niu);
  niu->noc = noc;
  niu->node_id = node_id;
  niu->endpoint_id = endpoint_id;
  niu->times = *times;
  struct noc_place at = noc_niu_place(niu);
  uint32_t x = noc == 0 ? at.x : NOC_GRID_X - 1 - at.x, y = noc == 0 ? at.y : NOC_GRID_Y - 1 - at.y;
  niu->tile = y * NOC_GRID_X + x;
  niu->config[NOC_CFG_ID_LOGICAL] = node_id & 0xfffu;
  if (config) memcpy(niu->config, config, sizeof niu->config);
}

bool noc_niu_waits(const struct noc_niu *niu) {
  if (niu->queue) return true;
  for (unsigned i = 0; i < NOC_LOOPS; i++)
    if (niu->loop[i].used) return true;
  for (unsigned id = 0; id < 16; id++)
    if (niu->counter[NOC_MST_OUTSTANDING + id]) return true;
  return false;
}

/* --- reading --- */

/* Returns and clears the index of one pending enabled completion; not cleared if RTZ_CFG bit 28 is set. ISA:
 * NoC/Interrupts.md */
static uint32_t take_completion(const struct noc_at *at) {
  uint32_t pending = at->niu->rtz_source & at->niu->config[NOC_CFG_RTZ] & 0xffffu;
  if (!pending) return 0;
  uint32_t id = (uint32_t)__builtin_ctz(pending);
  if (!(at->niu->config[NOC_CFG_RTZ] & 1u << 28)) {
    at->niu->rtz_source &= ~(1u << id);
    noc_changed(at, NOC_REG_RTZ_SOURCE);
    noc_raise(at);
  }
  return id;
}

/* Free entries of the request FIFOs, 5 bits each at 0, 8, 16 and 24. */
static uint32_t free_places(const struct noc_niu *n) {
  uint32_t value = 0;
  for (unsigned i = 0; i < NOC_INITIATORS; i++) value |= (NOC_FIFO_PLACES - n->fifo_count[i]) << (8 * i);
  return value;
}

/* NOC_CMD_CTRL reads 1 until the request has left the initiator; with the request FIFO (inferred) while that is full. */
static uint32_t waits_to_send(const struct noc_niu *n, unsigned i) {
  if (n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_FIFO) return n->fifo_count[i] == NOC_FIFO_PLACES;
  return n->busy[i];
}

/* Registers that appear in every initiator's block. */
static bool read_common(const struct noc_niu *n, uint32_t low, uint32_t *value) {
  if (low == NOC_REG_NODE_ID) *value = n->node_id;
  else if (low == NOC_REG_ENDPOINT_ID) *value = n->endpoint_id;
  else if (low >= NOC_REG_ERRORS && low < NOC_REG_ERRORS_END) *value = n->errors[(low - NOC_REG_ERRORS) / 4];
  else if (low == NOC_REG_BUF_AVAIL) *value = free_places(n);
  else if (low == NOC_REG_BUF_OVERFLOW) *value = 0;
  else return false;
  return true;
}

bool noc_niu_read(struct noc_niu *n, const struct noc_port *port, void *tile, uint32_t offset, uint32_t *value) {
  struct noc_at at = {n, port, tile};
  uint32_t i = offset / NOC_INITIATOR_STRIDE, low = offset % NOC_INITIATOR_STRIDE;
  if (i < NOC_INITIATORS && low / 4 < NOC_INITIATOR_WORDS) *value = n->initiator[i][low / 4];
  else if (i < NOC_INITIATORS && low == NOC_REG_CMD_CTRL) *value = waits_to_send(n, i);
  else if (i < NOC_INITIATORS && read_common(n, low, value)) return true;
  else if (offset >= NOC_REG_CONFIG && offset < NOC_REG_CONFIG + 4 * NOC_CONFIG_WORDS)
    *value = offset == NOC_REG_CONFIG + 4 * NOC_CFG_RTZ_CLEAR ? 0 : n->config[(offset - NOC_REG_CONFIG) / 4];
  else if (offset >= NOC_REG_COUNTERS && offset < NOC_REG_COUNTERS + 4 * NOC_COUNTERS)
    *value = n->counter[(offset - NOC_REG_COUNTERS) / 4];
  else if (offset == NOC_REG_RTZ_SOURCE) *value = n->rtz_source;
  else if (offset == NOC_REG_RTZ_NUM) *value = take_completion(&at);
  else if (offset >= NOC_REG_SECURITY && offset < NOC_REG_SECURITY_END)
    *value = n->security[(offset - NOC_REG_SECURITY) / 4];
  else return false;
  return true;
}

/* --- writing --- */

bool noc_niu_writable(uint32_t offset) {
  uint32_t low = offset % NOC_INITIATOR_STRIDE;
  if (offset / NOC_INITIATOR_STRIDE < NOC_INITIATORS && (low / 4 < NOC_INITIATOR_WORDS || low == NOC_REG_CMD_CTRL))
    return true;
  if (offset >= NOC_REG_ERRORS && offset < NOC_REG_ERRORS_END) return true;
  if (offset >= NOC_REG_SECURITY && offset < NOC_REG_SECURITY_END) return true;
  return offset == NOC_REG_CLEAR_OUTSTANDING || (offset >= NOC_REG_CONFIG && offset < NOC_REG_COUNTERS - 0x80u);
}

static bool is_table(uint32_t index) {
  return (index >= NOC_CFG_X_TABLE && index < NOC_CFG_ID_LOGICAL) ||
         (index >= NOC_CFG_COLUMN_MASK && index <= NOC_CFG_DDR_SWAP);
}

static void write_config(const struct noc_at *at, uint32_t index, uint32_t value) {
  struct noc_niu *n = at->niu;
  if (index == NOC_CFG_RTZ_CLEAR) {
    n->rtz_source &= ~value;
    noc_changed(at, NOC_REG_RTZ_SOURCE);
    noc_raise(at);
    return;
  }
  if (is_table(index) && n->config[index] != value) n->own_tables = 1;
  n->config[index] = value;
  if (index == NOC_CFG_RTZ) noc_raise(at);
}

static void clear_outstanding(const struct noc_at *at, uint32_t ids) {
  for (unsigned id = 0; id < 16; id++) {
    if (!(ids >> id & 1u)) continue;
    at->niu->counter[NOC_MST_OUTSTANDING + id] = 0;
    noc_changed(at, NOC_REG_COUNTERS + 4 * (NOC_MST_OUTSTANDING + id));
  }
}

/* No register of an initiator may be written between its NOC_CMD_CTRL and the packet's departure. ISA: NoC/MemoryMap.md */
static bool write_initiator(const struct noc_at *at, uint32_t i, uint32_t word, uint32_t value) {
  if (at->niu->busy[i] && !(at->niu->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_FIFO)) {
    char text[SIM_WHY_MAX];
    snprintf(
        text, sizeof text,
        "NoC %u: register 0x%x of initiator %u written while NOC_CMD_CTRL still reads 1: CTRL 0x%x, TARG 0x%x, RET 0x%x",
        at->niu->noc, 4 * word, i, at->niu->initiator[i][NOC_CTRL], at->niu->initiator[i][NOC_TARG_LO],
        at->niu->initiator[i][NOC_RET_LO]);
    at->port->fault(at->tile, SIM_FAULT_UNDEFINED, "NoC/MemoryMap.md", text);
    return false;
  }
  at->niu->initiator[i][word] = word == NOC_PACKET_TAG ? value & 0xffffu : value;
  return true;
}

bool noc_niu_write(struct noc_niu *n, const struct noc_port *port, void *tile, uint32_t offset, uint32_t value) {
  struct noc_at at = {n, port, tile};
  uint32_t i = offset / NOC_INITIATOR_STRIDE, low = offset % NOC_INITIATOR_STRIDE;
  if (!noc_niu_writable(offset)) return false;
  if (i < NOC_INITIATORS && low / 4 < NOC_INITIATOR_WORDS) return write_initiator(&at, i, low / 4, value);
  if (i < NOC_INITIATORS && low == NOC_REG_CMD_CTRL) {
    if (value & 1u) noc_initiate(&at, i);
  } else if (offset == NOC_REG_CLEAR_OUTSTANDING) {
    clear_outstanding(&at, value);
  } else if (offset >= NOC_REG_SECURITY) {
    n->security[(offset - NOC_REG_SECURITY) / 4] = value; /* inferred: the fence is off whatever they hold */
  } else if (offset < NOC_REG_ERRORS_END) {
    n->errors[(offset - NOC_REG_ERRORS) / 4] = value;
  } else {
    write_config(&at, (offset - NOC_REG_CONFIG) / 4, value);
  }
  return true;
}

void noc_niu_arrive(struct noc_niu *niu, const struct noc_port *port, void *tile, const struct noc_packet *packet) {
  struct noc_at at = {niu, port, tile};
  noc_take(&at, packet);
}

#define HURRY_MAX 64u /* packets of one request */

void noc_niu_hurry(struct noc_niu *niu, const struct noc_port *port, void *tile) {
  const struct noc_at at = {niu, port, tile};
  const sim_time now = port->now(tile);
  for (unsigned i = 0; i < HURRY_MAX && niu->queue; i++) {
    if (niu->free_at > now) niu->free_at = now;
    noc_send_next(&at);
  }
  if (niu->free_at > now) niu->free_at = now;
}

/* Is it a request of this kind with one answer? */
static bool has_answer(uint32_t ctrl, unsigned kind) {
  if ((ctrl & NOC_CTRL_TYPE) != kind || ctrl & NOC_CTRL_BROADCAST) return false;
  return kind == NOC_READ || ctrl & NOC_CTRL_ANSWERED;
}

bool noc_niu_asks(const struct noc_niu *niu, unsigned initiator, unsigned kind) {
  return has_answer(niu->initiator[initiator][NOC_CTRL], kind);
}

uint32_t noc_niu_queued(const struct noc_niu *niu, unsigned kind) {
  uint32_t packets = 0;
  for (unsigned i = 0; i < NOC_INITIATORS; i++) {
    const uint32_t *words = niu->initiator[i];
    if (!niu->busy[i] || !noc_niu_asks(niu, i, kind)) continue;
    bool data = kind != NOC_ATOMIC && !(words[NOC_CTRL] & NOC_CTRL_INLINE);
    packets += data ? (words[NOC_AT_LEN_BE] + NOC_PACKET_BYTES - 1) / NOC_PACKET_BYTES : 1;
  }
  return packets;
}

uint32_t noc_niu_pending(const struct noc_niu *niu, unsigned kind) {
  uint32_t packets = noc_niu_queued(niu, kind);
  for (unsigned i = 0; i < NOC_LOOPS; i++)
    packets += niu->loop[i].used && niu->loop[i].packet.kind == kind && has_answer(niu->loop[i].packet.ctrl, kind);
  return packets;
}

void noc_niu_due(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t what) {
  struct noc_at at = {niu, port, tile};
  switch (what & ((1u << NOC_EVENT_BITS) - 1)) {
    case NOC_EVENT_SEND: noc_send_next(&at); break;
    case NOC_EVENT_SENT: noc_sent(&at, what); break;
    default:
      if (noc_loop_done(&at, what >> NOC_EVENT_BITS & 15u)) noc_pump(&at);
      break;
  }
}

/* --- saved states --- */

bool noc_event_valid(const struct noc_niu *niu, uint32_t what) {
  unsigned kind = what & ((1u << NOC_EVENT_BITS) - 1), place = what >> NOC_EVENT_BITS & 15u;
  return kind <= NOC_EVENT_LOOP_DONE && (kind != NOC_EVENT_LOOP_DONE || (place < NOC_LOOPS && niu->loop[place].used));
}

bool noc_event_departed(uint32_t what) { return (what & ((1u << NOC_EVENT_BITS) - 1)) == NOC_EVENT_SENT; }

unsigned noc_event_claim(uint32_t what) { return noc_event_departed(what) ? what >> NOC_EVENT_CLAIM & 127u : 0; }

/* A packet of a request to its own tile: no payload, no pointer. */
static bool loop_valid(const struct noc_loop *loop) {
  const struct noc_packet *p = &loop->packet;
  if (loop->used > 1) return false;
  return !p->payload && !p->next && p->kind <= NOC_WRITE && p->length <= NOC_PACKET_BYTES && p->noc < 2 &&
         p->initiator < NOC_INITIATORS;
}

bool noc_niu_valid(const struct noc_niu *niu) {
  unsigned waiting = 0;
  for (uint32_t left = niu->queue; left; left >>= 4) {
    unsigned bit = 1u << (left & 3u);
    if ((left & 12u) != 8u || (waiting & bit)) return false;
    waiting |= bit;
  }
  for (unsigned i = 0; i < NOC_INITIATORS; i++)
    if (niu->busy[i] > 1 || niu->fifo_count[i] > NOC_FIFO_PLACES) return false;
  for (unsigned i = 0; i < NOC_LOOPS; i++)
    if (!loop_valid(&niu->loop[i])) return false;
  return niu->sending <= 1 && niu->linked <= UINT64_C(1) << 62; /* link_of of initiate.c */
}
