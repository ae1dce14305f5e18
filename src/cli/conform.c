/* tessera conform: runs conformance cases and compares their bytes. No case is skipped silently: a case with an instruction
 * that is not simulated fails, with a line that names it. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "tessera/tensix.h"

struct settings {
  const char **only, **except, **files;
  size_t only_count, except_count;
  int file_count;
  bool list, json, quiet;
  struct tessera_case_options run;
};

struct totals {
  uint64_t selected, passed, failed;
  uint64_t noc[2][2]; /* NoC cases: golden or document; failed or passed */
};

#define THREADS_MAX 1024u

static bool selected(const struct settings *s, const struct tessera_cases *cases) {
  bool wanted = s->only_count == 0;
  for (size_t i = 0; i < s->only_count; i++) wanted |= tessera_cases_match(cases, s->only[i]) != 0;
  for (size_t i = 0; i < s->except_count; i++)
    if (tessera_cases_match(cases, s->except[i])) return false;
  return wanted;
}

static void report(const struct settings *s, const struct tessera_case *c, const struct tessera_case_result *result,
                   const char *why) {
  if (s->json) {
    printf("{\"case\":");
    cli_json_string(stdout, c->name);
    printf(",\"passed\":%s,\"cycles\":%llu", result->passed ? "true" : "false", (unsigned long long)result->cycles);
    if (!result->passed) {
      printf(",\"why\":");
      cli_json_string(stdout, why);
    }
    printf("}\n");
  } else if (!result->passed && !s->quiet) {
    printf("FAIL %s (%s): %s\n", c->name, c->tags, why);
  }
}

/* 0 or an exit code. */
static int run_case(const struct settings *s, struct tessera_tile *tile, struct tessera_cases *cases, const char *path,
                    struct totals *totals) {
  struct tessera_case c;
  struct tessera_case_result result;
  if (!selected(s, cases) || tessera_cases_current(cases, &c) != TESSERA_OK) return 0;
  totals->selected++;
  if (s->list) {
    printf("%s %s\n", c.name, c.tags);
    return 0;
  }
  enum tessera_result ran = tessera_cases_run(cases, tile, &s->run, &result);
  if (ran == TESSERA_REFUSED) return cli_bad_input("conform", "%s: --riscv is for cases of one tile", path);
  if (ran != TESSERA_OK) return cli_bad_input("conform", "out of memory");
  if (c.noc) totals->noc[c.document != 0][result.passed != 0]++;
  report(s, &c, &result, tessera_cases_why(cases));
  totals->passed += result.passed != 0;
  totals->failed += !result.passed;
  cli_progress("%s: %llu passed, %llu failed", path, (unsigned long long)totals->passed, (unsigned long long)totals->failed);
  return 0;
}

/* 0 or an exit code. */
static int run_cases(const struct settings *s, struct tessera_tile *tile, struct tessera_cases *cases,
                     const struct cli_source *source, const char *path, struct totals *totals) {
  enum tessera_result next = TESSERA_DONE;
  bool empty = true;
  int code = 0;
  while (code == 0 && !cli_stopped() && (next = tessera_cases_next(cases)) == TESSERA_OK) {
    empty = false;
    code = run_case(s, tile, cases, path, totals);
  }
  if (code || cli_interrupted()) return code;
  const char *why = cli_source_error(source);
  if (next != TESSERA_DONE) return cli_bad_input("conform", "%s%s%s", tessera_cases_error(cases), why[0] ? ": " : "", why);
  return empty ? cli_bad_input("conform", "%s: no case in it", path) : 0;
}

static int run_file(const struct settings *s, struct tessera_tile *tile, const char *path, struct totals *totals) {
  char error[512];
  struct cli_source source;
  if (!cli_source_open(&source, path, error, sizeof error))
    return cli_interrupted() ? 0 : cli_bad_input("conform", "%s", error);
  struct tessera_cases *cases = tessera_cases_open(path, cli_source_read, &source);
  int code = cases ? run_cases(s, tile, cases, &source, path, totals) : cli_bad_input("conform", "out of memory");
  tessera_cases_close(cases);
  cli_source_close(&source);
  return code;
}

/* --- options --- */

static bool set_timing(void *settings, const char *value) {
  struct settings *s = settings;
  return cli_parse_timing(value, &s->run.timing) ||
         (cli_bad_input("conform", "--timing takes off or cycle, not '%s'", value), false);
}

static bool set_check(void *settings, const char *value) {
  return cli_parse_check("conform", value, &((struct settings *)settings)->run.check);
}

static bool set_max_cycles(void *settings, const char *value) {
  struct settings *s = settings;
  return (cli_parse_u64(value, &s->run.max_cycles) && s->run.max_cycles > 0) ||
         (cli_bad_input("conform", "--max-cycles takes a number above 0, not '%s'", value), false);
}

static bool set_threads(void *settings, const char *value) {
  uint64_t threads;
  if (!cli_parse_u64(value, &threads) || threads > THREADS_MAX)
    return cli_bad_input("conform", "--threads takes a number from 0 to %u, not '%s'", THREADS_MAX, value), false;
  ((struct settings *)settings)->run.threads = (unsigned)threads;
  return true;
}

static bool add_selector(const char ***list, size_t *count, const char *value) {
  const char **moved = cli_grow("conform", *list, count, sizeof *moved);
  if (!moved) return false;
  *list = moved;
  moved[*count - 1] = value;
  return true;
}

static bool add_only(void *settings, const char *value) {
  struct settings *s = settings;
  return add_selector(&s->only, &s->only_count, value);
}

static bool add_except(void *settings, const char *value) {
  struct settings *s = settings;
  return add_selector(&s->except, &s->except_count, value);
}

static bool set_list(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->list = true;
}

static bool set_json(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->json = true;
}

static bool set_quiet(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->quiet = true;
}

static bool set_scalar(void *settings, const char *value) {
  (void)value;
  ((struct settings *)settings)->run.scalar = 1;
  return true;
}

static bool set_riscv(void *settings, const char *value) {
  (void)value;
  ((struct settings *)settings)->run.riscv = 1;
  return true;
}

static bool add_file(void *settings, const char *text) {
  struct settings *s = settings;
  s->files[s->file_count++] = text; /* fits: files overwrite options that were parsed */
  return true;
}

/* --- the verb --- */

static int run_files(const struct settings *s) {
  struct totals totals = {0};
  struct tessera_tile *tile = tessera_tile_create(s->run.timing);
  if (!tile) return cli_bad_input("conform", "out of memory");
  int code = 0;
  cli_catch_signals_in_calls();
  for (int i = 0; i < s->file_count && code == 0 && !cli_stopped(); i++) code = run_file(s, tile, s->files[i], &totals);
  tessera_tile_destroy(tile);
  cli_progress_clear();
  if (code) return code;
  if (totals.selected == 0 && !cli_stopped()) return cli_bad_input("conform", "--only and --except leave no case to run");
  if (!s->list && !s->json && totals.noc[0][0] + totals.noc[0][1] + totals.noc[1][0] + totals.noc[1][1])
    printf("NoC cases: golden %llu passed, %llu failed; document %llu passed, %llu failed\n",
           (unsigned long long)totals.noc[0][1], (unsigned long long)totals.noc[0][0], (unsigned long long)totals.noc[1][1],
           (unsigned long long)totals.noc[1][0]);
  if (!s->list && !s->json)
    printf("%llu passed, %llu failed\n", (unsigned long long)totals.passed, (unsigned long long)totals.failed);
  return cli_code_of_run("conform", totals.failed ? CLI_FAILED : CLI_OK);
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {.files = (const char **)argv,
                       .run = {.timing = TESSERA_TIMING_CYCLE, .max_cycles = 10000000, .threads = 1}};
  int code = CLI_BAD_INPUT;
  bool good = cli_parse(verb, argc, argv, &s, add_file);
  if (good && s.file_count == 0) cli_bad_input("conform", "no file given; tessera conform --help shows an example");
  else if (good) code = run_files(&s);
  free(s.only);
  free(s.except);
  return code;
}

static const struct cli_opt options[] = {
    {"--timing", "off|cycle", "cycle (default): documented and measured costs; off: one cycle per instruction", "off cycle",
     set_timing},
    {"--only", "TAG", "run only cases with this tag (KEY=VALUE), instruction (inst) or name; may be repeated", CLI_NOTHING,
     add_only},
    {"--except", "TAG", "skip such cases; may be repeated", CLI_NOTHING, add_except},
    {"--list", NULL, "print name and tags of the selected cases, run nothing", CLI_NOTHING, set_list},
    {"--riscv", NULL, "the op lists run as RISC-V code on the T cores", CLI_NOTHING, set_riscv},
    {"--scalar", NULL, "use the plain scalar arithmetic instead of the vector code", CLI_NOTHING, set_scalar},
    {"--check", "LIST",
     "checkers: letters of a to f with commas, all or none (default); a case with a finding of theirs fails", "all none",
     set_check},
    {"--max-cycles", "N", "stop a case after N cycles (default 10000000)", CLI_NOTHING, set_max_cycles},
    {"--threads", "N", "host threads for the chip of NoC cases (default 1; 0: all cores)", CLI_NOTHING, set_threads},
    {"--json", NULL, "one JSON object per case on stdout instead of text", CLI_NOTHING, set_json},
    {"--quiet", NULL, "print the number of failures only", CLI_NOTHING, set_quiet},
};

const struct cli_verb cli_conform = {
    .name = "conform",
    .what = "run conformance cases against their expected bits",
    .usage = "[OPTIONS] FILE...",
    .about =
        "Runs the cases of FILE (.case, or gzipped .case.gz) on a fresh tile each and compares L1 with the expected bytes.\n"
        "NoC cases (named noc_...) run on a fresh chip each; golden and document cases are counted separately.",
    CLI_OPTIONS(options),
    .notes = "Closing line: N passed, N failed. Exit code 0 when none failed, 1 otherwise, 2 for bad input.",
    .example = "tessera conform --timing cycle --only MVMUL tests/cases/fpu.case.gz",
    .operands = CLI_FILE,
    .run = run,
};
