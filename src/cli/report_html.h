/* tessera run --report FILE: one self-contained HTML file with verdict, account, timeline, source lines and findings. */
#ifndef TESSERA_CLI_REPORT_HTML_H
#define TESSERA_CLI_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "tessera/tensix.h"

/* The marks of the timeline, kept in memory while the tile runs. */
struct cli_report {
  char *marks;
  size_t size, room;
  const char *what_ifs; /* lines of reruns after the verdict; NULL: none. The caller's */
};

/* Before the run; false after one line on stderr. */
bool cli_report_begin(struct cli_report *r, struct tessera_tile *tile);
/* After it. false: it could not be written. */
bool cli_report_write(struct cli_report *r, struct tessera_tile *tile, FILE *out);
void cli_report_free(struct cli_report *r);

/* --- parts of a page, for another machine's report --- */

void cli_page_text(FILE *out, const char *text);              /* in an element */
void cli_page_string(FILE *out, const char *text);            /* a JSON text in a script element */
void cli_page_json(FILE *out, const char *text, size_t size); /* JSON in a script element */
void cli_page_data(FILE *out, const char *id, const char *text, size_t size);
struct cli_lines;
void cli_page_lines(FILE *out, struct cli_lines *lines); /* as data, most cycles first */
void cli_page_body(FILE *out); /* ends the text of "Why"; then the elements that the page's program fills */

#endif
