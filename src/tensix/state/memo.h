/* Past accesses of a tile for reports: the last writers of words of L1 that hold flags and semaphores, and the cores that
 * read the counters of circular buffers. Not part of the state: only reports depend on it, and a restored tile begins
 * without it.
 *
 * A table by word address has the last two writers of each word, each with the bytes that it wrote: flags of one byte share a word. Two
 * words may share an entry: then the later one replaces the earlier one. The entry also has the value, so that a word that was changed
 * by a later large write is detected. The last large writes are in a ring of their own. A second table counts the packets of each core to a
 * word: a barrier is a word that several tiles count up. */
#ifndef TESSERA_TENSIX_STATE_MEMO_H
#define TESSERA_TENSIX_STATE_MEMO_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/streams.h"
#include "tensix/trail.h"

#define TX_MEMO_WORDS 512u
#define TX_MEMO_BYTES 16u  /* larger writes are data */
#define TX_MEMO_BLOCKS 32u /* number of last ones that are recorded */
#define TX_MEMO_SENDERS 256u
#define TX_MEMO_PAGE 4096u /* of L1: those with any larger write */
#define TX_MEMO_PAGES (TX_L1_BYTES / TX_MEMO_PAGE)

/* The entry of a word: addresses of pages and semaphores are multiples of powers of two, so a multiplication distributes
 * them (Knuth, 6.4). */
static inline uint32_t tx_memo_slot(uint32_t address) {
  return (address >> 2) * UINT32_C(2654435761) >> 23 & (TX_MEMO_WORDS - 1u);
}

/* The core that sent a packet. */
struct tx_memo_source {
  uint32_t pc;
  uint16_t tile;  /* its number in the chip + 1; 0: this tile */
  uint16_t agent; /* enum tx_agent */
};

/* A writer as queries return it. */
struct tx_memo_writer {
  struct tx_trail last;
  struct tx_memo_source source; /* of a packet from another tile */
};

/* A writer as it is kept. */
struct tx_memo_mark {
  sim_time cycle;
  uint32_t pc;
  uint16_t agent; /* enum tx_agent, of the tile that sent the packet */
  uint16_t tile;  /* as in struct tx_memo_source; TX_MEMO_NOBODY: there is none */
};
#define TX_MEMO_NOBODY 0xffffu

struct tx_memo_word {
  uint32_t address; /* a multiple of 4, + 1; 0: empty */
  uint32_t value;
  struct tx_memo_mark last, before;
  struct tx_memo_mark
      other; /* the last write by another core than that of `last`: a core that waits for a semaphore resets it */
  /* Bits 3:0, one per byte of the word: written by `last`; by `before` and not since; by a writer that is no longer recorded. */
  uint8_t last_bytes, before_bytes, lost_bytes;
  uint8_t pad;
  uint32_t lost_words; /* words of this entry that were written and that it no longer has: bit per hash of the address */
};

/* The small packets of one core to one word: of other tiles, or of this tile to itself. */
struct tx_memo_sender {
  uint32_t key; /* of word, tile and core (memo.c), + 1; 0: empty */
  uint32_t count;
  uint32_t pc;
  uint32_t cycle; /* the arrival of the last one, its lower bits */
};

struct tx_memo_block {
  struct tx_memo_mark mark;
  uint32_t address, length;
};

struct tx_memo {
  /* writes are recorded: in tiles of a chip, whose runs are not repeated (observe/hang/replay.h) */
  uint32_t on;
  uint32_t blocks;                /* noted so far */
  sim_time last_tile_access[5];   /* by core: cycle of its last access beyond its registers and local RAM */
  struct tx_memo_source arriving; /* of the packet that is being delivered */
  struct tx_memo_word word[TX_MEMO_WORDS];
  /* indexed by a hash of word, tile and core; a later word replaces an earlier one */
  struct tx_memo_sender sender[TX_MEMO_SENDERS];
  struct tx_memo_block block[TX_MEMO_BLOCKS]; /* a ring */
  uint64_t block_page[TX_MEMO_PAGES / 64];
  struct tx_trail buffer_reader[NOC_STREAMS_MAX]
                               [2]; /* the core that last read pages acknowledged (reserves), pages received (waits) */
};

#endif
