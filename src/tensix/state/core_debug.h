/* The debug interface of the cores. Plain data; the functions are in tile/core_debug.h and riscv/halt.h. */
#ifndef TESSERA_TENSIX_STATE_CORE_DEBUG_H
#define TESSERA_TENSIX_STATE_CORE_DEBUG_H

#include <stdint.h>

#define TX_DR_COUNT 18u
#define TX_DR_BREAKS 8u /* breakpoints and watchpoints */

enum tx_dr { TX_DR_STATUS, TX_DR_COMMAND, TX_DR_ARGUMENT0, TX_DR_ARGUMENT1, TX_DR_RESULT, TX_DR_MODES, TX_DR_ADDRESS = 10 };
/* Bits of DR(0); bit 8 + i: breakpoint or watchpoint i was hit. */
enum tx_dr_status { TX_DR_PAUSED = 1, TX_DR_HIT_PC = 2, TX_DR_HIT_MEMORY = 4, TX_DR_HIT_EBREAK = 8, TX_DR_HIT_FIRST = 256 };
/* 4 bits each in DR(5); others are disabled */
enum tx_dr_mode { TX_DR_BREAK = 8, TX_DR_READ = 9, TX_DR_WRITE = 10, TX_DR_ACCESS = 11 };

struct tx_core_debug {
  uint32_t dr[4][TX_DR_COUNT]; /* BRISC, T0, T1, T2; DR(0) holds the hits only */
  uint32_t status[2];          /* RISC_DBG_STATUS_0, _1 */
  uint8_t paused[4];           /* by command, step or hit, not by ebreak */
  uint8_t half_step[4];        /* one of two step commands has been given */
  uint64_t until[4];           /* the core pauses when it has retired this number of instructions; 0: it does not */
};

#endif
