/* The wait gates and the arbiter. Plain data; the functions are in frontend/gate.h. */
#ifndef TESSERA_TENSIX_STATE_GATE_H
#define TESSERA_TENSIX_STATE_GATE_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/agents.h"

/* Resources that serve a limited number of threads per cycle. */
enum tx_port {
  TX_PORT_NONE = 0, /* one per thread: Misc, SETC16 */
  TX_PORT_SYNC,     /* one of SEM*, STALLWAIT, SEMWAIT, STREAMWAIT or a core's semaphore write */
  TX_PORT_MUTEX0,   /* one operation per mutex: +index */
  TX_PORT_CONFIG_M4 = TX_PORT_MUTEX0 + 8,
  TX_PORT_CONFIG_M1,
  TX_PORT_CONFIG_0,
  TX_PORT_UNPACK,
  TX_PORT_MATRIX,
  TX_PORT_PACK,
  TX_PORT_VECTOR,
  TX_PORT_SCALAR,
  TX_PORT_MOVER,
  TX_PORT_COUNT,
};

enum tx_condition {
  TX_C0_SCALAR_MEMORY,
  TX_C1_UNPACK0,
  TX_C2_UNPACK1,
  TX_C3_PACK,
  TX_C4_MATRIX,
  TX_C5_SRCA_CLEARED, /* unpack bank of SrcA owned by the unpackers */
  TX_C6_SRCB_CLEARED,
  TX_C7_SRCA_VALID, /* matrix bank of SrcA owned by the matrix unit */
  TX_C8_SRCB_VALID,
  TX_C9_MOVER,
  TX_C10_CORE_REQUESTS,
  TX_C11_VECTOR,
  TX_C12_CONFIG,
  TX_CONDITIONS,
};

struct tx_latch {
  uint32_t opcode; /* 0: nothing latched */
  uint32_t block;  /* B0..B8 */
  uint32_t condition;
  uint32_t semaphores;
  uint32_t stream, target;
  uint32_t pc, pad; /* of the core's instruction that pushed the wait */
  sim_time since;
};

struct tx_gate {
  struct tx_latch latch;
  uint64_t issued;
  uint64_t stalled[TX_BLOCKED_COUNT]; /* cycles, by what */
  uint32_t wants;                     /* this cycle: enum tx_port; TX_PORT_COUNT: nothing */
  uint32_t granted;                   /* this cycle */
  uint32_t latch_met;                 /* this cycle: the latch ends with it */
  /* accesses of its core that Auto TTSync orders: stores in progress, a waiting load; 1 more: it lingers */
  uint32_t accesses;
};

struct tx_arbiter {
  uint8_t last[TX_PORT_COUNT]; /* thread granted last */
  uint8_t requests[TX_PORT_COUNT];
  uint8_t pad[2];
  uint64_t touched;       /* bit per port requested this cycle */
  sim_time sync_taken_at; /* cycle in which a core's semaphore write used TX_PORT_SYNC */
};

#endif
