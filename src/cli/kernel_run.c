/* tessera kernel run: runs the kernels of a folder on a chip, with the report of one tile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_report.h"
#include "cli/chip_trace.h"
#include "cli/coverage.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "cli/what_if.h"

#define CYCLES_DEFAULT UINT64_C(1000000000)
#define RERUN_TIMES_MAX 4u              /* a rerun that takes longer than this many times the run is abandoned */
#define PART_CYCLES (UINT64_C(1) << 18) /* at most, between two checks for a signal */

struct run {
  struct kernel_settings *s;
  struct chip_job *j;
  struct chip_at tiles[CHIP_JOB_TILES]; /* tiles with kernels; the first, or that of --tile, is observed */
  unsigned tile_count;
  struct chip_at watched;
  FILE *json, *report;
  struct cli_report html;
  struct chip_timelines timelines; /* of a grid's report */
  struct chip_trace trace;         /* of a grid */
  struct cli_reruns reruns;
  enum tessera_result end;
  int code;
  uint64_t max_cycles;
};

/* --- setting up --- */

static bool find_tiles(struct run *r, const struct chip_statement *kernel) {
  const char *wanted = r->s->tile;
  unsigned x = 0, y = 0;
  int used = 0;
  unsigned count = chip_job_tiles(r->j, kernel, r->tiles);
  for (unsigned i = 0; i < count; i++)
    if (!r->j->d.program_count || chip_file_program(&r->j->d, r->tiles[i].x, r->tiles[i].y))
      r->tiles[r->tile_count++] = r->tiles[i];
  if (!r->tile_count) return false;
  r->watched = r->tiles[0];
  if (!wanted) return true;
  if (sscanf(wanted, "%u,%u%n", &x, &y, &used) != 2 || wanted[used])
    return cli_bad_input("kernel", "--tile takes X,Y, not '%s'", wanted), false;
  for (unsigned i = 0; i < r->tile_count; i++)
    if (r->tiles[i].x == x && r->tiles[i].y == y) {
      r->watched = r->tiles[i];
      return true;
    }
  return cli_bad_input("kernel", "--tile %s: no kernel runs there", wanted), false;
}

/* Checkers are attached before anything is loaded, so that they see every write. */
static bool set_tiles(struct run *r) {
  struct cli_session *session = &r->s->session;
  for (unsigned i = 0; i < r->tile_count; i++) {
    struct tessera_tile *tile = tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y);
    bool watched = r->tiles[i].x == r->watched.x && r->tiles[i].y == r->watched.y;
    if (!tile) return cli_bad_input("kernel", "out of memory"), false;
    if (!cli_session_apply(session, tile)) return false;
    if (watched) session->tile = tile;
  }
  return true;
}

/* A tile's launch is finished: the word of the launch block (kernels/include/launch.h) that counts launches. */
#define FINISHED_WORD 0x58u
#define LAST_CYCLES 64u /* the firmware stops its cores within this many cycles after that */
#define LAST_PARTS 1000u

static bool stop_when_finished(struct run *r) {
  if (r->s->gdb || r->j->until) return true; /* gdb's user or the description decides where to stop */
  for (unsigned i = 0; i < r->tile_count; i++) {
    struct tessera_tile *tile = tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y);
    if (tessera_tile_until(tile, FINISHED_WORD, UINT32_MAX, 1, NULL) != TESSERA_OK)
      return cli_bad_input("kernel", "%s", tessera_tile_error(tile)), false;
  }
  return true;
}

static bool all_finished(const struct run *r) {
  for (unsigned i = 0; i < r->tile_count; i++) {
    uint8_t word[4] = {0};
    tessera_tile_read(tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y), FINISHED_WORD, word, sizeof word);
    if (!word[0]) return false;
  }
  return true;
}

static bool open_one(const char *path, FILE **file) {
  if (!path) return true;
  *file = strcmp(path, "-") == 0 ? stdout : cli_create(path);
  return *file || (cli_bad_input("kernel", "%s: could not be written: %s", path, strerror(errno)), false);
}

/* The trace has all tiles, the packets and the accesses of DRAM, unless --tile asks for one of several tiles or the format has no room for them. */
static bool trace_grid(struct run *r) {
  struct cli_session *session = &r->s->session;
  if (!session->trace_path || (r->tile_count > 1 && r->s->tile)) return true;
  struct tessera_trace_options options = cli_session_trace_options(session);
  if (!chip_trace_has_tiles(options.format)) return true;
  session->trace_of_chip = true;
  r->trace = (struct chip_trace){.verb = "kernel", .path = session->trace_path};
  bool good = chip_trace_begin(&r->trace, r->j->chip, &options, r->tile_count);
  for (unsigned i = 0; good && i < r->tile_count; i++) {
    struct chip_at at = r->tiles[i];
    good = chip_trace_tile(&r->trace, tessera_chip_tile(r->j->chip, at.x, at.y), at.x, at.y);
  }
  return good;
}

/* Without --tile the report and the verdict of a grid are those of the chip: all tiles, each with its account. */
static bool is_grid(const struct run *r) { return r->tile_count > 1 && !r->s->tile; }
static bool reports_grid(const struct run *r) { return r->s->report_path && is_grid(r); }

static struct cli_verdict verdict_of_run(const struct run *r) {
  return (struct cli_verdict){.tile = r->s->session.tile, .chip = is_grid(r) ? r->j->chip : NULL, .tiles = r->tile_count};
}

static bool covers_grid(const struct run *r) { return r->s->session.coverage_path && is_grid(r); }

/* The verdict on one tile names lines of the tiles that it waits for. */
static bool begin_accounts(struct run *r) {
  if (r->tile_count < 2 || (!r->s->why && !reports_grid(r) && !covers_grid(r))) return true;
  for (unsigned i = 0; i < r->tile_count; i++) {
    struct cli_session other = r->s->session;
    other.tile = tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y);
    other.account = true;
    if (other.tile != r->s->session.tile && !cli_session_begin_account(&other)) return false;
  }
  return true;
}

/* A kernel_main without debug information that is inlined, or an end before it: all accounts are of the whole run. */
static void keep_accounts(struct run *r) {
  struct cli_session *session = &r->s->session;
  for (unsigned i = 0; i < r->tile_count; i++)
    if (!cli_session_awaits_kernel(session, tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y))) return;
  for (unsigned i = 0; i < r->tile_count; i++)
    tessera_tile_account_from(tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y), CLI_START);
  cli_session_keep_account(session);
}

static bool begin_report(struct run *r) {
  if (!r->report) return true;
  return reports_grid(r) ? chip_timelines_begin(&r->timelines, r->j) : cli_report_begin(&r->html, r->s->session.tile);
}

static bool open_files(struct run *r) {
  struct cli_session *session = &r->s->session;
  if (!open_one(r->s->json_path, &r->json) || !open_one(r->s->report_path, &r->report)) return false;
  return begin_accounts(r) && begin_report(r) && trace_grid(r) && cli_session_open_files(session);
}

static bool set_up(struct run *r) {
  if (!kernel_add_programs(r->s, &r->j->d)) return false;
  struct chip_statement copy = r->j->d.statements[r->j->d.count - 1];
  if (r->j->d.program_count) copy.place = r->j->d.grid;
  return find_tiles(r, &copy) && set_tiles(r) && chip_job_load(r->j) && cli_session_begin_account(&r->s->session) &&
         open_files(r) && stop_when_finished(r) && (r->s->gdb || chip_job_drain_begin(r->j)) &&
         chip_job_start(r->j, r->s->session.check);
}

/* 1: the run continues; 0: gdb has ended it; -1 after one line. */
static int debug(struct run *r, uint64_t cycles) {
  if (!r->s->gdb) return 1;
  struct tessera_debugger *debugger = chip_job_debugger(r->j, "kernel", cycles);
  int end = debugger ? cli_gdb_serve("kernel", debugger, r->s->gdb) : -1;
  tessera_debugger_close(debugger);
  return end;
}

/* --- running --- */

/* The clock of a chip advances after all cores have stopped, so the end is approached in small steps: the report shows the
 * kernels' cycles. Tiles that finish at once stop the run one after the other. */
static enum tessera_result run_last(struct run *r) {
  enum tessera_result end = TESSERA_LIMIT;
  for (unsigned i = 0; (end == TESSERA_LIMIT || end == TESSERA_STOPPED) && i < LAST_PARTS; i++) {
    uint64_t past = tessera_chip_cycle(r->j->chip) % LAST_CYCLES;
    end = tessera_chip_run(r->j->chip, LAST_CYCLES - past);
  }
  return end;
}

static enum tessera_result run_chip(struct run *r, uint64_t cycles) {
  struct cli_run_clock clock = cli_run_begin("kernel", 0, chip_job_activity, r->j->chip);
  clock.rerun = r->s->what_if;
  enum tessera_result end;
  uint64_t done = 0;
  cli_catch_signals();
  if (r->s->gdb && !r->j->until && all_finished(r)) return run_last(r); /* it has ended under the debugger */
  do {
    end = chip_job_run(r->j, cli_run_part(&clock, cycles - done, PART_CYCLES));
    done = tessera_chip_cycle(r->j->chip);
    bool drained = end == TESSERA_STOPPED && chip_job_drain(r->j);
    if (end == TESSERA_STOPPED && !r->j->until) end = all_finished(r) ? run_last(r) : TESSERA_LIMIT;
    else if (drained && !chip_job_until_met(r->j)) end = TESSERA_LIMIT;
    if (end == TESSERA_LIMIT) cli_run_progress(&clock, done);
  } while (end == TESSERA_LIMIT && done < cycles && !cli_stopped());
  cli_progress_clear();
  return end;
}

/* --- reporting --- */

static bool finish_file(FILE *file, const char *path, bool good) {
  if (file != stdout) good = cli_finish(file, path, good);
  if (!good) cli_not_written("kernel", path);
  return good;
}

/* The tile of JSON's tables: the one of --tile, else the observed one, unless only another tile has something to report. */
static struct tessera_tile *reported_tile(const struct run *r) {
  struct tessera_tile *watched = r->s->session.tile;
  for (unsigned i = 0; !r->s->tile && !tessera_tile_exit_code(watched) && i < r->tile_count; i++) {
    struct tessera_tile *tile = tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y);
    int code = tessera_tile_exit_code(tile);
    if (code && code != CLI_LIMIT) return tile;
  }
  return watched;
}

/* JSON of a grid begins with the tile whose cores, threads and units it has. Returns the rest of the text. */
static const char *put_tile(const struct run *r, const char *text, FILE *file) {
  const struct tessera_tile *tile = reported_tile(r);
  for (unsigned i = 0; r->tile_count > 1 && text[0] == '{' && i < r->tile_count; i++) {
    const struct chip_at at = r->tiles[i];
    if (tessera_chip_tile(r->j->chip, at.x, at.y) != tile) continue;
    fprintf(file, "{\"tile\":[%u,%u],", at.x, at.y);
    return text + 1;
  }
  return text;
}

static bool write_one(struct run *r, FILE *file, const char *path, enum tessera_report format) {
  if (!file) return true;
  const char *text = tessera_chip_outcome(r->j->chip, reported_tile(r), format);
  if (format == TESSERA_REPORT_JSON) text = put_tile(r, text, file);
  return finish_file(file, path, fputs(text, file) >= 0);
}

/* The verdict's text and the report share the chip's buffer: the report is copied. */
static bool write_json(struct run *r, FILE *file) {
  if (!file || !r->s->why) return write_one(r, file, r->s->json_path, TESSERA_REPORT_JSON);
  const struct cli_verdict why = verdict_of_run(r);
  const char *text = tessera_chip_outcome(r->j->chip, reported_tile(r), TESSERA_REPORT_JSON);
  char *report = malloc(strlen(text) + 1);
  bool good = report != NULL;
  if (good) strcpy(report, text);
  good = good && cli_why_json_write(file, put_tile(r, report, file), &why, cli_session_cycles(&r->s->session), &r->reruns);
  free(report);
  return finish_file(file, r->s->json_path, good);
}

static bool write_report(struct run *r, FILE *out) {
  r->html.compared = r->j->compared;
  r->html.chip = r->j->chip;
  if (!reports_grid(r)) return cli_report_write(&r->html, r->s->session.tile, out);
  const struct chip_report_run about = {.path = r->j->d.path ? r->j->d.path : r->s->folder,
                                        .result = chip_report_result(r->j, r->end),
                                        .threads = r->s->threads,
                                        .max_cycles = r->max_cycles,
                                        .code = r->code,
                                        .what_ifs = r->reruns.text};
  return chip_report_write(r->j, &about, &r->timelines, out);
}

/* The counts of all tiles. */
static bool write_coverage(struct run *r) {
  FILE *file = r->s->session.coverage;
  struct cli_coverage sum = {.records = NULL};
  bool good = true;
  if (!file || !covers_grid(r)) return true;
  for (unsigned i = 0; good && i < r->tile_count; i++)
    good = cli_coverage_add(
        &sum, tessera_tile_profile(tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y), TESSERA_PROFILE_LCOV));
  good = good && cli_coverage_write(&sum, file);
  cli_coverage_free(&sum);
  r->s->session.coverage = NULL;
  return finish_file(file, r->s->session.coverage_path, good);
}

static bool write_files(struct run *r) {
  struct cli_session *session = &r->s->session;
  FILE *json = r->json, *report = r->report, *sarif = session->sarif;
  r->json = r->report = session->sarif = NULL;
  bool good = write_one(r, sarif, session->sarif_path, TESSERA_REPORT_SARIF);
  good = write_json(r, json) && good;
  good = write_coverage(r) && good;
  good = cli_session_write_profile(session) && good;
  if (report) good = finish_file(report, r->s->report_path, write_report(r, report)) && good;
  return good;
}

/* The verdict and its exit code: a text of the library, shared with other callers. */
static const char *verdict(const struct run *r, enum tessera_result end, uint64_t cycles, int *code) {
  struct tessera_tile_at tiles[CHIP_JOB_TILES];
  for (unsigned i = 0; i < r->tile_count; i++) tiles[i] = (struct tessera_tile_at){r->tiles[i].x, r->tiles[i].y};
  struct tessera_kernel_run run = {
      .end = end, .cycles = cycles, .description = r->j->d.path, .tiles = tiles, .tile_count = r->tile_count};
  return tessera_chip_verdict(r->j->chip, &run, code);
}

static unsigned count_lines(const char *text) {
  unsigned lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

/* A hang shows few of them, and the whole fits on a screen: its own lines come first. */
#define FINDINGS_OF_HANG 4u
#define LINES_OF_HANG 24u
#define FINDINGS_OF_GRID 12u

/* A finding of one tile of the grid. */
struct listed {
  unsigned tile; /* of run.tiles */
  size_t index;
  enum tessera_severity severity;
  uint64_t cycle;
};

static int by_severity_and_cycle(const void *a, const void *b) {
  const struct listed *x = a, *y = b;
  if (x->severity != y->severity) return x->severity > y->severity ? -1 : 1;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->tile != y->tile) return x->tile < y->tile ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Those of at least this severity. NULL: none, or no memory. */
static struct listed *list_findings(const struct run *r, enum tessera_severity least, size_t *count) {
  size_t room = 0;
  for (unsigned i = 0; i < r->tile_count; i++)
    room += tessera_tile_finding_count(tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y));
  struct listed *all = room ? malloc(room * sizeof *all) : NULL;
  *count = 0;
  for (unsigned i = 0; all && i < r->tile_count; i++) {
    struct tessera_tile *tile = tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y);
    struct tessera_finding f;
    for (size_t k = 0; *count < room && tessera_tile_finding(tile, k, &f) == TESSERA_OK; k++)
      if (f.severity >= least) all[(*count)++] = (struct listed){i, k, f.severity, f.first_cycle};
  }
  if (*count) qsort(all, *count, sizeof *all, by_severity_and_cycle);
  return all;
}

/* "5 more findings on 3 tiles: --verbose lists them, --json has them all" */
static void print_left_out(const struct listed *all, size_t shown, size_t count) {
  bool seen[CHIP_JOB_TILES] = {false};
  unsigned tiles = 0;
  for (size_t i = shown; i < count; i++)
    if (!seen[all[i].tile]) seen[all[i].tile] = true, tiles++;
  if (shown < count)
    printf("%zu%s finding%s on %u tile%s: --verbose lists them, --json FILE has them all\n", count - shown,
           shown ? " more" : "", count - shown == 1 ? "" : "s", tiles, tiles == 1 ? "" : "s");
}

/* Findings, errors first and the earliest of them first, because later ones may follow from it: at most `most`, and up to this line of
 * the output. */
static void print_list(const struct run *r, const struct listed *all, size_t count, unsigned most, unsigned lines,
                       unsigned last_line) {
  size_t shown = 0;
  lines += 3; /* the heading, and what is left out */
  for (; shown < count; shown++) {
    const struct listed *f = &all[shown];
    char text[2048]; /* with its other side */
    tessera_tile_finding_text(tessera_chip_tile(r->j->chip, r->tiles[f->tile].x, r->tiles[f->tile].y), f->index, text,
                              sizeof text);
    bool fits = shown < most && lines + count_lines(text) <= last_line;
    if (!fits && !r->s->session.verbose) break;
    if (!shown) puts("\nfindings");
    lines += count_lines(text);
    if (r->tile_count > 1) printf("tile (%u, %u): ", r->tiles[f->tile].x, r->tiles[f->tile].y);
    fputs(text, stdout);
  }
  print_left_out(all, shown, count);
}

/* The findings of all tiles. */
static void print_findings(const struct run *r, unsigned most, unsigned lines, unsigned last_line) {
  size_t count;
  struct listed *all = list_findings(r, TESSERA_NOTE, &count);
  print_list(r, all, count, most, lines, last_line);
  free(all);
}

/* What the checkers had found when a core stopped: often the cause. */
static void print_findings_of_fault(const struct run *r) {
  size_t count;
  struct listed *all = list_findings(r, TESSERA_WARNING, &count);
  print_list(r, all, count, FINDINGS_OF_HANG, 0, UINT32_MAX);
  free(all);
}

static void print_hang(const struct run *r) {
  const char *text = tessera_chip_explain(r->j->chip);
  fputs(text, stdout);
  print_findings(r, FINDINGS_OF_HANG, count_lines(text), LINES_OF_HANG);
}

/* "hazard after 6596 cycles: tile (1, 2): ...": a finding has stopped the run. */
static void print_stop(const struct run *r) {
  struct tessera_fault fault;
  unsigned x, y;
  if (!tessera_chip_fault(r->j->chip, &fault, &x, &y) || strcmp(fault.kind, "hazard") != 0) return;
  const char *text = tessera_tile_report(tessera_chip_tile(r->j->chip, x, y), TESSERA_REPORT_TEXT),
             *why = strstr(text, ": ");
  if (!why) return;
  printf("%.*s: tile (%u, %u)%.*s\n", (int)(why - text), text, x, y, (int)strcspn(why, "\n"), why);
}

/* What the whole grid did: the first lines, the findings of all tiles, the tables. */
static void print_grid(const struct run *r) {
  print_stop(r);
  const char *text = tessera_chip_report(r->j->chip), *tables = strstr(text, "\n\n");
  size_t head = tables ? (size_t)(tables - text) + 1 : strlen(text);
  fwrite(text, 1, head, stdout);
  print_findings(r, FINDINGS_OF_GRID, 0, UINT32_MAX);
  fputs(text + head, stdout);
}

/* One tile of a grid: its findings are above. */
static void print_tile(const struct run *r) {
  static const char title[] = "\nfindings\n";
  const char *text = tessera_tile_report(r->s->session.tile, TESSERA_REPORT_TEXT), *findings = strstr(text, title);
  const char *rest = findings ? strstr(findings + sizeof title - 1, "\n\n") : NULL;
  printf("\ntile (%u, %u)\n", r->watched.x, r->watched.y);
  fwrite(text, 1, findings ? (size_t)(findings - text) : strlen(text), stdout);
  if (rest) fputs(rest + 1, stdout);
}

static void print_report(const struct run *r, enum tessera_result end) {
  struct tessera_tile *tile = r->s->session.tile;
  const struct cli_verdict why = verdict_of_run(r);
  if (end == TESSERA_HANG && r->tile_count > 1) {
    print_hang(r);
    if (r->s->why) fputs(cli_verdict_text(&why), stdout);
    else if (r->s->session.account)
      printf("--json FILE has the account of tile (%u, %u); --tile X,Y chooses another\n", r->watched.x, r->watched.y);
    return;
  }
  if (r->tile_count > 1) {
    print_grid(r);
    print_tile(r);
    if (is_grid(r) && r->s->session.profile_path)
      printf("\nthe profile in %s is that of tile (%u, %u); --tile X,Y chooses another\n", r->s->session.profile_path,
             r->watched.x, r->watched.y);
  } else {
    fputs(tessera_tile_report(tile, TESSERA_REPORT_TEXT), stdout);
  }
  if (end == TESSERA_HANG && r->s->session.verbose) printf("\nwhere the cores are\n%s", tessera_tile_where(tile));
  if (r->s->why) fputs(cli_verdict_text(&why), stdout);
  if (r->s->why) fputs(cli_verdict_timing(r->j->d.timing != TESSERA_TIMING_OFF), stdout);
  if (r->reruns.text) fputs(r->reruns.text, stdout);
}

/* After a fault the report is one line and the findings before it; what --why asked for has its own. */
static void print_no_verdict(const struct run *r) {
  const struct cli_verdict why = verdict_of_run(r);
  const char *text = cli_verdict_text(&why);
  fputs(text + (*text == '\n'), stdout);
}

/* --- the same run again with one change --- */

static bool set_what_if(struct run *r) {
  for (unsigned i = 0; i < r->tile_count; i++)
    if (!cli_what_if_set(tessera_chip_tile(r->j->chip, r->tiles[i].x, r->tiles[i].y), r->s->what_if)) return false;
  return true;
}

static struct kernel_settings again(const struct run *first, const char *what) {
  struct kernel_settings s = *first->s;
  s.session = (struct cli_session){.verb = "kernel",
                                   .account = true, /* for its begin */
                                   .check = cli_rerun_checks(what, first->s->session.check),
                                   .from = first->s->session.from,
                                   .timing = first->s->session.timing,
                                   .max_cycles = first->s->session.max_cycles,
                                   .params = first->s->session.params,
                                   .param_count = first->s->session.param_count};
  s.json_path = s.report_path = s.gdb = NULL;
  s.why = false;
  s.what_if = what;
  return s;
}

/* Does a program have what this change names? false after one line on stderr. */
static bool applies(const struct run *first, const char *what) {
  struct kernel_settings s = again(first, NULL);
  struct chip_job j = {0};
  char path[KERNEL_PATH];
  struct run r = {.s = &s, .j = &j};
  bool good = kernel_describe(&s, &j.d, path) && kernel_create_chip(&s, &j) && set_up(&r), any = false;
  for (unsigned i = 0; good && !any && i < r.tile_count; i++)
    any = cli_what_if_set(tessera_chip_tile(j.chip, r.tiles[i].x, r.tiles[i].y), what);
  if (good && !any)
    cli_bad_input("kernel", "--what-if %s: %s", what,
                  tessera_tile_error(tessera_chip_tile(j.chip, r.tiles[0].x, r.tiles[0].y)));
  chip_job_free(&j);
  return any;
}

static bool what_ifs_apply(const struct run *r) {
  for (size_t i = 0; i < r->s->what_if_count; i++)
    if (cli_what_if_names_code(r->s->what_ifs[i]) && !applies(r, r->s->what_ifs[i])) return false;
  return true;
}

/* The tiles with kernels, and the same ones of the rerun. */
static void compare(struct cli_rerun *out, const char *what, const struct run *run, const struct run *again) {
  for (unsigned i = 0; i < run->tile_count && !out->race[0]; i++) {
    const struct chip_at at = run->tiles[i];
    cli_rerun_compare(out, what, tessera_chip_tile(run->j->chip, at.x, at.y), tessera_chip_tile(again->j->chip, at.x, at.y));
  }
}

static bool rerun(void *context, const char *what, struct cli_rerun *out, struct cli_next *next) {
  const struct run *first = context;
  struct kernel_settings s = again(first, what);
  struct chip_job j = {0};
  char path[KERNEL_PATH];
  s.why = next != NULL; /* accounts of all tiles */
  struct run r = {.s = &s, .j = &j};
  bool good = kernel_describe(&s, &j.d, path) && kernel_create_chip(&s, &j) && set_up(&r) && set_what_if(&r);
  good = good && run_chip(&r, tessera_chip_cycle(first->j->chip) * RERUN_TIMES_MAX) == TESSERA_DONE;
  if (good) out->cycles = cli_session_cycles(&s.session);
  if (good) compare(out, what, first, &r);
  const struct cli_verdict verdict = verdict_of_run(&r);
  if (good && next && !cli_stopped()) cli_verdict_next(&verdict, next);
  chip_job_free(&j);
  return good;
}

static void run_what_ifs(struct run *r, enum tessera_result end) {
  const struct cli_verdict verdict = verdict_of_run(r);
  if (!r->s->why || end != TESSERA_DONE) return;
  r->reruns = cli_what_if_lines(r->s->what_ifs, r->s->what_if_count, &verdict, cli_session_cycles(&r->s->session), rerun, r);
  r->html.what_ifs = r->reruns.text;
}

/* A finding has stopped the run (--strict). */
static bool stopped_by_finding(const struct run *r) {
  struct tessera_fault fault;
  unsigned x, y;
  return tessera_chip_fault(r->j->chip, &fault, &x, &y) && strcmp(fault.kind, "hazard") == 0;
}

/* Expectations are compared only if all kernels returned: otherwise there is no result. A failed one takes precedence over an
 * error finding (1 before 5). */
static int code_of_run(struct run *r, enum tessera_result end, int code) {
  if (code == CLI_FAULT) return code;
  if (stopped_by_finding(r)) return CLI_HAZARD;
  if (cli_interrupted()) return cli_code_of_run("kernel", CLI_LIMIT);
  if (code == CLI_HANG || code == CLI_LIMIT || end == TESSERA_LIMIT) return code;
  int checked = chip_job_finish(r->j);
  if (cli_interrupted()) return cli_code_of_run("kernel", CLI_LIMIT);
  return checked != CLI_OK ? checked : code;
}

/* The tile of the report and the chip have one exit code. */
static void set_codes(const struct run *r, int code) {
  tessera_tile_set_exit_code(r->s->session.tile, code);
  tessera_chip_set_exit_code(r->j->chip, code);
}

static int finish(struct run *r, enum tessera_result end, uint64_t cycles) {
  bool good = cli_session_close_trace(&r->s->session) && chip_trace_end(&r->trace);
  bool to_stdout = r->json == stdout || r->s->session.sarif == stdout;
  int code = CLI_OK;
  if (cli_memory_failed) return cli_bad_input("kernel", "out of memory"); /* the run says nothing about the kernel */
  verdict(r, end, cycles, &code);
  keep_accounts(r);
  cli_session_note_account(&r->s->session);
  run_what_ifs(r, end);
  if (cli_memory_failed) return cli_bad_input("kernel", "out of memory");
  bool fault = code == CLI_FAULT;
  if (end == TESSERA_LIMIT && cli_interrupted()) set_codes(r, cli_interrupted()); /* the report has it too */
  char *text = NULL;
  size_t length = 0;
  FILE *held =
      to_stdout ? open_memstream(&text, &length) : NULL; /* one document there; the rest follows on standard error */
  if (to_stdout && !held) return cli_bad_input("kernel", "out of memory");
  r->j->out = held ? held : stdout;
  for (unsigned i = 0; i < r->tile_count; i++) chip_job_print(r->j, r->tiles[i], r->tile_count > 1);
  const struct cli_session *session = &r->s->session;
  bool whole = session->verbose || session->account_asked || (session->account && !r->s->why); /* the account is in it */
  if (!to_stdout && (!fault || whole)) print_report(r, end);
  fflush(stdout);
  if (fault || (code == CLI_LIMIT && !cli_interrupted())) /* before an error message about a file */
    fprintf(stderr, "tessera kernel: %s", verdict(r, end, cycles, &code));
  if (fault && !to_stdout && !whole) print_findings_of_fault(r);
  if (fault && r->s->why && !to_stdout && !whole) print_no_verdict(r);
  code = code_of_run(r, end, code);
  r->end = end;
  r->code = code;
  r->max_cycles = cycles;
  tessera_chip_set_exit_code(r->j->chip, code);
  good = write_files(r) && good;
  if (held && fclose(held) != 0) good = (cli_bad_input("kernel", "out of memory"), false);
  if (held && good && fflush(stdout) != 0)
    good = (cli_bad_input("kernel", "standard output could not be written: %s", strerror(errno)), false);
  r->j->out = NULL;
  if (good && text) fputs(text, stderr);
  free(text);
  return cli_session_region_began(&r->s->session) && good ? code : CLI_BAD_INPUT;
}

int kernel_run(struct kernel_settings *s, struct chip_job *j) {
  if (!s->session.from && (s->why || s->report_path)) s->session.from = CLI_REGION;
  struct run r = {.s = s, .j = j};
  int code = CLI_BAD_INPUT;
  uint64_t cycles = s->session.max_cycles ? s->session.max_cycles : j->d.cycles ? j->d.cycles : CYCLES_DEFAULT;
  bool good = set_up(&r);
  if (good) chip_job_notes(j);
  int debugged = good && what_ifs_apply(&r) ? debug(&r, cycles) : -1;
  if (debugged > 0) code = finish(&r, run_chip(&r, cycles), cycles);
  else if (debugged == 0) code = CLI_OK;
  chip_trace_discard(&r.trace);
  cli_discard(r.json, s->json_path);
  cli_discard(r.report, s->report_path);
  cli_report_free(&r.html);
  chip_timelines_free(&r.timelines);
  free(r.reruns.text);
  free(r.reruns.json);
  return code;
}
