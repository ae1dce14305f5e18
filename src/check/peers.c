/* The state of other tiles of the chip that a tile is ordered after (peers.h). */
#include "check/peers.h"

#include <stddef.h>

#include "check/polls.h"
#include "observe/poll.h"
#include "tensix/mem/l1.h"

static unsigned tile_of(const struct chk_mark *m) { return m->word & 0xffffu; }

static unsigned core_of(const struct chk_mark *m) { return m->word >> 16 & 7u; }

static bool is_read(const struct chk_mark *m) { return m->word >> 19 & 1u; }

static bool is_atomic(const struct chk_mark *m) {
  return m->word >> 21 & 1u;
} /* `issued` is then the number of its arrival */

static bool is_short(const struct chk_mark *m) { return m->word >> 20 & 1u; }

const struct chk_heard *chk_heard_by(const struct chk_peer *peer, uint32_t bound, bool *lost) {
  uint32_t oldest = peer->count > CHK_HEARD ? peer->count - CHK_HEARD : 0;
  for (uint32_t i = peer->count; i > oldest; i--)
    if (peer->ring[(i - 1) % CHK_HEARD].arrival <= bound) return &peer->ring[(i - 1) % CHK_HEARD];
  *lost = oldest > 0;
  return NULL;
}

const struct chk_heard *chk_heard_of(const struct chk_request *s, unsigned tile) {
  for (unsigned i = 0; i < CHK_PEERS; i++)
    if (s->of[i].number && s->of[i].tile == tile) return &s->of[i];
  return NULL;
}

/* Is the request of `m` ordered before the request that acts now, where other tiles have sent both? Short requests are
 * flags: they count as ordered, so the mark of the last one is kept. */
static bool requests_in_order(const struct chk_tiles *n, const struct chk_mark *m) {
  const struct chk_request *s = n->acting;
  if (!s || tile_of(m) == tile_of(&s->mark) || is_short(m) || is_short(&s->mark)) return true;
  const struct chk_heard *h = chk_heard_of(s, tile_of(m));
  return h ? (is_read(m) ? h->in : h->far)[core_of(m)] >= m->issued : s->full;
}

static const struct chk *checker_of(const struct chk_clocks *clocks) {
  return (const struct chk *)(const void *)((const char *)clocks - offsetof(struct chk, clocks));
}

bool chk_tiles_before_host(const struct chk_clocks *clocks, const struct chk_mark *m) {
  const struct chk_tiles *n = &checker_of(clocks)->tiles;
  return n->chip && m->cycle < n->chip->host_cycle;
}

bool chk_tiles_know(const struct chk_clocks *clocks, unsigned entity, const struct chk_mark *m) {
  const struct chk_tiles *n = &checker_of(clocks)->tiles;
  bool lost = false;
  if (chk_tiles_before_host(clocks, m)) return true;
  if (entity == CHK_NETWORK) return requests_in_order(n, m);
  if (is_atomic(m)) return clocks->of[entity].at[CHK_NETWORK] >= m->issued;
  for (unsigned i = 0; i < n->peers; i++) {
    if (n->peer[i].tile != tile_of(m)) continue;
    const struct chk_heard *h = chk_heard_by(&n->peer[i], clocks->of[entity].at[CHK_NETWORK], &lost);
    if (!h) return lost;
    return (is_read(m) ? h->in : h->far)[core_of(m)] >= m->issued;
  }
  return true; /* no entry for this tile */
}

/* The arrival that the end of the poll guarantees: that of the first value that ends it. A value that the core is already
 * ordered after, or that the word had before, guarantees nothing new. */
static uint32_t guaranteed(const struct chk *c, unsigned core, uint32_t pc, const struct chk_word *w, uint32_t known) {
  uint32_t oldest = w->count > CHK_VALUES ? w->count - CHK_VALUES : 0;
  for (uint32_t i = oldest; i < w->count; i++) {
    uint32_t place = i % CHK_VALUES;
    if (w->arrival[place] <= known) continue;
    /* of values that the ring no longer holds one may have ended it */
    if (obs_poll_ends(c->t, core, pc, w->before[place])) return i == oldest && oldest ? w->arrival[place] - 1 : known;
    if (obs_poll_ends(c->t, core, pc, w->value[place])) return w->arrival[place];
  }
  /* an increment of this tile itself ended it, or another kind of atomic */
  return w->count && w->arrival[(w->count - 1) % CHK_VALUES] > known ? w->arrival[(w->count - 1) % CHK_VALUES] : known;
}

/* A core's poll of a word that another tile has written ends: orders the core after the first value that would have ended
 * the poll. */
void chk_tiles_acquire(struct chk *c, unsigned core, const struct tx_range *r) {
  const struct chk_word *w = &c->tiles.word[r->base / 4 % CHK_WORDS];
  struct chk_vector *v = &c->clocks.of[CHK_CORE + core];
  bool poll = chk_in_a_poll(c, core, r->pc, tx_l1_read(c->t, r->base, r->width));
  if (!poll && obs_poll_may_loop(c->t, core, r->pc)) return; /* a wait that any value ends guarantees nothing */
  /* a single load without a loop guarantees the value it reads */
  bool tracked = poll && w->address == (r->base & ~3u);
  uint32_t bound = tracked ? guaranteed(c, core, r->pc, w, v->at[CHK_NETWORK]) : c->tiles.arrivals;
  if (v->at[CHK_NETWORK] >= bound) return;
  v->at[CHK_NETWORK] = bound;
  c->clocks.version[CHK_CORE + core]++;
}

/* The side of a finding that lies on another tile. */
struct tx_side chk_side_of(const struct chk *c, const struct chk_mark *m) {
  (void)c;
  if (m->entity != CHK_NETWORK) return (struct tx_side){.cycle = m->cycle, .pc = m->pc, .word = m->word, .agent = m->agent};
  return (struct tx_side){
      .cycle = m->cycle, .pc = m->pc, .agent = (uint16_t)(TX_AGENT_TRISC0 + core_of(m)), .tile = 1u + tile_of(m)};
}
