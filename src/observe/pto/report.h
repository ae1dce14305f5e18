/* The report of a run of a PTO program: hang, findings or fault, then the work and waits of every pipe and the fill
 * level of the FIFOs. */
#ifndef TESSERA_OBSERVE_PTO_REPORT_H
#define TESSERA_OBSERVE_PTO_REPORT_H

#include <stddef.h>

#include "pto/runtime/grid.h"

struct obs_pto_report {
  const struct pto_grid *grid;
  enum pto_end_kind end;
  const char *file; /* of the program; JSON names it */
  int code;         /* the command's exit code */
  bool verbose;     /* the tables of a hang too */
  bool reran;       /* the rerun of the verdict was made: */
  sim_time rerun;   /* its cycles; 0: it does not apply */
};

/* The cycles of the verdict's rerun; 0: it does not apply. */
sim_time obs_pto_rerun(const struct pto_grid *grid);

/* All return the full length, as snprintf does. */
size_t obs_pto_report_text(const struct obs_pto_report *r, char *text, size_t size);
size_t obs_pto_report_json(const struct obs_pto_report *r, char *text, size_t size);

/* The block whose pipes the report shows: of several the one that ended last. */
uint32_t obs_pto_report_block(const struct pto_grid *grid);

#endif
