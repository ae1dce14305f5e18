/* tessera chip run --report FILE: one self-contained HTML file with the verdict, the grid with its links, findings, accounts and lines. */
#ifndef TESSERA_CLI_CHIP_REPORT_H
#define TESSERA_CLI_CHIP_REPORT_H

#include <stdio.h>

#include "cli/chip_job.h"
#include "cli/report_html.h"

struct chip_report_run {
  const char *path;   /* of the description */
  const char *result; /* chip_report_result */
  uint64_t threads, max_cycles;
  int code;             /* exit code */
  const char *what_ifs; /* lines of the what-if reruns; NULL: none */
};

/* "done", "fault", "hang", "limit", "stopped" */
const char *chip_report_result(const struct chip_job *j, enum tessera_result end);
/* The marks of the tiles' timelines, in the order of the job's units. */
struct chip_timelines {
  struct cli_report *of;
  size_t count;
};
/* Before the run: every tile with a program gets a timeline. false after one line on stderr. */
bool chip_timelines_begin(struct chip_timelines *t, const struct chip_job *j);
void chip_timelines_free(struct chip_timelines *t);
/* The unit of the tile that stopped last. */
size_t chip_report_last(const struct chip_job *j);
/* After a run with accounts (chip_account.h); without timelines, NULL. false: it could not be written. */
bool chip_report_write(const struct chip_job *j, const struct chip_report_run *run, const struct chip_timelines *timelines,
                       FILE *out);

#endif
