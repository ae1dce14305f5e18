/* Order of accesses to DRAM, by line. A request carries the vector of its core (tiles.c): for the NoC requests of its own
 * tile's cores and for other tiles. A flag, in DRAM or in L1, follows the writes that a barrier has ended before it, and those to the
 * flag's own controller. A read is ordered after the last write when that write is known to have arrived, a
 * write also after the last reads. Requests of one core come in order: one NoC, one static virtual channel (ISA:
 * NoC/Ordering.md, Wormhole).
 *
 * A short write is a flag: it is not reported. A short read is a poll or data: pulls.c decides when a core loads the copy, and what was
 * written to its lines is recorded for that. When a table is full an older line is evicted. DRAM runs between the windows of the tiles, so
 * this code may change the tiles' records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/buffers.h"
#include "check/internal.h"
#include "check/l1.h"
#include "check/pages.h"
#include "check/peers.h"
#include "check/pulls.h"
#include "check/report.h"
#include "tensix/num/format.h"

#define LINE_BITS 6u
#define LINES (1u << 16)
#define LINE_BYTES (1u << LINE_BITS)
#define FLAG_BYTES 32u /* a shorter write is a flag */
#define READERS 2u
#define HISTORIES 64u
#define CHANGES 8u

struct use {
  uint32_t clock; /* 0: none. Clock of the core's writes or reads */
  uint32_t pc, cycle;
  uint32_t number; /* of the packet */
  uint16_t tile;
  uint8_t core;
  uint8_t pull; /* words of a read that may be a poll; 0: data */
  uint8_t channel;
  bool posted;
};

struct line {
  uint64_t key; /* 0: none; else 1 + number of the line, of all controllers and generations */
  struct use write, read[READERS];
};

/* A write to a line, and what its core knew. */
struct change {
  uint32_t from, to, tile; /* bytes of the line */
  bool all;                /* some bytes before it are not known */
  uint8_t before[LINE_BYTES], value[LINE_BYTES];
  struct chk_request sent;
};

/* The last writes to a line that has had a short one. */
struct history {
  uint64_t key;
  uint32_t count;
  uint64_t known; /* bit per byte of `bytes` */
  uint8_t bytes[LINE_BYTES];
  struct change of[CHANGES];
};

struct chk_dram {
  uint64_t generation; /* lines of an older generation are discarded */
  struct history history[HISTORIES];
  struct line line[LINES];
};

struct chk_dram *chk_dram_create(void) {
  return calloc(1, sizeof(struct chk_dram));
}
void chk_dram_free(struct chk_dram *d) { free(d); }
void chk_dram_forget(struct chk_dram *d) {
  if (d) d->generation++;
}

static struct line *line_at(struct chk_dram *d, unsigned controller, uint64_t number) {
  uint64_t where = number | (uint64_t)controller << (32 - LINE_BITS), key = 1 + where + (d->generation << 30);
  struct line *l = &d->line[(where * UINT64_C(0x9E3779B97F4A7C15) >> 40) % LINES];
  if (l->key != key) memset(l, 0, sizeof *l);
  l->key = key;
  return l;
}

static bool knows(struct chk *c, const struct chk_request *s, const struct use *u, bool read, unsigned controller) {
  struct chk_wrote w = {u->clock, controller, u->core, u->channel, u->posted};
  if (!u->clock || (!read && chk_is_behind(c, u->tile, &w))) return true;
  if (u->tile == c->tiles.tile) return u->core == s->core || s->own[read][u->core] >= u->clock;
  const struct chk_heard *h = chk_heard_of(s, u->tile);
  if (!h) return s->full;
  w.dest = CHK_TILES + controller;
  return read ? h->in[u->core] >= u->clock : chk_has_arrived(h, &w);
}

/* The finding is on the tile that sent the second request. */
static void report(struct chk *c, const struct chk_request *s, const struct use *u, const struct noc_packet *p,
                   unsigned controller, const char *text) {
  struct tx_current kept = c->t->current;
  struct tx_side side = {.cycle = u->cycle, .pc = u->pc, .agent = (uint16_t)(TX_AGENT_TRISC0 + u->core)};
  if (u->tile != c->tiles.tile) side.tile = 1u + u->tile;
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + s->core), .pc = s->mark.pc};
  tx_diag_pair(c->t, TX_DIAG_DRAM_UNORDERED, &side, "DRAM controller %u, 0x%llx: %s", controller,
               (unsigned long long)p->address, text);
  c->t->current = kept;
}

/* --- polls --- */

static struct history *history_at(struct chk_dram *d, const struct line *l) { return &d->history[l->key * 7u % HISTORIES]; }

/* Records a write to a line, of the packet's bytes from `from` of the line to `to`. Pages are recorded where flags are. */
static void note_change(struct chk_dram *d, const struct line *l, const struct noc_packet *p, const struct chk_request *s,
                        uint64_t number) {
  struct history *h = history_at(d, l);
  uint64_t first = number << LINE_BITS;
  uint32_t from = p->address > first ? (uint32_t)(p->address - first) : 0;
  uint32_t to = p->address + p->length < first + LINE_BYTES ? (uint32_t)(p->address + p->length - first) : LINE_BYTES;
  uint64_t bytes = (to - from == LINE_BYTES ? 0 : UINT64_C(1) << (to - from)) - 1;
  if (h->key != l->key && p->length > CHK_PULL_BYTES) return;
  if (h->key != l->key) h->key = l->key, h->count = 0, h->known = 0;
  struct change *k = &h->of[h->count++ % CHANGES];
  k->from = from;
  k->to = to;
  k->tile = p->tile;
  k->all = (bytes << from & ~h->known) != 0;
  k->sent = *s;
  memcpy(k->before, &h->bytes[from], to - from);
  for (uint32_t i = from; i < to; i++)
    k->value[i - from] =
        p->ctrl & NOC_CTRL_INLINE ? (uint8_t)(p->data >> 8 * (i % 4)) : noc_packet_data(p)[first + i - p->address];
  memcpy(&h->bytes[from], k->value, to - from);
  h->known |= bytes << from;
}

static bool knows_change(const struct chk *c, const struct chk_request *s, const struct change *k) {
  if (k->tile == c->tiles.tile)
    return k->sent.core == s->core || s->vector.at[CHK_CORE + k->sent.core] >= k->sent.vector.at[CHK_CORE + k->sent.core];
  const struct chk_heard *h = chk_heard_of(s, k->tile);
  return h ? h->number >= k->sent.number : s->full;
}

static void add_cause(struct chk_answer *a, const struct change *k, uint64_t first, bool known, bool all) {
  struct chk_cause *cause = chk_pull_cause(a, first + k->from, k->to - k->from);
  if (!cause) return;
  memcpy(cause->before, k->before, k->to - k->from);
  memcpy(cause->value, k->value, k->to - k->from);
  cause->tile = k->tile;
  cause->known = known;
  cause->all = all;
  cause->wrote = cause->written = true;
  cause->sent = k->sent;
}

/* The last write to a line without history. */
static void add_last(const struct chk *c, struct chk_answer *a, const struct use *u, uint64_t first) {
  if (!u->clock || !c->tiles.chip->of[u->tile]) return;
  const struct chk_request *w = &c->tiles.chip->of[u->tile]->tiles.sent[u->number % CHK_SENT];
  struct chk_cause *cause = w->number == u->number ? chk_pull_cause(a, first, LINE_BYTES) : NULL;
  if (!cause) return;
  memset(cause->before, 0, sizeof cause->before);
  memset(cause->value, 0, sizeof cause->value);
  cause->tile = u->tile;
  cause->all = true;
  cause->wrote = cause->written = true;
  cause->sent = *w;
}

/* What a short read finds in a line. */
static void find_causes(struct chk *c, const struct chk_request *s, struct chk_answer *a, const struct line *l,
                        uint64_t number) {
  const struct history *h = history_at(c->tiles.chip->dram, l);
  uint32_t oldest = h->count > CHANGES ? h->count - CHANGES : 0;
  bool found = false;
  if (h->key != l->key) {
    add_last(c, a, &l->write, number << LINE_BITS);
    return;
  }
  for (uint32_t i = oldest; i < h->count; i++) {
    const struct change *k = &h->of[i % CHANGES];
    bool known = knows_change(c, s, k);
    if (known && !found) continue;
    add_cause(a, k, number << LINE_BITS, known, k->all || (i == oldest && oldest));
    found = true;
  }
}

static void poll_line(struct chk *c, const struct chk_request *s, struct chk_answer *a, const struct line *l,
                      uint64_t number, unsigned controller) {
  const struct use *u = &l->write;
  find_causes(c, s, a, l, number);
  if (a->racy || knows(c, s, u, false, controller)) return;
  a->racy = true;
  a->unordered = (struct chk_mark){
      .clock = u->clock, .pc = u->pc, .word = u->tile, .cycle = u->cycle, .agent = (uint8_t)(TX_AGENT_TRISC0 + u->core)};
}

/* A read that may be a poll may still be in flight. */
static void suspect(struct chk *c, const struct chk_request *s, const struct use *u, const struct noc_packet *p,
                    unsigned controller) {
  struct chk_mark now = s->mark, read = {.clock = u->clock, .pc = u->pc, .cycle = u->cycle};
  now.agent = (uint8_t)(TX_AGENT_TRISC0 + s->core);
  now.cycle = (uint32_t)p->arrives;
  now.word = 0;
  read.word = u->tile | (uint32_t)u->core << 16 | CHK_PULL_LENGTH(4u * u->pull);
  chk_pull_suspect(c, &now, &read, (uint32_t)p->address, controller);
}

static bool check_line(struct chk *c, const struct chk_request *s, struct line *l, const struct noc_packet *p,
                       unsigned controller) {
  bool write = p->kind == NOC_WRITE;
  if (!knows(c, s, &l->write, false, controller)) {
    report(c, s, &l->write, p, controller,
           write ? "written by two agents, and nothing makes the second one wait"
                 : "read, and nothing makes sure that the write before it has arrived");
    return true;
  }
  for (unsigned i = 0; write && i < READERS; i++)
    if (!knows(c, s, &l->read[i], true, controller)) {
      if (l->read[i].pull) {
        suspect(c, s, &l->read[i], p, controller);
        continue;
      }
      report(c, s, &l->read[i], p, controller, "written while a read may still be in flight");
      return true;
    }
  return false;
}

static void note(struct line *l, const struct use *u, bool write) {
  if (write) {
    memset(l->read, 0, sizeof l->read);
    l->write = *u;
    return;
  }
  unsigned place = 0;
  while (place + 1 < READERS && l->read[place].clock && (l->read[place].tile != u->tile || l->read[place].core != u->core))
    place++;
  l->read[place] = *u;
}

/* --- declared ranges --- */

/* The first range after this address, in the order of the table. */
static uint32_t range_after(const struct chk_chip *chip, unsigned controller, uint64_t address) {
  uint32_t low = 0, high = chip->ranges;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const struct chk_declared *r = &chip->range[middle];
    if (r->controller < controller || (r->controller == controller && r->from <= address)) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool chk_note_range(struct chk_chip *chip, unsigned controller, uint64_t from, uint64_t bytes, const char *name) {
  if (chip->ranges >= CHK_RANGES) chip->ranges = CHK_RANGES + 1;
  if (chip->ranges > CHK_RANGES) return false;
  uint32_t at = range_after(chip, controller, from);
  struct chk_declared *r = &chip->range[at];
  memmove(r + 1, r, (chip->ranges++ - at) * sizeof *r);
  *r = (struct chk_declared){.from = from, .to = from + bytes, .controller = (uint16_t)controller};
  strncpy(r->name, name, sizeof r->name - 1);
  for (; r < chip->range + chip->ranges && r->controller == controller; r++) {
    bool first = r == chip->range || r[-1].controller != controller;
    r->reach = !first && r[-1].reach > r->to ? r[-1].reach : r->to;
  }
  return true;
}

/* The ranges beside an access: the one that its first byte is in or after, and the next one. */
struct beside {
  const struct chk_declared *below, *above;
};

static struct beside ranges_beside(const struct chk_chip *chip, unsigned controller, uint64_t address) {
  uint32_t at = range_after(chip, controller, address);
  const struct chk_declared *above = &chip->range[at], *below = above - 1;
  return (struct beside){at && below->controller == controller ? below : NULL,
                         at < chip->ranges && above->controller == controller ? above : NULL};
}

static void describe_outside(char *text, size_t n, const struct beside *b, uint64_t address, uint32_t length) {
  const char *below = b->below ? b->below->name : "";
  char before[64] = "";
  if (b->above)
    snprintf(before, sizeof before, ", 0x%llx before %s", (unsigned long long)(b->above->from - address), b->above->name);
  if (b->below && address < b->below->to)
    snprintf(text, n, ", %u of them after the end of %s", (unsigned)(address + length - b->below->to), below);
  else if (b->below && address == b->below->to) snprintf(text, n, ", directly after the end of %s%s", below, before);
  else if (b->below)
    snprintf(text, n, ", 0x%llx after the end of %s%s", (unsigned long long)(address - b->below->to), below, before);
  else snprintf(text, n, "%s", b->above ? before : ", where no tensor is");
}

static void check_ranges(struct chk *c, const struct chk_request *s, unsigned controller, const struct noc_packet *p) {
  const struct chk_chip *chip = c->tiles.chip;
  char text[96];
  if (!chip->ranges || chip->ranges > CHK_RANGES) return;
  struct beside b = ranges_beside(chip, controller, p->address);
  if (b.below && p->address + p->length <= b.below->reach) return;
  describe_outside(text, sizeof text, &b, p->address, p->length);
  struct tx_current kept = c->t->current;
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + s->core), .pc = s->mark.pc};
  chk_report(c, TX_DIAG_DRAM_OUTSIDE, NULL, "%s of %u bytes at 0x%llx of controller %u%s",
             p->kind == NOC_READ ? "read" : "write", (unsigned)p->length, (unsigned long long)p->address, controller, text);
  c->t->current = kept;
}

/* --- formats --- */

bool chk_note_tensor(struct chk_chip *chip, unsigned controller, uint64_t from, uint64_t bytes, unsigned format,
                     const char *name) {
  unsigned i = 0;
  while (i < chip->tensors && (chip->tensor[i].controller != controller || chip->tensor[i].from != from)) i++;
  if (i == CHK_TENSORS) return false;
  if (i == chip->tensors) chip->tensors++;
  struct chk_tensor *t = &chip->tensor[i];
  *t = (struct chk_tensor){
      .from = from, .to = from + bytes, .controller = (uint16_t)controller, .format = (uint16_t)(format & 15u)};
  strncpy(t->name, name, sizeof t->name - 1);
  return true;
}

static unsigned tensor_at(const struct chk_chip *chip, unsigned controller, uint64_t address) {
  for (unsigned i = 0; i < chip->tensors; i++)
    if (chip->tensor[i].controller == controller && address >= chip->tensor[i].from && address < chip->tensor[i].to)
      return 1 + i;
  return 0;
}

/* A read records the tensor's format for the page that it fills. A write is compared with the format that the packer
 * produced. */
static void check_formats(struct chk *c, const struct chk_request *s, unsigned controller, const struct noc_packet *p) {
  const struct chk_chip *chip = c->tiles.chip;
  unsigned number = tensor_at(chip, controller, p->address);
  if (!number) return;
  const struct chk_tensor *t = &chip->tensor[number - 1];
  if (p->kind == NOC_READ) {
    chk_pages_tag(c, (uint32_t)p->answer_address, p->length, (uint16_t)number);
    return;
  }
  unsigned tag = chk_page_tag(c, s->from), format = tag - CHK_TAG_PACKED, own = t->format == 4 ? 0 : t->format;
  if (tag < CHK_TAG_PACKED || !chk_formats_differ(format, own)) return;
  const struct chk_buffer *b = chk_buffer_at(c, s->from);
  struct tx_current kept = c->t->current;
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + s->core), .pc = s->mark.pc};
  chk_report(c, TX_DIAG_TENSOR_FORMAT, chk_page_writer(c, b, s->from), "tensor %s is %s, the packer made %s for CB %u",
             t->name, num_format_name(own), num_format_name(format), (unsigned)(b - c->buffer));
  c->t->current = kept;
}

static void arrive(const struct chk_chip *chip, struct chk *c, const struct chk_request *s, unsigned controller,
                   const struct noc_packet *p) {
  const uint32_t number = s->number;
  if (chk_on(c, CHK_D)) check_ranges(c, s, controller, p);
  if (chk_on(c, CHK_E)) check_formats(c, s, controller, p);
  if (!chk_on(c, CHK_C)) return;
  bool write = p->kind == NOC_WRITE, poll = !write && p->length <= CHK_PULL_BYTES && !s->data;
  bool reported = poll || (write && p->length <= FLAG_BYTES);
  struct chk_answer *a = poll ? &chk_pull_memory(c, p, s, controller)->answer : NULL;
  struct use now = {
      s->clock,   s->mark.pc, s->mark.cycle, number, p->tile, (uint8_t)s->core, (uint8_t)(poll ? (p->length + 3) / 4 : 0),
      s->channel, s->posted};
  for (uint64_t i = p->address >> LINE_BITS; i <= (p->address + p->length - 1) >> LINE_BITS; i++) {
    struct line *l = line_at(chip->dram, controller, i);
    if (!reported) reported = check_line(c, s, l, p, controller);
    if (poll) poll_line(c, s, a, l, i, controller);
    if (!poll || p->length > FLAG_BYTES) note(l, &now, write);
    if (write) note_change(chip->dram, l, p, s, i);
  }
}

/* A finding is of the cycle of the arrival. The sender's own time is that of its last window, or later if it ran alone. */
void chk_dram_arrives(const struct chk_chip *chip, unsigned controller, const struct noc_packet *p) {
  if (!chip->dram || noc_packet_is_answer(p) || p->kind == NOC_ATOMIC || p->tile >= CHK_TILES || !chip->of[p->tile]) return;
  struct chk *c = chip->of[p->tile];
  uint32_t number = (uint32_t)p->sequence + 1;
  const struct chk_request *s = &c->tiles.sent[number % CHK_SENT];
  if (s->number != number || !p->length) return;
  const sim_time now = c->t->engine.now;
  c->t->engine.now = p->arrives;
  arrive(chip, c, s, controller, p);
  c->t->engine.now = now;
}
