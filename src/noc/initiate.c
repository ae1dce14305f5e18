/* The request initiators of an NIU: from NOC_CMD_CTRL to the packet on the network.
 *
 * Initiators are served in the order in which NOC_CMD_CTRL was written. The output sends one flit per cycle; while it is busy an initiator
 * waits and NOC_CMD_CTRL reads 1. A linked transaction occupies the output until its last request: other initiators wait. */
#include "noc/initiate.h"

#include <stdio.h>
#include <string.h>

#include "noc/loop.h"
#include "noc/respond.h"
#include "noc/route.h"

/* --- the request as a packet --- */

static struct noc_place place_of(const struct noc_niu *n, uint32_t word) {
  unsigned x = word & 63u, y = word >> 6 & 63u;
  if (n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE) noc_translate_words(n->config, x, y, &x, &y);
  return (struct noc_place){(uint8_t)x, (uint8_t)y};
}

static bool is_inline(uint32_t ctrl) { return (ctrl & NOC_CTRL_TYPE) == NOC_WRITE && (ctrl & NOC_CTRL_INLINE); }
static bool is_masked(uint32_t ctrl) {
  return (ctrl & NOC_CTRL_TYPE) == NOC_WRITE && !(ctrl & NOC_CTRL_INLINE) && (ctrl & NOC_CTRL_BYTE_MASK);
}
/* A read or a plain write: AT_LEN_BE is a length. */
static bool has_length(uint32_t ctrl) {
  return (ctrl & NOC_CTRL_TYPE) != NOC_ATOMIC && !is_inline(ctrl) && !is_masked(ctrl);
}
static bool is_answered(uint32_t ctrl) { return (ctrl & NOC_CTRL_TYPE) == NOC_READ || (ctrl & NOC_CTRL_ANSWERED); }

/* ISA: NoC/MemoryMap.md: which of TARG and RET is the remote end, and where the response goes. */
static void set_ends(const struct noc_niu *n, const uint32_t *w, struct noc_packet *p) {
  uint64_t targ = (uint64_t)w[NOC_TARG_MID] << 32 | w[NOC_TARG_LO], ret = (uint64_t)w[NOC_RET_MID] << 32 | w[NOC_RET_LO];
  bool far_is_ret = p->kind == NOC_WRITE && !is_inline(p->ctrl);
  uint32_t far = far_is_ret ? w[NOC_RET_HI] : w[NOC_TARG_HI];
  p->address = far_is_ret ? ret : targ;
  p->answer_address = far_is_ret ? targ : ret;
  p->target = place_of(n, far);
  if (p->ctrl & NOC_CTRL_BROADCAST) p->start = place_of(n, far >> 12);
  if (is_inline(p->ctrl)) p->answer = p->source;
  else p->answer = place_of(n, far_is_ret ? w[NOC_TARG_HI] : w[NOC_RET_HI]);
}

static bool has_fifo(const struct noc_niu *n) { return n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_FIFO; }

/* The registers of the next request of initiator i: with the request FIFO, its oldest entry. */
static uint32_t *words_of(struct noc_niu *n, unsigned i) { return n->fifo_count[i] ? n->fifo[i][0] : n->initiator[i]; }

static struct noc_packet describe(const struct noc_niu *n, unsigned i, const uint32_t *w) {
  uint32_t ctrl = w[NOC_CTRL];
  struct noc_packet p = {.kind = ctrl & NOC_CTRL_TYPE,
                         .noc = (uint8_t)n->noc,
                         .initiator = (uint8_t)i,
                         .ctrl = ctrl,
                         .tag = (uint16_t)w[NOC_PACKET_TAG],
                         .tile = (uint16_t)n->tile,
                         .source = noc_niu_place(n),
                         .atomic = w[NOC_AT_LEN_BE],
                         .data = w[NOC_AT_DATA],
                         .accumulate = w[NOC_L1_ACC_AT_INSTRN],
                         .exclude = w[NOC_BRCST_EXCLUDE],
                         .byte_mask = (uint64_t)w[NOC_AT_LEN_BE_1] << 32 | w[NOC_AT_LEN_BE],
                         .vc = ctrl >> 13 & 7u};
  set_ends(n, w, &p);
  if (is_inline(ctrl) || p.kind == NOC_ATOMIC) p.length = 4;
  else if (is_masked(ctrl)) p.length = NOC_FLIT_BYTES;
  else p.length = w[NOC_AT_LEN_BE] < NOC_PACKET_BYTES ? w[NOC_AT_LEN_BE] : NOC_PACKET_BYTES;
  return p;
}

/* --- requests that are rejected before they leave --- */

static const char *wrong_with(const struct noc_packet *p, uint64_t length) {
  bool broadcast = p->ctrl & NOC_CTRL_BROADCAST;
  if (p->kind > NOC_WRITE) return "request type 3 is reserved";
  if (p->ctrl & NOC_CTRL_DROP_ACK) return "NOC_CTRL bit 9 is for the overlay only";
  if (broadcast && p->kind == NOC_READ) return "a read cannot be broadcast";
  if (has_length(p->ctrl) && length == 0) return "a length of 0";
  if (has_length(p->ctrl) && length > UINT32_MAX)
    return "a length of 4 GiB or more: NOC_AT_LEN_BE_1 has its bits 63:32, and keeps what a write with a byte mask left "
           "there";
  if (has_length(p->ctrl) && length > NOC_PACKET_BYTES && ((p->address | p->answer_address) & (NOC_FLIT_BYTES - 1)))
    return "more than 16384 bytes need addresses that are multiples of 64";
  if (p->target.x >= NOC_GRID_X || p->target.y >= NOC_GRID_Y) return "there is no tile at the target's coordinates";
  if (broadcast && (p->start.x >= NOC_GRID_X || p->start.y >= NOC_GRID_Y))
    return "there is no tile at the rectangle's start";
  if (is_answered(p->ctrl) && (p->answer.x >= NOC_GRID_X || p->answer.y >= NOC_GRID_Y))
    return "there is no tile at the coordinates of the response";
  if (p->kind == NOC_ATOMIC && (p->ctrl & NOC_CTRL_ANSWERED) && (p->answer_address & 3u))
    return "the address for an atomic's old value must be a multiple of 4";
  if (p->tag & 0x40u) return "delivery to the overlay (NOC_PACKET_TAG bit 6) is not simulated";
  if ((p->tag & 0x200u) && (p->kind != NOC_WRITE || (p->ctrl & NOC_CTRL_ANSWERED)))
    return "a header store must be a posted write";
  return NULL;
}

/* The tables of translation have 32 columns and rows. Translation takes the low five bits of a coordinate, so a larger one reaches a tile that the
 * program did not name. False: the packet's target is then the place as the program wrote it, for the message. */
static bool is_named(const struct noc_niu *n, const uint32_t *w, struct noc_packet *p) {
  bool far_is_ret = p->kind == NOC_WRITE && !is_inline(p->ctrl);
  uint32_t far = far_is_ret ? w[NOC_RET_HI] : w[NOC_TARG_HI], near = far_is_ret ? w[NOC_TARG_HI] : w[NOC_RET_HI];
  uint32_t named[3] = {far, p->ctrl & NOC_CTRL_BROADCAST ? far >> 12 : 0,
                       is_answered(p->ctrl) && !is_inline(p->ctrl) ? near : 0};
  if (!((named[0] | named[1] | named[2]) & NOC_BEYOND_TABLES) || !(n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE))
    return true;
  for (unsigned i = 0; i < 3; i++) {
    if (!(named[i] & NOC_BEYOND_TABLES)) continue;
    p->target = (struct noc_place){named[i] & 63u, named[i] >> 6 & 63u};
    return false;
  }
  return true;
}

/* Coordinates that are no tile's, and which the tables lead to one: reported; the request goes there, as in hardware. */
static void report_alias(const struct noc_at *at, uint32_t word) {
  const struct noc_niu *n = at->niu;
  unsigned x = word & 63u, y = word >> 6 & 63u, tile_x, tile_y;
  char why[128];
  if (noc_is_name(x, y) || !at->port->alias || n->own_tables || !(n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE)) return;
  struct noc_place reached = place_of(n, word);
  tile_x = n->noc ? NOC_GRID_X - 1 - reached.x : reached.x;
  tile_y = n->noc ? NOC_GRID_Y - 1 - reached.y : reached.y;
  snprintf(why, sizeof why, "coordinates (%u,%u) on NoC %u reach the tile at (%u,%u) of NoC 0", x, y, n->noc, tile_x,
           tile_y);
  at->port->alias(at->tile, why);
}

static void report_aliases(const struct noc_at *at, const uint32_t *w, const struct noc_packet *p) {
  bool far_is_ret = p->kind == NOC_WRITE && !is_inline(p->ctrl);
  uint32_t far = far_is_ret ? w[NOC_RET_HI] : w[NOC_TARG_HI];
  report_alias(at, far);
  if (p->ctrl & NOC_CTRL_BROADCAST) report_alias(at, far >> 12);
  if (is_answered(p->ctrl) && !is_inline(p->ctrl)) report_alias(at, far_is_ret ? w[NOC_TARG_HI] : w[NOC_RET_HI]);
}

/* Channels 0 to 3 are for requests to one tile, 4 and 5 for broadcasts, 6 and 7 for responses. ISA: NoC/MemoryMap.md */
static void report_channel(const struct noc_at *at, const struct noc_packet *p) {
  bool broadcast = p->ctrl & NOC_CTRL_BROADCAST, good = broadcast ? p->vc == 4 || p->vc == 5 : p->vc < 4;
  char why[96];
  if (good || !(p->ctrl & NOC_CTRL_VC_STATIC) || !at->port->channel) return;
  snprintf(why, sizeof why, "virtual channel %u for a %s: those are %s", p->vc,
           broadcast ? "broadcast" : "request to one tile", broadcast ? "4 and 5" : "0 to 3");
  at->port->channel(at->tile, why);
}

/* --- the queue --- */

static unsigned queue_at(const struct noc_niu *n, unsigned place) { return n->queue >> (4 * place) & 15u; }

static void queue_remove(struct noc_niu *n, unsigned place) {
  uint32_t below = n->queue & ((1u << (4 * place)) - 1u), above = place < 7 ? n->queue >> (4 * place + 4) : 0;
  n->queue = below | above << (4 * place);
}

static void schedule(const struct noc_at *at) {
  struct noc_niu *n = at->niu;
  sim_time now = at->port->now(at->tile), when = now + 1;
  if (n->sending || !n->queue) return;
  n->sending = 1;
  noc_later(at, n->free_at > when ? n->free_at : when, NOC_EVENT_SEND);
}

void noc_pump(const struct noc_at *at) { schedule(at); }

static bool splitting(struct noc_niu *n) {
  for (unsigned i = 0; i < NOC_INITIATORS; i++) {
    const uint32_t *w = words_of(n, i);
    if (n->busy[i] && has_length(w[NOC_CTRL]) && w[NOC_AT_LEN_BE] > NOC_PACKET_BYTES) return true;
  }
  return false;
}

/* Why NOC_CMD_CTRL may not be written now; NULL: it may. ISA: NoC/MemoryMap.md, Counters.md */
static const char *not_now(struct noc_niu *n, unsigned i) {
  if (has_fifo(n) && n->fifo_count[i] == NOC_FIFO_PLACES)
    return "the request FIFO of the initiator is full (NOC_CMD_BUF_OVFL)";
  if (n->busy[i] && !has_fifo(n)) return "NOC_CMD_CTRL written while the initiator's last request has not left it";
  if (splitting(n)) return "NOC_CMD_CTRL written while the NIU splits a request of more than 16384 bytes";
  return NULL;
}

static void enqueue(const struct noc_at *at, unsigned i) {
  struct noc_niu *n = at->niu;
  unsigned place = 0;
  n->busy[i] = 1;
  while (queue_at(n, place)) place++;
  n->queue |= (8u | i) << (4 * place);
  schedule(at);
}

void noc_initiate(const struct noc_at *at, unsigned i) {
  struct noc_niu *n = at->niu;
  uint64_t length = (uint64_t)n->initiator[i][NOC_AT_LEN_BE_1] << 32 | n->initiator[i][NOC_AT_LEN_BE];
  struct noc_packet p = describe(n, i, n->initiator[i]);
  const char *why = not_now(n, i);
  if (!why && !is_named(n, n->initiator[i], &p)) {
    noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/Coordinates.md", &p, "there is no such tile: translated coordinates end at 31");
    return;
  }
  if (!why) why = wrong_with(&p, length);
  if (why && p.kind > NOC_WRITE) p.kind = NOC_KINDS;          /* for its name */
  if (why && has_length(p.ctrl)) p.length = (uint32_t)length; /* that of the register, not of the first packet */
  if (why) {
    noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/MemoryMap.md", &p, why);
    return;
  }
  report_aliases(at, n->initiator[i], &p);
  report_channel(at, &p);
  unsigned id = noc_packet_id(&p);
  uint32_t packets = has_length(p.ctrl) ? (uint32_t)((length + NOC_PACKET_BYTES - 1) / NOC_PACKET_BYTES) : 1;
  if (is_answered(p.ctrl)) noc_count(at, NOC_MST_OUTSTANDING + id, packets);
  if (p.kind == NOC_WRITE && !is_inline(p.ctrl)) noc_count(at, NOC_MST_OUTGOING + id, packets);
  if (has_fifo(n)) memcpy(n->fifo[i][n->fifo_count[i]++], n->initiator[i], sizeof n->fifo[i][0]);
  else if (p.kind == NOC_WRITE && !is_inline(p.ctrl) && at->port->claim)
    n->claims[i] = (uint8_t)at->port->claim(at->tile, p.answer_address, has_length(p.ctrl) ? (uint32_t)length : p.length,
                                            NOC_CLAIM_SOURCE);
  if (!n->busy[i]) enqueue(at, i);
}

/* --- sending --- */

/* The counters that move when a virtual channel is assigned. */
static void count_started(const struct noc_at *at, const struct noc_packet *p) {
  bool answered = p->ctrl & NOC_CTRL_ANSWERED;
  noc_count(at, NOC_MST_ACCEPTED, 1);
  if (p->kind == NOC_ATOMIC) {
    if (answered) noc_count(at, NOC_MST_NP_ATOMIC_STARTED, 1);
  } else if (p->kind == NOC_WRITE) {
    noc_count(at, answered ? NOC_MST_NP_WR_STARTED : NOC_MST_P_WR_STARTED, 1);
    if (is_inline(p->ctrl)) noc_count(at, answered ? NOC_MST_NP_WR : NOC_MST_P_WR, 1);
  } else {
    noc_count(at, NOC_MST_RD_STARTED, 1);
    noc_count(at, NOC_MST_RD_SENT, 1);
  }
}

/* The last flit of a write has left: its source may be overwritten, and with the request's last packet its claim ends. A flit that waited for a
 * bank postpones it, and the next packet. */
void noc_sent(const struct noc_at *at, uint32_t what) {
  uint32_t late = noc_late(at, false);
  if (late) {
    at->niu->free_at += late;
    noc_later(at, at->port->now(at->tile) + late, what);
    return;
  }
  unsigned id = what >> 4 & 15u, claim = what >> NOC_EVENT_CLAIM & 127u;
  bool answered = what >> 8 & 1u;
  if (claim) at->port->release(at->tile, claim);
  noc_count(at, answered ? NOC_MST_NP_WORDS : NOC_MST_P_WORDS, what >> 16);
  noc_count(at, answered ? NOC_MST_NP_WR : NOC_MST_P_WR, 1);
  noc_count(at, NOC_MST_OUTGOING + id, UINT32_MAX);
}

static void count_departure(const struct noc_at *at, const struct noc_packet *p, sim_time departs, unsigned claim) {
  bool answered = p->ctrl & NOC_CTRL_ANSWERED;
  if (p->kind == NOC_ATOMIC) {
    noc_count(at, answered ? NOC_MST_NP_ATOMIC : NOC_MST_P_ATOMIC, 1);
  } else if (p->kind == NOC_WRITE && !is_inline(p->ctrl)) {
    uint32_t flits = noc_data_flits(p);
    uint32_t what =
        NOC_EVENT_SENT | noc_packet_id(p) << 4 | (uint32_t)answered << 8 | claim << NOC_EVENT_CLAIM | flits << 16;
    if (at->niu->times.niu_out) noc_later(at, departs + flits, what);
    else noc_sent(at, what);
  }
}

/* Reads the source of a write into the packet. */
static bool load_payload(const struct noc_at *at, struct noc_packet *p) {
  uint64_t from = is_masked(p->ctrl) ? p->answer_address & ~(uint64_t)15 : p->answer_address;
  uint8_t *bytes = noc_packet_bytes(p);
  if (p->kind != NOC_WRITE) return true;
  if (is_inline(p->ctrl)) {
    for (unsigned k = 0; k < 4; k++) bytes[k] = (uint8_t)(p->data >> (8 * k));
    return true;
  }
  enum noc_space space = at->port->space(at->tile, from, p->length);
  if (space == NOC_SPACE_NOTHING || (space == NOC_SPACE_REGISTERS && (p->length != 4 || from & 3u)) ||
      !at->port->read(at->tile, from, bytes, p->length)) {
    noc_refuse(at, SIM_FAULT_ADDRESS, "NoC/MemoryMap.md", p, "the source of the write is not visible to the NIU");
    return false;
  }
  return true;
}

static bool stays_here(const struct noc_packet *p) {
  return !(p->ctrl & NOC_CTRL_BROADCAST) && noc_same_place(p->source, p->target) &&
         (!is_answered(p->ctrl) || noc_same_place(p->source, p->answer));
}

/* A broadcast that reserves its path and does not continue a linked one occupies the output until the tree is reserved: here without the
 * wait for other tiles, which the network adds. */
static uint32_t reserves(const struct noc_at *at, const struct noc_packet *p) {
  const struct noc_times *times = &at->niu->times;
  bool first = (p->ctrl & NOC_CTRL_BROADCAST) && (p->ctrl & NOC_CTRL_PATH_RESERVE) && !at->niu->linked;
  return first && times->reserve ? times->reserve + times->reserve_hop * noc_spread_hops(p) : 0;
}

/* Cycles for which a packet occupies the output. */
static uint32_t holds(const struct noc_at *at, const struct noc_packet *p) {
  const struct noc_times *times = &at->niu->times;
  uint32_t flits = p->kind == NOC_WRITE ? noc_data_flits(p) : 0;
  if (!times->niu_out) return 1;
  return 1 + flits + flits / (p->ctrl & NOC_CTRL_BROADCAST ? times->broadcast_flits_per_bubble : times->flits_per_bubble);
}

/* Has the request of initiator i further packets behind the next one? */
static bool continues(struct noc_niu *n, unsigned i) {
  const uint32_t *w = words_of(n, i);
  return has_length(w[NOC_CTRL]) && w[NOC_AT_LEN_BE] > NOC_PACKET_BYTES;
}

/* The claim on a request's source, which ends with its last packet; 0: it has ended. One flit is one access to L1, made now: a store behind it,
 * while a broadcast still reserves its path, does not change it (tt-metal's dispatcher stores its signal a second time so). */
static unsigned take_claim(const struct noc_at *at, const struct noc_packet *p) {
  struct noc_niu *n = at->niu;
  unsigned claim = continues(n, p->initiator) ? 0 : n->claims[p->initiator];
  if (!claim) return 0;
  n->claims[p->initiator] = 0;
  if (noc_data_flits(p) > 1) return claim;
  at->port->release(at->tile, claim);
  return 0;
}

/* It departs `late` cycles later than the output alone allows. false: it cannot leave now, or it was rejected. */
static bool launch(const struct noc_at *at, struct noc_packet *p, uint32_t late) {
  struct noc_niu *n = at->niu;
  if (p->kind == NOC_READ && noc_same_place(p->answer, p->source) && at->port->claim)
    p->claim = (uint8_t)at->port->claim(at->tile, p->answer_address, p->length, NOC_CLAIM_ANSWER);
  if (stays_here(p)) {
    if (noc_loop_start(at, p, n->claims[p->initiator])) {
      n->claims[p->initiator] = 0;
      return true;
    }
    if (p->claim) at->port->release(at->tile, p->claim);
    return false;
  }
  struct noc_packet *packet = noc_packet_new(p->kind == NOC_WRITE ? p->length : 0);
  if (!packet) {
    noc_refuse(at, SIM_FAULT_CAPACITY, "packet.h", p, "no memory for a packet");
    return false;
  }
  struct noc_payload *payload = packet->payload;
  *packet = *p;
  packet->payload = payload;
  packet->weightless = at->port->weightless && at->port->weightless(at->tile, p);
  packet->departs = at->port->now(at->tile) + (packet->weightless ? 0 : late);
  if (!load_payload(at, packet)) {
    noc_packet_free(packet);
    return false;
  }
  if (p->kind == NOC_WRITE && !is_inline(p->ctrl) && !packet->weightless)
    noc_stream(at, false, p->answer_address, p->length, packet->departs + reserves(at, p));
  count_started(at, p);
  count_departure(at, p, packet->departs + reserves(at, p), take_claim(at, p));
  if (!at->port->send(at->tile, packet)) {
    noc_refuse(at, SIM_FAULT_UNSUPPORTED, "NoC/MemoryMap.md", p, "only this tile is simulated");
    noc_packet_free(packet);
    return false;
  }
  if (at->port->at_once && at->port->at_once(at->tile, p)) noc_count_completed(at, p);
  return true;
}

/* What all requests of a linked transaction have in common, as noc_niu's `linked`: [2:0] virtual channel, [3] broadcast, [4] its major axis,
 * [16:5] target, [28:17] start of the rectangle; plus one. ISA: NoC/Ordering.md (Wormhole) */
static uint64_t link_of(const struct noc_packet *p) {
  uint32_t broadcast = p->ctrl & NOC_CTRL_BROADCAST ? 1 : 0, receivers = p->target.x | (uint32_t)p->target.y << 6;
  uint64_t without = 0; /* which tiles of the rectangle are no receivers */
  if (broadcast) receivers |= (uint32_t)p->start.x << 12 | (uint32_t)p->start.y << 18;
  if (broadcast) without = (p->ctrl & NOC_CTRL_SOURCE_INCLUDE ? 0 : 1u) | (uint64_t)p->exclude << 1;
  return 1u + (uint64_t)(p->vc | broadcast << 3 | (p->ctrl & NOC_CTRL_Y_MAJOR ? 16u : 0) | receivers << 5) + (without << 29);
}

/* Other requests wait until a linked transaction has ended: those of another virtual channel or kind. */
static bool may_go(const struct noc_niu *n, const struct noc_packet *p) {
  return !n->linked || !(((n->linked - 1u) ^ (link_of(p) - 1u)) & 15u);
}

/* Advances to the rest of a request of more than one packet; false: there is none. */
static bool advance(struct noc_niu *n, unsigned i) {
  uint32_t *w = words_of(n, i);
  if (!continues(n, i)) return false;
  w[NOC_AT_LEN_BE] -= NOC_PACKET_BYTES;
  w[NOC_TARG_LO] += NOC_PACKET_BYTES;
  w[NOC_RET_LO] += NOC_PACKET_BYTES;
  return true;
}

static void next_of_fifo(const struct noc_at *at, unsigned i) {
  struct noc_niu *n = at->niu;
  n->fifo_count[i]--;
  memmove(n->fifo[i][0], n->fifo[i][1], n->fifo_count[i] * sizeof n->fifo[i][0]);
  memset(n->fifo[i][n->fifo_count[i]], 0, sizeof n->fifo[i][0]);
  noc_changed(at, NOC_REG_BUF_AVAIL);
  if (n->fifo_count[i]) enqueue(at, i);
}

static bool send_one(const struct noc_at *at, unsigned place) {
  struct noc_niu *n = at->niu;
  unsigned i = queue_at(n, place) & 3u;
  struct noc_packet p = describe(n, i, words_of(n, i));
  if (!may_go(n, &p)) return false;
  if (n->linked && n->linked != link_of(&p)) {
    noc_refuse(at, SIM_FAULT_UNDEFINED, "NoC/Ordering.md", &p,
               "a linked transaction with other receivers or another bit 16 of CTRL is open");
    return false;
  }
  uint32_t late = stays_here(&p) ? 0 : noc_late(at, false);
  sim_time free_at = at->port->now(at->tile) + late + reserves(at, &p) + holds(at, &p);
  if (!launch(at, &p, late)) return false;
  n->free_at = free_at;
  n->linked = p.ctrl & NOC_CTRL_LINKED ? link_of(&p) : 0;
  if (advance(n, i)) return true;
  n->busy[i] = 0;
  queue_remove(n, place);
  if (n->fifo_count[i]) next_of_fifo(at, i);
  noc_changed(at, NOC_INITIATOR_STRIDE * i + NOC_REG_CMD_CTRL);
  return true;
}

void noc_send_next(const struct noc_at *at) {
  struct noc_niu *n = at->niu;
  n->sending = 0;
  if (n->free_at > at->port->now(at->tile)) { /* a packet waited for a bank of L1 meanwhile */
    schedule(at);
    return;
  }
  for (unsigned place = 0; queue_at(n, place); place++) {
    if (!send_one(at, place)) continue;
    schedule(at);
    return;
  }
}
