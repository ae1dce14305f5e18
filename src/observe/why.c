/* The verdict of why.h. */
#include "observe/why.h"

#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "observe/chip_figures.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

#define LAUNCH_BUFFERS_AT 0x88u /* launch.h: struct launch_buffer[32] */
#define LAUNCH_SUBORDINATES_AT 0x44u
#define UNPACK_CYCLES_MAX 128u   /* an UNPACR that takes longer waits for a bank, and so for the math thread */
#define LAUNCH_THROTTLE_AT 0x70u /* launch.h: throttle */
#define CHAIN_MAX 12u
#define NO_AGENT 0xffu
#define NO_UNIT TX_UNIT_COUNT

/* --- the largest category of an agent --- */

static const struct obs_account_row *row_of(const struct obs_account *a, unsigned agent) {
  return agent <= TX_AGENT_THREAD2 ? &a->thread[agent] : &a->core[agent - TX_AGENT_TRISC0];
}

/* The largest category in which the agent is active. */
static unsigned most_of(const struct obs_account_row *row) {
  unsigned best = OBS_ISSUE;
  for (unsigned i = 1; i < OBS_CATEGORIES; i++)
    if (i != OBS_RESET && i != OBS_STOPPED && i != OBS_BOOT && i != TX_BLOCKED_LATCH && row->cycles[i] > row->cycles[best])
      best = i;
  return best;
}

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

static uint32_t object_of(const struct obs_profile *p, unsigned agent, unsigned category) {
  const struct obs_profile_row *best = NULL;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &p->rows[i];
    if (r->cycles && r->agent == agent && r->category == category && (!best || r->cycles > best->cycles)) best = r;
  }
  return best ? best->object : 0;
}

/* --- possible releasers of a wait --- */

static bool buffer_of(uint32_t address, unsigned *buffer, unsigned *pushes) {
  uint32_t reg = address % TX_STREAM_BYTES / 4;
  if (address < TX_ADDR_STREAM || address >= TX_ADDR_STREAM + 32 * TX_STREAM_BYTES || (reg != 8 && reg != 10)) return false;
  *buffer = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES;
  *pushes = reg == 10;
  return true;
}

static bool polls_noc(uint32_t address) { return address >= TX_ADDR_NOC && address < TX_ADDR_NOC + TX_NOC_WINDOWS_BYTES; }

static unsigned other_side(const struct tx_tile *t, unsigned agent, uint32_t semaphores) {
  uint32_t agents = 0;
  for (uint32_t left = semaphores & ((1u << TX_SEMAPHORES) - 1u); left; left &= left - 1)
    agents |= t->sync.posters[__builtin_ctz(left)] | t->sync.takers[__builtin_ctz(left)];
  agents &= ~(1u << agent);
  return agents ? (unsigned)__builtin_ctz(agents) : NO_AGENT;
}

static unsigned unit_of_condition(uint32_t conditions) {
  if (conditions & (1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1)) return TX_UNIT_UNPACK;
  if (conditions & 1u << TX_C3_PACK) return TX_UNIT_PACK;
  if (conditions & 1u << TX_C4_MATRIX) return TX_UNIT_MATRIX;
  return conditions & 1u << TX_C11_VECTOR ? TX_UNIT_VECTOR : NO_UNIT;
}

struct step {
  unsigned agent, category;
  uint32_t object;
  unsigned next; /* NO_AGENT: it does not wait */
  unsigned unit; /* the unit that it waits for, or works in; NO_UNIT */
  bool noc;      /* it polls a register of a NIU */
};

static void follow_thread(const struct tx_tile *t, struct step *s) {
  switch (s->category) {
    case OBS_EMPTY: s->next = TX_AGENT_TRISC0 + s->agent; break;
    case TX_BLOCKED_SRCA:
    case TX_BLOCKED_SRCB: s->next = TX_AGENT_THREAD0; break;
    case TX_BLOCKED_UNPACK_BANK: s->next = TX_AGENT_THREAD1; break;
    case TX_BLOCKED_SEMAPHORE: s->next = other_side(t, s->agent, s->object); break;
    case TX_BLOCKED_CONDITION:
      s->unit = unit_of_condition(s->object);
      if (s->object & (1u << TX_C7_SRCA_VALID | 1u << TX_C8_SRCB_VALID)) s->next = TX_AGENT_THREAD0;
      if (s->object & (1u << TX_C5_SRCA_CLEARED | 1u << TX_C6_SRCB_CLEARED)) s->next = TX_AGENT_THREAD1;
      break;
    case TX_BLOCKED_UNIT: s->unit = s->object; break;
    case TX_BLOCKED_HAZARD: s->unit = s->object; break;
    default: break;
  }
}

static void follow_core(const struct tx_tile *t, struct step *s) {
  unsigned buffer, pushes;
  switch (s->category) {
    case TX_BLOCKED_FIFO:
    case TX_BLOCKED_TTSYNC:
    case TX_BLOCKED_MOPSYNC:
    case TX_BLOCKED_TRACKED:
      s->next = s->agent - TX_AGENT_TRISC0 < TX_THREADS ? s->agent - TX_AGENT_TRISC0 : NO_AGENT;
      break;
    case TX_BLOCKED_ADDRESS:
      s->noc = polls_noc(s->object);
      if (!buffer_of(s->object, &buffer, &pushes)) break;
      s->next = t->buffer_writer[buffer][pushes].known ? t->buffer_writer[buffer][pushes].agent : NO_AGENT;
      if (s->next <= TX_AGENT_THREAD2)
        s->next += TX_AGENT_TRISC0; /* its instruction counts the page, and its core determines when */
      break;
    default: break;
  }
}

static struct step step_at(const struct obs_profile *p, unsigned agent) {
  const struct tx_tile *t = p->account.t;
  struct step s = {.agent = agent, .category = most_of(row_of(&p->account, agent)), .next = NO_AGENT, .unit = NO_UNIT};
  s.object = object_of(p, agent, s.category);
  if (agent <= TX_AGENT_THREAD2) follow_thread(t, &s);
  else follow_core(t, &s);
  if (s.next > TX_AGENT_NCRISC) s.next = NO_AGENT;
  return s;
}

/* The math thread; without one the thread or core that issued most. */
static unsigned first_agent(const struct obs_account *a) {
  if (a->thread[1].cycles[OBS_ISSUE] > 100) return TX_AGENT_THREAD1;
  unsigned best = TX_AGENT_TRISC0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (a->core[core].cycles[OBS_ISSUE] > row_of(a, best)->cycles[OBS_ISSUE]) best = TX_AGENT_TRISC0 + core;
  return best;
}

/* --- words --- */

static void add_function(struct sim_text *out, const char *function, const char *call) {
  if (function) sim_text_add(out, " (%s%s%s)", function, call ? ", in " : "", call ? call : "");
}

static void add_line(struct sim_text *out, const struct why_line *l) {
  sim_text_add(out, "%s:%u", l->file, l->line);
  add_function(out, l->function, l->call);
}

/* "reader.c:16 (kernel_main, in scrub)", "the loop at reader.c:16-20 (kernel_main)", "the function scrub" */
static void add_part(struct sim_text *out, const struct why_part *part) {
  char name[300];
  dbg_extent_text(&part->extent, name, sizeof name);
  sim_text_add(out, "%s%s", part->loop ? "the loop at " : part->extent.first ? "" : "the function ", name);
  if (part->extent.first) add_function(out, part->function, part->call);
}

static void add_wait(struct sim_text *out, const struct step *s) {
  unsigned buffer, pushes;
  if (s->category == TX_BLOCKED_ADDRESS && buffer_of(s->object, &buffer, &pushes))
    sim_text_add(out, "waits for %s CB %u", pushes ? "a page in" : "room in", buffer);
  else if (s->noc) sim_text_add(out, "waits for the NoC");
  else if (s->category == TX_BLOCKED_SEMAPHORE && s->object)
    sim_text_add(out, "waits for semaphore %s", obs_semaphore_name((unsigned)__builtin_ctz(s->object)));
  else if (s->category == OBS_EMPTY) sim_text_add(out, "has nothing to issue");
  else if (s->category == OBS_ISSUE) sim_text_add(out, "issues instructions");
  else if (s->category == TX_BLOCKED_UNIT) sim_text_add(out, "waits for the %s", obs_unit_name(s->object));
  else sim_text_add(out, "waits: %s", obs_category_name(s->category));
}

static void add_step(struct sim_text *out, const struct obs_why_tile *tile, const struct step *s) {
  struct why_line line;
  uint64_t cycles = obs_account_cycles(&tile->p->account);
  sim_text_add(out, "  %s ", obs_agent_name(s->agent));
  add_wait(out, s);
  sim_text_add(out, " %.1f%% of the cycles", share(row_of(&tile->p->account, s->agent)->cycles[s->category], cycles));
  if (obs_why_hottest(tile, s->agent, s->category, &line)) {
    sim_text_add(out, ", most at ");
    add_line(out, &line);
  }
  sim_text_add(out, "\n");
}

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

static void add_place(struct sim_text *out, const struct obs_why_tile *tile, unsigned agent, unsigned category,
                      const char *before) {
  struct why_line line;
  if (!obs_why_hottest(tile, agent, category, &line)) return;
  sim_text_add(out, "%s", before);
  add_line(out, &line);
}

/* --- causes, most specific first: each adds the verdict and returns true, or does not apply --- */

struct verdict {
  const struct obs_why *why;
  struct sim_text *out;
  const struct obs_why_tile *tile;
  const struct obs_profile *p;
  const struct obs_path *path;
  unsigned main;               /* the agent with the most cycles on the path */
  const struct why_part *part; /* of its program; NULL: not known */
  struct obs_what_if *what_if;
};

#define TURNS_MIN 4u /* moves of the path: fewer occur at the start and end only */
#define TURNS_SHARE 12.0
#define PUSHED_BUSY_MIN 70.0
/* Two pages are a change of one number: it precedes a change of the program that saves up to so many times as much. */
#define BUFFERS_WEIGHT 4u

static uint64_t cycles_of(const struct verdict *v) { return obs_account_cycles(&v->p->account); }

static double path_share_of(const struct obs_path *path, uint64_t cycles) { return share(cycles, path->until - path->from); }

static double path_share(const struct verdict *v, unsigned agent) { return path_share_of(v->path, v->path->cycles[agent]); }

static void propose(const struct verdict *v, const char *what_if) {
  snprintf(v->what_if->text, sizeof v->what_if->text, "%s", what_if);
}

static void propose_extent(const struct verdict *v, unsigned agent, const struct dbg_extent *extent) {
  unsigned core = agent <= TX_AGENT_THREAD2 ? agent + TX_AGENT_TRISC0 : agent;
  char name[300];
  dbg_extent_text(extent, name, sizeof name);
  snprintf(v->what_if->text, sizeof v->what_if->text, "%.8s@%.300s", obs_agent_name(core), name);
}

static void propose_line(const struct verdict *v, const struct why_line *line) {
  struct dbg_extent extent = {.first = line->line, .last = line->line};
  snprintf(extent.name, sizeof extent.name, "%s", line->file);
  propose_extent(v, v->main, &extent);
}

/* A move of the path from an agent that waits for room in a buffer of one page, one of many such; NULL: none. */
static const struct obs_turns *find_single_buffer(const struct verdict *v, unsigned *waiter, unsigned *buffer) {
  unsigned pushes;
  for (unsigned waits = TX_AGENT_TRISC0; waits < OBS_PATH_AGENTS; waits++)
    for (unsigned other = 0; other < OBS_PATH_AGENTS; other++) {
      const struct obs_turns *turns = &v->path->turns[waits][other];
      if (turns->times < TURNS_MIN || turns->category != TX_BLOCKED_ADDRESS || !buffer_of(turns->object, buffer, &pushes) ||
          pushes || pages_of(v->p->account.t, *buffer) != 1)
        continue;
      *waiter = waits;
      return turns;
    }
  return NULL;
}

/* The producer repeatedly waits for room in a buffer of one page: two pages save at most what the path spends on other agents. */
static bool bound_by_single_buffer(const struct verdict *v) {
  unsigned waits, buffer;
  struct why_line line;
  const struct obs_turns *turns = find_single_buffer(v, &waits, &buffer);
  if (!turns) return false;
  sim_text_add(v->out, "bound by a single buffer: CB %u has one page, and its two sides take turns: ", buffer);
  if (obs_why_polls(v->tile, waits, turns->object, &line)) add_line(v->out, &line);
  else sim_text_add(v->out, "%s", obs_agent_name(waits));
  sim_text_add(v->out, " waits for room\n  change: give CB %u two pages\n", buffer);
  propose(v, "buffers");
  return true;
}

/* The unpack thread waits for the math thread and the math thread for SrcA or SrcB: no bank is filled while the other is in
 * use. */
static bool bound_by_turns(const struct verdict *v) {
  const struct obs_turns *unpack = &v->path->turns[TX_AGENT_THREAD0][TX_AGENT_THREAD1],
                         *math = &v->path->turns[TX_AGENT_THREAD1][TX_AGENT_THREAD0];
  if (unpack->times < TURNS_MIN || math->times < TURNS_MIN || path_share(v, TX_AGENT_THREAD1) < TURNS_SHARE ||
      path_share(v, TX_AGENT_THREAD0) + path_share(v, TX_AGENT_TRISC0) < TURNS_SHARE)
    return false;
  sim_text_add(v->out, "bound by unpack and math that take turns: thread 0 waits for thread 1");
  if (unpack->category == TX_BLOCKED_SEMAPHORE && unpack->object)
    snprintf(v->what_if->text, sizeof v->what_if->text, "semaphore %u", (unsigned)__builtin_ctz(unpack->object));
  add_place(v->out, v->tile, TX_AGENT_THREAD0, unpack->category, " at ");
  add_place(v->out, v->tile, TX_AGENT_THREAD1, math->category, ", thread 1 for thread 0 at ");
  sim_text_add(
      v->out,
      "\n  change: let the unpackers fill the other bank while the matrix unit works: no wait for math before UNPACR\n");
  return true;
}

struct spot {
  const struct verdict *v;
  const struct why_line *line;
};

static bool is_noc(const void *context, const struct obs_own_wait *own) {
  (void)context;
  return polls_noc(own->object);
}

static bool is_spot(const void *context, const struct obs_own_wait *own) {
  const struct spot *s = context;
  return polls_noc(own->object) && obs_why_is_line(s->v->tile, s->v->main, own->pc, s->line);
}

/* The line's own share of the path: polls of the main agent there. */
static double polls_share(const struct verdict *v, const struct why_line *line) {
  const struct spot spot = {v, line};
  return path_share_of(v->path, obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_spot, &spot));
}

/* The rerun is the advised change: one barrier behind the loop, or, where each page has its own, no wait at all. */
static void advise_barrier(const struct verdict *v, const struct why_line *line) {
  struct dbg_extent loop;
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
  sim_text_add(v->out, "one barrier for all requests of the loop at %s:%u-%u: move that of %s:%u behind it\n", loop.name,
               loop.first, loop.last, line->file, line->line);
}

static bool bound_by_noc(const struct verdict *v) {
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
  add_line(v->out, &line);
  sim_text_add(v->out, ", %.1f%% of the critical path\n  change: ", polls_share(v, &line));
  advise_barrier(v, &line);
  return true;
}

#define BANK_BUSY_MIN 40.0 /* per cent of the cycles */
#define BANK_TIMES 2.0     /* as busy as a bank on average */

/* The busiest controller, and the mean of all, in per cent of the cycles. */
static unsigned busiest_bank(const struct verdict *v, double *busy, double *mean) {
  uint64_t sum = 0;
  unsigned best = 0;
  for (unsigned i = 0; i < CHIP_DRAMS; i++) {
    uint64_t cycles = chip_dram_busy(v->why->chip, i);
    sum += cycles;
    if (cycles > chip_dram_busy(v->why->chip, best)) best = i;
  }
  *busy = share(chip_dram_busy(v->why->chip, best), cycles_of(v));
  *mean = share(sum, cycles_of(v)) / CHIP_DRAMS;
  return best;
}

/* A core waits for its requests, and one bank of DRAM serves most of them while others are idle. */
static bool bound_by_bank(const struct verdict *v) {
  struct why_line line;
  double busy, mean;
  uint64_t polls = obs_path_own(v->path, v->main, TX_BLOCKED_ADDRESS, is_noc, NULL);
  if (!v->why->chip || !polls || polls < v->path->cycles[v->main] / 2) return false;
  unsigned bank = busiest_bank(v, &busy, &mean);
  if (busy < BANK_BUSY_MIN || busy < BANK_TIMES * mean) return false;
  sim_text_add(v->out,
               "bound by DRAM bank %u, busy %.1f%% of the cycles (all banks on average %.1f%%): %s waits for its requests",
               bank, busy, mean, obs_agent_name(v->main));
  if (obs_why_hottest(v->tile, v->main, TX_BLOCKED_ADDRESS, &line)) sim_text_add(v->out, " at "), add_line(v->out, &line);
  sim_text_add(v->out,
               "\n  change: spread the requests over the banks: page n of an interleaved tensor is in bank n %% %u, so "
               "consecutive pages, or tiles that begin at different ones\n",
               CHIP_DRAMS);
  snprintf(v->what_if->text, sizeof v->what_if->text, "dram %u", bank);
  return true;
}

/* The word of L1 that the agent polls at the line; 0: not known. */
static uint32_t word_at(const struct verdict *v, const struct why_line *line) {
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

/* The core waits for a word of its L1 that another tile writes: a semaphore of the kernel library, or one that a packet changed last. */
static bool bound_by_tile(const struct verdict *v) {
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
  add_line(v->out, &line);
  sim_text_add(v->out, " %.1f%% of the cycles", share(line.cycles, cycles_of(v)));
  unsigned from = writer.source.tile - 1u, x = from % NOC_GRID_X, y = from / NOC_GRID_X;
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

static unsigned unit_of_path(const struct verdict *v) {
  const uint64_t *own = v->path->own_wait[v->main];
  static const unsigned kinds[] = {TX_BLOCKED_UNIT, TX_BLOCKED_HAZARD, TX_BLOCKED_CONDITION};
  unsigned best = busiest(&v->p->account, v->main);
  uint64_t most = v->path->cycles[v->main] / 2;
  for (unsigned i = 0; i < 3; i++) {
    uint32_t object = object_of(v->p, v->main, kinds[i]);
    unsigned unit = kinds[i] == TX_BLOCKED_CONDITION ? unit_of_condition(object) : object;
    if (own[kinds[i]] > most && unit < TX_UNIT_COUNT) most = own[kinds[i]], best = unit;
  }
  return best;
}

static void propose_for_unit(const struct verdict *v, unsigned unit, bool throttled) {
  if (throttled) propose(v, "throttle");
  else if (unit == TX_UNIT_MATRIX) propose(v, "lofi");
  else if (unit == TX_UNIT_UNPACK) propose(v, "unpack");
  else if (unit == TX_UNIT_PACK) propose(v, "pack");
  else if (v->part) propose_extent(v, v->main, &v->part->extent);
}

static bool bound_by_unit(const struct verdict *v) {
  const struct obs_account *a = &v->p->account;
  unsigned thread = v->main <= TX_AGENT_THREAD2 ? v->main : v->main - TX_AGENT_TRISC0;
  if (thread >= TX_THREADS) return false;
  unsigned unit = v->main == thread ? unit_of_path(v) : busiest(a, thread);
  /* A core that pushes word by word is as fast as the unit: both bound the run. */
  if (v->main != thread && share(a->unit[unit].cycles[OBS_BUSY], cycles_of(v)) < PUSHED_BUSY_MIN) return false;
  uint32_t throttle = tx_l1_read(a->t, LAUNCH_THROTTLE_AT, 4);
  bool throttled = thread == TX_AGENT_THREAD1 && throttle && throttle <= 0x100;
  propose_for_unit(v, unit, throttled);
  if (throttled) sim_text_add(v->out, "bound by the throttle of the matrix unit: NOPs between its instructions; it is");
  else sim_text_add(v->out, "bound by the %s,", obs_unit_name(unit));
  sim_text_add(v->out, " busy %.1f%% of the cycles",
               share(a->unit[throttled ? TX_UNIT_MATRIX : unit].cycles[OBS_BUSY], cycles_of(v)));
  if (v->part) sim_text_add(v->out, ": "), add_part(v->out, v->part);
  if (throttled && throttle < 0x100) sim_text_add(v->out, "\n  change: MM_THROTTLE is %u; 0 removes the NOPs\n", throttle);
  else
    sim_text_add(v->out, "\n  change: %s\n",
                 throttled ? "firmware of the ARC requests the throttle: reduce power elsewhere" : advice_for_unit(unit));
  return true;
}

static bool bound_by_core(const struct verdict *v) {
  const struct why_part none = {.cycles = 0}, *part = v->part ? v->part : &none;
  sim_text_add(v->out, "bound by %s", obs_agent_name(v->main));
  if (v->part) {
    sim_text_add(v->out, ": ");
    add_part(v->out, part);
    sim_text_add(v->out, " takes %.1f%% of the cycles", share(part->cycles, cycles_of(v)));
    propose_extent(v, v->main, &part->extent);
  }
  sim_text_add(v->out, "; %s has %.1f%% of the critical path\n  change: ", obs_agent_name(v->main), path_share(v, v->main));
  if (is_library_call(v->main, part))
    sim_text_add(v->out,
                 "fewer calls of %s at %s:%u, or of a cheaper one: the T cores issue all its instructions each time\n",
                 part->line.call, part->line.file, part->line.line);
  else sim_text_add(v->out, "%s\n", advice_for_core(v->main, part));
  return true;
}

/* The unit itself takes the time: a rerun with fewer phases was no faster. */
static bool bound_by_unit_time(const struct verdict *v) {
  struct obs_what_if first = {""}, *kept = v->what_if;
  struct verdict silent = *v;
  struct sim_text none = {.data = NULL, .size = 0};
  silent.out = &none;
  silent.what_if = &first;
  if (!bound_by_unit(&silent) || strcmp(first.text, "lofi") != 0) return false;
  snprintf(kept->text, sizeof kept->text, "matrix");
  sim_text_add(v->out, "bound by the matrix unit, busy %.1f%% of the cycles",
               share(v->p->account.unit[TX_UNIT_MATRIX].cycles[OBS_BUSY], cycles_of(v)));
  if (v->part) sim_text_add(v->out, ": "), add_part(v->out, v->part);
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
static bool bound_by_share(const struct verdict *v) {
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
  add_line(v->out, &line);
  sim_text_add(
      v->out,
      " %.1f times as often as the other %u tile%s on average, whose kernels take %llu cycles instead of %llu\n  change: "
      "share the work equally: each tile would take about %llu cycles\n",
      (double)own * others / (double)times, others, others == 1 ? "" : "s", (unsigned long long)(cycles / others),
      (unsigned long long)length, (unsigned long long)((cycles + length) / why->count));
  return true;
}

typedef bool cause_fn(const struct verdict *);
static cause_fn *const causes[] = {bound_by_share, bound_by_single_buffer, bound_by_turns, bound_by_bank,
                                   bound_by_noc,   bound_by_tile,          bound_by_unit,  bound_by_core};
#define CAUSES (sizeof causes / sizeof causes[0])
#define STRUCTURES 4u /* the first causes are of the program's structure: another cause may be the larger one */

/* What each of the two reruns would save, by the path, if there are no reruns. */
static bool first_by_path(const struct verdict *v, cause_fn *first) {
  unsigned waits, buffer;
  if (first != bound_by_single_buffer || !find_single_buffer(v, &waits, &buffer) || !v->part) return true;
  double saved = 100 - path_share(v, waits), other = share(v->part->cycles, cycles_of(v));
  return saved * BUFFERS_WEIGHT >= other;
}

#define CONFIRMED_SHARE 100u /* a rerun that saves less than one of so many cycles refutes its cause */

bool obs_why_confirms(uint64_t cycles, uint64_t rerun) {
  return rerun && rerun < cycles && (cycles - rerun) * CONFIRMED_SHARE >= cycles;
}

unsigned obs_why_decide(uint64_t cycles, const uint64_t reruns[OBS_WHY_CAUSES]) {
  const uint64_t first = reruns[OBS_WHY_FIRST], second = reruns[OBS_WHY_SECOND];
  unsigned best = OBS_WHY_FIRST;
  for (unsigned i = 0; i < OBS_WHY_CAUSES; i++)
    if (obs_why_confirms(cycles, reruns[i]) && (!obs_why_confirms(cycles, reruns[best]) || reruns[i] < reruns[best]))
      best = i;
  if (obs_why_confirms(cycles, first) && (!second || (cycles - first) * BUFFERS_WEIGHT + second >= cycles))
    return OBS_WHY_FIRST;
  if (obs_why_confirms(cycles, second)) return OBS_WHY_SECOND;
  return obs_why_confirms(cycles, reruns[best]) ? best : first ? OBS_WHY_NONE : OBS_WHY_FIRST;
}

/* --- the path as text --- */

/* The words by which BRISC starts the other cores and detects their end: launch.h, subordinate[]. */
static unsigned launch_partner(unsigned agent, uint32_t address) {
  static const uint8_t subordinates[] = {TX_AGENT_NCRISC, TX_AGENT_TRISC0, TX_AGENT_TRISC1, TX_AGENT_TRISC2};
  uint32_t index = (address - LAUNCH_SUBORDINATES_AT) / 4;
  if (address < LAUNCH_SUBORDINATES_AT || index >= sizeof subordinates) return NO_AGENT;
  return agent == TX_AGENT_BRISC ? subordinates[index] : TX_AGENT_BRISC;
}

static unsigned ender_of(const struct tx_tile *t, unsigned agent, unsigned category, uint32_t object, uint64_t cycles) {
  struct step s = {.agent = agent, .category = category, .object = object, .next = NO_AGENT, .unit = NO_UNIT};
  unsigned buffer, pushes;
  if (agent <= TX_AGENT_THREAD2) follow_thread(t, &s);
  else follow_core(t, &s);
  if (category == OBS_BOOT) s.next = TX_AGENT_TRISC0 + agent;
  if (category == TX_BLOCKED_PCBUF && agent != TX_AGENT_BRISC) s.next = TX_AGENT_BRISC;
  if (category == TX_BLOCKED_CONDITION && s.unit == TX_UNIT_UNPACK && cycles > UNPACK_CYCLES_MAX) s.next = TX_AGENT_THREAD1;
  if (category != TX_BLOCKED_ADDRESS) return s.next != agent ? s.next : NO_AGENT;
  if (!buffer_of(object, &buffer, &pushes)) return launch_partner(agent, object);
  if (!t->buffer_writer[buffer][pushes].known) return NO_AGENT;
  return t->buffer_writer[buffer][pushes].agent; /* a thread, if its instruction counts the page */
}

/* --- the path over all tiles --- */

struct place {
  unsigned tile, agent;
};

/* The place on the path with the most cycles below `limit`, in the order of tiles and agents. */
static uint64_t next_place(const struct obs_why *why, const struct place *said, unsigned count, struct place *out) {
  uint64_t best = 0;
  for (unsigned tile = 0; tile < why->count; tile++)
    for (unsigned agent = 0; agent < OBS_PATH_AGENTS; agent++) {
      uint64_t cycles = why->paths[tile].path.cycles[agent];
      bool known = false;
      for (unsigned i = 0; i < count; i++) known = known || (said[i].tile == tile && said[i].agent == agent);
      if (known || cycles <= best) continue;
      best = cycles;
      *out = (struct place){tile, agent};
    }
  return best;
}

#define PLACES_MAX 8u
#define PLACE_SHARE_MIN 3

static void add_path(const struct obs_why *why, struct sim_text *out) {
  const struct obs_path *main = &why->paths[why->main].path;
  struct place said[PLACES_MAX];
  sim_text_add(out, "  critical path of the last %llu cycles\n", (unsigned long long)(main->until - main->from));
  for (unsigned n = 0; n < PLACES_MAX; n++) {
    uint64_t cycles = next_place(why, said, n, &said[n]);
    if (path_share_of(main, cycles) < PLACE_SHARE_MIN) return;
    const struct obs_why_tile *tile = &why->tiles[said[n].tile];
    const struct obs_path *path = &why->paths[said[n].tile].path;
    unsigned agent = said[n].agent;
    sim_text_add(out, "    ");
    if (why->count > 1) sim_text_add(out, "tile (%u, %u) ", tile->x, tile->y);
    sim_text_add(out, "%s %.1f%%", obs_agent_name(agent), path_share_of(main, cycles));
    bool polls = path->own_wait[agent][TX_BLOCKED_ADDRESS] > cycles / 2; /* the NoC, or another tile */
    add_place(out, tile, agent, polls ? WHY_ALL : OBS_CATEGORIES, ", most at ");
    sim_text_add(out, "\n");
  }
}

static uint64_t cycles_of_tile(const struct obs_path *path) {
  uint64_t sum = 0;
  for (unsigned agent = 0; agent < OBS_PATH_AGENTS; agent++) sum += path->cycles[agent];
  return sum;
}

void obs_why_find(struct obs_why *why) {
  const struct obs_account *a = &why->tiles[why->last].p->account;
  unsigned last = first_agent(a);
  struct place main = {why->last, 0};
  for (unsigned i = 0; i < why->count; i++) {
    const struct obs_profile *p = why->tiles[i].p;
    why->paths[i].waits = &p->waits;
    why->paths[i].t = p->account.t;
    why->paths[i].from = p->account.from;
    why->paths[i].until = p->account.until;
  }
  if (row_of(a, TX_AGENT_BRISC)->cycles[OBS_ISSUE]) last = TX_AGENT_BRISC; /* its firmware ends the launch */
  obs_path_find(why->paths, why->count, why->last, last, ender_of);
  next_place(why, NULL, 0, &main);
  why->main = main.tile;
  why->agent = main.agent;
}

/* --- the causes --- */

struct candidate {
  cause_fn *cause; /* NULL: none */
  struct place place;
};

static struct verdict verdict_of(const struct obs_why *why, struct place place, struct sim_text *out, struct why_part *part,
                                 struct obs_what_if *what_if) {
  const struct obs_why_tile *tile = &why->tiles[place.tile];
  struct verdict v = {.why = why,
                      .out = out,
                      .tile = tile,
                      .p = tile->p,
                      .path = &why->paths[place.tile].path,
                      .main = place.agent,
                      .what_if = what_if};
  if (obs_why_part(tile, place.agent, part)) v.part = part;
  return v;
}

/* The causes that apply to the place with most of the path: if the first is of the program's structure, the one behind it as well. */
static void find_first(struct verdict *v, struct place main, struct candidate found[OBS_WHY_CAUSES],
                       struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  unsigned count = 0;
  for (unsigned i = 0; i < CAUSES && count <= OBS_WHY_SECOND; i++) {
    v->what_if = &what_ifs[count];
    if (!causes[i](v)) continue;
    found[count++] = (struct candidate){causes[i], main};
    if (i >= STRUCTURES) break;
  }
}

static bool is_known(const struct obs_what_if what_ifs[OBS_WHY_CAUSES], unsigned number) {
  for (unsigned i = 0; i < number; i++)
    if (strcmp(what_ifs[i].text, what_ifs[number].text) == 0) return true;
  return false;
}

#define NEXT_SHARE_MIN 5.0 /* of the path: a smaller part cannot be the cause */

/* A cause for reruns to try if they refute the first: one with a what-if of its own. */
static void find_other(const struct obs_why *why, cause_fn *cause, struct place place, unsigned number,
                       struct candidate *found, struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct verdict v = verdict_of(why, place, &none, &part, &what_ifs[number]);
  bool applies = path_share(&v, place.agent) >= NEXT_SHARE_MIN && cause(&v) && what_ifs[number].text[0];
  if (applies && !is_known(what_ifs, number)) found[number] = (struct candidate){cause, place};
  else what_ifs[number].text[0] = '\0';
}

static void find_candidates(const struct obs_why *why, struct candidate found[OBS_WHY_CAUSES],
                            struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct place main = {why->main, why->agent}, places[3] = {main};
  memset(found, 0, OBS_WHY_CAUSES * sizeof *found);
  memset(what_ifs, 0, OBS_WHY_CAUSES * sizeof *what_ifs);
  struct verdict v = verdict_of(why, main, &none, &part, what_ifs);
  find_first(&v, main, found, what_ifs);
  if (!what_ifs[OBS_WHY_FIRST].text[0]) return; /* no rerun can refute it */
  find_other(why, bound_by_unit_time, main, OBS_WHY_UNIT, found, what_ifs);
  find_other(why, bound_by_core, main, OBS_WHY_CORE, found, what_ifs);
  for (unsigned n = 1; n < 3 && next_place(why, places, n, &places[n]); n++)
    find_other(why, bound_by_core, places[n], OBS_WHY_NEXT + n - 1, found, what_ifs);
}

void obs_why_causes(struct obs_why *why) {
  struct candidate found[OBS_WHY_CAUSES];
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct obs_what_if unused;
  find_candidates(why, found, why->causes);
  struct verdict v = verdict_of(why, (struct place){why->main, why->agent}, &none, &part, &unused);
  why->chosen = found[OBS_WHY_SECOND].cause && !first_by_path(&v, found[OBS_WHY_FIRST].cause);
}

/* "tile (1, 2) ended last and waits for tile (2, 2), which has 70.0% of the critical path: " */
static void add_tiles(const struct obs_why *why, unsigned tile, struct sim_text *out) {
  const struct obs_why_tile *last = &why->tiles[why->last], *main = &why->tiles[tile];
  const struct obs_path *path = &why->paths[tile].path;
  if (why->limited) sim_text_add(out, "until the limit of cycles, at which the run had not ended: ");
  if (why->count < 2) return;
  sim_text_add(out, "tile (%u, %u) %s", last->x, last->y, why->limited ? "was the last one at work" : "ended last");
  if (tile != why->last)
    sim_text_add(out, " and waited for tile (%u, %u), which has %.1f%% of the critical path", main->x, main->y,
                 path_share_of(path, cycles_of_tile(path)));
  sim_text_add(out, ": ");
}

static void add_chain(const struct obs_why_tile *tile, struct sim_text *out) {
  struct step chain[CHAIN_MAX];
  unsigned count = 0, agent = first_agent(&tile->p->account);
  uint32_t seen = 0;
  while (agent != NO_AGENT && count < CHAIN_MAX && !(seen >> agent & 1u)) {
    chain[count] = step_at(tile->p, agent);
    seen |= 1u << agent;
    agent = chain[count++].next;
  }
  sim_text_add(out, "  waits, from the math thread on\n");
  for (unsigned i = 0; i < count; i++) add_step(out, tile, &chain[i]);
}

/* The sentence of the cause, and the change behind "change: ". */
static void add_sentence(const struct obs_why *why, struct sim_text *out) {
  struct candidate found[OBS_WHY_CAUSES];
  struct obs_what_if what_ifs[OBS_WHY_CAUSES];
  struct why_part part;
  find_candidates(why, found, what_ifs);
  const struct candidate *c = why->chosen < OBS_WHY_CAUSES ? &found[why->chosen] : NULL;
  add_tiles(why, c ? c->place.tile : why->last, out);
  if (c && c->cause) {
    struct verdict v = verdict_of(why, c->place, out, &part, &what_ifs[why->chosen]);
    c->cause(&v);
  } else {
    sim_text_add(out, "no single cause: the parts on the critical path are about as long as what else runs beside them\n"
                      "  change: several of them; none of those below makes the run faster alone\n");
  }
}

void obs_why_text(const struct obs_why *why, struct sim_text *out) {
  sim_text_add(out, "\nwhy: ");
  add_sentence(why, out);
  add_path(why, out);
  add_chain(&why->tiles[why->main], out);
}

/* --- as JSON --- */

#define SENTENCE_MAX 2048u

static void add_json_sentence(const struct obs_why *why, struct sim_text *out) {
  char text[SENTENCE_MAX];
  struct sim_text sentence = {.data = text, .size = sizeof text};
  text[0] = '\0';
  add_sentence(why, &sentence);
  char *change = strstr(text, "\n  change: "), *end;
  sim_text_add(out, "\"verdict\":");
  if (change) *change = '\0';
  sim_text_add_json(out, text);
  change = change ? change + strlen("\n  change: ") : text + strlen(text);
  if ((end = strchr(change, '\n'))) *end = '\0';
  sim_text_add(out, ",\"change\":");
  sim_text_add_json(out, change);
  sim_text_add(out, ",\"what_if\":");
  sim_text_add_json(out, why->chosen < OBS_WHY_CAUSES ? why->causes[why->chosen].text : "");
}

static void add_json_place(const struct obs_why *why, const struct place *place, uint64_t cycles, struct sim_text *out) {
  const struct obs_why_tile *tile = &why->tiles[place->tile];
  const struct obs_path *path = &why->paths[place->tile].path;
  bool polls = path->own_wait[place->agent][TX_BLOCKED_ADDRESS] > cycles / 2;
  struct why_line line;
  sim_text_add(out, "{\"tile\":[%u,%u],\"agent\":\"%s\",\"cycles\":%llu,\"percent\":%.1f", tile->x, tile->y,
               obs_agent_name(place->agent), (unsigned long long)cycles, path_share_of(path, cycles));
  if (obs_why_hottest(tile, place->agent, polls ? WHY_ALL : OBS_CATEGORIES, &line)) {
    sim_text_add(out, ",\"file\":");
    sim_text_add_json(out, line.file);
    sim_text_add(out, ",\"line\":%u,\"function\":", line.line);
    sim_text_add_json(out, line.function ? line.function : "");
  }
  sim_text_add(out, "}");
}

void obs_why_json(const struct obs_why *why, struct sim_text *out) {
  struct place said[PLACES_MAX];
  sim_text_add(out, "{");
  add_json_sentence(why, out);
  sim_text_add(out, ",\"critical_path\":[");
  for (unsigned n = 0; n < PLACES_MAX; n++) {
    uint64_t cycles = next_place(why, said, n, &said[n]);
    if (path_share_of(&why->paths[why->main].path, cycles) < PLACE_SHARE_MIN) break;
    sim_text_add(out, n ? "," : "");
    add_json_place(why, &said[n], cycles, out);
  }
  sim_text_add(out, "]}");
}
