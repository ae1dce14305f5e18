/* Dst: 1024 rows x 16 columns x 16 bits, or 512 rows x 32 bits over the same storage; a valid bit per physical row.
 *
 *   16-bit storage     BF16  s | mantissa 7 | exponent 8          FP16  s | mantissa 10 | exponent 5
 *   32-bit datum       high half in the row Adj32(r), in the BF16 form; low half (mantissa bits 15:0) eight rows further
 *
 * Row maps (ISA: Dst.md, Blackhole):   Adj16(r)  r, or with remap_addrs (r & 0x3C7) ^ ((r & 0x30) >> 1) ^ ((r & 8) << 2)
 * Adj32(r)  Adj16, then with swizzle_32b (r & 0x3F3) ^ ((r & 0x18) >> 1) ^ ((r & 4) << 1), then ((r & 0x1F8) << 1) | (r &
 * 0x207) / */
#ifndef TESSERA_TENSIX_DST_H
#define TESSERA_TENSIX_DST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_DST_ROWS 1024u
#define TX_DST_COLUMNS 16u
#define TX_DST_BLOCKS (TX_DST_ROWS / 8u)

/* What is known of a physical row. Everything but TX_DST_UNDEFINED counts as valid; writers that do not care set
 * TX_DST_VALID. */
enum tx_dst_state {
  TX_DST_UNDEFINED, /* cleared by ZEROACC */
  TX_DST_VALID,
  TX_DST_POWER_ON, /* valid, but nobody wrote it since reset */
  TX_DST_VALID16,  /* the matrix unit wrote it in the 16-bit view */
  TX_DST_VALID32,  /* the same in the 32-bit view */
};

struct tx_dst {
  uint16_t bits[TX_DST_ROWS][TX_DST_COLUMNS];
  uint8_t valid[TX_DST_ROWS]; /* enum tx_dst_state */
  /* Per aligned block of eight physical rows, first cycle in which it can be used: */
  sim_time busy_until[TX_DST_BLOCKS]; /* by the matrix unit and the packer, which wait for it (params: dst_block_busy) */
  sim_time fpu_until[TX_DST_BLOCKS];  /* by SFPLOAD, which does not wait */
  sim_time mov_until[TX_DST_BLOCKS];  /* after MOVA2D, MOVB2D by ELWADD, ELWSUB, PACR, SFPLOAD, which do not wait */
  sim_time
      sfpu_until[TX_DST_BLOCKS];  /* after SFPSTORE by the matrix unit, which does not wait (params: sfpu_store_cycles) */
  sim_time zeroacc_at, unpack_at; /* 1 + cycle of the last ZEROACC, of the last write by the unpacker: F.4 race */
};

/* How rows are mapped now (DEST_ACCESS_CFG). */
struct tx_dst_map {
  bool remap, swizzle;
};

static inline unsigned tx_dst_map16(struct tx_dst_map map, unsigned r) {
  r &= 0x3ffu;
  return map.remap ? (r & 0x3c7u) ^ ((r & 0x30u) >> 1) ^ ((r & 8u) << 2) : r;
}

static inline unsigned tx_dst_map32(struct tx_dst_map map, unsigned r) {
  r = tx_dst_map16(map, r);
  if (map.swizzle) r = (r & 0x3f3u) ^ ((r & 0x18u) >> 1) ^ ((r & 4u) << 1);
  return ((r & 0x1f8u) << 1) | (r & 0x207u);
}

struct tx_tile;

/* Row of the 16-bit view to physical row; row of the 32-bit view to the physical row of the high halves. */
unsigned tx_dst_adj16(const struct tx_tile *t, unsigned row);
unsigned tx_dst_adj32(const struct tx_tile *t, unsigned row);
struct tx_dst_map tx_dst_map(const struct tx_tile *t);

/* One row of the 32-bit (wide) or 16-bit view, as stored. An undefined row reads as `undefined` in every column; a write
 * makes it valid. */
bool tx_dst_row_valid(const struct tx_tile *t, unsigned row, bool wide);
void tx_dst_read_row(const struct tx_tile *t, unsigned row, bool wide, uint32_t undefined, uint32_t out[TX_DST_COLUMNS]);
void tx_dst_write_row(struct tx_tile *t, unsigned row, bool wide, const uint32_t in[TX_DST_COLUMNS]);

/* After power-on every row is valid. ISA: Dst.md */
void tx_dst_reset(struct tx_tile *t);

#endif
