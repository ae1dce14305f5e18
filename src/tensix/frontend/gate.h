/* The wait gate of a thread and the arbiter behind the three of them.
 *
 * In every cycle the head of FIFO 3 passes iff no latched wait blocks its class, its own automatic condition holds, its unit
 * can take it, no earlier access of its core stands against it (autosync.h), and it wins the arbitration against the other threads.
 * At most one instruction per thread and cycle, in order.
 *
 * A latched wait is looked at in every cycle after the one in which it was latched. In the cycle in which its condition is
 * found true it still blocks. ISA: STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md (Blackhole). */
#ifndef TESSERA_TENSIX_GATE_H
#define TESSERA_TENSIX_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "tensix/agents.h"

/* Things that serve a limited number of threads a cycle. */
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
  uint32_t
      accesses; /* of its core that Auto TTSync puts in order: stores under way, a load that waits; 1 more: it lingers */
};

struct tx_arbiter {
  uint8_t last[TX_PORT_COUNT]; /* thread granted last */
  uint8_t requests[TX_PORT_COUNT];
  uint8_t pad[2];
  uint64_t touched;       /* bit per port requested this cycle */
  sim_time sync_taken_at; /* cycle in which a core's semaphore write took TX_PORT_SYNC */
};

struct tx_tile;

void tx_gate_reset(struct tx_tile *t);
void tx_gate_request(struct tx_tile *t, unsigned thread);
void tx_gate_arbitrate(struct tx_tile *t);
void tx_gate_issue(struct tx_tile *t, unsigned thread);
/* The three phases for a thread that is the only one to act until `limit`, cycle after cycle. */
void tx_gate_alone(struct tx_tile *t, unsigned thread, sim_time limit);
/* Cycles a thread has waited for things of this kind (enum tx_blocked), up to now. */
uint64_t tx_gate_stalled(const struct tx_tile *t, unsigned thread, unsigned kind);
/* Conditions of a mask that keep a thread waiting now. */
uint32_t tx_conditions_unmet(struct tx_tile *t, unsigned thread, uint32_t mask);

#endif
