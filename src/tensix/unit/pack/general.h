/* PACR in general (general.c), and what it shares with the usual one (pacr.c). */
#ifndef TESSERA_TENSIX_PACK_GENERAL_H
#define TESSERA_TENSIX_PACK_GENERAL_H

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/unit/pack/output.h"

#define TX_PACK_INTERFACES 4u /* rows of Dst that a PACR reads at most */

/* Any PACR. Out of line: keeps the usual one short. */
void tx_pack_in_general(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost);

/* The streams' addresses, if the PACR is the first of a tile. ISA: Packers/OutputAddressGenerator.md */
void tx_pack_find_output(struct tx_tile *t, const struct tx_pack_config *c, unsigned adc, struct tx_pack_batch *out);
/* ISA: TDMA-RISC.md. Sizes in units of 16 bytes; that the sections are included is inferred. Published when the bytes are
 * written. */
static inline void tx_pack_end_tile(struct tx_tile *t, const struct tx_pack_config *c, struct tx_pack_batch *out) {
  out->tile_size = t->pack.tile_blocks + (c->compress ? c->row_section : 0) + (c->how.to & 2u ? c->exponent_section : 0);
  out->all_zero_flags = t->pack.compress.zero_rows;
  out->ends_tile = 1;
  out->add_header = c->add_header;
  out->out_fifo = c->out_fifo;
}

static inline void tx_pack_note_largest(struct tx_tile *t, unsigned exponent) {
  if (exponent > t->pack_stats.exponent_histogram_max) t->pack_stats.exponent_histogram_max = exponent;
}

static inline void tx_pack_leave_in_order(struct tx_tile *t, struct tx_cost *cost) {
  sim_time start = tx_now(t) + cost->hold;
  cost->latency = t->params.pack_latency + cost->issue;
  if (t->timing && t->pack.last_done_at > start + cost->latency) cost->latency = (uint32_t)(t->pack.last_done_at - start);
}

/* inferred: rows are read pack_rows_per_cycle at a time, bytes leave pack_l1_bytes_per_cycle at a time. Returns the cycles of the latter. */
__attribute__((always_inline)) static inline uint32_t tx_pack_charge(struct tx_tile *t, const struct tx_pack_config *c,
                                                                     unsigned rows, uint32_t bytes, struct tx_cost *cost) {
  const struct tx_params *param = &t->params;
  uint32_t read = tx_pack_divide_up(rows, param->pack_rows_per_cycle),
           wide = tx_pack_divide_up(bytes, param->pack_l1_bytes_per_cycle),
           written = c->accumulate ? wide * param->pack_accumulate_slowdown : wide, drain = read > written ? read : written;
  cost->issue = drain ? drain : 1;
  tx_pack_leave_in_order(t, cost);
  return wide;
}

#endif
