/* Data tiles of constants that a reader generates, in BFLOAT16: one page of a circular buffer each. Values
 * are floats, or the bits of an FP32 number ("float:0.5" among the arguments), of which the upper half is used. Include noc.h or dataflow.h
 * first. */
#ifndef TENSIX_CONSTANT_TILES_H
#define TENSIX_CONSTANT_TILES_H

#include "dataflow.h"

#define CONSTANT_TILE_BYTES 2048u
#define CONSTANT_FACE_BYTES 512u
#define CONSTANT_ROW_BYTES 32u

/* An empty page for the tile; all its numbers are `value`. */
TT_INLINE uint32_t constant_tile_begin(uint32_t cb, uint32_t value) {
  uint32_t both = value >> 16 | (value & 0xffff0000u);
  KERNEL_CHECK_VALUE(get_tile_size(cb) == CONSTANT_TILE_BYTES && cb_format(cb) == DATA_FORMAT_BFLOAT16,
                     "constant tiles are BFLOAT16: circular buffer %u is not", cb);
  cb_reserve_back(cb, 1);
  uint32_t at = get_write_ptr(cb);
  for (uint32_t i = 0; i < CONSTANT_TILE_BYTES; i += 4) tt_store(at + i, both);
  return at;
}

/* `last`: the word that was stored last. Stores arrive in order, so all have arrived when it is read. */
TT_INLINE void constant_tile_end(uint32_t cb, uint32_t last) {
  l1_fence(last);
  cb_push_back(cb, 1);
}

/* Every number. */
TT_INLINE void push_filled_tile(uint32_t cb, uint32_t value) {
  constant_tile_end(cb, constant_tile_begin(cb, value) + CONSTANT_TILE_BYTES - 4);
}

/* Column 0; zeros elsewhere. A matrix product with it sums rows, times the value. */
TT_INLINE void push_column_tile(uint32_t cb, uint32_t value) {
  uint32_t tile = constant_tile_begin(cb, 0), at = tile;
  for (uint32_t row = 0; row < 32; row++) {
    at = tile + row / 16 * 2 * CONSTANT_FACE_BYTES + row % 16 * CONSTANT_ROW_BYTES;
    tt_store(at, value >> 16);
  }
  constant_tile_end(cb, at);
}

/* Row 0 of the first face; zeros elsewhere: the scaler of reduce_tile. */
TT_INLINE void push_scaler_tile(uint32_t cb, uint32_t value) {
  uint32_t at = constant_tile_begin(cb, 0), both = value >> 16 | (value & 0xffff0000u);
  for (uint32_t i = 0; i < CONSTANT_ROW_BYTES; i += 4) tt_store(at + i, both);
  constant_tile_end(cb, at + CONSTANT_ROW_BYTES - 4);
}

/* --- the same with a float instead of its bits: 1.0f as an integer would be a tile of zeros --- */

TT_INLINE uint32_t constant_bits_of_float(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
#ifdef __cplusplus
inline uint32_t constant_bits(float value) { return constant_bits_of_float(value); }
inline uint32_t constant_bits(double value) { return constant_bits_of_float((float)value); }
template <typename T> inline uint32_t constant_bits(T value) { return (uint32_t)value; }
#define CONSTANT_BITS(value) constant_bits(value)
#else
TT_INLINE uint32_t constant_bits_of_word(uint32_t value) { return value; }
#define CONSTANT_BITS(value) \
  _Generic((value), float : constant_bits_of_float, double : constant_bits_of_float, default : constant_bits_of_word)(value)
#endif
#define push_filled_tile(cb, value) push_filled_tile(cb, CONSTANT_BITS(value))
#define push_column_tile(cb, value) push_column_tile(cb, CONSTANT_BITS(value))
#define push_scaler_tile(cb, value) push_scaler_tile(cb, CONSTANT_BITS(value))

#endif
