/* The writers of profile_text.h. */
#include "observe/account/profile_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/words.h"

#define PATH_BYTES 512u

/* All rows of one pc of one agent, which are contiguous in p->order. */
struct spot {
  uint32_t from, to;
  unsigned agent;
  uint32_t pc;
  struct dbg_frame frame[DBG_FRAMES_MAX];
  unsigned frames;
};

static void find_frames(const struct dbg_index *index, struct spot *s) {
  unsigned core = s->agent <= TX_AGENT_THREAD2 ? s->agent : s->agent - TX_AGENT_TRISC0;
  if (core < TX_CORES && index[core].elf) s->frames = dbg_index_frames(&index[core], s->pc, s->frame, DBG_FRAMES_MAX);
}

/* Computes frames only if an index is given. */
static bool next_spot(const struct obs_profile *p, const struct dbg_index index[TX_CORES], struct spot *s) {
  s->from = s->to;
  if (s->from >= p->sorted) return false;
  const struct obs_profile_row *first = p->order[s->from];
  s->agent = first->agent;
  s->pc = first->pc;
  while (s->to < p->sorted && p->order[s->to]->pc == s->pc && p->order[s->to]->agent == s->agent) s->to++;
  s->frames = 0;
  if (index) find_frames(index, s);
  return true;
}

static const char *function_of(const struct spot *s, unsigned i) {
  return i < s->frames && s->frame[i].function ? s->frame[i].function : "(unknown)";
}

static void path_of(const struct spot *s, unsigned i, char *text, size_t size) {
  snprintf(text, size, "(unknown)");
  if (i < s->frames && s->frame[i].path.file) dbg_path_text(&s->frame[i].path, text, size);
}

static uint32_t line_of(const struct spot *s, unsigned i) { return i < s->frames ? s->frame[i].line : 0; }

/* --- callgrind --- */

void obs_callgrind_columns(struct obs_callgrind *c, struct obs_profile *p) {
  obs_profile_sort(p);
  c->used[OBS_ISSUE] = true;
  for (uint32_t i = 0; i < p->sorted; i++) c->used[p->order[i]->category] = true;
}

/* A blank and the number. A profile consists mostly of numbers, and mostly of zeros: vsnprintf took a third of the run time
 * with --profile. */
static void add_number(struct sim_text *out, uint64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  digits[--at] = ' ';
  size_t length = sizeof digits - at;
  if (out->length + length < out->size) {
    memcpy(out->data + out->length, digits + at, length);
    out->data[out->length + length] = '\0';
  } else if (out->length < out->size) {
    out->data[out->length] = '\0';
  }
  out->length += length;
}

struct costs {
  uint64_t all, of[OBS_CATEGORIES];
};

static void add_to(struct costs *sum, const struct costs *more) {
  sum->all += more->all;
  for (unsigned k = 0; k < OBS_CATEGORIES; k++) sum->of[k] += more->of[k];
}

static struct costs costs_of(const struct obs_profile *p, const struct spot *s) {
  struct costs c = {0};
  for (uint32_t i = s->from; i < s->to; i++) {
    c.of[p->order[i]->category] += p->order[i]->cycles;
    c.all += p->order[i]->cycles;
  }
  return c;
}

static void add_costs(const struct costs *c, const bool used[OBS_CATEGORIES], struct sim_text *out) {
  add_number(out, c->all);
  for (unsigned k = 0; k < OBS_CATEGORIES; k++)
    if (used[k]) add_number(out, c->of[k]);
  sim_text_add(out, "\n");
}

static void add_events(const bool used[OBS_CATEGORIES], struct sim_text *out) {
  sim_text_add(out, "events: Cycles");
  for (unsigned k = 0; k < OBS_CATEGORIES; k++) {
    char name[64];
    if (!used[k]) continue;
    snprintf(name, sizeof name, "%s", obs_category_name(k));
    for (char *c = name; *c; c++)
      if (*c == ' ') *c = '_';
    sim_text_add(out, " %s", name);
  }
  sim_text_add(out, "\n");
}

/* What a callgrind profile is written from. */
struct grind {
  struct obs_profile *p;
  const struct dbg_index *index;
  struct obs_inlined *inlined; /* by the instance, of one agent */
  struct sim_text *out;
  const bool *used;
};

/* A function that was inlined, at one place. */
struct obs_inlined {
  struct costs costs; /* with all that it calls */
  uint64_t times;
  uint32_t line; /* one of its own */
  uint32_t pc;   /* 1 + one of its instructions */
};

size_t obs_callgrind_bytes(const struct dbg_index index[TX_CORES]) {
  uint32_t most = 1;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (index[core].elf && index[core].function_count > most) most = index[core].function_count;
  return most * sizeof(struct obs_inlined);
}

/* The file that defines the function, else that of the line. */
static void own_path_of(const struct spot *s, unsigned i, char *text, size_t size) {
  if (i < s->frames && s->frame[i].own) dbg_path_text(s->frame[i].own, text, size);
  else path_of(s, i, text, size);
}

/* The function of a frame; its next costs are at the line of that frame, which may be in another file: `file`. callgrind_annotate
 * adds up functions of one name and file whatever their object is: the name has the agent too. */
static void begin_function(const struct grind *g, const struct spot *s, unsigned i, char file[PATH_BYTES]) {
  char own[PATH_BYTES];
  own_path_of(s, i, own, sizeof own);
  path_of(s, i, file, PATH_BYTES);
  sim_text_add(g->out, "\nob=%s\nfl=%s\nfn=%s, %s\n", obs_agent_name(s->agent), own, function_of(s, i),
               obs_agent_name(s->agent));
  if (strcmp(own, file) != 0) sim_text_add(g->out, "fi=%s\n", file);
}

static void add_call(const struct grind *g, const char *file, const struct spot *callee, unsigned i, uint64_t times,
                     uint32_t from, const struct costs *c) {
  char path[PATH_BYTES];
  own_path_of(callee, i, path, sizeof path);
  if (strcmp(path, file) != 0) sim_text_add(g->out, "cfi=%s\n", path); /* callgrind_annotate shortens fl= and not cfi= */
  sim_text_add(g->out, "cfn=%s, %s\n", function_of(callee, i), obs_agent_name(callee->agent));
  sim_text_add(g->out, "calls=%llu %u\n%u", (unsigned long long)times, line_of(callee, i), from);
  add_costs(c, g->used, g->out);
}

static struct spot spot_at(const struct grind *g, unsigned agent, uint32_t pc) {
  struct spot s = {.agent = agent, .pc = pc};
  find_frames(g->index, &s);
  return s;
}

static bool is_inside(const struct grind *g, unsigned agent, uint32_t pc, uint32_t instance) {
  struct spot s = spot_at(g, agent, pc);
  for (unsigned i = 0; i < s.frames; i++)
    if (s.frame[i].instance == instance) return true;
  return false;
}

/* How often the core came to this instruction from outside the inlined function. */
static uint64_t entries_at(const struct grind *g, const struct spot *s, uint32_t instance) {
  unsigned agent = s->agent <= TX_AGENT_THREAD2 ? s->agent + TX_AGENT_TRISC0 : s->agent;
  const struct obs_profile_row *r = obs_profile_row(g->p, agent, s->pc);
  uint64_t jumps = r ? r->jumps_of_others : 0, times = 0;
  if (!r) return 0;
  for (unsigned i = 0; i < OBS_JUMPS; i++) {
    jumps += r->jumps[i].times;
    if (r->jumps[i].times && !is_inside(g, s->agent, r->jumps[i].from, instance)) times += r->jumps[i].times;
  }
  if (!is_inside(g, s->agent, s->pc - 4, instance) && r->times > jumps) times += r->times - jumps;
  return times;
}

/* Is the function of frame i also that of a frame inside it, or the function that is called there? Then the costs are counted at that one. */
static bool is_active_below(const struct spot *s, unsigned i, const char *callee) {
  const char *function = function_of(s, i);
  if (callee && strcmp(function, callee) == 0) return true;
  for (unsigned k = 0; k < i; k++)
    if (strcmp(function, function_of(s, k)) == 0) return true;
  return false;
}

/* The costs belong to all functions that are inlined around the instruction. Such a function may have several pieces of code, and the
 * compiler moves instructions out of loops: the piece that is entered most often has the number of its calls. `callee`: the costs are those
 * of a call of this function there; NULL: of the instruction. */
static void add_inlined(const struct grind *g, const struct spot *s, const struct costs *c, const char *callee) {
  for (unsigned i = 0; i + 1 < s->frames; i++) {
    if (!s->frame[i].instance) continue;
    struct obs_inlined *f = &g->inlined[s->frame[i].instance - 1];
    uint64_t times = callee ? 0 : entries_at(g, s, s->frame[i].instance);
    if (!is_active_below(s, i + 1, callee)) add_to(&f->costs, c);
    if (!f->pc) *f = (struct obs_inlined){.costs = f->costs, .line = s->frame[i].line, .pc = s->pc + 1};
    if (times > f->times) f->times = times;
  }
}

static struct costs costs_of_call(const struct obs_call *call) {
  struct costs c = {0};
  for (unsigned k = 0; k < OBS_CATEGORIES; k++) c.all += c.of[k] = call->cycles[k];
  return c;
}

static void add_calls(const struct grind *g, unsigned core) {
  const unsigned agent = TX_AGENT_TRISC0 + core;
  const struct costs none = {0}; /* of a function by itself: they are its own, and those of its other calls */
  char file[PATH_BYTES];
  for (unsigned n = 0; n < OBS_CALLS; n++) {
    const struct obs_call *call = &g->p->calls[n];
    const struct costs c = costs_of_call(call);
    if (!call->times || call->core != core) continue;
    struct spot site = spot_at(g, agent, call->site), entry = spot_at(g, agent, call->entry);
    const unsigned outermost = entry.frames ? entry.frames - 1 : 0;
    const char *callee = function_of(&entry, outermost);
    begin_function(g, &site, 0, file);
    add_call(g, file, &entry, outermost, call->times, line_of(&site, 0), strcmp(function_of(&site, 0), callee) ? &c : &none);
    add_inlined(g, &site, &c, callee);
  }
}

/* Functions that were inlined are called from the line into which they were inlined. */
static void add_inlined_calls(const struct grind *g, unsigned agent) {
  const unsigned core = agent <= TX_AGENT_THREAD2 ? agent : agent - TX_AGENT_TRISC0;
  char file[PATH_BYTES];
  for (uint32_t n = 0; g->index[core].elf && n < g->index[core].function_count; n++) {
    const struct obs_inlined *f = &g->inlined[n];
    if (!f->pc || !f->costs.all) continue;
    struct spot s = spot_at(g, agent, f->pc - 1);
    for (unsigned i = 0; i + 1 < s.frames; i++) {
      if (s.frame[i].instance != n + 1) continue;
      begin_function(g, &s, i + 1, file);
      sim_text_add(g->out, "# inlined\n"); /* for tessera annotate; a comment of the format */
      add_call(g, file, &s, i, f->times ? f->times : 1, line_of(&s, i + 1), &f->costs);
    }
  }
}

static void add_agent(const struct grind *g, unsigned agent, struct costs *total) {
  const unsigned core = agent <= TX_AGENT_THREAD2 ? agent : agent - TX_AGENT_TRISC0;
  struct spot s = {.to = 0};
  char file[PATH_BYTES];
  memset(g->inlined, 0, obs_callgrind_bytes(g->index));
  while (next_spot(g->p, NULL, &s)) {
    if (s.agent != agent) continue;
    find_frames(g->index, &s);
    struct costs c = costs_of(g->p, &s);
    begin_function(g, &s, 0, file);
    sim_text_add(g->out, "%u", line_of(&s, 0));
    add_costs(&c, g->used, g->out);
    add_inlined(g, &s, &c, NULL);
    add_to(total, &c);
  }
  if (agent >= TX_AGENT_TRISC0) add_calls(g, core);
  add_inlined_calls(g, agent);
}

void obs_callgrind_begin(struct obs_callgrind *c) {
  sim_text_add(c->out, "# callgrind format\nversion: 1\ncreator: tessera\ncmd: tessera\npositions: line\n");
  add_events(c->used, c->out);
}

void obs_callgrind_add(struct obs_callgrind *c, struct obs_profile *p, const struct dbg_index index[TX_CORES],
                       void *memory) {
  const struct grind g = {.p = p, .index = index, .inlined = memory, .out = c->out, .used = c->used};
  struct costs total = {0};
  obs_profile_sort(p);
  for (unsigned agent = 0; agent <= TX_AGENT_NCRISC; agent++) add_agent(&g, agent, &total);
  c->total += total.all;
  for (unsigned k = 0; k < OBS_CATEGORIES; k++) c->totals[k] += total.of[k];
}

void obs_callgrind_end(struct obs_callgrind *c) {
  struct costs total = {.all = c->total};
  memcpy(total.of, c->totals, sizeof total.of);
  sim_text_add(c->out, "\ntotals:");
  add_costs(&total, c->used, c->out);
}

/* --- speedscope --- */

struct shared_frame {
  const char *function, *file;
  uint32_t line;
};
#define FRAMES_SHARED 4096u /* by each part */

struct obs_frame_list {
  uint32_t count, room;
  uint32_t *slot; /* hash table of 2 * room: number of the frame, + 1; 0: empty */
  struct shared_frame frame[];
};

/* The number of the name; the last number is shared by all names that do not fit. */
static uint32_t share(struct obs_frame_list *list, const char *function, const char *file, uint32_t line) {
  uint64_t key = ((uintptr_t)function ^ (uintptr_t)file << 20 ^ (uint64_t)line << 40) * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t at = (uint32_t)(key >> 40);; at++) {
    uint32_t *slot = &list->slot[at % (2 * list->room)];
    if (!*slot) {
      if (list->count == list->room) return list->room - 1;
      list->frame[list->count] = (struct shared_frame){function, file, line};
      *slot = ++list->count;
      return list->count - 1u;
    }
    const struct shared_frame *f = &list->frame[*slot - 1u];
    if (f->line == line && f->function == function && f->file == file) return *slot - 1u;
  }
}

static void add_stack(struct obs_frame_list *list, const struct spot *s, const struct obs_profile_row *row,
                      struct sim_text *out) {
  const char *between = "";
  sim_text_add(out, "[");
  for (unsigned i = s->frames; i-- > 0;) {
    sim_text_add(out, "%s%u", between, share(list, function_of(s, i), s->frame[i].path.file, s->frame[i].line));
    between = ",";
  }
  if (!s->frames) sim_text_add(out, "%u,", share(list, "(unknown)", NULL, 0));
  sim_text_add(out, "%s%u]", between, share(list, obs_category_name(row->category), NULL, 0));
}

/* The rows of one agent as one profile: their stacks, or their weights. */
static void add_samples(struct obs_frame_list *list, const struct obs_profile *p, const struct dbg_index index[TX_CORES],
                        unsigned agent, bool weights, struct sim_text *out) {
  struct spot s = {.to = 0};
  const char *between = "";
  while (next_spot(p, NULL, &s)) {
    if (s.agent != agent) continue;
    if (!weights) find_frames(index, &s);
    for (uint32_t i = s.from; i < s.to; i++) {
      if (!p->order[i]->cycles) continue;
      sim_text_add(out, "%s", between);
      if (weights) sim_text_add(out, "%llu", (unsigned long long)p->order[i]->cycles);
      else add_stack(list, &s, p->order[i], out);
      between = ",";
    }
  }
}

static uint64_t cycles_of(const struct obs_profile *p, unsigned agent) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < p->sorted; i++) sum += p->order[i]->agent == agent ? p->order[i]->cycles : 0;
  return sum;
}

bool obs_speedscope_begin(struct obs_speedscope *s, struct sim_text *out, unsigned parts) {
  static const char schema[] = "https://www.speedscope.app/file-format-schema.json";
  const uint32_t room = FRAMES_SHARED * (parts ? parts : 1);
  struct obs_frame_list *list = calloc(1, sizeof *list + room * (sizeof *list->frame + 2 * sizeof *list->slot));
  if (!list) return false;
  list->room = room;
  list->slot = (uint32_t *)(void *)&list->frame[room];
  *s = (struct obs_speedscope){.out = out, .list = list, .between = ""};
  sim_text_add(out,
               "{\"$schema\":\"%s\",\"exporter\":\"tessera\",\"name\":\"tessera\",\"activeProfileIndex\":0,\"profiles\":[",
               schema);
  return true;
}

void obs_speedscope_add(struct obs_speedscope *s, struct obs_profile *p, const struct dbg_index index[TX_CORES],
                        const char *whose) {
  struct sim_text *out = s->out;
  obs_profile_sort(p);
  for (unsigned agent = 0; agent <= TX_AGENT_NCRISC; agent++) {
    uint64_t cycles = cycles_of(p, agent);
    if (!cycles) continue;
    sim_text_add(
        out, "%s{\"type\":\"sampled\",\"name\":\"%s%s\",\"unit\":\"none\",\"startValue\":0,\"endValue\":%llu,\"samples\":[",
        s->between, obs_agent_name(agent), whose, (unsigned long long)cycles);
    add_samples(s->list, p, index, agent, false, out);
    sim_text_add(out, "],\"weights\":[");
    add_samples(s->list, p, index, agent, true, out);
    sim_text_add(out, "]}");
    s->between = ",";
  }
}

void obs_speedscope_end(struct obs_speedscope *s) {
  const struct obs_frame_list *list = s->list;
  struct sim_text *out = s->out;
  sim_text_add(out, "],\"shared\":{\"frames\":[");
  for (uint32_t i = 0; i < list->count; i++) {
    sim_text_add(out, "%s{\"name\":", i ? "," : "");
    sim_text_add_json(out, list->frame[i].function);
    if (list->frame[i].file) {
      sim_text_add(out, ",\"file\":");
      sim_text_add_json(out, list->frame[i].file);
      sim_text_add(out, ",\"line\":%u", list->frame[i].line);
    }
    sim_text_add(out, "}");
  }
  sim_text_add(out, "]}}\n");
  free(s->list);
  s->list = NULL;
}
