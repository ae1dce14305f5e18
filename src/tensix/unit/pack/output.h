/* The packer's output: three streams of 16-byte blocks, collected in batches until the cycle in which L1 shows them.
 *
 * A batch holds what PACRs of one thread, one after the other, add to a tile. It goes to L1 when the last of them is
 * complete (no wait for the packer opens before that), and it is closed by Last or Flush, by
 * another thread's PACR, when it is full, or when it is written. So sixteen PACRs cost few effects and one write. */
#ifndef TESSERA_TENSIX_PACK_OUTPUT_H
#define TESSERA_TENSIX_PACK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensix/state/pack.h"

struct tx_tile;
struct sim_effect;

/* The batch the current instruction adds to; a new one begins with what the streams' buffers hold. tx_pack_ready guarantees a free
 * one. `joins`: the instruction may add to the previous batch. */
struct tx_pack_batch *tx_pack_batch(struct tx_tile *t, bool joins, bool accumulate, unsigned format);
void tx_pack_append(struct tx_pack_batch *b, enum tx_pack_stream_name name, const uint8_t *bytes, unsigned bits);
/* The address at which the data stream continues, if it ends at a whole byte; reserves `bytes`. NULL otherwise. */
static inline uint8_t *tx_pack_room(struct tx_pack_batch *b, unsigned bytes) {
  uint32_t at = b->bits[TX_PACK_DATA];
  if (at % 8) return NULL;
  b->bits[TX_PACK_DATA] += bytes * 8;
  return b->bytes + at / 8;
}
/* Pads every stream that holds something with zeros to a whole block; the next PACR takes new addresses. */
void tx_pack_flush(struct tx_pack *p, struct tx_pack_batch *b);
/* Lists the blocks that became whole as in flight. Returns their bytes; *ok = false: outside L1, a fault. */
uint32_t tx_pack_list(struct tx_tile *t, struct tx_pack_batch *b, bool *ok);
/* The current instruction is complete `cycles` from now and writes `bytes` to L1 then. `closes`: nothing joins the batch any more. */
void tx_pack_leave(struct tx_tile *t, struct tx_pack_batch *b, uint32_t bytes, uint32_t cycles, bool closes);

/* The oldest batch is complete: its bytes go to L1. */
void tx_effect_PACK_DONE(struct tx_tile *t, const struct sim_effect *e);

/* Of a saved state: each stream's part holds what its count says. */
bool tx_pack_batch_fits(const struct tx_pack_batch *b);

#endif
