/* The control and status registers of a core. */
#ifndef TESSERA_TENSIX_RISCV_CSR_H
#define TESSERA_TENSIX_RISCV_CSR_H

#include "tensix/riscv/run.h"

/* false: a fault was recorded. */
bool tx_csr_access(struct tx_core_run *run, const struct tx_insn *d, sim_time enter);

#endif
