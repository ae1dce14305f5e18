/* Numbers of L1 and of Dst, printed by DPRINT: pages (BRISC and NCRISC), tiles of buffers (unpack and pack core), tiles of Dst (math core).
 * The text of a whole tile is longer than the print buffer (print_buffer.h), which `tessera kernel run` empties meanwhile. */
#ifndef TENSIX_API_PRINT_PAGES_H
#define TENSIX_API_PRINT_PAGES_H

#include "api_buffer.h"
#include "api_print_tile.h"

/* `length` words that hold numbers of this format, one, two or four each; INT8 in two's complement. */
template <uint16_t length> struct dp_typed_array_t {
  const uint32_t *words;
  uint16_t format;
  dp_typed_array_t(uint16_t type, const uint32_t *from) : words(from), format(type) {}

  void print(const dprint_spec &s) const {
    uint32_t bytes = format == (uint16_t)DataFormat::UInt32 ? 4 : format_tile_bytes(format) / 1024;
    if (bytes != 4 && !dprint_has_word(format))
      return dprint_text("dp_typed_array_t: numbers of this format are not printed");
    for (uint32_t i = 0; i < length; i++) {
      for (uint32_t at = 0; at < 4; at += bytes) {
        print_number(words[i] >> (8 * at), s);
        dprint_char(' ');
      }
    }
  }

private:
  void print_number(uint32_t word, const dprint_spec &s) const {
    if (format == (uint16_t)DataFormat::UInt32) return dprint_integer(word, 0, 0, &s);
    if (format == DATA_FORMAT_INT8) return dprint_int32((int8_t)word, s);
    dprint_word(format, word, s);
  }
};

#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
namespace tt::data_movement::common {
/* A line per page, from page `start` on: its number, then `numbers` of them. */
template <typename T, typename Print>
inline void print_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start, Print print) {
  volatile T *at = reinterpret_cast<volatile T *>(address) + start * numbers;
  for (uint32_t page = 0; page < pages; page++) {
    DPRINT("{}: ", start + page);
    for (uint32_t i = 0; i < numbers; i++, at++) print(*at);
    dprint_char('\n');
  }
}
inline void print_bf16_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start = 0) {
  print_pages<uint16_t>(address, numbers, pages, start, [](uint16_t v) { DPRINT("{} ", bf16_t(v)); });
}
inline void print_f32_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start = 0) {
  print_pages<uint32_t>(address, numbers, pages, start, [](uint32_t v) { DPRINT("{} ", __builtin_bit_cast(float, v)); });
}
inline void print_u8_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start = 0) {
  print_pages<uint8_t>(address, numbers, pages, start, [](uint8_t v) { DPRINT("0x{:02X} ", v); });
}
inline void print_u16_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start = 0) {
  print_pages<uint16_t>(address, numbers, pages, start, [](uint16_t v) { DPRINT("{} ", v); });
}
inline void print_u32_pages(uint32_t address, uint32_t numbers, uint32_t pages, uint32_t start = 0) {
  print_pages<uint32_t>(address, numbers, pages, start, [](uint32_t v) { DPRINT("{} ", v); });
}
} // namespace tt::data_movement::common
#else
namespace tt::compute::common {
inline void print_rows(uint32_t cb, uint32_t tile, bool untilize, uint32_t row, uint32_t end, uint8_t column,
                       uint8_t columns) {
  DPRINT("======\n");
  for (; row < end; row++)
    DPRINT("{}: {}\n", row,
           TileSlice(cb, (int)tile, SliceRange{(uint8_t)row, (uint8_t)(row + 1), 1, column, columns, 1}, true, untilize));
  DPRINT("++++++\n");
}
inline void print_tile_rows(uint32_t cb, uint32_t tile, bool untilize = false, uint16_t start_row = 0, uint16_t end_row = 32,
                            uint8_t start_col = 0, uint8_t end_col = 32) {
  DPRINT("cb_idx: {} tile_idx: {}\n", cb, tile);
  print_rows(cb, tile, untilize, start_row, end_row, start_col, end_col);
}
inline void print_full_tile(uint32_t cb, uint32_t tile = 0, bool untilize = false) {
  print_rows(cb, tile, untilize, 0, 32, 0, 32);
}
} // namespace tt::compute::common

/* --- Dst --- */

inline void dprint_data_format(uint8_t format) {
  switch ((DataFormat)format) {
    case DataFormat::Float32: return dprint_text("Float32");
    case DataFormat::Float16: return dprint_text("Float16");
    case DataFormat::Bfp8: return dprint_text("Bfp8");
    case DataFormat::Bfp4: return dprint_text("Bfp4");
    case DataFormat::Tf32: return dprint_text("Tf32");
    case DataFormat::Float16_b: return dprint_text("Float16_b");
    case DataFormat::Bfp8_b: return dprint_text("Bfp8_b");
    case DataFormat::Bfp4_b: return dprint_text("Bfp4_b");
    case DataFormat::Int32: return dprint_text("Int32");
    case DataFormat::UInt16: return dprint_text("UInt16");
    case DataFormat::Lf8: return dprint_text("Lf8");
    case DataFormat::Bfp2: return dprint_text("Bfp2");
    case DataFormat::Int8: return dprint_text("Int8");
    case DataFormat::Bfp2_b: return dprint_text("Bfp2_b");
    case DataFormat::UInt32: return dprint_text("UInt32");
    case DataFormat::UInt8: return dprint_text("UInt8");
    default: return dprint_text("INVALID DATA FORMAT");
  }
}

template <uint32_t count> inline void dprint_array_with_data_type(uint32_t format, const uint32_t *words) {
  DPRINT("{}\n", dp_typed_array_t<count>((uint16_t)format, words));
}

#ifdef TRISC_MATH
/* Dst's rows of 16 numbers in its own order, face by face. INT8 and its sums are in sign and magnitude there. */
inline void dprint_dst_rows(uint32_t tile, bool by_face) {
  uint32_t kind = dst_kind_or(tile, math_dst_is_int), first = 16 * (dst_base() + 64 * tile);
  uint32_t wide = DST_ACCUM_MODE && kind != DST_UINT16;
  uint32_t code = kind == DST_UINT16 ? 4 : !wide ? (math_dst_is_a ? 2 : 3) : kind == DST_FLOATS ? 0 : 1;
  dprint_spec s;
  dprint_clear(&s);
  dbg_select_dst(code, false, false);
  for (uint32_t i = 0; i < 1024; i++) {
    uint32_t word = 0;
    if (wide) word = reinterpret_cast<const volatile uint32_t *>(DBG_DST)[first + i];
    else word = reinterpret_cast<const volatile uint16_t *>(DBG_DST)[first + i];
    if (code == 1 && kind == DST_SIGNED && word >> 31) word = 0u - (word & 0x7fffffffu);
    dprint_word(code == 0   ? DATA_FORMAT_FLOAT32
                : code == 1 ? DATA_FORMAT_INT32
                : code == 2 ? DATA_FORMAT_FLOAT16
                : code == 3 ? DATA_FORMAT_BFLOAT16
                            : DATA_FORMAT_UINT16,
                word, s);
    dprint_char(' ');
    if (i % 16 == 15) dprint_char('\n');
    if (by_face && i % 256 == 255) dprint_char('\n');
  }
  dbg_select_dst(0, false, false);
}
#endif
/* All three cores call it, between tile_regs_acquire and tile_regs_commit; the math core prints. */
template <bool print_by_face = false> inline void dprint_tensix_dest_reg(int tile = 0) {
  DST_CHECK_TILE((uint32_t)tile);
  dbg_halt();
  MATH(DPRINT("Tile ID = {}\n", tile);)
  MATH(dprint_dst_rows((uint32_t)tile, print_by_face);)
  dbg_unhalt();
}
#endif

#ifndef TRISC_MATH
inline void print_cb_details(uint32_t cb) {
  const LocalCBInterface &i = get_local_cb_interface(cb);
  DPRINT("cb_id {}: {{ size: {}, limit: {}, page_size: {}, num_pages: {}, rd_ptr: {}, wr_ptr: {}, wr_tile_ptr: {} }}\n", cb,
         i.fifo_size, i.fifo_limit, i.fifo_page_size, i.fifo_num_pages, i.fifo_rd_ptr, i.fifo_wr_ptr,
         i.packed * i.fifo_page_size);
}
#endif

/* Words of L1 in hexadecimal; of a buffer from its read pointer on, after its state. The math core has no buffers. */
DPRINT_OUTLINED void debug_dump_l1(uint32_t address, uint32_t words) {
  DPRINT("L1 at {:#x}, {} words:\n", address, words);
  for (uint32_t i = 0; i < words; i++) DPRINT("  [{:#x}] {:#010x}\n", address + 4 * i, tt_load(address + 4 * i));
}
#ifdef TRISC_MATH
inline void debug_dump_cb(uint32_t, uint32_t = 0) { DPRINT("debug_dump_cb: the math core has no buffers\n"); }
#else
DPRINT_OUTLINED void debug_dump_cb(uint32_t cb, uint32_t words = 0) {
  print_cb_details(cb);
  if (words) debug_dump_l1(cb_get(cb)->read, words);
}
#endif
/* The vendor's build prints more and lets cores wait for each other here. */
#define DEBUG_CHECKPOINT(name) DPRINT("checkpoint {}\n", (const char *)(name))
#define DEBUG_CHECKPOINT_EX(name, ...) DEBUG_CHECKPOINT(name)
#define DEBUG_CHECKPOINT_GLOBAL(name, ...) DEBUG_CHECKPOINT(name)

#endif
