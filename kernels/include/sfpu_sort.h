/* The vector unit sorts columns of two tiles: 64 numbers from row 0 of tile `first` to row 31 of the next one, with their indices in the two
 * tiles after those. Bitonic networks (Batcher; Shanbhag, Pirk, Madden: Efficient Top-K Query Processing on Massively Parallel Hardware), each
 * exchange on whole rows: sfpu_rows.h turns the tiles, so that a row is one register.
 *
 * Comparisons are in sign-magnitude order: -0 is below 0, a NaN is beyond infinity. ISA: SFPGT.md, SFPSTORE.md (stores of enabled lanes) */
#ifndef TENSIX_SFPU_SORT_H
#define TENSIX_SFPU_SORT_H

#include "sfpu_rows.h"

#ifdef TRISC_MATH

struct sort {
  uint32_t first;                  /* the first of the four tiles */
  uint32_t value_mode, index_mode; /* for loads and stores */
  uint32_t ascending, stable;      /* the order of the result; stable: the lower index comes first among equal values */
};

/* Swaps the numbers of positions a < b where they are not in this order. Changes L0 to L4. */
TT_INLINE void sort_exchange(const struct sort *s, uint32_t a, uint32_t b, uint32_t ascending) {
  uint32_t at_a = sfpu_row_place(s->first + a / 32, a % 32), at_b = sfpu_row_place(s->first + b / 32, b % 32);
  TT_SFPLOAD(0, s->value_mode, ADDR_MOD_7, at_a);
  TT_SFPLOAD(1, s->value_mode, ADDR_MOD_7, at_b);
  TT_SFPLOAD(2, s->index_mode, ADDR_MOD_7, at_a + 128);
  TT_SFPLOAD(3, s->index_mode, ADDR_MOD_7, at_b + 128);
  SFPU_MOVE(4, 0);
  SFPU_XOR(4, 1);
  TT_SFPGT(0, ascending ? 1u : 0u, ascending ? 0u : 1u, 1);
  TT_SFPSTORE(1, s->value_mode, ADDR_MOD_7, at_a);
  TT_SFPSTORE(0, s->value_mode, ADDR_MOD_7, at_b);
  TT_SFPSTORE(3, s->index_mode, ADDR_MOD_7, at_a + 128);
  TT_SFPSTORE(2, s->index_mode, ADDR_MOD_7, at_b + 128);
  SFPU_ENDIF;
  if (!s->stable) return;
  uint32_t forward = ascending == s->ascending; /* a sequence in the other direction has its ties reversed too */
  SFPU_IF_ZERO(4);
  TT_SFPGT(0, forward ? 3u : 2u, forward ? 2u : 3u, 1);
  TT_SFPSTORE(3, s->index_mode, ADDR_MOD_7, at_a + 128);
  TT_SFPSTORE(2, s->index_mode, ADDR_MOD_7, at_b + 128);
  SFPU_ENDIF;
}

/* One step over the positions from..end-1: those whose bit `distance` is 0 with their partners; the direction alternates from block to block
 * of `block` positions. */
TT_INLINE void sort_step(const struct sort *s, uint32_t from, uint32_t end, uint32_t distance, uint32_t block) {
  for (uint32_t i = from; i < end; i++)
    if (!(i & distance)) sort_exchange(s, i, i + distance, s->ascending ^ ((i & block) != 0));
}

TT_INLINE void sort_turn(const struct sort *s) {
  for (uint32_t i = 0; i < 4; i++) sfpu_turn_rows(s->first + i, i < 2 ? s->value_mode : s->index_mode);
}

TT_INLINE void sort_check(uint32_t first, uint32_t k) {
  uint32_t values = dst_kind_or(first, DST_FLOATS), wide = DST_ACCUM_MODE;
  KERNEL_CHECK(k >= 2 && k <= 64 && !(k & (k - 1)), "topk: k is 2, 4, 8, 16, 32 or 64");
  KERNEL_CHECK(first + 3 < DST_TILES, "topk: two tiles of values and two of indices do not fit into this part of Dst");
  KERNEL_CHECK(values == DST_FLOATS || (values == DST_UINT16 && !wide),
               "topk: values are floats, or UINT16 in a 16-bit Dst");
  KERNEL_CHECK(dst_kind_or(first + 2, wide ? DST_INTEGERS : DST_UINT16) == (wide ? DST_INTEGERS : DST_UINT16),
               "topk: indices are UINT16 in a 16-bit Dst, INT32 in a 32-bit Dst");
}

TT_INLINE struct sort sort_begin(uint32_t first, uint32_t ascending, uint32_t stable) {
  uint32_t values = dst_kind_or(first, DST_FLOATS), wide = DST_ACCUM_MODE;
  struct sort s = {first, 0, 0, ascending, stable};
  s.index_mode = wide ? InstrModLoadStore_INT32 : InstrModLoadStore_LO16;
  s.value_mode = values == DST_UINT16 ? (uint32_t)InstrModLoadStore_LO16 : sfpu_float_mode();
  sfpu_begin();
  sort_turn(&s);
  return s;
}
TT_INLINE void sort_end(const struct sort *s) {
  sort_turn(s);
  sfpu_end();
}

/* Phase p sorts blocks of 2^(p+1) positions of which the halves are sorted in opposite directions; step d exchanges positions 2^(d-1) apart.
 * One phase alone may be cut to the steps from first_step down to the one above last_step; 0, 0: all. */
static __attribute__((noinline, unused)) void math_sort_phases(uint32_t first, uint32_t ascending, uint32_t first_phase,
                                                               uint32_t last_phase, uint32_t first_step, uint32_t last_step,
                                                               uint32_t stable) {
  uint32_t cut = first_phase == last_phase && first_step != 0;
  struct sort s = sort_begin(first, ascending, stable);
  for (uint32_t phase = first_phase; phase <= last_phase; phase++)
    for (uint32_t step = cut ? first_step : phase + 1; step > (cut ? last_step : 0); step--)
      sort_step(&s, 0, 64, 1u << (step - 1), 2u << phase);
  sort_end(&s);
}

/* Merges each sequence of k with the one 2^iteration sequences after it: the first gets the k that come first, unsorted, the other the rest.
 * From 32 positions on the partner is in the second tile. */
static __attribute__((noinline, unused)) void math_sort_merge(uint32_t first, uint32_t ascending, uint32_t iteration,
                                                              uint32_t k, uint32_t stable) {
  uint32_t distance = iteration >= 5 || k << iteration > 32 ? 32 : k << iteration;
  struct sort s = sort_begin(first, ascending, stable);
  for (uint32_t group = 0; group < 64; group += 2 * distance)
    for (uint32_t i = 0; i < k && i < distance; i++) sort_exchange(&s, group + i, group + distance + i, ascending);
  sort_end(&s);
}

/* Sorts the bitonic sequences of k that are 2^(iteration+1) sequences apart (at most a tile), in alternating directions. */
static __attribute__((noinline, unused)) void math_sort_rebuild(uint32_t first, uint32_t ascending, uint32_t iteration,
                                                                uint32_t k, uint32_t one_tile, uint32_t stable) {
  uint32_t apart = k == 64 ? 64 : iteration >= 4 || k << (iteration + 1) > 32 ? 32 : k << (iteration + 1);
  struct sort s = sort_begin(first, ascending, stable);
  for (uint32_t start = 0; start < (one_tile && k < 64 ? 32u : 64u); start += apart)
    for (uint32_t distance = k / 2; distance; distance /= 2) sort_step(&s, start, start + k, distance, apart);
  sort_end(&s);
}

#endif
#endif
