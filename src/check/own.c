/* NoC increments that a core sends to words of its own tile (own.h).
 *
 * Up to its barrier the core may load the word with the increment or without it. A poll that ends with it and not without it waits for it, as at a
 * meeting of all tiles at a word of the core's own tile. A poll that ends without it and not with it may take what the core has already taken. */
#include "check/own.h"

#include "check/polls.h"
#include "check/report.h"
#include "observe/hang/poll.h"

static struct chk_own *place_of(struct chk *c, unsigned core, uint32_t address) {
  return &c->tiles.own[core][address / 4 % CHK_OWN];
}

void chk_own_sent(struct chk *c, const struct chk_request *s, uint32_t address, uint32_t operand) {
  struct chk_own *o = place_of(c, s->core, address);
  if (!o->by.clock || o->address != address) *o = (struct chk_own){.address = address};
  o->by = s->mark;
  o->under_way += operand;
  c->tiles.pulls++; /* loads are observed */
}

void chk_own_arrived(struct chk *c, const struct chk_request *s, uint32_t address, uint32_t operand) {
  struct chk_own *o = place_of(c, s->core, address);
  if (!o->by.clock || o->address != address) return;
  if (!o->arrived) o->first = c->tiles.word[address / 4 % CHK_WORDS].count - 1;
  o->under_way -= operand;
  o->arrived += operand;
}

void chk_own_answered(struct chk *c, unsigned core) {
  for (unsigned i = 0; i < CHK_OWN; i++) c->tiles.own[core][i].by.clock = 0;
}

/* Since the first arrival the word has only been increased: it is known what it would be without some increments. */
static bool is_sum(const struct chk *c, const struct chk_own *o, uint32_t now) {
  const struct chk_word *w = &c->tiles.word[o->address / 4 % CHK_WORDS];
  if (!o->arrived) return true;
  if (w->address != o->address || w->count - o->first > CHK_VALUES) return false;
  for (uint32_t i = o->first; i < w->count; i++) {
    uint32_t next = i + 1 < w->count ? w->before[(i + 1) % CHK_VALUES] : now;
    if (w->mask[i % CHK_VALUES] || next != w->value[i % CHK_VALUES]) return false;
  }
  return true;
}

static void report(struct chk *c, unsigned core, const struct chk_own *o) {
  chk_report(c, TX_DIAG_L1_UNORDERED, &o->by,
             "0x%x read by %s, and nothing makes sure that the core's own atomic has changed the word", o->address,
             tx_core_name(core));
}

void chk_own_load(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_own *o = place_of(c, core, r->base & ~3u);
  if (!o->by.clock || o->address != r->base || r->width != 4 || !chk_on(c, CHK_C)) return;
  uint32_t now = tx_l1_read(c->t, r->base, 4), with = now + o->under_way, without = now - o->arrived;
  if (!is_sum(c, o, now)) {
    o->by.clock = 0;
    return;
  }
  if (chk_in_a_poll(c, core, r->pc, now)) {
    bool ends_with = obs_poll_ends(c->t, core, r->pc, with), ends_without = obs_poll_ends(c->t, core, r->pc, without);
    if (ends_without && !ends_with) report(c, core, o);
    if (ends_without == ends_with || obs_poll_ends(c->t, core, r->pc, now) != ends_with) return;
  } else {
    struct obs_use a = obs_poll_follow(c->t, core, r->pc, with), b = obs_poll_follow(c->t, core, r->pc, without);
    if (a.path || b.path || a.effects == b.effects) return; /* looks again, or does not use it */
    report(c, core, o);
  }
  o->by.clock = 0; /* the poll has waited for it, or it is reported */
}
