/* The hang of a run of a PTO program: its JSON and SARIF forms. The value itself is pto/runtime/hang.h. */
#ifndef TESSERA_OBSERVE_PTO_HANG_H
#define TESSERA_OBSERVE_PTO_HANG_H

#include "pto/runtime/grid.h"
#include "pto/runtime/hang.h"
#include "sim/text.h"

const char *obs_pto_wait_name(unsigned kind); /* "flag", "dependency" */

/* The hang of the first block that hangs. false: the run has not ended in a hang. */
bool obs_pto_hang_of(const struct pto_grid *grid, enum pto_end_kind end, struct pto_hang *hang);
/* The hang of the first block in full, then the numbers of the other blocks that hang. */
void obs_pto_hang_text(const struct pto_grid *grid, struct sim_text *out);
/* With the member names of a tile's hang; `file` is the program's name. */
void obs_pto_hang_json(const struct pto_hang *hang, const char *file, struct sim_text *out);
void obs_pto_hang_sarif(const struct pto_hang *hang, const char *file, bool *first, struct sim_text *out);

#endif
