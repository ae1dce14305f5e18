/* tessera chip run --why: the verdict on all tiles, and the same description run again with one change. */
#ifndef TESSERA_CLI_CHIP_WHY_H
#define TESSERA_CLI_CHIP_WHY_H

#include "cli/chip_run.h"
#include "cli/what_if.h"

struct chip_why {
  bool on;
  const char **names; /* of --what-if; none: the change that the verdict proposes */
  size_t count;
  struct chip_source source;
  const char *from; /* where the accounts begin */
  uint32_t check;   /* the checkers of the run */
};

/* Before the run, which may be long: does a program have what each --what-if names? false after one line on stderr. */
bool chip_why_applies(const struct chip_why *w);
/* After a run with accounts that ended so: the reruns. The caller frees both texts. */
struct cli_reruns chip_why_reruns(const struct chip_why *w, struct chip_job *j, enum tessera_result end);
/* The verdict with its reruns as text. */
void chip_why_print(const struct chip_job *j, const struct cli_reruns *reruns, FILE *out);
/* `report` with the verdict and its reruns as its last member, "why". */
bool chip_why_json(const struct chip_job *j, const char *report, const struct cli_reruns *reruns, FILE *out);

#endif
