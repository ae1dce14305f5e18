/* The vector unit. Plain data; the functions are in unit/vector/vector.h. */
#ifndef TESSERA_TENSIX_STATE_VECTOR_H
#define TESSERA_TENSIX_STATE_VECTOR_H

#include <stdint.h>

#include "sim/time.h"

#define TX_LANES 32u
#define TX_ALL_LANES 0xffffffffu

typedef uint32_t tx_row[TX_LANES];

#define TX_LREGS 17u
#define TX_LREG_STAGING 16u     /* SFPLOADMACRO's own */
#define TX_UNDEFINED_PARTIAL 8u /* LReg 8..15 are constants, so the bits of both kinds are apart */
#define TX_UNDEFINED_KIND (0xffu | 1u << TX_LREG_STAGING)
#define TX_FLAG_STACK 8u
#define TX_VECTOR_COLUMNS 8u
#define TX_MACROS 4u

/* LaneConfig. ISA: SFPCONFIG.md */
enum tx_lane_config {
  TX_LANE_CONFIG_FP16A_INF = 1u << 0,
  TX_LANE_CONFIG_DISABLE_BACKDOOR = 1u << 1,
  TX_LANE_CONFIG_DEST_INDEX = 1u << 2,
  TX_LANE_CONFIG_CAPTURE_INDEX = 1u << 3,
  TX_LANE_CONFIG_BLOCK_STORE = 1u << 4,
  TX_LANE_CONFIG_BLOCK_LOAD = 1u << 5,
  TX_LANE_CONFIG_LOAD_ODD = 1u << 6,
  TX_LANE_CONFIG_STORE_ODD = 1u << 7,
  TX_LANE_CONFIG_EXCHANGE = 1u << 8,
  TX_LANE_CONFIG_BLOCK_MOV = 3u << 9, /* read by the matrix unit's moves */
  TX_LANE_CONFIG_ROW_MASK = 15u << 12,
  TX_LANE_CONFIG_BITS = 0x3ffffu,
};

enum tx_vector_unit {
  TX_SUB_SIMPLE,
  TX_SUB_MAD,
  TX_SUB_ROUND,
  TX_SUB_STORE,
  TX_SUB_LOAD,
  TX_SUB_UNITS,
  TX_SUB_SCHEDULED = 4
};

/* One instruction with its operands decoded; SFPLOADMACRO replaces some of them. */
struct tx_vop {
  uint8_t opcode;
  uint8_t va, vb, vc, vd; /* registers */
  uint8_t mod;
  uint8_t addr_mode;  /* load and store */
  uint8_t rounding;   /* SFP_STOCH_RND */
  uint16_t imm;       /* as many bits as the instruction has */
  uint8_t two_cycles; /* its result is available in the cycle after next */
  uint8_t plain;      /* of a decoded word: the fast path that it may use (issue.c); 0: none */
};

/* Lane flags: a bit per lane. `use`: the flag decides whether the lane is enabled. `present`: this stack entry exists. */
struct tx_flags {
  uint32_t flags, use, present;
};

/* LoadMacroConfig, per column. */
struct tx_macro_config {
  uint32_t instruction[TX_MACROS][TX_VECTOR_COLUMNS];
  uint32_t sequence[TX_MACROS][TX_VECTOR_COLUMNS];
  uint32_t misc[TX_VECTOR_COLUMNS]; /* 12 bits: StoreMod0, UsesLoadMod0ForStore, UnitDelayKind */
};

/* An instruction scheduled by SFPLOADMACRO, for the columns that have it (0: none). */
struct tx_scheduled {
  struct tx_vop op;
  uint32_t word, pc; /* of the SFPLOADMACRO */
  uint16_t address;  /* Dst address of the load part, for the store */
  uint8_t columns;
  uint8_t thread;
  uint8_t by_instructions; /* WaitForElapsedInstructions */
  uint8_t pad[3];
};

/* Values that two-cycle instructions, issued at `at`, have replaced. */
struct tx_hidden {
  sim_time at;
  uint32_t rows;      /* bit per LReg */
  uint32_t held_rows; /* those that hardware's stall logic covers */
  /* those whose `old` was written in the same cycle by a one-cycle instruction: the reader is meant to get it */
  uint32_t fresh_rows;
  uint32_t wanted_rows; /* those whose `old` had not been read yet: a pipelined macro may rely on that value */
  tx_row old[TX_LREGS];
};

struct tx_vector {
  tx_row lreg[TX_LREGS];
  tx_row prng;
  struct tx_flags now, stack[TX_FLAG_STACK]; /* stack[0] is the top */
  uint32_t lane_config[TX_VECTOR_COLUMNS];
  struct tx_macro_config macro;
  uint32_t seedings;    /* writes to PRNG_SEED seen: config counts them */
  uint32_t row_masked;  /* lanes switched off by ROW_MASK: follows lane_config */
  uint32_t config_any;  /* bits of LaneConfig set in any column */
  uint32_t scalar_only; /* 1: the plain arithmetic of lanes_scalar.c */

  /* LRegs whose value comes from an SFPLOADMACRO of undefined rows of Dst: reported if it is used. Bit per LReg; those that are only a warning
   * (DST_PARTIAL_READ) << TX_UNDEFINED_PARTIAL */
  uint32_t undefined;

  struct tx_hidden hidden[2];   /* by parity of their cycle */
  sim_time nop_only_at;         /* in this cycle only SFPNOP enters */
  sim_time backdoor_changed_at; /* SFPCONFIG changed DISABLE_BACKDOOR_LOAD */

  /* by sub-unit and remaining cycles (or instructions) */
  struct tx_scheduled slots[TX_SUB_SCHEDULED][8][TX_VECTOR_COLUMNS];
  uint32_t occupied[TX_SUB_SCHEDULED]; /* bit per delay with something in it */
  /* the index of delay 0: counters step by changing it */
  uint32_t slot_base;
  uint32_t unread;       /* LRegs whose value has not been read yet, for macros */
  uint32_t written;      /* LRegs written in this cycle: readers in this cycle get the previous value */
  uint32_t macro_thread; /* issued the last SFPLOADMACRO */
  sim_time tick_at; /* a tick is scheduled for this cycle; with timing off: is due since then (macro.c); SIM_NEVER: none */
  sim_time executing_at; /* in this cycle scheduled instructions execute ... */
  uint32_t executing;    /* ... in these sub-units: an instruction that software issues to them is lost */
  uint32_t view_enabled; /* and all readers use the registers and flags from before: */
  struct tx_flags view_flags;
  uint32_t swap_enabled; /* second half of a scheduled SFPSWAP: lanes that exchange */
  struct tx_vop swap;
  sim_time swap_at;
  tx_row view[TX_LREGS];
};

/* One operation of the lanes (unit/vector/lanes.def) on rows of the tile, which are given by their offsets in bytes. */
struct tx_lane_step {
  uint32_t op;
  uint32_t d, a, b, c;
  uint32_t i, j;
};

/* SFPLOAD and SFPSTORE in the frequent formats: what their configuration decides, for as long as it is the same. */
struct tx_dst_plan {
  uint64_t key;   /* version of the configuration and thread; 0: none */
  uint32_t op, j; /* of the operation */
  uint32_t lreg;  /* offset of its row */
  uint32_t base;  /* address without Dst's row counter */
  uint32_t increment;
  uint32_t map; /* enum tx_dst_plan_map; 0: the address is the row */
};

/* A decoded instruction. */
struct tx_vector_word {
  uint32_t word;
  uint32_t reads, writes; /* LRegs, a bit each: those that it reads in its first cycle, those that a step writes */
  struct tx_vop op;
  uint8_t kind;                         /* how a batch takes it (unit/vector/batch.h); 0: it does not */
  uint8_t steps;                        /* 0: it has no arithmetic, 1: one step */
  uint8_t issue_cycles, latency_cycles; /* of its row */
  uint32_t held_reads;                  /* LRegs that the stall logic treats as read; 0 for SFPNOP */
  union {
    struct tx_lane_step step;
    struct tx_dst_plan plan; /* of SFPLOAD and SFPSTORE */
  };
};

/* Decoded instructions, indexed by a hash of their word, two for each value of it, the latest first; not part of the state. A word of 0 is
 * not an instruction of this unit. */
#define TX_VECTOR_DECODED 256u
struct tx_vector_cache {
  struct tx_vector_word words[TX_VECTOR_DECODED];
};

#endif
