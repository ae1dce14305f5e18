/* The report of report.h as JSON. The report of a tile of a chip carries the faults, failed checks and findings of the other tiles. */
#include "observe/report/json.h"

#include <stdlib.h>

#include "observe/hang/chip.h"
#include "observe/hang/hang.h"
#include "observe/hang/limit.h"
#include "observe/words.h"
#include "sim/text.h"

/* --- work of each core, thread and unit --- */

static void json_cores(struct sim_text *out, const struct obs_report *r) {
  const struct tx_tile *t = r->t;
  struct obs_hang *hang = obs_report_hang(r);
  const uint64_t end = obs_report_cycles(r);
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    sim_text_add(out, "%s{\"core\":\"%s\",\"state\":\"%s\",\"pc\":%u,\"instructions\":%llu,\"cycles\":%llu}",
                 core ? "," : "", tx_core_name(core), obs_core_state(t, hang, core), c->pc, (unsigned long long)c->retired,
                 (unsigned long long)obs_core_cycles(r, core, end));
  }
  free(hang);
}

static void json_threads(struct sim_text *out, const struct tx_tile *t, uint64_t end) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    const char *between = "";
    sim_text_add(out, "%s{\"thread\":%u,\"issued\":%llu,\"stalled\":{", thread ? "," : "", thread,
                 (unsigned long long)t->gate[thread].issued);
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++) {
      uint64_t stalled = obs_thread_stalled(t, thread, kind, end);
      if (!stalled) continue;
      sim_text_add(out, "%s\"%s\":%llu", between, obs_wait_name(kind), (unsigned long long)stalled);
      between = ",";
    }
    sim_text_add(out, "}}");
  }
}

static void json_units(struct sim_text *out, const struct tx_tile *t) {
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) {
    const struct tx_unit_state *u = &t->units[unit];
    sim_text_add(out, "%s{\"unit\":\"%s\",\"accepted\":[%llu,%llu,%llu],\"occupied_cycles\":%llu}", unit ? "," : "",
                 obs_unit_name(unit), (unsigned long long)u->accepted[0], (unsigned long long)u->accepted[1],
                 (unsigned long long)u->accepted[2], (unsigned long long)u->busy_cycles);
  }
}

/* --- the outcome --- */

/* ,"tile":{"x":1,"y":2} */
static void json_tile(struct sim_text *out, const struct obs_report *r) {
  if (r->at) sim_text_add(out, ",\"tile\":{\"x\":%u,\"y\":%u}", (r->at - 1) & 0xffffu, (r->at - 1) >> 16);
}

static void json_other_side(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  struct dbg_source place;
  unsigned at[2];
  if (!f->other.known) return;
  obs_other_place(r, f, &place);
  sim_text_add(out, ",\"other\":{\"agent\":\"%s\",\"word\":%u,\"cycle\":%llu,\"place\":", obs_agent_name(f->other.agent),
               f->other.word, (unsigned long long)f->other.cycle);
  obs_source_json(&place, out);
  if (obs_other_tile(r, f, at)) sim_text_add(out, ",\"tile\":{\"x\":%u,\"y\":%u}", at[0], at[1]);
  sim_text_add(out, "}");
}

static void json_finding(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  struct dbg_source place;
  obs_finding_place(r, f, &place);
  sim_text_add(out, "{\"id\":\"%s\",\"severity\":\"%s\",\"agent\":\"%s\",\"word\":%u,\"cycle\":%llu,\"count\":%llu,",
               tx_diag_infos[f->id].name, obs_severity_name(tx_diag_infos[f->id].severity), obs_agent_name(f->agent),
               f->word, (unsigned long long)f->first_cycle, (unsigned long long)f->count);
  sim_text_add(out, "\"what\":");
  sim_text_add_json(out, tx_diag_infos[f->id].what);
  sim_text_add(out, ",\"why\":");
  sim_text_add_json(out, f->why);
  sim_text_add(out, ",\"place\":");
  obs_source_json(&place, out);
  json_other_side(out, r, f);
  json_tile(out, r);
  sim_text_add(out, ",\"help\":");
  sim_text_add_json(out, obs_finding_advice(f->id));
  sim_text_add(out, ",\"explain\":\"tessera explain %s\",\"page\":\"", tx_diag_infos[f->id].name);
  obs_finding_page(out, f->id);
  sim_text_add(out, "\"}");
}

static void json_findings(struct sim_text *out, const struct obs_report *r, bool *first) {
  for (uint32_t i = 0; i < r->t->diag.finding_count; i++) {
    if (!*first) sim_text_add(out, ",");
    *first = false;
    json_finding(out, r, &r->t->diag.findings[i]);
  }
}

/* `lead`: the text before the key. */
static void json_fault_value(struct sim_text *out, const char *lead, const struct sim_fault *f,
                             const struct dbg_source *place) {
  sim_text_add(out, "%s\"fault\":{\"kind\":\"%s\",\"cycle\":%llu,\"agent\":\"%s\",\"pc\":%u,\"word\":%u,\"why\":", lead,
               sim_fault_kind_name(f->kind), (unsigned long long)f->cycle, obs_agent_name(f->agent), f->pc, f->word);
  sim_text_add_json(out, f->why);
  sim_text_add(out, ",\"document\":");
  sim_text_add_json(out, f->document);
  sim_text_add(out, ",\"place\":");
  obs_source_json(place, out);
}

static void json_fault(struct sim_text *out, const char *lead, const struct obs_report *r) {
  struct dbg_source place;
  struct dbg_jump jump;
  obs_fault_place(r, &place);
  json_fault_value(out, lead, &r->t->fault, &place);
  if (dbg_program_wild_jump(r->program, r->t, &jump))
    sim_text_add(out, ",\"jump\":{\"core\":\"%s\",\"from\":%u,\"to\":%u}", tx_core_name(jump.core), jump.from, jump.to);
  json_tile(out, r);
  sim_text_add(out, "}");
}

static void json_failure(struct sim_text *out, const char *lead, const struct obs_report *r) {
  struct dbg_failure failure;
  obs_report_failed(r, &failure);
  sim_text_add(out, "%s\"check_failed\":{\"core\":\"%s\",\"text\":", lead, tx_core_name(failure.core));
  sim_text_add_json(out, failure.text);
  sim_text_add(out, ",\"place\":");
  obs_source_json(&failure.place, out);
  json_tile(out, r);
  sim_text_add(out, "}");
}

/* Of a part of the chip without cores: the line is that of the request. */
static void json_remote_fault(struct sim_text *out, const struct obs_remote_fault *remote) {
  json_fault_value(out, ",", remote->fault, &remote->place);
  sim_text_add(out, ",\"at\":");
  sim_text_add_json(out, remote->name);
  sim_text_add(out, "}");
}

/* The first tile with a fault and the first with a failed check; the others follow as a list. */
struct stops {
  bool fault, failure, also;
};

static void json_stops_of(struct sim_text *out, const struct obs_report *r, struct stops *had, bool list) {
  struct dbg_failure failure;
  bool fault = r->t->fault.kind != SIM_FAULT_NONE, failed = obs_report_failed(r, &failure);
  const char *between = had->also ? "},{" : ",\"also\":[{";
  if (fault && had->fault == list) {
    json_fault(out, list ? between : ",", r);
    had->also |= list;
  }
  between = had->also ? "},{" : ",\"also\":[{";
  if (failed && had->failure == list) {
    json_failure(out, list ? between : ",", r);
    had->also |= list;
  }
  had->fault |= fault;
  had->failure |= failed;
}

static void json_stops(struct sim_text *out, const struct obs_report *r) {
  struct stops had = {0}, listed = {0};
  json_stops_of(out, r, &had, false);
  for (unsigned i = 0; i < r->other_count; i++) json_stops_of(out, &r->others[i], &had, false);
  json_stops_of(out, r, &listed, true);
  for (unsigned i = 0; i < r->other_count; i++) json_stops_of(out, &r->others[i], &listed, true);
  if (listed.also) sim_text_add(out, "}]");
  if (!had.fault && r->remote_fault) json_remote_fault(out, r->remote_fault);
}

static void json_hang(struct sim_text *out, const struct obs_report *r) {
  sim_text_add(out, ",\"hang\":");
  if (r->chip_hang) {
    obs_chip_hang_json(r->chip, r->chip_hang, out);
    return;
  }
  const struct obs_report *hung = r->hung ? r->hung : r;
  struct obs_hang *hang = obs_hang_new(hung->t, hung->program);
  for (uint32_t i = 0; hang && hung->at && i < hang->waiter_count; i++) hang->waiters[i].tile = hung->at - 1;
  if (hang) obs_hang_json(hang, out);
  else sim_text_add(out, "null"); /* out of memory */
  free(hang);
}

void obs_report_outcome_json(const struct obs_report *r, struct sim_text *out) {
  bool first = true;
  json_stops(out, r);
  if (obs_report_code(r) == OBS_CODE_HANG) json_hang(out, r);
  if (r->end == SIM_END_TIME && !r->wanted) obs_limit_json(r->t, r->program, out);
  sim_text_add(out, ",\"findings\":[");
  json_findings(out, r, &first);
  for (unsigned i = 0; i < r->other_count; i++) json_findings(out, &r->others[i], &first);
  sim_text_add(out, "]");
}

size_t obs_report_json(const struct obs_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  const struct tx_tile *t = r->t;
  sim_text_add(&out, "{\"result\":\"%s\",\"code\":%d,\"cycles\":%llu,\"timing\":%s", obs_end_name(r), obs_report_code(r),
               (unsigned long long)obs_report_cycles(r), t->timing ? "\"cycle\"" : "\"off\"");
  obs_report_outcome_json(r, &out);
  if (r->checked_from) sim_text_add(&out, ",\"checked_from\":%llu", (unsigned long long)r->checked_from);
  sim_text_add(&out, ",\"fpu_share_percent\":%.3f,\"cores\":[", obs_matrix_share(r));
  json_cores(&out, r);
  sim_text_add(&out, "],\"threads\":[");
  json_threads(&out, t, obs_report_cycles(r));
  sim_text_add(&out, "],\"units\":[");
  json_units(&out, t);
  sim_text_add(&out, "]}\n");
  return out.length;
}
