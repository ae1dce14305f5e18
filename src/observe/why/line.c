/* The lines of why/line.h. */
#include "observe/why/line.h"

#include <stdlib.h>
#include <string.h>

#include "debug/extent.h"

/* --- frames --- */

unsigned obs_why_core(unsigned agent) { return agent <= TX_AGENT_THREAD2 ? agent : agent - TX_AGENT_TRISC0; }

/* The frames up to kernel_main: that it is inlined into the entry code of the library is nothing to name. */
static unsigned up_to_kernel(const struct dbg_frame *frames, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (frames[i].function && strcmp(frames[i].function, "kernel_main") == 0) return i + 1;
  return count;
}

static unsigned all_frames_of(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct dbg_frame *frames) {
  unsigned core = obs_why_core(agent);
  if (core >= TX_CORES || !tile->program->loaded[core]) return 0;
  uint32_t address = pc - tile->program->moved[core];
  if (tile->index && !tile->index[core].elf) return 0; /* no memory for it: without it every question reads the sections */
  if (tile->index) return dbg_index_frames(&tile->index[core], address, frames, DBG_FRAMES_MAX);
  return dbg_frames_find(&tile->program->elf[core], address, frames, DBG_FRAMES_MAX);
}

unsigned obs_why_frames(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct dbg_frame *frames) {
  return up_to_kernel(frames, all_frames_of(tile, agent, pc, frames));
}

/* The user's innermost frame of a chain; NULL: all belong to the library. */
const struct dbg_frame *obs_why_user_frame(const struct dbg_frame *frames, unsigned count, unsigned *at) {
  *at = dbg_frames_user(frames, count);
  return *at < count && frames[*at].path.file ? &frames[*at] : NULL;
}

bool obs_why_same_line(const struct dbg_frame *f, const char *file, uint32_t line) {
  return f->line == line && strcmp(dbg_path_base(&f->path), file) == 0;
}

/* --- lines --- */

bool obs_why_waits_for_others(const struct obs_profile_row *r) {
  return r->agent >= TX_AGENT_TRISC0 && r->category < TX_BLOCKED_COUNT && r->category != TX_BLOCKED_LOAD;
}

bool obs_why_counts(const struct obs_profile_row *r, unsigned agent, unsigned category) {
  if (!r->key || !r->cycles || r->agent != agent) return false;
  return category == WHY_ALL || (category == OBS_CATEGORIES ? !obs_why_waits_for_others(r) : r->category == category);
}

static void count_row(struct why_line *l, const struct obs_profile_row *r, const char *function) {
  if (r->cycles > l->top) l->top = r->cycles, l->pc = r->pc, l->function = function;
  l->cycles += r->cycles;
}

#define WHY_ANY_OBJECT UINT32_MAX

unsigned obs_why_collect(const struct obs_why_tile *tile, unsigned agent, unsigned category, uint32_t object,
                         struct why_line lines[WHY_LINES_MAX]) {
  unsigned count = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned user, k = 0;
    if (!obs_why_counts(r, agent, category) || (object != WHY_ANY_OBJECT && r->object != object)) continue;
    unsigned depth = obs_why_frames(tile, agent, r->pc, frames);
    const struct dbg_frame *f = obs_why_user_frame(frames, depth, &user);
    if (!f) continue;
    while (k < count && !obs_why_same_line(f, lines[k].file, lines[k].line)) k++;
    if (k == WHY_LINES_MAX) continue;
    if (k == count) lines[count++] = (struct why_line){.file = dbg_path_base(&f->path), .line = f->line};
    count_row(&lines[k], r, frames[depth - 1].function);
  }
  return count;
}

#define CALLS_MAX 32u

/* Names the function inlined at the line that has most of its cycles, if one has as many as the line's own instructions. */
void obs_why_find_call(const struct obs_why_tile *tile, unsigned agent, unsigned category, uint32_t object,
                       struct why_line *line) {
  const char *names[CALLS_MAX] = {NULL}; /* the first: no call */
  uint64_t cycles[CALLS_MAX] = {0};
  unsigned count = 1, best = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned user, k = 0;
    if (!obs_why_counts(r, agent, category) || (object != WHY_ANY_OBJECT && r->object != object)) continue;
    const struct dbg_frame *f = obs_why_user_frame(frames, obs_why_frames(tile, agent, r->pc, frames), &user);
    if (!f || !obs_why_same_line(f, line->file, line->line)) continue;
    const char *name = user ? frames[user - 1].function : NULL;
    for (k = name ? 1 : 0; name && k < count && strcmp(names[k], name) != 0;) k++;
    if (k == CALLS_MAX) continue;
    if (k == count) names[count++] = name;
    cycles[k] += r->cycles;
  }
  for (unsigned k = 1; k < count; k++)
    if (cycles[k] > cycles[best] || (!best && cycles[k] == cycles[0])) best = k;
  line->call = names[best];
}

struct why_line *obs_why_new_lines(void) {
  return malloc(WHY_LINES_MAX * sizeof(struct why_line));
}

static bool hottest(const struct obs_why_tile *tile, unsigned agent, unsigned category, uint32_t object,
                    struct why_line *best) {
  struct why_line lines[WHY_LINES_MAX];
  unsigned count = obs_why_collect(tile, agent, category, object, lines);
  *best = (struct why_line){.file = NULL};
  for (unsigned k = 0; k < count; k++)
    if (lines[k].cycles > best->cycles) *best = lines[k];
  if (best->cycles) obs_why_find_call(tile, agent, category, object, best);
  return best->cycles != 0;
}

bool obs_why_hottest(const struct obs_why_tile *tile, unsigned agent, unsigned category, struct why_line *best) {
  return hottest(tile, agent, category, WHY_ANY_OBJECT, best);
}

bool obs_why_hottest_call(const struct obs_why_tile *tile, unsigned agent, const char *call, struct why_line *best) {
  struct why_line lines[WHY_LINES_MAX];
  unsigned count = obs_why_collect(tile, agent, WHY_ALL, WHY_ANY_OBJECT, lines);
  *best = (struct why_line){.file = NULL};
  for (unsigned k = 0; k < count; k++) {
    if (lines[k].cycles <= best->cycles) continue;
    obs_why_find_call(tile, agent, WHY_ALL, WHY_ANY_OBJECT, &lines[k]);
    if (lines[k].call && strstr(lines[k].call, call)) *best = lines[k];
  }
  return best->cycles != 0;
}

bool obs_why_polls(const struct obs_why_tile *tile, unsigned agent, uint32_t address, struct why_line *best) {
  return hottest(tile, agent, TX_BLOCKED_ADDRESS, address, best);
}

uint64_t obs_why_hand_overs(const struct obs_why_tile *tile, unsigned agent, struct why_line *most) {
  struct dbg_hand_overs known = {.count = 0};
  struct dbg_frame frames[DBG_FRAMES_MAX];
  struct why_line lines[DBG_HAND_OVERS];
  uint64_t sum = 0;
  unsigned user, count = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++)
    if (obs_why_counts(&tile->p->rows[i], agent, OBS_CATEGORIES))
      dbg_hand_overs_add(&known, frames, obs_why_frames(tile, agent, tile->p->rows[i].pc, frames));
  for (uint32_t i = 0; known.count && i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    unsigned depth, k = 0;
    if (!obs_why_counts(r, agent, OBS_CATEGORIES)) continue;
    depth = obs_why_frames(tile, agent, r->pc, frames);
    const struct dbg_frame *f = obs_why_user_frame(frames, depth, &user);
    if (!f || !dbg_hand_overs_have(&known, frames, depth)) continue;
    sum += r->cycles;
    while (k < count && !obs_why_same_line(f, lines[k].file, lines[k].line)) k++;
    if (k == DBG_HAND_OVERS) continue;
    if (k == count) lines[count++] = (struct why_line){.file = dbg_path_base(&f->path), .line = f->line};
    count_row(&lines[k], r, frames[depth - 1].function);
  }
  *most = (struct why_line){.file = NULL};
  for (unsigned k = 0; k < count; k++)
    if (lines[k].cycles > most->cycles) *most = lines[k];
  if (most->cycles) obs_why_find_call(tile, agent, OBS_CATEGORIES, WHY_ANY_OBJECT, most);
  return sum;
}

bool obs_why_line_at(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct why_line *out) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned user, depth = obs_why_frames(tile, agent, pc, frames);
  const struct dbg_frame *f = obs_why_user_frame(frames, depth, &user);
  *out = (struct why_line){.file = NULL};
  if (!f) return false;
  out->file = dbg_path_base(&f->path);
  out->line = f->line;
  out->pc = pc;
  out->function = frames[depth - 1].function;
  out->call = user ? frames[user - 1].function : NULL;
  return true;
}

bool obs_why_is_line(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, const struct why_line *line) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned user;
  const struct dbg_frame *f = obs_why_user_frame(frames, obs_why_frames(tile, agent, pc, frames), &user);
  return f && obs_why_same_line(f, line->file, line->line);
}

uint64_t obs_why_line_cycles(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &tile->p->rows[i];
    const bool noc = obs_why_counts(r, agent, TX_BLOCKED_ADDRESS) && obs_why_polls_noc(r->object);
    if ((noc || obs_why_counts(r, agent, OBS_CATEGORIES)) && obs_why_is_line(tile, agent, r->pc, line)) sum += r->cycles;
  }
  return sum;
}
