/* The queues of link.h. */
#include "tensix/tile/link.h"

#include <string.h>

#include "noc/packet.h"
#include "tensix/machine.h"

enum {
#define LINK_TIME(name, value, evidence, source, what) name = value,
#include "chips/blackhole/link_timing.def"
#undef LINK_TIME
};

enum kind { ABSENT, WORD, COUNT, CTRL, COMMAND, STATUS, UP };

#define ETH_REGISTER(block, offset, name, kind) block##_##name = (offset),
enum {
#include "chips/blackhole/ethernet_queue.def"
};
#undef ETH_REGISTER

enum block { TXQ, CONTROL };

static const struct {
  uint16_t offset;
  uint8_t block, kind;
} registers[] = {
#define ETH_REGISTER(block, offset, name, kind) {offset, block, kind},
#include "chips/blackhole/ethernet_queue.def"
#undef ETH_REGISTER
};

static enum kind kind_in(enum block block, uint32_t offset) {
  for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++)
    if (registers[i].block == block && registers[i].offset == offset) return registers[i].kind;
  return ABSENT;
}

static unsigned queue_of(uint32_t address) { return (address - TX_ADDR_ETH_LINK) / TX_ETH_QUEUE_BYTES; }

static enum kind kind_of(uint32_t address) {
  if (queue_of(address) < TX_ETH_QUEUES) return kind_in(TXQ, address % TX_ETH_QUEUE_BYTES);
  return address - TX_ADDR_ETH_CONTROL < TX_ETH_QUEUE_BYTES ? kind_in(CONTROL, address - TX_ADDR_ETH_CONTROL) : ABSENT;
}

static uint32_t *word_of(struct tx_eth_queue *q, uint32_t offset) { return &q->word[offset / 4]; }
static uint32_t value_of(const struct tx_eth_queue *q, uint32_t offset) { return q->word[offset / 4]; }

/* The state of the link lies behind L1, in a page of its own. */
static struct tx_link *change(struct tx_tile *t) {
  const uint32_t page = TX_ETH_L1_BYTES / TX_L1_PAGE;
  _Static_assert(sizeof t->link <= TX_L1_PAGE, "the link fits in one page");
  t->unsaved.l1_same[page / 64] &= ~(UINT64_C(1) << page % 64);
  return &t->link;
}

void tx_link_reset(struct tx_tile *t) {
  change(t)->line = (struct tx_eth_line){.latency = link_latency, .bits_per_cycle = link_bits_per_cycle};
  for (unsigned i = 0; i < TX_ETH_QUEUES; i++) {
    *word_of(&t->link.queue[i], TXQ_TXQ_MAX_PKT_SIZE_BYTES) = TX_ETH_FRAME_BYTES;
    *word_of(&t->link.queue[i], TXQ_TXQ_BURST_LEN) = TX_ETH_BURST;
  }
}

void tx_link_connect(struct tx_tile *t, const struct tx_eth_line *line) {
  struct tx_link *l = change(t);
  l->linked = 1;
  l->line = *line;
}

void tx_link_note_arrival(struct tx_tile *t) { change(t)->received++; }

bool tx_link_is_up(const struct tx_tile *t) {
  const struct tx_link *l = &t->link;
  return l->linked && (!l->line.down_at || t->engine.now + 1 < l->line.down_at);
}

static bool is_busy(const struct tx_eth_queue *q) {
  uint32_t ahead = value_of(q, TXQ_TXQ_DATA_PACKET_ACCEPT_AHEAD), most = ahead < TX_ETH_COMMANDS ? ahead : TX_ETH_COMMANDS;
  return q->count >= (most ? most : 1);
}

/* --- registers --- */

bool tx_link_has(uint32_t address) { return kind_of(address) != ABSENT; }

bool tx_link_read(const struct tx_tile *t, uint32_t address, uint32_t *value) {
  const enum kind kind = kind_of(address);
  *value = 0;
  if (kind == ABSENT) return false;
  if (kind == UP) *value = tx_link_is_up(t);
  else if (kind == STATUS) *value = is_busy(&t->link.queue[queue_of(address)]) ? TX_ETH_STATUS_BUSY : 0;
  else if (kind != COMMAND) *value = value_of(&t->link.queue[queue_of(address)], address % TX_ETH_QUEUE_BYTES);
  return true;
}

static void wake_status(struct tx_tile *t, unsigned queue) {
  sim_poke(&t->engine, TX_ADDR_ETH_LINK + queue * TX_ETH_QUEUE_BYTES + TXQ_TXQ_STATUS);
}

static void send_later(struct tx_tile *t, sim_time at) {
  struct sim_effect effect = {
      .at = at, .kind = TX_EFFECT_LINK_FRAME, .agent = (uint16_t)t->current.agent, .pc = t->current.pc};
  if (!sim_effect_at(&t->engine, effect))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
  change(t)->due = 1;
}

static bool refuse(struct tx_tile *t, enum sim_fault_kind kind, unsigned queue, const char *why) {
  tx_fault(t, kind, "tt_eth_ss_regs.h", "Ethernet TX queue %u: %s", queue, why);
  return false;
}

/* Why the command cannot be executed; NULL: it can. */
static const char *wrong_with(const struct tx_eth_command *c, unsigned queue) {
  if (c->kind == TX_ETH_COMMAND_REGISTER) {
    if (queue >= TX_ETH_REGISTER_QUEUE) return "it has no register writes";
    if (c->target & 3u) return "the address of a register write is not a multiple of 4";
    return c->target < TX_ETH_REACHABLE ? "a register write whose address is no register that a link reaches" : NULL;
  }
  if ((c->source | c->bytes | c->target) & 15u) return "source, size and destination must be multiples of 16";
  if (!c->bytes) return "a transfer of 0 bytes";
  if (c->source > TX_ETH_L1_BYTES || c->bytes > TX_ETH_L1_BYTES - c->source) return "the source is not in L1";
  return c->target > TX_ETH_L1_BYTES || c->bytes > TX_ETH_L1_BYTES - c->target ? "the destination is not in L1" : NULL;
}

static bool command(struct tx_tile *t, unsigned queue, uint32_t kind) {
  struct tx_link *l = change(t);
  struct tx_eth_queue *q = &l->queue[queue];
  if (kind != TX_ETH_COMMAND_DATA && kind != TX_ETH_COMMAND_REGISTER)
    return refuse(t, SIM_FAULT_UNSUPPORTED, queue,
                  kind == TX_ETH_COMMAND_RAW ? "raw frames are not simulated"
                                             : "only commands 2 (data) and 4 (register) are simulated");
  if (is_busy(q))
    return refuse(t, SIM_FAULT_UNDEFINED, queue, "a command while STATUS bit 16 is set: the last one has not been taken");
  struct tx_eth_command c = {.kind = kind,
                             .source = value_of(q, TXQ_TXQ_TRANSFER_START_ADDR),
                             .bytes = value_of(q, TXQ_TXQ_TRANSFER_SIZE_BYTES),
                             .target = value_of(q, TXQ_TXQ_DEST_ADDR),
                             .data = value_of(q, TXQ_TXQ_REMOTE_REG_DATA)};
  const char *why = wrong_with(&c, queue);
  if (why) return refuse(t, SIM_FAULT_UNDEFINED, queue, why);
  q->command[(q->first + q->count++) % TX_ETH_COMMANDS] = c;
  ++*word_of(q, TXQ_TXQ_TRANSFER_CNT);
  if (is_busy(q)) wake_status(t, queue);
  if (l->due) return true;
  sim_time ready = t->engine.now + (t->timing ? link_command : 1);
  send_later(t, ready > l->free_at ? ready : l->free_at);
  return !t->fault.kind;
}

bool tx_link_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  const enum kind kind = kind_of(address);
  const unsigned queue = queue_of(address);
  if (kind == ABSENT) return false;
  if (kind == COMMAND) return command(t, queue, value);
  if (kind == CTRL && value & ~TX_ETH_CTRL_BITS)
    return refuse(t, SIM_FAULT_UNSUPPORTED, queue,
                  "of CTRL only bits 0 (resending) and 3 (no drop notification) are simulated");
  if (kind == WORD || kind == CTRL) *word_of(&change(t)->queue[queue], address % TX_ETH_QUEUE_BYTES) = value;
  return true;
}

/* --- the line --- */

/* Cycles of the line for a frame; what is left of its last cycle is the next frame's. */
static uint32_t line_cycles(struct tx_tile *t, uint32_t bytes) {
  struct tx_link *l = change(t);
  if (!t->timing) return 1;
  uint32_t bits = (bytes + link_frame_bytes) * 8 + l->rest_bits, cycles = bits / l->line.bits_per_cycle;
  l->rest_bits = bits % l->line.bits_per_cycle;
  return cycles ? cycles : 1;
}

/* The queue whose turn it is; TX_ETH_QUEUES: all are empty. */
static unsigned next_queue(const struct tx_link *l) {
  for (unsigned i = 0; i < TX_ETH_QUEUES; i++) {
    unsigned queue = (l->turn + i) % TX_ETH_QUEUES;
    if (l->queue[queue].count) return queue;
  }
  return TX_ETH_QUEUES;
}

static uint32_t frame_bytes(const struct tx_eth_queue *q, const struct tx_eth_command *c) {
  uint32_t most = value_of(q, TXQ_TXQ_MAX_PKT_SIZE_BYTES) & ~15u, left = c->bytes - c->done;
  if (c->kind == TX_ETH_COMMAND_REGISTER) return 4;
  if (most < 16) most = 16;
  if (most > NOC_PACKET_BYTES) most = NOC_PACKET_BYTES;
  return left < most ? left : most;
}

static void transmit(struct tx_tile *t, const struct tx_eth_command *c, uint32_t bytes, uint32_t cycles) {
  struct tx_link *l = change(t);
  l->frames++;
  l->bytes += bytes;
  if (!tx_link_is_up(t) || !t->unsaved.network.send) {
    l->lost++;
    return;
  }
  struct noc_packet *p = noc_packet_new(bytes);
  if (!p) {
    tx_fault(t, SIM_FAULT_CAPACITY, "link.h", "no memory for a frame of the Ethernet link");
    return;
  }
  p->departs = t->engine.now;
  p->arrives = t->engine.now + cycles + l->line.latency;
  p->kind = NOC_WRITE;
  p->noc = NOC_LINK;
  p->address = c->target + c->done;
  p->length = bytes;
  p->agent = (uint16_t)t->current.agent;
  p->pc = t->current.pc;
  if (c->kind == TX_ETH_COMMAND_REGISTER)
    for (unsigned k = 0; k < 4; k++) noc_packet_bytes(p)[k] = (uint8_t)(c->data >> (8 * k));
  else memcpy(noc_packet_bytes(p), &t->l1[c->source + c->done], bytes);
  t->unsaved.network.send(t->unsaved.network.net, p);
}

void tx_effect_LINK_FRAME(struct tx_tile *t, const struct sim_effect *effect) {
  struct tx_link *l = change(t);
  const unsigned queue = next_queue(l);
  l->due = 0;
  if (queue == TX_ETH_QUEUES) return;
  t->current = (struct tx_current){.agent = effect->agent, .pc = effect->pc, .unit = TX_UNIT_FRONTEND};
  struct tx_eth_queue *q = &l->queue[queue];
  struct tx_eth_command *c = &q->command[q->first];
  const uint32_t bytes = frame_bytes(q, c), cycles = line_cycles(t, bytes);
  const bool was_busy = is_busy(q);
  transmit(t, c, bytes, cycles);
  ++*word_of(q, TXQ_TXQ_PKT_START_CNT);
  ++*word_of(q, TXQ_TXQ_PKT_END_CNT);
  *word_of(q, TXQ_TXQ_WORD_CNT) += (bytes + TX_ETH_COUNTED_WORD - 1) / TX_ETH_COUNTED_WORD;
  c->done += bytes;
  if (c->kind == TX_ETH_COMMAND_REGISTER || c->done == c->bytes) {
    memset(c, 0, sizeof *c);
    q->first = (q->first + 1) % TX_ETH_COMMANDS;
    q->count--;
    if (was_busy) wake_status(t, queue);
  }
  l->turn = (queue + 1) % TX_ETH_QUEUES;
  l->free_at = t->engine.now + cycles;
  if (next_queue(l) < TX_ETH_QUEUES) send_later(t, l->free_at);
}

/* --- restored states --- */

static bool command_valid(const struct tx_eth_command *c, unsigned queue) {
  bool kind = c->kind == TX_ETH_COMMAND_DATA || c->kind == TX_ETH_COMMAND_REGISTER;
  return kind && !wrong_with(c, queue) && (c->kind == TX_ETH_COMMAND_REGISTER ? !c->done : c->done < c->bytes);
}

bool tx_link_valid(const struct tx_tile *t) {
  const struct tx_link *l = &t->link;
  if (!t->ethernet.on) return true;
  if (l->linked > 1 || l->due > 1 || l->turn >= TX_ETH_QUEUES || !l->line.bits_per_cycle) return false;
  if (l->line.bits_per_cycle > 1u << 16 || l->line.latency > 1u << 20 || l->rest_bits > 1u << 16) return false;
  if (l->free_at > t->engine.now + (1u << 24)) return false;
  for (unsigned i = 0; i < TX_ETH_QUEUES; i++) {
    const struct tx_eth_queue *q = &l->queue[i];
    if (q->first >= TX_ETH_COMMANDS || q->count > TX_ETH_COMMANDS || (q->count && !l->due)) return false;
    for (uint32_t k = 0; k < q->count; k++)
      if (!command_valid(&q->command[(q->first + k) % TX_ETH_COMMANDS], i)) return false;
  }
  return true;
}
