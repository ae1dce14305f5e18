/* tessera pto run. */
#include "cli/pto_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/pto_npy.h"
#include "cli/pto_trace.h"

#define DEFAULT_LIMIT (UINT64_C(1) << 50)
#define ELEMENTS_PRINTED 16u

static struct pto_cli_tensor tensor_at(const struct pto_cli *cli, struct tessera_pto_machine *machine, int index) {
  struct pto_cli_tensor tensor = {.machine = machine, .index = index};
  tessera_pto_tensor(cli->program, index, &tensor.info);
  return tensor;
}

/* Loads tensors from the `file` attributes of the program and from --in. */
static bool load_tensors(struct pto_cli *cli, struct tessera_pto_machine *m) {
  for (unsigned i = 0; i < tessera_pto_tensor_count(cli->program); i++) {
    struct pto_cli_tensor tensor = tensor_at(cli, m, (int)i);
    if (tensor.info.file[0] && !pto_npy_load(tensor.info.file, &tensor)) return false;
  }
  for (unsigned i = 0; i < cli->in_count; i++) {
    int index = pto_cli_find_global(cli->program, cli->in[i].name);
    struct pto_cli_tensor tensor = tensor_at(cli, m, index);
    if (index < 0 || !pto_npy_load(cli->in[i].path, &tensor)) return false;
  }
  return true;
}

static void print_tensor(const struct pto_cli_tensor *t, FILE *out) {
  double values[ELEMENTS_PRINTED];
  size_t count = t->info.elements < ELEMENTS_PRINTED ? (size_t)t->info.elements : ELEMENTS_PRINTED;
  tessera_pto_read(t->machine, t->index, values, count);
  fprintf(out, "@%s (%llu x %s):", t->info.name, (unsigned long long)t->info.elements,
          tessera_pto_dtype_name(t->info.dtype));
  for (size_t i = 0; i < count; i++) fprintf(out, " %g", values[i]);
  fputs(t->info.elements > ELEMENTS_PRINTED ? " ...\n" : "\n", out);
}

/* --print, --out, --expect; the names were checked before. */
static int deliver(struct pto_cli *cli, struct tessera_pto_machine *m, FILE *out) {
  int result = CLI_OK;
  for (unsigned i = 0; i < cli->print_count; i++) {
    struct pto_cli_tensor tensor = tensor_at(cli, m, pto_cli_find_global(cli->program, cli->print[i]));
    print_tensor(&tensor, out);
  }
  for (unsigned i = 0; i < cli->out_count; i++) {
    struct pto_cli_tensor tensor = tensor_at(cli, m, pto_cli_find_global(cli->program, cli->out[i].name));
    if (!pto_npy_save(cli->out[i].path, &tensor)) return CLI_BAD_INPUT;
  }
  for (unsigned i = 0; i < cli->expect_count; i++) {
    struct pto_cli_tensor tensor = tensor_at(cli, m, pto_cli_find_global(cli->program, cli->expect[i].name));
    int different = pto_npy_compare(cli->expect[i].path, &tensor, cli->tolerance, out);
    if (different < 0) return CLI_BAD_INPUT;
    if (different) result = CLI_FAILED;
  }
  return result;
}

/* Does every tensor requested after the run exist? Checked before the run, which may take long. */
static bool names_known(const struct pto_cli *cli) {
  for (unsigned i = 0; i < cli->print_count; i++)
    if (pto_cli_find_global(cli->program, cli->print[i]) < 0) return false;
  for (unsigned i = 0; i < cli->out_count; i++)
    if (pto_cli_find_global(cli->program, cli->out[i].name) < 0) return false;
  for (unsigned i = 0; i < cli->expect_count; i++)
    if (pto_cli_find_global(cli->program, cli->expect[i].name) < 0) return false;
  return true;
}

/* The run writes it, or it can be read only once. */
static bool comes_later(const struct pto_cli *cli, const char *path) {
  struct stat is;
  if (strcmp(path, "-") == 0 || (stat(path, &is) == 0 && S_ISFIFO(is.st_mode))) return true;
  for (unsigned i = 0; i < cli->out_count; i++)
    if (strcmp(cli->out[i].path, path) == 0) return true;
  return false;
}

/* The files of --out and --expect, before the run, which may take long. */
static bool files_usable(struct pto_cli *cli, struct tessera_pto_machine *m) {
  for (unsigned i = 0; i < cli->out_count; i++)
    if (!cli_can_create(cli->out[i].path)) {
      cli_bad_input("pto run", "%s: could not be written: %s", cli->out[i].path, strerror(errno));
      return false;
    }
  for (unsigned i = 0; i < cli->expect_count; i++) {
    struct pto_cli_tensor tensor = tensor_at(cli, m, pto_cli_find_global(cli->program, cli->expect[i].name));
    if (!comes_later(cli, cli->expect[i].path) && !pto_npy_fits(cli->expect[i].path, &tensor)) return false;
  }
  return true;
}

static void stop(void *machine) { tessera_pto_request_stop(machine); }

static bool write_sarif(const struct pto_cli *cli, struct tessera_pto_machine *m, FILE *file) {
  bool good = fputs(tessera_pto_run_report(m, TESSERA_PTO_REPORT_SARIF), file) >= 0;
  return cli_finish(file, cli->sarif, good) || (cli_not_written("pto run", cli->sarif), false);
}

static int run(struct pto_cli *cli, struct tessera_pto_machine *m) {
  struct pto_trace *trace = NULL, *page = NULL;
  tessera_pto_set_strict(m, cli->strict);
  tessera_pto_set_verbose(m, cli->verbose);
  tessera_pto_set_why(m, cli->why || cli->report);
  if (!cli->no_data && (!files_usable(cli, m) || !load_tensors(cli, m))) return CLI_BAD_INPUT;
  if (cli->json && cli->sarif && strcmp(cli->sarif, "-") == 0)
    return cli_bad_input("pto run", "--json and --sarif cannot both go to standard output");
  if (!pto_trace_fits(cli)) return CLI_BAD_INPUT;
  if (cli->report && !(page = pto_trace_open(cli, m, true))) return CLI_BAD_INPUT;
  if (cli->trace && !(trace = pto_trace_open(cli, m, false))) return CLI_BAD_INPUT;
  FILE *sarif = cli->sarif ? cli_create_or_stdout(cli->sarif) : NULL;
  if (cli->sarif && !sarif) return cli_bad_input("pto run", "%s: could not be written: %s", cli->sarif, strerror(errno));
  cli_on_signal(stop, m);
  tessera_pto_run(m, cli->limit ? cli->limit : DEFAULT_LIMIT);
  cli_on_signal(NULL, NULL);
  bool to_stdout = cli->json || sarif == stdout; /* one document: all other output goes to standard error */
  FILE *out = to_stdout ? stderr : stdout;
  if (cli_interrupted() && tessera_pto_exit_code(m) == CLI_LIMIT) tessera_pto_set_exit_code(m, cli_interrupted());
  const char *report = tessera_pto_run_report(m, TESSERA_PTO_REPORT_TEXT);
  if (!to_stdout) fputs(report, stdout); /* before an error message about a file */
  int result = cli->no_data ? CLI_OK : deliver(cli, m, out), code = tessera_pto_exit_code(m);
  /* A result that differs is worse than one that may differ on hardware (5). After a fault, a hang or the limit there is no
   * result. */
  if (result == CLI_BAD_INPUT || !code || (code == CLI_HAZARD && result)) code = result;
  code = cli_code_of_run("pto run", code);
  tessera_pto_set_exit_code(m, code);
  if (cli->json) fputs(report = tessera_pto_run_report(m, TESSERA_PTO_REPORT_JSON), stdout);
  bool good = !trace || pto_trace_close(trace);
  good = (!page || pto_trace_close(page)) && good && report[0];
  if (!report[0]) cli_bad_input("pto run", "out of memory");
  if (sarif) good = write_sarif(cli, m, sarif) && good;
  return good ? code : CLI_BAD_INPUT;
}

int pto_cli_run(struct pto_cli *cli) {
  if (cli->no_data && (cli->in_count || cli->out_count || cli->expect_count || cli->print_count))
    return cli_bad_input("pto run", "--no-data leaves nothing to read or write");
  if (!names_known(cli)) return CLI_BAD_INPUT;
  struct tessera_pto_machine *m = cli->no_data ? tessera_pto_start_without_data(cli->program, cli->policy)
                                               : tessera_pto_start(cli->program, cli->policy);
  if (!m) return pto_cli_refused(cli, cli->program);
  int result = run(cli, m);
  tessera_pto_stop(m);
  return result;
}
