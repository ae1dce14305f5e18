/* Comparison of two programs, for tests of the spellings. */
#ifndef TESSERA_PTO_PROGRAM_SAME_H
#define TESSERA_PTO_PROGRAM_SAME_H

#include "pto/program/program.h"

/* Ignores lines, columns and names. */
bool pto_same_program(const struct pto_program *a, const struct pto_program *b);

#endif
