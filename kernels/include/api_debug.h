/* The compute API in C++, for debugging: tiles of Dst read and written by the math core, hashes of buffers, the width of Dst. Part of
 * api_compute.h. ISA: Dst.md, "RISCV access to Dst" */
#ifndef TENSIX_API_DEBUG_H
#define TENSIX_API_DEBUG_H

#include "api_buffer.h"
#include "dprint.h"

/* --- between the two calls only the math core runs, and no instruction pushed before is in flight --- */

inline void dbg_halt() {
  tensix_sync();
#ifdef TRISC_MATH
  (void)mailbox_read(UnpackThreadId);
  (void)mailbox_read(PackThreadId);
#else
  mailbox_write(MathThreadId, 1);
#endif
}
inline void dbg_unhalt() {
#ifdef TRISC_MATH
  tensix_sync();
  mailbox_write(UnpackThreadId, 1);
  mailbox_write(PackThreadId, 1);
#else
  (void)mailbox_read(MathThreadId);
#endif
}

/* --- Dst, one number at a time, in its own order: face by face. A 32-bit format needs a 32-bit Dst --- */

constexpr uint32_t dbg_dst_format(DataFormat format) {
  switch (format) {
    case DataFormat::Float32: return 0;
    case DataFormat::Int32:
    case DataFormat::UInt32: return 1;
    case DataFormat::Float16: return 2;
    case DataFormat::Float16_b: return 3;
    case DataFormat::UInt16: return 4;
    case DataFormat::Int8:
    case DataFormat::UInt8: return 5;
    default: return 6;
  }
}
#ifdef TRISC_MATH
constexpr uint32_t DBG_DST = 0xFFBD8000u;
inline void dbg_select_dst(uint32_t format, bool is_unsigned, bool raw) {
  tensix_sync(); /* earlier instructions have written Dst */
  cfg_rmw(RISC_DEST_ACCESS_CTRL_SEC1_fmt_RMW, format);
  cfg_rmw(RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int_RMW, is_unsigned);
  cfg_rmw(RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle_RMW, raw);
  tensix_sync();
}
template <typename T, bool write> inline void dbg_move_dst(uint32_t first, T *buffer, uint32_t count) {
  volatile T *dst = reinterpret_cast<volatile T *>(DBG_DST) + first;
  for (uint32_t i = 0; i < count; i++) {
    if constexpr (write) dst[i] = buffer[i];
    else buffer[i] = dst[i];
  }
  if constexpr (write) (void)load_blocking(dst); /* the stores have arrived when a later load has */
}
template <DataFormat format, bool write> inline void dbg_move_dst_tile(uint32_t tile, void *buffer, bool swizzle) {
  constexpr uint32_t code = dbg_dst_format(format);
  DST_CHECK_TILE(tile);
  KERNEL_CHECK(code > 1 || DST_ACCUM_MODE, "a 32-bit format needs a 32-bit Dst: compile with DST_ACCUM_MODE 1");
  dbg_select_dst(code, format == DataFormat::UInt16 || format == DataFormat::UInt8 || format == DataFormat::UInt32,
                 !swizzle);
  uint32_t first = 16 * (dst_base() + 64 * tile);
  if constexpr (code <= 1) dbg_move_dst<uint32_t, write>(first, static_cast<uint32_t *>(buffer), 1024);
  else if constexpr (code <= 4) dbg_move_dst<uint16_t, write>(first, static_cast<uint16_t *>(buffer), 1024);
  else dbg_move_dst<uint8_t, write>(first, static_cast<uint8_t *>(buffer), 1024);
  dbg_select_dst(0, false, false);
}
#endif
template <DataFormat format> inline void dbg_read_dest_tile(uint32_t tile, void *buffer, bool swizzle = true) {
  static_assert(dbg_dst_format(format) < 6, "dbg_read_dest_tile: Dst holds no numbers of this format");
  MATH((dbg_move_dst_tile<format, false>(tile, buffer, swizzle));)
  (void)tile, (void)buffer, (void)swizzle;
}
template <DataFormat format> inline void dbg_write_dest_tile(uint32_t tile, const void *buffer, bool swizzle = true) {
  static_assert(dbg_dst_format(format) < 6, "dbg_write_dest_tile: Dst holds no numbers of this format");
  MATH((dbg_move_dst_tile<format, true>(tile, const_cast<void *>(buffer), swizzle));)
  (void)tile, (void)buffer, (void)swizzle;
}
/* A row of 16 numbers of 16 bits, as they are in Dst, counted from row 0 of all of Dst: eight words. */
inline void dbg_read_dest_acc_row(int row, uint32_t *words) {
#ifdef TRISC_MATH
  uint16_t numbers[16];
  dbg_select_dst(3, false, true);
  dbg_move_dst<uint16_t, false>(16 * (uint32_t)row, numbers, 16);
  dbg_select_dst(0, false, false);
  for (uint32_t i = 0; i < 8; i++) words[i] = numbers[2 * i] | (uint32_t)numbers[2 * i + 1] << 16;
#endif
  (void)row, (void)words;
}

/* --- sticky bits of special values, 6 to 4 of the matrix unit and 3 to 0 of the vector unit. The simulated machine does not model the
 * register FPU_STICKY_BITS, and stops at an access to it --- */

#define KERNEL_STICKY_BITS 0xFFB120B4u
inline uint32_t get_compute_special_value_flags() {
  uint32_t flags = 0;
  MATH(flags = tt_load(KERNEL_STICKY_BITS);)
  return flags;
}
inline uint32_t get_compute_special_value_flags_fpu(uint32_t flags) { return flags >> 4 & 7u; }
inline uint32_t get_compute_special_value_flags_sfpu(uint32_t flags) { return flags & 15u; }
inline void clear_compute_special_value_flags() {
  MATH(tt_store(KERNEL_STICKY_BITS, tt_load(KERNEL_STICKY_BITS) & 0);)
} /* the load stops it */

/* --- FNV-1a of the pages at the front of a buffer, printed by the unpack core; only with DEBUG_CB_HASH --- */

inline void hash_cb_trisc(uint32_t cb, uint32_t pages, uint32_t label) {
#if defined(DEBUG_CB_HASH) && defined(TRISC_UNPACK)
  const volatile uint8_t *at = reinterpret_cast<const volatile uint8_t *>(get_tile_l1_byte_address(cb, 0));
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < pages * cb_get(cb)->page_bytes; i++) hash = (hash ^ at[i]) * 16777619u;
  DPRINT("hash[{:#x}] cb={} tiles={} = {:#x}\n", label, cb, pages, hash);
#endif
  (void)cb, (void)pages, (void)label;
}

/* --- the same by the vector unit, over INT32 tiles as copies leave them in Dst: each of the 32 lanes has a hash of 23 bits, which starts at
 * 0x1c9dc5; for each number of the lane it becomes (hash ^ number) * 0x193. Afterwards the first of the 32 vectors of Dst tile 0 has the
 * lanes and the rest of the tile is 0, so that the exclusive or of a packed tile is one number. Only with DEBUG_CB_HASH. Start with
 * copy_tile_init. ISA: SFPMUL24.md --- */

#ifdef TRISC_MATH
inline void hash_fold_tile() { /* L1: the factor, L2: the hash; copies do not change them */
  sfpu_begin();
  sfpu_first_row();
  for (uint32_t i = 0; i < 32; i++) {
    TTI_SFPLOAD(0, InstrModLoadStore_INT32, ADDR_MOD_6, 0);
    SFPU_XOR(2, 0);
    TTI_SFPMUL24(2, 1, SFPU_ZERO, 2, 0);
  }
  sfpu_end();
}
inline void hash_store() {
  sfpu_begin();
  sfpu_first_row();
  TTI_SFPSTORE(2, InstrModLoadStore_INT32, ADDR_MOD_6, 0);
  for (uint32_t i = 1; i < 32; i++) TTI_SFPSTORE(SFPU_ZERO, InstrModLoadStore_INT32, ADDR_MOD_6, 0);
  sfpu_end();
}
#endif
inline void hash_cb_sfpu(uint32_t cb, uint32_t pages) {
#ifdef DEBUG_CB_HASH
  KERNEL_CHECK(cb_format(cb) == DATA_FORMAT_INT32 && DST_ACCUM_MODE, "hash_cb_sfpu: the buffer must hold INT32 or UINT32");
  MATH(SFPU_CONSTANT(1, 0x193u); SFPU_CONSTANT(2, 0x1c9dc5u);)
  cb_wait_front(cb, pages);
  for (uint32_t i = 0; i < pages; i++) {
    copy_tile(cb, i, 0);
    MATH(hash_fold_tile();)
  }
  cb_pop_front(cb, pages);
  MATH(hash_store();)
#endif
  (void)cb, (void)pages;
}

/* --- Dst has one width per kernel, DST_ACCUM_MODE: a section that needs the other one stops the kernel --- */

#define DST_WIDTH_CHECK(wide) \
  KERNEL_CHECK((wide) == (DST_ACCUM_MODE != 0), \
               "Dst has one width per kernel: compile with the DST_ACCUM_MODE of this section")
inline void enable_fp32_dest_acc() { DST_WIDTH_CHECK(true); }
inline void disable_fp32_dest_acc() { DST_WIDTH_CHECK(false); }
template <bool enable> inline void set_fp32_dest_acc() { DST_WIDTH_CHECK(enable); }
template <bool enable> inline void restore_fp32_dest_acc() {}

#endif
