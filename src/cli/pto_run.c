/* tessera pto run. */
#include <stdlib.h>
#include <string.h>

#include "cli/pto_cli.h"
#include "observe/pto_report.h"

#define DEFAULT_LIMIT (UINT64_C(1) << 50)

static const int end_codes[] = {CLI_OK, CLI_FAULT, CLI_HANG, CLI_HAZARD, CLI_LIMIT};

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

static void print_tensor(const struct pto_machine *m, int global) {
  const struct pto_global *g = &m->program->globals[global];
  unsigned size = pto_dtype_bytes(g->dtype);
  uint64_t count = g->bytes / size;
  printf("@%s (%llu x %s):", g->name, (unsigned long long)count, pto_dtype_name(g->dtype));
  for (uint64_t i = 0; i < count && i < 16; i++) printf(" %g", pto_dtype_load(g->dtype, pto_gm_at(m, g->addr) + i * size));
  puts(count > 16 ? " ..." : "");
}

static bool print_report(const struct pto_cli *cli, const struct pto_grid *g, enum pto_end_kind end) {
  const struct obs_pto_report r = {.grid = g, .end = end, .file = cli->file};
  size_t (*render)(const struct obs_pto_report *, char *, size_t) = cli->json ? obs_pto_report_json : obs_pto_report_text;
  size_t length = render(&r, NULL, 0);
  char *text = malloc(length + 1);
  if (!text) return cli_bad_input("pto run", "out of memory"), false;
  render(&r, text, length + 1);
  fputs(text, stdout);
  free(text);
  return true;
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
  if (!print_report(cli, g, end)) goto done;
  result = cli->no_data ? CLI_OK : deliver(cli, m);
  if (end != PTO_RAN && result != CLI_BAD_INPUT) result = end_codes[end];
  if (end == PTO_RAN && result != CLI_BAD_INPUT && found_errors(cli, g)) result = CLI_HAZARD;
done:
  pto_grid_free(g);
  return result;
}
