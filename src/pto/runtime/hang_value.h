/* A hang as a value: each waiting agent with its resource, cycle and line, the agents that would release it if they could
 * continue, and the wait that is the cause. Text, JSON, SARIF and the API's structs are made from it.
 *
 * An agent can release a wait when its queue holds the act, or when the rest of its core's program contains it (future.h). A
 * core whose program has ended can release nothing. The chain begins with a wait that no agent can release, and each following
 * waiter waits for an earlier one. Without such a wait the chain is closed (`deadlock`): each waits for the next, the last for
 * the first. */
#ifndef TESSERA_PTO_RUNTIME_HANG_VALUE_H
#define TESSERA_PTO_RUNTIME_HANG_VALUE_H

#include "pto/runtime/state.h"

struct pto_waiter {
  uint8_t agent, core, unit, kind; /* kind: enum pto_wait_kind */
  char name[16];                   /* "AIC FIX" */
  uint64_t since;
  char what[192];    /* "flag 1 (free of pipe %p): counter 0, tpush at line 6, tile 2" */
  char resource[96]; /* "flag 1 of AIC" */
  uint32_t index;    /* of the flag, event, pipe of the core or TPipe */
  uint32_t value, wanted;
  uint32_t line;
  const char *function, *op;
  int waits_for;    /* the waiter that has to continue first; -1: no agent can release it */
  const char *role; /* of the releasers: "pushes", "pops", "sets", "executes" */
  uint64_t release; /* bit per agent that would release it */
  char why[384];    /* why it is not released; "" */
};

struct pto_hang {
  uint64_t cycle;
  bool deadlock;
  uint32_t block, dispatch; /* dispatch: from 1; 0: the program has only one */
  uint32_t waiter_count, chain_count;
  struct pto_waiter waiters[PTO_AGENTS];
  uint32_t chain[PTO_AGENTS]; /* waiters, the cause first */
  uint8_t ended, absent;      /* bit per core whose program has ended, and that runs none */
  char cause[1024];           /* one sentence */
};

#endif
