/* The two unpackers: L1 to SrcA or Dst (unpacker 0), L1 to SrcB (unpacker 1).
 *
 *            address phase            waits for its bank         streams                 fills
 *   gate ---> 2 cycles, holds ------> in order, the thread ----> rate by mode and -----> hand-over, data
 *             thread and unit         goes on                    datum size              there, counters free
 *             job is decoded here     (STALLWAIT C1, C2 see it)
 *
 * An accepted instruction becomes a job: configuration and address counters are read, and the counters are stepped. Jobs of
 * one unpacker run in order. L1 is read and the bank or Dst is written when the job completes; the bank is handed over in
 * the same cycle. Until then the job's ranges of L1 are listed as in flight.
 * With timing off a job that hands nothing over, goes into a Src bank and has none before it is complete at once: no agent acts between.
 *
 * Follows UNPACR_Regular.md (the page shared by Wormhole and Blackhole), UNPACR_*.md, UNPACR_NOP_*.md, Unpackers/README.md;
 * the golden model decides where the page does not cover Blackhole. Not modelled: the row start cache (data is always
 * fresh), L1 port contention, the rows of SrcA that unpacking to Dst clobbers. */
#ifndef TESSERA_TENSIX_UNPACK_H
#define TESSERA_TENSIX_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/body.h"
#include "tensix/state/unpack.h"

struct tx_tile;
struct sim_effect;

tx_ready_fn tx_unpack_ready;
bool tx_unpack_busy(const struct tx_tile *t, unsigned unpacker, unsigned thread); /* C1, C2: it holds an instruction */
/* The job of an unpacker that waits for a bank, for the hang report; NULL: none. */
const struct tx_unpack_job *tx_unpack_waiting(const struct tx_tile *t, unsigned unpacker);
/* A Src bank is handed over or released: a job that waits for it may begin. */
void tx_effect_BANK_HAND_OVER(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_BANK_RELEASE(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_UNPACK_DONE(struct tx_tile *t, const struct sim_effect *e);

#endif
