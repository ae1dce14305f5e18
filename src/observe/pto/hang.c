/* See pto/hang.h. */
#include "observe/pto/hang.h"

#include <string.h>

#include "observe/report/sarif_log.h"
#include "pto/runtime/finding.h"

const char *obs_pto_wait_name(unsigned kind) {
  static const char *const names[PTO_WAIT_KINDS] = {"", "flag", "dependency", "queue", "event", "drain", "pool"};
  return kind < PTO_WAIT_KINDS ? names[kind] : "?";
}

bool obs_pto_hang_of(const struct pto_grid *g, enum pto_end_kind end, struct pto_hang *hang) {
  for (uint32_t n = 0; n < g->count && end == PTO_DEADLOCKED; n++) {
    if (!g->blocks[n]->deadlocked) continue;
    pto_hang_find(g->blocks[n], hang);
    return true;
  }
  return false;
}

/* --- text --- */

#define NUMBERS_MAX 16u

void obs_pto_hang_text(const struct pto_grid *g, struct sim_text *out) {
  struct pto_hang hang;
  uint32_t count = 0, shown = 0, next = 0;
  for (uint32_t n = 0; n < g->count; n++) {
    if (!g->blocks[n]->deadlocked || count++) continue;
    pto_hang_find(g->blocks[n], &hang);
    if (g->count > 1) sim_text_add(out, "block %u: ", n);
    pto_hang_text(&hang, out);
    next = n + 1;
  }
  if (count < 2) return;
  sim_text_add(out, "%u more block%s:", count - 1, count == 2 ? " hangs" : "s hang");
  for (uint32_t n = next; n < g->count && shown < NUMBERS_MAX; n++) {
    if (!g->blocks[n]->deadlocked) continue;
    sim_text_add(out, " %u", n);
    shown++;
  }
  sim_text_add(out, "%s\n", shown < count - 1 ? " ..." : "");
}

/* --- JSON --- */

static void json_string(struct sim_text *out, const char *key, const char *value) {
  sim_text_add(out, "\"%s\":", key);
  sim_text_add_json(out, value);
}

static void json_place(const struct pto_waiter *w, const char *file, struct sim_text *out) {
  sim_text_add(out, "{\"pc\":0,\"line\":%u,", w->line);
  json_string(out, "file", sim_base_name(file));
  sim_text_add(out, ",");
  json_string(out, "path", file);
  sim_text_add(out, ",");
  json_string(out, "function", w->function);
  sim_text_add(out, ",");
  json_string(out, "call", w->op);
  sim_text_add(out, "}");
}

static void json_waiter(const struct pto_waiter *w, const char *file, struct sim_text *out) {
  const char *between = "";
  sim_text_add(out, "{");
  json_string(out, "name", w->name);
  sim_text_add(out, ",\"tile\":null,\"since\":%llu,", (unsigned long long)w->since);
  json_string(out, "waits_for_what", w->what);
  sim_text_add(out,
               ",\"resource\":{\"kind\":\"%s\",\"index\":%u,\"address\":0,\"value\":%u,\"wish\":\"%s\",\"wanted\":%u,"
               "\"max\":%u,",
               obs_pto_wait_name(w->kind), w->index, w->value, w->wanted ? "at_least" : "unknown", w->wanted,
               w->kind == PTO_WAIT_FLAG ? PTO_FLAG_MAX : 0);
  json_string(out, "name", w->resource);
  sim_text_add(out, "},\"place\":");
  json_place(w, file, out);
  sim_text_add(out, ",\"last\":null,\"waits_for\":%d,\"releasers\":[", w->waits_for);
  for (uint64_t left = w->release; left; left &= left - 1) {
    char name[16];
    pto_agent_words((unsigned)__builtin_ctzll(left), name, sizeof name);
    sim_text_add(out, "%s{\"name\":\"%s\",\"role\":\"%s\",\"state\":\"waiting\"}", between, name, w->role);
    between = ",";
  }
  sim_text_add(out, "],");
  json_string(out, "why", w->why);
  sim_text_add(out, "}");
}

void obs_pto_hang_json(const struct pto_hang *h, const char *file, struct sim_text *out) {
  sim_text_add(out, "{\"cycle\":%llu,\"block\":%u,\"dispatch\":%u,", (unsigned long long)h->cycle, h->block,
               h->dispatch ? h->dispatch : 1);
  json_string(out, "cause", h->cause);
  sim_text_add(out, ",\"deadlock\":%s,\"chain\":[", h->deadlock ? "true" : "false");
  for (uint32_t i = 0; i < h->chain_count; i++) sim_text_add(out, "%s%u", i ? "," : "", h->chain[i]);
  sim_text_add(out, "],\"waiters\":[");
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    sim_text_add(out, "%s", i ? "," : "");
    json_waiter(&h->waiters[i], file, out);
  }
  sim_text_add(out, "],\"others\":[");
  const char *between = "";
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!((unsigned)(h->ended | h->absent) >> core & 1u)) continue;
    sim_text_add(out, "%s{\"name\":\"%s\",\"state\":\"%s\",\"place\":null}", between, pto_core_name(core),
                 h->ended >> core & 1u ? "returned" : "held");
    between = ",";
  }
  sim_text_add(out, "]}");
}

/* --- SARIF --- */

void obs_pto_hang_sarif(const struct pto_hang *h, const char *file, bool *first, struct sim_text *out) {
  uint32_t line = h->chain_count ? h->waiters[h->chain[0]].line : 0;
  const char *between = "";
  obs_sarif_result(out, first,
                   &(struct obs_sarif_item){pto_finding_name(PTO_FIND_DEADLOCK), "error", h->cause, file, line, 0});
  sim_text_add(out, ",\"properties\":{\"cycle\":%llu},\"relatedLocations\":[", (unsigned long long)h->cycle);
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (!h->waiters[i].line) continue;
    sim_text_add(out, "%s", between);
    obs_sarif_location(out, file, h->waiters[i].line, 0, h->waiters[i].what);
    between = ",";
  }
  sim_text_add(out, "]");
  obs_sarif_result_end(out);
}
