/* What is wrong with a PTO program. */
#ifndef TESSERA_API_PTO_VERDICT_H
#define TESSERA_API_PTO_VERDICT_H

#include "api/pto_program.h"

struct pto_note;
void pto_api_note(const struct pto_note *from, struct tessera_pto_note *to);

#endif
