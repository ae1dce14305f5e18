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

class TileSlice {
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

  void print_number(uint32_t at) const {
    uint32_t word = tt_load((base + at) & ~3u) >> (8 * ((base + at) & 3u)), half = word & 0xffffu;
    uint32_t exponent = half >> 10 & 31u;
    switch (format) {
      case DATA_FORMAT_FLOAT32:
      case DATA_FORMAT_TF32: return dprint_float_bits(word);
      case DATA_FORMAT_BFLOAT16: return dprint_float_bits(half << 16);
      case DATA_FORMAT_FLOAT16:
        return dprint_float_bits((half & 0x8000u) << 16 | (exponent ? (exponent + 112) << 23 | (half & 0x3ffu) << 13 : 0));
      case DATA_FORMAT_INT32: return dprint_signed((int32_t)word);
      case DATA_FORMAT_UINT16: return dprint_number(half, 10, 1);
      default: return dprint_signed(word & 0x80u ? -(int32_t)(word & 0x7fu) : (int32_t)(word & 0x7fu)); /* INT8 */
    }
  }
  void print() const {
    uint32_t bytes = format_tile_bytes(format) / 1024;
    if (!base) return dprint_text("TileSlice: the math core has no circular buffers");
    if (!bytes || format_is_bfp(format) || format == DATA_FORMAT_FP8)
      return dprint_text("TileSlice: numbers of this format are not printed");
    for (uint32_t row = range.h0; row < range.h1 && row < 32; row += range.hs ? range.hs : 32) {
      for (uint32_t column = range.w0; column < range.w1 && column < 32; column += range.ws ? range.ws : 32) {
        if (column > range.w0) dprint_char(' ');
        print_number(bytes * index(row, column));
      }
      dprint_char(lines ? '\n' : ' ');
    }
  }
};
inline void dprint_value(const TileSlice &slice) { slice.print(); }

#endif
