/* The writers of profile_text.h. */
#include "observe/profile_text.h"

#include <stdio.h>
#include <string.h>

#include "observe/words.h"

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

static void find_columns(const struct obs_profile *p, bool used[OBS_CATEGORIES]) {
  memset(used, 0, OBS_CATEGORIES * sizeof *used);
  used[OBS_ISSUE] = true;
  for (uint32_t i = 0; i < p->sorted; i++) used[p->order[i]->category] = true;
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

static void add_costs(const struct obs_profile *p, const struct spot *s, const bool used[OBS_CATEGORIES],
                      struct sim_text *out) {
  uint64_t cost[OBS_CATEGORIES] = {0}, all = 0;
  for (uint32_t i = s->from; i < s->to; i++) {
    cost[p->order[i]->category] += p->order[i]->cycles;
    all += p->order[i]->cycles;
  }
  add_number(out, all);
  for (unsigned k = 0; k < OBS_CATEGORIES; k++)
    if (used[k]) add_number(out, cost[k]);
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

/* callgrind_annotate adds up functions of one name and file whatever their object is: the name has the agent too. */
static void add_function(struct sim_text *out, const char *key, const struct spot *s, unsigned i) {
  sim_text_add(out, "%s=%s, %s\n", key, function_of(s, i), obs_agent_name(s->agent));
}

static void add_spot(const struct obs_profile *p, const struct spot *s, const bool used[OBS_CATEGORIES],
                     struct sim_text *out) {
  char path[512], inner[512];
  path_of(s, 0, path, sizeof path);
  sim_text_add(out, "\nob=%s\nfl=%s\n", obs_agent_name(s->agent), path);
  add_function(out, "fn", s, 0);
  sim_text_add(out, "%u", line_of(s, 0));
  add_costs(p, s, used, out);
  for (unsigned i = 0; i + 1 < s->frames; i++) {
    memcpy(inner, path, sizeof inner);
    path_of(s, i + 1, path, sizeof path);
    sim_text_add(out, "fl=%s\n", path);
    add_function(out, "fn", s, i + 1);
    sim_text_add(out, "cfi=%s\n", inner);
    add_function(out, "cfn", s, i);
    sim_text_add(out, "calls=1 %u\n%u", line_of(s, i), line_of(s, i + 1));
    add_costs(p, s, used, out);
  }
}

void obs_profile_callgrind(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out) {
  bool used[OBS_CATEGORIES];
  struct spot s = {.to = 0};
  obs_profile_sort(p);
  find_columns(p, used);
  sim_text_add(out, "# callgrind format\nversion: 1\ncreator: tessera\ncmd: tessera\npositions: line\n");
  add_events(used, out);
  while (next_spot(p, index, &s)) add_spot(p, &s, used, out);
}

/* --- speedscope --- */

struct shared_frame {
  const char *function, *file;
  uint32_t line;
};
#define FRAMES_SHARED 4096u

struct frame_list {
  struct shared_frame frame[FRAMES_SHARED];
  uint32_t count;
  uint16_t slot[2 * FRAMES_SHARED]; /* hash table: number of the frame, + 1; 0: empty */
};

/* The number of the name; the last number is shared by all names that do not fit. */
static uint32_t share(struct frame_list *list, const char *function, const char *file, uint32_t line) {
  uint64_t key = ((uintptr_t)function ^ (uintptr_t)file << 20 ^ (uint64_t)line << 40) * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t at = (uint32_t)(key >> 40);; at++) {
    uint16_t *slot = &list->slot[at % (2 * FRAMES_SHARED)];
    if (!*slot) {
      if (list->count == FRAMES_SHARED) return FRAMES_SHARED - 1;
      list->frame[list->count] = (struct shared_frame){function, file, line};
      *slot = (uint16_t)++list->count;
      return list->count - 1u;
    }
    const struct shared_frame *f = &list->frame[*slot - 1u];
    if (f->line == line && f->function == function && f->file == file) return *slot - 1u;
  }
}

static void add_stack(struct frame_list *list, const struct spot *s, const struct obs_profile_row *row,
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
static void add_samples(struct frame_list *list, const struct obs_profile *p, const struct dbg_index index[TX_CORES],
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

void obs_profile_speedscope(struct obs_profile *p, const struct dbg_index index[TX_CORES], struct sim_text *out) {
  static const char schema[] = "https://www.speedscope.app/file-format-schema.json";
  struct frame_list list;
  const char *between = "";
  list.count = 0;
  memset(list.slot, 0, sizeof list.slot);
  obs_profile_sort(p);
  sim_text_add(out,
               "{\"$schema\":\"%s\",\"exporter\":\"tessera\",\"name\":\"tessera\",\"activeProfileIndex\":0,\"profiles\":[",
               schema);
  for (unsigned agent = 0; agent <= TX_AGENT_NCRISC; agent++) {
    uint64_t cycles = cycles_of(p, agent);
    if (!cycles) continue;
    sim_text_add(
        out, "%s{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"none\",\"startValue\":0,\"endValue\":%llu,\"samples\":[",
        between, obs_agent_name(agent), (unsigned long long)cycles);
    add_samples(&list, p, index, agent, false, out);
    sim_text_add(out, "],\"weights\":[");
    add_samples(&list, p, index, agent, true, out);
    sim_text_add(out, "]}");
    between = ",";
  }
  sim_text_add(out, "],\"shared\":{\"frames\":[");
  for (uint32_t i = 0; i < list.count; i++) {
    sim_text_add(out, "%s{\"name\":", i ? "," : "");
    sim_text_add_json(out, list.frame[i].function);
    if (list.frame[i].file) {
      sim_text_add(out, ",\"file\":");
      sim_text_add_json(out, list.frame[i].file);
      sim_text_add(out, ",\"line\":%u", list.frame[i].line);
    }
    sim_text_add(out, "}");
  }
  sim_text_add(out, "]}}\n");
}
