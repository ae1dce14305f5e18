/* The nine execution units for the wait gate: free or not, the last thread, and instructions still inside. */
#ifndef TESSERA_TENSIX_STATE_UNITS_H
#define TESSERA_TENSIX_STATE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "tensix/agents.h"

struct tx_unit_state {
  sim_time free_at;                /* accepts nothing before */
  sim_time drained_at[TX_THREADS]; /* this thread has an instruction inside until then (STALLWAIT C1..C4, C9, C11) */
  uint64_t accepted[TX_THREADS];   /* instructions */
  uint64_t busy_cycles;
};

/* A unit's answer to whether a thread's head can enter now. If not: when to repeat the request (a time, an event, or both). */
struct tx_answer {
  bool ok;
  sim_time retry_at;
  uint64_t channels;
  struct sim_wait wait;
};

#endif
