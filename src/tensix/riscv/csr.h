/* The control and status registers of a core. */
#ifndef TESSERA_TENSIX_RISCV_CSR_H
#define TESSERA_TENSIX_RISCV_CSR_H

#include "tensix/riscv/run.h"

/* false: a fault was recorded. */
bool tx_csr_access(struct tx_core_run *run, const struct tx_insn *d, sim_time enter);

/* The value of a counter of cycles or instructions at this time. false: another register. */
bool tx_csr_counts(const struct tx_core *c, uint32_t number, sim_time now, uint32_t *value);
bool tx_csr_is_clock(uint32_t number); /* the lower half of the counter of cycles */

#endif
