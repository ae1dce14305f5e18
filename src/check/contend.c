/* Races on one word, which may be a flag (contend.h). */
#include "check/contend.h"

#include <string.h>

#include "check/flags.h"
#include "check/pages.h"
#include "check/report.h"
#include "observe/hang/ahead.h"

static bool is_in_word(const struct chk_mark *m, const struct tx_range *r) {
  uint32_t word = r->base & ~3u;
  return m->parts && !(m->parts & ~chk_parts_of(word / CHK_LINE, word, word + 4));
}

static bool reads_line(const struct chk *c, uint32_t line, const struct chk_mark *m) {
  for (unsigned i = 0; line < TX_L1_BYTES / CHK_LINE && i < CHK_READERS; i++) {
    const struct chk_mark *read = &c->line[line].read[i];
    if (read->clock && read->entity == m->entity && read->pc == m->pc) return true;
  }
  return false;
}

/* Data is read word by word. */
bool chk_is_first_flag(struct chk *c, unsigned entity, const struct tx_range *r, const struct chk_mark *other) {
  unsigned core = other->entity - CHK_CORE, writer = c->writer[r->base / 4];
  uint32_t line = r->base / CHK_LINE;
  if (core >= TX_CORES || !r->write || r->width > 4 || (writer && writer != CHK_HOST && writer != 1 + entity)) return false;
  if (entity - CHK_STORES >= TX_CORES && entity != CHK_NETWORK) return false;
  if (!is_in_word(other, r) || reads_line(c, line - 1, other) || reads_line(c, line + 1, other)) return false;
  if (!obs_decides(c->t, core, other->pc)) return false;
  c->flag[r->base / 32] |= (uint8_t)(1u << (r->base / 4 % 8));
  return true;
}

/* Is the word part of a lock? The cores that store it compare it too, or would have, had the other one been there: then the word is a flag, which
 * shows by the end of the run. A flag that only a third core polls can lose one of the two stores. */
bool chk_is_contended(struct chk *c, unsigned entity, const struct tx_range *r, const struct chk_mark *other) {
  struct chk_contended *place = NULL;
  unsigned core = entity - CHK_STORES, from = other->entity - CHK_STORES;
  if (core >= TX_CORES || from >= TX_CORES || r->width > 4 || !is_in_word(other, r)) return false;
  if (c->t->core[core].state == TX_CORE_HELD || c->t->core[from].state == TX_CORE_HELD) /* a script */
    return false;
  bool now = obs_compares_stored(c->t, core, c->t->current.pc), then = obs_compares_stored(c->t, from, other->pc);
  if (!now && !then) return false; /* no lock, whatever follows */
  if (now && then) return true;
  for (unsigned i = 0; i < CHK_SUSPECTS; i++) {
    struct chk_contended *s = &c->contended[i];
    if (!s->times && !place) place = s;
    if (!s->times || s->address != (r->base & ~3u) || s->other.pc != other->pc || s->now.pc != c->t->current.pc) continue;
    s->times++;
    return true;
  }
  if (!place) return false;
  *place = (struct chk_contended){.address = r->base & ~3u, .times = 1, .now = chk_now(c, entity), .other = *other};
  return true;
}

/* Of the stores of the core to the word, do two differ? The value of one that arrives now is not in L1 yet. */
static bool stores_several(const struct chk_lines *l, uint32_t address, uint32_t newest) {
  bool any = false;
  uint32_t value = 0;
  for (uint32_t i = newest > CHK_STORED ? newest - CHK_STORED : 0; i < newest; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != address) continue;
    if (any && s->value != value) return true;
    any = true, value = s->value;
  }
  return false;
}

/* One core waits for the other before it stores the flag, the other core never does: it may store its next value over one that was not read. If it
 * always stores the same value, nothing is lost: a bell. */
void chk_flag_turns(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_turn *turn = &c->turn[(r->base / 4 + r->base / 64) % CHK_TURNS];
  unsigned from = c->writer[r->base / 4] - 1u - CHK_STORES;
  if (turn->address != r->base) *turn = (struct chk_turn){.address = r->base};
  struct chk_mark other = turn->by;
  turn->by = chk_now(c, CHK_STORES + core);
  if (!other.clock || other.entity != CHK_STORES + from) return;
  bool waited = chk_knows(&c->clocks, CHK_STORES + core, &other);
  *(waited ? &turn->waited : &turn->raced) |= (uint8_t)(1u << core);
  if (waited || turn->raced != 1u << core || turn->waited != 1u << from) return;
  if (c->t->core[core].state == TX_CORE_HELD || obs_compares_stored(c->t, core, turn->by.pc)) return;
  const struct chk_lines *l = &c->lines[core];
  if (!stores_several(l, r->base, l->stores - 1)) return;
  chk_report(c, TX_DIAG_L1_UNORDERED, &other, "0x%x written by %s, which does not wait for %s", r->base,
             chk_mark_name(c, &turn->by), chk_mark_name(c, &other));
}

void chk_contended_finish(struct chk *c) {
  struct tx_current kept = c->t->current;
  sim_time now = c->t->engine.now;
  for (unsigned i = 0; i < CHK_SUSPECTS; i++) {
    struct chk_contended *s = &c->contended[i];
    if (!s->times || chk_is_flag(c, s->address)) continue;
    c->t->current = (struct tx_current){.agent = (enum tx_agent)s->now.agent, .pc = s->now.pc, .word = s->now.word};
    c->t->engine.now = s->now.cycle;
    for (; s->times; s->times--)
      chk_report(c, TX_DIAG_L1_UNORDERED, &s->other, "0x%x written by %s, which does not wait for %s", s->address,
                 chk_mark_name(c, &s->now), chk_mark_name(c, &s->other));
  }
  memset(c->contended, 0, sizeof c->contended);
  c->t->engine.now = now;
  c->t->current = kept;
}
