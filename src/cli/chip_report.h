/* tessera chip run --report FILE: one self-contained HTML file with the verdict, the grid with its links, findings, accounts and lines. */
#ifndef TESSERA_CLI_CHIP_REPORT_H
#define TESSERA_CLI_CHIP_REPORT_H

#include <stdio.h>

#include "cli/chip_job.h"

struct chip_report_run {
  const char *path;   /* of the description */
  const char *result; /* chip_report_result */
  uint64_t threads, max_cycles;
  int code; /* exit code */
};

/* "done", "fault", "hang", "limit", "stopped" */
const char *chip_report_result(const struct chip_job *j, enum tessera_result end);
/* Before the run: every tile with a program gets an account. false after one line on stderr. */
bool chip_report_begin(const struct chip_job *j);
/* After the run. false: it could not be written. */
bool chip_report_write(const struct chip_job *j, const struct chip_report_run *run, FILE *out);

#endif
