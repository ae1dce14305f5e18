/* The agents of a tile, and the kinds of their waits. Threads precede cores: in a cycle the gates issue before the cores
 * push. */
#ifndef TESSERA_TENSIX_AGENTS_H
#define TESSERA_TENSIX_AGENTS_H

#include <stdint.h>

#define TX_THREADS 3u

enum tx_agent {
  TX_AGENT_THREAD0,
  TX_AGENT_THREAD1,
  TX_AGENT_THREAD2,
  TX_AGENT_TRISC0,
  TX_AGENT_TRISC1,
  TX_AGENT_TRISC2,
  TX_AGENT_BRISC,
  TX_AGENT_NCRISC,
  TX_AGENT_SCALAR, /* the scalar unit while an instruction waits inside it */
  TX_AGENT_WATCH,  /* TX_WATCHES agents: each stops the tile when words have given values or are written (watch.h) */
  TX_AGENT_COUNT = TX_AGENT_WATCH + 16,
  TX_AGENT_NETWORK = 0xff, /* an arriving packet: causes effects and faults, but never acts by itself */
};

static inline unsigned tx_agent_of_thread(unsigned thread) { return TX_AGENT_THREAD0 + thread; }
static inline unsigned tx_agent_of_trisc(unsigned thread) { return TX_AGENT_TRISC0 + thread; }
/* One bit per agent that is a core. */
static inline uint64_t tx_core_agents(void) { return (UINT64_C(2) << TX_AGENT_NCRISC) - (UINT64_C(1) << TX_AGENT_TRISC0); }

/* Events (bits of sim_agent.channels). */
enum tx_channel {
  TX_CH_FIFO = 0, /* +thread: a word entered or left this thread's front end */
  TX_CH_UNIT = 3, /* +unit: the unit may accept an instruction, or has finished one */
  TX_CH_SEM = 12, /* a semaphore changed */
  TX_CH_MUTEX,    /* a mutex changed */
  TX_CH_BANK,     /* a source bank was handed over or released */
  TX_CH_MEMORY,   /* a memory request of the scalar unit was processed */
  TX_CH_CORE,     /* a core's request to config, GPRs or TDMA was processed */
  TX_CH_STREAM,   /* a stream register changed */
  TX_CH_IDLE,     /* a thread may have become idle: TTSync */
  TX_CH_COUNT,
};
#define TX_CH(n) (UINT64_C(1) << (n))

/* The resource that a thread or core is blocked on (sim_wait.kind); the comments define object and detail. */
enum tx_wait_kind {
  TX_BLOCKED_NOT = 0,
  TX_BLOCKED_CONDITION, /* latched STALLWAIT: object = conditions not met; detail = block mask */
  TX_BLOCKED_SEMAPHORE, /* latched SEMWAIT: object = semaphore mask; detail = condition bits | block mask << 8 */
  TX_BLOCKED_STREAM,    /* latched STREAMWAIT: object = stream */
  TX_BLOCKED_SRCA,      /* the head needs the matrix unit's SrcA bank */
  TX_BLOCKED_SRCB,
  TX_BLOCKED_MUTEX,       /* object = index */
  TX_BLOCKED_UNIT,        /* unit occupied or granted to another thread; object = unit */
  TX_BLOCKED_UNPACK_BANK, /* object = unpacker */
  TX_BLOCKED_HAZARD,      /* data hazard interlock; object = unit */
  TX_BLOCKED_CONFIG,      /* configuration pipeline */
  TX_BLOCKED_FIFO,        /* core: the thread's FIFO is full; object = thread */
  TX_BLOCKED_ADDRESS,     /* core: polls an address; object = address, detail = mask | value << 32 */
  TX_BLOCKED_TTSYNC,      /* core: waits until its thread is idle; object = thread */
  TX_BLOCKED_MOPSYNC,     /* core: waits until its MOP expander is idle */
  TX_BLOCKED_LATCH,       /* no word to pass, but a latched wait is still open; object = thread */
  TX_BLOCKED_LOAD,        /* core: a load without its response; object = address */
  TX_BLOCKED_MAILBOX,     /* core: an empty or full mailbox; object = address */
  TX_BLOCKED_PCBUF,       /* core: an empty or full PC buffer; object = address */
  TX_BLOCKED_LOOP,        /* core: jumps to itself forever; object = pc */
  TX_BLOCKED_TRACKED,     /* core: Auto TTSync, instructions that it pushed; object = thread, detail = resources */
  TX_BLOCKED_ACCESS,      /* thread: Auto TTSync, accesses of its core; object = thread, detail = resources */
  TX_BLOCKED_COUNT,
};

/* The reason why a core began no instruction in a cycle (event CORE_WAIT): its wait (enum tx_wait_kind), or a stall in its
 * own pipeline. */
enum tx_reason {
  TX_REASON_FETCH = TX_BLOCKED_COUNT, /* its code had not arrived */
  TX_REASON_LOAD,                     /* an operand is being loaded */
  TX_REASON_OPERAND,                  /* an operand is the result of a multiplication or division */
  TX_REASON_RETIRE,                   /* the retire-order queue is full */
  TX_REASON_MISPREDICT,               /* after a mispredicted jump or branch */
  TX_REASON_DIVIDE,
  TX_REASON_PORT,     /* its load/store unit or store queue was busy */
  TX_REASON_PIPELINE, /* none of these */
  TX_REASON_COUNT,
};

#endif
