/* The verdict of chip_why.h. */
#include "cli/chip_why.h"

#include <stdlib.h>
#include <string.h>

#include "cli/chip_account.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "tessera/profile.h"

#define RERUN_TIMES_MAX 4u                    /* a rerun that takes longer than this many times the run is abandoned */
#define RERUN_CYCLES_MORE (UINT64_C(1) << 16) /* and so many for the start of the firmware */
#define STEP_CYCLES 1024u                     /* the clock ends at a multiple of it */

static struct cli_verdict verdict_of(const struct chip_job *j) {
  struct cli_verdict v = {.tile = j->units[0].tile, .chip = j->chip, .tiles = (unsigned)j->unit_count};
  for (size_t i = 1; i < j->unit_count; i++)
    if (memcmp(j->units[i].program, j->units[0].program, sizeof j->units[0].program) != 0) v.mixed = true;
  return v;
}

/* Each change is set on every tile that it applies to. false: one of them applies to none. */
static bool set_change(const struct chip_job *j, const char *what) {
  struct tessera_tile **tiles = malloc(j->unit_count * sizeof *tiles);
  if (!tiles) return false;
  for (size_t i = 0; i < j->unit_count; i++) tiles[i] = j->units[i].tile;
  bool good = cli_what_if_set_tiles(tiles, j->unit_count, what);
  free(tiles);
  return good;
}

static bool start(const struct chip_why *w, struct chip_job *j, const char *what) {
  return chip_run_open(j, &w->source, what && cli_what_if_has(what, "noc")) && chip_job_load(j) &&
         chip_run_start(j, cli_rerun_checks(what, w->check));
}

bool chip_why_applies(const struct chip_why *w) {
  for (size_t i = 0; w->on && i < w->count; i++) {
    struct chip_job j;
    if (!cli_what_if_names_code(w->names[i])) continue;
    bool started = start(w, &j, NULL), good = started && set_change(&j, w->names[i]);
    if (started && !good) cli_bad_input("chip", "--what-if %s: %s", w->names[i], tessera_tile_error(j.units[0].tile));
    chip_job_free(&j);
    if (!good) return false;
  }
  return true;
}

/* The tiles of the run, and the same ones of the rerun. */
static void compare(struct cli_rerun *out, const char *what, const struct chip_job *run, const struct chip_job *again) {
  for (size_t i = 0; i < run->unit_count && i < again->unit_count && !out->race[0]; i++)
    cli_rerun_compare(out, what, run->units[i].tile, again->units[i].tile);
}

struct first {
  const struct chip_job *run;
  const struct chip_why *w;
  enum tessera_result end;
  uint64_t cycles_most;
};

static bool rerun(void *context, const char *what, struct cli_rerun *out, struct cli_next *next) {
  const struct first *first = context;
  struct chip_job j;
  bool good = start(first->w, &j, what) && chip_accounts_begin(&j, first->w->from) && set_change(&j, what);
  good = good && chip_run_all(&j, first->cycles_most, STEP_CYCLES, what) == first->end;
  if (good) out->cycles = chip_accounts_cycles(&j);
  if (good) compare(out, what, first->run, &j);
  if (good && next && !cli_stopped()) {
    const struct cli_verdict verdict = verdict_of(&j);
    cli_verdict_next(&verdict, next);
  }
  chip_job_free(&j);
  return good;
}

struct cli_reruns chip_why_reruns(const struct chip_why *w, struct chip_job *j, enum tessera_result end) {
  const uint64_t cycles = chip_accounts_cycles(j);
  struct first first = {.run = j, .w = w, .end = end, .cycles_most = RERUN_TIMES_MAX * cycles + RERUN_CYCLES_MORE};
  const struct cli_verdict verdict = verdict_of(j);
  if (!w->on || !cycles || (end != TESSERA_DONE && end != TESSERA_STOPPED)) /* a run that did not end has no length */
    return (struct cli_reruns){.text = NULL};
  return cli_what_if_lines(w->names, w->count, &verdict, cycles, rerun, &first);
}

void chip_why_print(const struct chip_job *j, const struct cli_reruns *reruns, FILE *out) {
  const struct cli_verdict verdict = verdict_of(j);
  fputs(cli_verdict_text(&verdict), out);
  fputs(cli_verdict_timing(j->d.timing != TESSERA_TIMING_OFF), out);
  if (reruns->text) fputs(reruns->text, out);
}

bool chip_why_json(const struct chip_job *j, const char *report, const struct cli_reruns *reruns, FILE *out) {
  const struct cli_verdict verdict = verdict_of(j);
  return cli_why_json_write(out, report, &verdict, chip_accounts_cycles(j), reruns);
}
