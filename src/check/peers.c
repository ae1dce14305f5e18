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

/* Is an arrival among those up to a number? The ring has dropped older ones: they count as read. */
static bool has_read(const struct chk_tiles *n, uint32_t arrival, uint32_t bound) {
  const struct chk_news *e = &n->news[arrival % CHK_NEWS];
  return e->arrival != arrival || (e->number && e->number <= bound);
}

bool chk_tiles_know(const struct chk_clocks *clocks, unsigned entity, const struct chk_mark *m) {
  const struct chk_tiles *n = &checker_of(clocks)->tiles;
  bool lost = false;
  if (chk_tiles_before_host(clocks, m)) return true;
  if (entity == CHK_NETWORK) return requests_in_order(n, m);
  /* a multicast that includes its sender: after a barrier, or after a flag behind it */
  if (tile_of(m) == n->tile && !is_atomic(m) &&
      clocks->of[entity].at[(is_read(m) ? CHK_NOC_IN : CHK_NOC_FAR) + core_of(m)] >= m->issued)
    return true;
  if (is_atomic(m)) return has_read(n, m->issued, clocks->of[entity].at[CHK_NETWORK]);
  for (unsigned i = 0; i < n->peers; i++) {
    if (n->peer[i].tile != tile_of(m)) continue;
    const struct chk_heard *h = chk_heard_by(&n->peer[i], clocks->of[entity].at[CHK_NETWORK], &lost);
    if (!h) return lost;
    return (is_read(m) ? h->in : h->far)[core_of(m)] >= m->issued;
  }
  return n->peers == CHK_PEERS; /* nothing of this tile has been read, or there was no room for it */
}

/* --- messages of other tiles --- */

static struct chk_peer *peer_of(struct chk_tiles *n, unsigned tile) {
  for (unsigned i = 0; i < n->peers; i++)
    if (n->peer[i].tile == tile) return &n->peer[i];
  if (n->peers == CHK_PEERS) return NULL;
  n->peer[n->peers].tile = tile;
  return &n->peer[n->peers++];
}

static void hear(struct chk_peer *peer, uint32_t arrival, const struct chk_heard *news) {
  struct chk_heard now = *news;
  const struct chk_heard *last = &peer->ring[(peer->count - 1) % CHK_HEARD];
  for (unsigned core = 0; peer->count && core < TX_CORES; core++) {
    if (last->far[core] > now.far[core]) now.far[core] = last->far[core];
    if (last->in[core] > now.in[core]) now.in[core] = last->in[core];
  }
  if (peer->count && last->number > now.number) now.number = last->number;
  now.arrival = arrival;
  now.tile = peer->tile;
  bool same = peer->count && last->arrival == arrival;
  peer->ring[(same ? peer->count - 1 : peer->count++) % CHK_HEARD] = now;
}

void chk_admit(struct chk_tiles *n, struct chk_news *e) {
  const struct chk_request *s = &e->sent;
  struct chk_peer *peer = peer_of(n, e->tile);
  struct chk_heard news = {.number = s->number};
  for (unsigned core = 0; core < TX_CORES; core++) {
    news.far[core] = s->vector.at[CHK_NOC_FAR + core];
    news.in[core] = s->vector.at[CHK_NOC_IN + core];
  }
  if (e->written) news.far[s->core] = s->clock;
  e->number = ++n->admitted;
  if (peer) hear(peer, e->number, &news);
  for (unsigned i = 0; i < CHK_PEERS; i++) { /* and the sender's state of other tiles */
    if (!s->of[i].number || s->of[i].tile == n->tile || s->of[i].tile == e->tile) continue;
    peer = peer_of(n, s->of[i].tile);
    if (peer) hear(peer, e->number, &s->of[i]);
  }
}

uint32_t chk_admit_all(struct chk *c) {
  struct chk_tiles *n = &c->tiles;
  for (uint32_t i = n->arrivals > CHK_NEWS ? n->arrivals - CHK_NEWS : 0; i < n->arrivals; i++) {
    struct chk_news *e = &n->news[(i + 1) % CHK_NEWS];
    if (!e->number) chk_admit(n, e);
  }
  return n->admitted;
}

/* Admits an arrival, and with an atomic those before it at the same word; returns the newest number of them. */
static uint32_t admit_arrival(struct chk *c, uint32_t arrival) {
  struct chk_tiles *n = &c->tiles;
  struct chk_news *last = &n->news[arrival % CHK_NEWS];
  if (last->arrival != arrival) return n->admitted; /* admitted when the ring dropped it */
  uint32_t number = 0;
  for (uint32_t i = arrival > CHK_NEWS ? arrival - CHK_NEWS : 0; i < arrival; i++) {
    struct chk_news *e = &n->news[(i + 1) % CHK_NEWS];
    if (e != last && (!last->atomic || !e->atomic || e->address != last->address || e->arrival > arrival)) continue;
    if (!e->number) chk_admit(n, e);
    if (e->number > number) number = e->number;
  }
  return number;
}

/* The arrival that the end of the poll guarantees: that of the first value that ends it; 0: none, since a value that the core is
 * already ordered after, or that the word had before, ends it. */
static uint32_t guaranteed(const struct chk *c, unsigned core, uint32_t pc, const struct chk_word *w, uint32_t known) {
  uint32_t oldest = w->count > CHK_VALUES ? w->count - CHK_VALUES : 0;
  for (uint32_t i = oldest; i < w->count; i++) {
    uint32_t place = i % CHK_VALUES;
    if (has_read(&c->tiles, w->arrival[place], known)) continue;
    /* of values that the ring no longer holds one may have ended it */
    if (obs_poll_ends(c->t, core, pc, w->before[place])) return i == oldest && oldest ? w->arrival[place] : 0;
    if (obs_poll_ends(c->t, core, pc, w->value[place])) return w->arrival[place];
  }
  /* an increment of this tile itself ended it, or another kind of atomic */
  uint32_t last = w->count ? w->arrival[(w->count - 1) % CHK_VALUES] : 0;
  return last && !has_read(&c->tiles, last, known) ? last : 0;
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
  uint32_t arrival = tracked ? guaranteed(c, core, r->pc, w, v->at[CHK_NETWORK]) : 0;
  uint32_t bound = arrival ? admit_arrival(c, arrival) : tracked ? 0 : chk_admit_all(c);
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
