/* The GPRs and the scalar unit. Plain data; the functions are in unit/scalar.h. */
#ifndef TESSERA_TENSIX_STATE_SCALAR_H
#define TESSERA_TENSIX_STATE_SCALAR_H

#include <stdint.h>

#include "sim/time.h"

#define TX_GPRS 64u

struct tx_scalar {
  uint32_t gpr[3][TX_GPRS];
  uint8_t gpr_pending[3][TX_GPRS]; /* pending writes of a register, for a diagnostic */
  uint32_t outstanding[3];         /* C0: memory requests emitted and not yet processed */
  uint32_t waiting_word;           /* the instruction that waits inside the unit, 0: none */
  uint32_t waiting_thread;
  uint32_t waiting_pc;
  uint32_t pad;
  uint32_t waiting_data[3]; /* STOREIND to Src: index and two GPRs, read at acceptance */
  sim_time hold_until[3];   /* the gate passes no word of this thread before */
  sim_time atomic_free_at;  /* earliest start of the next ATINCGET or ATSWAP */
  sim_time rdcfg_lands_at
      /* time at which the thread's last RDCFG writes its GPR; one per cycle, two cycles each: no earlier one is pending */
      [3];
  uint8_t rdcfg_gpr[3];
  uint8_t pad2[5];
};

#endif
