/* The parts of why/part.h. */
#include "observe/why/part.h"

#include <stdlib.h>
#include <string.h>

#include "debug/entry.h"
#include "debug/loop.h"
#include "debug/symbols.h"
#include "tensix/riscv/csr.h"

#define TRIED 4u   /* hottest lines from which a part may grow */
#define CALLEES 8u /* functions that a part calls */
#define SHARED 32u /* functions that others call, too */
#define LEVELS_MAX 8u
#define WAITS_SHARE 50u /* a part that waits for others in more than one of so many cycles is no work of its own */

/* --- parts --- */

struct grower {
  const struct obs_why_tile *tile;
  unsigned agent;
  struct why_part part;
  uint32_t callee[CALLEES]; /* first addresses of functions that only the part calls */
  unsigned callees;
};

static uint32_t function_at(const struct grower *g, uint32_t pc) {
  unsigned core = obs_why_core(g->agent);
  uint32_t offset = 0, address = pc - g->tile->program->moved[core];
  return dbg_symbol_at(&g->tile->program->elf[core], address, &offset) ? address - offset : UINT32_MAX;
}

/* The function that has the kernel's first instruction: kernel_main, or that into which it is inlined. */
static uint32_t function_of_kernel(const struct grower *g) {
  const unsigned core = obs_why_core(g->agent);
  uint32_t address;
  return dbg_kernel_find(&g->tile->program->elf[core], &address) ? function_at(g, address + g->tile->program->moved[core])
                                                                 : 0;
}

static uint32_t word_at(const struct grower *g, uint32_t pc) {
  return pc < TX_L1_BYTES ? tx_l1_read(g->tile->p->account.t, pc, 4) : 0;
}

static bool calls(const struct grower *g, uint32_t pc, uint32_t *target) {
  unsigned core = obs_why_core(g->agent);
  return dbg_is_call(&g->tile->program->elf[core], pc - g->tile->program->moved[core], word_at(g, pc), target) && *target;
}

/* Does the instruction call the function? What it calls through a pointer is known from the calls that were executed. */
static bool calls_function(const struct grower *g, uint32_t pc, uint32_t function) {
  const unsigned core = obs_why_core(g->agent);
  const uint32_t moved = g->tile->program->moved[core];
  uint32_t target;
  if (!dbg_is_call(&g->tile->program->elf[core], pc - moved, word_at(g, pc), &target)) return false;
  if (target) return target == function;
  for (unsigned i = 0; i < OBS_CALLS; i++) {
    const struct obs_call *c = &g->tile->p->calls[i];
    if (c->times && c->core == core && c->site == pc && c->entry - moved == function) return true;
  }
  return false;
}

static bool has(const struct grower *g, uint32_t pc) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  if (dbg_extent_has(&g->part.extent, frames, obs_why_frames(g->tile, g->agent, pc, frames))) return true;
  uint32_t function = g->callees ? function_at(g, pc) : 0;
  for (unsigned i = 0; i < g->callees; i++)
    if (g->callee[i] == function) return true;
  return false;
}

/* The instruction was executed by the core of the part. */
static bool executed(const struct grower *g, const struct obs_profile_row *r) {
  return r->key && r->agent == g->agent && r->category == OBS_ISSUE;
}

/* Do all executed calls of the function lie in the part? */
static bool only_callers(const struct grower *g, uint32_t function) {
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (!executed(g, r) || !r->cycles || !calls_function(g, r->pc, function)) continue;
    if (function_at(g, r->pc) != function && !has(g, r->pc)) return false;
  }
  return true;
}

struct functions {
  uint32_t function[SHARED];
  unsigned count;
};

static bool is_among(const struct functions *s, uint32_t function) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->function[i] == function) return true;
  return false;
}

static bool add_callee(struct grower *g, uint32_t function, const struct functions *without) {
  for (unsigned i = 0; i < g->callees; i++)
    if (g->callee[i] == function) return false;
  if (g->callees == CALLEES || is_among(without, function)) return false;
  g->callee[g->callees++] = function;
  return true;
}

/* All functions that the part calls, and those that they call, apart from those `without`. */
static void add_callees(struct grower *g, const struct functions *without) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
      const struct obs_profile_row *r = &g->tile->p->rows[i];
      uint32_t target;
      if (executed(g, r) && r->cycles && calls(g, r->pc, &target) && has(g, r->pc))
        more = add_callee(g, target, without) || more;
    }
    for (unsigned i = 0; i < OBS_CALLS; i++) { /* and through pointers */
      const struct obs_call *c = &g->tile->p->calls[i];
      const unsigned core = obs_why_core(g->agent);
      const uint32_t function = c->entry - g->tile->program->moved[core];
      if (c->times && c->core == core && g->agent >= TX_AGENT_TRISC0 && calls_function(g, c->site, function) &&
          has(g, c->site))
        more = add_callee(g, function, without) || more;
    }
  }
}

/* The functions that only the part calls, also those that call each other: of all that it reaches, one that something else calls is not its
 * own, nor what only that one reaches. */
static void find_callees(struct grower *g) {
  struct functions shared = {.count = 0};
  for (bool less = true; less;) {
    less = false;
    g->callees = 0;
    add_callees(g, &shared);
    for (unsigned i = 0; i < g->callees; i++) {
      if (only_callers(g, g->callee[i])) continue;
      if (shared.count == SHARED) {
        g->callees = 0;
        return;
      }
      shared.function[shared.count++] = g->callee[i];
      less = true;
    }
  }
}

/* Counts the cycles of the part. false: it waits for others. */
static bool measure(struct grower *g) {
  uint64_t by_category[OBS_CATEGORIES] = {0}, waits = 0;
  const unsigned thread = obs_why_core(g->agent);
  g->part.cycles = g->part.words = 0;
  find_callees(g);
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    bool own = obs_why_counts(r, g->agent, WHY_ALL), pushed = thread < TX_THREADS && obs_why_counts(r, thread, OBS_ISSUE);
    if ((!own && !pushed) || !has(g, r->pc)) continue;
    if (!own) g->part.words += r->cycles;
    else if (obs_why_waits_for_others(r)) waits += r->cycles;
    else g->part.cycles += r->cycles, by_category[r->category] += r->cycles;
  }
  g->part.category = 0;
  for (unsigned k = 1; k < OBS_CATEGORIES; k++)
    if (by_category[k] > by_category[g->part.category]) g->part.category = k;
  return waits * WAITS_SHARE <= g->part.cycles;
}

static void set_line(struct grower *g, const char *file, uint32_t line) {
  g->part.extent = (struct dbg_extent){.first = line, .last = line};
  strncpy(g->part.extent.name, file, sizeof g->part.extent.name - 1);
}

/* The function, and those that it has called, also by others: a call of it in one of these is a recursion. */
static void find_reached(const struct grower *g, uint32_t function, struct functions *out) {
  const unsigned core = obs_why_core(g->agent);
  *out = (struct functions){.function = {function}, .count = 1};
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < OBS_CALLS && out->count < SHARED; i++) {
      const struct obs_call *c = &g->tile->p->calls[i];
      const uint32_t entry = c->entry - g->tile->program->moved[core];
      if (!c->times || c->core != core || is_among(out, entry) || !is_among(out, function_at(g, c->site))) continue;
      out->function[out->count++] = entry;
      more = true;
    }
  }
}

/* The only line that calls the function, apart from recursions; a pc of it. 0: none, or several. */
static uint32_t only_call(const struct grower *g, uint32_t function) {
  struct functions reached;
  struct dbg_frame frames[DBG_FRAMES_MAX], other[DBG_FRAMES_MAX];
  uint32_t found = 0;
  unsigned depth = 0, at, user;
  find_reached(g, function, &reached);
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (!executed(g, r) || !r->cycles || !calls_function(g, r->pc, function)) continue;
    if (is_among(&reached, function_at(g, r->pc))) continue;
    if (!found) {
      found = r->pc;
      depth = obs_why_frames(g->tile, g->agent, r->pc, frames);
      continue;
    }
    const struct dbg_frame *a = obs_why_user_frame(frames, depth, &at),
                           *b = obs_why_user_frame(other, obs_why_frames(g->tile, g->agent, r->pc, other), &user);
    if (!a || !b || !obs_why_same_line(b, dbg_path_base(&a->path), a->line)) return 0;
  }
  return found;
}

static const char *name_of(const struct dbg_frame *f) { return f->function ? f->function : "?"; }

/* Every copy and call of the function, wherever it is inlined. */
static void grow_to_function(struct grower *g, const char *function) {
  struct grower larger = *g;
  larger.part.extent = (struct dbg_extent){.first = 0};
  strncpy(larger.part.extent.name, function, sizeof larger.part.extent.name - 1);
  larger.part.call = NULL;
  larger.part.loop = false;
  if (measure(&larger) && larger.part.cycles >= g->part.cycles) *g = larger;
}

/* Grows to the call of the function that contains the part, while that has only work of its own. Returns the level of the chain;
 * `count`: the part is a function that is inlined at several lines. */
static unsigned grow_inlined(struct grower *g, const struct dbg_frame *frames, unsigned count, unsigned user) {
  unsigned level = user;
  while (level + 1 < count && frames[level + 1].path.file) {
    struct grower larger = *g;
    set_line(&larger, dbg_path_base(&frames[level + 1].path), frames[level + 1].line);
    larger.part.call = name_of(&frames[level]);
    larger.part.loop = false;
    if (!measure(&larger)) break;
    if (larger.part.cycles * 10 < g->part.cycles * 9) { /* one of several calls: the function itself has all of it */
      if (frames[level].function) grow_to_function(g, frames[level].function);
      return count;
    }
    *g = larger;
    level++;
  }
  return level;
}

/* The same for a function that is not inlined: its only call, or the function itself. false: it does not grow. */
static bool grow_function(struct grower *g, const struct dbg_frame *outermost, uint32_t *pc) {
  uint32_t function = function_at(g, *pc), call = only_call(g, function);
  struct grower larger = *g;
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned user, depth = call ? obs_why_frames(g->tile, g->agent, call, frames) : 0;
  const struct dbg_frame *f = obs_why_user_frame(frames, depth, &user);
  larger.part.loop = false;
  if (f) {
    set_line(&larger, dbg_path_base(&f->path), f->line);
    larger.part.call = outermost->function;
    larger.part.function = frames[depth - 1].function;
  } else if (outermost->function && function != function_of_kernel(g)) {
    larger.part.extent = (struct dbg_extent){.first = 0};
    strncpy(larger.part.extent.name, outermost->function, sizeof larger.part.extent.name - 1);
    larger.part.call = NULL;
  } else return false;
  if (!measure(&larger)) return false;
  *g = larger;
  *pc = call;
  return f != NULL;
}

/* The loop that ends with the executed instruction of this row, if `pc` is in it. */
static bool loop_of_row(const struct grower *g, const struct obs_profile_row *r, uint32_t pc, struct dbg_loop *out) {
  const struct dbg_program *program = g->tile->program;
  const uint32_t moved = program->moved[obs_why_core(g->agent)];
  uint32_t target;
  return executed(g, r) && dbg_jumps_back(r->pc, word_at(g, r->pc), &target) &&
         dbg_loop_of(&program->elf[obs_why_core(g->agent)], r->pc - moved, out) && dbg_loop_has(out, pc - moved);
}

/* The smallest loop around `pc` with more than `than` instructions. */
static bool loop_around(const struct grower *g, uint32_t pc, uint32_t than, struct dbg_loop *best) {
  struct dbg_loop loop;
  best->count = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (r->cycles && loop_of_row(g, r, pc, &loop) && loop.count > than && (!best->count || loop.count < best->count))
      *best = loop;
  }
  return best->count != 0;
}

/* Was the instruction of the program executed? What a loop has for a case that did not occur is not named. */
static bool ran(const struct grower *g, uint32_t pc) { return obs_profile_row(g->tile->p, g->agent, pc) != NULL; }

/* --- the loop around a barrier --- */

/* A loop of instructions of the line alone is the one that polls. */
static bool has_other(const struct grower *g, const struct why_line *line, const struct dbg_loop *loop) {
  const uint32_t moved = g->tile->program->moved[obs_why_core(g->agent)];
  for (uint32_t at = loop->function; at < loop->end; at += 4)
    if (dbg_loop_has(loop, at) && ran(g, at + moved) && !obs_why_is_line(g->tile, g->agent, at + moved, line)) return true;
  return false;
}

/* false: instructions of the loop count pages, or are of no line. */
static bool lines_of_loop(const struct grower *g, const struct why_line *line, const struct dbg_loop *loop,
                          struct dbg_extent *out) {
  const uint32_t moved = g->tile->program->moved[obs_why_core(g->agent)];
  *out = (struct dbg_extent){.first = line->line, .last = line->line};
  strncpy(out->name, line->file, sizeof out->name - 1);
  for (uint32_t at = loop->function; at < loop->end; at += 4) {
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned user, depth;
    if (!dbg_loop_has(loop, at) || !ran(g, at + moved)) continue;
    depth = obs_why_frames(g->tile, g->agent, at + moved, frames);
    const struct dbg_frame *f = obs_why_user_frame(frames, depth, &user);
    if (dbg_counts_pages(frames, depth)) return false;
    if (!f || strcmp(dbg_path_base(&f->path), line->file) != 0) continue;
    if (f->line < out->first) out->first = f->line;
    if (f->line > out->last) out->last = f->line;
  }
  return true;
}

bool obs_why_loop(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line, struct dbg_extent *out) {
  const struct grower g = {.tile = tile, .agent = agent};
  struct dbg_loop best = {.count = 0}, loop;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    if (!loop_of_row(&g, &tile->p->rows[i], line->pc, &loop)) continue;
    if ((!best.count || loop.count < best.count) && has_other(&g, line, &loop)) best = loop;
  }
  return best.count && lines_of_loop(&g, line, &best, out);
}

/* Is the frame of a line beside the part's a call of the library? Such a loop communicates: it is not work that can go as a whole. */
static bool communicates(const struct grower *g, const struct dbg_frame *frames, unsigned depth) {
  return depth && frames[0].path.file && dbg_path_is_library(&frames[0].path) &&
         !dbg_extent_has(&g->part.extent, frames, depth);
}

/* Extends the part by the lines of the loop, in the function that is the frame number `outside` from outside. false: it communicates. */
static bool extend(struct grower *g, const struct dbg_loop *loop, unsigned outside) {
  struct dbg_extent *extent = &g->part.extent;
  const struct grower before = *g;
  for (uint32_t at = loop->function; at < loop->end; at += 4) {
    struct dbg_frame frames[DBG_FRAMES_MAX];
    const uint32_t address = at + g->tile->program->moved[obs_why_core(g->agent)];
    if (!dbg_loop_has(loop, at) || !ran(g, address)) continue;
    unsigned depth = obs_why_frames(g->tile, g->agent, address, frames);
    const struct dbg_frame *f = depth > outside ? &frames[depth - 1 - outside] : NULL;
    if (communicates(&before, frames, depth)) return false;
    if (!f || !f->line || !f->path.file || strcmp(dbg_path_base(&f->path), extent->name) != 0) continue;
    if (f->line < extent->first) extent->first = f->line;
    if (f->line > extent->last) extent->last = f->line;
  }
  return true;
}

#define LOOP_MORE_PERCENT 105u /* of the cycles of the loop inside it: a smaller loop says more */

/* Grows a line to the lines of the innermost loop around it, and to those of outer loops that have more work than that. */
static void grow_loop(struct grower *g, uint32_t pc, unsigned outside) {
  struct dbg_loop loop = {.count = 0};
  uint32_t than = 0;
  for (unsigned n = 0; g->part.extent.first && n < LEVELS_MAX && loop_around(g, pc, than, &loop); n++, than = loop.count) {
    struct grower larger = *g;
    if (!extend(&larger, &loop, outside)) return;
    if (larger.part.extent.first == larger.part.extent.last) continue;
    larger.part.loop = true;
    larger.part.call = NULL;
    if (!measure(&larger)) return;
    if (!g->part.loop || larger.part.cycles * 100 >= g->part.cycles * LOOP_MORE_PERCENT) *g = larger;
  }
}

static void grow(struct grower *g, const struct why_line *line) {
  uint32_t pc = line->pc;
  g->part = (struct why_part){.function = line->function, .call = line->call, .line = *line};
  set_line(g, line->file, line->line);
  bool works = measure(g);
  for (unsigned n = 0; works && g->agent >= TX_AGENT_TRISC0 && n < LEVELS_MAX; n++) {
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned user, depth = obs_why_frames(g->tile, g->agent, pc, frames);
    if (!obs_why_user_frame(frames, depth, &user)) return;
    unsigned level = grow_inlined(g, frames, depth, user);
    if (level == depth) return; /* a function that several lines call */
    if (level + 1 == depth && grow_function(g, &frames[depth - 1], &pc)) continue;
    grow_loop(g, pc, depth - 1 - level);
    return;
  }
}

/* Does another line with about as many cycles call the same function? */
static bool others_call(const struct grower *g, const struct why_line *lines, unsigned count) {
  for (unsigned k = 0; k < count; k++) {
    struct why_line other = lines[k];
    if (other.line == g->part.line.line && strcmp(other.file, g->part.line.file) == 0) continue;
    if (2 * other.cycles < g->part.line.cycles) continue;
    obs_why_find_call(g->tile, g->agent, OBS_CATEGORIES, WHY_ANY_OBJECT, &other);
    if (other.call && strcmp(other.call, g->part.line.call) == 0) return true;
  }
  return false;
}

/* Several lines push the words of one function of the library: it is the part, not one of its calls. Work of units only: what the thread waits
 * for elsewhere is no cost of the function. */
static void grow_to_calls(struct grower *g, const struct why_line *lines, unsigned count) {
  struct grower larger = *g;
  if (g->agent > TX_AGENT_THREAD2 || !g->part.cycles || !g->part.line.call || !others_call(g, lines, count)) return;
  grow_to_function(&larger, g->part.line.call);
  const unsigned category = larger.part.category;
  const bool works = category == OBS_ISSUE || category == TX_BLOCKED_UNIT || category == TX_BLOCKED_HAZARD ||
                     category == TX_BLOCKED_CONDITION;
  if (2 * larger.part.cycles > 3 * g->part.cycles && works) *g = larger;
}

/* --- a part of many lines --- */

#define RANGE_LINES 8192u /* lines behind these are in no range */
#define RANGE_FUNCTIONS 16u

/* The lines of one function, with what it calls inline. */
struct range_lines {
  const char *file, *function;
  uint64_t cycles[RANGE_LINES];
  uint64_t waits[RANGE_LINES];
  uint8_t ends[RANGE_LINES]; /* 1: it counts pages of circular buffers, or calls the library on a T core */
};

/* The user's function with most of the agent's own cycles. */
static uint64_t main_function(const struct obs_why_tile *tile, unsigned agent, struct range_lines *out) {
  struct {
    const char *file, *function;
    uint64_t cycles;
  } known[RANGE_FUNCTIONS];
  unsigned count = 0, best = 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned user, k = 0;
    if (!obs_why_counts(r, agent, OBS_CATEGORIES)) continue;
    const struct dbg_frame *f = obs_why_user_frame(frames, obs_why_frames(tile, agent, r->pc, frames), &user);
    sum += r->cycles;
    if (!f || !f->function) continue;
    while (k < count && strcmp(known[k].function, f->function) != 0) k++;
    if (k == RANGE_FUNCTIONS) continue;
    if (k == count) known[k].file = dbg_path_base(&f->path), known[k].function = f->function, known[count++].cycles = 0;
    known[k].cycles += r->cycles;
  }
  for (unsigned k = 1; k < count; k++)
    if (known[k].cycles > known[best].cycles) best = k;
  out->file = count ? known[best].file : NULL;
  out->function = count ? known[best].function : NULL;
  return sum;
}

static void collect_range(const struct obs_why_tile *tile, unsigned agent, struct range_lines *out) {
  const bool is_t_core = obs_why_core(agent) < TX_THREADS;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned k = 0;
    if (!obs_why_counts(r, agent, WHY_ALL)) continue;
    const unsigned depth = obs_why_frames(tile, agent, r->pc, frames);
    while (k < depth && (!frames[k].function || !frames[k].path.file || strcmp(frames[k].function, out->function) != 0 ||
                         strcmp(dbg_path_base(&frames[k].path), out->file) != 0))
      k++;
    if (k == depth || frames[k].line >= RANGE_LINES) continue;
    if (obs_why_waits_for_others(r)) out->waits[frames[k].line] += r->cycles;
    else out->cycles[frames[k].line] += r->cycles;
    /* what a T core calls is its work, each call for itself */
    const bool calls = is_t_core && k && frames[0].path.file && dbg_path_is_library(&frames[0].path);
    if (calls || dbg_counts_pages(frames, depth)) out->ends[frames[k].line] = 1;
  }
}

/* The lines with most cycles between two that wait for others or count pages. */
static uint64_t best_range(const struct range_lines *l, struct dbg_extent *out) {
  uint64_t best = 0, sum = 0;
  uint32_t first = 0, last = 0;
  for (uint32_t line = 1; line <= RANGE_LINES; line++) {
    bool ends = line == RANGE_LINES || l->ends[line] || l->waits[line] * WAITS_SHARE > l->cycles[line];
    if (!ends && l->cycles[line]) {
      if (!sum) first = line;
      last = line;
      sum += l->cycles[line];
    }
    if (!ends) continue;
    if (sum > best) best = sum, out->first = first, out->last = last;
    sum = 0;
  }
  return best;
}

/* The line with most cycles of the part. */
static void set_hottest(struct grower *g) {
  struct why_line lines[WHY_LINES_MAX], *best = &g->part.line;
  const unsigned count = obs_why_collect(g->tile, g->agent, OBS_CATEGORIES, WHY_ANY_OBJECT, lines);
  const struct dbg_extent *extent = &g->part.extent;
  *best = (struct why_line){.file = NULL};
  for (unsigned k = 0; k < count; k++)
    if (strcmp(lines[k].file, extent->name) == 0 && lines[k].line >= extent->first && lines[k].line <= extent->last &&
        lines[k].cycles > best->cycles)
      *best = lines[k];
  if (best->file) obs_why_find_call(g->tile, g->agent, OBS_CATEGORIES, WHY_ANY_OBJECT, best);
}

/* No line, loop or function has a third of the agent's own cycles: the lines between two waits may have more. */
static void find_range(const struct obs_why_tile *tile, unsigned agent, struct why_part *part) {
  struct grower g = {.tile = tile, .agent = agent, .part = *part};
  struct range_lines *lines = calloc(1, sizeof *lines); /* 140 KB: too much for a small stack */
  const uint64_t own = lines ? main_function(tile, agent, lines) : 0;
  bool found = lines && lines->file && 3 * part->cycles < own;
  if (found) {
    collect_range(tile, agent, lines);
    g.part.extent = (struct dbg_extent){.first = 0};
    strncpy(g.part.extent.name, lines->file, sizeof g.part.extent.name - 1);
    found = best_range(lines, &g.part.extent) && g.part.extent.first != g.part.extent.last;
    g.part.function = lines->function;
  }
  free(lines);
  if (!found) return;
  g.part.call = NULL;
  g.part.loop = false;
  if (!measure(&g) || 2 * g.part.cycles <= 3 * part->cycles) return;
  set_hottest(&g);
  *part = g.part;
}

/* --- parts that run once --- */

/* Does a loop around `pc` have instructions outside the part? */
static bool is_repeated(const struct grower *g, uint32_t pc) {
  const uint32_t moved = g->tile->program->moved[obs_why_core(g->agent)];
  struct dbg_loop loop;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (!r->cycles || !loop_of_row(g, r, pc, &loop)) continue;
    for (uint32_t at = loop.function; at < loop.end; at += 4)
      if (dbg_loop_has(&loop, at) && ran(g, at + moved) && !has(g, at + moved)) return true;
  }
  return false;
}

/* How often the core came to this instruction of the part from outside. The return from a call is no such arrival. */
static uint64_t entries_at(const struct grower *g, const struct obs_profile_row *r) {
  uint64_t jumps = r->jumps_of_others, times = 0;
  for (unsigned i = 0; i < OBS_JUMPS; i++) {
    const struct obs_jumps *j = &r->jumps[i];
    jumps += j->times;
    if (j->times && !dbg_is_return(word_at(g, j->from)) && !has(g, j->from)) times += j->times;
  }
  return times + (r->times > jumps && !has(g, r->pc - 4) ? r->times - jumps : 0);
}

/* A loop that is entered at two places is no natural loop: the executed jumps show it. */
static bool is_entered_again(const struct grower *g) {
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (executed(g, r) && r->cycles && r->times > 1 && has(g, r->pc) && entries_at(g, r) > 1) return true;
  }
  return false;
}

static bool runs_once(const struct grower *g) {
  const uint32_t kernel = function_of_kernel(g);
  uint32_t pc = g->part.line.pc;
  if (is_entered_again(g)) return false;
  for (unsigned n = 0; pc && n < LEVELS_MAX; n++) {
    const uint32_t function = function_at(g, pc);
    if (is_repeated(g, pc)) return false;
    if (function == kernel) return true;
    pc = only_call(g, function);
    const struct obs_profile_row *call = pc ? obs_profile_row(g->tile->p, g->agent, pc) : NULL;
    if (call && call->times > 1) return false;
  }
  return false;
}

/* --- delays by the clock --- */

#define DELAY_MAX 24u /* instructions of a loop that only compares the clock with a time */

/* Does the instruction read the clock, or wait for a load of it? */
static bool reads_clock(const struct grower *g, const struct obs_profile_row *r) {
  if (!r->key || r->agent != g->agent || !r->cycles) return false;
  if (r->category == TX_REASON_LOAD && r->object == TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0) return true;
  const struct tx_insn d = tx_rv_decode(executed(g, r) ? word_at(g, r->pc) : 0);
  return d.class == TX_RV_CLASS_CSR && tx_csr_is_clock(d.word >> 20);
}

/* Of the loop, and of the function that it calls for the time (0: none). */
static uint64_t cycles_in(const struct grower *g, const struct dbg_loop *loop, uint32_t function) {
  const uint32_t moved = g->tile->program->moved[obs_why_core(g->agent)];
  uint64_t cycles = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (obs_why_counts(r, g->agent, WHY_ALL) && has(g, r->pc) &&
        (dbg_loop_has(loop, r->pc - moved) || (function && function_at(g, r->pc) == function)))
      cycles += r->cycles;
  }
  return cycles;
}

static bool delays(const struct grower *g) {
  struct dbg_loop loop;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &g->tile->p->rows[i];
    if (!reads_clock(g, r) || !has(g, r->pc)) continue;
    uint32_t pc = r->pc, function = 0;
    if (!loop_around(g, pc, 0, &loop)) pc = only_call(g, function = function_at(g, pc));
    if (function && !(pc && loop_around(g, pc, 0, &loop))) continue;
    if (loop.count <= DELAY_MAX && 2 * cycles_in(g, &loop, function) >= g->part.cycles) return true;
  }
  return false;
}

/* The part that grows from one of the hottest lines. */
static void find_part(const struct obs_why_tile *tile, unsigned agent, struct why_line *lines, struct why_part *out) {
  unsigned count = obs_why_collect(tile, agent, OBS_CATEGORIES, WHY_ANY_OBJECT, lines);
  for (unsigned n = 0; n < TRIED && n < count; n++) {
    unsigned best = n;
    for (unsigned k = n + 1; k < count; k++)
      if (lines[k].cycles > lines[best].cycles) best = k;
    struct why_line line = lines[best];
    lines[best] = lines[n];
    lines[n] = line;
    obs_why_find_call(tile, agent, OBS_CATEGORIES, WHY_ANY_OBJECT, &line);
    struct grower g = {.tile = tile, .agent = agent};
    grow(&g, &line);
    grow_to_calls(&g, lines, count);
    if (2 * g.part.cycles > 3 * out->cycles) *out = g.part; /* the smaller one says more, if it has most of the cycles */
  }
}

bool obs_why_part(const struct obs_why_tile *tile, unsigned agent, struct why_part *out) {
  struct why_line *lines = obs_why_new_lines();
  *out = (struct why_part){.cycles = 0};
  if (lines) find_part(tile, agent, lines, out);
  free(lines);
  if (out->cycles && agent >= TX_AGENT_TRISC0) {
    find_range(tile, agent, out);
    struct grower g = {.tile = tile, .agent = agent, .part = *out};
    find_callees(&g);
    out->once = runs_once(&g);
    out->clock = delays(&g);
  }
  return out->cycles != 0;
}
