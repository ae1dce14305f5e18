/* The report of report_html.h. */
#include "cli/report_html.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/lines.h"
#include "cli/report_page.h"

#define LINES_SHOWN 200u

/* --- the timeline's marks --- */

static int keep(void *context, const void *bytes, size_t size) {
  struct cli_report *r = context;
  if (r->size + size > (r->limit ? r->limit : CLI_MARKS_SHOWN))
    r->cut = true; /* nothing after the first that does not fit */
  if (r->cut) return 0;
  if (!cli_reserve((void **)&r->marks, &r->room, r->size + size, 1)) return 1;
  memcpy(r->marks + r->size, bytes, size);
  r->size += size;
  return 0;
}

bool cli_report_begin(struct cli_report *r, struct tessera_tile *tile) {
  const struct tessera_trace_options options = {.format = TESSERA_TRACE_COMPACT};
  if (tessera_tile_trace(tile, &options, keep, r) == TESSERA_OK) return true;
  return cli_bad_input("run", "--report: %s", tessera_tile_error(tile)), false;
}

void cli_report_free(struct cli_report *r) { free(r->marks); }

/* --- text in a page --- */

/* In an element. */
void cli_page_text(FILE *out, const char *text) {
  for (; *text; text++)
    if (*text == '<') fputs("&lt;", out);
    else if (*text == '&') fputs("&amp;", out);
    else putc(*text, out);
}

/* For a script element: without '<' there is no end tag and no comment. In JSON strings \\u003c is the same character; '<'
 * occurs nowhere else. */
void cli_page_json(FILE *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (text[i] == '<') fputs("\\u003c", out);
    else putc(text[i], out);
}

void cli_page_data(FILE *out, const char *id, const char *text, size_t size) {
  fprintf(out, "<script type=\"application/json\" id=\"%s\">", id);
  cli_page_json(out, text, size);
  fputs("</script>\n", out);
}

void cli_page_marks(FILE *out, const char *id, const char *marks, size_t size, bool cut) {
  fprintf(out, "<script type=\"application/json\" id=\"%s\">", id);
  if (marks) cli_page_json(out, marks, size);
  fputs(cut ? "X\n</script>\n" : "</script>\n", out);
}

void cli_page_compared(FILE *out, const char *compared) {
  if (!compared) return;
  fputs("<h2>Expected results</h2><pre id=\"compared\">", out);
  cli_page_text(out, compared);
  fputs("</pre>\n", out);
}

/* --- lines --- */

static int by_cycles(const void *a, const void *b) {
  const struct cli_line *x = a, *y = b;
  if (x->whole != y->whole) return x->whole > y->whole ? -1 : 1;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

void cli_page_string(FILE *out, const char *text) {
  putc('"', out);
  for (; *text; text++)
    if (*text == '<' || *text == '"' || *text == '\\' || (unsigned char)*text < 0x20) fprintf(out, "\\u%04x", *text);
    else putc(*text, out);
  putc('"', out);
}

/* Of the kernel library, in a source tree or installed. */
static bool is_library(const char *file) { return strstr(file, "kernels/include/") || strstr(file, "kernels/firmware/"); }

void cli_page_lines(FILE *out, struct cli_lines *lines) {
  fputs("<script type=\"application/json\" id=\"data-lines\">[", out);
  if (lines->line_count) qsort(lines->lines, lines->line_count, sizeof *lines->lines, by_cycles);
  for (size_t i = 0; i < lines->line_count && i < LINES_SHOWN; i++) {
    const char *file = lines->files[lines->lines[i].file];
    char *source = cli_lines_source(file, lines->lines[i].line);
    fprintf(out, "%s[", i ? "," : "");
    cli_page_string(out, file);
    char mostly[64];
    cli_lines_mostly(lines, &lines->lines[i], false, mostly, sizeof mostly);
    fprintf(out, ",%lu,%llu,", lines->lines[i].line, lines->lines[i].whole);
    cli_page_string(out, source ? source : "");
    fprintf(out, ",%llu,", lines->lines[i].cycles);
    cli_page_string(out, mostly);
    fprintf(out, ",%d]", is_library(file));
    free(source);
  }
  fputs("]</script>\n", out);
}

static void put_lines(FILE *out, struct tessera_tile *tile) {
  struct cli_lines lines = {.files = NULL};
  const char *profile = tessera_tile_profile(tile, TESSERA_PROFILE_CALLGRIND);
  if (!cli_lines_read(&lines, "run", "the profile", profile, strlen(profile))) lines.line_count = 0;
  cli_page_lines(out, &lines);
  cli_lines_free(&lines);
}

void cli_page_body(FILE *out) {
  fputs("</pre>\n<h2>Findings</h2><table id=\"findings\"></table>\n"
        "<h2>Timeline</h2><p>" CLI_TIMELINE_BAR "</p><canvas id=\"timeline\"></canvas>\n"
        "<h2>Where the cycles go</h2><table id=\"account\"></table>\n"
        "<h2>Source lines</h2>" CLI_LINES_TABLE "<h2>Run</h2><table id=\"run\"></table>\n",
        out);
}

/* Version, and the parameters that were changed. */
static void put_run(FILE *out, const struct tessera_tile *tile) {
  struct tessera_param param;
  fputs("<script type=\"application/json\" id=\"data-run\">{\"Tessera\":", out);
  cli_page_string(out, tessera_version());
  for (size_t i = 0; tessera_param_info(i, &param) == TESSERA_OK; i++) {
    uint32_t value = param.initial;
    if (tessera_tile_param(tile, param.name, &value) != TESSERA_OK || value == param.initial) continue;
    fputs(",", out);
    cli_page_string(out, param.name);
    fprintf(out, ":\"%u instead of %u\"", value, param.initial);
  }
  uint64_t begin;
  if (tessera_tile_account_begin(tile, &begin) == TESSERA_OK)
    fprintf(out, ",\"where the cycles go\":\"after cycle %llu\"", (unsigned long long)begin);
  fprintf(out, ",\"other parameters\":\"%zu at their initial values (tessera exec --params lists them)\"}</script>\n",
          tessera_param_count());
}

bool cli_report_write(struct cli_report *r, struct tessera_tile *tile, FILE *out) {
  bool good = tessera_tile_trace_end(tile) == TESSERA_OK;
  fputs(cli_report_head, out);
  fputs("<p id=\"summary\"></p>\n", out);
  cli_page_compared(out, r->compared);
  fputs("<h2>Why</h2><pre id=\"why\">", out);
  const char *hang = tessera_tile_explain(tile);
  if (!*hang && r->chip) hang = tessera_chip_explain(r->chip);
  bool has_hang = *hang;
  cli_page_text(out, hang); /* the hang comes first */
  const char *why = tessera_tile_why(tile);
  cli_page_text(out, why);
  if (!has_hang && !*why) fputs("no verdict: the run has no account\n", out);
  if (r->what_ifs) cli_page_text(out, r->what_ifs);
  cli_page_body(out);
  const char *report =
      r->chip ? tessera_chip_outcome(r->chip, tile, TESSERA_REPORT_JSON) : tessera_tile_report(tile, TESSERA_REPORT_JSON);
  cli_page_data(out, "data-report", report, strlen(report));
  put_run(out, tile);
  put_lines(out, tile);
  cli_page_marks(out, "data-marks", r->marks, r->size, r->cut);
  fputs(cli_report_tail, out);
  return good && !ferror(out);
}
