/* The change of the machine in a what-if rerun: instructions that take no time, waits that are skipped. NULL in every run
 * except a rerun by `tessera run --why` to confirm its verdict. Only the cycles of such a run are meaningful, not its bits,
 * because an instruction that takes no time may read data that is not written yet. */
#ifndef TESSERA_TENSIX_STATE_WHAT_IF_H
#define TESSERA_TENSIX_STATE_WHAT_IF_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/packet.h"
#include "sim/time.h"
#include "tensix/state/core.h"

#define TX_WHAT_IF_CODE (TX_L1_BYTES / 4u / 32u) /* words of a bit per instruction */

/* Units whose words are left out with the line that pushes them: their time would delay the words behind. */
#define TX_WHAT_IF_REMOVED (1u << TX_UNIT_UNPACK | 1u << TX_UNIT_MATRIX | 1u << TX_UNIT_VECTOR | 1u << TX_UNIT_PACK)

#define TX_WHAT_IF_BUFFERS 32u
#define TX_WHAT_IF_POLLED 4u /* counters of NIUs that one barrier polls */

struct tx_what_if {
  uint32_t units;        /* bit per unit: its instructions take no time at the wait gate */
  uint32_t lofi;         /* 1: nor do those of the matrix unit in a fidelity phase after the first */
  uint32_t throttle;     /* 1: nor do NOPs of the math thread */
  uint32_t semaphores;   /* bit per semaphore: SEMWAIT, SEMGET and SEMPOST of only these do nothing */
  uint32_t answered;     /* bit per agent: its requests to other tiles are complete as soon as they depart */
  uint32_t links;        /* 1: its requests and their answers occupy no link and no memory */
  struct {               /* the same for those whose data passes this link of a NoC */
    uint32_t known;      /* 0: none */
    uint32_t noc, link;  /* enum noc_link */
    struct noc_place at; /* the router */
  } link;
  uint32_t spread_dram;                     /* bit per DRAM bank: requests to it go to all of them in turn */
  uint32_t spread_requests;                 /* of this tile so far */
  uint32_t owed[NOC_NOCS][NOC_KINDS];       /* their answers under way, by the kind of the answer */
  uint32_t under_way[NOC_NOCS][NOC_KINDS];  /* answers to all other requests, likewise */
  uint32_t code[TX_CORES][TX_WHAT_IF_CODE]; /* these instructions of a core, and the words they push, take no time */
  uint32_t removes;                         /* 1: of these words, those for TX_WHAT_IF_REMOVED have no effect */
  uint32_t hand_overs;                      /* 1: `code` counts pages: no STALLWAIT, and the counters are there at once */
  uint32_t paid_of;                         /* not 0: every so many executions an instruction of `code` takes its time */
  uint8_t executed[TX_CORES][TX_L1_BYTES / 4u]; /* modulo that */
  struct {
    uint64_t retired;
    uint32_t pc, pays;
  } turn[TX_CORES];                           /* the last of them */
  uint32_t pushed[TX_CORES][TX_WHAT_IF_CODE]; /* `removes`: these have pushed or stored once */
  uint32_t posted[TX_CORES];   /* bit per semaphore: the line posts it from the core, left out with its SEMGETs */
  uint32_t recorded[TX_CORES]; /* words left that belong to a REPLAY that was left out */
  uint32_t kept[TX_CORES];     /* or to one that was not */
  struct {
    uint64_t retired;
    uint32_t pc;
  } tried[TX_CORES]; /* the instruction that pushed or stored last: it may have to wait, and is tried again */
  /* of these: calls of functions. What the core does until their return takes no time either. */
  uint32_t calls[TX_CORES][TX_WHAT_IF_CODE];
  struct {                       /* the call that a core is in */
    uint32_t from, until, stack; /* its pc, its return address (0: none) and the stack pointer */
  } call[TX_CORES];
  struct { /* a loop around `code` with a barrier: behind the loop the core waits until the polled counters are complete */
    uint32_t function, function_end; /* the function around it; 0: no such loop */
    uint32_t first;         /* not 0: the instruction that every turn begins with, and turns after the first take no time */
    uint32_t inside, again; /* the core is in the loop; and in such a turn */
    uint32_t owes;          /* 1: it passed the barrier without waiting */
    uint32_t polled[TX_WHAT_IF_POLLED], polled_count;
  } loop[TX_CORES];
  uint32_t looped[TX_CORES][TX_WHAT_IF_CODE]; /* its instructions */
  struct {                                    /* circular buffers whose consumer waits for each page where it uses it */
    uint32_t cores;                           /* bit per core that does so */
    uint32_t buffers;                         /* bit per buffer that such a core has polled */
    uint32_t looks[2];                        /* per unpacker: a job waits for its page, and is tried again */
    struct {
      uint32_t address, page_bytes, pages;
    } buffer[TX_WHAT_IF_BUFFERS];
  } paged;
  struct { /* a loop that polls without time would never end */
    sim_time clock, paid_until;
    uint64_t retired;                 /* at the last load that was judged, */
    uint32_t judged, polls;           /* which is tried again if it has to wait */
    uint32_t count, trips;            /* instructions in this cycle; cycles in which they were too many */
    uint32_t load_pc;                 /* of the last load in this cycle; 0: none */
    uint32_t marked, pc, steps, most; /* the core's state at an earlier load, and the loads since (Brent's search) */
    uint32_t r[TX_CORE_NOWHERE];
  } guard[TX_CORES];
  uint32_t waits[TX_CORES][TX_WHAT_IF_CODE]; /* loads in loops that did not end: they take their time */
  struct {                                   /* what the core reads of the clock while it takes no time */
    uint64_t ahead, last;                    /* the value that it read last */
  } time[TX_CORES];
};

static inline bool tx_what_if_in_call(const struct tx_what_if *w, unsigned core) { return w->call[core].until != 0; }

static inline bool tx_what_if_code(const struct tx_what_if *w, unsigned core, uint32_t pc) {
  return pc < TX_L1_BYTES && w->code[core][pc / 128u] >> (pc / 4u % 32u) & 1u;
}

#endif
