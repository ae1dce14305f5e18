/* The start of the wait of a polling core. Each load outside local RAM records the time of its first execution (struct tx_core_polls).
 * A store or a push ends the wait. So does leaving the loop using only registers and local RAM; that is visible in the number of
 * instructions between two executions of the load, and in the caller. A few instructions more or less are another path through the
 * same loop, unless
 * - a polled word has changed, the number differs once, and then returns: the core left the loop with the new value and waits again
 *   at the same load, for another value;
 * - the number was larger up to now and no polled word changes: the executions before were waits that ended at once.
 *
 * A loop that polls in bursts, with a pause after each, repeats the same gap: the wait began with its first burst. */
#ifndef TESSERA_TENSIX_RISCV_POLLS_H
#define TESSERA_TENSIX_RISCV_POLLS_H

#include "tensix/riscv/run.h"

void tx_poll_note(struct tx_core *c, uint32_t pc, uint32_t address, sim_time enter);
/* The value of the load that was noted last: not the one of its execution before. */
void tx_poll_changed(struct tx_core *c, uint32_t value);
static inline void tx_poll_value(struct tx_core *c, uint32_t value) {
  if (c->polls.value[c->polls.current] != value) tx_poll_changed(c, value);
}
/* Counts `steps` instructions in `by` cycles as executed, in iterations of `round`, with the loads of the last iteration. */
void tx_polls_skip(struct tx_core *c, uint64_t round, uint64_t steps, sim_time by);

/* The time at which the core first loaded `address` in its present loop; SIM_NEVER: it has not. */
sim_time tx_core_first_poll(const struct tx_core *c, uint32_t address);
uint32_t tx_core_poll_pc(const struct tx_core *c, uint32_t address); /* of that load; UINT32_MAX: none */
/* The first execution of the load of this entry in the core's present loop, which may also store. SIM_NEVER: it is in none. */
sim_time tx_core_loop_since(const struct tx_core *c, unsigned entry);
/* The time at which the core first executed the load at `pc`, which polls several words in turn; SIM_NEVER: it does not. */
sim_time tx_core_first_scan(const struct tx_core *c, uint32_t pc);
/* Of two entries the one that was executed later; TX_CORE_POLLS: none. */
static inline unsigned tx_core_later_poll(const struct tx_core *c, unsigned a, unsigned b) {
  return b == TX_CORE_POLLS || c->polls.last[a] > c->polls.last[b] ? a : b;
}
/* Does the present loop of the core contain the load of this entry? */
bool tx_core_polls_now(const struct tx_core *c, unsigned entry);
/* The single execution of another load of `address` directly before that: compilers place a loop's first test before the
 * loop. SIM_NEVER: none. Two loops of the source may be as close: the lines at `pc` and in the loop distinguish the two
 * cases. */
sim_time tx_core_test_before(const struct tx_core *c, uint32_t address, uint32_t *pc);

/* The core's wait has ended: its next polls begin a new one. */
static inline void tx_poll_forget(struct tx_core *c) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) c->polls.since[i] = 0;
}

#endif
