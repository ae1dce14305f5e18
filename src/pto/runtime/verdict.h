/* Verdict: what is wrong with a program, by the rules of check and by the machine.
 *
 * A rule sees configurations and counts, not the order of events: slots may lie on a tile that is used at another time, a depth may
 * be too large for a counter that never gets that far. So an error of such a rule is kept only if one of a few schedules shows it
 * (those of `explore` that are not random); else it is a warning. What the run without delays finds and no rule
 * has named is added. A program that `explore` finds safe therefore has no error, and no hazard of a run is missing. */
#ifndef TESSERA_PTO_RUNTIME_VERDICT_H
#define TESSERA_PTO_RUNTIME_VERDICT_H

#include "pto/program/check.h"
#include "pto/runtime/explore.h"

/* Those of `explore` that are not random: the same whatever its seed. */
#define PTO_VERDICT_SCHEDULES PTO_EXPLORE_FIXED

/* false: out of memory. */
bool pto_verdict(const struct pto_program *program, int policy, struct pto_notes *notes);
/* Kinds of findings that confirm a rule, bit per enum pto_finding_kind. */
uint32_t pto_rule_kinds(unsigned rule);

#endif
