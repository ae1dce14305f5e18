/* The packer: Dst to L1. One packer with four Dst read interfaces (Wormhole has four packers).
 *
 *   PACR ─► input addresses ─► read interfaces ─► early conversion ─► edge mask ─► ReLU ─► histogram ─► threshold
 *           (ADC channel 0)    1..4 rows of 16                                                            │
 *     L1 ◄─ accumulate ◄─ 16-byte buffers ◄─ block exponents / late conversion / compression ◄─ downsampling
 *                         (three streams; addresses from ADC channel 1)
 *
 * An accepted PACR reads Dst and runs through the whole pipe at once; its output waits in a batch until its time (effect PACK_DONE) and
 * is listed as in flight until then. So no agent reads its bytes early, and with timing off they are in L1
 * in the next cycle. Bytes that do not fill a 16-byte block stay in their stream's buffer until later ones do, or
 * until Last or Flush pads them with zeros.
 *
 * ISA: PACR.md (Blackhole); the pages under Packers/, PACR_SETREG.md, TDMA-RISC.md (Wormhole pages, shared text); the
 * golden model where these have no answer. Not modelled, rejected with a fault: contexts (CfgContext, AddrCntContext without
 * OvrdThreadId, CtxtCtrl), RowPadZero, L1 as a source, pack_start_intf_pos, Downsample_rate. */
#ifndef TESSERA_TENSIX_PACK_H
#define TESSERA_TENSIX_PACK_H

#include "tensix/body.h"

tx_ready_fn tx_pack_ready;

#endif
