/* Why a PTO program is not faster: one sentence with what bounds it and where, which core waits for that, and what to change; and the change of a
 * rerun that proves it. */
#ifndef TESSERA_OBSERVE_PTO_WHY_H
#define TESSERA_OBSERVE_PTO_WHY_H

#include "pto/runtime/what_if.h"
#include "sim/text.h"

struct obs_pto_why {
  char text[1024]; /* "": a run without work */
  uint32_t line;   /* the first place of the sentence; 0: none */
  char what[200];  /* "AIC FIX works in no time"; "": no rerun */
  struct pto_change change;
  struct sim_text out; /* into `text` */
};

/* `m`: the block of the report. */
void obs_pto_why(const struct pto_grid *grid, const struct pto_machine *m, struct obs_pto_why *why);

#endif
