/* The causes of a verdict, found once: as long as no cycle follows, each call has the same. */
#ifndef TESSERA_API_CAUSES_H
#define TESSERA_API_CAUSES_H

#include <stdbool.h>

#include "sim/time.h"
#include "tessera/profile.h"

struct api_causes {
  bool known;
  sim_time now;    /* of the machine */
  uint64_t waits;  /* a sum over the accounts: of the run that the causes are of */
  unsigned chosen; /* by the critical path */
  char what_if[TESSERA_WHY_CAUSES][320];
};

#endif
