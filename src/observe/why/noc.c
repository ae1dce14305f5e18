/* The causes of why/noc.h. */
#include "observe/why/noc.h"

#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "observe/report/chip_figures.h"
#include "observe/why/propose.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

static uint64_t cycles_of(const struct why_verdict *v) { return obs_account_cycles(&v->p->account); }

struct spot {
  const struct why_verdict *v;
  const struct why_line *line;
};

static bool is_noc(const void *context, const struct obs_own_wait *own) {
  (void)context;
  return obs_why_polls_noc(own->object);
}

static bool is_spot(const void *context, const struct obs_own_wait *own) {
  const struct spot *s = context;
  return obs_why_polls_noc(own->object) && obs_why_is_line(s->v->tile, s->v->main, own->pc, s->line);
}

/* The line's own share of the path: polls of the main agent there. */
static double polls_share(const struct why_verdict *v, const struct why_line *line) {
  const struct spot spot = {v, line};
  return obs_why_path_share(v->path, obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_spot, &spot));
}

#define LONG_POLLS \
  2u /* waits of a line that are at least so many times shorter than the longest are no cause of their own */

/* The lines at which the main agent waits for its requests, on the path; the one with the most polls of all may wait for a word. Of those that
 * wait about as long as each other, the one with the most cycles: a rerun without the line saves its work, too. */
static bool longest_polls(const struct why_verdict *v, struct why_line *best) {
  struct why_line lines[OBS_OWN_WAITS];
  double share[OBS_OWN_WAITS], longest = 0;
  unsigned count = 0;
  for (unsigned i = 0; i < OBS_OWN_WAITS; i++) {
    const struct obs_own_wait *own = &v->path->own[i];
    if (!own->cycles || own->agent != v->main || own->category != TX_BLOCKED_ADDRESS || !obs_why_polls_noc(own->object) ||
        !obs_why_line_at(v->tile, v->main, own->pc, &lines[count]))
      continue;
    share[count] = polls_share(v, &lines[count]);
    if (share[count] > longest) longest = share[count];
    count++;
  }
  *best = (struct why_line){.file = NULL};
  for (unsigned i = 0; i < count; i++) {
    if (share[i] * LONG_POLLS < longest) continue;
    lines[i].cycles = obs_why_line_cycles(v->tile, v->main, &lines[i]);
    if (lines[i].cycles > best->cycles) *best = lines[i];
  }
  return best->cycles != 0;
}

/* A poll of NOC_CMD_CTRL: the core waits until the NIU has sent the request before. */
static bool is_command(const void *context, const struct obs_own_wait *own) {
  const uint32_t offset = (own->object - TX_ADDR_NOC) % TX_NOC_BYTES;
  return is_spot(context, own) && offset < NOC_INITIATORS * NOC_INITIATOR_STRIDE &&
         offset % NOC_INITIATOR_STRIDE == NOC_REG_CMD_CTRL;
}

/* Is most of the wait there for a free initiator, and not for answers? */
static bool waits_to_send(const struct why_verdict *v, const struct why_line *line) {
  const struct spot spot = {v, line};
  return 2 * obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_command, &spot) >
         obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_spot, &spot);
}

/* The rerun is the advised change: one barrier behind the loop, or, where each page has its own, no wait at all. */
static void advise_barrier(const struct why_verdict *v, const struct why_line *line) {
  struct dbg_extent loop;
  if (waits_to_send(v, line)) {
    sim_text_add(v->out,
                 "fewer, larger requests: at %s:%u the core waits until the NIU has sent the one before; the rerun has "
                 "no wait there, and is the limit of this\n",
                 line->file, line->line);
    return;
  }
  if (v->why->keeps_waits) {
    sim_text_add(v->out,
                 "more requests in flight, with a transaction id for each: what follows the wait at %s:%u in its loop rests "
                 "on it, so it cannot move behind the loop; the rerun has no wait there, and is the limit of this\n",
                 line->file, line->line);
    return;
  }
  if (!obs_why_loop(v->tile, v->main, line, &loop)) {
    sim_text_add(
        v->out,
        "more requests in flight: request the next pages before the wait at %s:%u for this one, with a transaction id "
        "for each; the rerun has no wait there, and is the limit of this\n",
        line->file, line->line);
    return;
  }
  size_t used = strlen(v->what_if->text);
  snprintf(v->what_if->text + used, sizeof v->what_if->text - used, OBS_WHY_MOVED_WAIT);
  sim_text_add(v->out,
               "one barrier for all requests of the loop at %s:%u-%u: move that of %s:%u behind it; the rerun keeps the "
               "loop's instructions, and the compiler may make better ones without the barrier\n",
               loop.name, loop.first, loop.last, line->file, line->line);
}

bool obs_why_bound_by_noc(const struct why_verdict *v) {
  struct why_line line;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  const uint64_t path = v->path->cycles[v->main], part = v->part ? v->part->cycles : 0;
  /* the larger half of the core's path, or a quarter that no part of its own work reaches */
  if (!polls || (polls < path / 2 && (polls < path / 4 || polls <= part))) return false;
  sim_text_add(v->out, "bound by the NoC: %s waits for its requests", obs_agent_name(v->main));
  if (!longest_polls(v, &line)) {
    obs_why_propose(v, "noc");
    sim_text_add(v->out, "\n  change: more requests in flight\n");
    return true;
  }
  obs_why_propose_line(v, &line);
  sim_text_add(v->out, " at ");
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out, ", %.1f%% of the critical path\n  change: ", polls_share(v, &line));
  advise_barrier(v, &line);
  return true;
}

#define TURN_SHARE 3u      /* of its cycles: a core that waits in turn */
#define BANK_BUSY_MIN 40.0 /* per cent of the cycles */
#define BANK_TIMES 2.0     /* as busy as a bank on average */

/* The busiest controller, and the mean of all, in per cent of the cycles. */
static unsigned busiest_bank(const struct why_verdict *v, double *busy, double *mean) {
  uint64_t sum = 0;
  unsigned best = 0;
  for (unsigned i = 0; i < CHIP_DRAMS; i++) {
    uint64_t cycles = chip_dram_busy(v->why->chip, i);
    sum += cycles;
    if (cycles > chip_dram_busy(v->why->chip, best)) best = i;
  }
  *busy = obs_why_share(chip_dram_busy(v->why->chip, best), cycles_of(v));
  *mean = obs_why_share(sum, cycles_of(v)) / CHIP_DRAMS;
  return best;
}

/* A core waits for its requests, and one bank of DRAM serves most of them while others are idle. */
bool obs_why_bound_by_bank(const struct why_verdict *v) {
  struct why_line line = {.file = NULL};
  double busy, mean;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!v->why->chip || !polls || polls < v->path->cycles[v->main] / 2) return false;
  unsigned bank = busiest_bank(v, &busy, &mean);
  if (busy < BANK_BUSY_MIN || busy < BANK_TIMES * mean) return false;
  sim_text_add(v->out,
               "bound by DRAM bank %u, busy %.1f%% of the cycles (all banks on average %.1f%%): %s waits for its requests",
               bank, busy, mean, obs_agent_name(v->main));
  if (longest_polls(v, &line)) sim_text_add(v->out, " at "), obs_why_add_line(v->out, &line);
  sim_text_add(v->out,
               "\n  change: spread the requests over the banks: page n of an interleaved tensor is in bank n %% %u, so "
               "consecutive pages, or tiles that begin at different ones; the rerun keeps the kernel's instructions, and an "
               "address of a page whose number is no constant takes about 25 cycles more\n",
               CHIP_DRAMS);
  snprintf(v->what_if->text, sizeof v->what_if->text, "dram %u", bank);
  return true;
}

#define FULL_MIN 80.0      /* per cent of the cycles: DRAM that carries little more */
#define LINK_FULL_MIN 70.0 /* the same of a link: at the start and end of a kernel it carries nothing */

struct busy_link {
  unsigned noc, tile, port;
  double share;
};

static struct busy_link busiest_link(const struct why_verdict *v) {
  struct busy_link best = {.share = 0};
  for (unsigned i = 0; i < CHIP_NOCS * CHIP_TILES * (CHIP_PORT_FROM_NIU + 1u); i++) {
    struct busy_link l = {.port = i % (CHIP_PORT_FROM_NIU + 1u), .noc = i / (CHIP_PORT_FROM_NIU + 1u) % CHIP_NOCS};
    l.tile = i / (CHIP_PORT_FROM_NIU + 1u) / CHIP_NOCS;
    l.share = obs_why_share(obs_chip_link(v->why->chip, l.noc, l.tile, (enum chip_router_port)l.port).flits, cycles_of(v));
    if (l.share > best.share) best = l;
  }
  return best;
}

static void add_busy_link(struct sim_text *out, const struct busy_link *l) {
  static const char *const names[] = {"into the tile", "along x behind the tile", "along y behind the tile",
                                      "out of the tile"};
  sim_text_add(out, "the link of NoC %u %s at (%u,%u), which carries data in %.1f%% of the cycles", l->noc, names[l->port],
               l->tile % CHIP_GRID_X, l->tile / CHIP_GRID_X, l->share < 100 ? l->share : 100.0);
}

static void propose_link(const struct why_verdict *v, const struct busy_link *l) {
  static const char *const names[] = {"in", "x", "y", "out"};
  snprintf(v->what_if->text, sizeof v->what_if->text, "link %u %u,%u %s", l->noc, l->tile % CHIP_GRID_X,
           l->tile / CHIP_GRID_X, names[l->port]);
}

/* The tiles on which the core waits most at the line of the verdict. */
static unsigned waiting_tiles(const struct why_verdict *v, const struct why_line *line) {
  unsigned count = 0;
  for (unsigned i = 0; i < v->why->count; i++) {
    const struct obs_why_tile *tile = &v->why->tiles[i];
    struct why_line other;
    if (!obs_why_row(&tile->p->account, v->main)->cycles[TX_BLOCKED_ADDRESS]) continue;
    if (!obs_why_hottest(tile, v->main, TX_BLOCKED_ADDRESS, &other)) continue;
    count += other.line == line->line && strcmp(other.file, line->file) == 0;
  }
  return count;
}

/* What a link between a tile and the NoC carries: of others' requests, or of its own. */
struct link_users {
  uint64_t words, all;        /* data of the larger kind, and of both */
  uint32_t requests;          /* of that kind */
  const char *before, *after; /* the number of requests */
  const char *advice;
};

static bool find_users(const struct why_verdict *v, const struct busy_link *l, struct link_users *out) {
  const struct tx_tile *t = obs_chip_cores((struct chip *)v->why->chip, l->tile);
  if (!t || (l->port != CHIP_PORT_NIU && l->port != CHIP_PORT_FROM_NIU)) return false;
  const uint32_t *c = t->niu[l->noc].counter;
  const struct link_users kinds[2][2] = {
      {{.words = c[NOC_SLV_RD_WORDS],
        .requests = c[NOC_SLV_RD],
        .before = "answers to",
        .after = "reads of this tile's memory",
        .advice = "let this tile multicast what several tiles read, or keep copies of the data in several tiles"},
       {.words = (uint64_t)c[NOC_MST_NP_WORDS] + c[NOC_MST_P_WORDS],
        .requests = c[NOC_MST_NP_WR] + c[NOC_MST_P_WR],
        .before = "data of",
        .after = "writes by this tile",
        .advice = "send what several tiles use once, by multicast, or let several tiles hold and send a part of the data"}},
      {{.words = (uint64_t)c[NOC_SLV_NP_WORDS] + c[NOC_SLV_P_WORDS],
        .requests = c[NOC_SLV_NP_WR] + c[NOC_SLV_P_WR],
        .before = "data of",
        .after = "writes by other tiles",
        .advice = "divide what is written there among several tiles, or combine it on the way"},
       {.words = c[NOC_MST_RD_WORDS],
        .requests = c[NOC_MST_RD_SENT],
        .before = "answers to",
        .after = "reads by this tile",
        .advice = "keep what it reads again, or divide its work among several tiles"}}};
  const struct link_users *of = kinds[l->port == CHIP_PORT_NIU];
  *out = of[of[1].words > of[0].words];
  out->all = of[0].words + of[1].words;
  return out->words != 0;
}

/* "94.1% of what it carries are answers to 384 reads of this tile's memory, and on 15 of 16 tiles NCRISC waits at reader.c:7: let ..." */
static void advise_link(const struct why_verdict *v, const struct busy_link *l, const struct why_line *line) {
  struct link_users users;
  sim_text_add(v->out, "move less over this link: ");
  if (!find_users(v, l, &users)) {
    sim_text_add(
        v->out, "packets between several tiles share it: multicast what several tiles read, keep the data in several tiles, "
                "place tiles that exchange data side by side, or send a part over the other NoC");
    return;
  }
  sim_text_add(v->out, "%.1f%% of what it carries are %s %u %s", obs_why_share(users.words, users.all), users.before,
               users.requests, users.after);
  if (v->why->count > 1 && line->file)
    sim_text_add(v->out, ", and on %u of %u tiles %s waits at %s:%u", waiting_tiles(v, line), v->why->count,
                 obs_agent_name(v->main), line->file, line->line);
  sim_text_add(v->out, ": %s", users.advice);
}

/* A core waits for its requests, and a link or all of DRAM has no more to give: no order of the requests makes it faster. */
bool obs_why_bound_by_capacity(const struct why_verdict *v) {
  struct why_line line;
  double busy, mean;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!v->why->chip || !polls || polls < v->path->cycles[v->main] / 2) return false;
  const struct busy_link link = busiest_link(v);
  busiest_bank(v, &busy, &mean);
  bool dram = mean >= FULL_MIN;
  if (!dram && link.share < LINK_FULL_MIN) return false;
  sim_text_add(v->out, "bound by ");
  if (dram) sim_text_add(v->out, "DRAM, whose banks are busy %.1f%% of the cycles on average", mean);
  else add_busy_link(v->out, &link);
  sim_text_add(v->out, ": %s waits for its requests", obs_agent_name(v->main));
  if (longest_polls(v, &line)) sim_text_add(v->out, " at "), obs_why_add_line(v->out, &line);
  sim_text_add(v->out, "\n  change: ");
  if (dram) sim_text_add(v->out, "fetch less from DRAM: keep data in L1, or multicast what several tiles read");
  else advise_link(v, &link, &line);
  sim_text_add(v->out, "; more requests in flight save at most the rest of the cycles; the rerun %s\n",
               dram ? "carries all data at once, and is the limit of this"
                    : "makes the same requests, and those over this link load no other link and no memory: requests that "
                      "are left out also save their instructions (--what-if CORE@FILE:LINE)");
  if (dram) obs_why_propose(v, "links");
  else propose_link(v, &link);
  return true;
}

/* The word of L1 that the agent polls at the line; 0: not known. */
static uint32_t word_at(const struct why_verdict *v, const struct why_line *line) {
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &v->p->rows[i];
    if (!r->cycles || r->agent != v->main || r->category != TX_BLOCKED_ADDRESS || r->object >= TX_L1_BYTES) continue;
    if (obs_why_is_line(v->tile, v->main, r->pc, line)) return r->object & ~3u;
  }
  return 0;
}

/* The only semaphore that another tile wrote last; 0: none, or several. A loop of several loads is not known by its address. */
static uint32_t only_semaphore(const struct tx_tile *t) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < LAUNCH_SEMAPHORE_COUNT; i++) {
    struct tx_memo_writer writer;
    uint32_t word = LAUNCH_SEMAPHORES + 16 * i;
    if (!tx_memo_find(t, word, 4, &writer) || writer.last.agent != TX_AGENT_NETWORK) continue;
    if (found) return 0;
    found = word;
  }
  return found;
}

/* "NoC semaphore 2", "the word at 0x00090000" */
static void add_word(struct sim_text *out, uint32_t address, bool semaphore) {
  unsigned index;
  if (semaphore && obs_is_noc_semaphore(address, &index)) sim_text_add(out, "NoC semaphore %u", index);
  else if (address) sim_text_add(out, "the word at 0x%08x", address);
  else sim_text_add(out, "a semaphore");
}

static const struct obs_why_tile *tile_at(const struct obs_why *why, unsigned x, unsigned y) {
  for (unsigned i = 0; i < why->count; i++)
    if (why->tiles[i].x == x && why->tiles[i].y == y) return &why->tiles[i];
  for (unsigned i = 0; i < why->other_count; i++)
    if (why->others[i].x == x && why->others[i].y == y) return &why->others[i];
  return NULL;
}

/* Does the tile whose core writes the word wait for this one in turn, most of its time? Then neither is slow: the way there and back is. */
static bool waits_in_turn(const struct why_verdict *v, const struct tx_memo_source *source, struct why_line *line) {
  const unsigned from = source->tile - 1u;
  const struct obs_why_tile *other = source->tile ? tile_at(v->why, from % NOC_GRID_X, from / NOC_GRID_X) : NULL;
  if (!other || other == v->tile || source->agent < TX_AGENT_TRISC0) return false;
  if (!obs_why_hottest(other, source->agent, WHY_ALL, line) || !line->call || !strstr(line->call, "emaphore_wait"))
    return false;
  return line->cycles > obs_account_cycles(&other->p->account) / TURN_SHARE;
}

static void add_turn(const struct why_verdict *v, const struct tx_memo_source *source, const struct why_line *other) {
  const unsigned from = source->tile - 1u;
  sim_text_add(v->out, ", and %s of tile (%u, %u), which writes it, waits for another tile in turn at ",
               obs_agent_name(source->agent), from % NOC_GRID_X, from / NOC_GRID_X);
  obs_why_add_line(v->out, other);
  sim_text_add(v->out, ": the way there and back is the cause\n  change: fewer hand-overs between the two tiles: count "
                       "several pages at once, or let one run ahead of the other by several\n");
}

#define HAND_OVER_SHARE 5u /* of the core's cycles: a wait that is a part of the way there and back */

/* Is most of the core's path its own work between a receipt and the next hand-over? Then a shorter way saves little. */
static bool works_between(const struct why_verdict *v) {
  const uint64_t path = v->path->cycles[v->main];
  if (!v->part || (v->part->line.call && strstr(v->part->line.call, "emaphore_wait"))) return false;
  return 2 * v->part->cycles >= path && 2 * v->path->own_wait[v->main][TX_BLOCKED_ADDRESS] < path;
}

/* The core sends, waits until the data has arrived and then for the other tile's answer, which waits for it in turn: of its cycles half are
 * waits for the NoC and for the semaphore. */
bool obs_why_bound_by_hand_overs(const struct why_verdict *v) {
  const struct tx_tile *t = v->p->account.t;
  struct why_line line, other;
  struct tx_memo_writer writer;
  if (v->main < TX_AGENT_TRISC0 || works_between(v)) return false;
  if (!obs_why_hottest_call(v->tile, v->main, "emaphore_wait", &line)) return false;
  uint32_t word = word_at(v, &line);
  if (!word) word = only_semaphore(t);
  const uint64_t path = v->path->cycles[v->main];
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (line.cycles < path / HAND_OVER_SHARE || line.cycles + polls < path / 2) return false;
  if (!word || !tx_memo_find(t, word, 4, &writer) || writer.last.agent != TX_AGENT_NETWORK) return false;
  if (!waits_in_turn(v, &writer.source, &other)) return false;
  sim_text_add(v->out, "bound by another tile: %s waits for ", obs_agent_name(v->main));
  add_word(v->out, word, true);
  sim_text_add(v->out, " at ");
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out, " %.1f%% of the cycles", obs_why_share(line.cycles, cycles_of(v)));
  add_turn(v, &writer.source, &other);
  return true;
}

/* The core waits for a word of its L1 that another tile writes: a semaphore of the kernel library, or one that a packet changed last. */
bool obs_why_bound_by_tile(const struct why_verdict *v) {
  const struct tx_tile *t = v->p->account.t;
  struct why_line line;
  struct tx_memo_writer writer = {.source = {.tile = 0}};
  if (v->main < TX_AGENT_TRISC0 || works_between(v) || !obs_why_hottest(v->tile, v->main, WHY_ALL, &line)) return false;
  uint32_t word = word_at(v, &line);
  bool semaphore = line.call && strstr(line.call, "emaphore_wait");
  if (semaphore && !word) word = only_semaphore(t);
  bool sent = word && tx_memo_find(t, word, 4, &writer) && writer.last.agent == TX_AGENT_NETWORK;
  bool polls = sent && v->path->own_wait[v->main][TX_BLOCKED_ADDRESS] > v->path->cycles[v->main] / 2;
  if ((!semaphore && !polls) || line.cycles < v->path->cycles[v->main] / 2) return false;
  sim_text_add(v->out, "bound by another tile: %s waits for ", obs_agent_name(v->main));
  add_word(v->out, word, semaphore);
  sim_text_add(v->out, " at ");
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out, " %.1f%% of the cycles", obs_why_share(line.cycles, cycles_of(v)));
  unsigned from = writer.source.tile - 1u, x = from % NOC_GRID_X, y = from / NOC_GRID_X;
  struct why_line other;
  if (sent && waits_in_turn(v, &writer.source, &other)) {
    add_turn(v, &writer.source, &other);
    return true;
  }
  if (sent && writer.source.tile)
    sim_text_add(v->out,
                 ", which %s of the tile at (%u,%u) of NoC 0 wrote last\n  change: find out what that tile does before: "
                 "--tile %u,%u --why; or do other work before this wait\n",
                 obs_agent_name(writer.source.agent), x, y, x, y);
  else
    sim_text_add(v->out, "\n  change: find out what the tile that writes it does before (--tile X,Y --why), or do other "
                         "work before this wait\n");
  return true;
}
