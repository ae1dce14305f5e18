/* A run on a machine that differs in one thing: which instructions take no time, which waits are not made. NULL in every run but a rerun
 * that `tessera run --why` makes to prove its verdict. Such a run answers with its cycles; its bits mean nothing, because an instruction
 * that takes no time may read what another one has not written yet. */
#ifndef TESSERA_TENSIX_STATE_WHAT_IF_H
#define TESSERA_TENSIX_STATE_WHAT_IF_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/time.h"
#include "tensix/state/core.h"

#define TX_WHAT_IF_CODE (TX_L1_BYTES / 4u / 32u) /* words of a bit per instruction */

struct tx_what_if {
  uint32_t units;                           /* bit per unit: its instructions take no time at the wait gate */
  uint32_t lofi;                            /* 1: nor do those of the matrix unit in a fidelity phase after the first */
  uint32_t throttle;                        /* 1: nor do NOPs */
  uint32_t semaphores;                      /* bit per semaphore: SEMWAIT, SEMGET and SEMPOST of these alone do nothing */
  uint32_t code[TX_CORES][TX_WHAT_IF_CODE]; /* these instructions of a core, and what they push, take no time */
  struct {                                  /* a loop that polls L1 without time would never end */
    sim_time clock;
    uint32_t count, pc, address;
  } guard[TX_CORES];
};

static inline bool tx_what_if_code(const struct tx_what_if *w, unsigned core, uint32_t pc) {
  return pc < TX_L1_BYTES && w->code[core][pc / 128u] >> (pc / 4u % 32u) & 1u;
}

#endif
