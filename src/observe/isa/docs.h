/* The documents of the instruction set. */
#ifndef TESSERA_OBSERVE_ISA_DOCS_H
#define TESSERA_OBSERVE_ISA_DOCS_H

#include "sim/text.h"
#include "tensix/isa/isa.h"

const char *obs_isa_state(const struct tx_op *op);                 /* "works" */
const char *obs_isa_evidence(unsigned evidence);                   /* "golden" */
unsigned obs_isa_cases(const struct tx_op *op);                    /* conformance cases that contain it */
void obs_isa_layout(struct sim_text *out, const struct tx_op *op); /* the word, drawn */

void obs_isa_markdown(struct sim_text *out);          /* docs/reference/isa.md */
void obs_isa_coverage_markdown(struct sim_text *out); /* docs/evidence/coverage.md */

#endif
