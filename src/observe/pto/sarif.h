/* The report of a PTO run as SARIF 2.1.0. */
#ifndef TESSERA_OBSERVE_PTO_SARIF_H
#define TESSERA_OBSERVE_PTO_SARIF_H

#include "observe/pto/report.h"

size_t obs_pto_report_sarif(const struct obs_pto_report *r, char *text, size_t size); /* SARIF 2.1.0 */

#endif
