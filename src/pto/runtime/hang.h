/* Finds the hang of a machine (hang_value.h), and writes it as text. */
#ifndef TESSERA_PTO_RUNTIME_HANG_H
#define TESSERA_PTO_RUNTIME_HANG_H

#include "pto/runtime/hang_value.h"
#include "sim/text.h"

/* After PTO_DEADLOCKED. */
void pto_hang_find(const struct pto_machine *machine, struct pto_hang *hang);
/* At most 24 lines. */
void pto_hang_text(const struct pto_hang *hang, struct sim_text *out);
void pto_agent_words(unsigned agent, char *text, size_t size); /* "AIC FIX" */

#endif
