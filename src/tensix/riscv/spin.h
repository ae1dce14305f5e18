/* A spinning core is parked on the addresses that it polls. */
#ifndef TESSERA_TENSIX_RISCV_SPIN_H
#define TESSERA_TENSIX_RISCV_SPIN_H

#include "tensix/riscv/run.h"

bool tx_spin_load(struct tx_core_run *run, uint32_t pc, uint32_t address, uint32_t value, sim_time enter);
void tx_spin_hit(struct tx_core *c, uint32_t address); /* a load that L0 answers */
bool tx_spin_jump(struct tx_core_run *run, sim_time enter);
void tx_spin_resume(struct tx_core_run *run);

#endif
