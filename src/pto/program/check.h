/* Check: reports errors of a program without running it. */
#ifndef TESSERA_PTO_PROGRAM_CHECK_H
#define TESSERA_PTO_PROGRAM_CHECK_H

#include "pto/program/program.h"
#include "sim/fault.h"

enum pto_rule {
  PTO_RULE_PRODUCER,       /* a push from a tile that is neither acc nor vec */
  PTO_RULE_DIRECTION,      /* the pipe's direction contradicts the two locations */
  PTO_RULE_PROFILE,        /* a direction or FIFO that the profile lacks */
  PTO_RULE_DOCUMENT_DEPTH, /* the TPUSH page's depth limit: a note */
  PTO_RULE_DOCUMENT_FLAG,  /* the TPUSH page's FlagID limit: a note */
  PTO_RULE_COUNTER,        /* more slots than a 4-bit counter holds */
  PTO_RULE_FLAG_RANGE,     /* flag ids beyond 15 */
  PTO_RULE_ODD_SLOTS,
  PTO_RULE_FLAG_OVERLAP,
  PTO_RULE_SLOT_SIZE, /* tile larger than slot */
  PTO_RULE_BUFFER,    /* ring or landing slots outside their memory, or over tiles */
  PTO_RULE_SPLIT,     /* the two ends have different splits, or hardware cannot split the geometry */
  PTO_RULE_TFREE,     /* a TFREE is missing, or one too many */
  PTO_RULE_COUNT,     /* pushes against pops */
  PTO_RULE_ENDS,      /* the two ends of a pipe differ, or one is missing */
  PTO_RULE_POLICY,    /* the policy is known to break */
  PTO_RULE_ODD_SPLIT, /* an odd split where no header has one */
  PTO_RULE_BOUNDS,    /* a ring larger than the tensor that holds it */
  PTO_RULE_LENGTH,    /* a run has more than PTO_WORK_MAX: a warning */
  PTO_RULES,
};

struct pto_note {
  uint8_t severity, rule; /* enum sim_severity, enum pto_rule; PTO_RULES and more: a finding of a run */
  uint32_t line, column;
  uint32_t other_line; /* of a finding: its second place; 0: none */
  char text[480];
};

#define PTO_NOTES_MAX 1024u

struct pto_notes {
  uint32_t count, errors, warnings;
  struct pto_note notes[PTO_NOTES_MAX];
};

/* Adds a note; if the list already has it, increments its count. */
void pto_note_add(struct pto_notes *notes, const struct pto_note *note);
/* Do errors of this rule prevent a run? */
bool pto_rule_refuses(unsigned rule);
/* Applies the rules without running the program; pto_verdict (runtime/verdict.h) also runs it. */
void pto_check(const struct pto_program *program, int policy, struct pto_notes *notes);
/* A program that no header would compile: a location, direction, FIFO, flag or split that does not exist. A run rejects it.
 * The number of flags of a pipe depends on its policy (-1: that of the program). */
bool pto_check_refuses(const struct pto_program *program, int policy, struct pto_note *why);
const char *pto_rule_name(unsigned rule);

#endif
