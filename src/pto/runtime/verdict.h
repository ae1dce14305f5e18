/* Verdict: the errors of a program, by the rules of check and by the machine.
 *
 * A rule uses configurations and counts, not the order of events: slots may overlap a tile that is used at another time, a depth may
 * be too large for a counter that never reaches it. So an error of such a rule is kept only if one of a few schedules shows it
 * (those of `explore` that are not random); otherwise it becomes a warning. Findings of the run without delays that no rule covers
 * are added. Therefore a program that `explore` finds safe has no error, and no hazard of a run is missing. */
#ifndef TESSERA_PTO_RUNTIME_VERDICT_H
#define TESSERA_PTO_RUNTIME_VERDICT_H

#include "pto/program/check.h"
#include "pto/runtime/explore.h"

/* The schedules of `explore` that are not random: independent of its seed. */
#define PTO_VERDICT_SCHEDULES PTO_EXPLORE_FIXED

/* false: out of memory. */
bool pto_verdict(const struct pto_program *program, int policy, struct pto_notes *notes);

#endif
