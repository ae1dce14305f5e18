/* The packer's output: three streams of 16-byte blocks, collected in batches until the cycle in which they become visible in L1.
 *
 * A batch holds the output of consecutive PACRs of one thread. It is written to L1 when the last of them is complete (no wait for the
 * packer ends before that), and it is closed by Last or Flush, by another thread's PACR, when it is full, or when it is written. So
 * sixteen PACRs cost few effects and one write. */
#ifndef TESSERA_TENSIX_PACK_OUTPUT_H
#define TESSERA_TENSIX_PACK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensix/state/pack.h"

struct tx_tile;
struct sim_effect;

/* The batch to which the current instruction adds; a new one begins with the contents of the streams' buffers.
 * tx_pack_ready guarantees a free one. `joins`: the instruction may add to the previous batch. */
struct tx_pack_batch *tx_pack_batch(struct tx_tile *t, bool joins, bool accumulate, unsigned format);
/* Room for data in a batch, and the most bytes that one instruction needs: 256 and a block of padding, or three compressed groups of
 * 32 datums. With more data than TX_PACK_ROOM_BITS no instruction joins the batch. */
enum {
  TX_PACK_DATA_BYTES = 2560,
  TX_PACK_DATA_NEED = 432 + 16,
  TX_PACK_ROOM_BITS = 8 * (TX_PACK_DATA_BYTES - TX_PACK_DATA_NEED)
};
void tx_pack_append(struct tx_pack_batch *b, enum tx_pack_stream_name name, const uint8_t *bytes, unsigned bits);
/* The address at which the data stream continues, if it ends at a whole byte; reserves `bytes`. NULL otherwise. */
static inline uint8_t *tx_pack_room(struct tx_pack_batch *b, unsigned bytes) {
  uint32_t at = b->bits[TX_PACK_DATA];
  if (at % 8) return NULL;
  b->bits[TX_PACK_DATA] += bytes * 8;
  return b->bytes + at / 8;
}
static inline uint32_t tx_pack_divide_up(uint32_t a, uint32_t b) {
  if (a <= b) return a != 0;
  if (a <= 2 * b) return 2; /* the usual ones without a division */
  return b ? (a + b - 1) / b : a;
}
/* Pads every non-empty stream with zeros to a whole block; the next PACR sets new addresses. */
void tx_pack_flush(struct tx_pack *p, struct tx_pack_batch *b);
/* Lists the completed blocks as in flight. Returns their bytes; *ok = false: outside L1, a fault. */
uint32_t tx_pack_list(struct tx_tile *t, struct tx_pack_batch *b, bool *ok);
/* The current instruction is complete `cycles` from now and then writes `bytes` to L1. `closes`: no instruction joins the
 * batch any more. */
void tx_pack_leave(struct tx_tile *t, struct tx_pack_batch *b, uint32_t bytes, uint32_t cycles, bool closes);

/* The oldest batch is complete: its bytes go to L1. */
void tx_effect_PACK_DONE(struct tx_tile *t, const struct sim_effect *e);

/* For a saved state: each stream's part matches its count. */
bool tx_pack_batch_fits(const struct tx_pack_batch *b);

#endif
