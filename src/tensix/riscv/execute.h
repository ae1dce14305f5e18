/* Executes the instructions of a core until it waits or reaches its horizon. */
#ifndef TESSERA_TENSIX_RISCV_EXECUTE_H
#define TESSERA_TENSIX_RISCV_EXECUTE_H

#include "tensix/riscv/run.h"

void tx_core_run_timed(struct tx_core_run *run);
void tx_core_run_plain(struct tx_core_run *run);
/* The same with a checker of local RAM (state/ports.h). */
void tx_core_run_timed_checked(struct tx_core_run *run);
void tx_core_run_plain_checked(struct tx_core_run *run);
/* The same with an event per instruction (core_log.h), with or without a checker. */
void tx_core_run_timed_logged(struct tx_core_run *run);
void tx_core_run_plain_logged(struct tx_core_run *run);

#endif
