/* A tile of 1024 datums from L1 through SrcA, SrcB or Dst back to L1: what the tests of the whole data path share. */
#ifndef TESSERA_TESTS_CHAIN_RIG_H
#define TESSERA_TESTS_CHAIN_RIG_H

#include "unpack_rig.h"

#define IN 0x20000u  /* address of the tile's header; exponents and datums start 16 bytes later */
#define OUT 0x60000u /* where the packer starts to write */

enum way { BY_SRCA, BY_SRCB, BY_DST };

/* Settings that a packer needs besides its formats. */
static inline void configure_packing(struct tx_tile *t) {
  uint16_t *section = &t->config.thread_words[0][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR];
  PUT_SEC(t, 0, REG1_L1_Dest_addr, OUT / 16 - 1);
  PUT_SEC(t, 0, REG1_Disable_zero_compress, 1);
  PUT_CFG(t, PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
  PUT_CFG(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  section[0] = 4;                  /* four rows further */
  section[1] = 1u << 5 | 1u << 13; /* from the start */
}

static inline void move_to_dst(struct tx_tile *t, enum way way) {
  for (unsigned row = 0; way == BY_SRCA && row < 64; row += 8)
    give(t, 0,
         (uint32_t)TX_MOVA2D << 24 | TX_PUT(MOVA2D, src, row) | TX_PUT(MOVA2D, instr_mod, 2) | TX_PUT(MOVA2D, dst, row));
  for (unsigned row = 0; way == BY_SRCB && row < 64; row += 4)
    give(t, 0,
         (uint32_t)TX_MOVB2D << 24 | TX_PUT(MOVB2D, src, row) | TX_PUT(MOVB2D, movb2d_instr_mod, 4) |
             TX_PUT(MOVB2D, dst, row));
  if (way != BY_DST) give(t, 0, (uint32_t)TX_CLEARDVALID << 24 | TX_PUT(CLEARDVALID, cleardvalid, way == BY_SRCA ? 1 : 2));
}

/* Moves datums from L1 to Dst: through a source bank and MOVA2D or MOVB2D, or directly. */
static inline void unpack_tile(struct tx_tile *t, enum way way) {
  give(t, 0, UNPACR_PLAIN(way == BY_SRCB) | (way == BY_DST ? 0 : SET_VALID));
  drain(t);
  move_to_dst(t, way);
  drain(t);
}

static inline void pack_tile(struct tx_tile *t) {
  struct tx_adc_channel *ch = t->adc[0].unit[TX_ADC_PACKER];
  memset(ch, 0, 2 * sizeof *ch);
  ch[1].c[TX_ADC_X] = 15;
  for (unsigned i = 0; i < 16; i++)
    give(t, 0, (uint32_t)TX_PACR << 24 | (i == 15 ? TX_PUT(PACR, addr_mode, 1) | TX_PUT(PACR, last, 1) : 0));
  drain(t);
}

#endif
