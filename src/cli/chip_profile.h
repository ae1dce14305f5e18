/* --profile FILE and --coverage FILE of a chip: over all tiles with an account (chip_account.h). */
#ifndef TESSERA_CLI_CHIP_PROFILE_H
#define TESSERA_CLI_CHIP_PROFILE_H

#include <stdio.h>

#include "cli/chip_job.h"

struct chip_profile {
  const char *profile_path, *coverage_path; /* NULL: none */
  FILE *profile, *coverage;
};

/* Before the run, so that a name that cannot be written fails at once. false after one line on stderr. */
bool chip_profile_open(struct chip_profile *p, const char *verb);
/* After the run; false after one line on stderr. */
bool chip_profile_write(struct chip_profile *p, const struct chip_job *j);
/* Without a run: removes the files. */
void chip_profile_discard(struct chip_profile *p);

#endif
