/* The agent of the last action on a semaphore, a counter or a bank, and its place, for reports. */
#ifndef TESSERA_TENSIX_TRAIL_H
#define TESSERA_TENSIX_TRAIL_H

#include <stdint.h>

#include "sim/time.h"

struct tx_trail {
  sim_time cycle;
  uint32_t pc;    /* of the core's instruction that caused it; 0: not known */
  uint16_t agent; /* enum tx_agent; the host and the network: SIM_NO_AGENT */
  uint16_t known; /* 0: no agent yet */
};

#endif
