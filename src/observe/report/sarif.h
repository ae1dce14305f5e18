/* The report of a run as SARIF 2.1.0. */
#ifndef TESSERA_OBSERVE_REPORT_SARIF_H
#define TESSERA_OBSERVE_REPORT_SARIF_H

#include "observe/report/report.h"

size_t obs_report_sarif(const struct obs_report *r, char *text, size_t size); /* SARIF 2.1.0 */

#endif
