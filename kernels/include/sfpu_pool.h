/* The vector unit on rows of tiles, continued: moving averages, rows added to places that a list names, products from register to register,
 * maxima of columns with their indices. Rows and registers: sfpu_rows.h */
#ifndef TENSIX_SFPU_POOL_H
#define TENSIX_SFPU_POOL_H

#include "sfpu_rows.h"

#ifdef TRISC_MATH

/* Row r of tile `tile` + 1 = alpha * (the row before) + beta * row r of `tile`; the row before row 0 is what the last tile left in L4. Each
 * SFPTRANSP turns L4 to L7 too; L4 is read and written only after an even count of them. */
TT_INLINE void math_average_rows(uint32_t tile, uint32_t alpha, uint32_t beta) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  sfpu_parameter(SFPU_P0, alpha);
  sfpu_parameter(SFPU_P1, beta);
  TTI_SFPTRANSP(0, 0, 0, 0);
  for (uint32_t group = 0; group < 8; group++) {
    sfpu_load_group(tile, group, mode);
    TTI_SFPTRANSP(0, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
      SFPU_MUL(4, 4, SFPU_P0);
      TT_SFPMAD(i, SFPU_P1, 4, 4, 0);
      TT_SFPMOV(0, 4, i, 0);
    }
    TTI_SFPTRANSP(0, 0, 0, 0);
    for (uint32_t i = 0; i < 4 && !DST_ACCUM_MODE; i++)
      TT_SFP_STOCH_RND(0, 0, 0, i, i, SFPU_DST_IS_A ? 0 : 1); /* to nearest */
    sfpu_store_group(tile + 1, group, mode);
  }
  TTI_SFPTRANSP(0, 0, 0, 0);
  sfpu_end();
}

/* Row to[r] of tile `tile` + 1 += row r of `tile`; a row whose number is 32 or more is left out. `to`: 32 bytes in L1 */
TT_INLINE void math_scatter_rows(uint32_t tile, uint32_t to) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  sfpu_turn_rows(tile, mode);
  sfpu_turn_rows(tile + 1, mode);
  for (uint32_t r = 0; r < 32; r++) {
    uint32_t row = tt_load((to + r) & ~3u) >> (8 * ((to + r) & 3u)) & 0xffu;
    if (row >= 32) continue;
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_row_place(tile, r));
    TT_SFPLOAD(1, mode, ADDR_MOD_7, sfpu_row_place(tile + 1, row));
    sfpu_row_operation(ROWS_ADD);
    sfpu_store_row(0, mode, sfpu_row_place(tile + 1, row));
  }
  sfpu_turn_rows(tile + 1, mode);
  sfpu_turn_rows(tile, mode);
  sfpu_end();
}

/* The tile's 32 registers of four rows and eight columns, in the order of Dst: each becomes the product of all up to it, lane by lane. */
TT_INLINE void math_running_product(uint32_t tile) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  SFPU_SHORT(4, 0x3f80);
  for (uint32_t i = 0; i < 64; i += 2) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_place(tile) + i);
    SFPU_MUL(4, 4, 0);
    sfpu_store_row(4, mode, sfpu_place(tile) + i);
  }
  sfpu_end();
}

/* --- maxima with indices: values in one tile, indices in another; row 0 of both gets the maximum and the index beside it --- */

struct indexed {
  uint32_t values, indices, value_mode, index_mode;
};

/* Registers v and v + 4 = the values and indices there; `keep` of them where the value is above that of `best`. */
TT_INLINE void indexed_load(const struct indexed *t, uint32_t reg, uint32_t place) {
  TT_SFPLOAD(reg, t->value_mode, ADDR_MOD_7, sfpu_place(t->values) + place);
  TT_SFPLOAD(reg + 4, t->index_mode, ADDR_MOD_7, sfpu_place(t->indices) + place);
}
TT_INLINE void indexed_store(const struct indexed *t, uint32_t reg, uint32_t place) {
  TT_SFPSTORE(reg, t->value_mode, ADDR_MOD_7, sfpu_place(t->values) + place);
  TT_SFPSTORE(reg + 4, t->index_mode, ADDR_MOD_7, sfpu_place(t->indices) + place);
}
/* Takes register `other` where its value is larger, in the lanes that are on; then all lanes are on. */
TT_INLINE void indexed_maximum(uint32_t best, uint32_t other) {
  TT_SFPGT(0, best, other, 1);
  TT_SFPMOV(0, other, best, 0);
  TT_SFPMOV(0, other + 4, best + 4, 0);
  SFPU_ENDIF;
}

/* Tiles as the packer writes them: a row is one register after sfpu_turn_rows. */
TT_INLINE void indexed_reduce_tile(const struct indexed *t, uint32_t rows) {
  sfpu_turn_rows(t->values, t->value_mode);
  sfpu_turn_rows(t->indices, t->index_mode);
  indexed_load(t, 0, sfpu_row_place(0, 0));
  for (uint32_t r = 1; r < rows; r++) {
    indexed_load(t, 1, sfpu_row_place(0, r));
    indexed_maximum(0, 1);
  }
  indexed_store(t, 0, sfpu_row_place(0, 0));
  sfpu_turn_rows(t->values, t->value_mode);
  sfpu_turn_rows(t->indices, t->index_mode);
}

/* Row-major: row r is the Dst rows 2 r and 2 r + 1, so a register has two rows, their even or their odd columns. The maxima of even and of
 * odd rows come first; SFPTRANSP then brings both into the same lanes. L0 and L1: even and odd columns. */
TT_INLINE void indexed_reduce_row_major(const struct indexed *t, uint32_t rows) {
  for (uint32_t odd = 0; odd < 2; odd++) {
    indexed_load(t, odd, 2 * odd);
    for (uint32_t place = 4; place < 2 * rows; place += 4) {
      indexed_load(t, 2, place + 2 * odd);
      if (place + 4 > 2 * rows) { /* the upper lanes have a row too many */
        SFPU_IADD_SHORT(3, p_sfpu_LTILEID, -32);
        SFPU_IF_NEGATIVE(3);
      }
      indexed_maximum(odd, 2);
    }
  }
  TTI_SFPTRANSP(0, 0, 0, 0);
  indexed_maximum(0, 2);
  indexed_maximum(1, 3);
  TTI_SFPTRANSP(0, 0, 0, 0);
}

/* rows: how many. accumulate: the maximum so far is in the next tile of each, except for the first chunk. */
static __attribute__((noinline, unused)) void math_maximum_with_indices(uint32_t values, uint32_t indices, uint32_t rows,
                                                                        uint32_t row_major, uint32_t accumulate,
                                                                        uint32_t chunk) {
  struct indexed t = {values, indices, sfpu_float_mode(), DST_ACCUM_MODE ? InstrModLoadStore_INT32 : InstrModLoadStore_LO16};
  struct indexed sum = {values + 1, indices + 1, t.value_mode, t.index_mode};
  sfpu_begin();
  if (!row_major) indexed_reduce_tile(&t, rows);
  else indexed_reduce_row_major(&t, rows);
  for (uint32_t odd = 0; odd < 2 && row_major; odd++) {
    if (accumulate && chunk) {
      indexed_load(&sum, 2, 2 * odd);
      indexed_maximum(odd, 2);
    }
    if (accumulate) indexed_store(&sum, odd, 2 * odd);
    indexed_store(&t, odd, 2 * odd);
  }
  sfpu_end();
}

#endif
#endif
