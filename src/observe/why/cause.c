/* The causes of why/cause.h. */
#include "observe/why/cause.h"

#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "debug/loop.h"
#include "debug/symbols.h"
#include "observe/report/chip_figures.h"
#include "observe/why/noc.h"
#include "observe/why/propose.h"
#include "observe/why/word.h"
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

#define ADVICE_REQUESTS \
  "fewer, larger requests: move larger pieces at once, or share them with the other core; the rerun makes "
#define ADVICE_ONCE \
  "this runs once in the kernel, not once per page: compute it on the host or at compile time, divide it among cores that " \
  "wait, or " \
  "begin the pages before it"

static const char *advice_for_core(unsigned agent, const struct why_part *part) {
  bool copies = (part->call && strstr(part->call, "copy")) || (part->line.call && strstr(part->line.call, "copy"));
  if (part->clock)
    return "this core waits there until the clock has reached a time: wait for what the delay is meant for instead (a "
           "barrier, a semaphore, a page), or for fewer cycles";
  if (part->line.call && strstr(part->line.call, "emaphore_wait"))
    return "this core waits there for another core or tile: fewer, larger hand-overs, or other work before the wait";
  if (!copies && (part->category == TX_REASON_LOAD || part->category == TX_REASON_PORT))
    return "this core loads or stores the data itself, word by word: compute on the T cores, let the NoC or the mover move "
           "whole "
           "pages, or touch fewer words";
  if (copies)
    return "this core copies the data itself: let the NoC or the mover copy whole pages, and keep several requests in "
           "flight";
  if (part->once) return ADVICE_ONCE;
  if (part->category == TX_REASON_FETCH) return "its loop does not fit into the instruction cache, or jumps too far";
  if (agent >= TX_AGENT_BRISC && part->line.call && strstr(part->line.call, "noc_")) /* requests and their addresses */
    return ADVICE_REQUESTS "the requests in no time, and is the limit of this";
  if (agent >= TX_AGENT_BRISC)
    return "do less per page on this core, share the work with the other one, or move larger pieces at once";
  if (part->words * PUSHES_SHARE >= part->cycles)
    return "push fewer words: a MOP or the replay buffer issues many instructions for one word";
  return "do less on this core between its pushes: compute it once before the loop, or on a core that waits";
}

#define SMALL_FLITS 8u /* of a request on average: several of these can become one */

static bool are_small(const struct tx_tile *t) {
  uint64_t flits = 0, requests = 0;
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    const uint32_t *n = t->niu[noc].counter;
    flits += (uint64_t)n[NOC_MST_RD_WORDS] + n[NOC_MST_NP_WORDS] + n[NOC_MST_P_WORDS];
    requests += (uint64_t)n[NOC_MST_RD_RESP] + n[NOC_MST_NP_WR] + n[NOC_MST_P_WR];
  }
  return flits < SMALL_FLITS * requests;
}

/* The part is a loop that makes small requests, which can be one: the rerun is as long as one turn of it. */
static bool is_loop_of_requests(const struct why_verdict *v, const struct why_part *part) {
  struct dbg_loop loop;
  return v->main >= TX_AGENT_BRISC && v->tile->index && are_small(v->p->account.t) &&
         strstr(advice_for_core(v->main, part), ADVICE_REQUESTS) &&
         dbg_loop_of_extent(&v->tile->index[v->main - TX_AGENT_TRISC0], &part->extent, &loop);
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

/* Has the buffer one page, or one block: does its producer push more than half of it at once? Then its two sides take turns. */
static bool is_single(const struct why_verdict *v, unsigned buffer) {
  const uint32_t pages = pages_of(v->p->account.t, buffer);
  return pages == 1 || (pages && 2 * v->p->whole_waits[buffer].block > pages);
}

#define ROOM_SHARE_MIN 10.0 /* per cent of the cycles */

/* Are these waits more than those at the start and end? Blocks are few: their waits are long. */
static bool is_often(const struct why_verdict *v, unsigned waiter, const struct obs_turns *turns, unsigned buffer) {
  struct why_line line;
  if (turns->times >= TURNS_MIN) return true;
  return turns->times && pages_of(v->p->account.t, buffer) > 1 && obs_why_polls(v->tile, waiter, turns->object, &line) &&
         obs_why_share(line.cycles, cycles_of(v)) >= ROOM_SHARE_MIN;
}

/* A move of the path from an agent that waits for room in such a buffer, one of many such; NULL: none. */
static const struct obs_turns *find_single_buffer(const struct why_verdict *v, unsigned *waiter, unsigned *buffer) {
  unsigned pushes;
  for (unsigned waits = TX_AGENT_TRISC0; waits < OBS_PATH_AGENTS; waits++)
    for (unsigned other = 0; other < OBS_PATH_AGENTS; other++) {
      const struct obs_turns *turns = &v->path->turns[waits][other];
      if (!turns->times || turns->category != TX_BLOCKED_ADDRESS || !obs_profile_buffer(turns->object, buffer, &pushes) ||
          pushes || !is_single(v, *buffer) || !is_often(v, waits, turns, *buffer))
        continue;
      *waiter = waits;
      return turns;
    }
  return NULL;
}

/* The buffers that the rerun changes: all of one page, and, unless the turns are about one of these, those of one block. */
static uint32_t single_buffers(const struct why_verdict *v, unsigned buffer) {
  const struct tx_tile *t = v->p->account.t;
  const bool blocks = pages_of(t, buffer) > 1;
  uint32_t found = 0;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++)
    if (pages_of(t, i) == 1 || (blocks && is_single(v, i))) found |= 1u << i;
  return found;
}

/* "buffers", or "buffers 0,1" if not all of them have one page. */
static void propose_buffers(const struct why_verdict *v, uint32_t buffers, bool blocks) {
  size_t used;
  obs_why_propose(v, "buffers");
  for (uint32_t left = blocks ? buffers : 0; left; left &= left - 1) {
    used = strlen(v->what_if->text);
    snprintf(v->what_if->text + used, sizeof v->what_if->text - used, "%s%d", left == buffers ? " " : ",",
             __builtin_ctz(left));
  }
}

/* The producer repeatedly waits for room in a buffer of one page or block: twice as much saves at most what the path spends on other
 * agents. */
static bool bound_by_single_buffer(const struct why_verdict *v) {
  unsigned waits, buffer;
  struct why_line line;
  const struct obs_turns *turns = find_single_buffer(v, &waits, &buffer);
  if (!turns) return false;
  const uint32_t pages = pages_of(v->p->account.t, buffer), buffers = single_buffers(v, buffer);
  const bool several = buffers & (buffers - 1);
  sim_text_add(v->out, "bound by a single buffer: CB %u has ", buffer);
  if (pages == 1) sim_text_add(v->out, "one page");
  else sim_text_add(v->out, "%u pages, of which its producer fills %u at once", pages, v->p->whole_waits[buffer].block);
  sim_text_add(v->out, ", and its two sides take turns: ");
  if (obs_why_polls(v->tile, waits, turns->object, &line)) obs_why_add_line(v->out, &line);
  else sim_text_add(v->out, "%s", obs_agent_name(waits));
  sim_text_add(v->out, " waits for room\n  change: give ");
  obs_add_buffers(v->out, buffers);
  if (pages == 1) sim_text_add(v->out, " two pages%s\n", several ? " each, as the rerun does" : "");
  else sim_text_add(v->out, " twice as many pages%s, or fill half as many at once\n", several ? ", as the rerun does" : "");
  propose_buffers(v, buffers, pages > 1);
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
    if (!w->waits || w->pages < 2 || !t->buffer_writer[i][1].known || pages_of(t, i) < 2 ||
        (best && w->cycles <= best->cycles))
      continue;
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

#define TILE_SHARE_MIN 3.0  /* per cent of the path: of a tile that takes part in it */
#define SYNC_SHARE_MIN 10.0 /* per cent of the cycles */

/* The T core with most cycles in waits until its thread has nothing left to do, where the program itself demands that. */
static unsigned find_sync(const struct why_verdict *v, struct why_line *line) {
  unsigned best = WHY_NO_AGENT;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    const unsigned core = TX_AGENT_TRISC0 + thread;
    struct why_line at;
    if (v->path->turns[core][thread].times < TURNS_MIN) continue;
    if (!obs_why_hottest(v->tile, core, TX_BLOCKED_TTSYNC, &at) || (at.call && !strstr(at.call, "sync"))) continue;
    if (obs_why_share(at.cycles, cycles_of(v)) < SYNC_SHARE_MIN || (best != WHY_NO_AGENT && at.cycles <= line->cycles))
      continue;
    *line = at;
    best = core;
  }
  return best;
}

/* A T core repeatedly waits until its thread is idle, and only then pushes more: neither works while the other does. */
static bool bound_by_sync(const struct why_verdict *v) {
  struct why_line line;
  const unsigned core = find_sync(v, &line);
  if (core == WHY_NO_AGENT) return false;
  sim_text_add(v->out, "bound by a wait for an idle thread: %s waits at ", obs_agent_name(core));
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out,
               " %.1f%% of the cycles until %s has executed all that was pushed\n  change: no such wait in the loop: the "
               "wait gate orders the instructions of one thread, semaphores those of different ones\n",
               obs_why_share(line.cycles, cycles_of(v)), obs_agent_name(core - TX_AGENT_TRISC0));
  struct dbg_extent extent = {.first = line.line, .last = line.line};
  snprintf(extent.name, sizeof extent.name, "%s", line.file);
  obs_why_propose_extent(v, core, &extent);
  return true;
}

#define COUNTS_SHARE_MIN 25.0 /* per cent of the cycles of the core */
#define AT_ONCE_MIN 4u        /* pages; a buffer of less than twice as many has to become larger */
#define AT_ONCE_MAX 128u

/* Half of the largest buffer that the core or its thread counts. */
static uint32_t pages_at_once(const struct why_verdict *v, unsigned core) {
  const struct tx_tile *t = v->p->account.t;
  uint32_t best = AT_ONCE_MIN;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++)
    for (unsigned pushes = 0; pushes < 2; pushes++) {
      const unsigned agent = t->buffer_writer[i][pushes].agent;
      if (!t->buffer_writer[i][pushes].known || (agent != core && agent + TX_AGENT_TRISC0 != core)) continue;
      if (pages_of(t, i) / 2 > best) best = pages_of(t, i) / 2;
    }
  return best < AT_ONCE_MAX ? best : AT_ONCE_MAX;
}

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
               "buffer of 2 n; the rerun counts %u at once on every core\n",
               pages_at_once(v, core));
  snprintf(v->what_if->text, sizeof v->what_if->text, "hand-overs %u", pages_at_once(v, core));
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
  if (throttled) obs_why_propose(v, "throttle");
  else if (unit == TX_UNIT_MATRIX) obs_why_propose(v, "lofi");
  else if (unit == TX_UNIT_UNPACK) obs_why_propose(v, "unpack");
  else if (unit == TX_UNIT_PACK) obs_why_propose(v, "pack");
  else if (v->part) obs_why_propose_extent(v, v->main, &v->part->extent);
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

/* The same core of other tiles is on the path as well: what it does on one tile, the next one waits for. */
static double share_of_all(const struct why_verdict *v, unsigned *tiles) {
  double sum = 0;
  *tiles = 0;
  for (unsigned i = 0; i < v->why->count; i++) {
    const double share = obs_why_path_share(v->path, v->why->paths[i].path.cycles[v->main]);
    sum += share;
    *tiles += share >= TILE_SHARE_MIN;
  }
  return sum;
}

/* Returns whether other tiles have a part in it. */
static bool add_core_share(const struct why_verdict *v) {
  unsigned tiles;
  const double all = share_of_all(v, &tiles);
  sim_text_add(v->out, "; %s has %.1f%% of the critical path", obs_agent_name(v->main), obs_why_agent_share(v, v->main));
  if (tiles > 1) sim_text_add(v->out, ", and that of %u tiles, one after the other, %.1f%%", tiles, all);
  return tiles > 1;
}

/* --- a core none of whose lines takes a large share --- */

/* The program of the core has no lines, but symbols: that of the instruction with the most cycles. NULL: there are lines, or it has none. */
static const char *function_without_lines(const struct why_verdict *v) {
  const unsigned core = v->main - TX_AGENT_TRISC0;
  const struct obs_profile_row *most = NULL;
  uint32_t offset;
  if (core >= TX_CORES || !v->tile->index || v->tile->index[core].row_count || !v->tile->program->loaded[core]) return NULL;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &v->p->rows[i];
    if (r->key && r->agent == v->main && (!most || r->cycles > most->cycles)) most = r;
  }
  return most ? dbg_symbol_at(&v->tile->program->elf[core], most->pc - v->tile->program->moved[core], &offset) : NULL;
}

static bool bound_by_core_alone(const struct why_verdict *v) {
  const char *function = function_without_lines(v);
  sim_text_add(v->out, "bound by %s", obs_agent_name(v->main));
  if (function) {
    sim_text_add(v->out, ": most in %s", function);
    snprintf(v->what_if->text, sizeof v->what_if->text, "%s@%s", obs_agent_name(v->main), function);
  }
  add_core_share(v);
  sim_text_add(v->out, "\n  change: %s\n",
               function
                   ? "the executable has no line information: build it with -g, and the verdict names a line; the rerun has "
                     "the whole function in no time, and is the limit of this"
                   : "no line of its kernel takes a large share: the program's start and return are most of it; a longer "
                     "kernel has a "
                     "verdict");
  return true;
}

bool obs_why_bound_by_core(const struct why_verdict *v) {
  if (!v->part && v->main >= TX_AGENT_TRISC0) return bound_by_core_alone(v);
  const struct why_part none = {.cycles = 0}, *part = v->part ? v->part : &none;
  sim_text_add(v->out, "bound by %s", obs_agent_name(v->main));
  if (v->part) {
    sim_text_add(v->out, ": ");
    obs_why_add_part(v->out, part);
    sim_text_add(v->out, " takes %.1f%% of the cycles%s%s", obs_why_share(part->cycles, cycles_of(v)),
                 part->once ? " and runs once" : "", part->clock ? ": it waits for the clock" : "");
    obs_why_propose_extent(v, v->main, &part->extent);
  }
  const bool in_turn = add_core_share(v);
  sim_text_add(v->out, "\n  change: ");
  if (in_turn)
    sim_text_add(v->out, "the next tile waits for this: hand over first and do it behind that, or before the wait; ");
  if (is_library_call(v->main, part))
    sim_text_add(v->out,
                 "fewer calls of %s at %s:%u, or of a cheaper one: the T cores issue all its instructions each time\n",
                 part->line.call, part->line.file, part->line.line);
  else if (is_loop_of_requests(v, part)) {
    const size_t used = strlen(v->what_if->text);
    snprintf(v->what_if->text + used, sizeof v->what_if->text - used, " in one turn");
    sim_text_add(v->out, "%sthose of the loop in one of its turns\n", ADVICE_REQUESTS);
  } else sim_text_add(v->out, "%s\n", advice_for_core(v->main, part));
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

/* Have both tiles the same executable for this core? Only then is an address the same line. */
static bool same_code(const struct obs_why_tile *a, const struct obs_why_tile *b, unsigned agent) {
  const unsigned core = agent <= TX_AGENT_THREAD2 ? agent : agent - TX_AGENT_TRISC0;
  if (!a->program->loaded[core] || !b->program->loaded[core]) return false;
  const struct dbg_bytes *x = &a->program->elf[core].file, *y = &b->program->elf[core].file;
  return x->size == y->size && (x->data == y->data || memcmp(x->data, y->data, x->size) == 0);
}

/* All tiles with this program execute the line, and the last one far more often: it has more of the work. */
static bool bound_by_share(const struct why_verdict *v) {
  const struct obs_why *why = v->why;
  struct why_line line;
  if (why->count < 2 || v->tile != &why->tiles[why->last] || !obs_why_hottest(v->tile, v->main, WHY_ALL, &line))
    return false;
  uint64_t own = times_at(v->tile, v->main, line.pc), times = 0, cycles = 0, length = length_of(v->tile);
  unsigned others = 0, work = 0;
  for (unsigned i = 0; i < why->count; i++) {
    if (i == why->last || !same_code(&why->tiles[i], v->tile, v->main)) continue;
    uint64_t of_tile = times_at(&why->tiles[i], v->main, line.pc);
    others++;
    times += of_tile;
    cycles += length_of(&why->tiles[i]);
    work += of_tile != 0;
  }
  if (!others || 2 * work < others || (double)own * others < MORE_TIMES * (double)times ||
      (double)length * others < LATER_TIMES * (double)cycles)
    return false;
  sim_text_add(v->out, "bound by unequal shares of the work: %s executes ", obs_agent_name(v->main));
  obs_why_add_line(v->out, &line);
  sim_text_add(
      v->out,
      " %.1f times as often as the other %u tile%s on average, whose kernels take %llu cycles instead of %llu\n  change: "
      "share the work equally: each tile would take about %llu cycles\n",
      (double)own * others / (double)times, others, others == 1 ? "" : "s", (unsigned long long)(cycles / others),
      (unsigned long long)length, (unsigned long long)((cycles + length) / (others + 1)));
  return true;
}

why_cause_fn *const obs_why_cause_table[WHY_CAUSES] = {bound_by_share,
                                                       bound_by_single_buffer,
                                                       bound_by_whole_wait,
                                                       bound_by_sync,
                                                       bound_by_counting,
                                                       bound_by_turns,
                                                       obs_why_bound_by_word,
                                                       obs_why_bound_by_bank,
                                                       obs_why_bound_by_hand_overs,
                                                       obs_why_bound_by_capacity,
                                                       obs_why_bound_by_noc,
                                                       obs_why_bound_by_tile,
                                                       obs_why_bound_by_unit,
                                                       obs_why_bound_by_core};

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
