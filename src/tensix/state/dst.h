/* Dst. Plain data; the functions are in regs/dst.h. */
#ifndef TESSERA_TENSIX_STATE_DST_H
#define TESSERA_TENSIX_STATE_DST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_DST_ROWS 1024u
#define TX_DST_COLUMNS 16u
#define TX_DST_BLOCKS (TX_DST_ROWS / 8u)

/* The state of a physical row. Everything but TX_DST_UNDEFINED counts as valid; writers that need no distinction set
 * TX_DST_VALID. */
enum tx_dst_state {
  TX_DST_UNDEFINED, /* cleared by ZEROACC */
  TX_DST_VALID,
  TX_DST_POWER_ON, /* valid, but not written since reset */
  TX_DST_VALID16,  /* the matrix unit wrote it in the 16-bit view */
  TX_DST_VALID32,  /* the same in the 32-bit view */
  TX_DST_EVEN,     /* SFPSTORE wrote its even columns since ZEROACC; the others keep their old bits */
  TX_DST_ODD,      /* the same with the odd columns */
  TX_DST_STATES
};

/* All columns of the row are defined. */
static inline bool tx_dst_is_whole(uint8_t state) { return state - 1u < TX_DST_EVEN - 1u; }

/* Inferred: the figure that SFPLOAD.md gives for the other direction, from the matrix unit to the vector unit. */
#define TX_DST_SFPU_CYCLES 3u

struct tx_dst {
  uint16_t bits[TX_DST_ROWS][TX_DST_COLUMNS];
  uint8_t valid[TX_DST_ROWS]; /* enum tx_dst_state */
  /* Per aligned block of eight physical rows, first cycle in which it may be used: */
  sim_time busy_until[TX_DST_BLOCKS]; /* by the matrix unit and the packer, which wait for it (params: dst_block_busy) */
  sim_time fpu_until[TX_DST_BLOCKS];  /* by SFPLOAD, which does not wait */
  sim_time mov_until[TX_DST_BLOCKS];  /* after MOVA2D, MOVB2D by ELWADD, ELWSUB, PACR, SFPLOAD, which do not wait */
  sim_time sfpu_until[TX_DST_BLOCKS]; /* after SFPSTORE by the matrix unit, which does not wait: a finding, no delay */
  sim_time zeroacc_at, unpack_at; /* 1 + cycle of the last ZEROACC, of the last write by the unpacker: ZEROACC_UNPACK_RACE */
};

/* The present mapping of rows (DEST_ACCESS_CFG). */
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

#endif
