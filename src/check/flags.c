/* The cores' stores to L1 in their order, and the words of L1 by which cores synchronise: the load that ends a poll is
 * ordered after the store whose value it reads, and after everything that the storing core did before it. ISA:
 * MemoryOrdering.md: requests of one core to L1 are processed in the order in which they are emitted. */
#include "check/flags.h"

#include <string.h>

#include "check/atomics.h"
#include "check/peers.h"
#include "check/polls.h"
#include "observe/hang/ahead.h"
#include "observe/hang/poll.h"

/* --- lines in flight --- */

static uint32_t lines_under_way(const struct tx_core *k) {
  uint32_t lines = k->l1_under_way;
  for (uint32_t i = 0; i < k->queue_count; i++) lines += k->queue[i].is_l1;
  return lines;
}

/* Records one more line and advances the core's clock: later actions are newer than the line. */
static void note_line(struct chk *c, unsigned core) {
  struct chk_lines *l = &c->lines[core];
  bool same = l->version == c->clocks.version[CHK_CORE + core];
  l->clock[l->noted++ % CHK_LINES_OUT] = c->clocks.of[CHK_CORE + core].at[CHK_CORE + core];
  chk_step(&c->clocks, CHK_CORE + core);
  if (same) l->version = c->clocks.version[CHK_CORE + core];
}

void chk_lines_note(struct chk *c, unsigned core) {
  struct chk_lines *l = &c->lines[core];
  const struct tx_core *r = &c->t->core[core];
  if (!r->queue_count && !r->l1_under_way) return;
  uint32_t lines = l->arrived + lines_under_way(r);
  while ((int32_t)(lines - l->noted) > 0) note_line(c, core);
}

void chk_lines_fenced(struct chk *c, unsigned core) {
  struct chk_lines *l = &c->lines[core];
  if (l->noted) l->fenced = l->clock[(l->noted - 1) % CHK_LINES_OUT];
}

static void record_poll(struct chk *c, unsigned core, uint32_t clock) {
  struct chk_lines *l = &c->lines[core];
  if (l->version == c->clocks.version[CHK_CORE + core] && l->pasts) return;
  l->version = c->clocks.version[CHK_CORE + core];
  l->past_clock[l->pasts % CHK_PAST] = clock;
  struct chk_vector *past = &l->past[l->pasts++ % CHK_PAST];
  *past = c->clocks.of[CHK_CORE + core];
  past->at[CHK_CORE + core] = clock; /* without the core's later actions */
  chk_join(&c->clocks, CHK_STORES + core, CHK_CORE + core);
}

/* The bits of a word that an access to some bytes covers. */
static uint32_t bits_of(uint32_t base, uint32_t width, uint32_t word) {
  uint32_t bits = 0;
  if (base <= word && base + width >= word + 4) return ~0u;
  for (uint32_t i = 0; i < 4; i++)
    if (word + i - base < width) bits |= 0xffu << 8 * i;
  return bits;
}

/* A part of a word is stored, and another core has stored the word, or another part of it. */
static void note_shared(struct chk *c, unsigned core, uint32_t address) {
  unsigned who = c->writer[address / 4] - 1u;
  if (who >= CHK_STORES && who < CHK_NETWORK && who != CHK_STORES + core)
    c->shared[address / 32] |= (uint8_t)(1u << (address / 4 % 8));
}

/* Records one or two words for later polls; larger stores are data. Their values are in L1 after this access. */
static void note_stored(struct chk *c, unsigned core, const struct tx_range *r, uint32_t clock) {
  struct chk_lines *l = &c->lines[core];
  c->unread_core = (uint8_t)core;
  for (uint32_t word = r->base / 4; word < (r->base + r->width + 3) / 4; word++, c->unread++)
    l->store[l->stores++ % CHK_STORED] = (struct chk_stored){.address = 4 * word,
                                                             .clock = clock,
                                                             .before = tx_l1_read(c->t, 4 * word, 4),
                                                             .mask = bits_of(r->base, r->width, 4 * word)};
}

void chk_stored_read(struct chk *c) {
  struct chk_lines *l = &c->lines[c->unread_core];
  for (; c->unread; c->unread--) {
    struct chk_stored *s = &l->store[(l->stores - c->unread) % CHK_STORED];
    s->value = tx_l1_read(c->t, s->address, 4);
  }
}

/* A piece of a line arrives. Writes of a core's stand-in and atomics have no line in the queue: they arrive at once. */
void chk_lines_arrive(struct chk *c, unsigned core, const struct tx_range *r) {
  struct chk_lines *l = &c->lines[core];
  struct chk_clocks *clocks = &c->clocks;
  uint32_t line = 1 + r->base / 16;
  if (line != l->last_line || c->t->engine.now != l->last_now || !c->t->core[core].l1_under_way) {
    if (l->noted == l->arrived) note_line(c, core);
    l->arrived++;
    l->last_line = line, l->last_now = c->t->engine.now;
  }
  uint32_t clock = l->clock[(l->arrived - 1) % CHK_LINES_OUT];
  record_poll(c, core, clock);
  clocks->of[CHK_STORES + core].at[CHK_STORES + core] = clock;
  clocks->of[CHK_STORES + core].at[CHK_CORE + core] = clock; /* ordered after the core's earlier loads */
  clocks->version[CHK_STORES + core]++;
  for (uint32_t word = r->base / 4; word < (r->base + r->width + 3) / 4; word++) c->stored[word] = clock;
  if (r->width > 8) return;
  if (r->width < 4) note_shared(c, core, r->base);
  note_stored(c, core, r, clock);
}

/* --- flags --- */

bool chk_is_flag(const struct chk *c, uint32_t address) { return c->flag[address / 32] >> (address / 4 % 8) & 1u; }

static const struct tx_script_op *script_op(const struct chk *c, unsigned core) {
  const struct tx_script *s = c->t->unsaved.scripts[core];
  return s && c->t->script[core].next < s->count ? &s->ops[c->t->script[core].next] : NULL;
}

/* A load of a script whose value is compared. */
static bool script_waits(const struct chk *c, unsigned core) {
  const struct tx_script_op *op = script_op(c, core);
  return !op || (op->kind == TX_SCRIPT_WAIT && op->b); /* no script: a test that loads by hand */
}

/* The script's core loads its own store and goes on: a fence. */
static bool script_fences(const struct chk *c, unsigned core, uint32_t value) {
  const struct tx_script_op *op = c->t->core[core].state == TX_CORE_HELD ? script_op(c, core) : NULL;
  return op && op->kind == TX_SCRIPT_WAIT && (value & op->b) == op->c;
}

static bool polls(struct chk *c, const struct tx_range *r, unsigned core) {
  if (chk_is_flag(c, r->base)) return true;
  bool scripted = c->t->core[core].state == TX_CORE_HELD;
  bool poll = scripted ? script_waits(c, core) : chk_in_a_poll(c, core, r->pc, tx_l1_read(c->t, r->base, r->width));
  if (!poll && !chk_may_poll(c, core, r->pc)) return false;
  c->flag[r->base / 32] |= (uint8_t)(1u << (r->base / 4 % 8));
  return poll; /* a wait that any value ends guarantees nothing */
}

/* Adds the line of core `from` with this clock, and the vector that `from` had when it stored the line. */
static bool add_line(const struct chk *c, struct chk_vector *v, unsigned from, uint32_t clock) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t oldest = l->pasts > CHK_PAST ? l->pasts - CHK_PAST : 0, at = l->pasts;
  if (v->at[CHK_STORES + from] >= clock) return false;
  while (at > oldest + 1 && l->past_clock[(at - 1) % CHK_PAST] > clock) at--;
  if (at) chk_add(v, &l->past[(at - 1) % CHK_PAST]);
  v->at[CHK_STORES + from] = clock;
  if (v->at[CHK_CORE + from] < clock) v->at[CHK_CORE + from] = clock;
  return true;
}

/* Orders the entity after the line. */
static void acquire_line(struct chk *c, unsigned entity, unsigned from, uint32_t clock) {
  if (add_line(c, &c->clocks.of[entity], from, clock)) c->clocks.version[entity]++;
}

void chk_line_released(const struct chk *c, struct chk_vector *v, unsigned from, uint32_t clock) {
  (void)add_line(c, v, from, clock);
}

void chk_word_released(struct chk *c, struct chk_vector *v, uint32_t address) {
  unsigned who = c->writer[address / 4] - 1u;
  if (who >= CHK_STORES && who < CHK_NETWORK) {
    add_line(c, v, who - CHK_STORES, c->stored[address / 4]);
  } else if (who == CHK_NETWORK) {
    chk_told_at(c, v, address);
  } else if (who < CHK_ENTITIES) {
    chk_add(v, &c->clocks.of[who]);
    chk_step(&c->clocks, who);
  }
}

void chk_word_acquire(struct chk *c, unsigned entity, uint32_t address) {
  unsigned who = c->writer[address / 4] - 1u;
  if (who >= CHK_STORES && who < CHK_NETWORK) acquire_line(c, entity, who - CHK_STORES, c->stored[address / 4]);
  if (who == CHK_NETWORK) chk_read_all(c, entity);
}

static bool ends(const struct chk *c, unsigned core, const struct tx_range *r, uint32_t word) {
  uint32_t value = word >> 8 * (r->base % 4) & (r->width == 4 ? ~0u : (1u << 8 * r->width) - 1u);
  if (c->t->core[core].state != TX_CORE_HELD) return obs_poll_ends(c->t, core, r->pc, value);
  const struct tx_script_op *op = script_op(c, core);
  return op && (value & op->b) == op->c;
}

static struct obs_use use_of(const struct chk *c, unsigned core, const struct tx_range *r, uint32_t word) {
  uint32_t mask = r->width == 4 ? ~0u : (1u << 8 * r->width) - 1u;
  return obs_poll_follow(c->t, core, r->pc, word >> 8 * (r->base % 4) & mask);
}

/* Does the core the same with another value of the word as with the present one? */
static bool same_use(const struct chk *c, unsigned core, const struct tx_range *r, uint32_t word) {
  uint32_t now = tx_l1_read(c->t, r->base & ~3u, 4);
  if (word == now || c->t->core[core].state == TX_CORE_HELD) return true;
  struct obs_use a = use_of(c, core, r, now);
  if (a.open) return false;
  struct obs_use b = use_of(c, core, r, word);
  return obs_same_use(&a, &b);
}

/* Does the poll end with this value too, and does the core go the same way then as with the present one? */
static bool goes(const struct chk *c, unsigned core, const struct tx_range *r, uint32_t word) {
  return ends(c, core, r, word) && same_use(c, core, r, word);
}

static uint32_t first_kept(const struct chk_lines *l) { return l->stores > CHK_STORED ? l->stores - CHK_STORED : 0; }

/* The word had a value that suits the core already before the store at `first` of the ring. What the core knows then is the newest store
 * that gave it back such a value, as a lock that was free, taken and free again. Without one, a store that the ring has dropped may have
 * been the first with such a value. */
static uint32_t given_back(const struct chk *c, unsigned core, unsigned from, const struct tx_range *r, uint32_t first) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t known = c->clocks.of[CHK_CORE + core].at[CHK_STORES + from],
           oldest = l->store[first_kept(l) % CHK_STORED].clock - 1;
  for (uint32_t i = l->stores; i-- > first;) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address == (r->base & ~3u) && !goes(c, core, r, s->before) && goes(c, core, r, s->value)) return s->clock;
  }
  return first_kept(l) && oldest > known ? oldest : known;
}

/* Does one of the values of the word, or one near them, leave the core in its poll? A loop with a pause may be too long to be evaluated: then no
 * value does. */
static bool is_decided(const struct chk *c, unsigned core, unsigned from, const struct tx_range *r) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t now = tx_l1_read(c->t, r->base & ~3u, 4);
  const uint32_t near[] = {0, 1, now ^ 1u, now + 1, now - 1, ~now};
  for (unsigned i = 0; i < sizeof near / sizeof *near; i++)
    if (!ends(c, core, r, near[i])) return true;
  for (uint32_t i = first_kept(l); i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address == (r->base & ~3u) && (!ends(c, core, r, s->before) || !ends(c, core, r, s->value))) return true;
  }
  return false;
}

/* The clock of the store without which the core would not go this way: the first one with a suitable value among those that the core is
 * not ordered after. A newer value that was already there by chance does not count. */
static uint32_t least_needed(const struct chk *c, unsigned core, unsigned from, const struct tx_range *r, bool decided) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t known = c->clocks.of[CHK_CORE + core].at[CHK_STORES + from];
  for (uint32_t i = first_kept(l); i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != (r->base & ~3u) || s->clock <= known) continue;
    if (decided && goes(c, core, r, s->before)) return given_back(c, core, from, r, i);
    /* a count that is used later guarantees more than the least one that ends the wait */
    if (goes(c, core, r, s->value)) return s->clock;
  }
  return c->stored[r->base / 4];
}

static uint32_t least_stored(struct chk *c, unsigned core, unsigned from, const struct tx_range *r) {
  bool scripted = c->t->core[core].state == TX_CORE_HELD;
  if (scripted && !script_waits(c, core)) return c->stored[r->base / 4];
  if (!scripted && !chk_in_a_poll(c, core, r->pc, tx_l1_read(c->t, r->base, r->width))) {
    /* a wait that no value of the word holds, or a look: only a store that decides a branch orders */
    bool decides = use_of(c, core, r, tx_l1_read(c->t, r->base & ~3u, 4)).path;
    return decides ? least_needed(c, core, from, r, true) : c->stored[r->base / 4];
  }
  return least_needed(c, core, from, r, is_decided(c, core, from, r));
}

/* --- looks: a load that does not wait, with a branch on its value --- */

static bool stores_to(const struct chk_lines *l, uint32_t address, uint32_t clock) {
  for (uint32_t i = 0; i < CHK_STORED && i < l->stores; i++)
    if (l->store[i].address == address && l->store[i].clock + 2 >= clock && l->store[i].clock <= clock + 2) return true;
  return false;
}

/* Data is stored word by word, and loaded so. A flag is one word, or the core that looks at it goes on to the flag of another core. */
static bool is_data(const struct chk *c, unsigned core, unsigned from, const struct tx_range *r) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t address = r->base & ~3u, clock = c->stored[address / 4];
  bool below = stores_to(l, address - 4, clock), above = stores_to(l, address + 4, clock);
  bool run = (below && above) || (below && stores_to(l, address - 8, clock)) || (above && stores_to(l, address + 8, clock));
  bool streams = c->look_pc[core] == r->pc && (r->base - c->look_at[core] == 4 || c->look_at[core] - r->base == 4);
  return run && streams;
}

/* Stores of more than two words that arrive together are data, and are not in the ring. What the ring has dropped is not known. */
static bool was_stored_at_once(const struct chk_lines *l, uint32_t address, uint32_t clock) {
  uint32_t first = first_kept(l);
  if (first && clock < l->store[first % CHK_STORED].clock) return false;
  for (uint32_t i = first; i < l->stores; i++)
    if (l->store[i % CHK_STORED].address == address && l->store[i % CHK_STORED].clock == clock) return false;
  return true;
}

/* A core may look at a flag in passing, as in a scan over many. If a branch depends on the value, it is ordered after the store without
 * which it had gone another way. */
static void look(struct chk *c, unsigned core, unsigned from, const struct tx_range *r) {
  uint32_t clock = c->stored[r->base / 4];
  if (c->clocks.of[CHK_CORE + core].at[CHK_STORES + from] >= clock || c->t->core[core].state == TX_CORE_HELD) return;
  bool data = is_data(c, core, from, r) || was_stored_at_once(&c->lines[from], r->base & ~3u, clock);
  c->look_pc[core] = r->pc, c->look_at[core] = r->base;
  if (data || !use_of(c, core, r, tx_l1_read(c->t, r->base & ~3u, 4)).path) return;
  c->flag[r->base / 32] |= (uint8_t)(1u << (r->base / 4 % 8));
  acquire_line(c, CHK_CORE + core, from, least_needed(c, core, from, r, true));
}

/* --- words that several cores store parts of --- */

/* The value of the word without the core's newest stores, from the one at `i` of its ring on: the bytes that they set as before. */
static uint32_t without(const struct chk_lines *l, uint32_t i, uint32_t now) {
  uint32_t address = l->store[i % CHK_STORED].address, set = 0;
  for (; i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != address) continue;
    uint32_t bits = s->mask & ~set;
    now = (now & ~bits) | (s->before & bits);
    set |= s->mask;
  }
  return now;
}

/* Orders the core after the stores of another core to a part of the word without which it had not gone this way. */
static void acquire_part(struct chk *c, unsigned core, unsigned from, const struct tx_range *r, bool poll) {
  const struct chk_lines *l = &c->lines[from];
  uint32_t now = tx_l1_read(c->t, r->base & ~3u, 4), read = bits_of(r->base, r->width, r->base & ~3u);
  uint32_t known = c->clocks.of[CHK_CORE + core].at[CHK_STORES + from], needed = 0;
  for (uint32_t i = l->stores > CHK_STORED ? l->stores - CHK_STORED : 0; i < l->stores; i++) {
    const struct chk_stored *s = &l->store[i % CHK_STORED];
    if (s->address != (r->base & ~3u) || !(s->mask & read) || s->clock <= known) continue;
    uint32_t word = without(l, i, now);
    bool same = same_use(c, core, r, word) && (!poll || ends(c, core, r, word) == ends(c, core, r, now));
    if (same) break; /* this store and those after it are not needed */
    needed = s->clock;
  }
  if (needed) acquire_line(c, CHK_CORE + core, from, needed);
}

/* --- words that cores change by atomics --- */

/* Orders the core after the newest change of another core without which it had gone another way; older ones are in order before it. */
static void acquire_change(struct chk *c, const struct chk_changes *w, unsigned from, unsigned core,
                           const struct tx_range *r, bool poll) {
  uint32_t oldest = w->count > CHK_CHANGES ? w->count - CHK_CHANGES : 0;
  uint32_t known = c->clocks.of[CHK_CORE + core].at[CHK_STORES + from];
  for (uint32_t i = w->count; i-- > oldest;) {
    const struct chk_change *s = &w->of[i % CHK_CHANGES];
    if (s->core != from) continue;
    if (s->clock <= known) return;
    uint32_t word = chk_value_without(w, from, i);
    if (same_use(c, core, r, word) && (!poll || ends(c, core, r, word))) continue;
    acquire_line(c, CHK_CORE + core, from, s->clock);
    return;
  }
}

/* false: no atomics of this word are known. */
static bool acquire_changes(struct chk *c, unsigned core, const struct tx_range *r, bool poll) {
  const struct chk_changes *w = chk_changes_of(c, r->base);
  if (!w) return false;
  if (poll && !ends(c, core, r, tx_l1_read(c->t, w->address, 4))) return true; /* it loads the word again */
  for (unsigned from = 0; from < TX_CORES; from++)
    if (from != core) acquire_change(c, w, from, core, r, poll);
  return true;
}

__attribute__((cold)) static void load_shared(struct chk *c, unsigned core, const struct tx_range *r) {
  bool poll = polls(c, r, core) && chk_in_a_poll(c, core, r->pc, tx_l1_read(c->t, r->base, r->width));
  const struct chk_lines *own = &c->lines[core];
  uint32_t *arrived = &c->clocks.of[CHK_CORE + core].at[CHK_STORES + core];
  for (uint32_t i = 0; i < CHK_STORED && i < own->stores; i++) /* its own stores have arrived */
    if (own->store[i].address == (r->base & ~3u) && own->store[i].clock > *arrived) *arrived = own->store[i].clock;
  c->clocks.version[CHK_CORE + core]++;
  if (!poll && !use_of(c, core, r, tx_l1_read(c->t, r->base & ~3u, 4)).path) { /* data */
    chk_atomic_read(c, core, r);
    return;
  }
  c->flag[r->base / 32] |= (uint8_t)(1u << (r->base / 4 % 8));
  bool changes = acquire_changes(c, core, r, poll);
  if (chk_is_joint(c, r->base)) chk_tiles_acquire(c, core, r);
  if (changes) return;
  for (unsigned from = 0; from < TX_CORES; from++)
    if (from != core) acquire_part(c, core, from, r, poll);
}

void chk_after_host(struct chk *c, unsigned core) {
  chk_join_vector(&c->clocks, CHK_CORE + core, &c->host);
  c->host_seen[core] = c->host_writes;
}

/* A core goes on behind a load until an instruction reads its result: a load whose value is not used makes nothing wait. ISA:
 * MemoryOrdering.md. */
static bool is_waited_for(const struct chk *c, unsigned core, const struct tx_range *r) {
  const struct tx_core *k = &c->t->core[core];
  if (k->state == TX_CORE_HELD || r->pc & 3u || r->pc > TX_L1_BYTES - 8) return true;
  struct tx_insn load = obs_insn_at(c->t, k, r->pc), next = obs_insn_at(c->t, k, r->pc + 4);
  if (load.class != TX_RV_CLASS_LOAD || next.rs1 == load.rd) return true;
  return load.rd > 0 && load.rd < 32 && obs_reads_ahead(c->t, core, r->pc + 4, 1u << load.rd);
}

/* Requests of one core to L1 are processed in their order: a load after a fence waits for the stores before the fence. ISA:
 * MemoryOrdering.md, "Fences" */
static void acquire_fenced(struct chk *c, unsigned core, const struct tx_range *r) {
  uint32_t *arrived = &c->clocks.of[CHK_CORE + core].at[CHK_STORES + core], fenced = c->lines[core].fenced;
  if (*arrived >= fenced || !is_waited_for(c, core, r)) return;
  *arrived = fenced;
  c->clocks.version[CHK_CORE + core]++;
}

void chk_flag_load(struct chk *c, unsigned core, const struct tx_range *r) {
  unsigned who = c->writer[r->base / 4];
  if (r->write || r->width > 4) return;
  acquire_fenced(c, core, r);
  if (who == 0 || who == CHK_HOST) {
    if (who && c->host_seen[core] != c->host_writes) chk_after_host(c, core);
    if (chk_on(c, CHK_C)) (void)polls(c, r, core);
    return;
  }
  who--;
  bool by_cores = who >= CHK_STORES && who < CHK_NETWORK;
  if ((by_cores || who == CHK_NETWORK) && c->shared[r->base / 32] >> (r->base / 4 % 8) & 1u &&
      c->t->core[core].state != TX_CORE_HELD && (by_cores || chk_is_joint(c, r->base))) {
    load_shared(c, core, r);
    return;
  }
  if (who == CHK_STORES + core) { /* a load of the core's own store waits until that has arrived */
    struct chk_vector *v = &c->clocks.of[CHK_CORE + core];
    if (v->at[who] < c->stored[r->base / 4] && is_waited_for(c, core, r))
      v->at[who] = c->stored[r->base / 4], c->clocks.version[CHK_CORE + core]++;
    bool fence = script_fences(c, core, tx_l1_read(c->t, r->base, r->width));
    if (chk_on(c, CHK_C) && !fence) (void)polls(c, r, core); /* it polls for another core's store */
    return;
  }
  if (who >= CHK_ENTITIES) return;
  if (!polls(c, r, core)) {
    if (who >= CHK_STORES && who < CHK_NETWORK && chk_on(c, CHK_C)) look(c, core, who - CHK_STORES, r);
    else if (who == CHK_NETWORK && chk_on(c, CHK_C) && chk_tiles_look(c, core, r))
      c->flag[r->base / 32] |= (uint8_t)(1u << (r->base / 4 % 8));
    return;
  }
  if (who >= CHK_STORES && who < CHK_NETWORK) {
    acquire_line(c, CHK_CORE + core, who - CHK_STORES, least_stored(c, core, who - CHK_STORES, r));
    return;
  }
  if (who == CHK_NETWORK) {
    chk_tiles_acquire(c, core, r);
    return;
  }
  chk_join(&c->clocks, CHK_CORE + core, who);
  chk_step(&c->clocks, who);
}
