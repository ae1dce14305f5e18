/* Verdict: the errors of a program, by the rules of check and by the machine.
 *
 * A rule uses configurations and counts, not the order of events: slots may overlap a tile that is used at another time, a depth may
 * be too large for a counter that never reaches it. So an error of such a rule is kept only if one of a few schedules shows it
 * (those of `explore` that are not random); otherwise it becomes a warning. Every finding, hang and fault of these schedules is an error
 * with the sentence of the run; a hang after a finding is its consequence, a note. A leak is a warning. */
#ifndef TESSERA_PTO_RUNTIME_VERDICT_H
#define TESSERA_PTO_RUNTIME_VERDICT_H

#include "pto/program/check.h"
#include "pto/runtime/explore.h"

/* The schedules of `explore` that are not random: independent of its seed. */
#define PTO_VERDICT_SCHEDULES PTO_EXPLORE_FIXED

/* A launch: one program for each block, or one for all. */
struct pto_subject {
  const struct pto_program *const *programs;
  uint32_t program_count, blocks;
};

/* false: out of memory. */
bool pto_verdict(const struct pto_subject *subject, int policy, struct pto_notes *notes);
/* The name of a note's rule: a rule of check, or the kind of a finding (PTO_RULES + kind). */
const char *pto_note_rule_name(unsigned rule);

#endif
