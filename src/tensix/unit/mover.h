/* The mover copies and clears memory in units of 16 bytes, for TDMA-RISC (tdma.h) and XMOV.
 *
 *   cores ── 0xFFB11000.. ──► command queue (4) ──► command processor ──┐
 *   threads ── XMOV (parameters from Config) ───────────────────────────┴──► mover ──► L1, Config
 *
 * A transfer takes effect at its end; its ranges of L1 are listed as in flight until then. The same address range has registers
 * with statistics of the packer, and the register writes of PACR_SETREG and UNPACR_NOP.
 *
 * Follows Mover.md, XMOV.md, TDMA-RISC.md (Wormhole pages; there is no Blackhole page). Blackhole has no NCRISC instruction
 * RAM: writes there are discarded, as unmapped ones according to the page. Not modelled: contention for L1 ports. */
#ifndef TESSERA_TENSIX_MOVER_H
#define TESSERA_TENSIX_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/body.h"
#include "tensix/state/mover.h"

struct tx_tile;
struct sim_effect;

#define TX_MOVE_UNIT 16u /* bytes; addresses and lengths are multiples of it */
/* An address register counts units; one beyond 32 bits is outside all regions. */
static inline uint32_t tx_move_bytes(uint32_t units) {
  return units > UINT32_MAX / TX_MOVE_UNIT ? UINT32_MAX - TX_MOVE_UNIT + 1 : units * TX_MOVE_UNIT;
}

tx_ready_fn tx_mover_ready;
bool tx_mover_busy(const struct tx_tile *t);  /* C9: any request outstanding */
void tx_mover_poke_status(struct tx_tile *t); /* the status of mover and queue in TDMA-RISC has changed */
/* A transfer begins; the mover must not be busy. */
void tx_mover_start(struct tx_tile *t, const struct tx_move *move);
/* The command processor evaluates its queue in the next cycle, if it is not empty (tdma.h). */
void tx_mover_look_at_queue(struct tx_tile *t);
void tx_effect_MOVER_DONE(struct tx_tile *t, const struct sim_effect *e);

#endif
