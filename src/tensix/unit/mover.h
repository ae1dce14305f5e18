/* The mover, which copies and clears memory in units of 16 bytes, which TDMA-RISC (tdma.h) and XMOV use.
 *
 *   cores ── 0xFFB11000.. ──► command queue (4) ──► command processor ──┐
 *   threads ── XMOV (parameters from Config) ───────────────────────────┴──► mover ──► L1, Config
 *
 * A transfer takes its time and happens when it is over; its ranges of L1 are listed as in flight until then. After the
 * same addresses lie registers about the packer's tiles and the register writes of PACR_SETREG and UNPACR_NOP.
 *
 * Follows Mover.md, XMOV.md, TDMA-RISC.md (Wormhole pages; there is no Blackhole page). Blackhole has no NCRISC instruction
 * RAM: writes there are discarded, as the page says of unmapped ones. Not modelled: contention for L1 ports. */
#ifndef TESSERA_TENSIX_MOVER_H
#define TESSERA_TENSIX_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/body.h"
#include "tensix/state/mover.h"

struct tx_tile;
struct sim_effect;

#define TX_MOVE_UNIT 16u /* bytes; everything is a multiple of it */
/* An address register counts units; one that leaves 32 bits is outside of everything. */
static inline uint32_t tx_move_bytes(uint32_t units) {
  return units > UINT32_MAX / TX_MOVE_UNIT ? UINT32_MAX - TX_MOVE_UNIT + 1 : units * TX_MOVE_UNIT;
}

tx_ready_fn tx_mover_ready;
bool tx_mover_busy(const struct tx_tile *t);  /* C9: any request outstanding */
void tx_mover_poke_status(struct tx_tile *t); /* TDMA-RISC shows another state of mover and queue */
/* A transfer begins; the mover is not busy. */
void tx_mover_start(struct tx_tile *t, const struct tx_move *move);
/* The command processor looks at its queue in the next cycle, if something is in it (tdma.h). */
void tx_mover_look_at_queue(struct tx_tile *t);
void tx_effect_MOVER_DONE(struct tx_tile *t, const struct sim_effect *e);

#endif
