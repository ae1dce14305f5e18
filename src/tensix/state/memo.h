/* What reports say about the past of a tile: the last writers of words of L1 that hold flags and semaphores, and the cores that read the
 * counters of circular buffers. Not part of the state: nothing depends on it but words, and a restored tile begins without it.
 *
 * A table by word address has the last writer of each word. Two words may share an entry: then the earlier writer is forgotten. The value
 * is kept beside it, so that a word that was changed by a large write since then is recognised. */
#ifndef TESSERA_TENSIX_STATE_MEMO_H
#define TESSERA_TENSIX_STATE_MEMO_H

#include <stdint.h>

#include "noc/streams.h"
#include "tensix/trail.h"

#define TX_MEMO_WORDS 512u
#define TX_MEMO_BYTES 16u  /* larger writes are data */
#define TX_MEMO_BLOCKS 32u /* of which the last ones are noted */

/* The entry of a word: pages and semaphores lie at multiples of powers of two, so a multiplication spreads them (Knuth, 6.4). */
static inline uint32_t tx_memo_slot(uint32_t address) {
  return (address >> 2) * UINT32_C(2654435761) >> 23 & (TX_MEMO_WORDS - 1u);
}

/* The core behind a packet. */
struct tx_memo_source {
  uint32_t pc;
  uint16_t tile;  /* its number in the chip + 1; 0: this tile */
  uint16_t agent; /* enum tx_agent */
};

struct tx_memo_word {
  uint32_t address; /* a multiple of 4, + 1; 0: empty */
  uint32_t value;
  struct tx_trail last;
  struct tx_memo_source source; /* of a packet from another tile */
};

struct tx_memo_block {
  sim_time cycle;
  uint32_t address, length;
};

struct tx_memo {
  uint32_t on;                    /* writes are noted: in tiles of a chip, whose runs are not repeated (observe/replay.h) */
  uint32_t blocks;                /* noted so far */
  sim_time outside[5];            /* by core: its last access beyond its registers and local RAM */
  struct tx_memo_source arriving; /* of the packet that is delivered now */
  struct tx_memo_word word[TX_MEMO_WORDS];
  struct tx_memo_block block[TX_MEMO_BLOCKS]; /* a ring */
  struct tx_trail buffer_reader[NOC_STREAMS_MAX]
                               [2]; /* who read pages acknowledged (reserves), pages received (waits) last */
};

#endif
