/* The state of other tiles of the chip that a tile is ordered after (peers.h). */
#include "check/peers.h"

#include <stddef.h>

#include "check/polls.h"
#include "observe/hang/poll.h"
#include "tensix/mem/l1.h"

static unsigned tile_of(const struct chk_mark *m) { return m->word & 0xffffu; }

static unsigned core_of(const struct chk_mark *m) { return m->word >> 16 & 7u; }

static bool is_read(const struct chk_mark *m) { return m->word >> 19 & 1u; }

static bool is_atomic(const struct chk_mark *m) {
  return m->word >> 21 & 1u;
} /* `issued` is then the number of its arrival */

static unsigned channel_of(const struct chk_mark *m) { return m->word >> 23 & 31u; }

static bool is_posted(const struct chk_mark *m) { return m->word >> 28 & 1u; }

static bool is_short(const struct chk_mark *m) { return m->word >> 20 & 1u; }

/* The state of the tile at arrival `bound`; NULL: none. `*lost`: the ring no longer holds it. */
static const struct chk_heard *heard_by(const struct chk_peer *peer, uint32_t bound, bool *lost) {
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

/* The first posted write of a core that has perhaps not arrived. */
static uint32_t first_loose(const struct chk_tiles *n, unsigned core) {
  uint32_t first = 0;
  for (unsigned i = 0; i < CHK_CHANNELS; i++) {
    uint32_t clock = n->posted[core][i].first;
    if (clock && (!first || clock < first)) first = clock;
  }
  return first;
}

/* Where a ring no longer holds what was known at the request, its oldest entry counts as known. */
void chk_add_heard(const struct chk_tiles *n, struct chk_request *q) {
  q->full = n->peers == CHK_PEERS;
  for (unsigned i = 0; i < TX_CORES; i++) q->loose[i] = first_loose(n, i);
  for (unsigned i = 0; i < CHK_PEERS; i++) {
    bool lost = false;
    const struct chk_peer *peer = &n->peer[i];
    const struct chk_heard *h = i < n->peers ? heard_by(peer, q->vector.at[CHK_NETWORK], &lost) : NULL;
    if (lost) h = &peer->ring[peer->count % CHK_HEARD];
    if (h) q->of[i] = *h;
    else q->of[i] = (struct chk_heard){0};
  }
}

static uint32_t loose_of(const struct chk_heard *h, unsigned core) { return h->loose[core] ? h->loose[core] : UINT32_MAX; }

/* Has the write with this clock, of a core of the tile, to `dest` arrived? */
bool chk_has_arrived(const struct chk_heard *h, const struct chk_wrote *w) {
  if (h->far[w->core] >= w->clock && (!w->posted || w->clock < loose_of(h, w->core))) return true;
  for (unsigned i = 0; i < CHK_FLAGS; i++) {
    const struct chk_behind_flag *f = &h->flag[i];
    if (!f->clock || f->core != w->core || f->dest != w->dest || f->channel != w->channel) continue;
    return f->channel ? f->clock >= w->clock : f->clock == w->clock;
  }
  return false;
}

/* The same of a mark at this tile, and of reads: have they ended? */
static bool has_ended(const struct chk_tiles *n, const struct chk_heard *h, const struct chk_mark *m) {
  if (is_read(m)) return h->in[core_of(m)] >= m->issued;
  struct chk_wrote w = {m->issued, n->tile, core_of(m), channel_of(m), is_posted(m)};
  return chk_has_arrived(h, &w);
}

/* Is the request of `m` ordered before the request that acts now, where other tiles have sent both? Short requests are
 * flags: they count as ordered, so the mark of the last one is kept. */
static bool requests_in_order(const struct chk_tiles *n, const struct chk_mark *m) {
  const struct chk_request *s = n->acting;
  if (!s || tile_of(m) == tile_of(&s->mark) || is_short(m) || is_short(&s->mark)) return true;
  const struct chk_heard *h = chk_heard_of(s, tile_of(m));
  return h ? has_ended(n, h, m) : s->full;
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
  if (is_atomic(m) && tile_of(m) == n->tile) return clocks->of[entity].at[CHK_CORE + core_of(m)] >= m->issued;
  if (is_atomic(m)) return has_read(n, m->issued, clocks->of[entity].at[CHK_NETWORK]);
  for (unsigned i = 0; i < n->peers; i++) {
    if (n->peer[i].tile != tile_of(m)) continue;
    const struct chk_heard *h = heard_by(&n->peer[i], clocks->of[entity].at[CHK_NETWORK], &lost);
    if (!h) return lost;
    return has_ended(n, h, m);
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

/* Does a record of the tile up to `base_number` and `base_part` have all that `h` has? */
static bool is_in(const struct chk_heard *h, uint32_t base_number, uint32_t base_part) {
  if (h->number != base_number) return h->number < base_number && !base_part;
  return !base_part || (h->part && !(h->part & ~base_part));
}

/* The number of the tile's newest record, and of an answer to a poll the causes: a part of the newest record is precise only if the older
 * ones are in what its poll was sent with. */
static void join_number(struct chk_heard *now, const struct chk_heard *last, const struct chk_request *s) {
  if (!last->number) return;
  if (now->number == last->number) {
    now->part = now->part && last->part ? now->part | last->part : 0;
  } else if (now->number > last->number) {
    if (now->part && !(s && is_in(last, s->base_number, s->base_part))) now->part = 0;
  } else {
    now->part = 0;
    now->number = last->number;
  }
}

/* A flag that has come behind writes. Without room the oldest one counts for all channels and tiles. */
static void add_flag(struct chk_heard *h, const struct chk_behind_flag *flag) {
  struct chk_behind_flag *place = NULL;
  for (unsigned i = 0; i < CHK_FLAGS; i++) {
    struct chk_behind_flag *f = &h->flag[i];
    if (f->clock && f->core == flag->core && f->dest == flag->dest && f->channel == flag->channel) {
      if (f->clock < flag->clock) f->clock = flag->clock;
      return;
    }
    if (!f->clock && !place) place = f;
  }
  if (!place) {
    place = &h->flag[0];
    for (unsigned i = 1; i < CHK_FLAGS; i++)
      if (h->flag[i].clock < place->clock) place = &h->flag[i];
    if (h->far[place->core] < place->clock) h->far[place->core] = place->clock;
  }
  *place = *flag;
}

static void join_far(struct chk_heard *now, const struct chk_heard *last, unsigned core) {
  uint32_t a = loose_of(now, core), b = loose_of(last, core);
  if (last->far[core] > now->far[core]) {
    now->far[core] = last->far[core];
    now->loose[core] = last->loose[core];
  } else if (last->far[core] == now->far[core]) {
    now->loose[core] = a > b ? now->loose[core] : last->loose[core];
  }
}

/* `s`: the record of the tile that is heard; NULL: it comes with a record of another tile. */
static void hear(struct chk_peer *peer, uint32_t arrival, const struct chk_heard *news, const struct chk_request *s) {
  struct chk_heard now = *news;
  const struct chk_heard *last = &peer->ring[(peer->count - 1) % CHK_HEARD];
  for (unsigned core = 0; peer->count && core < TX_CORES; core++) {
    join_far(&now, last, core);
    if (last->in[core] > now.in[core]) now.in[core] = last->in[core];
  }
  for (unsigned i = 0; peer->count && i < CHK_FLAGS; i++)
    if (last->flag[i].clock) add_flag(&now, &last->flag[i]);
  if (peer->count) join_number(&now, last, s);
  now.arrival = arrival;
  now.tile = peer->tile;
  bool same = peer->count && last->arrival == arrival;
  peer->ring[(same ? peer->count - 1 : peer->count++) % CHK_HEARD] = now;
}

/* Takes over what the sender of an arrival knew: the arrival gets a number. */
static void admit(struct chk_tiles *n, struct chk_news *e) {
  const struct chk_request *s = &e->sent;
  struct chk_peer *peer = peer_of(n, e->tile);
  struct chk_heard news = {.number = s->number, .part = s->part};
  for (unsigned core = 0; core < TX_CORES; core++) {
    news.far[core] = s->vector.at[CHK_NOC_FAR + core];
    news.in[core] = s->vector.at[CHK_NOC_IN + core];
    news.loose[core] = s->loose[core];
  }
  struct chk_behind_flag flag = {e->written || !s->channel ? s->clock : s->clock - 1, (uint16_t)e->dest, (uint8_t)s->core,
                                 s->channel};
  if (e->wrote && (e->written || s->channel)) add_flag(&news, &flag);
  e->number = ++n->admitted;
  if (peer) hear(peer, e->number, &news, s);
  for (unsigned i = 0; i < CHK_PEERS; i++) { /* and the sender's state of other tiles */
    if (!s->of[i].number || s->of[i].tile == n->tile || s->of[i].tile == e->tile) continue;
    peer = peer_of(n, s->of[i].tile);
    if (peer) hear(peer, e->number, &s->of[i], NULL);
  }
}

struct chk_news *chk_note_news(struct chk_tiles *n, unsigned tile, const struct chk_request *s) {
  struct chk_news *e = &n->news[++n->arrivals % CHK_NEWS];
  if (e->arrival && e->tile == n->tile) chk_add(&n->dropped, &e->sent.vector);
  else if (e->arrival && !e->number) admit(n, e);
  *e = (struct chk_news){.arrival = n->arrivals, .tile = tile, .address = UINT32_MAX, .dest = n->tile, .sent = *s};
  return e;
}

void chk_tiles_answer(struct chk *c, const struct chk_told *told, unsigned entity) {
  struct chk_news *e = chk_note_news(&c->tiles, told->tile, told->sent);
  e->wrote = told->wrote;
  e->written = told->written;
  e->dest = told->dest;
  admit(&c->tiles, e);
  c->clocks.of[entity].at[CHK_NETWORK] = e->number;
  c->clocks.version[entity]++;
}

/* Has the entity read this arrival of the tile itself? */
static bool has_joined(const struct chk *c, unsigned entity, const struct chk_news *e) {
  const struct chk_vector *v = &c->clocks.of[entity];
  unsigned core = e->sent.core;
  return v->at[CHK_CORE + core] >= e->sent.vector.at[CHK_CORE + core] &&
         (!e->written || v->at[CHK_NOC_FAR + core] >= e->sent.clock);
}

/* The entity reads an arrival; returns its number. */
static uint32_t take(struct chk *c, unsigned entity, struct chk_news *e) {
  if (e->tile != c->tiles.tile) {
    if (!e->number) admit(&c->tiles, e);
    return e->number;
  }
  if (has_joined(c, entity, e)) return 0;
  chk_join_vector(&c->clocks, entity, &e->sent.vector);
  uint32_t *far = &c->clocks.of[entity].at[CHK_NOC_FAR + e->sent.core];
  if (e->sent.behind && *far < e->sent.clock - 1) *far = e->sent.clock - 1;
  if (e->written && *far < e->sent.clock) *far = e->sent.clock;
  return 0;
}

uint32_t chk_admit_all(struct chk *c) {
  struct chk_tiles *n = &c->tiles;
  for (uint32_t i = n->arrivals > CHK_NEWS ? n->arrivals - CHK_NEWS : 0; i < n->arrivals; i++) {
    struct chk_news *e = &n->news[(i + 1) % CHK_NEWS];
    if (!e->number && e->tile != n->tile) admit(n, e);
  }
  return n->admitted;
}

void chk_read_all(struct chk *c, unsigned entity) {
  struct chk_tiles *n = &c->tiles;
  for (uint32_t i = n->arrivals > CHK_NEWS ? n->arrivals - CHK_NEWS : 0; i < n->arrivals; i++)
    (void)take(c, entity, &n->news[(i + 1) % CHK_NEWS]);
  chk_join_vector(&c->clocks, entity, &n->dropped);
  c->clocks.of[entity].at[CHK_NETWORK] = n->admitted;
}

void chk_told_at(struct chk *c, struct chk_vector *v, uint32_t address) {
  struct chk_tiles *n = &c->tiles;
  for (uint32_t i = n->arrivals > CHK_NEWS ? n->arrivals - CHK_NEWS : 0; i < n->arrivals; i++) {
    struct chk_news *e = &n->news[(i + 1) % CHK_NEWS];
    if (e->address != address) continue;
    if (e->tile == n->tile) chk_add(v, &e->sent.vector);
    else if (!e->number) admit(n, e);
    if (e->number > v->at[CHK_NETWORK]) v->at[CHK_NETWORK] = e->number;
  }
}

/* --- flags in DRAM --- */

static struct chk_behind *behind_of(struct chk *c, unsigned tile, unsigned core, unsigned controller) {
  return &c->tiles.behind[(tile * 7u + core * 3u + controller) % CHK_BEHIND];
}

void chk_note_behind(struct chk *c, unsigned tile, const struct chk_request *s, unsigned controller) {
  if (s->channel)
    *behind_of(c, tile, s->core, controller) = (struct chk_behind){tile, s->core, controller, s->channel, s->clock};
}

bool chk_is_behind(struct chk *c, unsigned tile, const struct chk_wrote *w) {
  const struct chk_behind *b = behind_of(c, tile, w->core, w->dest);
  return b->tile == tile && b->core == w->core && b->controller == w->dest && b->channel == w->channel &&
         b->clock >= w->clock;
}

/* --- the word that a core looks at --- */

/* A load of a word that other tiles have written, and the way that the core goes with its value. */
struct look {
  struct chk *c;
  const struct tx_range *r;
  const struct chk_word *w;
  unsigned core;
  uint32_t known, oldest; /* the newest arrival that the core has read; the oldest entry of the ring */
  uint32_t now;
  bool joint; /* cores of this tile add to it too */
  struct obs_way way;
};

static uint32_t loaded(const struct look *l, uint32_t word) {
  uint32_t mask = l->r->width == 4 ? UINT32_MAX : (1u << 8 * l->r->width) - 1u;
  return word >> 8 * (l->r->base % 4) & mask;
}

static struct obs_way way_with(const struct look *l, uint32_t word) {
  return obs_poll_way(l->c->t, l->core, l->r->pc, loaded(l, word));
}

static struct obs_use use_of(const struct look *l, uint32_t word) {
  return obs_poll_follow(l->c->t, l->core, l->r->pc, loaded(l, word));
}

/* Does the core go the same way if the word has this value? After the end of a poll it may use the value again: one word may carry the
 * flags of several senders. */
static bool goes(const struct look *l, uint32_t word) {
  struct obs_way way = way_with(l, word);
  if (way.ends != l->way.ends || way.path != l->way.path) return false;
  if (!way.ends || word == l->now) return true;
  struct obs_use now = use_of(l, l->now), with = use_of(l, word);
  return obs_same_use(&now, &with);
}

static struct chk_news *news_of(const struct look *l, uint32_t i) {
  uint32_t arrival = l->w->arrival[i % CHK_VALUES];
  struct chk_news *e = &l->c->tiles.news[arrival % CHK_NEWS];
  return e->arrival == arrival ? e : NULL;
}

/* Was another tile's request sent after it had heard of this tile's core, later than an arrival of that core at its own tile? */
static bool follows_own(const struct chk_tiles *n, const struct chk_request *s, const struct chk_request *before) {
  const struct chk_heard *h = chk_heard_of(s, n->tile);
  const struct chk_request *own = h ? &n->sent[h->number % CHK_SENT] : NULL;
  if (!h || own->number != h->number) return h || s->full;
  return own->before.at[CHK_CORE + before->core] > before->vector.at[CHK_CORE + before->core];
}

/* Was the later arrival sent after the earlier one in every schedule? */
static bool follows(const struct look *l, const struct chk_news *later, const struct chk_news *earlier) {
  if (!later || !earlier) return false;
  const struct chk_request *s = &later->sent, *before = &earlier->sent;
  if (later->tile != earlier->tile && earlier->tile == l->c->tiles.tile) return follows_own(&l->c->tiles, s, before);
  if (later->tile != earlier->tile) {
    const struct chk_heard *h = chk_heard_of(s, earlier->tile);
    return h ? h->number >= before->number : s->full;
  }
  if (s->core == before->core) return later->arrival > earlier->arrival;
  return s->vector.at[CHK_CORE + before->core] > before->vector.at[CHK_CORE + before->core];
}

/* The word without an arrival and all that follow it. A core of this tile may have stored between two arrivals. */
static uint32_t word_without(const struct look *l, uint32_t left_out, uint32_t now) {
  const struct chk_word *w = l->w;
  const struct chk_news *first = left_out < w->count ? news_of(l, left_out) : NULL;
  uint32_t word = w->before[l->oldest % CHK_VALUES], last = word;
  for (uint32_t i = l->oldest; i < w->count; i++) {
    uint32_t at = i % CHK_VALUES;
    if (w->before[at] != last) word = l->joint ? word + (w->before[at] - last) : w->before[at];
    last = w->value[at];
    if (i == left_out || (first && i != left_out && follows(l, news_of(l, i), first))) continue;
    word = w->mask[at] ? (word & ~w->mask[at]) | (w->value[at] & w->mask[at]) : word + (w->value[at] - w->before[at]);
  }
  return now == last ? word : l->joint ? word + (now - last) : now;
}

static bool is_known(const struct look *l, uint32_t i) {
  const struct chk_news *e = news_of(l, i);
  if (e && e->tile == l->c->tiles.tile) return has_joined(l->c, CHK_CORE + l->core, e);
  return has_read(&l->c->tiles, l->w->arrival[i % CHK_VALUES], l->known);
}

/* Admits the arrivals at the word up to `last`; returns the newest number. */
static uint32_t admit_word(const struct look *l, uint32_t last) {
  struct chk_tiles *n = &l->c->tiles;
  uint32_t number = 0;
  for (uint32_t i = n->arrivals > CHK_NEWS ? n->arrivals - CHK_NEWS : 0; i < n->arrivals; i++) {
    struct chk_news *e = &n->news[(i + 1) % CHK_NEWS];
    if (e->address != (l->r->base & ~3u) || e->arrival > last) continue;
    uint32_t admitted = take(l->c, CHK_CORE + l->core, e);
    if (admitted > number) number = admitted;
  }
  return number;
}

/* Admits the arrivals without which the core would have gone another way; returns the newest number of them. Where the ring does not
 * explain the word, all that have arrived there. */
static uint32_t admit_needed(struct look *l) {
  const struct chk_word *w = l->w;
  uint32_t now = l->now, number = 0, lost = w->arrival[l->oldest % CHK_VALUES];
  bool taken = false;
  bool undecided = !l->way.ends && l->way.others; /* the words that it has still to load may end it */
  if (!w->count || undecided || !goes(l, word_without(l, UINT32_MAX, now)) ||
      (now != w->value[(w->count - 1) % CHK_VALUES] && !l->joint))
    return admit_word(l, UINT32_MAX);
  for (uint32_t i = l->oldest; i < w->count; i++) {
    if (is_known(l, i) || goes(l, word_without(l, i, now))) continue;
    uint32_t admitted = take(l->c, CHK_CORE + l->core, news_of(l, i));
    taken = true;
    if (admitted > number) number = admitted;
  }
  /* of values that the ring no longer holds one may have ended it */
  if (!taken && l->oldest && !is_known(l, l->oldest)) return admit_word(l, lost);
  return number;
}

/* Orders a core that loads a word after the arrivals that the value guarantees. */
void chk_tiles_acquire(struct chk *c, unsigned core, const struct tx_range *r) {
  const struct chk_word *w = &c->tiles.word[r->base / 4 % CHK_WORDS];
  struct chk_vector *v = &c->clocks.of[CHK_CORE + core];
  uint32_t now = tx_l1_read(c->t, r->base & ~3u, 4);
  bool poll = chk_in_a_poll(c, core, r->pc, tx_l1_read(c->t, r->base, r->width));
  if (!poll && obs_poll_may_loop(c->t, core, r->pc)) return; /* a wait that any value ends guarantees nothing */
  struct look l = {
      c,  r, w, core, v->at[CHK_NETWORK], w->count > CHK_VALUES ? w->count - CHK_VALUES : 0, now, chk_is_joint(c, r->base),
      {0}};
  l.way = way_with(&l, now);
  if (w->address != (r->base & ~3u)) {
    chk_read_all(c, CHK_CORE + core);
    return;
  }
  /* a single load without a loop or a branch guarantees the value it reads */
  bool decides = poll || l.way.path;
  uint32_t bound = decides ? admit_needed(&l) : admit_word(&l, UINT32_MAX);
  if (v->at[CHK_NETWORK] >= bound) return;
  v->at[CHK_NETWORK] = bound;
  c->clocks.version[CHK_CORE + core]++;
}

bool chk_tiles_look(struct chk *c, unsigned core, const struct tx_range *r) {
  const struct chk_word *w = &c->tiles.word[r->base / 4 % CHK_WORDS];
  if (w->address != (r->base & ~3u) || !w->count || obs_poll_may_loop(c->t, core, r->pc)) return false;
  struct look l = {c,
                   r,
                   w,
                   core,
                   c->clocks.of[CHK_CORE + core].at[CHK_NETWORK],
                   w->count > CHK_VALUES ? w->count - CHK_VALUES : 0,
                   tx_l1_read(c->t, w->address, 4),
                   chk_is_joint(c, r->base),
                   {0}};
  if (is_known(&l, w->count - 1) || !use_of(&l, l.now).path) return false;
  chk_tiles_acquire(c, core, r);
  return true;
}

/* The side of a finding that lies on another tile. */
struct tx_side chk_side_of(const struct chk *c, const struct chk_mark *m) {
  bool own = tile_of(m) == c->tiles.tile; /* a core that sends to its own tile */
  if (m->entity != CHK_NETWORK) return (struct tx_side){.cycle = m->cycle, .pc = m->pc, .word = m->word, .agent = m->agent};
  return (struct tx_side){
      .cycle = m->cycle, .pc = m->pc, .agent = (uint16_t)(TX_AGENT_TRISC0 + core_of(m)), .tile = own ? 0 : 1u + tile_of(m)};
}
