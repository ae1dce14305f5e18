/* The report of chip_report.h. */
#include "cli/chip_report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/lines.h"
#include "cli/report_chip_page.h"
#include "cli/report_page.h"
#include "tessera/profile.h"

const char *chip_report_result(const struct chip_job *j, enum tessera_result end) {
  struct tessera_fault fault;
  if (tessera_chip_fault(j->chip, &fault, NULL, NULL)) return "fault";
  return end == TESSERA_HANG ? "hang" : end == TESSERA_LIMIT ? "limit" : end == TESSERA_STOPPED ? "stopped" : "done";
}

/* --- timelines --- */

#define MARKS_MAX ((size_t)256 << 20) /* bytes of all tiles in memory */

bool chip_timelines_begin(struct chip_timelines *t, const struct chip_job *j) {
  t->of = calloc(j->unit_count ? j->unit_count : 1, sizeof *t->of);
  if (!t->of) return cli_bad_input(j->d.verb, "out of memory"), false;
  for (size_t i = 0; i < j->unit_count; i++, t->count++) {
    const size_t own = MARKS_MAX / j->unit_count;
    t->of[i].limit = own < CLI_MARKS_SHOWN ? own : CLI_MARKS_SHOWN;
    if (!cli_report_begin(&t->of[i], j->units[i].tile)) return false;
  }
  return true;
}

void chip_timelines_free(struct chip_timelines *t) {
  for (size_t i = 0; i < t->count; i++) cli_report_free(&t->of[i]);
  free(t->of);
}

/* The marks of the tile that ended last, then of the others while they fit. */
static bool put_timelines(const struct chip_job *j, const struct chip_timelines *t, size_t last, FILE *out) {
  size_t written = 0;
  bool good = true;
  for (size_t n = 0; t && n <= t->count; n++) {
    size_t i = n ? n - 1 : last;
    char id[48];
    if (i >= t->count || (n && i == last)) continue;
    good = tessera_tile_trace_end(j->units[i].tile) == TESSERA_OK && good;
    if (written && written + t->of[i].size > CLI_MARKS_SHOWN) continue;
    written += t->of[i].size;
    snprintf(id, sizeof id, "data-marks-%u-%u", j->units[i].at.x, j->units[i].at.y);
    cli_page_marks(out, id, t->of[i].marks, t->of[i].size, t->of[i].cut);
  }
  return good;
}

/* The lines of the text report before its pictures, which the page draws itself. */
static void put_summary(const struct chip_job *j, FILE *out) {
  const char *text = tessera_chip_report(j->chip), *end = strstr(text, "\n\n");
  size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
  char part[1024];
  snprintf(part, sizeof part, "%.*s", (int)length, text);
  cli_page_text(out, part);
}

/* The cycle at which the tile stopped, from the chip's report; UINT64_MAX: it has not. */
static uint64_t end_of(const char *report, struct chip_at at) {
  char key[32];
  snprintf(key, sizeof key, "\"at\":[%u,%u]", at.x, at.y);
  const char *place = strstr(report, key), *end = place ? strstr(place, "\"end\":") : NULL;
  const char *next = place ? strstr(place, "\"kind\"") : NULL;
  return end && (!next || end < next) ? strtoull(end + strlen("\"end\":"), NULL, 10) : UINT64_MAX;
}

/* The tile that stopped last: its account explains the length of the run. Searching the lines of all tiles would take too
 * long. */
size_t chip_report_last(const struct chip_job *j) {
  const char *report = tessera_chip_report_json(j->chip);
  size_t last = 0;
  for (size_t i = 1; i < j->unit_count; i++)
    if (end_of(report, j->units[i].at) > end_of(report, j->units[last].at)) last = i;
  return last;
}

static void put_tiles(const struct chip_job *j, FILE *out) {
  const size_t last = chip_report_last(j);
  fputs("<script type=\"application/json\" id=\"data-tiles\">[", out);
  for (size_t i = 0; i < j->unit_count; i++) {
    const struct chip_unit *u = &j->units[i];
    fprintf(out, "%s{\"at\":[%u,%u],\"last\":%s,\"report\":", i ? "," : "", u->at.x, u->at.y, i == last ? "true" : "false");
    const char *report = tessera_tile_report(u->tile, TESSERA_REPORT_JSON);
    cli_page_json(out, report, strlen(report));
    if (i == last) {
      fputs(",\"why\":", out);
      cli_page_string(out, tessera_tile_why(u->tile));
    }
    fputs("}", out);
  }
  fputs("]</script>\n", out);
}

/* Cycles by line over all tiles. */
static void put_lines(const struct chip_job *j, FILE *out) {
  struct cli_lines lines = {.files = NULL};
  const char *profile = tessera_chip_profile(j->chip, TESSERA_PROFILE_CALLGRIND);
  if (profile[0]) cli_lines_read(&lines, "chip", "the profile", profile, strlen(profile));
  cli_page_lines(out, &lines);
  cli_lines_free(&lines);
}

static void put_run(const struct chip_report_run *run, const char *product, FILE *out) {
  fputs("<script type=\"application/json\" id=\"data-run\">{\"description\":", out);
  cli_page_string(out, run->path);
  fputs(",\"result\":", out);
  cli_page_string(out, run->result);
  fputs(",\"product\":", out);
  cli_page_string(out, product);
  fprintf(out, ",\"code\":%d,\"threads\":%llu,\"max_cycles\":%llu,\"version\":", run->code, (unsigned long long)run->threads,
          (unsigned long long)run->max_cycles);
  cli_page_string(out, tessera_version());
  fputs("}</script>\n", out);
}

bool chip_report_write(const struct chip_job *j, const struct chip_report_run *run, const struct chip_timelines *timelines,
                       FILE *out) {
  fputs(cli_report_head, out);
  fputs("<p id=\"summary\"></p>\n", out);
  cli_page_compared(out, j->compared);
  fputs("<h2>Verdict</h2><pre id=\"why\">", out);
  cli_page_text(out, tessera_chip_explain(j->chip)); /* the hang comes first */
  put_summary(j, out);
  cli_page_text(out, tessera_chip_why(j->chip));
  if (run->what_ifs) cli_page_text(out, run->what_ifs);
  fputs(cli_report_chip_body, out);
  put_run(run, j->d.product, out);
  const char *chip = tessera_chip_report_json(j->chip);
  cli_page_data(out, "data-chip", chip, strlen(chip));
  put_tiles(j, out);
  put_lines(j, out);
  bool good = put_timelines(j, timelines, chip_report_last(j), out);
  fputs(cli_report_chip_tail, out);
  return good && !ferror(out);
}
