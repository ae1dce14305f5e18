/* The causes of why_cause.h. */
#include "observe/why_cause.h"

#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "observe/chip_figures.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

#define LAUNCH_BUFFERS_AT 0x88u  /* launch.h: struct launch_buffer[32] */
#define LAUNCH_THROTTLE_AT 0x70u /* launch.h: throttle */

static uint32_t pages_of(const struct tx_tile *t, unsigned buffer) {
  return tx_l1_read(t, LAUNCH_BUFFERS_AT + 16 * buffer + 8, 4);
}

static const char *advice_for_unit(unsigned unit) {
  switch (unit) {
    case TX_UNIT_MATRIX: return "fewer fidelity phases (MATH_FIDELITY), no throttle, or fewer products";
    case TX_UNIT_VECTOR: return "fewer or cheaper SFPU instructions per tile, or SFPLOADMACRO to overlap them";
    case TX_UNIT_UNPACK: return "unpack less: keep an operand in SrcA or SrcB, or let both unpackers work at once";
    case TX_UNIT_PACK: return "pack less: a narrower format, or fewer rows per PACR";
    default: return "issue fewer instructions to this unit";
  }
}

#define PUSHES_SHARE 4u /* a part that pushes a word in at least one of so many cycles is bound by its pushes */

/* The part is a call of the library: the user cannot change what it pushes. */
static bool is_library_call(unsigned agent, const struct why_part *part) {
  bool t_core = agent < TX_AGENT_BRISC, own = part->call && part->line.call && strcmp(part->call, part->line.call) != 0;
  return t_core && part->line.call && !own && part->extent.first && !part->loop;
}

static const char *advice_for_core(unsigned agent, const struct why_part *part) {
  bool copies = (part->call && strstr(part->call, "copy")) || (part->line.call && strstr(part->line.call, "copy"));
  if (part->line.call && strstr(part->line.call, "emaphore_wait"))
    return "this core waits there for another tile: fewer, larger hand-overs, or other work before the wait";
  if (!copies && (part->category == TX_REASON_LOAD || part->category == TX_REASON_PORT))
    return "this core loads or stores the data itself, word by word: compute on the T cores, let the NoC or the mover move "
           "whole "
           "pages, or touch fewer words";
  if (copies)
    return "this core copies the data itself: let the NoC or the mover copy whole pages, and keep several requests in "
           "flight";
  if (part->category == TX_REASON_FETCH) return "its loop does not fit into the instruction cache, or jumps too far";
  if (agent >= TX_AGENT_BRISC)
    return "do less per page on this core, share the work with the other one, or move larger pieces at once";
  if (part->words * PUSHES_SHARE >= part->cycles)
    return "push fewer words: a MOP or the replay buffer issues many instructions for one word";
  return "do less on this core between its pushes: compute it once before the loop, or on a core that waits";
}

/* A thread that issues without pause keeps a unit busy. Unpackers and matrix unit wait for each other's banks: those of the
 * other thread are not considered. */
static unsigned busiest(const struct obs_account *a, unsigned thread) {
  unsigned best = TX_UNIT_SYNC, other = thread == TX_AGENT_THREAD1 ? TX_UNIT_UNPACK : TX_UNIT_MATRIX;
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++)
    if (unit != other && a->unit[unit].cycles[OBS_BUSY] > a->unit[best].cycles[OBS_BUSY]) best = unit;
  return best;
}

/* --- causes, most specific first: each adds the verdict and returns true, or does not apply --- */

#define TURNS_MIN 4u /* moves of the path: fewer occur at the start and end only */
#define TURNS_SHARE 12.0
#define PUSHED_BUSY_MIN 70.0

static uint64_t cycles_of(const struct why_verdict *v) { return obs_account_cycles(&v->p->account); }

static void propose(const struct why_verdict *v, const char *what_if) {
  snprintf(v->what_if->text, sizeof v->what_if->text, "%s", what_if);
}

static void propose_extent(const struct why_verdict *v, unsigned agent, const struct dbg_extent *extent) {
  unsigned core = agent <= TX_AGENT_THREAD2 ? agent + TX_AGENT_TRISC0 : agent;
  char name[300];
  dbg_extent_text(extent, name, sizeof name);
  snprintf(v->what_if->text, sizeof v->what_if->text, "%.8s@%.300s", obs_agent_name(core), name);
}

static void propose_line(const struct why_verdict *v, const struct why_line *line) {
  struct dbg_extent extent = {.first = line->line, .last = line->line};
  snprintf(extent.name, sizeof extent.name, "%s", line->file);
  propose_extent(v, v->main, &extent);
}

/* A move of the path from an agent that waits for room in a buffer of one page, one of many such; NULL: none. */
static const struct obs_turns *find_single_buffer(const struct why_verdict *v, unsigned *waiter, unsigned *buffer) {
  unsigned pushes;
  for (unsigned waits = TX_AGENT_TRISC0; waits < OBS_PATH_AGENTS; waits++)
    for (unsigned other = 0; other < OBS_PATH_AGENTS; other++) {
      const struct obs_turns *turns = &v->path->turns[waits][other];
      if (turns->times < TURNS_MIN || turns->category != TX_BLOCKED_ADDRESS ||
          !obs_profile_buffer(turns->object, buffer, &pushes) || pushes || pages_of(v->p->account.t, *buffer) != 1)
        continue;
      *waiter = waits;
      return turns;
    }
  return NULL;
}

/* "CB 0, CB 1 and CB 16": all that the rerun changes. Returns their number. */
static unsigned add_single_buffers(const struct why_verdict *v) {
  unsigned count = 0, said = 0;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) count += pages_of(v->p->account.t, i) == 1;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    if (pages_of(v->p->account.t, i) != 1) continue;
    sim_text_add(v->out, "%sCB %u", !said ? "" : said + 1 == count ? " and " : ", ", i);
    said++;
  }
  return count;
}

/* The producer repeatedly waits for room in a buffer of one page: two pages save at most what the path spends on other agents. */
static bool bound_by_single_buffer(const struct why_verdict *v) {
  unsigned waits, buffer;
  struct why_line line;
  const struct obs_turns *turns = find_single_buffer(v, &waits, &buffer);
  if (!turns) return false;
  sim_text_add(v->out, "bound by a single buffer: CB %u has one page, and its two sides take turns: ", buffer);
  if (obs_why_polls(v->tile, waits, turns->object, &line)) obs_why_add_line(v->out, &line);
  else sim_text_add(v->out, "%s", obs_agent_name(waits));
  sim_text_add(v->out, " waits for room\n  change: give ");
  sim_text_add(v->out, " two pages%s\n", add_single_buffers(v) > 1 ? " each, as the rerun does" : "");
  propose(v, "buffers");
  return true;
}

#define WHOLE_SHARE_MIN 10.0 /* per cent of the cycles: of the waits, and of the path beside the producer */

static bool is_of_t_cores(unsigned agent) { return agent < TX_AGENT_BRISC; }

/* The buffer with most cycles in waits for several pages that the path leaves for the producer; NULL: none. The T cores run one source in
 * one order: a page of their own is not what they could use earlier. */
static const struct obs_whole_waits *find_whole_wait(const struct why_verdict *v, unsigned *buffer, unsigned *producer) {
  const struct obs_whole_waits *best = NULL;
  const struct tx_tile *t = v->p->account.t;
  for (unsigned i = 0; i < OBS_BUFFERS; i++) {
    const struct obs_whole_waits *w = &v->p->whole_waits[i];
    if (!w->waits || !t->buffer_writer[i][1].known || pages_of(t, i) < 2 || (best && w->cycles <= best->cycles)) continue;
    const unsigned other = t->buffer_writer[i][1].agent;
    if (other >= OBS_PATH_AGENTS || !v->path->turns[w->consumer][other].times) continue;
    if (is_of_t_cores(w->consumer) && is_of_t_cores(other)) continue;
    best = w;
    *buffer = i;
    *producer = other;
  }
  return best;
}

/* The consumer waits for all pages of a block before it uses the first: neither works while the other does. */
static bool bound_by_whole_wait(const struct why_verdict *v) {
  unsigned buffer = 0, producer = 0;
  struct why_line line;
  const struct obs_whole_waits *w = find_whole_wait(v, &buffer, &producer);
  if (!w || obs_why_share(w->cycles, cycles_of(v)) < WHOLE_SHARE_MIN) return false;
  if (100 - obs_why_agent_share(v, producer) < WHOLE_SHARE_MIN) return false;
  const uint32_t counter = TX_ADDR_STREAM + buffer * TX_STREAM_BYTES + noc_stream_index(NOC_STREAM_DEST_SIZE) * 4u;
  sim_text_add(v->out, "bound by a wait for all pages first: %s waits", obs_agent_name(w->consumer));
  if (obs_why_polls(v->tile, w->consumer, counter, &line)) sim_text_add(v->out, " at "), obs_why_add_line(v->out, &line);
  sim_text_add(v->out,
               " for %u pages of CB %u, which %s pushes one after the other, before it uses the first; these waits take "
               "%.1f%% of the cycles\n  change: wait for each page where it is used, so that both work at once: "
               "cb_wait_front(%u, 1) and cb_pop_front(%u, 1) in the loop, or cb_wait_front(%u, i + 1) if the pages stay\n",
               w->pages, buffer, obs_agent_name(producer), obs_why_share(w->cycles, cycles_of(v)), buffer, buffer, buffer);
  snprintf(v->what_if->text, sizeof v->what_if->text, "%s page by page", obs_agent_name(w->consumer));
  return true;
}

/* The unpack thread waits for the math thread and the math thread for SrcA or SrcB: no bank is filled while the other is in
 * use. */
static bool bound_by_turns(const struct why_verdict *v) {
  const struct obs_turns *unpack = &v->path->turns[TX_AGENT_THREAD0][TX_AGENT_THREAD1],
                         *math = &v->path->turns[TX_AGENT_THREAD1][TX_AGENT_THREAD0];
  if (unpack->times < TURNS_MIN || math->times < TURNS_MIN || obs_why_agent_share(v, TX_AGENT_THREAD1) < TURNS_SHARE ||
      obs_why_agent_share(v, TX_AGENT_THREAD0) + obs_why_agent_share(v, TX_AGENT_TRISC0) < TURNS_SHARE)
    return false;
  sim_text_add(v->out, "bound by unpack and math that take turns: thread 0 waits for thread 1");
  if (unpack->category == TX_BLOCKED_SEMAPHORE && unpack->object)
    snprintf(v->what_if->text, sizeof v->what_if->text, "semaphore %u", (unsigned)__builtin_ctz(unpack->object));
  obs_why_add_place(v->out, v->tile, TX_AGENT_THREAD0, unpack->category, " at ");
  obs_why_add_place(v->out, v->tile, TX_AGENT_THREAD1, math->category, ", thread 1 for thread 0 at ");
  sim_text_add(
      v->out,
      "\n  change: let the unpackers fill the other bank while the matrix unit works: no wait for math before UNPACR\n");
  return true;
}

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
  if (!obs_why_loop(v->tile, v->main, line, &loop)) {
    sim_text_add(
        v->out,
        "more requests in flight: request the next pages before the wait at %s:%u for this one, with a transaction id "
        "for each; the rerun has no wait there, and is the limit of this\n",
        line->file, line->line);
    return;
  }
  size_t used = strlen(v->what_if->text);
  snprintf(v->what_if->text + used, sizeof v->what_if->text - used, " behind its loop");
  sim_text_add(v->out,
               "one barrier for all requests of the loop at %s:%u-%u: move that of %s:%u behind it; the rerun keeps the "
               "loop's instructions, and the compiler may make better ones without the barrier\n",
               loop.name, loop.first, loop.last, line->file, line->line);
}

static bool bound_by_noc(const struct why_verdict *v) {
  struct why_line line;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!polls || polls < v->path->cycles[v->main] / 2) return false;
  sim_text_add(v->out, "bound by the NoC: %s waits for its requests", obs_agent_name(v->main));
  if (!obs_why_hottest(v->tile, v->main, TX_BLOCKED_ADDRESS, &line)) {
    propose(v, "noc");
    sim_text_add(v->out, "\n  change: more requests in flight\n");
    return true;
  }
  propose_line(v, &line);
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
static bool bound_by_bank(const struct why_verdict *v) {
  struct why_line line;
  double busy, mean;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!v->why->chip || !polls || polls < v->path->cycles[v->main] / 2) return false;
  unsigned bank = busiest_bank(v, &busy, &mean);
  if (busy < BANK_BUSY_MIN || busy < BANK_TIMES * mean) return false;
  sim_text_add(v->out,
               "bound by DRAM bank %u, busy %.1f%% of the cycles (all banks on average %.1f%%): %s waits for its requests",
               bank, busy, mean, obs_agent_name(v->main));
  if (obs_why_hottest(v->tile, v->main, TX_BLOCKED_ADDRESS, &line))
    sim_text_add(v->out, " at "), obs_why_add_line(v->out, &line);
  sim_text_add(v->out,
               "\n  change: spread the requests over the banks: page n of an interleaved tensor is in bank n %% %u, so "
               "consecutive pages, or tiles that begin at different ones\n",
               CHIP_DRAMS);
  snprintf(v->what_if->text, sizeof v->what_if->text, "dram %u", bank);
  return true;
}

#define FULL_MIN 80.0 /* per cent of the cycles: a link or DRAM that carries little more */

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

/* A core waits for its requests, and a link or all of DRAM has no more to give: no order of the requests makes it faster. */
static bool bound_by_capacity(const struct why_verdict *v) {
  struct why_line line;
  double busy, mean;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!v->why->chip || !polls || polls < v->path->cycles[v->main] / 2) return false;
  const struct busy_link link = busiest_link(v);
  busiest_bank(v, &busy, &mean);
  bool dram = mean >= FULL_MIN;
  if (!dram && link.share < FULL_MIN) return false;
  sim_text_add(v->out, "bound by ");
  if (dram) sim_text_add(v->out, "DRAM, whose banks are busy %.1f%% of the cycles on average", mean);
  else add_busy_link(v->out, &link);
  sim_text_add(v->out, ": %s waits for its requests", obs_agent_name(v->main));
  if (obs_why_hottest(v->tile, v->main, TX_BLOCKED_ADDRESS, &line))
    sim_text_add(v->out, " at "), obs_why_add_line(v->out, &line);
  sim_text_add(v->out, "\n  change: %s; more requests in flight save at most the rest of the cycles\n",
               dram ? "fetch less from DRAM: keep data in L1, or multicast what several tiles read"
                    : "move less over this link: multicast what several tiles read, or keep the data in several tiles");
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
  uint32_t offset = address - LAUNCH_SEMAPHORES;
  if (semaphore && offset < 16 * LAUNCH_SEMAPHORE_COUNT) sim_text_add(out, "NoC semaphore %u", offset / 16);
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

/* The core sends, waits until the data has arrived and then for the other tile's answer, which waits for it in turn: of its cycles half are
 * waits for the NoC and for the semaphore. */
static bool bound_by_hand_overs(const struct why_verdict *v) {
  const struct tx_tile *t = v->p->account.t;
  struct why_line line, other;
  struct tx_memo_writer writer;
  if (v->main < TX_AGENT_TRISC0 || !obs_why_hottest_call(v->tile, v->main, "emaphore_wait", &line)) return false;
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
static bool bound_by_tile(const struct why_verdict *v) {
  const struct tx_tile *t = v->p->account.t;
  struct why_line line;
  struct tx_memo_writer writer = {.source = {.tile = 0}};
  if (v->main < TX_AGENT_TRISC0 || !obs_why_hottest(v->tile, v->main, WHY_ALL, &line)) return false;
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

#define COUNTS_SHARE_MIN 25.0 /* per cent of the cycles of the core */

/* The core counts single pages of circular buffers for a large part of its time. */
static bool bound_by_counting(const struct why_verdict *v) {
  struct why_line line;
  const unsigned core = v->main <= TX_AGENT_THREAD2 ? v->main + TX_AGENT_TRISC0 : v->main;
  const double share = obs_why_share(obs_why_hand_overs(v->tile, core, &line), cycles_of(v));
  if (share < COUNTS_SHARE_MIN || !line.file) return false;
  sim_text_add(
      v->out,
      "bound by the hand-over of single pages: %s counts pages of circular buffers in %.1f%% of the cycles, most at ",
      obs_agent_name(core), share);
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out,
               "\n  change: hand over several pages at once: cb_wait_front(cb, n), n pages, cb_pop_front(cb, n), in a "
               "buffer of 2 n; the rerun hands over in no time, and is the limit of this\n");
  propose(v, "hand-overs");
  return true;
}

static unsigned unit_of_path(const struct why_verdict *v) {
  const uint64_t *own = v->path->own_wait[v->main];
  static const unsigned kinds[] = {TX_BLOCKED_UNIT, TX_BLOCKED_HAZARD, TX_BLOCKED_CONDITION};
  unsigned best = busiest(&v->p->account, v->main);
  uint64_t most = v->path->cycles[v->main] / 2;
  for (unsigned i = 0; i < 3; i++) {
    uint32_t object = obs_why_object(v->p, v->main, kinds[i]);
    unsigned unit = kinds[i] == TX_BLOCKED_CONDITION ? obs_why_unit_of(object) : object;
    if (own[kinds[i]] > most && unit < TX_UNIT_COUNT) most = own[kinds[i]], best = unit;
  }
  return best;
}

static void propose_for_unit(const struct why_verdict *v, unsigned unit, bool throttled) {
  if (throttled) propose(v, "throttle");
  else if (unit == TX_UNIT_MATRIX) propose(v, "lofi");
  else if (unit == TX_UNIT_UNPACK) propose(v, "unpack");
  else if (unit == TX_UNIT_PACK) propose(v, "pack");
  else if (v->part) propose_extent(v, v->main, &v->part->extent);
}

bool obs_why_bound_by_unit(const struct why_verdict *v) {
  const struct obs_account *a = &v->p->account;
  unsigned thread = v->main <= TX_AGENT_THREAD2 ? v->main : v->main - TX_AGENT_TRISC0;
  if (thread >= TX_THREADS) return false;
  unsigned unit = v->main == thread ? unit_of_path(v) : busiest(a, thread);
  /* A core that pushes word by word is as fast as the unit: both bound the run. */
  if (v->main != thread && obs_why_share(a->unit[unit].cycles[OBS_BUSY], cycles_of(v)) < PUSHED_BUSY_MIN) return false;
  uint32_t throttle = tx_l1_read(a->t, LAUNCH_THROTTLE_AT, 4);
  bool throttled = thread == TX_AGENT_THREAD1 && throttle && throttle <= 0x100;
  propose_for_unit(v, unit, throttled);
  if (throttled) sim_text_add(v->out, "bound by the throttle of the matrix unit: NOPs between its instructions; it is");
  else sim_text_add(v->out, "bound by the %s,", obs_unit_name(unit));
  sim_text_add(v->out, " busy %.1f%% of the cycles",
               obs_why_share(a->unit[throttled ? TX_UNIT_MATRIX : unit].cycles[OBS_BUSY], cycles_of(v)));
  bool pushed = v->main != thread && unit == TX_UNIT_VECTOR && !throttled;
  if (pushed) sim_text_add(v->out, ", and by %s, which pushes its words one by one", obs_agent_name(v->main));
  if (v->part) sim_text_add(v->out, ": "), obs_why_add_part(v->out, v->part);
  if (throttled && throttle < 0x100) sim_text_add(v->out, "\n  change: MM_THROTTLE is %u; 0 removes the NOPs\n", throttle);
  else
    sim_text_add(v->out, "\n  change: %s%s\n",
                 throttled ? "firmware of the ARC requests the throttle: reduce power elsewhere" : advice_for_unit(unit),
                 pushed ? "; a faster unit alone saves nothing" : "");
  return true;
}

bool obs_why_bound_by_core(const struct why_verdict *v) {
  const struct why_part none = {.cycles = 0}, *part = v->part ? v->part : &none;
  sim_text_add(v->out, "bound by %s", obs_agent_name(v->main));
  if (v->part) {
    sim_text_add(v->out, ": ");
    obs_why_add_part(v->out, part);
    sim_text_add(v->out, " takes %.1f%% of the cycles", obs_why_share(part->cycles, cycles_of(v)));
    propose_extent(v, v->main, &part->extent);
  }
  sim_text_add(v->out, "; %s has %.1f%% of the critical path\n  change: ", obs_agent_name(v->main),
               obs_why_agent_share(v, v->main));
  if (is_library_call(v->main, part))
    sim_text_add(v->out,
                 "fewer calls of %s at %s:%u, or of a cheaper one: the T cores issue all its instructions each time\n",
                 part->line.call, part->line.file, part->line.line);
  else sim_text_add(v->out, "%s\n", advice_for_core(v->main, part));
  return true;
}

/* The unit itself takes the time: a rerun with fewer phases was no faster. */
bool obs_why_bound_by_unit_time(const struct why_verdict *v) {
  struct obs_what_if first = {""}, *kept = v->what_if;
  struct why_verdict silent = *v;
  struct sim_text none = {.data = NULL, .size = 0};
  silent.out = &none;
  silent.what_if = &first;
  if (!obs_why_bound_by_unit(&silent) || strcmp(first.text, "lofi") != 0) return false;
  snprintf(kept->text, sizeof kept->text, "matrix");
  sim_text_add(v->out, "bound by the matrix unit, busy %.1f%% of the cycles",
               obs_why_share(v->p->account.unit[TX_UNIT_MATRIX].cycles[OBS_BUSY], cycles_of(v)));
  if (v->part) sim_text_add(v->out, ": "), obs_why_add_part(v->out, v->part);
  sim_text_add(v->out, "\n  change: fewer products: fewer fidelity phases save nothing here\n");
  return true;
}

/* --- tiles with unequal work --- */

#define MORE_TIMES 1.5  /* as often as the other tiles execute it on average */
#define LATER_TIMES 1.2 /* and as many cycles */

static uint64_t times_at(const struct obs_why_tile *tile, unsigned agent, uint32_t pc) {
  unsigned core = agent <= TX_AGENT_THREAD2 ? agent + TX_AGENT_TRISC0 : agent;
  const struct obs_profile_row *r = obs_profile_row(tile->p, core, pc);
  return r ? r->times : 0;
}

static uint64_t length_of(const struct obs_why_tile *tile) {
  sim_time end = obs_chip_tile_end(tile->p->account.t), from = tile->p->account.from;
  return end != SIM_NEVER && end > from ? end - from : 0;
}

/* All tiles execute the line, and the last one far more often: it has more of the work. */
static bool bound_by_share(const struct why_verdict *v) {
  const struct obs_why *why = v->why;
  struct why_line line;
  if (why->count < 2 || v->tile != &why->tiles[why->last] || !obs_why_hottest(v->tile, v->main, WHY_ALL, &line))
    return false;
  uint64_t own = times_at(v->tile, v->main, line.pc), times = 0, cycles = 0, length = length_of(v->tile);
  unsigned others = why->count - 1, work = 0;
  for (unsigned i = 0; i < why->count; i++) {
    uint64_t of_tile = times_at(&why->tiles[i], v->main, line.pc);
    if (i == why->last) continue;
    times += of_tile;
    cycles += length_of(&why->tiles[i]);
    work += of_tile != 0;
  }
  if (2 * work < others || (double)own * others < MORE_TIMES * (double)times ||
      (double)length * others < LATER_TIMES * (double)cycles)
    return false;
  sim_text_add(v->out, "bound by unequal shares of the work: %s executes ", obs_agent_name(v->main));
  obs_why_add_line(v->out, &line);
  sim_text_add(
      v->out,
      " %.1f times as often as the other %u tile%s on average, whose kernels take %llu cycles instead of %llu\n  change: "
      "share the work equally: each tile would take about %llu cycles\n",
      (double)own * others / (double)times, others, others == 1 ? "" : "s", (unsigned long long)(cycles / others),
      (unsigned long long)length, (unsigned long long)((cycles + length) / why->count));
  return true;
}

why_cause_fn *const obs_why_cause_table[WHY_CAUSES] = {bound_by_share,      bound_by_single_buffer, bound_by_whole_wait,
                                                       bound_by_counting,   bound_by_turns,         bound_by_bank,
                                                       bound_by_hand_overs, bound_by_capacity,      bound_by_noc,
                                                       bound_by_tile,       obs_why_bound_by_unit,  obs_why_bound_by_core};

/* What each of the two reruns would save, by the path, if there are no reruns. */
bool obs_why_first_by_path(const struct why_verdict *v, why_cause_fn *first) {
  unsigned waits = 0, buffer = 0;
  struct why_line line;
  double saved = 100, other = v->part ? obs_why_share(v->part->cycles, cycles_of(v)) : 0;
  if (first == bound_by_single_buffer && find_single_buffer(v, &waits, &buffer)) saved = 100 - obs_why_agent_share(v, waits);
  if (first == bound_by_whole_wait) {
    const struct obs_whole_waits *w = find_whole_wait(v, &buffer, &waits);
    saved = w ? obs_why_share(w->cycles, cycles_of(v)) : 0;
    if (100 - obs_why_agent_share(v, waits) < saved) saved = 100 - obs_why_agent_share(v, waits);
  }
  if (first == bound_by_counting)
    saved = obs_why_share(
        obs_why_hand_overs(v->tile, v->main <= TX_AGENT_THREAD2 ? v->main + TX_AGENT_TRISC0 : v->main, &line), cycles_of(v));
  return saved * WHY_BUFFERS_WEIGHT >= other;
}
