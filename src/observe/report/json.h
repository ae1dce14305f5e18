/* The report of a run as JSON. */
#ifndef TESSERA_OBSERVE_REPORT_JSON_H
#define TESSERA_OBSERVE_REPORT_JSON_H

#include "observe/report/report.h"

size_t obs_report_json(const struct obs_report *r, char *text, size_t size); /* the full length, as snprintf does */
/* Only the outcome, after the code: ,"fault":...,"hang":...,"findings":[...] */
void obs_report_outcome_json(const struct obs_report *r, struct sim_text *out);

#endif
