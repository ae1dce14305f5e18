/* Polls by NoC reads (pulls.h). Whether a short read fetches a flag or data is known when a core loads the copy: it compares a flag, and
 * the branch depends on the value. So the tile or the DRAM that serves the read records what is there: the changes of its words that the reader is not
 * ordered after, with the values before and after them and what each tells, and an access that the reader should be ordered after. The
 * reader, when it compares a copy, is ordered after those changes without which it would have gone another way, as at a poll of its own
 * L1: a larger value that was there by chance does not count. If it does not compare the copy, that is data, and the access a finding.
 *
 * What a tile tells by a poll is a part of an answer, bit per change. */
#include "check/pulls.h"

#include <stddef.h>
#include <string.h>

#include "check/flags.h"
#include "check/order.h"
#include "check/pages.h"
#include "check/peers.h"
#include "check/polls.h"
#include "check/report.h"
#include "observe/hang/poll.h"
#include "tensix/mem/l1.h"

#define FLAG_BYTES 32u /* a shorter read of DRAM fetches a flag, also if no branch depends on it */

/* --- the tile that serves --- */

struct chk_cause *chk_pull_cause(struct chk_answer *a, uint64_t from, uint32_t length) {
  if (a->count == CHK_CAUSES) {
    a->dropped = true;
    return NULL;
  }
  struct chk_cause *k = &a->of[a->count++];
  memset(k, 0, offsetof(struct chk_cause, before));
  k->from = from;
  k->length = length;
  return k;
}

static struct chk_cause *word_cause(struct chk_answer *a, uint32_t address, uint32_t before, uint32_t value) {
  struct chk_cause *k = chk_pull_cause(a, address, 4);
  if (!k) return NULL;
  memcpy(k->before, &before, 4);
  memcpy(k->value, &value, 4);
  return k;
}

/* A change by this tile releases a vector. The tile that reads it also knows what its read was sent with. */
static void tells(const struct chk *c, struct chk_cause *k, const struct chk_vector *v) {
  struct chk_request *s = &k->sent;
  k->store = true;
  k->tile = c->tiles.tile;
  memset(s, 0, sizeof *s);
  s->vector = s->before = *v;
  chk_add(&s->before, &c->clocks.of[CHK_NETWORK]);
  s->before.at[CHK_NETWORK] = v->at[CHK_NETWORK];
  for (unsigned i = 0; i < TX_CORES; i++) s->own[0][i] = v->at[CHK_NOC_FAR + i];
  chk_add_heard(&c->tiles, s);
}

/* The last change of a word, with nothing known of the value before. */
static void note_last(struct chk *c, struct chk_answer *a, uint32_t address) {
  struct chk_cause *k = word_cause(a, address, 0, tx_l1_read(c->t, address, 4));
  struct chk_vector v = {{0}};
  if (!k) return;
  k->all = true;
  chk_word_released(c, &v, address);
  tells(c, k, &v);
}

static void note_stores(struct chk *c, struct chk_answer *a, uint32_t address, unsigned from) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t known = c->clocks.of[CHK_NETWORK].at[CHK_STORES + from],
           oldest = l->stores > CHK_STORED ? l->stores - CHK_STORED : 0;
  bool found = false;
  if (c->stored[address / 4] <= known) return;
  for (uint32_t i = oldest; i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != address || s->clock <= known) continue;
    struct chk_cause *k = word_cause(a, address, s->before, s->value);
    struct chk_vector v = {{0}};
    if (!k) return;
    k->all = !found && oldest && l->store[oldest % CHK_STORED].clock > known; /* older ones may have been dropped */
    found = true;
    chk_line_released(c, &v, from, s->clock);
    tells(c, k, &v);
  }
  if (!found) note_last(c, a, address);
}

/* Is the sender of the read, of tile `tile`, ordered after this arrival? */
static bool knows_arrival(const struct chk *c, const struct chk_news *e, unsigned tile, const struct chk_request *s) {
  unsigned core = e->sent.core;
  if (e->tile == tile) return core == s->core || s->vector.at[CHK_CORE + core] >= e->sent.vector.at[CHK_CORE + core];
  if (e->tile == c->tiles.tile) return c->clocks.of[CHK_NETWORK].at[CHK_CORE + core] >= e->sent.vector.at[CHK_CORE + core];
  const struct chk_heard *h = chk_heard_of(s, e->tile);
  return h ? h->number >= e->sent.number : s->full;
}

static void note_arrivals(struct chk *c, struct chk_answer *a, uint32_t address, unsigned tile,
                          const struct chk_request *s) {
  const struct chk_word *w = &c->tiles.word[address / 4 % CHK_WORDS];
  uint32_t oldest = w->count > CHK_VALUES ? w->count - CHK_VALUES : 0;
  bool found = false;
  if (w->address != address) {
    note_last(c, a, address);
    return;
  }
  for (uint32_t i = oldest; i < w->count; i++) {
    uint32_t at = i % CHK_VALUES;
    const struct chk_news *e = &c->tiles.news[w->arrival[at] % CHK_NEWS];
    bool known = e->arrival != w->arrival[at] || knows_arrival(c, e, tile, s);
    if (known && !found) continue;
    struct chk_cause *k = word_cause(a, address, w->before[at], w->value[at]);
    if (!k) return;
    k->all = !found && oldest == i && oldest;
    found = true;
    k->known = known;
    k->adds = !w->mask[at];
    k->tile = e->tile;
    k->wrote = e->wrote;
    k->written = e->written;
    if (known) continue;
    k->sent = e->sent;
    if (e->tile == c->tiles.tile) tells(c, k, &e->sent.vector);
  }
}

static void note_word(struct chk *c, struct chk_answer *a, uint32_t address, unsigned tile, const struct chk_request *s) {
  unsigned who = c->writer[address / 4] - 1u;
  if (who >= CHK_STORES && who < CHK_NETWORK) note_stores(c, a, address, who - CHK_STORES);
  else if (who == CHK_NETWORK) note_arrivals(c, a, address, tile, s);
  else if (who < CHK_ENTITIES) note_last(c, a, address);
}

/* All but the causes that are not there. */
static void copy_answer(struct chk_answer *to, const struct chk_answer *from) {
  memcpy(to, from, offsetof(struct chk_answer, of) + from->count * sizeof from->of[0]);
}

void chk_pull_served(struct chk *c, const struct tx_range *r, unsigned tile, const struct chk_request *s) {
  struct chk_answer *a = &c->tiles.serving;
  const struct chk_heard *h = chk_heard_of(s, c->tiles.tile);
  struct chk_mark now = chk_now(c, CHK_NETWORK);
  memset(a, 0, offsetof(struct chk_answer, of));
  a->from = r->base;
  a->length = r->width;
  if (h) a->base_number = h->number, a->base_part = h->part;
  if (c->unread) chk_stored_read(c);
  for (uint32_t word = r->base & ~3u; word < r->base + r->width; word += 4) note_word(c, a, word, tile, s);
  for (uint32_t line = r->base / CHK_LINE; line <= (r->base + r->width - 1) / CHK_LINE; line++) {
    now.parts = chk_parts_of(line, r->base, r->base + r->width);
    if (s->data || !chk_on(c, CHK_C) || chk_is_flag(c, r->base)) return;
    a->racy = chk_races(&c->clocks, &c->line[line], &now, &a->unordered);
    if (a->racy) return;
  }
}

void chk_pull_answer(struct chk *c, struct chk_request *s, uint32_t number) {
  struct chk_answer *a = &c->tiles.answer[number % CHK_SENT];
  copy_answer(a, &c->tiles.serving);
  a->number = number;
  *s = (struct chk_request){.number = number};
  if (c->unread) chk_stored_read(c);
  for (uint32_t word = (uint32_t)a->from & ~3u; word < a->from + a->length; word += 4)
    chk_word_released(c, &s->vector, word);
  for (unsigned i = 0; i < TX_CORES; i++) s->own[0][i] = s->vector.at[CHK_NOC_FAR + i];
  for (unsigned i = 0; i < a->count; i++) {
    struct chk_request *told = &a->of[i].sent;
    if (!a->of[i].store) continue;
    told->number = number;
    told->part = 1u << i;
    told->base_number = a->base_number;
    told->base_part = a->base_part;
  }
  c->tiles.serving.length = c->tiles.serving.count = 0;
}

struct chk_vector chk_pull_part(const struct chk *c, const struct chk_heard *h) {
  const struct chk_answer *a = &c->tiles.answer[h->number % CHK_SENT];
  struct chk_vector v = {{0}};
  if (a->number != h->number) return c->tiles.sent[h->number % CHK_SENT].before;
  for (unsigned i = 0; i < a->count; i++)
    if (h->part >> i & 1u) chk_add(&v, &a->of[i].sent.before);
  return v;
}

/* --- the tile that reads --- */

static struct chk_reads *reads_at(struct chk *c, unsigned core, uint32_t pc, uint32_t length) {
  uint32_t words = (length + 3) / 4;
  struct chk_reads *r = &c->tiles.reads[(pc / 4 + core * 7u + words * 5u) % CHK_READS];
  if (r->pc != pc || r->core != core || r->words != words) *r = (struct chk_reads){.pc = pc, .core = core, .words = words};
  return r;
}

bool chk_pull_is_data(const struct chk *c, unsigned core, uint32_t pc, uint32_t length) {
  uint32_t words = (length + 3) / 4;
  const struct chk_reads *r = &c->tiles.reads[(pc / 4 + core * 7u + words * 5u) % CHK_READS];
  return r->data && !r->compared && r->pc == pc && r->core == core && r->words == words;
}

static bool is_memory(const struct chk_pulled *p) { return p->tile >= CHK_TILES; }

static void report(struct chk *c, struct chk_pulled *p) {
  struct tx_current kept = c->t->current;
  const struct chk_mark *m = &p->answer.unordered;
  if (!p->answer.racy) return;
  p->answer.racy = false;
  if (is_memory(p) && p->length <= FLAG_BYTES) return;
  struct tx_side side = {.cycle = m->cycle, .pc = m->pc, .word = m->word, .agent = m->agent};
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + p->core), .pc = p->pc};
  if (is_memory(p)) {
    side.tile = m->word == c->tiles.tile ? 0 : 1u + m->word;
    side.word = 0;
    tx_diag_pair(c->t, TX_DIAG_DRAM_UNORDERED, &side,
                 "DRAM controller %u, 0x%llx: read, and nothing makes sure that the write before it has arrived",
                 p->tile - CHK_TILES, (unsigned long long)p->answer.from);
  } else if (p->tile == c->tiles.tile) {
    chk_report(c, TX_DIAG_L1_UNORDERED, m, "0x%x read by a NoC read, which does not wait for %s", (uint32_t)p->answer.from,
               chk_mark_name(c, m));
  } else {
    side = chk_side_of(c, m);
    if (!side.tile) side.tile = 1u + p->tile;
    tx_diag_pair(c->t, TX_DIAG_L1_UNORDERED, &side, "0x%x of another tile read by a NoC read, which does not wait for %s",
                 (uint32_t)p->answer.from, chk_entity_name(m->entity));
  }
  c->t->current = kept;
}

/* Nothing has compared the copy: it is data. */
static void decide(struct chk *c, struct chk_pulled *p) {
  if (p->length && !p->compared) {
    reads_at(c, p->core, p->pc, p->length)->data = true;
    report(c, p);
  }
  p->length = 0;
}

/* The place for a new copy. What it overwrites is decided, but for an earlier turn of the same poll. */
static struct chk_pulled *place_of(struct chk *c, const struct chk_pulled *now) {
  struct chk_pulled *place = &c->tiles.pulled[c->tiles.pulls++ % CHK_PULLED];
  for (unsigned i = 0; i < CHK_PULLED; i++) {
    struct chk_pulled *p = &c->tiles.pulled[i];
    if (!p->length || p->to >= now->to + now->length || now->to >= p->to + p->length) continue;
    if (p->tile == now->tile && p->answer.from == now->answer.from) p->length = 0;
    else decide(c, p);
    place = p;
  }
  decide(c, place);
  place->to = now->to;
  place->length = now->length;
  place->tile = now->tile;
  place->core = now->core;
  place->pc = now->pc;
  place->compared = false;
  return place;
}

static struct chk_pulled *place_at(struct chk *c, uint32_t to, uint32_t length, uint32_t tile, uint64_t from,
                                   const struct chk_request *sender) {
  struct chk_pulled now;
  now.to = to;
  now.length = length;
  now.tile = tile;
  now.core = sender->core;
  now.pc = sender->mark.pc;
  now.answer.from = from;
  return place_of(c, &now);
}

void chk_pull_arrives(struct chk *c, const struct noc_packet *p, const struct chk_request *s) {
  const struct chk_tiles *from = &c->tiles.chip->of[p->tile]->tiles;
  const struct chk_answer *a = &from->answer[s->number % CHK_SENT];
  const struct chk_request *request = &c->tiles.request[p->noc][p->initiator];
  struct chk_pulled *place = place_at(c, (uint32_t)p->address, p->length, p->tile, a->from, request);
  copy_answer(&place->answer, a);
  place->told = *s;
}

void chk_pull_own(struct chk *c, const struct noc_packet *p, const struct chk_request *s) {
  struct chk_pulled *place = place_at(c, (uint32_t)p->answer_address, p->length, c->tiles.tile, p->address, s);
  copy_answer(&place->answer, &c->tiles.serving);
  memset(&place->told, 0, sizeof place->told);
}

struct chk_pulled *chk_pull_memory(struct chk *c, const struct noc_packet *p, const struct chk_request *s,
                                   unsigned controller) {
  struct chk_pulled *place = place_at(c, (uint32_t)p->answer_address, p->length, CHK_TILES + controller, p->address, s);
  memset(&place->answer, 0, offsetof(struct chk_answer, of));
  place->answer.from = p->address;
  place->answer.length = p->length;
  return place;
}

/* --- the word that a core compares --- */

/* A load of a copy, and the way that the core goes with its value. */
struct look {
  struct chk *c;
  const struct tx_range *r;
  struct chk_pulled *p;
  unsigned core;
  uint64_t word; /* its address where it was fetched */
  uint32_t now;
  struct obs_use use;
};

static struct obs_use use_of(const struct look *l, uint32_t word) {
  const struct tx_range *r = l->r;
  uint32_t mask = r->width == 4 ? UINT32_MAX : (1u << 8 * r->width) - 1u;
  return obs_poll_follow(l->c->t, l->core, r->pc, word >> 8 * (r->base % 4) & mask);
}

static bool goes(const struct look *l, uint32_t word) {
  struct obs_use with = use_of(l, word);
  return obs_same_use(&l->use, &with);
}

/* The word before or after a cause; false: it does not change it. */
static bool word_in(const struct chk_cause *k, const uint8_t *bytes, uint64_t word, uint32_t *value) {
  if (word + 4 <= k->from || word >= k->from + k->length) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (word + i - k->from < k->length) *value = (*value & ~(0xffu << 8 * i)) | (uint32_t)bytes[word + i - k->from] << 8 * i;
  return true;
}

/* Was the later one made after the earlier one in every schedule? */
static bool follows(const struct chk_cause *later, const struct chk_cause *earlier) {
  const struct chk_request *s = &later->sent, *before = &earlier->sent;
  if (later <= earlier) return false;
  if (later->store && earlier->store) return true; /* of one word, with its value before */
  if (later->tile == earlier->tile && s->core == before->core) return true;
  if (later->tile == earlier->tile)
    return s->vector.at[CHK_CORE + before->core] > before->vector.at[CHK_CORE + before->core];
  const struct chk_heard *h = chk_heard_of(s, earlier->tile);
  return h ? h->number >= before->number : s->full;
}

/* The word without a cause and all that follow it; NULL: with all. false: the causes do not explain the present value. */
static bool word_without(const struct look *l, const struct chk_cause *left_out, uint32_t *value) {
  const struct chk_answer *a = &l->p->answer;
  uint32_t word = l->now, last = l->now;
  bool first = true;
  for (unsigned i = 0; i < a->count; i++) {
    const struct chk_cause *k = &a->of[i];
    uint32_t before = first ? l->now : last, after;
    if (!word_in(k, k->before, l->word, &before)) continue;
    after = before;
    (void)word_in(k, k->value, l->word, &after);
    if (first || before != last) word = before;
    first = false;
    last = after;
    if (left_out && (k == left_out || (!k->known && follows(k, left_out)))) continue;
    if (k->adds) word += after - before;
    else (void)word_in(k, k->value, l->word, &word);
  }
  *value = word;
  return last == l->now;
}

static void take(const struct look *l, struct chk_cause *k) {
  struct chk *c = l->c;
  unsigned entity = CHK_CORE + l->core;
  if (k->taken || k->known) return;
  k->taken = true;
  if (is_memory(l->p)) chk_note_behind(c, k->tile, &k->sent, l->p->tile - CHK_TILES);
  if (k->tile != c->tiles.tile) {
    struct chk_told told = {k->tile, l->p->tile, &k->sent, k->wrote, k->written};
    chk_tiles_answer(c, &told, entity);
    return;
  }
  chk_join_vector(&c->clocks, entity, &k->sent.vector);
  uint32_t *far = &c->clocks.of[entity].at[CHK_NOC_FAR + k->sent.core];
  if (k->sent.behind && *far < k->sent.clock - 1) *far = k->sent.clock - 1;
  if (k->written && *far < k->sent.clock) *far = k->sent.clock;
}

static bool changes(const struct look *l, const struct chk_cause *k) {
  return l->word + 4 > k->from && l->word < k->from + k->length;
}

/* Everything that has changed the word. */
static void take_all(const struct look *l) {
  struct chk_pulled *p = l->p;
  struct chk *c = l->c;
  for (unsigned i = 0; i < p->answer.count; i++)
    if (changes(l, &p->answer.of[i])) take(l, &p->answer.of[i]);
  if (!p->answer.dropped || is_memory(p)) return;
  if (p->tile != c->tiles.tile) {
    struct chk_told told = {.tile = p->tile, .sent = &p->told};
    chk_tiles_answer(c, &told, CHK_CORE + l->core);
    return;
  }
  struct chk_vector v = {{0}};
  chk_word_released(c, &v, (uint32_t)l->word);
  chk_join_vector(&c->clocks, CHK_CORE + l->core, &v);
}

/* Those without which the core would have gone another way. */
static void take_needed(const struct look *l) {
  struct chk_answer *a = &l->p->answer;
  uint32_t word;
  if (!word_without(l, NULL, &word) || word != l->now) {
    take_all(l);
    return;
  }
  for (unsigned i = 0; i < a->count; i++) {
    struct chk_cause *k = &a->of[i];
    if (k->known || k->taken || !changes(l, k)) continue;
    (void)word_without(l, k, &word);
    if (k->all || !goes(l, word)) take(l, k);
  }
}

/* --- answers of atomics --- */

/* A store of the core to the word must have arrived: it might overwrite the answer. `by`: the store. */
static void report_store(struct chk *c, unsigned core, uint32_t address, const struct chk_mark *by) {
  chk_report(c, TX_DIAG_L1_UNORDERED, by, "0x%x written by the answer of an atomic, and " CHK_NO_FENCE, address,
             chk_entity_name(CHK_STORES + core));
}

void chk_pull_atomic(struct chk *c, unsigned core, uint32_t address) {
  struct chk_awaited *place = &c->tiles.awaited[core][address / 16 % CHK_AWAITED];
  if (address > TX_L1_BYTES - 4) return;
  const struct chk_mark *last = &c->line[address / CHK_LINE].write;
  bool stored = c->writer[address / 4] == 1 + CHK_STORES + core &&
                c->stored[address / 4] > c->clocks.of[CHK_CORE + core].at[CHK_STORES + core];
  if (stored && chk_on(c, CHK_C))
    report_store(c, core, address & ~3u, last->clock && last->entity == CHK_STORES + core ? last : NULL);
  *place = (struct chk_awaited){.address = address & ~3u, .by = chk_now(c, CHK_CORE + core)};
  c->writer[address / 4] = (uint8_t)(1 + CHK_NOC_IN + core);
  c->tiles.pulls++; /* loads of it are observed */
}

void chk_pull_answered(struct chk *c, unsigned core) {
  for (unsigned i = 0; i < CHK_AWAITED; i++) c->tiles.awaited[core][i].by.clock = 0;
}

void chk_pull_stored(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_awaited *a = &c->tiles.awaited[core][r->base / 16 % CHK_AWAITED];
  if (!a->by.clock || a->address - (r->base & ~3u) >= r->width || !chk_on(c, CHK_C)) return;
  struct chk_mark store = chk_now(c, CHK_STORES + core);
  struct tx_current kept = c->t->current;
  c->t->current.pc = a->by.pc;
  report_store(c, core, a->address, &store);
  c->t->current = kept;
  a->by.clock = 0;
}

/* A poll of the word itself waits for the answer. */
static void check_awaited(struct chk *c, unsigned core, const struct tx_range *r) {
  unsigned sender = c->writer[r->base / 4] - (1u + CHK_NOC_IN);
  struct chk_awaited *a = &c->tiles.awaited[sender][r->base / 16 % CHK_AWAITED];
  uint32_t value = tx_l1_read(c->t, r->base, r->width);
  if (!a->by.clock || a->address != (r->base & ~3u) || !chk_on(c, CHK_C)) return;
  if (chk_in_a_poll(c, core, r->pc, value)) {
    if (obs_poll_ends(c->t, core, r->pc, value)) a->by.clock = 0;
    return;
  }
  chk_report(c, TX_DIAG_L1_UNORDERED, &a->by,
             "0x%x read by %s, and nothing makes sure that the answer of an atomic has arrived there", a->address,
             tx_core_name(core));
}

void chk_pull_load(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_pulled *p = NULL;
  check_awaited(c, core, r);
  for (unsigned i = 0; i < CHK_PULLED && !p; i++)
    if (r->base - c->tiles.pulled[i].to < c->tiles.pulled[i].length) p = &c->tiles.pulled[i];
  if (!p) return;
  struct look l = {.c = c, .r = r, .p = p, .core = core, .now = tx_l1_read(c->t, r->base & ~3u, 4)};
  l.word = p->answer.from + ((r->base & ~3u) - p->to);
  l.use = use_of(&l, l.now);
  if (!l.use.path && !p->compared) {
    reads_at(c, p->core, p->pc, p->length)->data = true;
    report(c, p);
    if (is_memory(p) && p->length <= FLAG_BYTES) take_all(&l);
  }
  if (!l.use.path) return;
  reads_at(c, p->core, p->pc, p->length)->compared = true;
  p->compared = true;
  p->answer.racy = false;
  if (l.use.open) take_all(&l);
  else take_needed(&l);
}

/* --- writes over what is being fetched --- */

void chk_pull_suspect(struct chk *c, const struct chk_mark *now, const struct chk_mark *read, uint32_t address,
                      uint32_t controller) {
  struct chk_tiles *n = &c->tiles;
  for (uint32_t i = 0; i < n->suspects && i < CHK_SUSPECTS; i++) {
    const struct chk_suspect *s = &n->suspect[i];
    if (s->now.pc == now->pc && s->now.agent == now->agent && s->read.pc == read->pc && s->read.word == read->word) return;
  }
  n->suspect[n->suspects++ % CHK_SUSPECTS] =
      (struct chk_suspect){.address = address, .controller = controller, .now = *now, .read = *read};
}

/* The tile and the core that have sent the read. */
static bool was_data(const struct chk *c, const struct chk_mark *read) {
  const struct chk_chip *chip = c->tiles.chip;
  unsigned tile = read->word & 0xffffu, core = read->word >> 16 & 7u;
  const struct chk *of = chip && tile < CHK_TILES ? chip->of[tile] : c;
  return of && chk_pull_is_data(of, core, read->pc, (read->word >> 23) * 4);
}

static void report_suspect(struct chk *c, const struct chk_suspect *s) {
  struct tx_tile *t = c->t;
  struct tx_current kept = t->current;
  sim_time now = t->engine.now;
  t->current = (struct tx_current){.agent = (enum tx_agent)s->now.agent, .pc = s->now.pc, .word = s->now.word};
  t->engine.now = s->now.cycle;
  if (s->controller == CHK_IN_L1) {
    chk_report(c, TX_DIAG_L1_UNORDERED, &s->read, "0x%x written by %s, which does not wait for %s", s->address,
               chk_mark_name(c, &s->now), chk_mark_name(c, &s->read));
  } else {
    unsigned tile = s->read.word & 0xffffu;
    struct tx_side side = {.cycle = s->read.cycle,
                           .pc = s->read.pc,
                           .agent = (uint16_t)(TX_AGENT_TRISC0 + (s->read.word >> 16 & 7u)),
                           .tile = tile == c->tiles.tile ? 0 : 1u + tile};
    tx_diag_pair(t, TX_DIAG_DRAM_UNORDERED, &side, "DRAM controller %u, 0x%x: written while a read may still be in flight",
                 s->controller, s->address);
  }
  t->engine.now = now;
  t->current = kept;
}

static void decide_all(struct chk *c) {
  for (unsigned i = 0; c && i < CHK_PULLED; i++) decide(c, &c->tiles.pulled[i]);
}

void chk_pulls_finish(struct chk *c) {
  const struct chk_chip *chip = c->tiles.chip;
  decide_all(c);
  if (!c->tiles.suspects) return;
  for (unsigned tile = 0; chip && tile < CHK_TILES; tile++)
    if (chip->of[tile] && chip->of[tile]->t) decide_all(chip->of[tile]);
  for (uint32_t i = 0; i < c->tiles.suspects && i < CHK_SUSPECTS; i++)
    if (was_data(c, &c->tiles.suspect[i].read)) report_suspect(c, &c->tiles.suspect[i]);
  c->tiles.suspects = 0;
}
