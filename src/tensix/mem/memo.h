/* Records for reports (state/memo.h). */
#ifndef TESSERA_TENSIX_MEMO_H
#define TESSERA_TENSIX_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/memo.h"

struct tx_tile;

/* Writes `bytes` to L1 as memcpy does, and records the current agent as the writer of the words that change; a write of at
 * most one word is always recorded, one of more than TX_MEMO_BYTES as a block. */
void tx_memo_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);
/* A packet of at most TX_MEMO_BYTES writes to L1. */
void tx_memo_packet(struct tx_tile *t, uint32_t address, uint32_t length);
/* The packets of a core to one word. `tile` as in struct tx_memo_source. */
struct tx_memo_sent {
  bool known;     /* false: it may have been replaced by another record */
  uint32_t count; /* 0: it has sent none */
  uint32_t pc;    /* of the last one */
  sim_time cycle; /* its arrival */
};
struct tx_memo_sent tx_memo_sent(const struct tx_tile *t, uint32_t address, unsigned tile, unsigned agent);
/* A core has loaded the counter of a circular buffer: `received` 0 pages acknowledged, 1 pages received. */
void tx_memo_buffer_read(struct tx_tile *t, unsigned stream, unsigned received, unsigned agent);
/* The last writer of `bytes` (1, 2 or 4) of one word of L1. false: not recorded, or the bytes have changed since then. */
bool tx_memo_find(const struct tx_tile *t, uint32_t address, uint32_t bytes, struct tx_memo_writer *out);
/* The last writer of the word other than the one that tx_memo_find returns. false: none is recorded. */
bool tx_memo_find_other(const struct tx_tile *t, uint32_t address, struct tx_memo_writer *out);
/* Have these bytes of one word never been written? false: they have, or it is not recorded. */
bool tx_memo_untouched(const struct tx_tile *t, uint32_t address, uint32_t bytes);
/* The state of the tile was replaced: discards the records of the old state. */
void tx_memo_forget(struct tx_tile *t);

#endif
