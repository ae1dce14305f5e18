/* When did the wait of a polling core begin? Each load beyond local RAM keeps the time of its first execution (struct tx_core_polls). A store
 * or a push ends the wait. So does leaving the loop through registers and local RAM alone; that shows in the number of instructions from
 * one execution of the load to the next, and in the caller. A few instructions more or less are another path through the same loop.
 *
 * A loop that polls in bursts, with a pause after each, has the same gap again and again: the wait began with its first burst. */
#ifndef TESSERA_TENSIX_RISCV_POLLS_H
#define TESSERA_TENSIX_RISCV_POLLS_H

#include "tensix/riscv/run.h"

void tx_poll_note(struct tx_core *c, uint32_t pc, uint32_t address, sim_time enter);
/* `steps` instructions in `by` cycles are counted as executed, in rounds of `round`: the loads of the last round come along. */
void tx_polls_skip(struct tx_core *c, uint64_t round, uint64_t steps, sim_time by);

/* When the core first loaded `address` in the loop that it is in; SIM_NEVER: it has not. */
sim_time tx_core_first_poll(const struct tx_core *c, uint32_t address);
uint32_t tx_core_poll_pc(const struct tx_core *c, uint32_t address); /* of that load; UINT32_MAX: none */
/* Does the loop that the core is in have the load of this entry? */
bool tx_core_polls_now(const struct tx_core *c, unsigned entry);
/* The one execution of another load of `address` right before that: compilers put a loop's first test in front of it. SIM_NEVER: none.
 * Two loops of the source may follow each other as closely: the lines at `pc` and in the loop tell which it is. */
sim_time tx_core_test_before(const struct tx_core *c, uint32_t address, uint32_t *pc);

/* The wait that the core was in is over: its next polls begin a new one. */
static inline void tx_poll_forget(struct tx_core *c) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) c->polls.since[i] = 0;
}

#endif
