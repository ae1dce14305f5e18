/* Events of a core: every instruction, and every cycle in which none began, with the reason.
 *
 * Together they cover all cycles: an instruction takes one cycle, and the cycles up to the next one are logged, in one or several
 * core-wait events, in the cycle in which that one begins or in which the core acts again. Only while a sink is attached: the loop of
 * execute.c is compiled a second time for that. */
#ifndef TESSERA_TENSIX_RISCV_CORE_LOG_H
#define TESSERA_TENSIX_RISCV_CORE_LOG_H

#include "tensix/riscv/run.h"

/* The reasons for a late entry into EX1: up to `clock` the log's `busy`, from there to `enter` `reason`, and from there
 * until now the load/store unit. */
struct tx_core_late {
  sim_time clock, enter;
  uint32_t reason;
  uint32_t object; /* TX_REASON_LOAD: the address if it is that of the wall clock, else 0 */
};

struct tx_core_late tx_core_log_late(const struct tx_core *c, const struct tx_insn *d, sim_time enter,
                                     const struct tx_core_log *log);
/* The instruction has been executed. */
void tx_core_log_instruction(struct tx_core_run *run, const struct tx_insn *d, uint32_t pc, const struct tx_core_late *late);
/* Only the event of the instruction, which began in cycle `at`. */
static inline void tx_core_log_plain(struct tx_core_run *run, const struct tx_insn *d, uint32_t pc, sim_time at) {
  sim_log_emit(&run->t->unsaved.log, &(struct sim_event){.at = at,
                                                         .kind = TX_EVENT_CORE,
                                                         .agent = run->agent,
                                                         .a = d->word,
                                                         .b = pc,
                                                         .c = (uint64_t)d->rd << 32 | run->c->r[d->rd]});
}
/* The core acts again: logs the wait that ends now. */
void tx_core_log_wait(struct tx_core_run *run);

#endif
