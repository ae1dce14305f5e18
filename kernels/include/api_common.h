/* What C++ kernels of all five cores share: buffer numbers, formats, arguments, coordinates. Names are those of the vendor's API. */
#ifndef TENSIX_API_COMMON_H
#define TENSIX_API_COMMON_H

#include "compile_args.h"
#include "data_format.h"
#include "kernel.h"

#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))
#define tt_l1_ptr
#define tt_reg_ptr

typedef unsigned int uint;

namespace tt {
enum CBIndex : uint32_t {
  c_0,
  c_1,
  c_2,
  c_3,
  c_4,
  c_5,
  c_6,
  c_7,
  c_8,
  c_9,
  c_10,
  c_11,
  c_12,
  c_13,
  c_14,
  c_15,
  c_16,
  c_17,
  c_18,
  c_19,
  c_20,
  c_21,
  c_22,
  c_23,
  c_24,
  c_25,
  c_26,
  c_27,
  c_28,
  c_29,
  c_30,
  c_31
};
using CB = CBIndex;
namespace constants {
constexpr uint32_t TILE_HEIGHT = TILE_ROWS, TILE_WIDTH = TILE_COLUMNS, TILE_HW = TILE_ROWS * TILE_COLUMNS;
constexpr uint32_t FACE_HEIGHT = FACE_ROWS, FACE_WIDTH = FACE_COLUMNS, FACE_HW = FACE_ROWS * FACE_COLUMNS;
} // namespace constants
} // namespace tt

/* The codes of enum data_format; the unsigned formats lie in Dst like the signed ones. */
enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Tf32 = 4,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  Lf8 = 10,
  Bfp2 = 11,
  Int8 = 14,
  Bfp2_b = 15,
  UInt32 = 24,
  UInt8 = 30,
  Invalid = 255
};

/* get_arg_val<uint32_t>(n): any type of four bytes. */
template <typename T> inline T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "get_arg_val: an argument has 32 bits");
  return __builtin_bit_cast(T, get_arg_val((uint32_t)index));
}

/* Logical coordinates count worker tiles: columns 1..7 and 10..16, rows 2..11 of the translated ones. */
inline uint32_t kernel_node_id() { return tt_load(0xFFB20148u) & 0xfffu; }
inline uint8_t get_absolute_logical_x() {
  uint32_t x = kernel_node_id() & 63u;
  return (uint8_t)(x < 8 ? x - 1 : x - 3);
}
inline uint8_t get_absolute_logical_y() { return (uint8_t)((kernel_node_id() >> 6) - 2); }
inline uint8_t get_relative_logical_x() { return get_absolute_logical_x(); }
inline uint8_t get_relative_logical_y() { return get_absolute_logical_y(); }

/* bfloat16 as bits */
constexpr uint16_t NEG_INF_BFLOAT16 = 0xFF80, POS_INF_BFLOAT16 = 0x7F80, NAN_BFLOAT16 = 0x7FFF, BFLOAT16_SIGN_MASK = 0x8000;
inline uint16_t fp32_to_bf16_truncate(float x) { return (uint16_t)(__builtin_bit_cast(uint32_t, x) >> 16); }
inline float bf16_to_fp32(uint16_t x) { return __builtin_bit_cast(float, (uint32_t)x << 16); }

namespace ckernel {
/* A load whose value has arrived before the next instruction. */
template <typename T> inline T load_blocking(volatile T *p) {
  T value = *p;
  __asm__ volatile("andi zero, %0, 0" : : "r"(value) : "memory");
  return value;
}
} // namespace ckernel

#endif
