/* Order between the tiles of a chip. A request to another tile carries what its core knew when it sent it; the load that
 * ends a poll of a word that another tile has written comes after that. What a request leaves in L1 is known to have
 * arrived when the flag after it was sent after a barrier, or to the same tile as a write on the same NoC and the same static virtual
 * channel: packets with one source, one destination and one channel stay in order (ISA: NoC/Ordering.md, Wormhole). That
 * page lists no order of a write and an atomic after it. No barrier waits for posted writes.
 *
 * What arrives tells nothing until a core polls it (peers.c): then it is admitted and gets a number. What an agent has heard is the
 * newest number that it comes after; `peer` has, for each number, what was then known of each other tile. Where the rings no longer
 * hold the answer, accesses count as in order.
 * An increment of a word of the own tile tells its core's vector in the same way, without a number. Short reads are polls or data (pulls.c).
 * Other tiles' records are read on this tile's thread, windows after they were written: the ring is longer than what a tile
 * sends in that time. */
#include "check/tiles.h"

#include <stddef.h>
#include <string.h>

#include "check/buffers.h"
#include "check/l1.h"
#include "check/own.h"
#include "check/peers.h"
#include "check/pulls.h"
#include "check/report.h"
#include "noc/niu.h"
#include "observe/hang/poll.h"

#define NETWORK_CLOCK 0x40000000u /* above every number of an arrival: only chk_tiles_know decides */
#define MIXED 0xffffu
#define PAGE_FLAG_BYTES 32u /* a shorter read of a page may fetch a flag in it */
#define SHORT_BYTES 16u     /* L1 is written this many bytes at once: a request of that size is a flag */

/* --- requests that leave --- */

/* A write on the same channel as all requests of the core since its last barrier arrives after them. */
static bool arrives_behind(struct chk_tiles *n, unsigned core, unsigned noc, uint32_t ctrl) {
  uint16_t channel = (uint16_t)(1u | noc << 1 | (ctrl >> 13 & 7u) << 2);
  bool fixed = ctrl & (NOC_CTRL_VC_STATIC | NOC_CTRL_LINKED);
  if (!fixed || (n->channel[core] && n->channel[core] != channel)) n->channel[core] = MIXED;
  else n->channel[core] = channel;
  return n->channel[core] == channel;
}

/* A write is posted if nothing answers it: no barrier waits for it. One that is answered, behind it on the same channel, does. */
static void note_posted(struct chk_tiles *n, unsigned core, const struct chk_request *q) {
  struct chk_posted *p = &n->posted[core][q->channel];
  if (q->posted && !p->first) p->first = q->clock;
  if (q->posted) p->last = q->clock;
  else if (q->channel) p->cover = q->clock;
}

void chk_tiles_request(struct chk *c, unsigned core, unsigned noc, unsigned initiator, uint32_t ctrl) {
  struct chk_tiles *n = &c->tiles;
  bool read = (ctrl & NOC_CTRL_TYPE) == NOC_READ, write = (ctrl & NOC_CTRL_TYPE) == NOC_WRITE;
  unsigned entity = (read ? CHK_NOC_IN : CHK_NOC_FAR) + core;
  if (!n->chip && write) return; /* a tile alone: atomics on itself, polls of itself */
  struct chk_request *q = &n->request[noc][initiator];
  q->vector = c->clocks.of[CHK_CORE + core];
  q->core = core;
  q->from = c->noc_place[noc][initiator][0];
  q->clock = c->clocks.of[entity].at[entity];
  q->mark = chk_now(c, entity);
  for (unsigned i = 0; i < TX_CORES; i++) {
    q->own[0][i] = c->clocks.of[CHK_CORE + core].at[CHK_NOC_FAR + i];
    q->own[1][i] = c->clocks.of[CHK_CORE + core].at[CHK_NOC_IN + i];
  }
  q->channel = write && ctrl & (NOC_CTRL_VC_STATIC | NOC_CTRL_LINKED) ? (uint8_t)(1u + (noc | (ctrl >> 13 & 7u) << 1)) : 0;
  q->posted = write && !(ctrl & NOC_CTRL_ANSWERED);
  if (write) note_posted(n, core, q);
  q->data = read && chk_pull_is_data(c, core, q->mark.pc, c->noc_place[noc][initiator][3]);
  q->behind = write && arrives_behind(n, core, noc, ctrl);
  chk_add_heard(n, q);
  if (!read) chk_step(&c->clocks, entity); /* each write has its own clock */
}

void chk_tiles_barrier(struct chk *c, unsigned core) {
  c->tiles.channel[core] = 0;
  for (unsigned i = 1; i < CHK_CHANNELS; i++) {
    struct chk_posted *p = &c->tiles.posted[core][i];
    if (p->first && p->first < p->cover) p->first = p->last < p->cover ? 0 : p->cover;
    p->cover = 0;
  }
}

/* Numbers are in the order in which packets leave, not in that of their requests: a long write's last packet may leave after a later
 * request of another core. Who has heard a number has heard all before it. */
static void join_sent(struct chk_tiles *n, struct chk_request *s) {
  chk_add(&n->left, &s->vector);
  s->before = n->left;
}

/* The response to a short read: another tile may poll a word of this tile. */
static void answer_poll(struct chk *c, struct chk_request *s, uint32_t number) {
  chk_pull_answer(c, s, number);
  chk_add_heard(&c->tiles, s);
  join_sent(&c->tiles, s);
}

void chk_tiles_sent(struct tx_tile *t, const struct noc_packet *p) {
  struct chk *c = t->unsaved.check;
  struct chk_tiles *n = &c->tiles;
  uint32_t number = (uint32_t)p->sequence + 1;
  struct chk_request *s = &n->sent[number % CHK_SENT];
  if (!n->chip) return;
  if (p->kind == NOC_READ_ANSWER && p->length <= CHK_PULL_BYTES) answer_poll(c, s, number);
  if (noc_packet_is_answer(p)) return;
  *s = n->request[p->noc][p->initiator];
  /* with queued requests the packet's number is not known */
  s->number = t->niu[p->noc].fifo_count[p->initiator] ? 0 : number;
  join_sent(n, s);
}

/* --- packets that arrive --- */

/* The part of the sender's vector for this tile: the vector that this tile had when it sent the newest message that the
 * sender has received. */
static struct chk_vector known_of_us(const struct chk *c, unsigned tile, const struct chk_request *s) {
  struct chk_vector v = {{0}};
  if (tile == c->tiles.tile) return s->vector; /* a multicast that the sender receives itself */
  const struct chk_heard *h = chk_heard_of(s, c->tiles.tile);
  if (!h && !s->full) return v;
  const struct chk_request *own = h ? &c->tiles.sent[h->number % CHK_SENT] : NULL;
  if (h && own->number == h->number) return h->part ? chk_pull_part(c, h) : own->before;
  memset(&v, 0x3f, sizeof v); /* too old, or no room for it: everything */
  return v;
}

static void note_word(struct chk_tiles *n, uint32_t address, uint32_t before, uint32_t value, uint32_t mask) {
  struct chk_word *w = &n->word[address / 4 % CHK_WORDS];
  if (w->address != address) *w = (struct chk_word){.address = address};
  w->arrival[w->count % CHK_VALUES] = n->arrivals;
  w->before[w->count % CHK_VALUES] = before;
  w->mask[w->count % CHK_VALUES] = mask;
  w->value[w->count++ % CHK_VALUES] = value;
}

/* A read that may be a poll. One of a page fetches data. */
static void serve_pull(struct chk *c, const struct noc_packet *p, const struct tx_range *r, const struct chk_request *s) {
  bool own = p->tile == c->tiles.tile, page = r->width > PAGE_FLAG_BYTES && chk_on(c, CHK_A) && chk_buffer_at(c, r->base);
  chk_pull_served(c, r, p->tile, s);
  if (s->data || own) return; /* of the own tile l1.c records it */
  if (page) {
    c->tiles.serving.racy = false;
    chk_l1_access(c->t, r);
    return;
  }
  c->t->current.word |= CHK_PULL_LENGTH(r->width);
  if (chk_on(c, CHK_C)) chk_lines_pulled(c, CHK_NETWORK, r);
}

static void access(struct chk *c, const struct noc_packet *p, const struct chk_request *s, bool write) {
  struct tx_tile *t = c->t;
  struct chk_request acting = *s;
  struct tx_current kept = t->current;
  struct tx_range r = {.base = (uint32_t)p->address,
                       .width = p->length,
                       .rows = 1,
                       .agent = TX_AGENT_NETWORK,
                       .unit = TX_UNIT_FRONTEND,
                       .write = write};
  if (p->kind == NOC_ATOMIC) r.base &= ~3u, r.width = 4;
  t->current.pc = s->mark.pc;
  t->current.word = p->tile | s->core << 16 | (write ? 0u : 1u << 19) | (p->length <= SHORT_BYTES ? 1u << 20 : 0u);
  if (p->kind == NOC_ATOMIC) t->current.word |= 1u << 21;
  if (p->kind == NOC_WRITE) t->current.word |= (uint32_t)s->channel << 23 | (uint32_t)s->posted << 28;
  acting.mark.word = t->current.word;
  c->clocks.of[CHK_NETWORK] = known_of_us(c, p->tile, s);
  c->clocks.of[CHK_NETWORK].at[CHK_NETWORK] = NETWORK_CLOCK + s->number;
  c->tiles.clock = p->kind != NOC_ATOMIC      ? s->clock
                   : p->tile == c->tiles.tile ? s->vector.at[CHK_CORE + s->core]
                                              : c->tiles.arrivals;
  c->tiles.acting = &acting;
  if (p->kind == NOC_ATOMIC) chk_flag_changed(c, CHK_NETWORK, &r);
  else if (write || p->length > CHK_PULL_BYTES || (s->data && p->tile != c->tiles.tile)) chk_l1_access(t, &r);
  if (!write && p->length <= CHK_PULL_BYTES) serve_pull(c, p, &r, s);
  c->tiles.acting = NULL;
  memset(&c->clocks.of[CHK_NETWORK], 0, sizeof c->clocks.of[CHK_NETWORK]);
  t->current = kept;
}

/* A write of at most a word, inside one. */
static void note_write(struct chk *c, const struct noc_packet *p) {
  uint32_t address = (uint32_t)p->address, before = tx_l1_read(c->t, address & ~3u, 4), mask = 0, value = 0;
  if (!p->length || address % 4 + p->length > 4) return;
  for (uint32_t i = 0; i < p->length; i++) {
    mask |= 0xffu << 8 * (address % 4 + i);
    value |= (uint32_t)noc_packet_data(p)[i] << 8 * (address % 4 + i);
  }
  note_word(&c->tiles, address & ~3u, before, (before & ~mask) | value, mask);
}

/* A request that changes a word, or data, takes effect. */
static void arrive(struct chk *c, const struct noc_packet *p, const struct chk_request *s) {
  uint32_t address = (uint32_t)p->address & ~3u;
  if (p->kind != NOC_READ) {
    struct chk_news *e = chk_note_news(&c->tiles, p->tile, s);
    e->address = address;
    e->atomic = p->kind == NOC_ATOMIC;
    e->wrote = p->kind == NOC_WRITE;
    e->written = e->wrote && p->length <= SHORT_BYTES;
  }
  if (p->kind == NOC_ATOMIC) {
    uint32_t before = tx_l1_read(c->t, address, 4);
    note_word(&c->tiles, address, before, before + p->data, 0);
    c->writer[address / 4] = 1 + CHK_NETWORK;
    c->flag[address / 32] |= (uint8_t)(1u << (address / 4 % 8)); /* a word that other tiles increment is not data */
  }
  if (p->kind == NOC_WRITE) note_write(c, p);
  access(c, p, s, p->kind != NOC_READ);
}

void chk_tiles_looped(struct tx_tile *t, const struct noc_packet *p, unsigned place, bool done) {
  struct chk *c = t->unsaved.check;
  struct chk_tiles *n = &c->tiles;
  struct chk_request *s = &n->looped[p->noc][place];
  if (p->address + p->length > TX_L1_BYTES) return;
  if (!done) {
    *s = n->request[p->noc][p->initiator];
    s->number = 1;
    if (p->kind == NOC_ATOMIC) chk_own_sent(c, s, (uint32_t)p->address & ~3u, p->data);
    return;
  }
  if (!s->number) return; /* it started before the checker */
  struct noc_packet own = *p;
  own.tile = (uint16_t)n->tile;
  if (p->kind != NOC_READ || p->length <= CHK_PULL_BYTES) arrive(c, &own, s);
  if (p->kind == NOC_READ && p->length <= CHK_PULL_BYTES) chk_pull_own(c, p, s);
  if (p->kind == NOC_ATOMIC) chk_own_arrived(c, s, (uint32_t)p->address & ~3u, p->data);
  s->number = 0;
}

void chk_tiles_arrives(struct tx_tile *t, const struct noc_packet *p) {
  struct chk *c = t->unsaved.check;
  const struct chk_chip *chip = c->tiles.chip;
  if (!chip || p->tile >= CHK_TILES || !chip->of[p->tile]) return;
  if (p->address + p->length > TX_L1_BYTES || p->ctrl & (NOC_CTRL_INLINE | NOC_CTRL_BYTE_MASK)) return;
  const struct chk_request *s = &chip->of[p->tile]->tiles.sent[((uint32_t)p->sequence + 1) % CHK_SENT];
  if (s->number != (uint32_t)p->sequence + 1) return;
  if (noc_packet_is_answer(p)) {
    if (p->kind == NOC_READ_ANSWER && p->length <= CHK_PULL_BYTES) chk_pull_arrives(c, p, s);
    return;
  }
  arrive(c, p, s);
}

/* --- the chip --- */

void chk_join_chip(struct chk *c, struct chk_chip *chip, unsigned tile) {
  c->tiles.chip = chip;
  c->tiles.tile = tile;
}

const struct dbg_program *chk_peer_program(const void *check, unsigned tile, unsigned at[2]) {
  const struct chk *c = check;
  const struct chk_chip *chip = c->tiles.chip;
  if (!chip || tile >= CHK_TILES || !chip->of[tile]) return NULL;
  at[0] = chip->logical[tile] & 63u;
  at[1] = chip->logical[tile] >> 6;
  return chip->of[tile]->program;
}
