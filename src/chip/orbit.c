/* The orbits of orbit.h. */
#include "chip/orbit.h"

#include <stdlib.h>
#include <string.h>

#include "tensix/tile/tile.h"

#define MOVES_MAX 1024u
#define ANCHORS_MAX \
  2048u /* the search ends after this many, until a packet reaches the tile or a core does something else */
#define ANCHOR_CYCLES 4096u /* a load that has not executed for this long is not an anchor */
#define WORDS_MAX 8192u

/* --- the parts of the state --- */

enum kind { EXACT, TIME, COUNT, SKIP };

/* From `offset` up to the offset of the next part. */
struct part {
  size_t offset;
  enum kind kind;
};

#define OF(type, field, kind) \
  { offsetof(struct type, field), kind }

static const struct part of_engine[] = {OF(sim_engine, now, TIME),          OF(sim_engine, parked, EXACT),
                                        OF(sim_engine, watched, SKIP),      OF(sim_engine, signalled, EXACT),
                                        OF(sim_engine, signalled_at, TIME), OF(sim_engine, agent_count, EXACT),
                                        OF(sim_engine, agents, SKIP)};
static const struct part of_agent[] = {OF(sim_agent, at, TIME),         OF(sim_agent, channels, EXACT),
                                       OF(sim_agent, woken_at, TIME),   OF(sim_agent, park_period, EXACT),
                                       OF(sim_agent, wait, TIME),       OF(sim_agent, wait.kind, EXACT),
                                       {sizeof(struct sim_agent), SKIP}};
static const struct part of_core[] = {OF(tx_core, r, EXACT),
                                      OF(tx_core, clock, TIME),
                                      OF(tx_core, started_at, EXACT),
                                      OF(tx_core, retired, COUNT),
                                      OF(tx_core, passed_break, EXACT),
                                      OF(tx_core, ready, TIME),
                                      OF(tx_core, retire, SKIP), /* a ring */
                                      OF(tx_core, queue_count, EXACT),
                                      OF(tx_core, port_free, TIME),
                                      OF(tx_core, lsu_slot, SKIP), /* a ring */
                                      OF(tx_core, loads_ready, TIME),
                                      OF(tx_core, l1_under_way, EXACT),
                                      OF(tx_core, spin.at, TIME),
                                      OF(tx_core, spin.retired, COUNT),
                                      OF(tx_core, spin.period, EXACT),
                                      OF(tx_core, polls.since, TIME),
                                      OF(tx_core, polls.first, COUNT),
                                      OF(tx_core, one_by_one, EXACT),
                                      OF(tx_core, fetch.ready, TIME),
                                      OF(tx_core, fetch.fetched, EXACT),
                                      OF(tx_core, fetch.arrival, EXACT),
                                      OF(tx_core, fetch.tag, SKIP),
                                      OF(tx_core, fetch.recent, EXACT),
                                      OF(tx_core, fetch.words, SKIP),
                                      OF(tx_core, fetch.branch, EXACT),
                                      OF(tx_core, local, SKIP)};
static const struct part of_ports[] = {OF(tx_l1_ports, port_free, TIME), OF(tx_l1_ports, read_back, SKIP), /* rings */
                                       OF(tx_l1_ports, bank_last, EXACT), OF(tx_l1_ports, client, SKIP)};
static const struct part of_streams[] = {OF(tx_l1_ports, streams_until, EXACT), {sizeof(struct tx_l1_ports), SKIP}};
static const struct part of_client[] = {
    OF(tx_l1_client, granted, TIME), OF(tx_l1_client, bank, EXACT), {sizeof(struct tx_l1_client), SKIP}};
static const struct part of_diag[] = {OF(tx_diag, counts, EXACT), OF(tx_diag, findings, SKIP)};

/* A word that increases from round to round, by its offset in the tile. */
struct move {
  uint32_t offset;
  enum kind kind;
  uint64_t by;
};

_Static_assert(TX_CORES *(offsetof(struct tx_core, fetch.words) + offsetof(struct tx_core, local) -
                          offsetof(struct tx_core, fetch.branch) + sizeof(struct sim_agent)) +
                       sizeof(struct tx_l1_ports) + offsetof(struct tx_diag, findings) +
                       offsetof(struct sim_engine, agents) <=
                   WORDS_MAX * sizeof(uint64_t),
               "the state fits the reference");

/* Times in a ring, which rotates from round to round: `next` is the next entry. */
struct ring {
  size_t times, next;
  uint32_t places;
};

#define RINGS (2u * TX_CORES + TX_L1_PORTS)
#define PLACES_MAX 8u
_Static_assert(TX_CORE_RETIRE <= PLACES_MAX && TX_CORE_LOADS <= PLACES_MAX && TX_L1_READS <= PLACES_MAX, "places of a ring");

static struct ring ring_at(unsigned i) {
  if (i < TX_CORES)
    return (struct ring){offsetof(struct tx_tile, core[i].retire), offsetof(struct tx_tile, core[i].retire_next),
                         TX_CORE_RETIRE};
  if (i < 2 * TX_CORES) {
    i -= TX_CORES;
    return (struct ring){offsetof(struct tx_tile, core[i].lsu_slot), offsetof(struct tx_tile, core[i].lsu_next),
                         TX_CORE_LOADS};
  }
  i -= 2 * TX_CORES;
  return (struct ring){offsetof(struct tx_tile, l1_ports.read_back[i]), offsetof(struct tx_tile, l1_ports.read_next[i]),
                       TX_L1_READS};
}

/* How far a ring rotates per round, and which of its times change, counted from the next entry. */
struct turn {
  uint32_t by, moved;
};

enum stage { SEARCH, CONFIRM };

struct chip_orbit {
  enum stage stage;
  bool dormant, hopeless;
  uint32_t anchors, reference_at; /* anchors since the search began, and the number of the reference */
  sim_time at, period;            /* time of the reference; period of the orbit */
  uint64_t acts;
  sim_time anchor_since;
  uint32_t moved, move_count; /* hash and number of the words that the first round changed */
  struct move move[MOVES_MAX];
  uint64_t reference[WORDS_MAX];
  struct turn turn[RINGS];
  uint32_t ring_next[RINGS]; /* entry of the reference, and its times from the next entry on */
  sim_time ring_time[RINGS][PLACES_MAX];
};

/* --- a walk over the state: copies it, or compares it with the reference --- */

struct walk {
  struct chip_orbit *o;
  const struct tx_tile *t;
  sim_time round; /* cycles since the reference */
  uint32_t count; /* words so far */
  bool records, same;
};

static uint64_t word_at(const struct tx_tile *t, size_t offset) {
  uint64_t word;
  memcpy(&word, (const uint8_t *)t + offset, sizeof word);
  return word;
}

static uint32_t next_of(const struct tx_tile *t, const struct ring *r) {
  uint32_t next;
  memcpy(&next, (const uint8_t *)t + r->next, sizeof next);
  return next;
}

static void unroll(const struct tx_tile *t, const struct ring *r, sim_time times[PLACES_MAX]) {
  uint32_t next = next_of(t, r);
  for (uint32_t i = 0; i < r->places; i++) times[i] = word_at(t, r->times + (next + i) % r->places * sizeof(sim_time));
}

static void compare_ring(struct walk *w, unsigned index) {
  const struct ring r = ring_at(index);
  sim_time times[PLACES_MAX];
  struct turn *turn = &w->o->turn[index];
  unroll(w->t, &r, times);
  *turn = (struct turn){.by = (next_of(w->t, &r) + r.places - w->o->ring_next[index]) % r.places};
  for (uint32_t i = 0; i < r.places; i++) {
    sim_time by = times[i] - w->o->ring_time[index][i];
    if (by && by != w->round) w->same = false;
    if (by) turn->moved |= 1u << i;
  }
}

static void walk_rings(struct walk *w) {
  for (unsigned i = 0; i < RINGS && w->same; i++) {
    const struct ring r = ring_at(i);
    if (w->records) {
      w->o->ring_next[i] = next_of(w->t, &r);
      unroll(w->t, &r, w->o->ring_time[i]);
    } else {
      compare_ring(w, i);
    }
  }
}

static void compare_word(struct walk *w, size_t offset, enum kind kind) {
  uint64_t before = w->o->reference[w->count++], by = word_at(w->t, offset) - before;
  if (!by) return;
  w->same = kind == COUNT || (kind == TIME && by == w->round);
  if (!w->same || w->o->move_count == MOVES_MAX) {
    w->same = false;
    return;
  }
  w->o->move[w->o->move_count++] = (struct move){(uint32_t)offset, kind, by};
}

static void walk_part(struct walk *w, size_t from, size_t to, enum kind kind) {
  uint32_t words = (uint32_t)((to - from) / sizeof(uint64_t));
  uint64_t *reference = &w->o->reference[w->count];
  tx_assert(from % sizeof(uint64_t) == 0 && to % sizeof(uint64_t) == 0 && w->count + words <= WORDS_MAX);
  if (w->records) {
    memcpy(reference, (const uint8_t *)w->t + from, to - from);
    w->count += words;
  } else if (kind == EXACT) {
    w->same = memcmp(reference, (const uint8_t *)w->t + from, to - from) == 0;
    w->count += words;
  } else {
    for (; from < to && w->same; from += sizeof(uint64_t)) compare_word(w, from, kind);
  }
}

static void walk_parts(struct walk *w, size_t base, const struct part *parts, size_t count) {
  for (size_t i = 0; i + 1 < count && w->same; i++)
    if (parts[i].kind != SKIP) walk_part(w, base + parts[i].offset, base + parts[i + 1].offset, parts[i].kind);
}

#define WALK(w, base, parts) walk_parts(w, base, parts, sizeof parts / sizeof *(parts))

/* The core of the anchor comes first: it differs most often. */
static void walk_all(struct walk *w) {
  unsigned anchor = w->t->unsaved.cores.anchor_core;
  WALK(w, offsetof(struct tx_tile, core[anchor]), of_core);
  WALK(w, offsetof(struct tx_tile, engine), of_engine);
  for (unsigned i = 0; i < TX_CORES; i++) WALK(w, offsetof(struct tx_tile, engine.agents[TX_AGENT_TRISC0 + i]), of_agent);
  for (unsigned i = 0; i < TX_CORES; i++)
    if (i != anchor) WALK(w, offsetof(struct tx_tile, core[i]), of_core);
  walk_rings(w);
  WALK(w, offsetof(struct tx_tile, l1_ports), of_ports);
  WALK(w, offsetof(struct tx_tile, l1_ports), of_streams);
  for (unsigned i = 0; i < TX_L1_CLIENTS; i++) WALK(w, offsetof(struct tx_tile, l1_ports.client[i]), of_client);
  WALK(w, offsetof(struct tx_tile, diag), of_diag);
}

static void record(struct chip_orbit *o, const struct tx_tile *t) {
  struct walk w = {.o = o, .t = t, .records = true, .same = true};
  walk_all(&w);
  o->at = t->engine.now;
  o->reference_at = o->anchors;
}

/* A parked core that was not woken keeps the time of its last poll: its phase is equal only after whole iterations. */
static bool in_phase(const struct chip_orbit *o, const struct tx_tile *t, sim_time round) {
  for (unsigned i = 0; i < TX_CORES; i++) {
    const struct tx_core_spin *s = &t->core[i].spin;
    if (s->parked && s->at <= o->at && s->period && round % s->period) return false;
  }
  return true;
}

/* Fills `move`. */
static bool same_as_reference(struct chip_orbit *o, const struct tx_tile *t) {
  struct walk w = {.o = o, .t = t, .round = t->engine.now - o->at, .same = true};
  o->move_count = 0;
  walk_all(&w);
  return w.same && in_phase(o, t, w.round);
}

/* --- may it rest --- */

static bool only_loads(const struct tx_core *c) {
  return !c->queue_count && !c->waiting.kind && !c->l1_under_way && !c->refused && !c->one_by_one;
}

/* Returns a running core if only cores act and no observer needs their single steps; else TX_CORES. */
static unsigned runner(const struct tx_tile *t) {
  const struct tx_unsaved *u = &t->unsaved;
  unsigned found = TX_CORES;
  if (!t->timing || t->engine.effect_count || u->log.mask || u->what_if || u->ports->shadow || u->check || u->breaks.used ||
      u->breaks.stepping || u->breaks.at_ebreak || t->inflight.used)
    return TX_CORES;
  for (unsigned i = 0; i < TX_THREADS; i++)
    if (t->frontend[i].moving) return TX_CORES;
  for (unsigned i = 0; i < t->engine.agents_used; i++) {
    unsigned core = i - TX_AGENT_TRISC0;
    if (core < TX_CORES && !only_loads(&t->core[core])) return TX_CORES;
    if (t->engine.agents[i].at == SIM_NEVER) continue;
    if (core >= TX_CORES || t->unsaved.scripts[core]) return TX_CORES;
    found = core;
  }
  return found;
}

static void search_anew(struct chip_orbit *o, const struct tx_tile *t) {
  o->stage = SEARCH;
  o->anchors = o->reference_at = 0;
  o->hopeless = false;
  o->acts = t->unsaved.cores.acts;
}

static bool search_goes_on(struct chip_orbit *o, struct tx_tile *t) {
  if (o->acts == t->unsaved.cores.acts) return !o->hopeless;
  search_anew(o, t);
  t->unsaved.cores.anchor_pc = 0;
  return false; /* it was busy in the last window: try the next one */
}

/* The core's last load is the anchor. */
static void choose_anchor(struct chip_orbit *o, struct tx_tile *t, unsigned core) {
  struct tx_core_cache *u = &t->unsaved.cores;
  const struct tx_core_spin *s = &t->core[core].spin;
  if (u->anchor_pc && t->engine.now - o->anchor_since < ANCHOR_CYCLES) return;
  search_anew(o, t);
  u->anchor_pc = s->seen ? s->pc + 1 : 0;
  u->anchor_core = core;
  o->anchor_since = t->engine.now;
}

/* --- an anchor --- */

static uint32_t sum_of_moves(const struct chip_orbit *o) {
  uint32_t sum = o->move_count;
  for (uint32_t i = 0; i < o->move_count; i++) sum = sum * 31u + o->move[i].offset;
  for (uint32_t i = 0; i < RINGS; i++) sum = sum * 31u + o->turn[i].by * 32u + o->turn[i].moved;
  return sum;
}

/* true: the state repeats, so the tile is in an orbit. */
static bool look(struct chip_orbit *o, struct tx_tile *t) {
  o->anchors++;
  o->anchor_since = t->engine.now;
  if (o->acts != t->unsaved.cores.acts || runner(t) == TX_CORES) {
    search_anew(o, t);
    return false;
  }
  bool same = o->anchors > 1 && same_as_reference(o, t);
  sim_time round = t->engine.now - o->at;
  if (o->stage == CONFIRM && round < o->period) return false;
  if (o->stage == CONFIRM) {
    if (same && round == o->period && sum_of_moves(o) == o->moved) return true;
    search_anew(o, t);
    return false;
  }
  if (same) {
    o->stage = CONFIRM;
    o->period = round;
    o->moved = sum_of_moves(o);
    record(o, t);
    return false;
  }
  if ((o->anchors & (o->anchors - 1)) == 0) record(o, t);
  o->hopeless = o->anchors >= ANCHORS_MAX;
  return false;
}

/* --- from outside --- */

/* The arrays are written before they are read: their pages are not touched before. */
struct chip_orbit *chip_orbit_create(void) {
  struct chip_orbit *o = malloc(sizeof *o);
  if (o) memset(o, 0, offsetof(struct chip_orbit, move));
  return o;
}
void chip_orbit_destroy(struct chip_orbit *o) { free(o); }
bool chip_orbit_dormant(const struct chip_orbit *o) { return o && o->dormant; }

void chip_orbit_forget(struct chip_orbit *o) {
  if (!o) return;
  o->stage = SEARCH;
  o->anchors = o->reference_at = 0;
  o->hopeless = false;
}

void chip_orbit_reset(struct chip_orbit *o) {
  chip_orbit_forget(o);
  if (o) o->dormant = false;
}

static bool is_paused(const struct tx_tile *t, enum sim_end end) {
  return end == SIM_END_STOPPED && !t->fault.kind && sim_paused_only(&t->engine);
}

enum sim_end chip_orbit_run(struct chip_orbit *o, struct tx_tile *t, bool may_rest, sim_time until, sim_time ahead) {
  enum sim_end end;
  unsigned core = o && may_rest && search_goes_on(o, t) ? runner(t) : TX_CORES;
  if (core == TX_CORES) return tx_tile_run_window(t, until, ahead);
  choose_anchor(o, t, core);
  t->unsaved.cores.anchor_on = TX_ANCHOR_LOAD;
  while (is_paused(t, end = tx_tile_run_window(t, until, ahead))) {
    o->dormant = look(o, t);
    t->engine.stop = 0;
    if (o->dormant) end = SIM_END_BLOCKED;
    else if (t->engine.now < until) continue;
    else end = SIM_END_TIME;
    break;
  }
  t->unsaved.cores.anchor_on = TX_ANCHOR_NONE;
  return end;
}

static void turn_ring(const struct chip_orbit *o, struct tx_tile *t, unsigned index, uint64_t rounds) {
  const struct ring r = ring_at(index);
  const struct turn *turn = &o->turn[index];
  sim_time times[PLACES_MAX];
  unroll(t, &r, times);
  uint32_t next = (uint32_t)((next_of(t, &r) + rounds % r.places * turn->by) % r.places);
  for (uint32_t i = 0; i < r.places; i++) {
    sim_time at = times[i] + (turn->moved >> i & 1u ? rounds * o->period : 0);
    memcpy((uint8_t *)t + r.times + (next + i) % r.places * sizeof at, &at, sizeof at);
  }
  memcpy((uint8_t *)t + r.next, &next, sizeof next);
}

static void skip(const struct chip_orbit *o, struct tx_tile *t, uint64_t rounds) {
  for (uint32_t i = 0; i < o->move_count; i++) {
    uint64_t word = word_at(t, o->move[i].offset) + rounds * o->move[i].by;
    memcpy((uint8_t *)t + o->move[i].offset, &word, sizeof word);
  }
  for (unsigned i = 0; i < RINGS; i++) turn_ring(o, t, i, rounds);
}

/* Skips the completed rounds and executes the rest of the last one. */
void chip_orbit_wake(struct chip_orbit *o, struct tx_tile *t, sim_time now) {
  if (!o || !o->dormant) return;
  o->dormant = false;
  uint64_t rounds = now > t->engine.now ? (now - t->engine.now) / o->period : 0;
  if (rounds) skip(o, t, rounds);
  chip_orbit_forget(o);
  if (now > t->engine.now) tx_tile_run_window(t, now, now);
}
