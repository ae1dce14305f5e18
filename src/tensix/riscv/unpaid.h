/* Instructions of a core that take no time, in a what-if rerun (state/what_if.h). They are executed in the cycle in which
 * the core reaches them: no fetch, no latency, no slot in the retire-order queue. L1 and registers of the NIUs are
 * read and written at once. Accesses to other agents (registers, atomics) keep their time, and so does a loop that polls. The clock runs
 * ahead for them. Only the loop with events supports this. */
#ifndef TESSERA_TENSIX_RISCV_UNPAID_H
#define TESSERA_TENSIX_RISCV_UNPAID_H

#include "tensix/riscv/run.h"

/* The cost of an instruction to its core: restored for an instruction without cost. */
struct tx_core_bill {
  sim_time clock, port_free, arrival, retires;
  uint32_t retire_next;
};

bool tx_core_comes_free(struct tx_core_run *run, uint32_t pc);
static inline bool tx_core_is_unpaid(struct tx_core_run *run, uint32_t pc) {
  return __builtin_expect(run->t->unsaved.what_if != NULL, 0) && tx_core_comes_free(run, pc);
}

static inline struct tx_core_bill tx_core_bill(const struct tx_core *c) {
  return (struct tx_core_bill){.clock = c->clock,
                               .port_free = c->port_free,
                               .arrival = c->fetch.arrival,
                               .retires = c->retire[c->retire_next],
                               .retire_next = c->retire_next};
}

/* The time of its execution: when its operands are available. */
sim_time tx_core_unpaid_enter(struct tx_core *c, const struct tx_insn *d, const struct tx_core_bill *bill);
/* true: it was an access to L1, and is complete. */
bool tx_core_unpaid_access(struct tx_core_run *run, const struct tx_insn *d);
void tx_core_unpay(struct tx_core *c, const struct tx_insn *d, sim_time enter, const struct tx_core_bill *bill);

#endif
