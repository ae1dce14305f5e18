/* The hang of hang/chip.h as text. Every tile is named by its translated coordinates, and by its NoC 0 place where that differs, every wait by its
 * kernel's line. */
#include <stdio.h>
#include <string.h>

#include "chip/receivers.h"
#include "noc/niu.h"
#include "observe/hang/chip.h"
#include "observe/hang/chip_internal.h"
#include "observe/hang/hang.h"
#include "observe/hang/hang_internal.h"
#include "observe/hang/roles.h"
#include "observe/report/chip.h"
#include "observe/report/chip_figures.h"
#include "tensix/mem/memo.h"

#define TILES_LISTED 4u
#define LINES_MAX 20u
#define NAMES_MAX 4u /* of a closed chain */

/* --- the other side --- */

static const char *state_of(const struct finder *f, unsigned tile) {
  const struct chip_slot *slot = &chip_grid(f->chip)->slot[tile];
  uint32_t end = tile + 1 < CHIP_TILES ? f->first[tile + 1] : f->hang->waiter_count;
  if (!slot->good) return "is fused off";
  if (slot->kind != CHIP_TENSIX && slot->kind != CHIP_ETHERNET) return "has no cores that programs use";
  if (f->first[tile] < end) return "waits itself";
  if (f->parties[tile] & 1u << OBS_PARTY_RUNNING) return "is still running";
  if (f->parties[tile] & 1u << OBS_PARTY_FAILED) return "has stopped at a failed check";
  if (f->parties[tile] & (1u << OBS_PARTY_RETURNED | 1u << OBS_PARTY_IDLE)) return "has no kernel that runs";
  return "has no program: its cores are held in reset";
}

static void add_name(const struct finder *f, struct sim_text *out, unsigned tile) {
  char name[80];
  obs_tile_name(f->chip, tile, name, sizeof name);
  sim_text_add(out, "%s", name);
}

static void add_rectangle(const struct finder *f, struct sim_text *out, const struct noc_packet *p) {
  const struct chip_grid *grid = chip_grid(f->chip);
  const struct chip_slot *a = &grid->slot[chip_tile_of_raw(p->noc, p->start.x, p->start.y)];
  const struct chip_slot *b = &grid->slot[chip_tile_of_raw(p->noc, p->target.x, p->target.y)];
  unsigned ax = a->logical & 63u, ay = a->logical >> 6 & 63u, bx = b->logical & 63u, by = b->logical >> 6 & 63u;
  sim_text_add(out, "(%u,%u) to (%u,%u)", ax, ay, bx, by);
  if (ax != a->x || ay != a->y || bx != b->x || by != b->y)
    sim_text_add(out, ", NoC 0 (%u,%u) to (%u,%u)", a->x, a->y, b->x, b->y);
}

unsigned obs_receivers_of(const struct finder *f, const struct noc_packet *p, uint16_t tiles[CHIP_TILES]) {
  unsigned count = chip_receivers(f->chip, p->noc, p->start, p->target, p->exclude, tiles), kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (tiles[i] != p->tile || (p->ctrl & NOC_CTRL_SOURCE_INCLUDE)) tiles[kept++] = tiles[i];
  return kept;
}

/* " at reader.c:8 in cycle 3647 to (2,2) to (3,2)": its line is known if its core is. */
static void add_broadcast(const struct finder *f, struct sim_text *out, const struct noc_packet *p) {
  struct dbg_source place = {0};
  char at[176];
  unsigned core = obs_core_of_agent(p->agent);
  if (f->programs && core < TX_CORES) dbg_program_source(f->programs(f->context, p->tile), core, p->pc, &place);
  obs_at_words(&place, at, sizeof at);
  sim_text_add(out, "%s in cycle %llu to ", at, (unsigned long long)p->departs);
  add_rectangle(f, out, p);
}

static struct sim_text why_of(struct obs_chip_waiter *w) { return (struct sim_text){.data = w->why, .size = sizeof w->why}; }

void obs_receiver_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *p, unsigned count,
                        const uint16_t *missing, unsigned absent) {
  struct sim_text out = why_of(w);
  sim_text_add(&out, "of the %u receivers of its multicast", count);
  add_broadcast(f, &out, p);
  sim_text_add(&out, ", %u ha%s written it since; ", count - absent, count - absent == 1 ? "s" : "ve");
  for (unsigned i = 0; i < absent && i < TILES_LISTED; i++) {
    sim_text_add(&out, "%s", i ? " and " : "");
    add_name(f, &out, missing[i]);
  }
  if (absent > TILES_LISTED) sim_text_add(&out, " and %u more", absent - TILES_LISTED);
  sim_text_add(&out, " ha%s not: ", absent == 1 ? "s" : "ve");
  add_name(f, &out, missing[0]);
  sim_text_add(&out, " %s", state_of(f, missing[0]));
}

void obs_writer_words(const struct finder *f, struct obs_chip_waiter *w, sim_time last) {
  struct sim_text out = why_of(w);
  add_name(f, &out, w->other);
  sim_text_add(&out, " last wrote it in cycle %llu and %s", (unsigned long long)last, state_of(f, w->other));
}

/* The core that wrote the word last, its line, and whether it can write again. */
void obs_core_words(const struct finder *f, struct obs_chip_waiter *w, unsigned core) {
  const struct obs_actor *last = &w->wait.last;
  const char *end = w->wait.waits_for >= 0 ? " and waits itself" : "";
  const struct tx_tile *t = chip_endpoint_peek(f->chip, w->other)->self;
  struct sim_text out = why_of(w);
  char at[176];
  bool running = t && core < TX_CORES && t->core[core].state == TX_CORE_RUNNING &&
                 !t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind,
       waits = false;
  for (uint32_t i = 0; i < f->hang->waiter_count; i++)
    waits |= f->hang->waiters[i].tile == w->other && f->hang->waiters[i].wait.core == core;
  if (!end[0] && waits) {
    const struct dbg_program *program = f->programs ? f->programs(f->context, w->other) : NULL;
    bool comes = obs_roles_comes_to(t, program, core, last->pc) >= OBS_FUTURE_PERHAPS; /* for another word or tile */
    struct obs_role role = {
        .kind = OBS_ROLE_STORE, .index = w->wait.resource.address & ~3u, .tile = w->tile, .want = &w->wait.resource};
    bool gives = comes && obs_roles_gives(t, program, core, role); /* behind another wait */
    end = gives ? " and waits itself" : comes ? " and does not write it again" : " and cannot reach that line again";
  } else if (!end[0] && !running) end = " and has returned";
  obs_at_words(&last->place, at, sizeof at);
  sim_text_add(&out, "%s last wrote it%s in cycle %llu%s", last->name, at, (unsigned long long)last->cycle, end);
}

/* "once", "3 times" */
static void add_times(struct sim_text *out, uint32_t count) {
  if (count == 1) sim_text_add(out, "once");
  else sim_text_add(out, "%u times", count);
}

static void add_tiles(struct sim_text *out, unsigned count) { sim_text_add(out, "%u tile%s", count, count == 1 ? "" : "s"); }

/* "NCRISC of Tensix (3,2) has returned without writing it; 3 tiles wrote it once at reader.c:4, a line that its code has too" */
void obs_absent_words(const struct finder *f, struct obs_chip_waiter *w, unsigned core, const uint16_t *tiles,
                      unsigned absent, const uint32_t *counts, unsigned writers) {
  const struct obs_actor *last = w->wait.last.known ? &w->wait.last : &w->wait.own;
  struct sim_text out = why_of(w);
  struct dbg_source place = {0};
  char at[176], there[176];
  uint32_t most = 0, count = counts[tiles[0]];
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) most = counts[tile] > most ? counts[tile] : most;
  obs_at_words(&last->place, at, sizeof at);
  if (f->programs) dbg_program_source(f->programs(f->context, tiles[0]), core, last->pc, &place);
  obs_at_words(&place, there, sizeof there);
  sim_text_add(&out, "%s of ", tx_core_name(core));
  for (unsigned i = 0; i < absent && i < TILES_LISTED; i++) {
    sim_text_add(&out, "%s", i ? " and " : "");
    add_name(f, &out, tiles[i]);
  }
  if (absent > TILES_LISTED) sim_text_add(&out, " and %u more", absent - TILES_LISTED);
  sim_text_add(&out, absent == 1 ? " has returned " : " have returned ");
  if (!count) sim_text_add(&out, "without writing it");
  else sim_text_add(&out, "after writing it "), add_times(&out, count);
  sim_text_add(&out, "; ");
  if (writers == 1) sim_text_add(&out, "%s of this tile", tx_core_name(core));
  else add_tiles(&out, writers - (count != 0 ? absent : 0));
  sim_text_add(&out, " wrote it ");
  add_times(&out, most);
  sim_text_add(&out, "%s%s", at, strcmp(at, there) == 0 && at[0] ? ", a line that its code has too" : "");
}

/* "NCRISC of Tensix (3,2), NoC 0 (3,2), has not reached its write at reader.c:3 and waits itself" */
void obs_pending_words(const struct finder *f, struct obs_chip_waiter *w, const struct obs_chip_waiter *ahead, uint32_t pc) {
  struct sim_text out = why_of(w);
  struct dbg_source place = {0};
  char at[176];
  if (f->programs) dbg_program_source(f->programs(f->context, ahead->tile), ahead->wait.core, pc, &place);
  obs_at_words(&place, at, sizeof at);
  unsigned from = ahead->tile == w->tile ? 0 : ahead->tile + 1;
  struct tx_memo_sent sent =
      tx_memo_sent(chip_endpoint_peek(f->chip, w->tile)->self, w->wait.resource.address, from, ahead->wait.agent);
  sim_text_add(&out, "%s of ", ahead->wait.name);
  add_name(f, &out, ahead->tile);
  if (sent.count) {
    sim_text_add(&out, " wrote it ");
    add_times(&out, sent.count);
    sim_text_add(&out, ", last in cycle %llu, has not reached its next write%s and waits itself",
                 (unsigned long long)sent.cycle, at);
  } else {
    sim_text_add(&out, " has not reached its write%s and waits itself", at);
  }
}

/* ", NCRISC of Tensix (2,2) loops forever at reader.c:3": a core of another tile that never reaches a write. */
static bool add_looping(const struct finder *f, struct sim_text *out, unsigned own) {
  unsigned tile = 0;
  char at[176];
  while (tile < CHIP_TILES && (tile == own || !(f->parties[tile] & 1u << OBS_PARTY_LOOPING))) tile++;
  if (tile == CHIP_TILES) return false;
  obs_hang_find_part(chip_endpoint_peek(f->chip, tile)->self, f->programs ? f->programs(f->context, tile) : NULL, f->one);
  for (uint32_t i = 0; i < f->one->party_count; i++) {
    const struct obs_party *p = &f->one->parties[i];
    if (p->state != OBS_PARTY_LOOPING) continue;
    obs_at_words(&p->place, at, sizeof at);
    sim_text_add(out, ", %s of ", p->name);
    add_name(f, out, tile);
    sim_text_add(out, " loops forever%s", at);
    return true;
  }
  return false;
}

/* All cores are in reset, and one of them has run. */
static bool was_put_back(const struct finder *f, unsigned tile) {
  const struct tx_tile *t = obs_chip_cores(f->chip, tile);
  bool ran = false;
  for (unsigned core = 0; t && core < TX_CORES; core++) {
    if (t->core[core].state != TX_CORE_HELD) return false;
    ran |= t->core[core].started_at != 0;
  }
  return ran;
}

/* ", Tensix (2,2) has been put back into reset" */
static bool add_put_back(const struct finder *f, struct sim_text *out, unsigned own) {
  unsigned tile = 0, count = 0;
  for (unsigned i = CHIP_TILES; i-- > 0;)
    if (i != own && was_put_back(f, i)) tile = i, count++;
  if (!count) return false;
  sim_text_add(out, ", ");
  add_name(f, out, tile);
  if (count > 1) sim_text_add(out, " and %u other tile%s have", count - 1, count == 2 ? "" : "s");
  else sim_text_add(out, " has");
  sim_text_add(out, " been put back into reset");
  return true;
}

/* "; NCRISC of Tensix (1,2) wrote it in 2 other tiles by its multicast at reader.c:8 in cycle 3647 to (2,2) to (3,2)" */
static void add_passed_by(const struct finder *f, struct sim_text *out, const struct obs_chip_waiter *w) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    for (unsigned noc = 0; noc < NOC_NOCS; noc++) {
      const struct noc_packet *p = &chip_endpoint_peek(f->chip, tile)->trail.broadcast[noc];
      uint16_t tiles[CHIP_TILES];
      if (!p->departs || w->wait.resource.address - p->address >= p->length) continue;
      unsigned count = obs_receivers_of(f, p, tiles), core = obs_core_of_agent(p->agent);
      for (unsigned i = 0; i < count; i++)
        if (tiles[i] == w->tile) return; /* it did reach this tile */
      sim_text_add(out, "; %s of ", core < TX_CORES ? tx_core_name(core) : "a core");
      add_name(f, out, tile);
      sim_text_add(out, " wrote it in %u other tile%s%s by its multicast", count, count == 1 ? "" : "s",
                   tile == w->tile ? " and not in its own" : "");
      add_broadcast(f, out, p);
      return;
    }
}

void obs_live_words(const struct finder *f, struct obs_chip_waiter *w, unsigned live, unsigned able) {
  struct sim_text out = why_of(w);
  sim_text_add(&out, "no packet has written it");
  add_passed_by(f, &out, w);
  if (!live) {
    bool loops = add_looping(f, &out, w->tile), put_back = add_put_back(f, &out, w->tile);
    sim_text_add(&out, ", and %s have ended", loops || put_back ? "all other kernels" : "the kernels of all other tiles");
  } else if (w->other != CHIP_NO_TILE) {
    sim_text_add(&out, live == 1    ? ", and the only other tile whose kernels have not ended, "
                       : w->perhaps ? ", and the only tile that perhaps would, "
                                    : ", and the tile that would, ");
    add_name(f, &out, w->other);
    sim_text_add(&out, ", %s", state_of(f, w->other));
  } else if (!able) {
    add_looping(f, &out, w->tile);
    if (live == 1)
      sim_text_add(&out, ", and no kernel of the only other tile that has not ended sends one that ends the wait");
    else sim_text_add(&out, ", and no kernel of the %u other tiles that have not ended sends one that ends the wait", live);
  } else if (live == 1) {
    sim_text_add(&out, ", and the only other tile whose kernels have not ended waits itself");
  } else {
    sim_text_add(&out, ", and the %u other tiles whose kernels have not ended wait themselves", live);
  }
}

void obs_lost_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *p) {
  struct sim_text out = why_of(w);
  sim_text_add(&out, "its %s of %u bytes at 0x%llx of ", noc_kind_name(p->kind), p->length, (unsigned long long)p->address);
  add_name(f, &out, w->other);
  sim_text_add(&out, ", which arrived in cycle %llu, is never answered: the tile %s", (unsigned long long)p->arrives,
               state_of(f, w->other));
}

/* "multicast at reader.c:12 in cycle 3762 to (3,2) to (6,2)", "write of 64 bytes at 0x30000 of Tensix (2,2), NoC 0 (2,3), at reader.c:8 in cycle 3647" */
static void add_request(const struct finder *f, struct sim_text *out, const struct noc_packet *p) {
  struct dbg_source place = {0};
  char at[176];
  unsigned core = obs_core_of_agent(p->agent);
  if (p->ctrl & NOC_CTRL_BROADCAST) {
    sim_text_add(out, "multicast");
    add_broadcast(f, out, p);
    return;
  }
  if (f->programs && core < TX_CORES) dbg_program_source(f->programs(f->context, p->tile), core, p->pc, &place);
  obs_at_words(&place, at, sizeof at);
  sim_text_add(out, "%s of %u bytes at 0x%llx of ", noc_kind_name(p->kind), p->length, (unsigned long long)p->address);
  add_name(f, out, chip_tile_of_raw(p->noc, p->target.x, p->target.y));
  sim_text_add(out, "%s%s in cycle %llu", at[0] ? "," : "", at, (unsigned long long)p->departs);
}

/* " waits at Tensix (2,2), NoC 0 (2,3), for virtual channel 4 of NoC 0, which the linked transaction of Tensix (1,2), NoC 0 (1,3), holds: its multicast at ..., and no request
 * without NOC_CTRL bit 6 has ended it" */
static void add_holder(const struct finder *f, struct sim_text *out, const struct chip_waiting *held) {
  const struct noc_packet *p = held->packet, *by = &chip_endpoint_peek(f->chip, held->owner)->trail.broadcast[p->noc];
  sim_text_add(out, " waits at ");
  add_name(f, out, held->at);
  sim_text_add(out, " for virtual channel %u of NoC %u, which the linked transaction of ", p->vc, p->noc);
  add_name(f, out, held->owner);
  sim_text_add(out, " holds%s", by->departs && (by->ctrl & NOC_CTRL_LINKED) ? ": its " : "");
  if (by->departs && (by->ctrl & NOC_CTRL_LINKED)) add_request(f, out, by);
  sim_text_add(out, "; no request without NOC_CTRL bit 6 has ended it");
}

void obs_held_words(const struct finder *f, struct obs_chip_waiter *w, const struct chip_waiting *held) {
  struct sim_text out = why_of(w);
  if (held->packet->tile != w->tile) add_name(f, &out, held->packet->tile);
  sim_text_add(&out, "%s ", held->packet->tile != w->tile ? "'s" : "its");
  add_request(f, &out, held->packet);
  add_holder(f, &out, held);
}

/* "initiator 0 of NIU 0 cannot send behind an open linked transaction (NOC_CTRL 0x2091, TARG 0x1000, RET 0x4)" */
static bool add_unsent(struct sim_text *out, unsigned noc, const struct noc_niu *n) {
  for (unsigned i = 0; i < NOC_INITIATORS; i++) {
    if (!n->busy[i]) continue;
    sim_text_add(out, "initiator %u of NIU %u cannot send%s (NOC_CTRL 0x%x, TARG 0x%x, RET 0x%x)", i, noc,
                 n->linked ? " behind an open linked transaction" : "", n->initiator[i][NOC_CTRL],
                 n->initiator[i][NOC_TARG_LO], n->initiator[i][NOC_RET_LO]);
    return true;
  }
  return false;
}

void obs_outstanding_words(struct obs_chip_waiter *w, unsigned noc, const struct noc_niu *n) {
  struct sim_text out = why_of(w);
  if (add_unsent(&out, noc, n)) return;
  for (unsigned id = 0; id < 16; id++)
    if (n->counter[NOC_MST_OUTSTANDING + id])
      sim_text_add(&out, "%sNIU %u has %u requests with transaction id %u that have no answer", out.length ? ", " : "", noc,
                   n->counter[NOC_MST_OUTSTANDING + id], id);
}

#define TILES_NAMED 4u

/* ": (2,2) (3,2)": a few are named. */
static void add_receivers(const struct finder *f, struct sim_text *out, const uint16_t *tiles, unsigned count) {
  for (unsigned i = 0; i < count && count <= TILES_NAMED; i++) {
    uint16_t at = chip_grid(f->chip)->slot[tiles[i]].logical;
    sim_text_add(out, "%s(%u,%u)", i ? " " : ": ", at & 63u, at >> 6 & 63u);
  }
}

/* ", the one at reader.c:8 in cycle 3647 to (2,2) to (3,2) had 2: (2,2) (3,2)": the barrier waits for the answers of both. */
static void add_other(const struct finder *f, struct sim_text *out, const struct noc_packet *p) {
  uint16_t tiles[CHIP_TILES];
  if (!p->departs) return;
  unsigned count = obs_receivers_of(f, p, tiles);
  sim_text_add(out, ", the one");
  add_broadcast(f, out, p);
  sim_text_add(out, " had %u", count);
  add_receivers(f, out, tiles, count);
}

/* A rectangle whose start lies behind its end, in the direction of the NoC. */
static void add_wrapped(struct sim_text *out, const struct noc_packet *p) {
  if (p->start.x <= p->target.x && p->start.y <= p->target.y) return;
  sim_text_add(out, ", because its rectangle wraps around the grid: NoC %u flows to %s coordinates, exchange start and end",
               p->noc, p->noc ? "smaller" : "larger");
}

void obs_answered_words(const struct finder *f, struct obs_chip_waiter *w, const struct noc_packet *p, const uint16_t *tiles,
                        unsigned count) {
  const struct obs_resource *r = &w->wait.resource;
  uint32_t lacks = r->wish == OBS_WISH_EQUAL || r->wish == OBS_WISH_AT_LEAST ? r->wanted - r->value : 0;
  struct sim_text out = why_of(w);
  sim_text_add(&out, "every request has been answered; its multicast");
  add_broadcast(f, &out, p);
  sim_text_add(&out, " had %u receiver%s", count, count == 1 ? "" : "s");
  add_receivers(f, &out, tiles, count);
  add_wrapped(&out, p);
  add_other(f, &out, &chip_endpoint_peek(f->chip, w->tile)->trail.other[p->noc]);
  if (lacks && lacks < CHIP_TILES) sim_text_add(&out, ", and it waits for %u answer%s more", lacks, lacks == 1 ? "" : "s");
  if (w->other == CHIP_NO_TILE) return;
  sim_text_add(&out, ", and ");
  add_name(f, &out, w->other);
  const bool here = chip_is_receiver(f->chip, p->noc, p->start, p->target, 0, w->other);
  sim_text_add(&out, " is none of them: it %s",
               !chip_grid(f->chip)->slot[w->other].good ? "is fused off"
               : here                                   ? "is excluded by NOC_BRCST_EXCLUDE"
                                                        : "takes no part in broadcasts");
}

static void add_lost(struct chip *chip, struct sim_text *out) {
  char from[80], to[80];
  for (unsigned i = 0; i < chip_lost_count(chip); i++) {
    const struct noc_packet *p = chip_lost(chip, i);
    obs_tile_name(chip, p->tile, from, sizeof from);
    obs_tile_name(chip, chip_tile_of_raw(p->noc, p->target.x, p->target.y), to, sizeof to);
    sim_text_add(out, "never answered: %s of %u bytes from %s to 0x%llx of %s, which is fused off, cycle %llu\n",
                 noc_kind_name(p->kind), p->length, from, (unsigned long long)p->address, to,
                 (unsigned long long)p->arrives);
  }
}

/* --- sentences --- */

/* "NCRISC of Tensix (1,2)" */
static void who_words(struct chip *chip, const struct obs_chip_waiter *w, char *text, size_t size) {
  char tile[80];
  obs_tile_name(chip, w->tile, tile, sizeof tile);
  snprintf(text, size, "%s of %s", w->wait.name, tile);
}

/* "ping.c:12 (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for ..." */
static void add_wait(struct chip *chip, struct sim_text *out, const struct obs_chip_waiter *w, const char *waits) {
  char name[128], place[448];
  who_words(chip, w, name, sizeof name);
  obs_place_words_of(&w->wait.place, name, place, sizeof place);
  sim_text_add(out, "%s%s %s", place, waits, w->wait.what);
  if (w->wait.resource.kind == OBS_RESOURCE_BUFFER_ROOM)
    sim_text_add(out, " (%u pushed, %u popped)", w->wait.pages.pushed, w->wait.pages.popped);
  sim_text_add(out, " since cycle %llu", (unsigned long long)w->wait.since);
}

/* A wait that does not involve another tile: the cause as in the tile's own hang. */
static bool add_own_cause(struct finder *f, struct sim_text *out, const struct obs_chip_waiter *w) {
  const struct dbg_program *program = f->programs ? f->programs(f->context, w->tile) : NULL;
  char name[80];
  if (w->why[0] || w->other != CHIP_NO_TILE) return false;
  if (!obs_hang_find_at(chip_endpoint_peek(f->chip, w->tile)->self, program, w->wait.agent, f->one)) return false;
  obs_tile_name(f->chip, w->tile, name, sizeof name);
  sim_text_add(out, "%s: %s", name, f->one->cause);
  return true;
}

/* No kernel waits, but one loops: the first tile's own cause. */
static bool add_endless(struct finder *f, struct sim_text *out) {
  unsigned tile = 0;
  char name[80];
  while (tile < CHIP_TILES && !(f->parties[tile] & 1u << OBS_PARTY_LOOPING)) tile++;
  if (tile == CHIP_TILES) return false;
  obs_hang_find_part(chip_endpoint_peek(f->chip, tile)->self, f->programs ? f->programs(f->context, tile) : NULL, f->one);
  obs_tile_name(f->chip, tile, name, sizeof name);
  sim_text_add(out, "%s: %s", name, f->one->cause);
  return true;
}

/* No kernel waits, but a request has not left its NIU, or not arrived. */
static bool add_held(struct finder *f, struct sim_text *out) {
  struct chip_waiting held;
  char name[80];
  if (chip_waiting(f->chip, 0, &held)) {
    if (held.packet->departs > f->hang->cycle) f->hang->cycle = held.packet->departs;
    add_name(f, out, held.packet->tile);
    sim_text_add(out, ": its ");
    add_request(f, out, held.packet);
    add_holder(f, out, &held);
    return true;
  }
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    for (unsigned noc = 0; noc < NOC_NOCS; noc++) {
      const struct chip_endpoint *e = chip_endpoint_peek(f->chip, tile);
      const struct noc_niu *niu = e->self && e->ops->niu ? e->ops->niu(e->self, noc) : NULL;
      if (!niu || !niu->queue) continue;
      obs_tile_name(f->chip, tile, name, sizeof name);
      sim_text_add(out, "%s: ", name);
      if (!add_unsent(out, noc, niu)) continue;
      sim_text_add(out, ": no later request without NOC_CTRL bit 6 has ended the transaction");
      return true;
    }
  return false;
}

/* "deadlock: NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2); reader.c:8 (...) has been waiting for ..., ..." */
static void add_closed(struct chip *chip, const struct obs_chip_hang *h, struct sim_text *out) {
  char name[128];
  sim_text_add(out, "deadlock: ");
  for (uint32_t i = 0; i < h->chain_count; i++) {
    who_words(chip, &h->waiters[h->chain[i]], name, sizeof name);
    if (i < NAMES_MAX) sim_text_add(out, "%s -> ", name);
    else if (i == NAMES_MAX) sim_text_add(out, "%u more -> ", h->chain_count - i);
  }
  who_words(chip, &h->waiters[h->chain[0]], name, sizeof name);
  sim_text_add(out, "%s", name);
  uint32_t cores = 0; /* of a long chain the waits of cores come first: a thread's wait follows from what cores do */
  for (uint32_t i = 0; i < h->chain_count; i++) cores += h->waiters[h->chain[i]].wait.agent >= TX_AGENT_TRISC0;
  for (uint32_t i = 0, shown = 0; i < h->chain_count && shown < 2; i++) {
    const struct obs_chip_waiter *w = &h->waiters[h->chain[i]];
    if (cores > 1 && w->wait.agent < TX_AGENT_TRISC0) continue;
    sim_text_add(out, "%s", shown++ ? ", " : "; ");
    add_wait(chip, out, w, " has been waiting for");
  }
}

void obs_chip_cause(struct finder *f) {
  struct obs_chip_hang *h = f->hang;
  struct sim_text out = {.data = h->cause, .size = sizeof h->cause};
  if (!h->chain_count) {
    if (!add_endless(f, &out) && !add_held(f, &out)) sim_text_add(&out, "no kernel waits; cores idle in their firmware");
    return;
  }
  if (!h->deadlock && add_own_cause(f, &out, &h->waiters[h->chain[0]])) return;
  if (!h->deadlock) {
    add_wait(f->chip, &out, &h->waiters[h->chain[0]], " has been waiting for");
    if (h->waiters[h->chain[0]].why[0]) sim_text_add(&out, ": %s", h->waiters[h->chain[0]].why);
    return;
  }
  add_closed(f->chip, h, &out);
}

static bool in_chain(const struct obs_chip_hang *h, uint32_t waiter) {
  for (uint32_t i = 0; i < h->chain_count; i++)
    if (h->chain[i] == waiter) return true;
  return false;
}

/* ", behind TRISC0", or "" where the evidence names the other tile. */
static void add_behind(struct chip *chip, const struct obs_chip_hang *h, const struct obs_chip_waiter *w,
                       struct sim_text *out) {
  char name[80];
  if (w->why[0] || w->wait.waits_for < 0) return;
  const struct obs_chip_waiter *ahead = &h->waiters[w->wait.waits_for];
  sim_text_add(out, ", behind %s", ahead->wait.name);
  if (ahead->tile == w->tile) return;
  obs_tile_name(chip, ahead->tile, name, sizeof name);
  sim_text_add(out, " of %s", name);
}

static void add_line(struct chip *chip, const struct obs_chip_hang *h, uint32_t i, bool verbose, struct sim_text *out) {
  const struct obs_chip_waiter *w = &h->waiters[i];
  sim_text_add(out, "  ");
  add_wait(chip, out, w, ": waiting for");
  add_behind(chip, h, w, out);
  if (w->why[0]) sim_text_add(out, ": %s", w->why);
  else if (w->wait.few[0]) sim_text_add(out, "; %s", w->wait.few);
  if (w->wait.detail[0]) sim_text_add(out, "; %s", w->wait.detail);
  sim_text_add(out, "\n");
  if (verbose) obs_waiter_verbose(&w->wait, out);
}

/* "have returned: TRISC0, TRISC1 of 2 tiles; NCRISC of Tensix (3,2), NoC 0 (3,2)": tiles with the same cores together. */
static void add_returned(struct chip *chip, const struct obs_chip_hang *h, struct sim_text *out) {
  unsigned groups = 0, left = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    unsigned before = 0, same = 0;
    for (unsigned k = 0; k < CHIP_TILES; k++)
      if (h->returned[k] == h->returned[tile]) same++, before += k < tile;
    if (!h->returned[tile] || before) continue;
    if (groups++ == TILES_LISTED) {
      left += same;
      groups--;
      continue;
    }
    sim_text_add(out, "%s", groups > 1 ? "; " : "have returned: ");
    for (unsigned core = 0, count = 0; core < TX_CORES; core++)
      if (h->returned[tile] >> core & 1u) sim_text_add(out, "%s%s", count++ ? ", " : "", tx_core_name(core));
    char name[80];
    obs_tile_name(chip, tile, name, sizeof name);
    if (same > 1) sim_text_add(out, " of %u tiles", same);
    else sim_text_add(out, " of %s", name);
  }
  if (left) sim_text_add(out, "; and cores of %u more tile%s", left, left == 1 ? "" : "s");
  if (groups) sim_text_add(out, "\n");
}

/* "loop forever: NCRISC of Tensix (1,2) at reader.c:9" */
static void add_loops(struct chip *chip, const struct obs_chip_hang *h, struct sim_text *out) {
  unsigned count = 0;
  for (uint32_t i = 0; i < h->party_count; i++) {
    const struct obs_chip_party *p = &h->parties[i];
    char name[80], at[176];
    if (p->party.state != OBS_PARTY_LOOPING || ++count > TILES_LISTED) continue;
    obs_tile_name(chip, p->tile, name, sizeof name);
    obs_at_words(&p->party.place, at, sizeof at);
    sim_text_add(out, "%s%s of %s%s", count > 1 ? ", " : "loop forever: ", p->party.name, name, at);
  }
  if (count > TILES_LISTED) sim_text_add(out, ", and %u more", count - TILES_LISTED);
  if (count) sim_text_add(out, "\n");
}

void obs_chip_hang_text(struct chip *chip, const struct obs_chip_hang *h, bool verbose, struct sim_text *out) {
  uint32_t lines = 0;
  const char *packets = chip_network_under_way(chip_network(chip)) ? "no packet can move on" : "no packet is in flight";
  sim_text_add(out, "hang after %llu cycles: %s\n", (unsigned long long)h->cycle, h->cause);
  if (!h->tiles) sim_text_add(out, "no event is due, %s, and no kernel waits\n", packets);
  else
    sim_text_add(out, "no event is due, %s, and %u tile%s wait%s%s\n", packets, h->tiles, h->tiles == 1 ? "" : "s",
                 h->tiles == 1 ? "s" : "",
                 h->deadlock ? "; of the closed chain each waits for the next, the last for the first" : "");
  for (uint32_t i = h->deadlock || verbose ? 0 : 1; i < h->chain_count; i++, lines++)
    add_line(chip, h, h->chain[i], verbose, out);
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (in_chain(h, i)) continue;
    if (lines++ < LINES_MAX || verbose) add_line(chip, h, i, verbose, out);
  }
  if (lines > LINES_MAX && !verbose) sim_text_add(out, "  and %u waits more: --verbose lists them\n", lines - LINES_MAX);
  add_returned(chip, h, out);
  add_loops(chip, h, out);
  add_lost(chip, out);
}
