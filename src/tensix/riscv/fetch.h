/* The instruction cache and the branch predictor of a core. */
#ifndef TESSERA_TENSIX_RISCV_FETCH_H
#define TESSERA_TENSIX_RISCV_FETCH_H

#include "tensix/riscv/run.h"

/* The slot of the line in the instruction cache; -1: not present. */
int tx_fetch_slot(const struct tx_core *c, uint32_t pc);
/* Makes the line of pc the current one. false: a fault was recorded, or the core has to wait until run->wake. */
bool tx_fetch_line(struct tx_core_run *run, uint32_t pc);
/* Predicts, updates the predictor, and returns whether the prediction was wrong. */
bool tx_fetch_mispredicts(struct tx_core *c, uint32_t pc, bool taken, uint32_t target, bool indirect);

#endif
