/* A baby core. Plain data; the functions are in riscv/core.h. */
#ifndef TESSERA_TENSIX_STATE_CORE_H
#define TESSERA_TENSIX_STATE_CORE_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/assert.h"
#include "sim/engine.h"

#define TX_CORES 5u /* T0, T1, T2, BRISC, NCRISC: the order of their agents */
#define TX_CORE_BRISC 3u
#define TX_CORE_NCRISC 4u

/* The bit of the core in RISCV_IC_INVALIDATE: 0 BRISC, 1..3 TRISC0..2, 4 NCRISC (firmware's masks). */
static inline uint32_t tx_core_cache_bit(unsigned core) {
  return 1u << (core < TX_CORE_BRISC ? core + 1 : core == TX_CORE_BRISC ? 0 : core);
}

#define TX_CORE_AHEAD SIM_LIMIT(64u, 3u)         /* cycles by which a core may run ahead of its tile */
#define TX_CORE_AHEAD_WINDOW SIM_LIMIT(512u, 5u) /* the same in a window of a chip, in which no other tile acts */
#define TX_CORE_RETIRE 8u
#define TX_L0_HITS_PER_FLUSH 125u /* riscv/memory.c */
#define TX_CORE_STORES 4u
#define TX_CORE_LOADS 4u /* in flight in the load/store unit. ISA: L1.md: four 32-bit reads every seven cycles */

/* Registers have one numbering: x0..x31, f0..f31, and one more entry for results that are discarded. */
#define TX_CORE_F 32u
#define TX_CORE_NOWHERE 64u
#define TX_CORE_REGISTERS 65u

/* A decoded instruction (riscv/decode.h). */
struct tx_insn {
  uint32_t word;
  uint32_t imm; /* immediate, shift amount, CSR number (and its 5-bit immediate << 16), or the pushed word of .ttinsn */
  uint8_t op;   /* enum tx_rv_op */
  uint8_t class;
  uint8_t rd;            /* TX_CORE_NOWHERE when there is none */
  uint8_t rs1, rs2, rs3; /* 0 when there is none */
};

#define TX_IC_SETS 128u
#define TX_IC_WAYS 2u
#define TX_IC_LINES (TX_IC_SETS * TX_IC_WAYS)
#define TX_IC_WORDS 4u /* of a line */
#define TX_BP_ENTRIES 512u
#define TX_L0_LINES 4u

/* cfg0. ISA: CSRs.md */
enum tx_core_cfg0 {
  TX_CFG0_NO_LOAD_BYPASS = 1u << 0,
  TX_CFG0_NO_PREDICTOR = 1u << 1,
  TX_CFG0_NO_L0 = 1u << 3,
  TX_CFG0_COUNTER_CLEARS = 1u << 8,
  TX_CFG0_SYNC_ALL = 1u << 9,
  TX_CFG0_NO_CSR_SYNC = 1u << 10,
  TX_CFG0_NO_MERGE = 1u << 12,
  TX_CFG0_NO_FUSION = 1u << 18,
  TX_CFG0_NO_FORWARDING = 1u << 20,
  TX_CFG0_NO_L0_FLUSH = 1u << 24,
  TX_CFG0_NO_STATUS = 1u << 29,
  TX_CFG0_BF16 = 1u << 30,
  TX_CFG0_BF16_NEAREST = 1u << 31,
};
#define TX_CFG0_MERGE_TIMER(cfg0) ((cfg0) >> 13 & 31u)
#define TX_CFG0_RESET (16u << 13)

/* Indices into tx_core.csr; csr.c has the others. */
enum { TX_CSR_CFG0 = 0, TX_CSR_PMACFG0 = 1, TX_CSR_PMACFG1 = 2, TX_CSR_RESTORE_PC = 25, TX_CSR_VLENB = 28 };

/* Why a core tests before each instruction. */
enum tx_one_by_one {
  TX_TESTS_INTERRUPTS = 1, /* interrupts are enabled */
  TX_TESTS_DEBUG = 2       /* the debug interface steps it, or has breakpoints or watchpoints */
};

enum tx_core_state {
  TX_CORE_HELD = 0, /* in reset */
  TX_CORE_RUNNING,
  TX_CORE_EBREAK, /* paused by ebreak, whose address is pc, or by the debug interface (stop_word is 0 then) */
};

/* One entry of the store queue: up to 16 bytes of one aligned line of L1, one store to another address, or fused pushes. */
struct tx_core_store {
  uint32_t address; /* L1: of the line; else of the store */
  uint32_t pc;
  uint32_t data[4];
  uint16_t mask; /* bytes of `data` that are stored */
  uint8_t is_l1;
  uint8_t pushes;  /* words of a fused .ttinsn group, else 0 */
  uint32_t last;   /* L1: start address of the last store */
  int8_t ahead[4]; /* L1: per word, instructions from `pc` to the one that stored it */
  uint32_t pad;
  sim_time first, enter; /* times at which the first and the last of its stores entered the load/store unit */
};

/* A load or atomic whose value is not known yet. */
struct tx_core_waiting {
  uint32_t kind; /* enum tx_core_waiting_kind; 0: none */
  uint32_t address;
  uint8_t op, rd, slot, behind; /* slot in the retire-order queue; instructions started since */
  uint32_t pc;
  sim_time enter; /* EX1 */
  uint64_t channels;
  sim_time retry_at; /* 0: only when signalled */
  struct sim_wait wait;
  uint16_t complete
      [TX_CORE_RETIRE]; /* by slot: cycles from `enter` until an instruction started since is complete; at most as many as fit */
};

enum tx_core_waiting_kind { TX_WAITING_NOT, TX_WAITING_LOAD, TX_WAITING_ATOMIC };

/* Detection of a spin: the state before one load, and the loads since then. */
struct tx_core_spin {
  uint32_t pc;   /* of the load */
  uint32_t seen; /* number of iterations that contain only loads; 0: no candidate */
  uint32_t value;
  uint32_t count; /* of keys */
  uint32_t keys[SIM_PARK_KEYS_MAX];
  uint32_t values[SIM_PARK_KEYS_MAX];
  uint32_t offsets[SIM_PARK_KEYS_MAX]; /* cycles from the first load to that of each key */
  uint32_t parked;                     /* 1: the core waits at the load */
  uint32_t jumps;                      /* consecutive taken backward branches with nothing in between */
  sim_time at;                         /* EX1 of the load in the last iteration */
  uint64_t retired;
  uint32_t period;
  uint32_t word; /* the word after keys[0] that contains `value` */
  uint32_t registers[64];
};

/* Its registers and values are those of the last iteration. */
static inline int tx_spin_has_begun(const struct tx_core_spin *s) { return s->seen >= 2 || s->parked; }

/* The number of instructions from one execution of a load to the next, in its present sequence (riscv/polls.h). */
enum tx_poll_path {
  TX_POLL_FIRST,   /* at most one number is known */
  TX_POLL_STEADY,  /* always the same number */
  TX_POLL_LEFT,    /* a polled word changed, then another number: the core may have left the loop and entered it again */
  TX_POLL_SHORTER, /* now less: the executions before may be waits that ended at once */
  TX_POLL_MIXED    /* the loop has paths of several lengths */
};

/* The loads outside local RAM since the core's last store or push there: the start of a wait that polls. Each load has the
 * time at which its present sequence of executions began (riscv/polls.h: when it ends). */
#define TX_CORE_POLLS 8u
struct tx_core_polls {
  uint32_t next;     /* entry for the next new load */
  uint32_t current;  /* entry of the last load */
  uint32_t news;     /* number of polls that returned another value than the one before */
  uint32_t clock_pc; /* timing off: of the core's last load of the wall clock, while it is aside */
  uint32_t pc[TX_CORE_POLLS], address[TX_CORE_POLLS];
  uint32_t value[TX_CORE_POLLS];  /* of the last execution */
  uint32_t seen[TX_CORE_POLLS];   /* `news` before the last execution */
  uint32_t caller[TX_CORE_POLLS]; /* ra at the last execution */
  /* number of instructions between the last two executions; 0: executed once in this sequence */
  uint32_t round[TX_CORE_POLLS];
  uint32_t gap[TX_CORE_POLLS];        /* instructions between the previous sequence and this one; 0: no previous sequence */
  uint32_t gaps[TX_CORE_POLLS];       /* number of consecutive equal gaps; 2: or more */
  uint32_t turned[TX_CORE_POLLS];     /* 1: the second execution had another caller */
  uint32_t path[TX_CORE_POLLS];       /* enum tx_poll_path */
  uint32_t left_round[TX_CORE_POLLS]; /* TX_POLL_LEFT: `round` before the change */
  /* A load that polls several words in turn: the address of the first execution, and the instructions per round; 0: not known yet */
  uint32_t scan_address[TX_CORE_POLLS], scan_round[TX_CORE_POLLS];
  sim_time since[TX_CORE_POLLS];  /* first execution of the sequence; 0: free entry */
  sim_time at[TX_CORE_POLLS];     /* last execution */
  sim_time before[TX_CORE_POLLS]; /* first execution of the first sequence with this gap */
  /* the other possible first execution: TX_POLL_LEFT, if the loop was entered again; TX_POLL_SHORTER, if it is one loop */
  sim_time other_since[TX_CORE_POLLS];
  sim_time scan_since[TX_CORE_POLLS]; /* first execution, with any address */
  /* instructions retired at the first, the last and the other first execution of the sequence */
  uint64_t first[TX_CORE_POLLS], last[TX_CORE_POLLS], other_first[TX_CORE_POLLS];
  uint64_t scan_first[TX_CORE_POLLS]; /* at the start of the round over several words */
};

struct tx_core_fetch {
  uint32_t line;    /* address of the current line, plus 1; 0: none */
  uint32_t slot;    /* set * TX_IC_WAYS + way */
  sim_time ready;   /* its first instruction is there */
  uint32_t fetched; /* the last line that was fetched from L1 */
  uint32_t pad;
  sim_time arrival;           /* of that line */
  uint32_t tag[TX_IC_LINES];  /* address of the line plus 1, or 0 */
  uint8_t recent[TX_IC_SETS]; /* way used last */
  uint32_t words[TX_IC_LINES * TX_IC_WORDS];
  uint32_t branch[TX_BP_ENTRIES];  /* address plus 1 of the branch in this entry, or 0 */
  uint8_t outcomes[TX_BP_ENTRIES]; /* of that branch (fetch.c) */
  uint32_t target[TX_BP_ENTRIES];
};

struct tx_core {
  union {
    uint32_t r[TX_CORE_REGISTERS];
    struct {
      uint32_t x[32], f[32];
    };
  };
  uint32_t pc;
  uint32_t state; /* enum tx_core_state */
  uint32_t reset_pc;
  uint32_t stop_word; /* the ebreak */
  sim_time clock;
  sim_time started_at;
  uint64_t retired;
  uint64_t passed_break; /* retired + 1 at the last stop before an instruction: the core does not stop up to it again */
  uint64_t cycle_offset, instret_offset; /* mcycle, minstret were written */
  sim_time ready[TX_CORE_REGISTERS];
  sim_time retire[TX_CORE_RETIRE];
  uint32_t retire_next,
      retire_pad; /* the pad is 0: the parts of a core that chip/orbit.c compares are multiples of 8 bytes */
  uint32_t queue_count;
  uint32_t held;      /* an instruction waits in EX1 for an event outside the core */
  uint32_t flush;     /* the store queue, which is not empty, is to be emptied: no merging */
  sim_time port_free; /* next store may be emitted */
  sim_time
      /* time at which the last push leaves, or left, the store queue; FIFO 1 may hold it before, marked for that cycle
       * (queue.c) */
      push_left;
  /* time at which the load/store unit accepts the next load or atomic: the previous one was granted its port */
  sim_time lsu_free;
  sim_time lsu_slot[TX_CORE_LOADS]; /* a ring: times at which the slots of loads in flight become free */
  uint32_t lsu_next, lsu_again;     /* the ring's next slot; 1: a load or atomic was not granted and repeats its request */
  sim_time loads_ready;             /* results of all loads so far are known */
  sim_time local_ready;             /* local RAM has been cleared */
  sim_time l1_arrival;              /* arrival of the last store in flight to L1 */
  uint32_t l1_under_way;
  uint32_t refused; /* the bus did not accept the head of the store queue */
  uint64_t refused_channels;
  sim_time refused_retry;
  struct sim_wait refused_wait;
  struct tx_core_store queue[TX_CORE_STORES];
  struct tx_core_waiting waiting;
  struct tx_core_spin spin;
  struct tx_core_polls polls;
  /* bits of enum tx_one_by_one: the core executes one instruction at a time, never runs ahead, and is never parked */
  uint32_t one_by_one;
  uint32_t jump_from, jump_to; /* the last jalr, for reports: a call through a wild pointer faults where no line is */
  uint32_t pad_jump;
  uint32_t csr[32]; /* TX_CSR_CFG0 ... */
  uint32_t l0_tag[TX_L0_LINES];
  uint32_t l0_next, l0_hits;
  uint32_t l0_words[TX_L0_LINES * 4];
  struct tx_core_fetch fetch;
  uint8_t local[TX_LOCAL_BYTES];
};

/* Breakpoints of the caller; not part of the saved state. */
#define TX_BREAKS 64u
struct tx_breaks {
  uint32_t filter[TX_CORES]; /* bit (pc / 4 % 32): the core may have to stop there; all bits while it is stepped */
  uint32_t stopped;          /* bit per core that stopped since the caller's last check */
  uint32_t stepping;         /* bit per core: stop when `retired` is no longer step_from */
  uint32_t used;             /* of `at` */
  uint32_t at_ebreak;        /* stop the run when a core executes ebreak */
  uint32_t paused;           /* bit per core that has executed ebreak since then */
  uint32_t awaited;          /* bit per core that has not reached its kernel */
  uint64_t step_from[TX_CORES];
  uint64_t before[TX_CORES];  /* stop before the instruction with this number (retired + 1); 0: none */
  sim_time entered[TX_CORES]; /* the cycle in which it reached it; 0: not yet */
  uint32_t kernel[TX_CORES];  /* start address of its kernel */
  struct {
    uint32_t pc, core; /* core TX_CORES: free */
  } at[TX_BREAKS];
};

/* Progress of the core's event log. */
struct tx_core_log {
  sim_time next;                      /* every cycle before this one is logged; 0: none yet */
  uint32_t busy, object;              /* enum tx_reason: the reason why `clock` is later than `next` */
  uint8_t by_load[TX_CORE_REGISTERS]; /* 1: a load wrote the register; 2: a load of the wall clock */
  uint8_t pad[7];
};

/* Where the engine pauses: after a load of the core (chip/orbit.h), or after a turn that it begins there (lap/lap.h). */
enum tx_anchor { TX_ANCHOR_NONE, TX_ANCHOR_LOAD, TX_ANCHOR_TURN, TX_ANCHOR_REACHED };

struct tx_code;

/* State of the cores that need not be saved. */
struct tx_core_cache {
  struct tx_code *code;                      /* decoded lines (riscv/code.h); NULL: none are kept */
  uint32_t line[TX_CORES][TX_IC_LINES];      /* number there of each line of the instruction cache; 0: not looked up */
  struct tx_insn own[TX_CORES][TX_IC_WORDS]; /* the line that the core entered last, if it is not there */
  sim_time until;                            /* the time at which the caller wants to stop */
  uint64_t acts; /* instructions that do more than compute or load from L1 and local RAM (chip/orbit.h) */
  uint32_t anchor_on, anchor_core, anchor_pc; /* the engine pauses there, at the instruction whose pc is one less; 0: none */
  struct tx_core_log log[TX_CORES];
};

#endif
