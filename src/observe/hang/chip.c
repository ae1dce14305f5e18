/* Finding the hang of hang/chip.h: the waits of all tiles, the tile that each waits for, the chain. Texts are in hang/chip_text.c. */
#include "observe/hang/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/receivers.h"
#include "observe/hang/chip_internal.h"
#include "observe/hang/hang.h"
#include "observe/hang/hang_internal.h"
#include "observe/hang/reach.h"
#include "observe/hang/roles.h"
#include "observe/hang/sends.h"
#include "observe/report/chip.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

/* --- the waits of a tile --- */

/* The core of another tile that wrote the word last, found in that tile's program. */
static void name_writer(const struct finder *f, struct obs_actor *last) {
  if (!last->known || !last->tile || last->tile > CHIP_TILES) return;
  unsigned tile = last->tile - 1;
  const struct chip_slot *slot = &chip_grid(f->chip)->slot[tile];
  snprintf(last->name, sizeof last->name, "%s of Tensix (%u,%u)", obs_agent_name(last->agent), slot->logical & 63u,
           slot->logical >> 6 & 63u);
  if (f->programs) dbg_program_source(f->programs(f->context, tile), obs_core_of_agent(last->agent), last->pc, &last->place);
}

/* The cores of an Ethernet tile have the places of BRISC and NCRISC, and names of their own. */
static void name_core(const struct chip_slot *slot, uint16_t agent, char name[32]) {
  if (slot->kind == CHIP_ETHERNET && agent >= TX_AGENT_TRISC0)
    snprintf(name, 32, "ERISC%u", agent == TX_AGENT_TRISC0 + TX_CORE_NCRISC ? 1u : 0u);
}

static void gather(struct finder *f, unsigned tile) {
  struct obs_chip_hang *h = f->hang;
  const struct tx_tile *t = obs_chip_hang_cores(f, tile);
  f->first[tile] = h->waiter_count;
  if (!t) return;
  obs_hang_find_part(t, f->programs ? f->programs(f->context, tile) : NULL, f->one);
  for (uint32_t i = 0; i < f->one->party_count; i++)
    f->parties[tile] = (uint8_t)(f->parties[tile] | 1u << f->one->parties[i].state);
  const struct chip_slot *slot = &chip_grid(f->chip)->slot[tile];
  for (uint32_t i = 0; i < f->one->party_count; i++) name_core(slot, f->one->parties[i].agent, f->one->parties[i].name);
  for (uint32_t i = 0; i < f->one->party_count; i++)
    if (f->one->parties[i].state != OBS_PARTY_HELD)
      h->parties[h->party_count++] = (struct obs_chip_party){tile, f->one->parties[i]};
  for (uint32_t i = 0; i < f->one->party_count; i++)
    if (f->one->parties[i].state == OBS_PARTY_RETURNED)
      h->returned[tile] = (uint8_t)(h->returned[tile] | 1u << obs_core_of_agent(f->one->parties[i].agent));
  for (uint32_t i = 0; i < f->one->waiter_count && h->waiter_count < OBS_CHIP_WAITERS_MAX; i++) {
    struct obs_chip_waiter *w = &h->waiters[h->waiter_count++];
    *w = (struct obs_chip_waiter){.tile = tile, .wait = f->one->waiters[i], .other = CHIP_NO_TILE};
    w->wait.tile = (uint32_t)(slot->logical >> 6) << 16 | (slot->logical & 63u);
    if (w->wait.waits_for >= 0) w->wait.waits_for += (int32_t)f->first[tile];
    name_core(slot, w->wait.agent, w->wait.name);
    name_writer(f, &w->wait.last);
    for (uint32_t k = 0; k < w->wait.word_count; k++) name_writer(f, &w->wait.words[k].last);
  }
  bool ran = f->one->waiter_count || (f->parties[tile] & ~(1u << OBS_PARTY_HELD));
  if (ran && f->one->cycle > h->cycle) h->cycle = f->one->cycle;
  h->tiles += f->one->waiter_count != 0;
  h->ran += ran;
}

/* Its kernels have not ended, so it may still send packets. */
static bool is_live(const struct finder *f, unsigned tile) {
  return f->first[tile] < obs_chip_hang_behind(f, tile) || (f->parties[tile] & 1u << OBS_PARTY_RUNNING);
}

/* The wait that blocks a tile: one that no agent inside it can end, else its first. -1: it does not wait. */
static int32_t wait_of(const struct finder *f, unsigned tile) {
  for (uint32_t i = f->first[tile]; i < obs_chip_hang_behind(f, tile); i++)
    if (f->hang->waiters[i].wait.waits_for < 0 || f->hang->waiters[f->hang->waiters[i].wait.waits_for].tile != tile)
      return (int32_t)i;
  return f->first[tile] < obs_chip_hang_behind(f, tile) ? (int32_t)f->first[tile] : -1;
}

static void link_to(struct finder *f, struct obs_chip_waiter *w, unsigned other) {
  w->other = other;
  w->wait.waits_for = wait_of(f, other);
}

/* --- requests that are never answered --- */

/* The last such request of the tile: on this NoC, or with `address` as destination of its data. */
static const struct noc_packet *lost_of(const struct finder *f, unsigned tile, unsigned noc, uint32_t address) {
  const struct noc_packet *found = NULL;
  for (unsigned i = 0; i < chip_lost_count(f->chip); i++) {
    const struct noc_packet *p = chip_lost(f->chip, i);
    uint32_t bytes = p->kind == NOC_READ ? p->length : p->kind == NOC_ATOMIC ? 4 : 0;
    bool matches = noc < NOC_NOCS ? p->noc == noc : address - p->answer_address < bytes;
    if (p->tile == tile && matches && (!found || p->arrives > found->arrives)) found = p;
  }
  return found;
}

static bool link_to_lost(struct finder *f, struct obs_chip_waiter *w, unsigned noc) {
  const struct noc_packet *lost = lost_of(f, w->tile, noc, w->wait.resource.address);
  if (!lost) return false;
  link_to(f, w, chip_tile_of_raw(lost->noc, lost->target.x, lost->target.y));
  obs_lost_words(f, w, lost);
  return true;
}

/* --- packets that wait for a linked transaction --- */

static bool writes_word(const struct finder *f, const struct noc_packet *p, const struct obs_chip_waiter *w) {
  uint16_t tiles[CHIP_TILES];
  if (p->kind == NOC_READ || w->wait.resource.address - p->address >= p->length) return false;
  if (!(p->ctrl & NOC_CTRL_BROADCAST)) return chip_tile_of_raw(p->noc, p->target.x, p->target.y) == w->tile;
  unsigned count = obs_receivers_of(f, p, tiles);
  for (unsigned i = 0; i < count; i++)
    if (tiles[i] == w->tile) return true;
  return false;
}

/* Such a packet of the tile's own on this NoC, or one that writes the word. */
static bool link_to_held(struct finder *f, struct obs_chip_waiter *w, unsigned noc) {
  struct chip_waiting held;
  for (unsigned i = 0; chip_waiting(f->chip, i, &held); i++) {
    const struct noc_packet *p = held.packet;
    if (noc < NOC_NOCS ? p->tile != w->tile || p->noc != noc : !writes_word(f, p, w)) continue;
    link_to(f, w, held.owner);
    obs_held_words(f, w, &held);
    return true;
  }
  return false;
}

/* --- a word that other tiles write --- */

static bool is_niu(uint32_t address) { return address - TX_ADDR_NOC < TX_NOC_WINDOWS_BYTES; }

static const struct noc_packet *last_broadcast(const struct finder *f, unsigned tile) {
  const struct chip_trail *trail = &chip_endpoint_peek(f->chip, tile)->trail;
  const struct noc_packet *a = &trail->broadcast[0], *b = &trail->broadcast[1];
  const struct noc_packet *last = a->departs >= b->departs ? a : b;
  return last->departs ? last : NULL;
}

/* Some receivers of its last broadcast have written the word since; others have not. */
static bool link_to_receiver(struct finder *f, struct obs_chip_waiter *w) {
  const struct noc_packet *p = last_broadcast(f, w->tile);
  const struct chip_trail *trail = &chip_endpoint_peek(f->chip, w->tile)->trail;
  uint16_t tiles[CHIP_TILES], missing[CHIP_TILES];
  unsigned count = p ? obs_receivers_of(f, p, tiles) : 0, absent = 0;
  for (unsigned i = 0; i < count; i++)
    if (tiles[i] != w->tile && chip_trail_find(trail, w->wait.resource.address, tiles[i]) < p->departs)
      missing[absent++] = tiles[i];
  if (!absent || absent == count) return false;
  link_to(f, w, missing[0]);
  obs_receiver_words(f, w, p, count, missing, absent);
  return true;
}

static bool comes_to(const struct finder *f, const struct obs_chip_waiter *w, uint32_t pc) {
  struct obs_reach reach;
  obs_reach_from(&reach, f->programs ? f->programs(f->context, w->tile) : NULL, w->wait.core, w->wait.place.pc);
  return obs_reaches(&reach, pc);
}

#define ASKED_MAX 256u /* futures of cores for waits on the way of others */

/* A further wait of a core on its way, for this word of its tile: true if no waiting core surely ends it. */
static bool lasts(void *context, const struct tx_tile *t, unsigned core, const struct obs_resource *word, unsigned depth) {
  struct finder *f = context;
  struct obs_chip_waiter at = {.tile = t->niu[0].tile, .wait = {.core = (uint16_t)core, .resource = *word}};
  struct obs_waits deeper = {.lasts = lasts, .context = f, .depth = depth - 1};
  uint32_t adds = 0, cores = 0, pc;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    if (f->parties[tile] & 1u << OBS_PARTY_RUNNING) return false;
  for (uint32_t i = 0; i < f->hang->waiter_count; i++) {
    const struct obs_chip_waiter *other = &f->hang->waiters[i];
    bool self = other->tile == at.tile && other->wait.core == core;
    if (self || other->wait.agent < TX_AGENT_TRISC0 || other->wait.core >= TX_CORES) continue;
    if (other->tile != at.tile && obs_chip_hang_sends(f, i, &at, &pc) == OBS_SENDS_NONE) continue;
    if (++f->asked > ASKED_MAX) return false; /* not known */
    struct obs_role role = {.kind = OBS_ROLE_STORE, .index = word->address, .tile = at.tile, .want = word};
    const struct dbg_program *program = f->programs ? f->programs(f->context, other->tile) : NULL;
    uint32_t gives = obs_roles_gives(obs_chip_hang_cores(f, other->tile), program, other->wait.core, role);
    role.waits = depth ? &deeper : NULL;
    enum obs_future future = obs_roles_future(obs_chip_hang_cores(f, other->tile), program, other->wait.core, false, role);
    if (future == OBS_FUTURE_SURELY || future == OBS_FUTURE_UNKNOWN) return false;
    adds += gives;
    cores += gives != 0;
  }
  return cores < 2 || adds < word->wanted - word->value;
}

/* What a waiting core of any tile does for the word of `w` after its own wait. */
static enum obs_future release_by(struct finder *f, const struct obs_chip_waiter *w, uint32_t waiter) {
  const struct obs_chip_waiter *ahead = &f->hang->waiters[waiter];
  const struct dbg_program *program = f->programs ? f->programs(f->context, ahead->tile) : NULL;
  const struct obs_resource *r = &w->wait.resource;
  const struct obs_actor *last = &w->wait.last;
  bool before = last->known && last->tile == ahead->tile + 1 && obs_core_of_agent(last->agent) == ahead->wait.core;
  if (ahead->wait.agent < TX_AGENT_TRISC0 || ahead->wait.core >= TX_CORES) return OBS_FUTURE_UNKNOWN;
  const struct obs_waits waits = {.lasts = lasts, .context = f, .depth = 1};
  struct obs_role role = {.kind = OBS_ROLE_STORE,
                          .waits = &waits,
                          .index = r->address & ~3u,
                          .tile = w->tile,
                          .pc = before ? last->pc : 0,
                          .want = r->kind == OBS_RESOURCE_WORD ? r : NULL};
  enum obs_future future = obs_roles_future(obs_chip_hang_cores(f, ahead->tile), program, ahead->wait.core, false, role);
  uint32_t own = future == OBS_FUTURE_NEVER ? obs_chip_hang_gives(f, w, waiter) : 0;
  if (!own) return future;
  role.others = obs_chip_hang_sum(f, w) - own;
  return role.others ? obs_roles_future(obs_chip_hang_cores(f, ahead->tile), program, ahead->wait.core, false, role)
                     : future;
}

/* The core of another tile that wrote the word last. Its own wait takes precedence; a kernel that has returned writes no
 * more. */
static bool link_to_core(struct finder *f, struct obs_chip_waiter *w) {
  const struct obs_actor *last = &w->wait.last;
  if (!last->known || !last->tile || last->tile > CHIP_TILES) return false;
  unsigned core = obs_core_of_agent(last->agent);
  w->other = last->tile - 1;
  for (uint32_t i = f->first[w->other]; i < obs_chip_hang_behind(f, w->other) && w->wait.waits_for < 0; i++) {
    if (f->hang->waiters[i].wait.core != core || f->hang->waiters[i].wait.agent < TX_AGENT_TRISC0) continue;
    enum obs_future future = release_by(f, w, i);
    if (future == OBS_FUTURE_NEVER || (future == OBS_FUTURE_UNKNOWN && !comes_to(f, &f->hang->waiters[i], last->pc)))
      continue;
    w->wait.waits_for = (int32_t)i;
    w->perhaps = future == OBS_FUTURE_PERHAPS;
  }
  obs_core_words(f, w, core);
  return true;
}

/* The core of a tile that has sent packets to the word; TX_CORES: not recorded. */
static unsigned sender_of(const struct finder *f, const struct obs_chip_waiter *w, unsigned tile,
                          struct tx_memo_sent *sent) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    unsigned from = tile == w->tile ? 0 : tile + 1;
    *sent = tx_memo_sent(obs_chip_hang_cores(f, w->tile), w->wait.resource.address, from, TX_AGENT_TRISC0 + core);
    if (sent->count) return core;
  }
  return TX_CORES;
}

/* The tile that wrote the word before; of several the one with the oldest last write. */
static bool link_to_writer(struct finder *f, struct obs_chip_waiter *w) {
  const struct chip_trail *trail = &chip_endpoint_peek(f->chip, w->tile)->trail;
  unsigned writer = CHIP_NO_TILE;
  sim_time oldest = SIM_NEVER;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    sim_time at = tile == w->tile ? 0 : chip_trail_find(trail, w->wait.resource.address, tile);
    if (!at || at >= oldest) continue;
    oldest = at;
    writer = tile;
  }
  if (writer == CHIP_NO_TILE) return false;
  struct tx_memo_sent sent;
  unsigned core = sender_of(f, w, writer, &sent);
  if (core < TX_CORES) {
    w->wait.last = (struct obs_actor){.known = true,
                                      .agent = (uint16_t)(TX_AGENT_TRISC0 + core),
                                      .tile = writer + 1,
                                      .count = sent.count,
                                      .pc = sent.pc,
                                      .cycle = sent.cycle};
    name_writer(f, &w->wait.last);
    return link_to_core(f, w);
  }
  link_to(f, w, writer);
  obs_writer_words(f, w, oldest);
  return true;
}

/* The most that a core of the tile can do for the word. `*waiter`: the wait of that core; -1: the tile does not wait. */
static enum obs_sends tile_sends(struct finder *f, unsigned tile, const struct obs_chip_waiter *w, int32_t *waiter,
                                 uint32_t *pc) {
  enum obs_sends most = f->parties[tile] & 1u << OBS_PARTY_RUNNING ? OBS_SENDS_POSSIBLY : OBS_SENDS_NONE;
  *waiter = most ? wait_of(f, tile) : -1;
  for (uint32_t i = f->first[tile]; i < obs_chip_hang_behind(f, tile) && most < OBS_SENDS_SURELY; i++) {
    enum obs_sends sends = obs_chip_hang_sends(f, i, w, pc);
    if (sends <= most) continue;
    most = sends;
    *waiter = (int32_t)i;
  }
  return most;
}

/* No tile has written the word: the tiles that still run can. The wait is for the tile whose code has the write. Of writes to an
 * address that is not known, only those of a single tile give a link, which closes no chain. */
static void link_to_live(struct finder *f, struct obs_chip_waiter *w) {
  unsigned live = 0, able = 0, only = CHIP_NO_TILE, possible = CHIP_NO_TILE;
  int32_t waiter, possible_waiter = -1;
  uint32_t pc = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    if (tile == w->tile || !is_live(f, tile)) continue;
    enum obs_sends sends = tile_sends(f, tile, w, &waiter, &pc);
    only = live++ ? CHIP_NO_TILE : tile;
    able += sends != OBS_SENDS_NONE;
    if (sends == OBS_SENDS_POSSIBLY) possible = tile, possible_waiter = waiter;
    if (sends != OBS_SENDS_SURELY || (w->other != CHIP_NO_TILE && !w->perhaps)) continue;
    bool perhaps = release_by(f, w, (uint32_t)waiter) == OBS_FUTURE_PERHAPS;
    if (w->other != CHIP_NO_TILE && perhaps) continue;
    w->other = tile;
    w->wait.waits_for = waiter;
    w->perhaps = perhaps;
  }
  w->open = able && w->other == CHIP_NO_TILE;
  if (w->open && able == 1 && possible_waiter >= 0) {
    w->other = possible;
    w->wait.waits_for = possible_waiter;
    w->perhaps = true;
  }
  if (only != CHIP_NO_TILE && wait_of(f, only) < 0) w->other = only; /* it is still running */
  obs_live_words(f, w, live, able);
}

/* --- a counter of the NIU --- */

/* Outstanding requests. After a broadcast the counter of its transaction id is meaningless: it counts one request and all
 * responses. ISA: NoC/Counters.md */
static bool has_outstanding(const struct noc_niu *n, const struct noc_packet *broadcast) {
  for (unsigned id = 0; id < 16; id++)
    if (n->counter[NOC_MST_OUTSTANDING + id] && !(broadcast && id == noc_packet_id(broadcast))) return true;
  for (unsigned i = 0; i < NOC_INITIATORS; i++)
    if (n->busy[i]) return true;
  return false;
}

/* The first Tensix tile in the rectangle of a broadcast that does not receive it. */
static unsigned not_a_receiver(const struct finder *f, const struct noc_packet *p) {
  for (unsigned y = p->start.y;; y = (y + 1) % NOC_GRID_Y) {
    for (unsigned x = p->start.x;; x = (x + 1) % NOC_GRID_X) {
      unsigned tile = chip_tile_of_raw(p->noc, x, y);
      bool self = tile == p->tile && !(p->ctrl & NOC_CTRL_SOURCE_INCLUDE);
      if (!self && chip_grid(f->chip)->slot[tile].kind == CHIP_TENSIX &&
          !chip_is_receiver(f->chip, p->noc, p->start, p->target, p->exclude, tile))
        return tile;
      if (x == p->target.x) break;
    }
    if (y == p->target.y) return CHIP_NO_TILE;
  }
}

static void link_niu(struct finder *f, struct obs_chip_waiter *w) {
  unsigned noc = w->wait.resource.address >> 16 & 1u; /* 0xFFB2.... and 0xFFB3.... */
  const struct noc_niu *niu = &obs_chip_hang_cores(f, w->tile)->niu[noc];
  const struct noc_packet *broadcast = &chip_endpoint_peek(f->chip, w->tile)->trail.broadcast[noc];
  if (!broadcast->departs) broadcast = NULL;
  uint16_t tiles[CHIP_TILES];
  if (link_to_lost(f, w, noc) || link_to_held(f, w, noc)) return;
  if (has_outstanding(niu, broadcast)) {
    obs_outstanding_words(w, noc, niu);
  } else if (broadcast) {
    unsigned other = not_a_receiver(f, broadcast);
    if (other != CHIP_NO_TILE) link_to(f, w, other);
    unsigned count = obs_receivers_of(f, broadcast, tiles);
    if (broadcast->departs > f->hang->cycle) f->hang->cycle = broadcast->departs; /* the core polled before it left */
    obs_answered_words(f, w, broadcast, tiles, count);
  } else {
    snprintf(w->why, sizeof w->why, "every request of NIU %u has been answered", noc);
  }
}

/* By the resource of the wait alone. */
static void link_resource(struct finder *f, struct obs_chip_waiter *w) {
  const struct obs_resource *r = &w->wait.resource;
  bool buffer = r->kind == OBS_RESOURCE_BUFFER_PAGES || r->kind == OBS_RESOURCE_BUFFER_ROOM;
  bool word = buffer || r->kind == OBS_RESOURCE_WORD || r->kind == OBS_RESOURCE_REGISTER;
  if (!word || !r->address) return;
  if (is_niu(r->address)) link_niu(f, w);
  else if (link_to_held(f, w, NOC_NOCS) || (w->wait.releaser_count && !w->wait.last.tile)) return;
  else if (!link_to_lost(f, w, NOC_NOCS) && !link_to_receiver(f, w) && !link_to_core(f, w) && !link_to_writer(f, w) &&
           !buffer)
    /* not for a circular buffer: only the tile itself counts its pages, unless a packet has written the counters */
    link_to_live(f, w);
}

/* The evidence of each word of a loop over several: "the word at 0x00030000: no packet has written it; the word at ..."; once if it is
 * the same for all. */
static void words_evidence(struct obs_chip_waiter *w, const struct obs_chip_waiter *ones, uint32_t count) {
  struct sim_text out = {.data = w->why, .size = sizeof w->why};
  bool same = true;
  for (uint32_t i = 1; i < count; i++) same &= strcmp(ones[i].why, ones[0].why) == 0;
  if (same) obs_add_past(&out, ones[0].why, true);
  for (uint32_t i = 0; !same && i < count; i++) {
    const char *name = ones[i].wait.resource.name, *why = ones[i].why;
    if (!why[0] || out.length + strlen(name) + strlen(why) + 5 > out.size) continue;
    sim_text_add(&out, "%s%s: %s", out.length ? "; " : "", name, why);
  }
}

/* A loop over several words: each word that can end it has its own link. Links to different waits are no closed chain. */
static void link_words(struct finder *f, struct obs_chip_waiter *w) {
  struct obs_chip_waiter ones[OBS_WORDS_MAX];
  uint32_t count = 0;
  for (uint32_t i = 0; i <= w->wait.word_count; i++) {
    if (i && !w->wait.words[i - 1].ends) continue;
    struct obs_chip_waiter *one = &ones[count++];
    *one = *w;
    if (i) one->wait.resource = w->wait.words[i - 1].resource;
    if (i) one->wait.last = w->wait.words[i - 1].last;
    link_resource(f, one);
    w->open |= one->open || one->wait.waits_for != ones[0].wait.waits_for;
  }
  w->other = ones[0].other;
  w->wait.waits_for = w->open ? -1 : ones[0].wait.waits_for;
  words_evidence(w, ones, count);
}

static void link_waiter(struct finder *f, struct obs_chip_waiter *w) {
  if (w->wait.waits_for >= 0) return;
  if (obs_alternatives(&w->wait)) link_words(f, w);
  else link_resource(f, w);
}

/* --- writes that have not happened yet --- */

#define NO_END UINT32_MAX
#define OPEN_END 0x10000u /* an end of a chain that another tile can perhaps change */

/* A semaphore or a flag that no lost request of the tile would have written. */
static bool is_plain_word(const struct finder *f, const struct obs_chip_waiter *w) {
  const struct obs_resource *r = &w->wait.resource;
  return r->kind == OBS_RESOURCE_WORD && r->address && !obs_alternatives(&w->wait) &&
         !lost_of(f, w->tile, NOC_NOCS, r->address);
}

/* The waits that `w` is behind: its link, and each core that has a write to its word ahead. */
static bool is_ahead(struct finder *f, const struct obs_chip_waiter *w, uint32_t i, uint32_t *pc) {
  return w != &f->hang->waiters[i] && obs_chip_hang_sends(f, i, w, pc) == OBS_SENDS_SURELY;
}

/* The steps from each wait to one that no other wait holds; NO_END: its chain closes. */
static void measure_ends(struct finder *f, uint32_t *steps) {
  struct obs_chip_hang *h = f->hang;
  bool again = true;
  uint32_t pc;
  for (uint32_t i = 0; i < h->waiter_count; i++) steps[i] = NO_END;
  for (uint32_t round = 0; again && round <= h->waiter_count; round++) {
    again = false;
    for (uint32_t i = 0; i < h->waiter_count; i++) {
      const struct obs_chip_waiter *w = &h->waiters[i];
      bool word = is_plain_word(f, w), held = w->wait.waits_for >= 0;
      uint32_t least = held ? steps[w->wait.waits_for] : NO_END;
      for (uint32_t k = 0; word && k < h->waiter_count; k++) {
        if (!is_ahead(f, w, k, &pc)) continue;
        held = true;
        if (steps[k] < least) least = steps[k];
      }
      uint32_t now = held ? least + (least != NO_END) : w->open ? OPEN_END : 0;
      again |= now != steps[i];
      steps[i] = now;
    }
  }
}

/* Several cores count up one word (a barrier, a counter of finished tiles): the wait is for a core that has its write still ahead,
 * before one that has done its part. Of several, the one whose own wait comes from a cause takes precedence, since the others may wait for `w`. */
static void link_to_pending(struct finder *f, struct obs_chip_waiter *w, const uint32_t *steps) {
  struct obs_chip_hang *h = f->hang;
  uint32_t best = NO_END, at = 0, pc, best_pc = 0;
  bool any = false;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (!is_ahead(f, w, i, &pc) || (any && steps[i] >= best)) continue;
    any = true;
    best = steps[i];
    best_pc = pc;
    at = i;
  }
  if (!any || (w->wait.waits_for >= 0 && steps[w->wait.waits_for] <= best)) return;
  w->wait.waits_for = (int32_t)at;
  w->other = h->waiters[at].tile == w->tile ? CHIP_NO_TILE : h->waiters[at].tile;
  w->open = false;
  w->perhaps = release_by(f, w, at) == OBS_FUTURE_PERHAPS;
  obs_pending_words(f, w, &h->waiters[at], best_pc);
}

static void link_pending(struct finder *f) {
  uint32_t *steps = calloc(f->hang->waiter_count + 1, sizeof *steps);
  if (!steps) return;
  measure_ends(f, steps);
  for (uint32_t i = 0; i < f->hang->waiter_count; i++)
    if (is_plain_word(f, &f->hang->waiters[i])) link_to_pending(f, &f->hang->waiters[i], steps);
  free(steps);
}

/* --- the chain --- */

/* The last wait of the chain from `from`; -1: the chain closes, and *at is on the closed part. */
static int32_t end_of(const struct obs_chip_hang *h, uint32_t from, uint32_t *at) {
  *at = from;
  for (uint32_t steps = 0; steps <= h->waiter_count; steps++) {
    if (h->waiters[*at].wait.waits_for < 0) return (int32_t)*at;
    *at = (uint32_t)h->waiters[*at].wait.waits_for;
  }
  return -1;
}

/* The future of the core that `w` waits for, as far as `w` needs it. */
static enum obs_future future_of(struct finder *f, const struct obs_chip_waiter *w) {
  const struct obs_chip_waiter *ahead = &f->hang->waiters[w->wait.waits_for];
  const struct dbg_program *program = f->programs ? f->programs(f->context, ahead->tile) : NULL;
  if (ahead->tile != w->tile || (w->wait.resource.kind == OBS_RESOURCE_WORD && ahead->wait.agent >= TX_AGENT_TRISC0))
    return release_by(f, w, (uint32_t)w->wait.waits_for);
  return obs_hang_link_holds(obs_chip_hang_cores(f, w->tile), program, w->wait.agent, f->one) ? OBS_FUTURE_SURELY
                                                                                              : OBS_FUTURE_NEVER;
}

/* Its program is known: then an unknown future is a doubt. */
static bool has_code(const struct finder *f, const struct obs_chip_waiter *w) {
  const struct dbg_program *program = f->programs ? f->programs(f->context, w->tile) : NULL;
  return program && w->wait.agent >= TX_AGENT_TRISC0 && w->wait.core < TX_CORES && program->loaded[w->wait.core];
}

/* A link to a core that continues without the release, or perhaps does, is none. */
static bool open_dead(struct finder *f, uint32_t at) {
  struct obs_chip_hang *h = f->hang;
  bool open = false;
  uint32_t k = at;
  do {
    struct obs_chip_waiter *w = &h->waiters[k];
    k = (uint32_t)w->wait.waits_for;
    enum obs_future future = future_of(f, w);
    if (future == OBS_FUTURE_SURELY || (future == OBS_FUTURE_UNKNOWN && !has_code(f, &h->waiters[k]))) continue;
    w->wait.waits_for = -1;
    if (future == OBS_FUTURE_NEVER && w->wait.last.known && w->other != CHIP_NO_TILE && w->wait.last.tile == w->other + 1)
      obs_core_words(f, w, obs_core_of_agent(w->wait.last.agent));
    open = true;
  } while (k != at);
  return open;
}

/* A chain that closes only through a tile that perhaps acts is no deadlock: the wait for it becomes the end of the chain. */
static bool open_perhaps(struct obs_chip_hang *h, uint32_t at) {
  uint32_t k = at;
  do {
    struct obs_chip_waiter *w = &h->waiters[k];
    k = (uint32_t)w->wait.waits_for;
    if (!w->perhaps) continue;
    w->wait.waits_for = -1;
    return true;
  } while (k != at);
  return false;
}

static bool find_closed(struct finder *f) {
  struct obs_chip_hang *h = f->hang;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    uint32_t at, first;
    while (end_of(h, i, &at) < 0 && (open_perhaps(h, at) || open_dead(f, at))) {}
    if (end_of(h, i, &at) >= 0) continue;
    first = at;
    for (uint32_t k = (uint32_t)h->waiters[at].wait.waits_for; k != at; k = (uint32_t)h->waiters[k].wait.waits_for)
      if (h->waiters[k].wait.since < h->waiters[first].wait.since) first = k;
    uint32_t k = first;
    do {
      h->chain[h->chain_count++] = k;
      k = (uint32_t)h->waiters[k].wait.waits_for;
    } while (k != first && h->chain_count < OBS_CHIP_CHAIN_MAX);
    return h->deadlock = true;
  }
  return false;
}

static void find_chain(struct finder *f) {
  struct obs_chip_hang *h = f->hang;
  uint32_t best = 0, best_count = 0;
  if (!h->waiter_count || find_closed(f)) return;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    uint32_t at, count = 0;
    if (h->waiters[i].wait.waits_for >= 0) continue;
    for (uint32_t k = 0; k < h->waiter_count; k++) count += end_of(h, k, &at) == (int32_t)i;
    /* A wait that no other tile can end takes precedence, then one whose other side is known. */
    count = 2 * count + (h->waiters[i].other != CHIP_NO_TILE);
    if (!h->waiters[i].open) count += 4 * OBS_CHIP_WAITERS_MAX;
    if (count <= best_count) continue;
    best = i;
    best_count = count;
  }
  h->chain[h->chain_count++] = best;
  for (uint32_t i = 0; i < h->chain_count; i++)
    for (uint32_t k = 0; k < h->waiter_count && h->chain_count < OBS_CHIP_CHAIN_MAX; k++)
      if (h->waiters[k].wait.waits_for == (int32_t)h->chain[i]) h->chain[h->chain_count++] = k;
}

struct obs_chip_hang *obs_chip_hang_find_in(struct chip *chip, const bool *tiles, obs_program_fn *programs, void *context) {
  struct obs_chip_hang *hang = calloc(1, sizeof *hang);
  struct finder *f = calloc(1, sizeof *f);
  struct obs_hang *one = calloc(1, sizeof *one);
  if (hang && f && one) {
    chip_wake(chip);
    *f = (struct finder){.chip = chip, .tiles = tiles, .hang = hang, .programs = programs, .context = context, .one = one};
    for (unsigned tile = 0; tile < CHIP_TILES; tile++) gather(f, tile);
    for (uint32_t i = 0; i < hang->waiter_count; i++) link_waiter(f, &hang->waiters[i]);
    link_pending(f);
    for (uint32_t i = 0; i < hang->waiter_count; i++) obs_chip_hang_absent(f, &hang->waiters[i]);
    find_chain(f);
    for (uint32_t i = 0; i < hang->waiter_count; i++) obs_chip_hang_few(f, &hang->waiters[i]);
    for (uint32_t i = 0; i < hang->waiter_count; i++) obs_chip_hang_releasers(f, &hang->waiters[i]);
    obs_chip_cause(f);
  } else {
    free(hang);
    hang = NULL;
  }
  free(one);
  free(f);
  return hang;
}

struct obs_chip_hang *obs_chip_hang_find(struct chip *chip, obs_program_fn *programs, void *context) {
  return obs_chip_hang_find_in(chip, NULL, programs, context);
}
