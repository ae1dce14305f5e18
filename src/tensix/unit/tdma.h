/* TDMA-RISC: the registers through which cores use the mover, its command queue, and the packer's statistics. ISA:
 * TDMA-RISC.md (Wormhole page; there is no Blackhole page). */
#ifndef TESSERA_TENSIX_TDMA_H
#define TESSERA_TENSIX_TDMA_H

#include <stdint.h>

#include "tensix/state/mover.h"

struct tx_tile;
struct sim_effect;

/* A core's or a thread's access; agent is enum tx_agent. WAIT: repeat the access after an event on TX_CH_UNIT + TX_UNIT_MOVER (the
 * command queue is full) or TX_UNIT_PACK (no tile in the metadata FIFO yet). */
enum tx_tdma_result tx_tdma_read(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t *value);
enum tx_tdma_result tx_tdma_write(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value);

/* The base addresses of PACR_SETREG and UNPACR_NOP: SetRegBase[which]. */
uint32_t tx_tdma_register_base(uint32_t raw, unsigned which);

void tx_effect_TDMA_COMMAND(struct tx_tile *t, const struct sim_effect *e);

#endif
