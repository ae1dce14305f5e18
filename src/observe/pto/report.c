/* The report of pto/report.h. */
#include "observe/pto/report.h"

#include <stdio.h>

#include "observe/pto/hang.h"
#include "observe/pto/why.h"
#include "pto/runtime/explain.h"
#include "sim/text.h"

static const char *end_name(const struct obs_pto_report *r) {
  static const char *const names[] = {"ran", "fault", "hang", "hazard", "limit"};
  return r->code > 128 && r->end == PTO_TIME_LIMIT ? "interrupted" : names[r->end]; /* a signal's exit code */
}

static uint64_t total_stalled(const struct pto_machine *m, unsigned agent) {
  uint64_t sum = 0;
  for (unsigned k = 1; k < PTO_WAIT_KINDS; k++) sum += m->stats.stalled[agent][k];
  return sum;
}

static double percent(uint64_t part, sim_time whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* No work and no wait: the pipe has no instruction. */
static uint64_t total_idle(const struct pto_machine *m, unsigned agent) {
  const uint64_t spent = m->stats.busy[agent] + total_stalled(m, agent);
  return spent < m->engine.now ? m->engine.now - spent : 0;
}

static void add_pipes(struct sim_text *out, const struct pto_machine *m) {
  sim_text_add(out, "\ncore pipe       busy          stalled             idle        items  stalled on\n");
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (!m->stats.busy[agent] && !m->stats.items[agent] && !total_stalled(m, agent)) continue;
    sim_text_add(out, "%-4s %-4s %9llu %3.0f%%  %9llu %3.0f%%  %9llu %3.0f%%  %9llu ", pto_core_name(agent / PTO_UNITS),
                 pto_unit_name(agent % PTO_UNITS), (unsigned long long)m->stats.busy[agent],
                 percent(m->stats.busy[agent], m->engine.now), (unsigned long long)total_stalled(m, agent),
                 percent(total_stalled(m, agent), m->engine.now), (unsigned long long)total_idle(m, agent),
                 percent(total_idle(m, agent), m->engine.now), (unsigned long long)m->stats.items[agent]);
    for (unsigned k = 1; k < PTO_WAIT_KINDS; k++)
      if (m->stats.stalled[agent][k])
        sim_text_add(out, " %s %llu", obs_pto_wait_name(k), (unsigned long long)m->stats.stalled[agent][k]);
    sim_text_add(out, "%c", '\n');
  }
}

static void add_fifos(struct sim_text *out, const struct pto_machine *m) {
  for (unsigned i = 0; i < m->program->pipe_count; i++)
    for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++) {
      const struct pto_direction_state *w = &m->directions[i][direction];
      uint64_t time = 0, area = 0;
      for (unsigned k = 0; k <= PTO_SLOTS_MAX; k++) time += w->occupied_cycles[k], area += k * w->occupied_cycles[k];
      if (!w->occupied_max) continue;
      sim_text_add(out,
                   "\nfifo %%%s %s: %.2f slots on average, %u at most; time at each occupancy:", m->program->pipes[i].name,
                   direction == PTO_DIRECTION_C2V ? "C2V" : "V2C", time ? (double)area / (double)time : 0, w->occupied_max);
      for (unsigned k = 0; k <= w->occupied_max && k <= PTO_SLOTS_MAX; k++)
        sim_text_add(out, " %u:%.0f%%", k, percent(w->occupied_cycles[k], time));
    }
  sim_text_add(out, "%c", '\n');
}

static void add_findings(struct sim_text *out, const struct pto_machine *m) {
  char text[8192], block[32] = "";
  if (m->blocks > 1) snprintf(block, sizeof block, "block %u: ", m->block);
  for (uint32_t i = 0; i < m->finding_count; i++) {
    pto_explain_finding(m, &m->findings[i], text, sizeof text);
    sim_text_add(out, "%s%s\n", block, text);
  }
  if (m->fault.kind) sim_text_add(out, "%sfault (%s): %s\n", block, sim_fault_kind_name(m->fault.kind), m->fault.why);
}

/* The tables show the block that took longest. */
static const struct pto_machine *slowest(const struct pto_grid *g) {
  const struct pto_machine *m = g->blocks[0];
  for (uint32_t i = 1; i < g->count; i++)
    if (g->blocks[i]->engine.now > m->engine.now) m = g->blocks[i];
  return m;
}

uint32_t obs_pto_report_block(const struct pto_grid *g) { return slowest(g)->block; }

static void json_pipes(struct sim_text *out, const struct pto_machine *m) {
  const char *comma = "";
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (!m->stats.busy[agent] && !m->stats.items[agent] && !total_stalled(m, agent)) continue;
    sim_text_add(
        out,
        "%s{\"core\": \"%s\", \"pipe\": \"%s\", \"busy\": %llu, \"stalled\": %llu, \"idle\": %llu, \"items\": %llu, "
        "\"stalled_on\": {",
        comma, pto_core_name(agent / PTO_UNITS), pto_unit_name(agent % PTO_UNITS), (unsigned long long)m->stats.busy[agent],
        (unsigned long long)total_stalled(m, agent), (unsigned long long)total_idle(m, agent),
        (unsigned long long)m->stats.items[agent]);
    comma = "";
    for (unsigned k = 1; k < PTO_WAIT_KINDS; k++) {
      if (!m->stats.stalled[agent][k]) continue;
      sim_text_add(out, "%s\"%s\": %llu", comma, obs_pto_wait_name(k), (unsigned long long)m->stats.stalled[agent][k]);
      comma = ", ";
    }
    sim_text_add(out, "}}");
    comma = ", ";
  }
}

static void json_findings(struct sim_text *out, const struct pto_grid *g) {
  char text[8192];
  const char *comma = "";
  for (uint32_t n = 0; n < g->count; n++)
    for (uint32_t i = 0; i < g->blocks[n]->finding_count; i++) {
      const struct pto_finding *f = &g->blocks[n]->findings[i];
      pto_explain_finding(g->blocks[n], f, text, sizeof text);
      sim_text_add(
          out,
          "%s{\"kind\": \"%s\", \"block\": %u, \"cycle\": %llu, \"core\": \"%s\", \"line\": %u, \"other_line\": %u, "
          "\"slot\": %u, "
          "\"text\": ",
          comma, pto_finding_name(f->kind), n, (unsigned long long)f->cycle, pto_core_name(f->core), f->line, f->other_line,
          f->slot);
      sim_text_add_json(out, text);
      sim_text_add(out, "%c", '}');
      comma = ", ";
    }
}

/* A hang or a fault is its own cause. */
static bool has_verdict(enum pto_end_kind end) { return end != PTO_DEADLOCKED && end != PTO_FAULTED; }

/* A run that goes on for longer than this without an end is no answer. */
static sim_time limit_of(const struct pto_grid *g) { return 4 * pto_grid_cycles(g) + 1000; }

sim_time obs_pto_rerun(const struct pto_grid *g) {
  struct obs_pto_why why;
  obs_pto_why(g, slowest(g), &why);
  return why.what[0] ? pto_what_if_cycles(g, &why.change, limit_of(g)) : 0;
}

static void verdict_of(const struct obs_pto_report *r, const struct pto_machine *m, struct obs_pto_why *why) {
  obs_pto_why(r->grid, m, why);
  if (!has_verdict(r->end)) why->text[0] = why->what[0] = '\0';
}

static void json_verdict(struct sim_text *out, const struct obs_pto_report *r, const struct pto_machine *m) {
  struct obs_pto_why why;
  verdict_of(r, m, &why);
  sim_text_add(out, ", \"verdict\": ");
  sim_text_add_json(out, why.text);
  if (why.text[0] && why.line) sim_text_add(out, ", \"verdict_line\": %u", why.line);
  if (!r->reran || !why.what[0]) return;
  sim_text_add(out, ", \"what_if\": [{\"change\": ");
  sim_text_add_json(out, why.what);
  if (r->rerun) sim_text_add(out, ", \"cycles\": %llu}]", (unsigned long long)r->rerun);
  else sim_text_add(out, ", \"cycles\": null}]");
}

static void add_verdict(struct sim_text *out, const struct obs_pto_report *r, const struct pto_machine *m) {
  struct obs_pto_why why;
  const sim_time cycles = pto_grid_cycles(r->grid);
  verdict_of(r, m, &why);
  if (why.text[0]) sim_text_add(out, "%s\n", why.text);
  if (!r->reran || !why.what[0]) return;
  sim_text_add(out, "  what if, by running again\n    %s: ", why.what);
  if (!r->rerun) sim_text_add(out, "does not apply to this program\n");
  else if (r->rerun >= cycles) sim_text_add(out, "%llu cycles, not faster\n", (unsigned long long)r->rerun);
  else
    sim_text_add(out, "%llu cycles instead of %llu, %.2f times faster\n", (unsigned long long)r->rerun,
                 (unsigned long long)cycles, (double)cycles / (double)r->rerun);
}

static void json_end(struct sim_text *out, const struct obs_pto_report *r) {
  const struct pto_grid *g = r->grid;
  struct pto_hang hang;
  if (obs_pto_hang_of(g, r->end, &hang)) {
    sim_text_add(out, ", \"hang\": ");
    obs_pto_hang_json(&hang, r->file, out);
  }
  for (uint32_t n = 0; n < g->count && r->end == PTO_FAULTED; n++) {
    if (!g->blocks[n]->fault.kind) continue;
    sim_text_add(out, ", \"fault\": ");
    sim_text_add_json(out, g->blocks[n]->fault.why);
    break;
  }
}

size_t obs_pto_report_json(const struct obs_pto_report *r, char *text, size_t size) {
  struct sim_text buffer = {.data = text, .size = size}, *out = &buffer;
  const struct pto_grid *g = r->grid;
  const struct pto_machine *m = slowest(g);
  sim_text_add(out, "{\"file\": ");
  sim_text_add_json(out, r->file);
  sim_text_add(out,
               ", \"end\": \"%s\", \"code\": %d, \"blocks\": %u, \"block\": %u, \"profile\": \"%s\", \"cycles\": %llu, "
               "\"ns\": %.1f, \"pipes\": [",
               end_name(r), r->code, g->count, m->block, m->profile->name, (unsigned long long)m->engine.now,
               (double)m->engine.now * 1000.0 / m->profile->clock_mhz);
  json_pipes(out, m);
  sim_text_add(out, "], \"findings\": [");
  json_findings(out, g);
  sim_text_add(out, "]");
  json_verdict(out, r, m);
  json_end(out, r);
  sim_text_add(out, "}\n");
  return buffer.length;
}

size_t obs_pto_report_text(const struct obs_pto_report *r, char *text, size_t size) {
  struct sim_text buffer = {.data = text, .size = size}, *out = &buffer;
  const struct pto_grid *g = r->grid;
  const struct pto_machine *m = slowest(g);
  obs_pto_hang_text(g, out); /* the cause of a hang is the first line */
  for (uint32_t i = 0; i < g->count; i++) add_findings(out, g->blocks[i]);
  if (r->end == PTO_DEADLOCKED && !r->verbose) return buffer.length;
  sim_text_add(out, "%s after %llu cycles (%.2f us at %u MHz, profile %s)", end_name(r), (unsigned long long)m->engine.now,
               (double)m->engine.now / m->profile->clock_mhz, m->profile->clock_mhz, m->profile->name);
  if (m->program->dispatches > 1) sim_text_add(out, ", %u dispatches", m->program->dispatches);
  if (g->count > 1)
    sim_text_add(out, ", %u blocks, global memory %.1f%% in use; block %u:", g->count, pto_grid_gm_use(g) / 10.0, m->block);
  sim_text_add(out, "%c", '\n');
  add_verdict(out, r, m);
  add_pipes(out, m);
  add_fifos(out, m);
  return buffer.length;
}
