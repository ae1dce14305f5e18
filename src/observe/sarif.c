/* The report of report.h as SARIF 2.1.0 (OASIS, sarif-v2.1.0-os): faults, hangs, failed checks and findings as results with the user's
 * lines. Sections 3.13 (log), 3.14 (run), 3.27 (result), 3.29 (physical location). */
#include "observe/hang.h"
#include "observe/report.h"
#include "observe/words.h"
#include "sim/text.h"

static void key(struct sim_text *out, const char *name, const char *value) {
  sim_text_add(out, "\"%s\":", name);
  sim_text_add_json(out, value);
}

static void location(struct sim_text *out, const struct dbg_source *place, const char *message) {
  sim_text_add(out, "{\"physicalLocation\":{\"artifactLocation\":{");
  key(out, "uri", place->path);
  sim_text_add(out, "},\"region\":{\"startLine\":%u}}", place->line ? place->line : 1);
  if (message) {
    sim_text_add(out, ",\"message\":{");
    key(out, "text", message);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "}");
}

/* A result up to its locations; the caller closes it. */
static void open_result(struct sim_text *out, bool *first, const char *rule, const char *level, const char *message,
                        const struct dbg_source *place) {
  sim_text_add(out, "%s{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{", *first ? "" : ",", rule, level);
  *first = false;
  key(out, "text", message);
  sim_text_add(out, "},\"locations\":[");
  if (place->path[0]) location(out, place, NULL);
  sim_text_add(out, "]");
}

static void add_rules(struct sim_text *out) {
  static const char *const own[][2] = {{"FAULT", "the run was stopped by a fault"},
                                       {"HANG", "no core or thread can go on"},
                                       {"KERNEL_CHECK", "a check of a kernel did not hold"}};
  for (unsigned i = 0; i < 3; i++)
    sim_text_add(out,
                 "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"},\"defaultConfiguration\":{\"level\":\"error\"}}",
                 i ? "," : "", own[i][0], own[i][1]);
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++) {
    sim_text_add(out, ",{\"id\":\"%s\",\"shortDescription\":{", tx_diag_infos[id].name);
    key(out, "text", tx_diag_infos[id].what);
    sim_text_add(out, "},\"defaultConfiguration\":{\"level\":\"%s\"}}", obs_severity_name(tx_diag_infos[id].severity));
  }
}

static void add_hang(struct sim_text *out, const struct obs_report *r, bool *first) {
  struct obs_hang h;
  obs_hang_find(r->t, r->program, &h);
  const struct dbg_source none = {0};
  const struct obs_waiter *cause = h.chain_count ? &h.waiters[h.chain[0]] : NULL;
  const char *between = "";
  open_result(out, first, "HANG", "error", h.cause, cause ? &cause->place : &none);
  sim_text_add(out, ",\"relatedLocations\":[");
  for (uint32_t i = 0; i < h.waiter_count; i++) {
    if (!h.waiters[i].place.path[0]) continue;
    sim_text_add(out, "%s", between);
    location(out, &h.waiters[i].place, h.waiters[i].what);
    between = ",";
  }
  sim_text_add(out, "]}");
}

static void add_other_side(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  struct dbg_source place;
  char text[128];
  struct sim_text message = {.data = text, .size = sizeof text};
  if (!f->other.known) return;
  obs_other_place(r, f, &place);
  if (!place.path[0]) return;
  sim_text_add(&message, "the other side: %s, cycle %llu", obs_agent_name(f->other.agent),
               (unsigned long long)f->other.cycle);
  sim_text_add(out, ",\"relatedLocations\":[");
  location(out, &place, text);
  sim_text_add(out, "]");
}

static void add_results(struct sim_text *out, const struct obs_report *r) {
  bool first = true;
  struct dbg_failure failure;
  struct dbg_source place;
  const struct tx_tile *t = r->t;
  char text[1024];
  if (r->program && dbg_program_failure(r->program, t, &failure)) {
    open_result(out, &first, "KERNEL_CHECK", "error", failure.text, &failure.place);
    sim_text_add(out, "}");
  }
  if (t->fault.kind && t->fault.kind != SIM_FAULT_HAZARD) {
    obs_fault_line(t, text, sizeof text);
    obs_fault_place(r, &place);
    open_result(out, &first, "FAULT", "error", text, &place);
    sim_text_add(out, "}");
  }
  if (r->end == SIM_END_BLOCKED) add_hang(out, r, &first);
  for (uint32_t i = 0; i < t->diag.finding_count; i++) {
    const struct tx_finding *f = &t->diag.findings[i];
    struct sim_text message = {.data = text, .size = sizeof text};
    const char *advice = obs_finding_advice(f->id);
    sim_text_add(&message, "%s%s%s (%s, cycle %llu)%s%s", tx_diag_infos[f->id].what, f->why[0] ? ": " : "", f->why,
                 obs_agent_name(f->agent), (unsigned long long)f->first_cycle, advice[0] ? ". " : "", advice);
    obs_finding_place(r, f, &place);
    open_result(out, &first, tx_diag_infos[f->id].name, obs_severity_name(tx_diag_infos[f->id].severity), text, &place);
    add_other_side(out, r, f);
    sim_text_add(out, ",\"occurrenceCount\":%llu}", (unsigned long long)f->count);
  }
}

size_t obs_report_sarif(const struct obs_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  sim_text_add(&out,
               "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
               "{\"driver\":{\"name\":\"tessera\",\"version\":\"" TESSERA_VERSION "\",\"rules\":[");
  add_rules(&out);
  sim_text_add(&out, "]}},\"results\":[");
  add_results(&out, r);
  sim_text_add(&out, "]}]}\n");
  return out.length;
}
