/* SFPLOADMACRO: the instructions that it schedules. */
#ifndef TESSERA_TENSIX_VECTOR_MACRO_H
#define TESSERA_TENSIX_VECTOR_MACRO_H

#include "tensix/unit/vector/exec.h"

/* Called when software issues an instruction while scheduled ones wait. */
void tx_macro_instruction_issued(struct tx_tile *t);
void tx_macro_schedule(struct tx_vexec *x, uint32_t word, uint16_t address);
/* With timing off: time stands still for the unit in a pause of the stream (macro.c). */
static inline bool tx_macro_pauses(const struct tx_vector *v, sim_time now) { return v->tick_at <= now; }
/* This thread acts again: the pause ends, if it is in the thread's stream. */
void tx_macro_go_on(struct tx_tile *t, unsigned thread);
bool tx_macro_collides(struct tx_tile *t, const struct tx_vop *op);

#endif
