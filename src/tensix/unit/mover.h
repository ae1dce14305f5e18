/* The mover, which copies and clears memory in units of 16 bytes, and TDMA-RISC, the registers through which cores use it.
 *
 *   cores ── 0xFFB11000.. ──► command queue (4) ──► command processor ──┐
 *   threads ── XMOV (parameters from Config) ───────────────────────────┴──► mover ──► L1, Config
 *
 * A transfer takes its time and happens when it is over; its ranges of L1 are listed as in flight until then. Behind the
 * same addresses lie registers about the packer's tiles and the register writes of PACR_SETREG and UNPACR_NOP.
 *
 * Follows Mover.md, XMOV.md, TDMA-RISC.md (Wormhole pages; there is no Blackhole page). Blackhole has no NCRISC instruction
 * RAM: writes there are discarded, as the page says of unmapped ones. Not modelled: contention for L1 ports. */
#ifndef TESSERA_TENSIX_MOVER_H
#define TESSERA_TENSIX_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_TDMA_COMMANDS 4u
#define TX_TDMA_CREDITS 2u /* commands with parameters in the queue at once */
#define TX_TDMA_BYTES 0x1000u

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
  uint8_t range[2];        /* its places in the list of ranges in flight */
  uint8_t command_pending; /* an effect will look at the queue */
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

struct tx_tile;
struct tx_answer;
struct sim_effect;

/* A core's or a thread's access; agent is enum tx_agent. WAIT: ask again after an event on TX_CH_UNIT + TX_UNIT_MOVER (the
 * command queue is full) or TX_UNIT_PACK (no tile in the metadata FIFO yet). */
enum tx_tdma_result tx_tdma_read(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t *value);
enum tx_tdma_result tx_tdma_write(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value);

/* The addresses PACR_SETREG and UNPACR_NOP build on: SetRegBase[which]. */
uint32_t tx_tdma_register_base(uint32_t raw, unsigned which);

void tx_effect_MOVER_DONE(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_TDMA_COMMAND(struct tx_tile *t, const struct sim_effect *e);

#endif
