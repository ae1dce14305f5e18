/* A core that spins is parked on the addresses that it polls. */
#ifndef TESSERA_TENSIX_RISCV_SPIN_H
#define TESSERA_TENSIX_RISCV_SPIN_H

#include "tensix/riscv/run.h"

/* When the core first loaded `address` in the wait that it is in; SIM_NEVER: it has not. */
sim_time tx_core_first_poll(const struct tx_core *c, uint32_t address);
void tx_poll_note(struct tx_core *c, uint32_t pc, uint32_t address, sim_time enter);
bool tx_spin_load(struct tx_core_run *run, uint32_t pc, uint32_t address, uint32_t value, sim_time enter);
void tx_spin_hit(struct tx_core *c, uint32_t address); /* a load that L0 answers */
bool tx_spin_jump(struct tx_core_run *run, sim_time enter);
void tx_spin_resume(struct tx_core_run *run);

#endif
