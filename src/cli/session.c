/* The session of session.h. */
#include "cli/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"

#define PART_CYCLES (UINT64_C(1) << 20) /* at most, between two checks for a signal */

/* --- options --- */

static bool bad(const struct cli_session *s, const char *option, const char *wants, const char *got) {
  cli_bad_input(s->verb, "%s takes %s, not '%s'", option, wants, got);
  return false;
}

bool cli_parse_u32(const char *text, size_t length, uint32_t *value) {
  char copy[32];
  uint64_t v;
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (!cli_parse_u64(copy, &v) || v > UINT32_MAX) return false;
  *value = (uint32_t)v;
  return true;
}

void *cli_grow(const char *verb, void *items, size_t *count, size_t item_size) {
  bool full = (*count & (*count - 1)) == 0; /* 0, 1, 2, 4, 8 ... items: the capacity doubles */
  void *moved = full ? realloc(items, (*count ? 2 * *count : 1) * item_size) : items;
  if (!moved) cli_bad_input(verb, "out of memory");
  else memset((char *)moved + *count * item_size, 0, item_size), ++*count;
  return moved;
}

bool cli_parse_timing(const char *value, enum tessera_timing *timing) {
  for (*timing = TESSERA_TIMING_OFF; *timing <= TESSERA_TIMING_CYCLE; ++*timing)
    if (strcmp(value, tessera_timing_name(*timing)) == 0) return true;
  return false;
}

bool cli_set_timing(void *settings, const char *value) {
  struct cli_session *s = settings;
  enum tessera_timing timing;
  if (!cli_parse_timing(value, &timing)) return bad(s, "--timing", "off or cycle", value);
  s->timing = timing;
  return s->timing_given = true;
}

bool cli_set_max_cycles(void *settings, const char *value) {
  struct cli_session *s = settings;
  if (cli_parse_u64(value, &s->max_cycles) && s->max_cycles > 0 && s->max_cycles < TESSERA_FOREVER) return true;
  return bad(s, "--max-cycles", "a number of cycles above 0", value);
}

bool cli_set_param(void *settings, const char *value) {
  struct cli_session *s = settings;
  const char *equals = strchr(value, '=');
  struct tessera_param info;
  uint32_t number;
  if (!equals || !cli_parse_u32(equals + 1, strlen(equals + 1), &number)) return bad(s, "--param", "NAME=VALUE", value);
  for (size_t i = 0; tessera_param_info(i, &info) == TESSERA_OK; i++) {
    if (strlen(info.name) != (size_t)(equals - value) || strncmp(info.name, value, strlen(info.name)) != 0) continue;
    struct cli_param *moved = cli_grow(s->verb, s->params, &s->param_count, sizeof *moved);
    if (!moved) return false;
    s->params = moved;
    moved[s->param_count - 1] = (struct cli_param){.name = info.name, .value = number};
    return true;
  }
  cli_bad_input(s->verb, "no parameter '%.*s'; tessera exec --params lists them", (int)(equals - value), value);
  return false;
}

bool cli_set_strict(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->strict = true;
}

bool cli_set_quiet(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->quiet = true;
}

bool cli_set_trace(void *settings, const char *value) {
  struct cli_session *s = settings;
  s->trace_path = value;
  return cli_is_file(s->verb, "--trace", value);
}

bool cli_set_trace_format(void *settings, const char *value) {
  struct cli_session *s = settings;
  for (int i = 0; i < TESSERA_TRACE_FORMATS; i++)
    if (strcmp(tessera_trace_format_name((enum tessera_trace_format)i), value) == 0) return (s->trace_format = i + 1) != 0;
  return bad(s, "--trace-format", "text, perfetto, chrome, kanata, vcd or compact", value);
}

bool cli_set_trace_from(void *settings, const char *value) {
  struct cli_session *s = settings;
  return cli_parse_u64(value, &s->trace_from) || bad(s, "--trace-from", "a cycle", value);
}

bool cli_set_trace_to(void *settings, const char *value) {
  struct cli_session *s = settings;
  return (cli_parse_u64(value, &s->trace_to) && s->trace_to) || bad(s, "--trace-to", "a cycle above 0", value);
}

bool cli_set_trace_cores(void *settings, const char *value) {
  struct cli_session *s = settings;
  for (const char *p = value; *p || p == value;) {
    char name[16] = "";
    size_t length = strcspn(p, ",");
    if (length < sizeof name) memcpy(name, p, length);
    int core = length < sizeof name ? tessera_core_number(name) : -1;
    if (core < 0 || (p[length] && !p[length + 1]))
      return bad(s, "--trace-cores", "a list of brisc, ncrisc, trisc0, trisc1, trisc2 with commas", value);
    s->trace_cores |= 1u << core;
    p += length + (p[length] != 0);
  }
  return true;
}

bool cli_set_profile(void *settings, const char *value) {
  struct cli_session *s = settings;
  s->profile_path = value;
  return cli_is_file(s->verb, "--profile", value);
}

bool cli_set_coverage(void *settings, const char *value) {
  struct cli_session *s = settings;
  s->coverage_path = value;
  return cli_is_file(s->verb, "--coverage", value);
}

bool cli_set_account(void *settings, const char *value) {
  struct cli_session *s = settings;
  (void)value;
  return s->account = s->account_asked = true;
}

bool cli_set_from(void *settings, const char *value) {
  ((struct cli_session *)settings)->from = value;
  return true;
}

bool cli_set_sarif(void *settings, const char *value) {
  ((struct cli_session *)settings)->sarif_path = value;
  return true;
}

bool cli_set_verbose(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->verbose = true;
}

bool cli_parse_check(const char *verb, const char *value, uint32_t *check) {
  bool all = strcmp(value, "all") == 0, none = strcmp(value, "none") == 0;
  *check = all ? TESSERA_CHECK_ALL : 0;
  for (const char *p = value; !all && !none; p += 2) {
    if (*p < 'a' || *p > 'f' || (p[1] && p[1] != ','))
      return cli_bad_input(verb, "--check takes letters of a to f with commas, all or none, not '%s'", value), false;
    *check |= 1u << (*p - 'a');
    if (!p[1]) break;
  }
  return true;
}

bool cli_set_check(void *settings, const char *value) {
  struct cli_session *s = settings;
  return cli_parse_check(s->verb, value, &s->check);
}

/* --- opening --- */

bool cli_session_apply(const struct cli_session *s, struct tessera_tile *tile) {
  for (size_t i = 0; i < s->param_count; i++) tessera_tile_set_param(tile, s->params[i].name, s->params[i].value);
  tessera_tile_set_option(tile, TESSERA_OPTION_STRICT, s->strict);
  tessera_tile_set_option(tile, TESSERA_OPTION_QUIET, s->quiet);
  tessera_tile_set_option(tile, TESSERA_OPTION_VERBOSE, s->verbose);
  if (tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, s->check) != TESSERA_OK)
    return cli_bad_input(s->verb, "%s", tessera_tile_error(tile)), false;
  return true;
}

bool cli_session_open(struct cli_session *s) {
  s->tile = tessera_tile_create(s->timing);
  if (!s->tile) return cli_bad_input(s->verb, "out of memory"), false;
  return cli_session_apply(s, s->tile);
}

static bool has_region(const struct cli_session *s) { return s->from && strcmp(s->from, CLI_START) != 0; }

void cli_session_keep_account(struct cli_session *s) {
  s->account_kept = true;
  s->from = CLI_START;
}

void cli_session_note_account(const struct cli_session *s) {
  if (!s->account_kept || cli_interrupted()) return;
  fprintf(stderr, "tessera %s: note: no core reached a function " CLI_REGION ", so the account begins with the run\n",
          s->verb);
}

bool cli_session_begin_account(struct cli_session *s) {
  if (!s->account && !s->profile_path && !s->coverage_path) {
    if (!s->from) return true;
    return cli_bad_input(s->verb, "--from needs --account, --why, --report or --profile: it sets where an account begins"),
           false;
  }
  if (has_region(s) && tessera_tile_account_from(s->tile, s->from) == TESSERA_OK) return true;
  if (has_region(s) && strcmp(s->from, CLI_REGION) != 0) /* programs without a kernel_main have one region */
    return cli_bad_input(s->verb, "--from: %s", tessera_tile_error(s->tile)), false;
  if (has_region(s)) s->from = CLI_START; /* a program of its own kind: nothing to note */
  if (tessera_tile_set_option(s->tile, TESSERA_OPTION_ACCOUNT, 1) != TESSERA_OK)
    return cli_bad_input(s->verb, "%s", tessera_tile_error(s->tile)), false;
  return true;
}

uint64_t cli_session_cycles(const struct cli_session *s) {
  uint64_t sum = 0, cycles;
  for (unsigned i = 0; i < tessera_category_count(); i++)
    if (tessera_tile_account(s->tile, TESSERA_OF_CORE, 0, i, &cycles) == TESSERA_OK) sum += cycles;
  return sum;
}

bool cli_session_awaits_kernel(const struct cli_session *s, const struct tessera_tile *tile) {
  uint64_t begin;
  return has_region(s) && strcmp(s->from, CLI_REGION) == 0 && tessera_tile_account_begin(tile, &begin) != TESSERA_OK;
}

bool cli_session_region_began(const struct cli_session *s) {
  uint64_t begin;
  if (!has_region(s) || strcmp(s->from, CLI_REGION) == 0 || tessera_tile_account_begin(s->tile, &begin) == TESSERA_OK)
    return true;
  bool zone = strncmp(s->from, "zone:", 5) == 0;
  cli_bad_input(s->verb,
                zone ? "--from: no zone '%s' began in this run, so it has no account"
                     : "--from: the run did not reach '%s', so it has no account",
                s->from + (zone ? 5 : 0));
  return false;
}

/* --- trace --- */

static int write_trace(void *context, const void *bytes, size_t size) {
  struct cli_session *s = context;
  return fwrite(bytes, 1, size, s->trace) == size ? 0 : 1;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  return length >= n && strcmp(path + length - n, ending) == 0;
}

enum tessera_trace_format cli_trace_format(const char *path) {
  if (ends_in(path, ".pftrace") || ends_in(path, ".perfetto-trace")) return TESSERA_TRACE_PERFETTO;
  if (ends_in(path, ".json")) return TESSERA_TRACE_CHROME;
  if (ends_in(path, ".vcd")) return TESSERA_TRACE_VCD;
  return ends_in(path, ".kanata") ? TESSERA_TRACE_KANATA : TESSERA_TRACE_TEXT;
}

struct tessera_trace_options cli_session_trace_options(const struct cli_session *s) {
  return (struct tessera_trace_options){.format = s->trace_format ? (enum tessera_trace_format)(s->trace_format - 1)
                                                                  : cli_trace_format(s->trace_path),
                                        .from = s->trace_from,
                                        .to = s->trace_to,
                                        .cores = s->trace_cores};
}

static bool open_one(const struct cli_session *s, const char *path, FILE **file) {
  if (path && !(*file = path == s->sarif_path ? cli_create_or_stdout(path) : cli_create(path)))
    return cli_bad_input(s->verb, "%s: could not be written: %s", path, strerror(errno)), false;
  return true;
}

bool cli_trace_range(const char *verb, uint64_t from, uint64_t to) {
  if (!to || from <= to) return true;
  return cli_bad_input(verb, "--trace-from %llu is after --trace-to %llu", (unsigned long long)from, (unsigned long long)to),
         false;
}

bool cli_session_open_files(struct cli_session *s) {
  if (!cli_trace_range(s->verb, s->trace_from, s->trace_to)) return false;
  if (!open_one(s, s->sarif_path, &s->sarif) || !open_one(s, s->profile_path, &s->profile) ||
      !open_one(s, s->coverage_path, &s->coverage))
    return false;
  if (s->trace_path && !s->trace_format && ends_in(s->trace_path, ".fst")) /* a text of this name would mislead */
    return cli_bad_input(s->verb, "%s: FST is not written; a name in .vcd is (vcd2fst of GTKWave converts it)",
                         s->trace_path),
           false;
  if (s->trace_path && !s->trace_of_chip && !(s->trace = cli_create(s->trace_path)))
    return cli_bad_input(s->verb, "%s: could not be written: %s", s->trace_path, strerror(errno)), false;
  if (!s->trace_path) {
    if (!s->trace_format && !s->trace_from && !s->trace_to && !s->trace_cores) return true;
    return cli_bad_input(s->verb, "--trace-format, --trace-from, --trace-to and --trace-cores go with --trace FILE"), false;
  }
  struct tessera_trace_options options = cli_session_trace_options(s);
  return s->trace_of_chip || tessera_tile_trace(s->tile, &options, write_trace, s) == TESSERA_OK ||
         (cli_bad_input(s->verb, "%s", tessera_tile_error(s->tile)), false);
}

/* One line on stderr if the run ended before the first cycle of its trace. */
static void note_empty_trace(const char *verb, uint64_t from, uint64_t end) {
  if (from > end)
    fprintf(stderr, "tessera %s: --trace-from %llu is after the end of the run at cycle %llu: the trace is empty\n", verb,
            (unsigned long long)from, (unsigned long long)end);
}

/* The cycle that the report has: the clock of a tile may be ahead of the end of its last core. */
static uint64_t end_of_run(struct tessera_tile *tile) {
  static const char name[] = "\"cycles\":";
  const char *cycles = strstr(tessera_tile_report(tile, TESSERA_REPORT_JSON), name);
  return cycles ? strtoull(cycles + sizeof name - 1, NULL, 10) : tessera_tile_cycle(tile);
}

bool cli_session_close_trace(struct cli_session *s) {
  FILE *trace = s->trace;
  if (s->trace_path && s->trace_from && (trace || s->trace_of_chip))
    note_empty_trace(s->verb, s->trace_from, end_of_run(s->tile));
  if (!trace) return true;
  bool good = tessera_tile_trace_end(s->tile) == TESSERA_OK;
  s->trace = NULL;
  if (cli_finish(trace, s->trace_path, good)) return true;
  return cli_not_written(s->verb, s->trace_path), false;
}

static bool write_text(struct cli_session *s, FILE **file, const char *path, enum tessera_profile_format format) {
  FILE *out = *file;
  if (!out) return true;
  bool good = fputs(tessera_tile_profile(s->tile, format), out) >= 0;
  *file = NULL;
  if (cli_finish(out, path, good)) return true;
  return cli_not_written(s->verb, path), false;
}

enum tessera_profile_format cli_profile_format(const char *path) {
  return ends_in(path, ".json") ? TESSERA_PROFILE_SPEEDSCOPE : TESSERA_PROFILE_CALLGRIND;
}

bool cli_session_write_profile(struct cli_session *s) {
  bool good = !s->profile || write_text(s, &s->profile, s->profile_path, cli_profile_format(s->profile_path));
  return write_text(s, &s->coverage, s->coverage_path, TESSERA_PROFILE_LCOV) && good;
}

bool cli_session_write_sarif(struct cli_session *s) {
  FILE *file = s->sarif;
  if (!file) return true;
  bool good = fputs(tessera_tile_report(s->tile, TESSERA_REPORT_SARIF), file) >= 0;
  s->sarif = NULL;
  if (cli_finish(file, s->sarif_path, good)) return true;
  return cli_not_written(s->verb, s->sarif_path), false;
}

void cli_session_free(struct cli_session *s) {
  cli_discard(s->trace, s->trace_path);
  cli_discard(s->sarif, s->sarif_path);
  cli_discard(s->profile, s->profile_path);
  cli_discard(s->coverage, s->coverage_path);
  free(s->params);
  tessera_tile_destroy(s->tile);
}

void cli_print_load_notes(const char *verb, const char *place, struct tessera_tile *tile) {
  for (const char *line = tessera_tile_load_notes(tile); *line;) {
    int length = (int)strcspn(line, "\n");
    fprintf(stderr, "tessera %s: note: %s%.*s\n", verb, place, length, line);
    line += length + (line[length] == '\n');
  }
}

/* --- running --- */

static size_t activity(void *tile, char *text, size_t size) { return tessera_tile_activity(tile, text, size); }

enum tessera_result cli_session_run(struct cli_session *s, uint64_t until) {
  uint64_t now = tessera_tile_cycle(s->tile);
  struct cli_run_clock clock = cli_run_begin(s->verb, now, activity, s->tile);
  clock.rerun = s->rerun;
  enum tessera_result result;
  cli_catch_signals();
  do {
    uint64_t left = until > now ? until - now : 0;
    result = tessera_tile_run(s->tile, cli_run_part(&clock, left, PART_CYCLES));
    now = tessera_tile_cycle(s->tile);
    if (result == TESSERA_LIMIT) cli_run_progress(&clock, now);
  } while (result == TESSERA_LIMIT && now < until && !cli_stopped());
  cli_progress_clear();
  return result;
}

int cli_session_code(const struct cli_session *s) {
  int code = cli_code_of_run(s->verb, tessera_tile_exit_code(s->tile));
  tessera_tile_set_exit_code(s->tile, code);
  return code;
}
