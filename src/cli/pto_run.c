/* tessera pto run. */
#include <stdlib.h>
#include <string.h>

#include "cli/pto_cli.h"
#include "pto/runtime/explain.h"

#define DEFAULT_LIMIT (UINT64_C(1) << 50)

static const char *const end_names[] = {"ran", "fault", "deadlock", "hazard", "limit"};
static const int end_codes[] = {CLI_OK, CLI_FAULT, CLI_HANG, CLI_HAZARD, CLI_LIMIT};
static const char *const wait_names[PTO_WAIT_KINDS] = {"", "flag", "dependency", "queue", "event", "drain", "pool"};

/* Tensors from the file's own `file` attributes and from --in. */
static bool load_tensors(struct pto_cli *cli, struct pto_machine *m) {
  for (uint32_t i = 0; i < cli->program->global_count; i++) {
    const struct pto_global *g = &cli->program->globals[i];
    if (g->init == PTO_INIT_FILE && !pto_npy_load((const char *)cli->program->data + g->data, m, (int)i)) return false;
  }
  for (unsigned i = 0; i < cli->in_count; i++) {
    int global = pto_cli_find_global(cli->program, cli->in[i].name);
    if (global < 0 || !pto_npy_load(cli->in[i].path, m, global)) return false;
  }
  return true;
}

static uint64_t total_stalled(const struct pto_machine *m, unsigned agent) {
  uint64_t sum = 0;
  for (unsigned k = 1; k < PTO_WAIT_KINDS; k++) sum += m->stats.stalled[agent][k];
  return sum;
}

static double percent(uint64_t part, sim_time whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

static void print_pipes(const struct pto_machine *m) {
  printf("\ncore pipe       busy          stalled        items  stalled on\n");
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (!m->stats.busy[agent] && !m->stats.items[agent] && !total_stalled(m, agent)) continue;
    printf("%-4s %-4s %9llu %3.0f%%  %9llu %3.0f%%  %9llu ", pto_core_name(agent / PTO_UNITS),
           pto_unit_name(agent % PTO_UNITS), (unsigned long long)m->stats.busy[agent],
           percent(m->stats.busy[agent], m->engine.now), (unsigned long long)total_stalled(m, agent),
           percent(total_stalled(m, agent), m->engine.now), (unsigned long long)m->stats.items[agent]);
    for (unsigned k = 1; k < PTO_WAIT_KINDS; k++)
      if (m->stats.stalled[agent][k]) printf(" %s %llu", wait_names[k], (unsigned long long)m->stats.stalled[agent][k]);
    putchar('\n');
  }
}

static void print_fifos(const struct pto_machine *m) {
  for (unsigned i = 0; i < m->program->pipe_count; i++)
    for (unsigned way = 0; way < PTO_WAYS; way++) {
      const struct pto_way_state *w = &m->ways[i][way];
      uint64_t time = 0, area = 0;
      for (unsigned k = 0; k <= PTO_SLOTS_MAX; k++) time += w->occupied_cycles[k], area += k * w->occupied_cycles[k];
      if (!w->occupied_max) continue;
      printf("\nfifo %%%s %s: %.2f slots on average, %u at most; time at each occupancy:", m->program->pipes[i].name,
             way == PTO_WAY_C2V ? "C2V" : "V2C", time ? (double)area / (double)time : 0, w->occupied_max);
      for (unsigned k = 0; k <= w->occupied_max && k <= PTO_SLOTS_MAX; k++)
        printf(" %u:%.0f%%", k, percent(w->occupied_cycles[k], time));
    }
  putchar('\n');
}

static void print_tensor(const struct pto_machine *m, int global) {
  const struct pto_global *g = &m->program->globals[global];
  unsigned size = pto_dtype_bytes(g->dtype);
  uint64_t count = g->bytes / size;
  printf("@%s (%llu x %s):", g->name, (unsigned long long)count, pto_dtype_name(g->dtype));
  for (uint64_t i = 0; i < count && i < 16; i++) printf(" %g", pto_dtype_load(g->dtype, pto_gm_at(m, g->addr) + i * size));
  puts(count > 16 ? " ..." : "");
}

static void print_findings(const struct pto_machine *m) {
  char text[8192], block[32] = "";
  if (m->blocks > 1) snprintf(block, sizeof block, "block %u: ", m->block);
  for (uint32_t i = 0; i < m->finding_count; i++) {
    pto_explain_finding(m, &m->findings[i], text, sizeof text);
    printf("%s%s\n", block, text);
  }
  if (m->deadlocked) {
    pto_explain_deadlock(m, text, sizeof text);
    printf("%s%s", block, text);
  }
  if (m->fault.kind) printf("%sfault (%s): %s\n", block, sim_fault_kind_name(m->fault.kind), m->fault.why);
}

/* The block that took longest stands for all in the tables. */
static const struct pto_machine *slowest(const struct pto_grid *g) {
  const struct pto_machine *m = g->blocks[0];
  for (uint32_t i = 1; i < g->count; i++)
    if (g->blocks[i]->engine.now > m->engine.now) m = g->blocks[i];
  return m;
}

static void print_json(const struct pto_cli *cli, const struct pto_grid *g, enum pto_end_kind end) {
  const struct pto_machine *m = slowest(g);
  char text[8192];
  printf("{\"file\": ");
  cli_json_string(stdout, cli->file);
  printf(", \"end\": \"%s\", \"blocks\": %u, \"profile\": \"%s\", \"cycles\": %llu, \"ns\": %.1f, \"pipes\": [",
         end_names[end], g->count, m->profile->name, (unsigned long long)m->engine.now,
         (double)m->engine.now * 1000.0 / m->profile->clock_mhz);
  const char *comma = "";
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (!m->stats.busy[agent] && !m->stats.items[agent] && !total_stalled(m, agent)) continue;
    printf("%s{\"core\": \"%s\", \"pipe\": \"%s\", \"busy\": %llu, \"stalled\": %llu, \"items\": %llu}", comma,
           pto_core_name(agent / PTO_UNITS), pto_unit_name(agent % PTO_UNITS), (unsigned long long)m->stats.busy[agent],
           (unsigned long long)total_stalled(m, agent), (unsigned long long)m->stats.items[agent]);
    comma = ", ";
  }
  printf("], \"findings\": [");
  comma = "";
  for (uint32_t n = 0; n < g->count; n++)
    for (uint32_t i = 0; i < g->blocks[n]->finding_count; i++) {
      const struct pto_finding *f = &g->blocks[n]->findings[i];
      pto_explain_finding(g->blocks[n], f, text, sizeof text);
      printf("%s{\"kind\": \"%s\", \"block\": %u, \"cycle\": %llu, \"core\": \"%s\", \"line\": %u, \"other_line\": %u, "
             "\"slot\": %u, "
             "\"text\": ",
             comma, pto_finding_name(f->kind), n, (unsigned long long)f->cycle, pto_core_name(f->core), f->line,
             f->other_line, f->slot);
      cli_json_string(stdout, text);
      putchar('}');
      comma = ", ";
    }
  printf("]");
  for (uint32_t n = 0; n < g->count && end == PTO_DEADLOCKED; n++) {
    if (!g->blocks[n]->deadlocked) continue;
    pto_explain_deadlock(g->blocks[n], text, sizeof text);
    printf(", \"deadlock\": ");
    cli_json_string(stdout, text);
    break;
  }
  for (uint32_t n = 0; n < g->count && end == PTO_FAULTED; n++) {
    if (!g->blocks[n]->fault.kind) continue;
    printf(", \"fault\": ");
    cli_json_string(stdout, g->blocks[n]->fault.why);
    break;
  }
  puts("}");
}

static void print_text(const struct pto_grid *g, enum pto_end_kind end) {
  const struct pto_machine *m = slowest(g);
  for (uint32_t i = 0; i < g->count; i++) print_findings(g->blocks[i]);
  printf("%s after %llu cycles (%.2f us at %u MHz, profile %s)", end_names[end], (unsigned long long)m->engine.now,
         (double)m->engine.now / m->profile->clock_mhz, m->profile->clock_mhz, m->profile->name);
  if (m->program->dispatches > 1) printf(", %u dispatches", m->program->dispatches);
  if (g->count > 1)
    printf(", %u blocks, global memory %.1f%% in use; block %u:", g->count, pto_grid_gm_use(g) / 10.0, m->block);
  putchar('\n');
  print_pipes(m);
  print_fifos(m);
}

/* --print, --out, --expect; the names are known. */
static int deliver(struct pto_cli *cli, const struct pto_machine *m) {
  int result = CLI_OK;
  for (unsigned i = 0; i < cli->print_count; i++) print_tensor(m, pto_cli_find_global(cli->program, cli->print[i]));
  for (unsigned i = 0; i < cli->out_count; i++) {
    int global = pto_cli_find_global(cli->program, cli->out[i].name);
    if (!pto_npy_save(cli->out[i].path, m, global)) return CLI_BAD_INPUT;
  }
  for (unsigned i = 0; i < cli->expect_count; i++) {
    int global = pto_cli_find_global(cli->program, cli->expect[i].name);
    int different = pto_npy_compare(cli->expect[i].path, m, global, cli->tolerance);
    if (different < 0) return CLI_BAD_INPUT;
    if (different) result = CLI_FAILED;
  }
  return result;
}

/* Every tensor that is asked for after the run is there: said before it, a run takes long. */
static bool names_known(const struct pto_cli *cli) {
  for (unsigned i = 0; i < cli->print_count; i++)
    if (pto_cli_find_global(cli->program, cli->print[i]) < 0) return false;
  for (unsigned i = 0; i < cli->out_count; i++)
    if (pto_cli_find_global(cli->program, cli->out[i].name) < 0) return false;
  for (unsigned i = 0; i < cli->expect_count; i++)
    if (pto_cli_find_global(cli->program, cli->expect[i].name) < 0) return false;
  return true;
}

/* Wrong results are possible; under --strict a doubt is enough. */
static bool found_errors(const struct pto_cli *cli, const struct pto_grid *g) {
  for (uint32_t i = 0; i < g->count; i++)
    for (unsigned kind = 1; kind < PTO_FIND_KINDS; kind++)
      if (g->blocks[i]->finding_total[kind] && (cli->strict || pto_finding_is_hazard(kind))) return true;
  return false;
}

int pto_cli_run(struct pto_cli *cli) {
  if (cli->no_data && (cli->in_count || cli->out_count || cli->expect_count || cli->print_count))
    return cli_bad_input("pto run", "--no-data leaves nothing to read or write");
  if (!names_known(cli)) return CLI_BAD_INPUT;
  const struct pto_program *program = cli->program;
  struct pto_grid *g = pto_grid_new(&program, 1, program->blocks, !cli->no_data);
  if (!g) return cli_bad_input("pto run", "out of memory");
  struct pto_machine *m = g->blocks[0]; /* tensors are the same for all blocks; a trace shows the first */
  pto_grid_set_policy(g, cli->policy);
  for (uint32_t i = 0; i < g->count; i++) g->blocks[i]->strict = cli->strict;
  int result = CLI_BAD_INPUT;
  struct pto_trace *trace = NULL;
  if (!cli->no_data && !load_tensors(cli, m)) goto done;
  if (cli->trace && !(trace = pto_trace_open(cli->trace, m))) goto done;
  enum pto_end_kind end = pto_grid_run(g, cli->limit ? cli->limit : DEFAULT_LIMIT);
  if (trace && !pto_trace_close(trace)) goto done;
  if (cli->json) print_json(cli, g, end);
  else print_text(g, end);
  result = cli->no_data ? CLI_OK : deliver(cli, m);
  if (end != PTO_RAN && result != CLI_BAD_INPUT) result = end_codes[end];
  if (end == PTO_RAN && result != CLI_BAD_INPUT && found_errors(cli, g)) result = CLI_HAZARD;
done:
  pto_grid_free(g);
  return result;
}
