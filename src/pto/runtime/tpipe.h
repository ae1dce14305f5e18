/* TPipe and TMPipe: the items of their operations. */
#ifndef TESSERA_PTO_RUNTIME_TPIPE_H
#define TESSERA_PTO_RUNTIME_TPIPE_H

#include "pto/runtime/state.h"

/* false: blocked, to be called again. */
bool pto_do_pipe_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);

#endif
