/* The report at the end of a run: what each thread did and waited for, how busy the units were, what was found. As text for
 * people and as JSON for machines, from the same counters. */
#ifndef TESSERA_OBSERVE_REPORT_H
#define TESSERA_OBSERVE_REPORT_H

#include <stddef.h>

#include "tensix/tile/tile.h"

/* Both return the length of the whole, as snprintf does. */
size_t obs_report_text(const struct tx_tile *t, enum sim_end end, char *text, size_t size);
size_t obs_report_json(const struct tx_tile *t, enum sim_end end, char *text, size_t size);

const char *obs_end_name(const struct tx_tile *t, enum sim_end end); /* "done", "hang", "fault", "hazard", "limit" */

#endif
