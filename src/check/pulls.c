/* Polls by NoC reads (pulls.h). Whether a short read fetches a flag or data is known when a core loads the copy: it compares a flag, and
 * the branch depends on the value. So the tile that serves the read records what is there: the last stores to the words, with the values
 * before and after them and what they release, and a store that the reader is not ordered after. The reader, when it compares a copy, is
 * ordered after those stores if without one of them it would have gone another way. If it does not compare the copy, that is data, and the
 * store a finding. */
#include "check/pulls.h"

#include "check/flags.h"
#include "check/order.h"
#include "check/pages.h"
#include "check/peers.h"
#include "check/report.h"
#include "observe/poll.h"
#include "tensix/mem/l1.h"

/* --- the tile that serves --- */

static void note(struct chk_answer *a, uint32_t address, uint32_t clock, uint32_t before, uint32_t value) {
  if (a->count == CHK_FETCHED) { /* the oldest one of the word is dropped */
    unsigned i = 0;
    a->dropped = true;
    while (i + 1 < a->count && a->of[i].address != address) i++;
    for (; i + 1 < a->count; i++) a->of[i] = a->of[i + 1];
    a->count--;
  }
  a->of[a->count++] = (struct chk_fetched){address, clock, before, value};
}

static void note_word(const struct chk *c, struct chk_answer *a, uint32_t address) {
  unsigned who = c->writer[address / 4] - 1u;
  const struct chk_word *w = &c->tiles.word[address / 4 % CHK_WORDS];
  if (who >= CHK_STORES && who < CHK_NETWORK) {
    const struct chk_lines *l = &c->lines[who - CHK_STORES];
    a->dropped |= l->stores > CHK_STORED;
    for (uint32_t i = l->stores > CHK_STORED ? l->stores - CHK_STORED : 0; i < l->stores; i++) {
      const struct chk_stored *s = &l->store[i % CHK_STORED];
      if (s->address == address) note(a, address, s->clock, s->before, s->value);
    }
  } else if (who == CHK_NETWORK && w->address == address) {
    a->dropped |= w->count > CHK_VALUES;
    for (uint32_t i = w->count > CHK_VALUES ? w->count - CHK_VALUES : 0; i < w->count; i++)
      note(a, address, w->arrival[i % CHK_VALUES], w->before[i % CHK_VALUES], w->value[i % CHK_VALUES]);
  } else if (who < CHK_ENTITIES) a->others = true;
}

void chk_pull_served(struct chk *c, const struct tx_range *r, bool data) {
  struct chk_answer *a = &c->tiles.serving;
  struct chk_mark now = chk_now(c, CHK_NETWORK);
  *a = (struct chk_answer){.from = r->base, .length = r->width};
  if (c->unread) chk_stored_read(c);
  for (uint32_t word = r->base & ~3u; word < r->base + r->width; word += 4) note_word(c, a, word);
  for (uint32_t line = r->base / CHK_LINE; line <= (r->base + r->width - 1) / CHK_LINE; line++) {
    now.parts = chk_parts_of(line, r->base, r->base + r->width);
    if (!data && chk_on(c, CHK_C) && !chk_is_flag(c, r->base) && chk_races(&c->clocks, &c->line[line], &now, &a->unordered))
      return;
  }
}

void chk_pull_answer(struct chk *c, struct chk_request *s, uint32_t number) {
  struct chk_answer *a = &c->tiles.answer[number % CHK_SENT];
  *a = c->tiles.serving;
  *s = (struct chk_request){.number = number};
  if (c->unread) chk_stored_read(c);
  for (uint32_t word = a->from & ~3u; word < a->from + a->length; word += 4) chk_word_released(c, &s->vector, word);
  for (unsigned i = 0; i < TX_CORES; i++) s->own[0][i] = s->vector.at[CHK_NOC_FAR + i];
  c->tiles.serving = (struct chk_answer){0};
}

/* --- the tile that reads --- */

static struct chk_reads *reads_at(struct chk *c, unsigned core, uint32_t pc) {
  return &c->tiles.reads[(pc / 4 + core * 7u) % CHK_READS];
}

bool chk_pull_is_data(const struct chk *c, unsigned core, uint32_t pc) {
  const struct chk_reads *reads = &c->tiles.reads[(pc / 4 + core * 7u) % CHK_READS];
  return reads->data && reads->pc == pc && reads->core == core;
}

static struct chk_pulled *pulled_at(struct chk *c, uint32_t address) {
  return &c->tiles.pulled[address / CHK_PULL_BYTES % CHK_PULLED];
}

static void report(struct chk *c, struct chk_pulled *p) {
  struct tx_current kept = c->t->current;
  const struct chk_mark *m = &p->answer.unordered;
  if (!m->clock) return;
  struct tx_side side = {.cycle = m->cycle, .pc = m->pc, .word = m->word, .agent = m->agent, .tile = 1u + p->tile};
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + p->core), .pc = p->pc};
  tx_diag_pair(c->t, TX_DIAG_L1_UNORDERED, &side, "0x%x of another tile read by a NoC read, which does not wait for %s",
               p->answer.from, chk_entity_name(m->entity));
  c->t->current = kept;
  p->answer.unordered.clock = 0;
}

void chk_pull_arrives(struct chk *c, const struct noc_packet *p, const struct chk_request *s) {
  const struct chk_tiles *from = &c->tiles.chip->of[p->tile]->tiles;
  const struct chk_answer *a = &from->answer[s->number % CHK_SENT];
  struct chk_pulled *place = pulled_at(c, (uint32_t)p->address);
  const struct chk_request *request = &c->tiles.request[p->noc][p->initiator];
  bool again = place->length && place->tile == p->tile && place->answer.from == a->from;
  if (place->length && !again) report(c, place);
  *place = (struct chk_pulled){.to = (uint32_t)p->address,
                               .length = p->length,
                               .tile = p->tile,
                               .core = request->core,
                               .pc = request->mark.pc,
                               .known = again ? place->known : 0,
                               .answer = *a,
                               .told = *s};
}

static uint32_t path_of(const struct chk *c, unsigned core, const struct tx_range *r, uint32_t word) {
  uint32_t mask = r->width == 4 ? UINT32_MAX : (1u << 8 * r->width) - 1u;
  return obs_poll_use(c->t, core, r->pc, word >> 8 * (r->base % 4) & mask);
}

/* Does the core go this way because of one of the stores that it is not ordered after? */
static bool is_needed(const struct chk *c, unsigned core, const struct tx_range *r, const struct chk_pulled *p,
                      uint32_t path) {
  uint32_t address = p->answer.from + (r->base - p->to);
  /* of older stores nothing is known: the word was zero before them */
  if (!p->known && p->answer.dropped) return path_of(c, core, r, 0) != path;
  for (unsigned i = 0; i < p->answer.count; i++) {
    const struct chk_fetched *f = &p->answer.of[i];
    if (f->address != (address & ~3u) || f->clock <= p->known) continue;
    return path_of(c, core, r, f->before) != path;
  }
  return p->answer.others;
}

void chk_pull_load(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_pulled *p = pulled_at(c, r->base);
  if (!p->length || r->base - p->to >= p->length) return;
  struct chk_reads *reads = reads_at(c, p->core, p->pc);
  uint32_t path = path_of(c, core, r, tx_l1_read(c->t, r->base & ~3u, 4));
  *reads = (struct chk_reads){.pc = p->pc, .core = p->core, .data = !path};
  if (!path) {
    report(c, p);
    return;
  }
  p->answer.unordered.clock = 0;
  if (!is_needed(c, core, r, p, path)) return;
  for (unsigned i = 0; i < p->answer.count; i++)
    if (p->answer.of[i].clock > p->known) p->known = p->answer.of[i].clock;
  chk_tiles_answer(c, p->tile, &p->told, CHK_CORE + core);
}

void chk_pulls_finish(struct chk *c) {
  for (unsigned i = 0; i < CHK_PULLED; i++)
    if (c->tiles.pulled[i].length) report(c, &c->tiles.pulled[i]);
}
