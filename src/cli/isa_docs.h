/* The instruction set put in words: one instruction with its bits drawn, and the generated documents. */
#ifndef TESSERA_CLI_ISA_DOCS_H
#define TESSERA_CLI_ISA_DOCS_H

#include <stdio.h>

#include "tensix/isa/isa.h"

const char *cli_isa_state(const struct tx_op *op);      /* "works" */
const char *cli_isa_evidence(unsigned evidence);        /* "golden" */
unsigned cli_isa_cases(const struct tx_op *op);         /* conformance cases that contain it */
void cli_isa_layout(FILE *out, const struct tx_op *op); /* the word, drawn */

void cli_isa_markdown(FILE *out);          /* docs/isa.md */
void cli_isa_coverage_markdown(FILE *out); /* docs/coverage.md */
void cli_isa_c_header(FILE *out);          /* isa_header.c: tensix_isa.h for kernels */

#endif
