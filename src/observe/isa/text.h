/* The instruction set as text: one instruction with its bits drawn, lists, and the generated documents. */
#ifndef TESSERA_OBSERVE_ISA_TEXT_H
#define TESSERA_OBSERVE_ISA_TEXT_H

#include "sim/text.h"
#include "tensix/isa/isa.h"

void obs_isa_list(struct sim_text *out); /* one line per instruction */
void obs_isa_explain(struct sim_text *out, const struct tx_op *op);
void obs_isa_json(struct sim_text *out, const struct tx_op *op);

#endif
