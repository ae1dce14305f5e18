/* tessera run --report FILE: one self-contained HTML file with verdict, account, timeline, source lines and findings. */
#ifndef TESSERA_CLI_REPORT_HTML_H
#define TESSERA_CLI_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "tessera/chip.h"
#include "tessera/tensix.h"

#define CLI_MARKS_SHOWN ((size_t)16 << 20) /* bytes of marks in a page: it stays below 50 MB and opens in 3 s */

/* The marks of the timeline, collected in memory during the run. */
struct cli_report {
  char *marks;
  size_t size, room;
  size_t limit;         /* bytes, after which marks are left out; 0: CLI_MARKS_SHOWN */
  bool cut;             /* some were left out */
  const char *what_ifs; /* lines of the what-if reruns after the verdict; NULL: none. Owned by the caller */
  /* The chip of the tile, whose outcome the page has: it may have faulted elsewhere; NULL: a tile alone. */
  struct tessera_chip *chip;
  const char *compared; /* the lines about expected results; NULL: none */
};

/* Before the run; false after one line on stderr. */
bool cli_report_begin(struct cli_report *r, struct tessera_tile *tile);
/* After the run. false: it could not be written. */
bool cli_report_write(struct cli_report *r, struct tessera_tile *tile, FILE *out);
void cli_report_free(struct cli_report *r);

/* --- parts of a page, for the report of another machine --- */

void cli_page_text(FILE *out, const char *text);              /* in an element */
void cli_page_string(FILE *out, const char *text);            /* a JSON string in a script element */
void cli_page_json(FILE *out, const char *text, size_t size); /* JSON in a script element */
void cli_page_data(FILE *out, const char *id, const char *text, size_t size);
/* The marks of a timeline as data; `cut`: the page states that they are not all. */
void cli_page_marks(FILE *out, const char *id, const char *marks, size_t size, bool cut);
void cli_page_compared(FILE *out, const char *compared); /* NULL: nothing */
struct cli_lines;
void cli_page_lines(FILE *out, struct cli_lines *lines); /* as data, sorted by cycles */
/* the search of a timeline, and its keys */
#define CLI_TIMELINE_BAR \
  "<input id=\"search\" placeholder=\"search, Enter: next\" aria-label=\"search\"> <span id=\"hits\"></span> " \
  "wheel or + and -: zoom; drag or arrows: move; Home: all <strong id=\"cut\"></strong>"
/* own: without the functions inlined there */
#define CLI_LINES_ROW "<tr><th>cycles<th>own<th>mostly<th>line<th>source</tr>"
#define CLI_LINES_TABLE \
  "<table id=\"lines\">" CLI_LINES_ROW "</table>\n" \
  "<details id=\"library\"><summary>lines of the kernel library</summary><table>" CLI_LINES_ROW "</table></details>\n"
void cli_page_body(FILE *out); /* ends the text of "Why"; then the elements that the page's script fills */

#endif
