/* obs_run_on without a run before it and without a program's symbols. */
#ifndef TESSERA_TESTS_RUN_ALONE_H
#define TESSERA_TESTS_RUN_ALONE_H

#include "observe/hang/progress.h"

static inline enum sim_end run_alone(struct tx_tile *t, sim_time until) {
  struct obs_progress p = {.phase = OBS_PROGRESS_NONE};
  return obs_run_on(&p, t, NULL, NULL, until);
}

#endif
