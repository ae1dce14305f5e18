/* tessera chip: runs a program description on a whole chip. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_account.h"
#include "cli/chip_job.h"
#include "cli/chip_profile.h"
#include "cli/chip_report.h"
#include "cli/chip_run.h"
#include "cli/chip_trace.h"
#include "cli/chip_why.h"
#include "cli/cli.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "tessera/debug.h"

#define THREADS_MAX 1024u
#define CYCLES_DEFAULT UINT64_C(1000000000)
#define PART_CYCLES (UINT64_C(1) << 18) /* at most, between two checks for a signal */
#define REPORT_CYCLES 1024u /* the same with --report: accounts end soon after the last core. A multiple of CHIP_JOB_SLICE */

struct options {
  struct chip_source source;
  struct chip_why why; /* its source is the one above */
  const char *gdb, *report, *trace, *trace_tiles, *json, *sarif, *from, *profile, *coverage;
  uint64_t max_cycles, trace_from, trace_to;
  uint32_t check;
  bool hash, quiet, verbose, strict, account;
};

/* --- options --- */

static bool set_timing(void *settings, const char *value) {
  enum tessera_timing timing;
  ((struct options *)settings)->source.timing = value;
  return cli_parse_timing(value, &timing) || (cli_bad_input("chip", "--timing takes off or cycle, not '%s'", value), false);
}

static bool set_product(void *settings, const char *value) {
  ((struct options *)settings)->source.product = value;
  return true;
}

static bool set_threads(void *settings, const char *value) {
  struct options *o = settings;
  return (cli_parse_u64(value, &o->source.threads) && o->source.threads <= THREADS_MAX) ||
         (cli_bad_input("chip", "--threads takes a number from 0 to %u, not '%s'", THREADS_MAX, value), false);
}

static bool set_max_cycles(void *settings, const char *value) {
  struct options *o = settings;
  return (cli_parse_u64(value, &o->max_cycles) && o->max_cycles) ||
         (cli_bad_input("chip", "--max-cycles takes a number above 0, not '%s'", value), false);
}

static bool set_gdb(void *settings, const char *value) {
  ((struct options *)settings)->gdb = value;
  return true;
}

static bool set_report(void *settings, const char *value) {
  ((struct options *)settings)->report = value;
  return cli_is_file("chip", "--report", value);
}

static bool set_trace(void *settings, const char *value) {
  ((struct options *)settings)->trace = value;
  return cli_is_file("chip", "--trace", value);
}

static bool set_trace_tiles(void *settings, const char *value) {
  ((struct options *)settings)->trace_tiles = value;
  return true;
}

static bool set_trace_from(void *settings, const char *value) {
  struct options *o = settings;
  return cli_parse_u64(value, &o->trace_from) ||
         (cli_bad_input("chip", "--trace-from takes a cycle, not '%s'", value), false);
}

static bool set_trace_to(void *settings, const char *value) {
  struct options *o = settings;
  return (cli_parse_u64(value, &o->trace_to) && o->trace_to) ||
         (cli_bad_input("chip", "--trace-to takes a cycle above 0, not '%s'", value), false);
}

static bool set_account(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->account = true;
}

static bool set_profile(void *settings, const char *value) {
  ((struct options *)settings)->profile = value;
  return cli_is_file("chip", "--profile", value);
}

static bool set_coverage(void *settings, const char *value) {
  ((struct options *)settings)->coverage = value;
  return cli_is_file("chip", "--coverage", value);
}

static bool set_why(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->why.on = true;
}

static bool add_what_if(void *settings, const char *value) {
  struct options *o = settings;
  if (!cli_what_if_known("chip", value)) return false;
  const char **names = cli_grow("chip", (void *)o->why.names, &o->why.count, sizeof *names);
  if (!names) return false;
  o->why.names = names;
  names[o->why.count - 1] = value;
  return o->why.on = true;
}

static bool set_from(void *settings, const char *value) {
  ((struct options *)settings)->from = value;
  return true;
}

static bool set_json(void *settings, const char *value) {
  ((struct options *)settings)->json = value;
  return true;
}

static bool set_sarif(void *settings, const char *value) {
  ((struct options *)settings)->sarif = value;
  return true;
}

static bool set_verbose(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->verbose = true;
}

static bool set_strict(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->strict = true;
}

static bool set_hash(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->hash = true;
}

static bool set_quiet(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->quiet = true;
}

static bool set_check(void *settings, const char *value) {
  return cli_parse_check("chip", value, &((struct options *)settings)->check);
}

static bool has_accounts(const struct options *o) {
  return o->account || o->why.on || o->report || o->profile || o->coverage;
}

static bool set_path(void *settings, const char *text) {
  struct options *o = settings;
  if (o->source.path) return cli_bad_input("chip", "one file at a time, not also '%s'", text), false;
  o->source.path = text;
  return true;
}

/* --- the run --- */

#define FINDINGS_SHOWN 12

/* Lists the findings of all tiles, and returns the number of errors: wrong results are possible on hardware. With --strict a
 * warning counts too. */
static unsigned show_findings(const struct chip_job *j, const struct options *o) {
  const enum tessera_severity least = o->strict ? TESSERA_WARNING : TESSERA_ERROR;
  unsigned shown = 0, left = 0, errors = 0;
  for (size_t i = 0; i < j->unit_count; i++) {
    const struct chip_unit *u = &j->units[i];
    struct tessera_finding f;
    for (size_t k = 0; tessera_tile_finding(u->tile, k, &f) == TESSERA_OK; k++) {
      errors += f.severity >= least;
      if (f.severity == TESSERA_NOTE) continue;
      char text[2048]; /* with its other side */
      if (shown++ >= FINDINGS_SHOWN) left++;
      else if (tessera_tile_finding_text(u->tile, k, text, sizeof text))
        fprintf(stderr, "tessera chip: (%u, %u): %s", u->at.x, u->at.y, text);
    }
  }
  if (left) fprintf(stderr, "tessera chip: and %u more findings\n", left);
  return errors;
}

/* Names the first tile with a core that still runs, or else waits. */
static void explain_limit(struct chip_job *j, uint64_t cycles) {
  fflush(j->out);
  fprintf(stderr, "tessera chip: not done after %llu cycles", (unsigned long long)cycles);
  for (unsigned waits = 0; waits < 2; waits++)
    for (size_t i = 0; i < j->unit_count; i++) {
      const char *words = tessera_tile_explain(j->units[i].tile);
      if (!words[0] || (!waits && !strstr(words, " still runs "))) continue;
      fprintf(stderr, ": (%u, %u): %s", j->units[i].at.x, j->units[i].at.y, words);
      return;
    }
  fputs("\n", stderr);
}

static void explain_hang(struct chip_job *j) { fprintf(stderr, "tessera chip: %s", tessera_chip_explain(j->chip)); }

/* A fault of a tile, or a check of the kernel library that did not hold. */
static void explain_fault(struct chip_job *j, const struct tessera_fault *fault, unsigned x, unsigned y) {
  if (strcmp(fault->kind, "check") == 0) {
    fprintf(stderr, "tessera chip: (%u, %u): %s: %s stopped: %s\n", x, y, fault->place, fault->who, fault->why);
    return;
  }
  fprintf(stderr, "tessera chip: %s", tessera_chip_explain(j->chip));
  if (fault->place[0]) fprintf(stderr, "  in %s\n", fault->place);
}

/* 1 if an expectation fails, 5 after an error finding, 6 at the limit: the first of these that applies. */
static int code_of(struct chip_job *j, enum tessera_result end, unsigned errors, uint64_t cycles) {
  if (end == TESSERA_LIMIT) {
    explain_limit(j, cycles);
    return errors ? CLI_HAZARD : CLI_LIMIT;
  }
  int code = chip_job_finish(j);
  if (cli_interrupted()) return cli_code_of_run("chip", CLI_LIMIT);
  return code == CLI_OK && errors ? CLI_HAZARD : code;
}

/* 1: the run continues; 0: the debugger has ended it; -1 after one line. */
static int debug(struct chip_job *j, const struct options *o, uint64_t cycles) {
  if (!o->gdb) return 1;
  struct tessera_debugger *debugger = chip_job_debugger(j, "chip", cycles);
  int end = debugger ? cli_gdb_serve("chip", debugger, o->gdb) : -1;
  tessera_debugger_close(debugger);
  return end;
}

/* How the run ended, and its reruns. */
struct outcome {
  enum tessera_result end;
  struct cli_reruns reruns;
};

/* The reruns decide between the causes, so they come before the verdict. */
static struct outcome outcome_of(struct chip_job *j, const struct options *o, enum tessera_result end) {
  struct outcome out = {.end = end, .reruns = {.text = NULL}};
  struct tessera_fault fault;
  if (o->why.on && end == TESSERA_LIMIT && cli_interrupted()) tessera_chip_set_exit_code(j->chip, cli_interrupted());
  if (end != TESSERA_INVALID && !cli_memory_failed && !tessera_chip_fault(j->chip, &fault, NULL, NULL))
    out.reruns = chip_why_reruns(&o->why, j, end);
  return out;
}

/* What was asked for beside the report. */
static bool show_cycles(const struct chip_job *j, const struct options *o, const struct outcome *outcome) {
  if (o->account && !chip_accounts_print(j, o->verbose, j->out)) return false;
  if (o->why.on) chip_why_print(j, &outcome->reruns, j->out);
  return true;
}

/* Prints the result; returns the exit code. */
static int report_end(struct chip_job *j, const struct options *o, const struct outcome *outcome, uint64_t cycles) {
  const enum tessera_result end = outcome->end;
  struct tessera_fault fault;
  unsigned x, y;
  bool faulted = tessera_chip_fault(j->chip, &fault, &x, &y);
  if (cli_memory_failed) return cli_bad_input("chip", "out of memory"); /* the run says nothing about the program */
  for (size_t i = 0; i < j->unit_count; i++)
    if (j->units[i].kernel) chip_job_print(j, j->units[i].at, j->unit_count > 1);
  if (faulted) explain_fault(j, &fault, x, y);
  else if (end == TESSERA_HANG) explain_hang(j);
  unsigned errors = show_findings(j, o);
  if ((faulted || end == TESSERA_HANG) && !show_cycles(j, o, outcome)) return CLI_BAD_INPUT;
  if (faulted) return strcmp(fault.kind, "hazard") == 0 ? CLI_HAZARD : CLI_FAULT;
  if (end == TESSERA_HANG) return CLI_HANG;
  if (!o->quiet) fputs(tessera_chip_report(j->chip), j->out);
  if (!show_cycles(j, o, outcome)) return CLI_BAD_INPUT;
  if (o->hash) fprintf(j->out, "hash %016llx\n", (unsigned long long)tessera_chip_hash(j->chip));
  if (cli_interrupted()) return cli_code_of_run("chip", CLI_LIMIT);
  return code_of(j, end, errors, cycles);
}

static int run_with_report(struct chip_job *j, const struct options *o, FILE *report, uint64_t cycles,
                           struct outcome *outcome) {
  struct chip_timelines timelines = {.of = NULL};
  bool begun = o->trace || chip_timelines_begin(&timelines, j); /* a tile has one trace */
  *outcome = outcome_of(j, o, begun ? chip_run_all(j, cycles, REPORT_CYCLES, NULL) : TESSERA_INVALID);
  if (outcome->end == TESSERA_INVALID) return chip_timelines_free(&timelines), cli_discard(report, o->report), CLI_BAD_INPUT;
  const struct chip_report_run about = {.path = o->source.path,
                                        .result = chip_report_result(j, outcome->end),
                                        .threads = o->source.threads,
                                        .max_cycles = cycles,
                                        .code = report_end(j, o, outcome, cycles),
                                        .what_ifs = outcome->reruns.text};
  bool good = cli_finish(report, o->report, chip_report_write(j, &about, o->trace ? NULL : &timelines, report));
  chip_timelines_free(&timelines);
  if (good) return about.code;
  return cli_not_written("chip", o->report);
}

static bool open_one(const char *path, FILE **file) {
  if (path && !(*file = cli_create_or_stdout(path)))
    return cli_bad_input("chip", "%s: could not be written: %s", path, strerror(errno)), false;
  return true;
}

static bool finish_one(FILE *file, const char *path, bool good) {
  if (!file || cli_finish(file, path, good)) return true;
  return cli_not_written("chip", path), false;
}

/* The report with the accounts and the verdict as its last members. The texts of the chip share a buffer, so it is copied. */
static bool write_json(struct chip_job *j, const struct options *o, FILE *file, const struct cli_reruns *reruns) {
  char *whole = NULL;
  size_t size = 0;
  FILE *copy = file ? open_memstream(&whole, &size) : NULL;
  if (!file) return true;
  bool good = copy != NULL;
  if (copy) {
    const char *text = tessera_chip_report_json(j->chip), *end = strrchr(text, '}');
    const size_t length = end && o->account ? (size_t)(end - text) : strlen(text);
    good = fwrite(text, 1, length, copy) == length;
    if (o->account) good = chip_accounts_json(j, copy) && fputs("}\n", copy) >= 0 && good;
    good = fclose(copy) == 0 && good;
  }
  if (good) good = o->why.on ? chip_why_json(j, whole, reruns, file) : fputs(whole, file) >= 0;
  free(whole);
  return finish_one(file, o->json, good);
}

static bool write_sarif(struct chip_job *j, const struct options *o, FILE *file) {
  return !file || finish_one(file, o->sarif, fputs(tessera_chip_outcome(j->chip, NULL, TESSERA_REPORT_SARIF), file) >= 0);
}

static int run_started(struct chip_job *j, const struct options *o, uint64_t cycles, struct outcome *outcome) {
  FILE *report = o->report ? cli_create(o->report) : NULL;
  if (o->report && !report) return cli_bad_input("chip", "%s: could not be written: %s", o->report, strerror(errno));
  if (report) return run_with_report(j, o, report, cycles, outcome);
  *outcome = outcome_of(j, o, chip_run_all(j, cycles, PART_CYCLES, NULL));
  return outcome->end == TESSERA_INVALID ? CLI_BAD_INPUT : report_end(j, o, outcome, cycles);
}

/* The files are opened before the run, so that a name that cannot be written fails at once. */
static int run_with_files(struct chip_job *j, const struct options *o, uint64_t cycles) {
  FILE *json = NULL, *sarif = NULL;
  if (!open_one(o->json, &json) || !open_one(o->sarif, &sarif)) {
    cli_discard(json, o->json);
    return CLI_BAD_INPUT;
  }
  j->out = json == stdout || sarif == stdout ? stderr : stdout; /* one document there */
  struct outcome outcome = {.end = TESSERA_INVALID};
  int code = run_started(j, o, cycles, &outcome);
  tessera_chip_set_exit_code(j->chip, code);
  bool good = write_json(j, o, json, &outcome.reruns);
  good = write_sarif(j, o, sarif) && good;
  free(outcome.reruns.text);
  free(outcome.reruns.json);
  if (!good || (has_accounts(o) && !chip_accounts_began(j, o->from))) return CLI_BAD_INPUT;
  return cli_interrupted() == code ? code : cli_code_of_run("chip", code); /* a signal while the files were written */
}

static bool trace_one(struct chip_job *j, struct chip_trace *trace, unsigned x, unsigned y) {
  for (size_t i = 0; i < j->unit_count; i++)
    if (j->units[i].at.x == x && j->units[i].at.y == y) return chip_trace_tile(trace, j->units[i].tile, x, y);
  return cli_bad_input("chip", "--trace-tiles: no program runs on %u,%u", x, y), false;
}

/* "all", "none", "1,2 3,4" */
static bool trace_tiles(struct chip_job *j, struct chip_trace *trace, const char *which) {
  bool good = true;
  if (which && strcmp(which, "none") == 0) return true;
  if (!which || strcmp(which, "all") == 0) {
    for (size_t i = 0; good && i < j->unit_count; i++) good = trace_one(j, trace, j->units[i].at.x, j->units[i].at.y);
    return good;
  }
  for (const char *at = which; good && *at; at += strspn(at, " ")) {
    unsigned x = 0, y = 0;
    int used = 0;
    if (sscanf(at, "%3u,%3u%n", &x, &y, &used) != 2 || (at[used] && at[used] != ' ') || trace->tile_count == j->unit_count)
      return cli_bad_input("chip", "--trace-tiles takes all, none or X,Y X,Y ..., each once, not '%s'", which), false;
    good = trace_one(j, trace, x, y);
    at += used;
  }
  return good;
}

static bool begin_trace(struct chip_job *j, const struct options *o, struct chip_trace *trace) {
  if (!o->trace && (o->trace_tiles || o->trace_from || o->trace_to))
    return cli_bad_input("chip", "--trace-tiles, --trace-from and --trace-to go with --trace FILE"), false;
  if (!cli_trace_range("chip", o->trace_from, o->trace_to)) return false;
  if (!o->trace) return true;
  struct tessera_trace_options options = {.format = cli_trace_format(o->trace), .from = o->trace_from, .to = o->trace_to};
  bool tiles = chip_trace_has_tiles(options.format);
  if (o->trace_tiles && !tiles)
    return cli_bad_input("chip", "--trace-tiles goes with a trace in .pftrace or .json; '%s' has packets only", o->trace),
           false;
  *trace = (struct chip_trace){.verb = "chip", .path = o->trace};
  if (!chip_trace_begin(trace, j->chip, &options, j->unit_count)) return false;
  if (!tiles || trace_tiles(j, trace, o->trace_tiles)) return true;
  chip_trace_discard(trace);
  return false;
}

/* Options that do not go together. */
static bool are_combinable(const struct options *o) {
  const char *observes = o->report     ? "report"
                         : o->trace    ? "trace"
                         : o->account  ? "account"
                         : o->why.on   ? "why"
                         : o->profile  ? "profile"
                         : o->coverage ? "coverage"
                                       : NULL;
  if (o->gdb && observes) return cli_bad_input("chip", "--%s and --gdb cannot be combined", observes), false;
  if (o->from && !has_accounts(o))
    return cli_bad_input("chip", "--from needs --account, --why, --report or --profile: it sets where an account begins"),
           false;
  return true;
}

static bool begin_accounts(const struct chip_job *j, const struct options *o) {
  return !has_accounts(o) || (chip_accounts_begin(j, o->from) && chip_why_applies(&o->why));
}

static int run_job(struct chip_job *j, const struct options *o) {
  uint64_t cycles = o->max_cycles ? o->max_cycles : j->d.cycles ? j->d.cycles : CYCLES_DEFAULT;
  if (!chip_job_load(j)) return CLI_BAD_INPUT;
  chip_job_notes(j);
  if ((!o->gdb && !chip_job_drain_begin(j)) || !chip_job_start(j, o->check)) return CLI_BAD_INPUT;
  for (size_t i = 0; i < j->unit_count; i++) {
    tessera_tile_set_option(j->units[i].tile, TESSERA_OPTION_VERBOSE, o->verbose);
    tessera_tile_set_option(j->units[i].tile, TESSERA_OPTION_STRICT, o->strict);
  }
  int debugged = debug(j, o, cycles);
  if (debugged <= 0) return debugged ? CLI_BAD_INPUT : CLI_OK;
  struct chip_trace trace = {.file = NULL};
  if (!begin_accounts(j, o) || !begin_trace(j, o, &trace)) return CLI_BAD_INPUT;
  struct chip_profile profile = {.profile_path = o->profile, .coverage_path = o->coverage};
  if (!chip_profile_open(&profile, "chip")) return chip_trace_discard(&trace), CLI_BAD_INPUT;
  int code = run_with_files(j, o, cycles);
  if (code == CLI_BAD_INPUT) chip_profile_discard(&profile);
  else if (!chip_profile_write(&profile, j)) code = CLI_BAD_INPUT;
  return chip_trace_end(&trace) ? code : CLI_BAD_INPUT;
}

static int run_file(const struct options *o) {
  struct chip_job j;
  int code = chip_run_open(&j, &o->source, false) ? run_job(&j, o) : CLI_BAD_INPUT;
  chip_job_free(&j);
  return code;
}

static int run_parsed(struct options *o) {
  if (!o->source.path) return cli_bad_input("chip", "no file given; tessera chip run --help shows an example");
  if (!o->from && (o->why.on || o->report)) o->from = CLI_REGION;
  o->why.source = o->source;
  o->why.from = o->from;
  o->why.check = o->check;
  return run_file(o);
}

static int run_verb(const struct cli_verb *verb, int argc, char **argv) {
  struct options o = {.check = TESSERA_CHECK_DEFAULT};
  const bool good = cli_parse(verb, argc, argv, &o, set_path) && are_combinable(&o);
  const int code = good ? run_parsed(&o) : CLI_BAD_INPUT;
  free((void *)o.why.names);
  return code;
}

static const struct cli_opt options[] = {
    {"--timing", "off|cycle", "instead of the file's timing (default cycle)", "off cycle", set_timing},
    {"--product", "NAME", "instead of the file's product: full, p150, galaxy, p100", "full p150 galaxy p100", set_product},
    {"--threads", "N", "host threads (default 0: all cores); the result is the same for every N", CLI_NOTHING, set_threads},
    {"--max-cycles", "N", "stop after N cycles (default 1000000000)", CLI_NOTHING, set_max_cycles},
    {"--check", "LIST",
     "checkers of every tile, letters with commas: a circular buffers, b waits of threads, c order in L1, d undefined data, "
     "e formats, f Src banks; or all, none (default a to e)",
     "all none", set_check},
    {"--strict", NULL, "stop at the first warning or error finding (exit code 5)", CLI_NOTHING, set_strict},
    {"--hash", NULL, "print the hash of the chip's state at the end", CLI_NOTHING, set_hash},
    CLI_GDB_OPTION(set_gdb),
    {"--report", "FILE", "one HTML file: the grid with its links, findings, accounts, source lines", CLI_OUTPUT, set_report},
    {"--trace", "FILE",
     "the packets of the NoCs: text, or, with the cores, threads and units of the tiles, FILE.pftrace or FILE.json for "
     "ui.perfetto.dev",
     CLI_OUTPUT, set_trace},
    {"--trace-tiles", "LIST", "all (default), none, or some of the tiles with programs: \"1,2 3,4\"", "all none",
     set_trace_tiles},
    {"--trace-from", "CYCLE", "begin the trace at this cycle", CLI_NOTHING, set_trace_from},
    {"--trace-to", "CYCLE", "end it with this cycle", CLI_NOTHING, set_trace_to},
    {"--account", NULL,
     "where every cycle of each core, thread and unit goes: of few tiles each, else sums, the last tile and the most "
     "different one; --verbose and --json FILE: of every tile",
     CLI_NOTHING, set_account},
    {"--why", NULL,
     "report what bounds the run: the tile that ended last or the one it waited for, where, and what to change", CLI_NOTHING,
     set_why},
    CLI_WHAT_IF_OPTION(add_what_if),
    {"--profile", "FILE",
     "cycles by function and line, the sum of all tiles: .json speedscope, else callgrind (KCachegrind, tessera annotate)",
     CLI_OUTPUT, set_profile},
    {"--coverage", "FILE", "which lines of the kernels ran, on any tile, as LCOV (genhtml)", CLI_OUTPUT, set_coverage},
    {"--from", "SYMBOL|zone:NAME",
     "begin each tile's account when a core reaches this function or zone (default of --why and --report: kernel_main; "
     "start: with "
     "the run)",
     CLI_NOTHING, set_from},
    {"--json", "FILE", "the report as JSON: tiles, links, accounts, verdict, a hang with the waits of all tiles", CLI_OUTPUT,
     set_json},
    {"--sarif", "FILE", "hangs, faults and findings as SARIF 2.1.0, for editors and code review", CLI_OUTPUT, set_sarif},
    {"--verbose", NULL, "a hang with every wait, its possible releasers and last writers; --account of every tile",
     CLI_NOTHING, set_verbose},
    {"--quiet", NULL, "no report", CLI_NOTHING, set_quiet},
};

static const struct cli_verb chip_run_verb = {
    .name = "chip run",
    .what = "run a program description on a whole chip",
    .usage = "FILE [OPTIONS]",
    .about = "Runs the program description FILE on a Blackhole chip and prints a report with a picture of the grid.\n"
             "docs/guide/chip.md describes the file: product, elf, kernel, buffer, args, image, tensor, until, save, dump, "
             "expect.",
    CLI_OPTIONS(options),
    .notes =
        "Exit code 0 when everything stopped and every expectation holds, 1 when one does not, 2 for bad input, 3 fault\n"
        "or failed KERNEL_CHECK, 4 hang, 5 an error finding, 6 cycle limit.",
    .example = "tessera chip run examples/grid_matmul/grid_matmul.chip --threads 2",
    .operands = CLI_FILE,
    .run = run_verb,
};

static const struct cli_verb *const sub_verbs[] = {&chip_run_verb};

const struct cli_verb cli_chip = {
    .name = "chip",
    .what = "run programs on many tiles of a chip, with DRAM and the NoC",
    .usage = "run FILE [OPTIONS]",
    .about = "Programs on a whole Blackhole chip: tiles, DRAM and the NoC.",
    .notes = "tessera chip run --help shows every option.",
    .example = "tessera chip run examples/grid_matmul/grid_matmul.chip --threads 2",
    .operands = CLI_NOTHING,
    .run = cli_run_sub,
    .subs = sub_verbs,
    .sub_count = CLI_COUNT(sub_verbs),
};
