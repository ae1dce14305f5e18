/* The writer of coverage.h: how often each line of the programs was executed, also one that only calls inlined functions.
 *
 * A line's instructions are in several places, and a function inlined there may loop: the count is that of the arrivals from outside the
 * line, at the place with most of them; copies of a function in different callers add up. A loop of the line itself (all of it on one line)
 * arrives once more with each turn: its jump backwards is not inside one inlined function. A line that is entered in two places, because the
 * compiler has moved a part of it, is not executed more often than any of its instructions there. Turns of a poll do not count: the calls of
 * the library that wait are macros with such a loop.
 *
 * Instructions that the compiler has moved away from their statement (a constant that it loads before the loop) do not execute the line: a line
 * is executed only if the core came to an address at which one of its statements begins in the line table (is_stmt), if there is one. */
#include "observe/account/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "debug/extent.h"
#include "observe/words.h"
#include "tensix/riscv/decode.h"

/* One instruction as part of one line: its own, or one into which its function is inlined. */
struct part {
  uint32_t path, line, instance, pc;
  uint32_t inlined; /* instance of the function inlined in the line that has the instruction; 0: the line's own */
};

/* A line at which statements begin. */
struct stated {
  uint32_t path, line;
  bool executed; /* the core came to one of them */
};

struct coverage {
  const struct obs_profile *p;
  const struct dbg_index *index;
  unsigned core;
  struct dbg_path *paths; /* each file once */
  struct part *parts;
  uint32_t path_count, path_room, count, room;
  struct stated *stated; /* by path and line, after find_statements */
  uint32_t stated_count, stated_room;
  const char *last_file; /* the path of the last statement */
  uint32_t last_path;
  bool failed; /* no memory */
};

/* --- the instructions of each line --- */

static bool grow(void **data, uint32_t *room, size_t size) {
  uint32_t more = *room ? *room * 2 : 256;
  void *made = realloc(*data, more * size);
  if (!made) return false;
  *data = made;
  *room = more;
  return true;
}

static bool same_path(const struct dbg_path *a, const struct dbg_path *b) {
  char first[512], second[512];
  if (strcmp(dbg_path_base(a), dbg_path_base(b)) != 0) return false;
  dbg_path_text(a, first, sizeof first);
  dbg_path_text(b, second, sizeof second);
  return strcmp(first, second) == 0;
}

/* UINT32_MAX: no memory. */
static uint32_t number_of(struct coverage *c, const struct dbg_path *path) {
  uint32_t i = 0;
  while (i < c->path_count && !same_path(&c->paths[i], path)) i++;
  if (i < c->path_count) return i;
  if (i == c->path_room && !grow((void **)&c->paths, &c->path_room, sizeof *c->paths)) return UINT32_MAX;
  c->paths[c->path_count++] = *path;
  return i;
}

static bool add_parts(struct coverage *c, uint32_t pc) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned depth = dbg_index_frames(c->index, pc, frames, DBG_FRAMES_MAX);
  for (unsigned i = 0; i < depth; i++) {
    if (!frames[i].line || !frames[i].path.file) continue;
    if (c->count == c->room && !grow((void **)&c->parts, &c->room, sizeof *c->parts)) return false;
    uint32_t path = number_of(c, &frames[i].path);
    if (path == UINT32_MAX) return false;
    c->parts[c->count++] = (struct part){path, frames[i].line, frames[i].instance, pc, i ? frames[i - 1].instance : 0};
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  if (x->path != y->path) return x->path < y->path ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
  return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static bool find_parts(struct coverage *c) {
  struct dbg_segment segment;
  for (unsigned n = 0; dbg_elf_segment(c->index->elf, n, &segment); n++)
    for (uint32_t at = 0; segment.executable && at + 4 <= segment.bytes.size; at += 4)
      if (!add_parts(c, segment.run_address + at)) return false;
  if (c->count) qsort(c->parts, c->count, sizeof *c->parts, compare);
  return true;
}

/* --- statements --- */

static void add_statement(void *context, const struct dbg_path *path, uint32_t line, uint32_t address) {
  struct coverage *c = context;
  const struct obs_profile_row *r = obs_profile_row(c->p, TX_AGENT_TRISC0 + c->core, address);
  if (c->failed) return;
  if (path->file != c->last_file) c->last_path = number_of(c, path), c->last_file = path->file;
  if (c->last_path == UINT32_MAX ||
      (c->stated_count == c->stated_room && !grow((void **)&c->stated, &c->stated_room, sizeof *c->stated))) {
    c->failed = true;
    return;
  }
  c->stated[c->stated_count++] = (struct stated){c->last_path, line, r && r->times};
}

static int compare_stated(const void *a, const void *b) {
  const struct stated *x = a, *y = b;
  if (x->path != y->path) return x->path < y->path ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Each line once. */
static bool find_statements(struct coverage *c) {
  uint32_t lines = 0;
  dbg_statements(c->index->elf, add_statement, c);
  if (c->stated_count) qsort(c->stated, c->stated_count, sizeof *c->stated, compare_stated);
  for (uint32_t i = 0; i < c->stated_count; i++) {
    if (lines && compare_stated(&c->stated[lines - 1], &c->stated[i]) == 0)
      c->stated[lines - 1].executed |= c->stated[i].executed;
    else c->stated[lines++] = c->stated[i];
  }
  c->stated_count = lines;
  return !c->failed;
}

/* Are only instructions of the line executed that the compiler has moved away from its statements? */
static bool only_moved(const struct coverage *c, uint32_t path, uint32_t line) {
  const struct stated key = {.path = path, .line = line};
  const struct stated *found =
      c->stated_count ? bsearch(&key, c->stated, c->stated_count, sizeof key, compare_stated) : NULL;
  return found && !found->executed;
}

/* --- counts --- */

/* The instructions of one line in one function, by address. */
struct line {
  const struct part *parts;
  uint32_t count;
};

/* NULL: the line does not have this instruction. */
static const struct part *part_at(const struct line *l, uint32_t pc) {
  uint32_t low = 0, high = l->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (l->parts[middle].pc < pc) low = middle + 1;
    else high = middle;
  }
  return low < l->count && l->parts[low].pc == pc ? &l->parts[low] : NULL;
}

/* 0: no code there. */
static uint32_t word_at(const struct coverage *c, uint32_t pc) {
  struct dbg_segment segment;
  for (unsigned n = 0; dbg_elf_segment(c->index->elf, n, &segment); n++)
    if (segment.executable && pc >= segment.run_address && pc + 4 - segment.run_address <= segment.bytes.size)
      return dbg_u32(segment.bytes, pc - segment.run_address);
  return 0;
}

#define POLL_INSTRUCTIONS 32u

/* Is the loop a poll: loads, no effect, and no register that one turn hands over to the next? */
static bool is_poll(const struct coverage *c, uint32_t first, uint32_t last) {
  uint32_t written = 0, taken = 0;
  bool loads = false;
  if ((last - first) / 4 >= POLL_INSTRUCTIONS) return false;
  for (uint32_t pc = first; pc <= last; pc += 4) {
    const struct tx_insn d = tx_rv_decode(word_at(c, pc));
    const bool jumps = d.class == TX_RV_CLASS_BRANCH || (d.class == TX_RV_CLASS_JAL && pc == last);
    const bool computes = d.class == TX_RV_CLASS_ALU || d.class == TX_RV_CLASS_FENCE;
    if (!(jumps || computes || d.class == TX_RV_CLASS_LOAD)) return false;
    loads |= d.class == TX_RV_CLASS_LOAD;
    taken |= (1u << (d.rs1 & 31u) | 1u << (d.rs2 & 31u)) & ~written;
    if (d.rd < 32) written |= 1u << d.rd;
  }
  return loads && !(written & taken & ~1u);
}

/* Does the jump from one instruction of the line to another begin the next turn of a loop of the line, not of a function inlined there? */
static bool is_turn(const struct coverage *c, const struct part *from, const struct part *to) {
  return from->pc >= to->pc && !(from->inlined && from->inlined == to->inlined) && !is_poll(c, to->pc, from->pc);
}

static bool is_call(const struct coverage *c, uint32_t pc) {
  uint32_t target;
  return dbg_is_call(c->index->elf, pc, word_at(c, pc), &target);
}

/* How often the core came to the instruction from outside the line or with the next turn of a loop of the line. It returns from a call to
 * the same line. */
static uint64_t arrivals(const struct coverage *c, const struct line *l, const struct part *at,
                         const struct obs_profile_row *r) {
  uint64_t jumps = r->jumps_of_others, outside = r->jumps_of_others, turns = 0;
  bool follows = part_at(l, r->pc - 4);
  for (unsigned i = 0; i < OBS_JUMPS; i++) {
    const struct part *from = part_at(l, r->jumps[i].from);
    jumps += r->jumps[i].times;
    if (!from) outside += r->jumps[i].times;
    else if (is_turn(c, from, at)) turns += r->jumps[i].times;
  }
  if (follows && is_call(c, r->pc - 4)) return turns;
  uint64_t straight = r->times > jumps && !follows ? r->times - jumps : 0;
  return straight + outside + turns;
}

/* Does the line jump back to this instruction without a turn of its own: in a poll, or a loop of one function that is inlined there? */
static uint64_t inner_turns(const struct coverage *c, const struct line *l, const struct part *at, uint32_t beyond) {
  const struct obs_profile_row *r = obs_profile_row(c->p, TX_AGENT_TRISC0 + c->core, at->pc);
  uint64_t turns = 0;
  for (unsigned i = 0; r && i < OBS_JUMPS; i++) {
    const struct part *from = r->jumps[i].times ? part_at(l, r->jumps[i].from) : NULL;
    if (from && from->pc >= beyond && from >= at && (from->pc - at->pc) / 4 == (uint32_t)(from - at) &&
        !is_turn(c, from, at))
      turns += r->jumps[i].times; /* all of it is the line's */
  }
  return turns;
}

/* The executions of an instruction without the turns of such a loop that begins there; 0: it is inside one. */
static uint64_t without_loops(const struct coverage *c, const struct line *l, const struct part *at, uint64_t times) {
  for (const struct part *head = l->parts; head < at; head++)
    if (inner_turns(c, l, head, at->pc)) return 0;
  return times - inner_turns(c, l, at, at->pc);
}

/* Where the first turn of a loop has a copy of the line's beginning, each execution arrives at one of two places: their sum counts, as far as one
 * instruction of the line is executed so often. */
static uint64_t times_of(const struct coverage *c, const struct line *l) {
  uint64_t most = 0, here = 0, largest = 0, last = 0, sum = 0, bound = 0; /* largest: of one instruction of the place */
  bool executed = false;
  for (uint32_t i = 0; i < l->count; i++) {
    const struct obs_profile_row *r = obs_profile_row(c->p, TX_AGENT_TRISC0 + c->core, l->parts[i].pc);
    if (!i || l->parts[i].pc != l->parts[i - 1].pc + 4) sum += last, here = largest = last = 0;
    if (!r || !r->times) continue;
    executed = true;
    here += arrivals(c, l, &l->parts[i], r);
    if (r->times > largest) largest = r->times;
    last = here < largest ? here : largest;
    if (last > most) most = last;
    const uint64_t alone = without_loops(c, l, &l->parts[i], r->times);
    if (alone > bound) bound = alone;
  }
  sum += last;
  if (sum > bound) sum = bound;
  return sum > most ? sum : most ? most : executed;
}

/* --- the text --- */

static uint32_t end_of(const struct coverage *c, uint32_t from, bool of_instance) {
  uint32_t to = from;
  const struct part *first = &c->parts[from];
  while (to < c->count && c->parts[to].path == first->path && c->parts[to].line == first->line &&
         (!of_instance || c->parts[to].instance == first->instance))
    to++;
  return to;
}

static void add_record(const struct coverage *c, uint32_t *at, struct sim_text *out) {
  char name[512];
  uint32_t path = c->parts[*at].path, found = 0, hit = 0;
  dbg_path_text(&c->paths[path], name, sizeof name);
  sim_text_add(out, "TN:%s\nSF:%s\n", tx_core_name(c->core), name);
  while (*at < c->count && c->parts[*at].path == path) {
    uint32_t end = end_of(c, *at, false), line = c->parts[*at].line;
    uint64_t times = 0;
    while (*at < end) {
      uint32_t to = end_of(c, *at, true);
      times += times_of(c, &(struct line){&c->parts[*at], to - *at});
      *at = to;
    }
    if (times && only_moved(c, path, line)) times = 0;
    sim_text_add(out, "DA:%u,%llu\n", line, (unsigned long long)times);
    found++;
    hit += times != 0;
  }
  sim_text_add(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
}

void obs_profile_lcov(const struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct coverage c = {.p = p, .index = &index[core], .core = core};
    if (index[core].elf && find_parts(&c) && find_statements(&c))
      for (uint32_t at = 0; at < c.count;) add_record(&c, &at, out);
    free(c.stated);
    free(c.parts);
    free(c.paths);
  }
}
