/* One tile in the command, shared by `run` and `exec`: common options, the trace, running with a progress line. */
#ifndef TESSERA_CLI_SESSION_H
#define TESSERA_CLI_SESSION_H

#include <stdio.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tessera/tensix.h"

struct cli_session {
  const char *verb;
  struct tessera_tile *tile;
  enum tessera_timing timing;
  bool timing_given; /* --timing: replaces that of a chip description */
  bool strict, quiet, verbose, account;
  bool account_kept;  /* from the start of the run, because there was no region */
  bool account_asked; /* by --account: printed also where --why and --report have no verdict */
  const char *from; /* --from: the account begins there; NULL or "start": with the run */
  uint32_t check;   /* TESSERA_CHECK_... */
  uint64_t max_cycles;
  struct cli_param {
    const char *name;
    uint32_t value;
  } * params;
  size_t param_count;
  const char *trace_path, *sarif_path, *profile_path, *coverage_path;
  int trace_format; /* 1 + enum tessera_trace_format; 0: by the file's name */
  uint64_t trace_from, trace_to;
  unsigned trace_cores;                     /* bit per core; 0: all */
  bool trace_of_chip;                       /* chip_trace.h writes it, not the tile */
  FILE *trace, *sarif, *profile, *coverage; /* opened before the run, so that a bad path is reported at once */
  const char *rerun;                        /* the change of a what-if; NULL: the run itself */
};

/* Options of both verbs; settings begin with a struct cli_session. */
bool cli_set_timing(void *settings, const char *value);
bool cli_set_max_cycles(void *settings, const char *value);
bool cli_set_param(void *settings, const char *value);
bool cli_set_strict(void *settings, const char *value);
bool cli_set_quiet(void *settings, const char *value);
bool cli_set_trace(void *settings, const char *value);
bool cli_set_sarif(void *settings, const char *value);
bool cli_set_verbose(void *settings, const char *value);
bool cli_set_check(void *settings, const char *value);
bool cli_set_trace_format(void *settings, const char *value);
bool cli_set_trace_from(void *settings, const char *value);
bool cli_set_trace_to(void *settings, const char *value);
bool cli_set_trace_cores(void *settings, const char *value);
bool cli_set_profile(void *settings, const char *value);
bool cli_set_coverage(void *settings, const char *value);
bool cli_set_account(void *settings, const char *value);
bool cli_set_from(void *settings, const char *value);
bool cli_parse_timing(const char *value, enum tessera_timing *timing);      /* off, cycle */
bool cli_parse_check(const char *verb, const char *value, uint32_t *check); /* letters with commas, all, none */

#define CLI_START "start"        /* the region that is the whole run */
#define CLI_REGION "kernel_main" /* the entry function of the kernel library's kernels */
/* clang-format off */
#define CLI_FROM_OPTION {"--from", "SYMBOL|zone:NAME", "begin the account when a core reaches this function or zone (default of --why and --report: kernel_main; start: with the run)", CLI_NOTHING, cli_set_from}
/* Those of a machine that a debugger controls too. */
#define CLI_MACHINE_OPTIONS \
  {"--timing", "off|cycle", "cycle (default): documented and measured costs; off: one cycle per instruction", "off cycle", cli_set_timing}, \
  {"--max-cycles", "N", "stop after N cycles", CLI_NOTHING, cli_set_max_cycles}, \
  {"--param", "NAME=VALUE", "change a parameter of the model; tessera exec --params lists them", CLI_NOTHING, cli_set_param}, \
  {"--strict", NULL, "stop at the first finding that is a warning or an error (exit code 5)", CLI_NOTHING, cli_set_strict}, \
  {"--check", "LIST", "checkers, letters with commas: a circular buffers, b waits of threads, c order in L1, d undefined data, e formats, f Src banks; or all, none (default a to e)", "all none", cli_set_check}
#define CLI_SESSION_OPTIONS \
  CLI_MACHINE_OPTIONS, \
  {"--quiet-hazards", NULL, "count findings, do not list them", CLI_NOTHING, cli_set_quiet}, \
  {"--trace", "FILE", "write a trace: .pftrace Perfetto, .json Chrome, .kanata Konata, .vcd GTKWave, else one line per instruction", CLI_OUTPUT, cli_set_trace}, \
  {"--trace-format", "NAME", "text, perfetto, chrome, kanata, vcd or compact, regardless of the file's name", "text perfetto chrome kanata vcd compact", cli_set_trace_format}, \
  {"--trace-from", "CYCLE", "begin the trace at this cycle", CLI_NOTHING, cli_set_trace_from}, \
  {"--trace-to", "CYCLE", "end it with this cycle", CLI_NOTHING, cli_set_trace_to}, \
  {"--trace-cores", "LIST", "trace only these cores and the threads of the T cores among them", "brisc ncrisc trisc0 trisc1 trisc2", cli_set_trace_cores}, \
  {"--profile", "FILE", "cycles by function and line: .json speedscope, else callgrind (KCachegrind, tessera annotate)", CLI_OUTPUT, cli_set_profile}, \
  {"--coverage", "FILE", "which lines of the kernels ran, as LCOV (genhtml)", CLI_OUTPUT, cli_set_coverage}, \
  {"--account", NULL, "report where every cycle of each core, thread and unit goes; each line sums to the cycles", CLI_NOTHING, cli_set_account}, \
  {"--sarif", "FILE", "write faults, hangs and findings as SARIF 2.1.0, for editors and code review", CLI_OUTPUT, cli_set_sarif}, \
  {"--verbose", NULL, "after a hang: all releasers, where every core is, and the tables", CLI_NOTHING, cli_set_verbose}
/* clang-format on */

/* Creates the tile, sets its parameters and options. false after one line on stderr. */
bool cli_session_open(struct cli_session *s);
bool cli_session_begin_account(struct cli_session *s);    /* if an option requires one; false after one line on stderr */
uint64_t cli_session_cycles(const struct cli_session *s); /* those of the account */
/* No core of the tile has reached the default region; its account is still to be kept (tessera_tile_account_from(tile, CLI_START)). */
bool cli_session_awaits_kernel(const struct cli_session *s, const struct tessera_tile *tile);
/* The account begins with the run, and reruns do the same. */
void cli_session_keep_account(struct cli_session *s);
/* After the run: a note on stderr where that is so, unless a signal has ended it. */
void cli_session_note_account(const struct cli_session *s);
bool cli_session_region_began(
    const struct cli_session *s); /* false after one line: the function or zone of --from was not reached */
/* Applies the options to a tile of a chip. */
bool cli_session_apply(const struct cli_session *s, struct tessera_tile *tile);
bool cli_trace_range(const char *verb, uint64_t from,
                     uint64_t to);                                /* of --trace-from and --trace-to; false after one line */
enum tessera_trace_format cli_trace_format(const char *path);     /* by the end of the file's name; text for any other */
enum tessera_profile_format cli_profile_format(const char *path); /* the same: speedscope for .json, else callgrind */
struct tessera_trace_options cli_session_trace_options(const struct cli_session *s); /* of --trace */
/* Opens trace and SARIF file before the run, after all arguments have been checked. */
bool cli_session_open_files(struct cli_session *s);
/* Runs until the tile is idle, a stop, or this cycle, with a progress line. */
enum tessera_result cli_session_run(struct cli_session *s, uint64_t until);
/* What the tile's executables have that a report may lack, on stderr: "tessera VERB: note: PLACE..." */
void cli_print_load_notes(const char *verb, const char *place, struct tessera_tile *tile);
/* false after one line: a file could not be written completely. */
bool cli_session_close_trace(struct cli_session *s);
bool cli_session_write_sarif(struct cli_session *s);
bool cli_session_write_profile(struct cli_session *s); /* and the coverage */
void cli_session_free(struct cli_session *s);
/* The exit code of the run, which JSON and SARIF then contain. */
int cli_session_code(const struct cli_session *s);

/* Makes room for one more item of a list; NULL after one line on stderr. `*items` may move. */
void *cli_grow(const char *verb, void *items, size_t *count, size_t item_size);
bool cli_parse_u32(const char *text, size_t length, uint32_t *value); /* the first `length` characters */

#endif
