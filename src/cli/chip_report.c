/* The report of chip_report.h. */
#include "cli/chip_report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/lines.h"
#include "cli/report_chip_page.h"
#include "cli/report_html.h"
#include "cli/report_page.h"
#include "tessera/profile.h"

const char *chip_report_result(const struct chip_job *j, enum tessera_result end) {
  struct tessera_fault fault;
  if (tessera_chip_fault(j->chip, &fault, NULL, NULL)) return "fault";
  return end == TESSERA_HANG ? "hang" : end == TESSERA_LIMIT ? "limit" : end == TESSERA_STOPPED ? "stopped" : "done";
}

bool chip_report_begin(const struct chip_job *j) {
  for (size_t i = 0; i < j->unit_count; i++)
    if (tessera_tile_account_from(j->units[i].tile, "kernel_main") !=
            TESSERA_OK && /* a program without one: from the start */
        tessera_tile_set_option(j->units[i].tile, TESSERA_OPTION_ACCOUNT, 1) != TESSERA_OK)
      return cli_bad_input("chip", "--report: %s", tessera_tile_error(j->units[i].tile)), false;
  return true;
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
static size_t last_unit(const struct chip_job *j) {
  const char *report = tessera_chip_report_json(j->chip);
  size_t last = 0;
  for (size_t i = 1; i < j->unit_count; i++)
    if (end_of(report, j->units[i].at) > end_of(report, j->units[last].at)) last = i;
  return last;
}

static void put_tiles(const struct chip_job *j, FILE *out) {
  const size_t last = last_unit(j);
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
  for (size_t i = 0; i < j->unit_count; i++) {
    const char *profile = tessera_tile_profile(j->units[i].tile, TESSERA_PROFILE_CALLGRIND);
    if (!cli_lines_read(&lines, "chip", "the profile", profile, strlen(profile))) break;
  }
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

bool chip_report_write(const struct chip_job *j, const struct chip_report_run *run, FILE *out) {
  fputs(cli_report_head, out);
  fputs("<p id=\"summary\"></p>\n<h2>Verdict</h2><pre id=\"why\">", out);
  cli_page_text(out, tessera_chip_explain(j->chip)); /* the hang comes first */
  put_summary(j, out);
  fputs(cli_report_chip_body, out);
  put_run(run, j->d.product, out);
  const char *chip = tessera_chip_report_json(j->chip);
  cli_page_data(out, "data-chip", chip, strlen(chip));
  put_tiles(j, out);
  put_lines(j, out);
  fputs(cli_report_chip_tail, out);
  return !ferror(out);
}
