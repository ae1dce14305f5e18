/* Loads, atomics and fences of a core. */
#ifndef TESSERA_TENSIX_RISCV_MEMORY_H
#define TESSERA_TENSIX_RISCV_MEMORY_H

#include "tensix/riscv/run.h"

/* An instruction that has its operands enters EX1 in cycle `enter`. */
enum tx_step tx_core_load(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter);
enum tx_step tx_core_atomic(struct tx_core_run *run, const struct tx_insn *d, sim_time enter);
enum tx_step tx_core_fence(struct tx_core_run *run, sim_time enter);
/* The time at which the load/store unit accepts a load that could enter EX1 in cycle `enter`. Timing on. */
sim_time tx_core_lsu_enter(const struct tx_core *c, sim_time enter);
void tx_core_retry_load(struct tx_core_run *run);
enum tx_step tx_core_wait_local(struct tx_core_run *run);
bool tx_core_aligned(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, unsigned bytes, sim_time enter);
/* The value that an atomic (enum tx_rv_op) writes. */
uint32_t tx_atomic_result(unsigned op, uint32_t old, uint32_t value);
void tx_effect_CORE_ATOMIC(struct tx_tile *t, const struct sim_effect *e);

#endif
