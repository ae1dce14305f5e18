/* The report of report.h as SARIF 2.1.0 (sarif_log.h): faults, hangs, failed checks and findings as results with the user's lines. */
#include "observe/report/sarif.h"

#include <stdlib.h>

#include <stdio.h>

#include "observe/hang/chip.h"
#include "observe/hang/hang.h"
#include "observe/hang/limit.h"
#include "observe/report/sarif_log.h"
#include "observe/words.h"
#include "sim/text.h"

static void open_result(struct sim_text *out, bool *first, const char *rule, const char *level, const char *message,
                        const struct dbg_source *place) {
  obs_sarif_result(out, first, &(struct obs_sarif_item){rule, level, message, place->path, place->line, 0});
}

static void add_rules(struct sim_text *out) {
  static const char *const own[][2] = {{"FAULT", "the run was stopped by a fault"},
                                       {"HANG", "no core or thread can make progress"},
                                       {"KERNEL_CHECK", "a kernel check failed"},
                                       {"LIMIT", "the run reached its limit of cycles"}};
  bool first = true;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) obs_sarif_rule(out, &first, own[i][0], own[i][1], "error", NULL);
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++) {
    const struct tx_diag_info *info = &tx_diag_infos[id];
    obs_sarif_rule(out, &first, info->name, info->what, obs_severity_name(info->severity), info->where);
  }
}

static void add_hang(struct sim_text *out, const struct obs_report *r, bool *first) {
  struct obs_hang *h = obs_hang_new(r->t, r->program);
  if (!h) return;
  const struct dbg_source none = {0};
  const struct obs_waiter *cause = h->chain_count ? &h->waiters[h->chain[0]] : NULL;
  bool first_place = true;
  open_result(out, first, "HANG", "error", h->cause, cause ? &cause->place : &none);
  sim_text_add(out, ",\"properties\":{\"cycle\":%llu", (unsigned long long)h->cycle);
  if (r->at) sim_text_add(out, ",\"tile\":\"%u,%u\"", (r->at - 1) & 0xffffu, (r->at - 1) >> 16);
  sim_text_add(out, "},\"relatedLocations\":[");
  for (uint32_t i = 0; i < h->waiter_count; i++)
    obs_sarif_waiter(out, &first_place, &h->waiters[i].place, h->waiters[i].what);
  sim_text_add(out, "]}");
  free(h);
}

static void add_other_side(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  struct dbg_source place;
  char text[128];
  unsigned at[2];
  struct sim_text message = {.data = text, .size = sizeof text};
  if (!f->other.known) return;
  obs_other_place(r, f, &place);
  if (!place.path[0]) return;
  sim_text_add(&message, "the other side: %s", obs_agent_name(f->other.agent));
  if (obs_other_tile(r, f, at)) sim_text_add(&message, ", tile (%u, %u)", at[0], at[1]);
  sim_text_add(&message, ", cycle %llu", (unsigned long long)f->other.cycle);
  sim_text_add(out, ",\"relatedLocations\":[");
  obs_sarif_location(out, place.path, place.line, 0, text);
  sim_text_add(out, "]");
}

/* ,"properties":{"tile":"1,2"} */
static void add_tile(struct sim_text *out, const struct obs_report *r) {
  if (r->at) sim_text_add(out, ",\"properties\":{\"tile\":\"%u,%u\"}", (r->at - 1) & 0xffffu, (r->at - 1) >> 16);
}

static void add_faults(struct sim_text *out, const struct obs_report *r, bool *first) {
  struct dbg_failure failure;
  struct dbg_source place;
  char text[2048];
  if (obs_report_failed(r, &failure)) {
    open_result(out, first, "KERNEL_CHECK", "error", failure.text, &failure.place);
    add_tile(out, r);
    sim_text_add(out, "}");
  }
  if (!r->t->fault.kind || r->t->fault.kind == SIM_FAULT_HAZARD) return;
  obs_fault_words(r->t, r->program, text, sizeof text);
  obs_fault_place(r, &place);
  open_result(out, first, "FAULT", "error", text, &place);
  add_tile(out, r);
  sim_text_add(out, "}");
}

static void add_remote_fault(struct sim_text *out, const struct obs_remote_fault *remote, bool *first) {
  char text[512];
  struct sim_text message = {.data = text, .size = sizeof text};
  sim_text_add(&message, "%s, cycle %llu: %s fault: %s (%s)", remote->name, (unsigned long long)remote->fault->cycle,
               sim_fault_kind_name(remote->fault->kind), remote->fault->why, remote->fault->document);
  open_result(out, first, "FAULT", "error", text, &remote->place);
  sim_text_add(out, "}");
}

static void add_findings(struct sim_text *out, const struct obs_report *r, bool *first) {
  for (uint32_t i = 0; i < r->t->diag.finding_count; i++) {
    const struct tx_finding *f = &r->t->diag.findings[i];
    char text[2048];
    struct dbg_source place;
    struct sim_text message = {.data = text, .size = sizeof text};
    sim_text_add(&message, "%s%s%s (%s, cycle %llu). Help: ", tx_diag_infos[f->id].what, f->why[0] ? ": " : "", f->why,
                 obs_agent_name(f->agent), (unsigned long long)f->first_cycle);
    obs_finding_help(&message, f->id);
    obs_finding_place(r, f, &place);
    open_result(out, first, tx_diag_infos[f->id].name, obs_severity_name(tx_diag_infos[f->id].severity), text, &place);
    add_other_side(out, r, f);
    add_tile(out, r);
    sim_text_add(out, ",\"occurrenceCount\":%llu}", (unsigned long long)f->count);
  }
}

/* The cores that still run or wait, at the first of their lines. */
static void add_limit(struct sim_text *out, const struct obs_report *r, bool *first) {
  char words[2112], running[2048] = "";
  struct sim_text text = {.data = running, .size = sizeof running};
  struct dbg_source place;
  obs_limit_words(r->t, r->program, &text);
  snprintf(words, sizeof words, "not done after %llu cycles%s%s", (unsigned long long)obs_report_cycles(r),
           running[0] ? ": " : "", running);
  obs_limit_place(r->t, r->program, &place);
  open_result(out, first, "LIMIT", "error", words, &place);
  add_tile(out, r);
  sim_text_add(out, "}");
}

static void add_results(struct sim_text *out, const struct obs_report *r, int code) {
  bool first = true;
  add_faults(out, r, &first);
  for (unsigned i = 0; i < r->other_count; i++) add_faults(out, &r->others[i], &first);
  if (r->remote_fault) add_remote_fault(out, r->remote_fault, &first);
  if (code == OBS_CODE_HANG && r->chip_hang) obs_chip_hang_sarif(r->chip, r->chip_hang, &first, out);
  else if (code == OBS_CODE_HANG) add_hang(out, r->hung ? r->hung : r, &first);
  if (code == OBS_CODE_LIMIT) add_limit(out, r, &first);
  add_findings(out, r, &first);
  for (unsigned i = 0; i < r->other_count; i++) add_findings(out, &r->others[i], &first);
}

size_t obs_report_sarif(const struct obs_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  obs_sarif_begin(&out);
  add_rules(&out);
  obs_sarif_results(&out);
  add_results(&out, r, obs_report_code(r));
  obs_sarif_end(&out, obs_report_code(r));
  return out.length;
}
