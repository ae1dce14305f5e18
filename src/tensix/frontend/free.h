/* Words that take no time at the wait gate, in a what-if rerun (state/what_if.h). */
#ifndef TESSERA_TENSIX_FRONTEND_FREE_H
#define TESSERA_TENSIX_FRONTEND_FREE_H

#include "tensix/state.h"

/* Passes such words at the head of the thread in this cycle while only time could hold them; the expanders deliver the
 * words after them at once. */
void tx_gate_pass_free(struct tx_tile *t, unsigned thread);

#endif
