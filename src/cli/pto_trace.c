/* tessera pto run --trace FILE and --report FILE: the trace of a run in a file, or in an HTML page with the other results. */
#include "cli/pto_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lines.h"
#include "cli/output.h"
#include "cli/report_html.h"
#include "cli/report_page.h"
#include "cli/session.h"

#define LINES_KNOWN 1024u

/* The cycles of a line of the source in one block. */
struct line_cycles {
  uint32_t line, block;
  uint64_t cycles;
};

struct pto_trace {
  FILE *file;
  const char *path, *source;
  struct tessera_pto_machine *machine;
  bool page;
  char *marks; /* of the page */
  size_t size, room;
  bool cut; /* marks after the first that does not fit into the page are left out */
  struct line_cycles *lines;
  size_t line_count, line_room;
  size_t known[LINES_KNOWN]; /* 1 + place of a line in `lines` */
};

static int to_file(void *context, const void *bytes, size_t size) {
  struct pto_trace *t = context;
  return fwrite(bytes, 1, size, t->file) != size;
}

static int to_memory(void *context, const void *bytes, size_t size) {
  struct pto_trace *t = context;
  if (t->size + size > CLI_MARKS_SHOWN) t->cut = true;
  if (t->cut) return 0;
  if (!cli_reserve((void **)&t->marks, &t->room, t->size + size, 1)) return 1;
  memcpy(t->marks + t->size, bytes, size);
  t->size += size;
  return 0;
}

static struct line_cycles *line_of(struct pto_trace *t, uint32_t line, uint32_t block) {
  size_t *known = &t->known[(line * 61u + block) % LINES_KNOWN];
  if (*known && t->lines[*known - 1].line == line && t->lines[*known - 1].block == block) return &t->lines[*known - 1];
  for (size_t i = 0; i < t->line_count; i++)
    if (t->lines[i].line == line && t->lines[i].block == block) return *known = i + 1, &t->lines[i];
  if (!cli_reserve((void **)&t->lines, &t->line_room, t->line_count + 1u, sizeof *t->lines)) return NULL;
  t->lines[t->line_count] = (struct line_cycles){.line = line, .block = block};
  *known = t->line_count + 1;
  return &t->lines[t->line_count++];
}

/* Adds the pipes' cycles to their lines. */
static void add_work(void *context, const struct tessera_pto_event *e) {
  struct pto_trace *t = context;
  if (e->kind != TESSERA_PTO_EVENT_WORK) return;
  struct line_cycles *line = line_of(t, e->line, e->block);
  if (line) line->cycles += e->end - e->begin;
}

static enum tessera_pto_trace_format format_of(const struct pto_cli *cli) {
  if (cli->trace_format) return (enum tessera_pto_trace_format)(cli->trace_format - 1);
  switch (cli_trace_format(cli->trace)) {
    case TESSERA_TRACE_TEXT: return TESSERA_PTO_TRACE_TEXT;
    case TESSERA_TRACE_PERFETTO: return TESSERA_PTO_TRACE_PERFETTO;
    case TESSERA_TRACE_CHROME: return TESSERA_PTO_TRACE_CHROME;
    default: return TESSERA_PTO_TRACE_FORMATS; /* of tiles only */
  }
}

bool pto_trace_fits(const struct pto_cli *cli) {
  if (!cli->trace && (cli->trace_format || cli->trace_from || cli->trace_to))
    return cli_bad_input("pto run", "--trace-format, --trace-from and --trace-to go with --trace FILE"), false;
  if (!cli_trace_range("pto run", cli->trace_from, cli->trace_to)) return false;
  if (!cli->trace || format_of(cli) != TESSERA_PTO_TRACE_FORMATS) return true;
  return cli_bad_input("pto run", "--trace writes text, .pftrace or .json (ui.perfetto.dev opens both), not '%s'",
                       cli->trace),
         false;
}

static void discard(struct pto_trace *t) {
  free(t->marks);
  free(t->lines);
  free(t);
}

struct pto_trace *pto_trace_open(const struct pto_cli *cli, struct tessera_pto_machine *machine, bool page) {
  const char *path = page ? cli->report : cli->trace;
  const enum tessera_pto_trace_format format = page ? TESSERA_PTO_TRACE_COMPACT : format_of(cli);
  struct pto_trace *t = calloc(1, sizeof *t);
  FILE *file = t ? cli_create(path) : NULL;
  if (!file) {
    cli_bad_input("pto run", "%s: could not be written: %s", path, strerror(errno));
    free(t);
    return NULL;
  }
  *t = (struct pto_trace){.file = file, .path = path, .source = cli->file, .machine = machine, .page = page};
  errno = ENOMEM;
  if (tessera_pto_trace_range(machine, page ? 0 : cli->trace_from, page ? 0 : cli->trace_to) != TESSERA_PTO_OK ||
      tessera_pto_trace_scratch(machine, path) != TESSERA_PTO_OK ||
      tessera_pto_trace(machine, format, t->page ? to_memory : to_file, t) != TESSERA_PTO_OK)
    cli_bad_input("pto run", "%s: the trace could not begin: %s", path, strerror(errno));
  else {
    if (t->page) tessera_pto_set_hook(machine, add_work, t);
    return t;
  }
  cli_finish(file, path, false);
  discard(t);
  return NULL;
}

static int by_line(const void *a, const void *b) {
  const struct line_cycles *x = a, *y = b;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Of the block whose pipes the report has. */
static void put_lines(const struct pto_trace *t, const char *report) {
  static const char key[] = "\"block\": ";
  const char *comma = "", *block = strstr(report, key);
  const unsigned long shown = block ? strtoul(block + sizeof key - 1, NULL, 10) : 0;
  if (t->line_count) qsort(t->lines, t->line_count, sizeof *t->lines, by_line);
  fputs("<script type=\"application/json\" id=\"data-lines\">[", t->file);
  for (size_t i = 0; i < t->line_count; i++) {
    const struct line_cycles *l = &t->lines[i];
    if (!l->cycles || l->block != shown) continue;
    char *source = cli_lines_source(t->source, (unsigned long)l->line);
    fprintf(t->file, "%s[", comma);
    cli_page_string(t->file, t->source);
    fprintf(t->file, ",%u,%llu,", l->line, (unsigned long long)l->cycles);
    cli_page_string(t->file, source ? source : "");
    fputs("]", t->file);
    free(source);
    comma = ",";
  }
  fputs("]</script>\n", t->file);
}

static void write_page(const struct pto_trace *t) {
  fputs(cli_report_head, t->file);
  fputs("<p id=\"summary\"></p>\n<p id=\"verdict\"></p>\n<h2>Report</h2><pre id=\"why\">", t->file);
  cli_page_text(t->file, tessera_pto_run_report(t->machine, TESSERA_PTO_REPORT_TEXT));
  cli_page_body(t->file);
  const char *report = tessera_pto_run_report(t->machine, TESSERA_PTO_REPORT_JSON);
  cli_page_data(t->file, "data-report", report, strlen(report));
  fputs("<script type=\"application/json\" id=\"data-run\">{\"Tessera\":", t->file);
  cli_page_string(t->file, tessera_version());
  fputs(",\"program\":", t->file);
  cli_page_string(t->file, t->source);
  fputs("}</script>\n", t->file);
  put_lines(t, report);
  cli_page_marks(t->file, "data-marks", t->marks, t->size, t->cut);
  fputs(cli_report_tail, t->file);
}

bool pto_trace_close(struct pto_trace *t) {
  bool good = tessera_pto_trace_end(t->machine) == TESSERA_PTO_OK || cli_blame(errno);
  if (t->page) tessera_pto_set_hook(t->machine, NULL, NULL);
  if (good && t->page) write_page(t);
  good = cli_finish(t->file, t->path, good && !ferror(t->file));
  if (!good) cli_not_written("pto run", t->path);
  discard(t);
  return good;
}
