/* tessera pto check, explore and sweep. */
#include "cli/pto_tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/verb.h"

#define LINE_BYTES 200u /* of a source line that are shown */
#define NOTES_MAX 1024u
#define SWEEP_ROWS_MAX 4096u
#define COMBINATIONS_MAX 4096u

/* Prints the source line with a caret under it. */
static void print_line(const struct pto_cli *cli, uint32_t line, uint32_t column) {
  const char *at = cli->source.data, *end = at + cli->source.size;
  char text[LINE_BYTES + 1];
  size_t width = 0;
  int caret = 0;
  if (!line) return;
  for (uint32_t n = 1; n < line && at < end; at++) n += *at == '\n';
  for (; at + width < end && at[width] != '\n' && width < LINE_BYTES; width++) {
    text[width] = at[width] ? at[width] : ' ';
    if (width + 1 < column) caret += at[width] == '\t' || (at[width] >= ' ' && at[width] <= '~') ? 1 : 4; /* \x1b */
  }
  text[width] = '\0';
  printf("  ");
  cli_show(stdout, text);
  putchar('\n');
  if (column && column <= LINE_BYTES) printf("  %*s^\n", caret, "");
}

static void print_note(const struct pto_cli *cli, const struct tessera_pto_note *n, bool first) {
  if (cli->json) {
    printf("%s{\"severity\": \"%s\", \"rule\": \"%s\", \"line\": %u, \"column\": %u, \"text\": ", first ? "" : ", ",
           tessera_pto_severity_name(n->severity), n->rule, n->line, n->column);
    cli_json_string(stdout, n->text);
    putchar('}');
    return;
  }
  printf("%s:%u:%u: %s: %s [%s]\n", cli->file, n->line, n->column, tessera_pto_severity_name(n->severity), n->text, n->rule);
  print_line(cli, n->line, n->column);
}

static bool write_sarif(struct pto_cli *cli) {
  FILE *file = cli_create(cli->sarif);
  if (!file) return cli_bad_input("pto check", "%s: could not be written: %s", cli->sarif, strerror(errno)), false;
  size_t need = tessera_pto_check_sarif(cli->program, cli->policy, cli->file, NULL, 0);
  char *text = malloc(need + 1);
  if (text) tessera_pto_check_sarif(cli->program, cli->policy, cli->file, text, need + 1);
  bool good = cli_finish(file, cli->sarif, text && fwrite(text, 1, need, file) == need);
  free(text);
  return good || (cli_not_written("pto check", cli->sarif), false);
}

int pto_cli_check(struct pto_cli *cli) {
  unsigned errors = 0, warnings = 0;
  if (cli->sarif && !cli_can_create(cli->sarif))
    return cli_bad_input("pto check", "%s: could not be written: %s", cli->sarif, strerror(errno));
  struct tessera_pto_note *notes = calloc(NOTES_MAX, sizeof *notes);
  if (!notes) return cli_bad_input("pto check", "out of memory");
  int count = tessera_pto_notes(cli->program, cli->policy, notes, NOTES_MAX);
  if (count < 0) return free(notes), pto_cli_refused(cli, cli->program);
  for (int i = 0; i < count; i++) {
    errors += notes[i].severity == TESSERA_PTO_ERROR;
    warnings += notes[i].severity == TESSERA_PTO_WARNING;
  }
  if (cli->json) printf("{\"errors\": %u, \"warnings\": %u, \"notes\": [", errors, warnings);
  for (int i = 0; i < count; i++) print_note(cli, &notes[i], i == 0);
  if (cli->json) puts("]}");
  else printf("%u error%s, %u warning%s\n", errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
  free(notes);
  if (cli->sarif && !write_sarif(cli)) return CLI_BAD_INPUT;
  return errors ? CLI_FAILED : CLI_OK;
}

static void print_exploration(const struct pto_cli *cli, const struct tessera_pto_exploration *r, bool stopped) {
  if (cli->json) {
    printf("{\"runs\": %u, \"broken\": %s, \"cycles\": %llu, \"compared\": %u", r->runs, r->broken ? "true" : "false",
           (unsigned long long)r->cycles, r->compared);
    if (r->broken) {
      printf(", \"kind\": \"%s\", \"run\": %u, \"schedule\": ", tessera_pto_finding_name(r->kind), r->first_broken);
      cli_json_string(stdout, r->schedule);
      printf(", \"text\": ");
      cli_json_string(stdout, r->text);
    }
    puts("}");
  } else if (r->broken) {
    printf("%s schedule %u (%s). %s:\n%s\n%s\n", r->kind == TESSERA_PTO_FOUND_LEAK ? "warning under" : "breaks under",
           r->first_broken, tessera_pto_finding_name(r->kind), stopped ? "It is" : "The smallest that does so", r->schedule,
           r->text);
  } else {
    printf("%u schedules, nothing breaks (%llu cycles without delays); the final tensors of %u are equal\n", r->runs,
           (unsigned long long)r->cycles, r->compared);
  }
}

int pto_cli_explore(struct pto_cli *cli) {
  const struct tessera_pto_explore_options o = {.schedules = (uint32_t)cli->schedules,
                                                .seed = (uint32_t)cli->seed,
                                                .policy = cli->policy,
                                                .cycle_limit = cli->limit,
                                                .progress = cli_progress_runs,
                                                .progress_context = "schedules"};
  struct tessera_pto_exploration *r = calloc(1, sizeof *r);
  if (!r) return cli_bad_input("pto explore", "out of memory");
  cli_catch_signals();
  int broken = tessera_pto_explore_until(cli->program, &o, cli_stop_word(), r), result = CLI_OK;
  cli_progress_clear();
  if (broken < 0) return free(r), pto_cli_refused(cli, cli->program);
  print_exploration(cli, r, broken == 2);
  if (r->broken && r->kind != TESSERA_PTO_FOUND_LEAK) result = CLI_HAZARD; /* a leak is a warning, as in run */
  if (r->faults) result = CLI_FAULT;
  else if (r->hangs) result = CLI_HANG;
  if (r->kind == TESSERA_PTO_FOUND_FAULT) result = CLI_FAULT;
  if (r->kind == TESSERA_PTO_FOUND_LIMIT) result = CLI_LIMIT;
  free(r);
  return cli_code_of_run("pto explore", result);
}

/* --- sweep --- */

/* The rows of a sweep, and its programs. */
struct sweep {
  struct tessera_pto_sweep_row *rows;
  size_t count;
  uint32_t first_safe;
};

static double time_per_tile(const struct tessera_pto_sweep_row *row) {
  return row->tiles ? (double)row->cycles / (double)row->tiles : 0;
}

static void verdict(const struct tessera_pto_sweep_row *row, char *text, size_t size) {
  size_t used = 0;
  snprintf(text, size, "%s", row->fits ? row->findings ? "" : "safe" : "does not fit");
  for (unsigned k = 1; k < TESSERA_PTO_FINDINGS && row->fits; k++)
    if (row->findings >> k & 1u) {
      int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", tessera_pto_finding_name(k));
      if (n > 0 && (size_t)n < size - used) used += (size_t)n;
    }
}

static bool write_svg(FILE *file, const struct pto_cli *cli, const struct sweep *s) {
  size_t need = tessera_pto_sweep_svg(s->rows, s->count, cli->file, NULL, 0);
  char *text = malloc(need + 1);
  if (text) tessera_pto_sweep_svg(s->rows, s->count, cli->file, text, need + 1);
  bool good = text && fwrite(text, 1, need, file) == need;
  good = cli_finish(file, cli->svg, good);
  free(text);
  return good || (cli_not_written("pto sweep", cli->svg), false);
}

/* One program for each combination of the parameters' values. */
struct variants {
  struct tessera_pto_program **programs;
  struct pto_cli_setting (*settings)[PTO_CLI_AXES_MAX];
  unsigned count;
};

static void free_variants(struct variants *v) {
  for (unsigned i = 0; i < v->count; i++) tessera_pto_destroy(v->programs[i]);
  free(v->programs);
  free(v->settings);
}

static bool make_variants(struct pto_cli *cli, struct variants *v) {
  unsigned total = 1;
  for (unsigned i = 0; i < cli->axis_count; i++) total *= cli->axes[i].count;
  *v = (struct variants){.count = 0};
  if (total > COMBINATIONS_MAX) return cli_bad_input("pto sweep", "%u combinations are too many", total), false;
  v->programs = calloc(total, sizeof *v->programs);
  v->settings = calloc(total, sizeof *v->settings);
  for (unsigned n = 0; n < total && v->programs && v->settings; n++) {
    struct pto_cli_setting all[TESSERA_PTO_SETTINGS_MAX];
    memcpy(all, cli->settings, sizeof all);
    for (unsigned i = 0, rest = n; i < cli->axis_count; rest /= cli->axes[i].count, i++) {
      struct pto_cli_setting *s = &v->settings[n][i];
      memcpy(s->name, cli->axes[i].name, sizeof s->name);
      s->value = cli->axes[i].values[rest % cli->axes[i].count];
      all[cli->setting_count + i] = *s;
    }
    v->programs[n] = pto_cli_parse(cli, all, cli->setting_count + cli->axis_count);
    if (!v->programs[n]) return false;
    v->count++;
  }
  return v->count == total;
}

static void print_row(const struct pto_cli *cli, const struct tessera_pto_sweep_row *r,
                      const struct pto_cli_setting *settings, bool first) {
  char words[256];
  verdict(r, words, sizeof words);
  if (cli->json) {
    printf("%s{", first ? "" : ", ");
    for (unsigned i = 0; i < cli->axis_count; i++) printf("\"%s\": %lld, ", settings[i].name, (long long)settings[i].value);
    printf("\"blocks\": %u, \"depth\": %u, \"period\": %u, \"cycles\": %llu, \"cycles_per_tile\": %.3f, \"gm_bytes\": %llu, "
           "\"ub_bytes\": %llu, \"l1_bytes\": %llu, \"verdict\": \"%s\"}",
           r->blocks, r->depth, r->period, (unsigned long long)r->cycles, time_per_tile(r), (unsigned long long)r->gm_bytes,
           (unsigned long long)r->ub_bytes, (unsigned long long)r->l1_bytes, words);
    return;
  }
  for (unsigned i = 0; i < cli->axis_count; i++) printf("%8lld ", (long long)settings[i].value);
  if (cli->block_count) printf("%6u ", r->blocks);
  printf("%5u %6u  %11.1f  %12llu %10llu %10llu  %s\n", r->depth, r->period, time_per_tile(r),
         (unsigned long long)r->gm_bytes, (unsigned long long)r->ub_bytes, (unsigned long long)r->l1_bytes, words);
}

static void print_sweep(const struct pto_cli *cli, const struct sweep *s, const struct variants *v) {
  if (cli->json) {
    printf("{\"first_safe_depth\": %u, \"rows\": [", s->first_safe);
  } else {
    for (unsigned i = 0; i < cli->axis_count; i++) printf("%8.8s ", cli->axes[i].name);
    if (cli->block_count) printf("blocks ");
    printf("depth period  cycles/tile      GM bytes   UB bytes   L1 bytes  verdict\n");
  }
  for (size_t i = 0; i < s->count; i++) print_row(cli, &s->rows[i], v->settings[s->rows[i].program], i == 0);
  if (cli->json) puts("]}");
  else if (cli->own_depth) return;
  else if (cli_interrupted()) return; /* not all depths were tried */
  else if (s->first_safe) printf("first safe depth at full speed: %u\n", s->first_safe);
  else puts("no depth is safe");
}

/* The same message as run prints, once instead of in every row. */
static int refuse_sweep(const struct pto_cli *cli, const struct tessera_pto_note *why) {
  char text[560];
  if (strcmp(why->rule, "length") == 0) return cli_bad_input("pto sweep", "%s: %s", cli->file, why->text);
  snprintf(text, sizeof text, "line %u: %s", why->line, why->text);
  if (cli->json) {
    printf("{\"fault\": ");
    cli_json_string(stdout, text);
    puts("}");
  } else {
    printf("fault (unsupported): %s\n", text);
  }
  return CLI_FAULT;
}

static bool run_sweep(const struct tessera_pto_sweep_options *o, const struct variants *v, struct sweep *s) {
  s->rows = calloc(SWEEP_ROWS_MAX, sizeof *s->rows);
  cli_catch_signals();
  int count = s->rows ? tessera_pto_sweep_until(v->programs, v->count, o, cli_stop_word(), s->rows, SWEEP_ROWS_MAX) : -1;
  cli_progress_clear();
  if (count < 0) return false;
  s->count = (size_t)count;
  s->first_safe = tessera_pto_sweep_first_safe(s->rows, s->count);
  return true;
}

static struct tessera_pto_sweep_options options_of(const struct pto_cli *cli) {
  struct tessera_pto_sweep_options o = {.depth_min = (uint32_t)cli->depth_min,
                                        .depth_max = (uint32_t)cli->depth_max,
                                        .period = (uint32_t)cli->period,
                                        .schedules = (uint32_t)cli->schedules,
                                        .policy = cli->policy,
                                        .own_depth = cli->own_depth,
                                        .block_count = cli->block_count,
                                        .threads = (unsigned)cli->threads,
                                        .progress = cli_progress_runs,
                                        .progress_context = "points"};
  memcpy(o.blocks, cli->block_list, sizeof o.blocks);
  return o;
}

int pto_cli_sweep(struct pto_cli *cli) {
  const struct tessera_pto_sweep_options o = options_of(cli);
  struct tessera_pto_note why;
  if (cli->svg && (cli->axis_count || cli->block_count > 1 || cli->own_depth))
    return cli_bad_input("pto sweep", "--svg draws depths of one program on one number of blocks");
  int refused = tessera_pto_sweep_refused(cli->program, &o, &why);
  if (refused < 0) return pto_cli_refused(cli, cli->program);
  if (refused) return refuse_sweep(cli, &why);
  /* a sweep takes long: an output file that cannot be created is reported before */
  FILE *svg = cli->svg ? cli_create(cli->svg) : NULL;
  if (cli->svg && !svg) return cli_bad_input("pto sweep", "cannot write %s: %s", cli->svg, strerror(errno));
  struct variants v;
  struct sweep s = {0};
  bool made = make_variants(cli, &v), good = made && run_sweep(&o, &v, &s);
  if (good) print_sweep(cli, &s, &v);
  free_variants(&v);
  bool nothing = cli_interrupted() && !s.count; /* to draw */
  bool written = !svg || (good && !nothing ? write_svg(svg, cli, &s) : !cli_finish(svg, cli->svg, false));
  free(s.rows);
  if (!made) return CLI_BAD_INPUT;
  if (!good) return cli_bad_input("pto sweep", "out of memory");
  if (!written) return CLI_BAD_INPUT;
  return cli_code_of_run("pto sweep", CLI_OK);
}
