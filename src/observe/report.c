/* The report of report.h. Stalled cycles that are still running are counted up to now. */
#include "observe/report.h"

#include <string.h>

#include "observe/words.h"
#include "sim/text.h"

const char *obs_end_name(const struct tx_tile *t, enum sim_end end) {
  switch (end) {
    case SIM_END_DONE: return "done";
    case SIM_END_BLOCKED: return "hang";
    case SIM_END_TIME: return "limit";
    default: return t->fault.kind == SIM_FAULT_HAZARD ? "hazard" : t->fault.kind ? "fault" : "stopped";
  }
}

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

static void add_threads(struct sim_text *out, const struct tx_tile *t) {
  sim_text_add(out, "\n%-18s %10s %10s   stalled by\n", "thread", "issued", "stalled");
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    uint64_t sum = 0;
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++)
      if (kind != TX_BLOCKED_LATCH) sum += tx_gate_stalled(t, thread, kind);
    sim_text_add(out, "%-18s %10llu %10llu  ", obs_agent_name(tx_agent_of_thread(thread)),
                 (unsigned long long)t->gate[thread].issued, (unsigned long long)sum);
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++)
      if (tx_gate_stalled(t, thread, kind) && kind != TX_BLOCKED_LATCH)
        sim_text_add(out, " %s %llu", obs_wait_name(kind), (unsigned long long)tx_gate_stalled(t, thread, kind));
    sim_text_add(out, "\n");
  }
}

static void add_units(struct sim_text *out, const struct tx_tile *t) {
  bool any = false;
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) {
    const struct tx_unit_state *u = &t->units[unit];
    uint64_t accepted = u->accepted[0] + u->accepted[1] + u->accepted[2];
    uint64_t busy = u->busy_cycles < t->engine.now ? u->busy_cycles : t->engine.now;
    if (!accepted) continue;
    if (!any) sim_text_add(out, "\n%-18s %10s %8s\n", "unit", "accepted", "busy");
    any = true;
    sim_text_add(out, "%-18s %10llu %7.1f%%\n", obs_unit_name(unit), (unsigned long long)accepted,
                 share(busy, t->engine.now));
  }
}

/* Cores that have run: instructions, cycles since they left reset, cycles per instruction. */
static void add_cores(struct sim_text *out, const struct tx_tile *t) {
  static const char *const states[] = {"held", "running", "ebreak"};
  bool any = false;
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    uint64_t cycles = tx_core_cycles(t, core);
    if (c->state == TX_CORE_HELD && !c->retired) continue;
    if (!any) sim_text_add(out, "\n%-18s %10s %10s %8s  state\n", "core", "instr.", "cycles", "cyc/in.");
    any = true;
    sim_text_add(out, "%-18s %10llu %10llu %8.2f  %s\n", tx_core_name(core), (unsigned long long)c->retired,
                 (unsigned long long)cycles, c->retired ? (double)cycles / (double)c->retired : 0.0, states[c->state % 3]);
  }
}

/* The matrix unit takes at most one instruction a cycle. */
static double matrix_share(const struct tx_tile *t) {
  const uint64_t *a = t->units[TX_UNIT_MATRIX].accepted;
  return share(a[0] + a[1] + a[2], t->engine.now);
}

static const char *severity_name(uint32_t severity) {
  return severity == SIM_NOTE ? "note" : severity == SIM_WARNING ? "warning" : "error";
}

static void add_finding_counts(struct sim_text *out, const struct tx_tile *t) {
  sim_text_add(out, "\nfindings, counted only\n");
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
    if (t->diag.counts[id])
      sim_text_add(out, "%-24s %10llu\n", tx_diag_infos[id].name, (unsigned long long)t->diag.counts[id]);
}

static void add_findings(struct sim_text *out, const struct tx_tile *t) {
  if (!t->diag.finding_count) return;
  if (t->diag.quiet) {
    add_finding_counts(out, t);
    return;
  }
  sim_text_add(out, "\nfindings\n");
  for (uint32_t i = 0; i < t->diag.finding_count; i++) {
    const struct tx_finding *f = &t->diag.findings[i];
    const struct tx_diag_info *info = &tx_diag_infos[f->id];
    const char *name = tx_ops[f->word >> 24].name;
    sim_text_add(out, "%s: %s%s%s [%s, %s 0x%08x, first at cycle %llu, %llu time%s; %s]\n", severity_name(info->severity),
                 info->what, f->why[0] ? ": " : "", f->why, obs_agent_name(f->agent), name ? name : "word", f->word,
                 (unsigned long long)f->first_cycle, (unsigned long long)f->count, f->count == 1 ? "" : "s", info->where);
  }
}

size_t obs_report_text(const struct tx_tile *t, enum sim_end end, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  char line[1024];
  sim_text_add(&out, "%s after %llu cycles\n", obs_end_name(t, end), (unsigned long long)t->engine.now);
  if (t->fault.kind) {
    obs_fault_line(t, line, sizeof line);
    sim_text_add(&out, "%s\n", line);
  }
  if (end == SIM_END_BLOCKED) {
    char hang[4096];
    obs_hang_report(t, hang, sizeof hang);
    sim_text_add(&out, "%s", hang);
  }
  add_cores(&out, t);
  add_threads(&out, t);
  add_units(&out, t);
  sim_text_add(&out, "\nFPU share of peak: %.1f%% (matrix instructions per cycle)\n", matrix_share(t));
  add_findings(&out, t);
  return out.length;
}

/* --- JSON --- */

static void json_cores(struct sim_text *out, const struct tx_tile *t) {
  static const char *const states[] = {"held", "running", "ebreak"};
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    sim_text_add(out, "%s{\"core\":\"%s\",\"state\":\"%s\",\"pc\":%u,\"instructions\":%llu,\"cycles\":%llu}",
                 core ? "," : "", tx_core_name(core), states[c->state % 3], c->pc, (unsigned long long)c->retired,
                 (unsigned long long)tx_core_cycles(t, core));
  }
}

static void json_threads(struct sim_text *out, const struct tx_tile *t) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    const char *between = "";
    sim_text_add(out, "%s{\"thread\":%u,\"issued\":%llu,\"stalled\":{", thread ? "," : "", thread,
                 (unsigned long long)t->gate[thread].issued);
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++) {
      if (!tx_gate_stalled(t, thread, kind)) continue;
      sim_text_add(out, "%s\"%s\":%llu", between, obs_wait_name(kind), (unsigned long long)tx_gate_stalled(t, thread, kind));
      between = ",";
    }
    sim_text_add(out, "}}");
  }
}

static void json_units(struct sim_text *out, const struct tx_tile *t) {
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) {
    const struct tx_unit_state *u = &t->units[unit];
    sim_text_add(out, "%s{\"unit\":\"%s\",\"accepted\":[%llu,%llu,%llu],\"busy_cycles\":%llu}", unit ? "," : "",
                 obs_unit_name(unit), (unsigned long long)u->accepted[0], (unsigned long long)u->accepted[1],
                 (unsigned long long)u->accepted[2], (unsigned long long)u->busy_cycles);
  }
}

static void json_findings(struct sim_text *out, const struct tx_tile *t) {
  for (uint32_t i = 0; i < t->diag.finding_count; i++) {
    const struct tx_finding *f = &t->diag.findings[i];
    sim_text_add(out,
                 "%s{\"id\":\"%s\",\"severity\":\"%s\",\"agent\":\"%s\",\"word\":%u,\"cycle\":%llu,\"count\":%llu,\"why\":",
                 i ? "," : "", tx_diag_infos[f->id].name, severity_name(tx_diag_infos[f->id].severity),
                 obs_agent_name(f->agent), f->word, (unsigned long long)f->first_cycle, (unsigned long long)f->count);
    sim_text_add_json(out, f->why);
    sim_text_add(out, "}");
  }
}

size_t obs_report_json(const struct tx_tile *t, enum sim_end end, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  char line[4096];
  sim_text_add(&out, "{\"result\":\"%s\",\"cycles\":%llu,\"timing\":%s", obs_end_name(t, end),
               (unsigned long long)t->engine.now, t->timing ? "\"cycle\"" : "\"off\"");
  if (t->fault.kind) {
    obs_fault_line(t, line, sizeof line);
    sim_text_add(&out, ",\"fault\":");
    sim_text_add_json(&out, line);
  }
  if (end == SIM_END_BLOCKED) {
    obs_hang_report(t, line, sizeof line);
    sim_text_add(&out, ",\"hang\":");
    sim_text_add_json(&out, line);
  }
  sim_text_add(&out, ",\"fpu_share_percent\":%.3f,\"cores\":[", matrix_share(t));
  json_cores(&out, t);
  sim_text_add(&out, "],\"threads\":[");
  json_threads(&out, t);
  sim_text_add(&out, "],\"units\":[");
  json_units(&out, t);
  sim_text_add(&out, "],\"findings\":[");
  json_findings(&out, t);
  sim_text_add(&out, "]}\n");
  return out.length;
}
