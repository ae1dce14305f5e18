/* The changes of words that cores change by atomics (atomics.h).
 *
 * What a core learns from such a word depends on several cores: a count that two have increased. The changes are kept in their order and
 * executed again without those of one core: where the reading core would go another way, it needed them. */
#include "check/atomics.h"

#include "check/order.h"
#include "check/pages.h"
#include "check/report.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/memory.h"

#define OPCODE_AMO 0x2fu /* of RISC-V, bits 0 to 6 */

static bool is_amo(uint32_t word) { return (word & 0x7fu) == OPCODE_AMO; }

/* The entry of a word; without one, that of the word that was used longest ago, emptied. */
static struct chk_changes *changes_at(struct chk *c, uint32_t address) {
  struct chk_changes *oldest = &c->changes[0];
  for (unsigned i = 0; i < CHK_CHANGED; i++) {
    struct chk_changes *w = &c->changes[i];
    if (w->address == (address & ~3u) && w->used) {
      w->used = ++c->changes_used;
      return w;
    }
    if (w->used < oldest->used) oldest = w;
  }
  *oldest = (struct chk_changes){.address = address & ~3u, .used = ++c->changes_used};
  return oldest;
}

static const struct chk_change *newest(const struct chk_changes *w) { return &w->of[(w->count - 1) % CHK_CHANGES]; }

/* Another agent has written the word since the last change. What NoC requests have added is a change of no core. */
static void bridge(struct chk *c, struct chk_changes *w, uint32_t value) {
  uint32_t last = newest(w)->value;
  if (last == value) return;
  if (!chk_is_joint(c, w->address)) {
    w->count = 0;
    return;
  }
  w->of[w->count++ % CHK_CHANGES] = (struct chk_change){
      .before = last, .value = value, .operand = value - last, .op = TX_RV_AMOADD, .core = TX_CORES, .atomic = true};
}

static void add(struct chk *c, struct chk_changes *w, const struct chk_change *change) {
  if (w->count) bridge(c, w, change->before);
  w->of[w->count++ % CHK_CHANGES] = *change;
}

/* Stores are not recorded here when they arrive: adds those of the core that has stored last. */
static void add_stores(struct chk *c, struct chk_changes *w, unsigned core) {
  const struct chk_lines *l = &c->lines[core];
  uint32_t known = 0, last = c->stored[w->address / 4];
  if (w->count && newest(w)->core == core && newest(w)->clock == last) return;
  for (uint32_t i = 0; i < w->count && i < CHK_CHANGES; i++)
    if (w->of[i].core == core && w->of[i].clock > known) known = w->of[i].clock;
  for (uint32_t i = l->stores > CHK_STORED ? l->stores - CHK_STORED : 0; i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != w->address || s->clock <= known) continue;
    add(c, w,
        &(struct chk_change){
            .clock = s->clock, .before = s->before, .value = s->value, .operand = s->mask, .core = (uint8_t)core});
  }
}

uint32_t chk_value_without(const struct chk_changes *w, unsigned core, uint32_t first) {
  uint32_t oldest = w->count > CHK_CHANGES ? w->count - CHK_CHANGES : 0, value = w->of[oldest % CHK_CHANGES].before;
  for (uint32_t i = oldest; i < w->count; i++) {
    const struct chk_change *s = &w->of[i % CHK_CHANGES];
    if (s->core == core && i >= first) continue;
    value = s->atomic ? tx_atomic_result(s->op, value, s->operand) : (value & ~s->operand) | (s->value & s->operand);
  }
  return value;
}

struct chk_changes *chk_changes_of(struct chk *c, uint32_t address) {
  if (!chk_known_changes(c, address)) return NULL;
  struct chk_changes *w = changes_at(c, address);
  unsigned writer = c->writer[address / 4] - 1u - CHK_STORES;
  if (writer >= TX_CORES && !chk_is_joint(c, address)) return NULL;
  if (writer < TX_CORES) add_stores(c, w, writer);
  else bridge(c, w, tx_l1_read(c->t, w->address, 4));
  return newest(w)->value == tx_l1_read(c->t, w->address, 4) ? w : NULL;
}

void chk_atomic_done(struct chk *c, const struct tx_atomic *a) {
  struct chk_changes *w = changes_at(c, a->address);
  add(c, w,
      &(struct chk_change){.clock = c->stored[a->address / 4],
                           .before = a->old,
                           .value = a->value,
                           .operand = a->operand,
                           .op = (uint8_t)a->op,
                           .core = (uint8_t)a->core,
                           .atomic = true,
                           .by = chk_now(c, CHK_STORES + a->core)});
  c->shared[a->address / 32] |= (uint8_t)(1u << (a->address / 4 % 8));
}

void chk_atomic_starts(struct chk *c, uint32_t address) {
  struct chk_changes *w = changes_at(c, address);
  unsigned writer = c->writer[address / 4] - 1u - CHK_STORES;
  if (writer < TX_CORES) add_stores(c, w, writer);
}

/* --- atomics beside loads: the mark of a line has only the last change, which does not race with the next atomic --- */

static bool is_data(const struct chk *c, uint32_t address) {
  return chk_on(c, CHK_C) && !(c->flag[address / 32] >> (address / 4 % 8) & 1u);
}

void chk_atomic_readers(struct chk *c, const struct tx_atomic *a) {
  const struct chk_changes *w = chk_known_changes(c, a->address);
  const struct chk_cell *cell = &c->line[a->address / CHK_LINE];
  uint8_t parts = chk_parts_of(a->address / CHK_LINE, a->address, a->address + 4);
  if (!is_data(c, a->address) || !w || !newest(w)->atomic || newest(w)->core == a->core) return;
  for (unsigned i = 0; i < CHK_READERS; i++) {
    const struct chk_mark *m = &cell->read[i];
    if (is_amo(m->word) || (m->parts && !(m->parts & parts)) || chk_in_order(&c->clocks, CHK_CORE + a->core, m)) continue;
    chk_report(c, TX_DIAG_L1_UNORDERED, m, "0x%x written by %s, which does not wait for %s", a->address,
               chk_entity_name(CHK_CORE + a->core), chk_mark_name(c, m));
    return;
  }
}

void chk_atomic_read(struct chk *c, unsigned core, const struct tx_range *r) {
  if (!(c->shared[r->base / 32] >> (r->base / 4 % 8) & 1u) || is_amo(r->word)) return;
  const struct chk_changes *w = chk_known_changes(c, r->base);
  if (!w || !is_data(c, r->base)) return;
  for (uint32_t i = 0; i < w->count && i < CHK_CHANGES; i++) {
    const struct chk_change *s = &w->of[i];
    if (!s->atomic || s->core == core || s->core == TX_CORES || s->core == newest(w)->core ||
        chk_in_order(&c->clocks, CHK_CORE + core, &s->by))
      continue;
    chk_report(c, TX_DIAG_L1_UNORDERED, &s->by, "0x%x read by %s, which does not wait for %s", r->base,
               chk_entity_name(CHK_CORE + core), chk_mark_name(c, &s->by));
    return;
  }
}

bool chk_are_atomics(const struct chk_mark *a, const struct chk_mark *b) {
  const struct chk_mark *request = a->entity == CHK_NETWORK ? a : b, *other = request == a ? b : a;
  return request->entity == CHK_NETWORK && request->word >> 21 & 1u && other->entity != CHK_NETWORK && is_amo(other->word);
}

/* Marks of a line cover several words of it: whether the word was changed by an atomic is known word by word. */
bool chk_both_atomic(const struct chk *c, const struct tx_range *r, const struct chk_mark *other) {
  const struct chk_changes *w = chk_known_changes(c, r->base);
  unsigned writer = c->writer[r->base / 4] - 1u - CHK_STORES;
  if (!is_amo(r->word) || (unsigned)r->agent - TX_AGENT_TRISC0 >= TX_CORES) return false;
  if ((unsigned)other->entity - CHK_CORE < TX_CORES) return is_amo(other->word);
  if ((unsigned)other->entity - CHK_STORES >= TX_CORES) return false;
  if (w && newest(w)->atomic) return newest(w)->core == writer;
  /* Another word has taken the place of this one: at most a change is known that was found again as a store. */
  const bool by_atomics = c->shared[r->base / 32] >> (r->base / 4 % 8) & 1u;
  return (!w || w->count == 1) && by_atomics && is_amo(other->word);
}
