/* Construction and tear-down of a core's end of a pipe. */
#ifndef TESSERA_PTO_RUNTIME_LIFETIME_H
#define TESSERA_PTO_RUNTIME_LIFETIME_H

#include "pto/runtime/state.h"

/* false: blocked, to be called again. */
bool pto_construct(struct pto_machine *m, unsigned core, const struct pto_instr *i);
bool pto_do_teardown(struct pto_machine *m, unsigned core, unsigned pipe);

#endif
