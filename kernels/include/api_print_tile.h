/* DPRINT of a part of a tile in a circular buffer: DPRINT("{}\n", TileSlice(cb, tile, SliceRange::hw0_32_8())). The unpack core prints from
 * the front of the buffer, the pack core from its back, BRISC and NCRISC from the end that the argument selects; the math core has no buffers. */
#ifndef TENSIX_API_PRINT_TILE_H
#define TENSIX_API_PRINT_TILE_H

#include "api_common.h"
#include "circular_buffer.h"
#include "dprint.h"

#define TSLICE_INPUT_CB true
#define TSLICE_OUTPUT_CB false
#define TSLICE_RD_PTR true
#define TSLICE_WR_PTR false

/* Rows h0, h0 + hs .. below h1, of them columns w0, w0 + ws .. below w1 */
struct SliceRange {
  uint8_t h0, h1, hs, w0, w1, ws;
  static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
  static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
  static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
  static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
  static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
  static constexpr SliceRange h0_32_w1() { return {0, 32, 1, 1, 2, 1}; }
  static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};

DPRINT_OUTLINED void dprint_int32(int32_t value, const dprint_spec &s) {
  dprint_integer((uint32_t)value, value < 0 ? UINT32_MAX : 0, value < 0, &s);
}
/* The number in the low bits of a word, as it is in L1: INT8 in sign and magnitude. */
inline bool dprint_has_word(uint32_t format) {
  return format_tile_bytes(format) && !format_is_bfp(format) && format != DATA_FORMAT_FP8;
}
DPRINT_OUTLINED void dprint_word(uint32_t format, uint32_t word, const dprint_spec &s) {
  uint32_t half = word & 0xffffu, exponent = half >> 10 & 31u, magnitude = word & 0x7fu;
  switch (format) {
    case DATA_FORMAT_FLOAT32:
    case DATA_FORMAT_TF32: return dprint_float(word, &s);
    case DATA_FORMAT_BFLOAT16: return dprint_float(half << 16, &s);
    case DATA_FORMAT_FLOAT16:
      return dprint_float((half & 0x8000u) << 16 | (exponent ? (exponent + 112) << 23 | (half & 0x3ffu) << 13 : 0), &s);
    case DATA_FORMAT_INT32: return dprint_int32((int32_t)word, s);
    case DATA_FORMAT_UINT16: return dprint_integer(half, 0, 0, &s);
    case DATA_FORMAT_UINT8: return dprint_integer(word & 0xffu, 0, 0, &s);
    default: return dprint_int32(word & 0x80u ? -(int32_t)magnitude : (int32_t)magnitude, s);
  }
}

template <uint32_t max_bytes = 64>
class TileSlice { /* all numbers of the range are printed: max_bytes limits nothing here */
  uint32_t base = 0, format = 0;
  SliceRange range;
  bool lines, untilized;

  void place(uint32_t cb, int tile, bool read) {
#ifndef TRISC_MATH
    const struct cb_interface *i = cb_get(cb);
    base = (read ? i->read : i->write) + (uint32_t)tile * i->page_bytes;
    CB_CHECK_INDEX(cb, (uint32_t)tile, CB_PAST_FRONT);
    format = i->format;
#endif
    (void)cb, (void)tile, (void)read;
  }
  uint32_t index(uint32_t row, uint32_t column) const {
    if (!untilized) return 32 * row + column;
    return 512 * (row / 16) + 256 * (column / 16) + 16 * (row % 16) + column % 16;
  }

public:
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#ifdef COMPILE_FOR_BRISC
  static constexpr bool usual = TSLICE_RD_PTR;
#else
  static constexpr bool usual = TSLICE_WR_PTR;
#endif
  TileSlice(uint32_t cb, int tile, const SliceRange &part, bool, bool read = usual, bool endl_rows = true,
            bool print_untilized = true)
      : range(part), lines(endl_rows), untilized(print_untilized) {
    place(cb, tile, read);
  }
#else
  TileSlice(uint32_t cb, int tile, const SliceRange &part, bool endl_rows = true, bool print_untilized = true)
      : range(part), lines(endl_rows), untilized(print_untilized) {
#ifdef TRISC_PACK
    place(cb, tile, TSLICE_WR_PTR);
#else
    place(cb, tile, TSLICE_RD_PTR);
#endif
  }
#endif

  uint32_t byte(uint32_t at) const { return tt_load((base + at) & ~3u) >> (8 * ((base + at) & 3u)) & 255u; }
  /* Blocks of 16 numbers with one exponent each: 64 exponents, then the numbers of `bits` bits. */
  void print_block(uint32_t i, uint32_t bits, const dprint_spec &s) const {
    uint32_t mantissa = byte(64 + i * bits / 8) >> (i * bits % 8) & ((1u << bits) - 1);
    dprint_float(dprint_block_float(byte(i / 16), mantissa >> (bits - 1), mantissa & ((1u << (bits - 1)) - 1), bits - 1),
                 &s);
  }
  void print_number(uint32_t i, const dprint_spec &s) const {
    if (format == DATA_FORMAT_BFP8 || format == DATA_FORMAT_BFP4)
      return print_block(i, format == DATA_FORMAT_BFP8 ? 8 : 4, s);
    uint32_t at = base + format_tile_bytes(format) / 1024 * i;
    dprint_word(format, tt_load(at & ~3u) >> (8 * (at & 3u)), s);
  }
  void print(const dprint_spec &s) const {
    if (!base) return dprint_text("TileSlice: the math core has no circular buffers");
    if (!dprint_has_word(format) && format != DATA_FORMAT_BFP8 && format != DATA_FORMAT_BFP4)
      return dprint_text("TileSlice: numbers of this format are not printed");
    for (uint32_t row = range.h0; row < range.h1 && row < 32; row += range.hs ? range.hs : 32) {
      for (uint32_t column = range.w0; column < range.w1 && column < 32; column += range.ws ? range.ws : 32) {
        if (column > range.w0) dprint_char(' ');
        print_number(index(row, column), s);
      }
      dprint_char(lines ? '\n' : ' ');
    }
  }
};

#endif
