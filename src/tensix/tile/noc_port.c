/* What the NIUs see of the tile: L1 and registers, time, interrupts, the network (noc_port.h). */
#include "tensix/tile/noc_port.h"

#include "noc/route.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/mem/memo.h"
#include "tensix/num/format_pack_acc.h"
#include "tensix/tile/ethernet.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/outside.h"

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
  struct tx_tile *t = tile;
  bool own =
      t->current.agent != TX_AGENT_NETWORK; /* to itself; other packets are recorded when they arrive (tx_noc_arrive) */
  if (own && t->unsaved.memo.on && length <= TX_MEMO_BYTES && address < t->l1_bytes)
    tx_memo_packet(t, (uint32_t)address, length);
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

static const char *refusal(void *tile, uint64_t address) {
  const struct tx_tile *t = tile;
  return t->ethernet.on && address - TX_ADDR_ETH_LINK < TX_ETH_LINK_BYTES ? TX_ETH_ABSENT : NULL;
}

static void alias(void *tile, const char *why) { tx_diag(tile, TX_DIAG_NOC_ALIAS, "%s", why); }

static void channel(void *tile, const char *why) { tx_diag(tile, TX_DIAG_NOC_CHANNEL, "%s", why); }

static void fault(void *tile, enum sim_fault_kind kind, const char *document, const char *why) {
  tx_fault(tile, kind, document, "%s", why);
}

/* A program may have any number of reads in flight. The list of ranges serves to detect races: the NoC uses at most half of
 * it, and further reads are not checked. */
#define CLAIMS_MAX (TX_INFLIGHT_MAX / 2)
#define LINE 16u
#define POLL_BYTES 256u /* of a flag, or a block of flags */

static unsigned claim(void *tile, uint64_t address, uint32_t length, enum noc_claim what) {
  struct tx_tile *t = tile;
  if ((unsigned)__builtin_popcountll(t->inflight.used) >= CLAIMS_MAX) return TX_INFLIGHT_NONE;
  if (address >= t->l1_bytes || length > t->l1_bytes - address) return TX_INFLIGHT_NONE;
  struct tx_range range = {.base = (uint32_t)address,
                           .width = length,
                           .rows = 1,
                           .agent = (uint16_t)(t->current.agent < TX_AGENT_COUNT ? t->current.agent : TX_AGENT_NETWORK),
                           .unit = TX_UNIT_FRONTEND,
                           .write = (uint8_t)(what == NOC_CLAIM_OWN ? NOC_CLAIM_SOURCE : what)};
  /* L1 takes a line at once: who reads it meanwhile sees all of the old bytes or all of the new ones, as a poll of a flag does. Polls by NoC
   * reads of the own tile fetch several lines too: of these the checkers decide. */
  if (what == NOC_CLAIM_COPY || what == NOC_CLAIM_COPY_AT_ONCE) return tx_inflight_expect(t, &range);
  bool once = what == NOC_CLAIM_OWN ? length <= POLL_BYTES : what == NOC_CLAIM_TARGET && address % LINE + length <= LINE;
  if (length && once) {
    tx_inflight_once(t, &range);
    return TX_INFLIGHT_NONE;
  }
  return tx_inflight_add(t, &range);
}

/* A packet returns its handle; a packet of a damaged saved chip may contain any value. */
static void release(void *tile, unsigned handle) {
  const struct tx_tile *t = tile;
  if (handle < TX_INFLIGHT_MAX && handle && (t->inflight.used >> (handle - 1) & 1u)) tx_inflight_remove(tile, handle);
}

static void looped(void *tile, const struct noc_packet *packet, unsigned place, bool done) {
  struct tx_tile *t = tile;
  if (t->unsaved.ports->noc_looped) t->unsaved.ports->noc_looped(t, packet, place, done);
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

/* With timing on a write to the own tile is on its way for some cycles after it counts as sent. Bytes that it writes where it read them stay as they are. */
static void claim_copy(struct tx_tile *t, struct noc_packet *p) {
  if (noc_packet_is_answer(p) || !tx_noc_has_lines(p)) return;
  const bool at_once = p->address % LINE + p->length <= LINE || p->address == p->answer_address;
  p->claim = (uint8_t)claim(t, p->address, p->length, at_once ? NOC_CLAIM_COPY_AT_ONCE : NOC_CLAIM_COPY);
}

static bool send(void *tile, struct noc_packet *packet) {
  struct tx_tile *t = tile;
  if (!t->unsaved.network.send) return false;
  if (!noc_packet_is_answer(packet)) {
    packet->agent = (uint16_t)t->current.agent;
    packet->pc = t->current.pc;
  }
  bool own = t->unsaved.network.send(t->unsaved.network.net, packet);
  if (t->unsaved.ports->noc_sent) t->unsaved.ports->noc_sent(t, packet); /* the outbox holds it until the window ends */
  if (own && !t->timing) tx_noc_arrive_own(t, packet);
  else if (own) claim_copy(t, packet);
  return true;
}

static sim_time stream(void *tile, unsigned noc, bool writes, uint64_t address, uint32_t length, sim_time from) {
  struct tx_tile *t = tile;
  if (!t->timing || address >= t->l1_bytes) return from;
  return tx_l1_stream_niu(t, noc, writes, (uint32_t)address, noc_flits(length), from);
}

static uint32_t late(void *tile, unsigned noc, bool writes) {
  return tx_l1_take_delay(tile, (enum tx_l1_streamer)(TX_L1_NIU_0_READ + 2u * writes + noc));
}

static uint32_t narrow(void *tile, uint64_t address, uint32_t length) {
  uint32_t wait = tx_noc_bank_wait(tile, address, length, now(tile));
  if (!wait) tx_noc_hold_banks(tile, address, length);
  return wait;
}

/* Does the request's data pass the link of the what-if? Not that of a multicast. */
static bool passes(const struct tx_what_if *w, const struct noc_packet *p) {
  if (!w->link.known || w->link.noc != p->noc || p->ctrl & NOC_CTRL_BROADCAST) return false;
  const bool read = p->kind == NOC_READ;
  return noc_route_passes(p->noc, read ? p->target : p->source, read ? p->source : p->target, w->link.at,
                          (enum noc_link)w->link.link);
}

/* Is it a request of code that takes no time? */
static bool is_of_free_code(const struct tx_tile *t) {
  const struct tx_what_if *w = t->unsaved.what_if;
  unsigned core = t->current.agent - TX_AGENT_TRISC0;
  if (w->answered >> t->current.agent & 1u) return true;
  return core < TX_CORES && !w->loop[core].first && (tx_what_if_code(w, core, t->current.pc) || tx_what_if_in_call(w, core));
}

static bool weightless(void *tile, const struct noc_packet *p) {
  const struct tx_tile *t = tile;
  const struct tx_what_if *w = t->unsaved.what_if;
  if (!w || noc_packet_is_answer(p)) return false;
  return w->links || passes(w, p) || is_of_free_code(t);
}

static bool at_once(void *tile, const struct noc_packet *p) {
  struct tx_tile *t = tile;
  struct tx_what_if *w = t->unsaved.what_if;
  if (!w) return false;
  if (noc_packet_is_answer(p)) {
    if (w->owed[p->noc][p->kind]) return w->owed[p->noc][p->kind]--;
    if (w->under_way[p->noc][p->kind]) w->under_way[p->noc][p->kind]--;
    return false;
  }
  bool answered = p->kind == NOC_READ || p->ctrl & NOC_CTRL_ANSWERED;
  /* a broadcast has as many answers as receivers */
  bool free = !w->links && is_of_free_code(t);
  if (!answered || p->ctrl & NOC_CTRL_BROADCAST) return false;
  (free ? w->owed : w->under_way)[p->noc][noc_answer_kind(p->kind)]++;
  return free;
}

const struct noc_port tx_noc_port = {.space = space,
                                     .read = read,
                                     .write = write,
                                     .now = now,
                                     .later = later,
                                     .changed = changed,
                                     .interrupt = interrupt,
                                     .fault = fault,
                                     .refusal = refusal,
                                     .alias = alias,
                                     .channel = channel,
                                     .claim = claim,
                                     .release = release,
                                     .looped = looped,
                                     .accumulate = accumulate,
                                     .stream = stream,
                                     .late = late,
                                     .narrow = narrow,
                                     .weightless = weightless,
                                     .at_once = at_once,
                                     .send = send};
