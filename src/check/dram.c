/* Order of accesses to DRAM, by line. A request carries the vector of its core (tiles.c): for the NoC requests of its own
 * tile's cores and for other tiles. A flag, in DRAM or in L1, follows the writes that a barrier has ended before it, and those to the
 * flag's own controller. A read is ordered after the last write when that write is known to have arrived, a
 * write also after the last reads. Requests of one core come in order: one NoC, one static virtual channel (ISA:
 * NoC/Ordering.md, Wormhole).
 *
 * A short access is a flag: it is not reported, and a read of it joins the writer's vector. When the table is full an older
 * line is evicted. DRAM runs between the windows of the tiles, so this code may change the tiles' records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/buffers.h"
#include "check/internal.h"
#include "check/l1.h"
#include "check/pages.h"
#include "check/peers.h"
#include "check/report.h"
#include "tensix/num/format.h"

#define LINE_BITS 6u
#define LINES (1u << 16)
#define FLAG_BYTES 32u /* a shorter access is a flag */
#define READERS 2u

struct use {
  uint32_t clock; /* 0: none. Clock of the core's writes or reads */
  uint32_t pc, cycle;
  uint32_t number; /* of the packet */
  uint16_t tile;
  uint8_t core;
};

struct line {
  uint64_t key; /* 0: none; else 1 + number of the line, of all controllers and generations */
  struct use write, read[READERS];
};

struct chk_dram {
  uint64_t generation; /* lines of an older generation are discarded */
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

static struct chk_behind *behind_of(struct chk *c, const struct use *u, unsigned controller) {
  return &c->tiles.behind[(u->tile * 7u + u->core * 3u + controller) % CHK_BEHIND];
}

/* Packets stay in order on the way to one place only: a write to another controller than the flag's needs a barrier before the flag. */
static bool is_behind(struct chk *c, const struct use *u, unsigned controller) {
  const struct chk_behind *b = behind_of(c, u, controller);
  return b->tile == u->tile && b->core == u->core && b->controller == controller && b->clock >= u->clock;
}

static bool knows(struct chk *c, const struct chk_request *s, const struct use *u, bool read, unsigned controller) {
  if (!u->clock || (!read && is_behind(c, u, controller))) return true;
  if (u->tile == c->tiles.tile) return u->core == s->core || s->own[read][u->core] >= u->clock;
  const struct chk_heard *h = chk_heard_of(s, u->tile);
  return h ? (read ? h->in : h->done)[u->core] >= u->clock : s->full;
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

/* A flag in DRAM: orders the reader after the writer's message. */
static void acquire(struct chk *c, const struct chk_request *s, const struct use *u, unsigned controller) {
  if (!u->clock || !c->tiles.chip->of[u->tile]) return;
  const struct chk_request *w = &c->tiles.chip->of[u->tile]->tiles.sent[u->number % CHK_SENT];
  if (w->number != u->number) return;
  *behind_of(c, u, controller) = (struct chk_behind){u->tile, u->core, controller, w->vector.at[CHK_NOC_FAR + w->core]};
  if (u->tile == c->tiles.tile) chk_join_vector(&c->clocks, CHK_NOC_IN + s->core, &w->vector);
  else chk_tiles_answer(c, u->tile, w, CHK_NOC_IN + s->core);
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

void chk_dram_arrives(const struct chk_chip *chip, unsigned controller, const struct noc_packet *p) {
  if (!chip->dram || noc_packet_is_answer(p) || p->kind == NOC_ATOMIC || p->tile >= CHK_TILES || !chip->of[p->tile]) return;
  struct chk *c = chip->of[p->tile];
  uint32_t number = (uint32_t)p->sequence + 1;
  const struct chk_request *s = &c->tiles.sent[number % CHK_SENT];
  if (s->number != number || !p->length) return;
  if (chk_on(c, CHK_D)) check_ranges(c, s, controller, p);
  if (chk_on(c, CHK_E)) check_formats(c, s, controller, p);
  if (!chk_on(c, CHK_C)) return;
  bool flag = p->length <= FLAG_BYTES, reported = flag;
  struct use now = {s->clock, s->mark.pc, s->mark.cycle, number, p->tile, (uint8_t)s->core};
  for (uint64_t i = p->address >> LINE_BITS; i <= (p->address + p->length - 1) >> LINE_BITS; i++) {
    struct line *l = line_at(chip->dram, controller, i);
    if (!reported) reported = check_line(c, s, l, p, controller);
    if (flag && p->kind == NOC_READ) acquire(c, s, &l->write, controller);
    if (!flag || p->kind == NOC_WRITE) note(l, &now, p->kind == NOC_WRITE);
  }
}
