/* The mover and TDMA-RISC. Plain data; the functions are in unit/mover.h. */
#ifndef TESSERA_TENSIX_STATE_MOVER_H
#define TESSERA_TENSIX_STATE_MOVER_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/time.h"

#define TX_TDMA_COMMANDS 4u
#define TX_TDMA_CREDITS 2u /* commands with parameters in the queue at once */

enum tx_move_mode { TX_MOVE_CLEAR_L1, TX_MOVE_L1_TO_CONFIG, TX_MOVE_CLEAR_CONFIG, TX_MOVE_L1_TO_L1 };

struct tx_move {
  uint32_t source, target, length; /* bytes */
  uint32_t mode;                   /* enum tx_move_mode */
  uint32_t word, pc;               /* XMOV; 0: a command of TDMA-RISC */
  uint32_t agent;
};

struct tx_tdma_command {
  uint32_t command;
  uint32_t parameter[4];
  uint32_t agent;
};

struct tx_mover {
  struct tx_move move; /* under way */
  sim_time done_at;    /* of `move`; meaningful while busy */
  uint8_t busy;
  uint8_t range[2];        /* its handles in the list of ranges in flight */
  uint8_t command_pending; /* an effect that evaluates the queue is pending */
  uint32_t parameter[4];   /* CmdParams */
  uint32_t base[4];        /* MovCmdBase of B, T0, T1, T2 */
  uint32_t commands;       /* in the queue */
  struct tx_tdma_command queue[TX_TDMA_COMMANDS];
  uint32_t credits_used;
  uint32_t unpack_register_raw; /* CLK_GATE_EN: UNPACR_NOP's SetRegBase */
  uint32_t pack_register_raw;   /* FIFO_PACKED_TILE_STATUS: PACR_SETREG's SetRegBase */
  uint32_t hysteresis_raw;
  uint32_t scaler[4]; /* PACR_SETREG's SetRegHiScaler */
  uint32_t pad;
};

enum tx_tdma_result { TX_TDMA_DONE, TX_TDMA_WAIT, TX_TDMA_NONE /* no such register */ };

#endif
