/* One run of a program description: tessera chip run, and its reruns with a change. */
#ifndef TESSERA_CLI_CHIP_RUN_H
#define TESSERA_CLI_CHIP_RUN_H

#include "cli/chip_job.h"

/* The description and the options that replace its statements. */
struct chip_source {
  const char *path;
  const char *product, *timing; /* NULL: the description's */
  uint64_t threads;
};

/* Reads the description and creates the chip; `noc_at_once`: of struct tessera_chip_options. false after one line on stderr. The caller
 * calls chip_job_free in either case. */
bool chip_run_open(struct chip_job *j, const struct chip_source *source, bool noc_at_once);
/* The same with everything loaded and the cores released, for a run without a debugger. */
bool chip_run_start(struct chip_job *j, uint32_t check);
/* Runs for at most `cycles`, in parts of at most `step`, with a progress line. `rerun`: the change of a what-if; NULL: none. */
enum tessera_result chip_run_all(struct chip_job *j, uint64_t cycles, uint64_t step, const char *rerun);

#endif
