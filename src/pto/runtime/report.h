/* Reporting a finding: once per place, to the log, and as the end of a strict run. */
#ifndef TESSERA_PTO_RUNTIME_REPORT_H
#define TESSERA_PTO_RUNTIME_REPORT_H

#include "pto/runtime/state.h"

void pto_find(struct pto_machine *machine, struct pto_finding finding) __attribute__((cold));

#endif
