/* The outcome of a run of a chip, shared by the files of its API. */
#ifndef TESSERA_API_CHIP_OUTCOME_H
#define TESSERA_API_CHIP_OUTCOME_H

#include "api/chip.h"

int api_chip_code(struct tessera_chip *chip); /* exit code */

/* The outcome of a run of the chip as a report (observe/report/report.h), about this tile or (NULL) the first with something to report. NULL: no tile
 * was accessed, or no memory. */
struct obs_report;
struct api_outcome;
struct api_outcome *api_outcome_begin(struct tessera_chip *chip, const struct tessera_tile *tile);
const struct obs_report *api_outcome_report(const struct api_outcome *outcome);
void api_outcome_end(struct api_outcome *outcome);
/* A fault outside of all tiles: the line of the request that led to it; false: not known. `text` names core and tile. */
struct dbg_source;
bool api_chip_sender(struct tessera_chip *chip, struct dbg_source *place, char *text, size_t size);

#endif
