/* The instruction set as text: one instruction with its bits drawn, lists, and the generated documents. */
#ifndef TESSERA_OBSERVE_ISA_TEXT_H
#define TESSERA_OBSERVE_ISA_TEXT_H

#include "sim/text.h"
#include "tensix/isa/isa.h"

const char *obs_isa_state(const struct tx_op *op); /* "works" */
const char *obs_isa_evidence(unsigned evidence);   /* "golden" */
unsigned obs_isa_cases(const struct tx_op *op);    /* conformance cases that contain it */

void obs_isa_list(struct sim_text *out);                           /* one line per instruction */
void obs_isa_layout(struct sim_text *out, const struct tx_op *op); /* the word, drawn */
void obs_isa_explain(struct sim_text *out, const struct tx_op *op);
void obs_isa_json(struct sim_text *out, const struct tx_op *op);

void obs_isa_markdown(struct sim_text *out);          /* docs/reference/isa.md */
void obs_isa_coverage_markdown(struct sim_text *out); /* docs/evidence/coverage.md */
void obs_isa_c_header(struct sim_text *out);          /* isa_header.c: tensix_isa.h for kernels */

#endif
