/* SFPLOADMACRO: the instructions that it schedules. */
#ifndef TESSERA_TENSIX_VECTOR_MACRO_H
#define TESSERA_TENSIX_VECTOR_MACRO_H

#include "tensix/unit/vector/exec.h"

/* Called when software issues an instruction while scheduled ones wait. */
void tx_macro_instruction_issued(struct tx_tile *t);
void tx_macro_schedule(struct tx_vexec *x, uint32_t word, uint16_t address);
bool tx_macro_collides(struct tx_tile *t, const struct tx_vop *op);

#endif
