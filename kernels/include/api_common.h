/* Shared by C++ kernels of all five cores: buffer numbers, formats, arguments, coordinates. Names are those of the vendor's
 * API. */
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

/* A failed assertion of the kernel stops it with its text; marks for the vendor's tools have no effect. */
#define ASSERT(condition, ...) KERNEL_CHECK(condition, "ASSERT(" #condition ") does not hold")
#define WAYPOINT(...)
#define PAUSE()
#define WATCHER_RING_BUFFER_PUSH(value) ((void)(value)) /* the watcher is off, as by default */
#define DeviceTimestampedData(...)
#define DeviceRecordEvent(...)

#ifndef L1_ALIGNMENT /* bytes: addresses of NoC reads and writes; DRAM as the vendor's host aligns pages */
#define L1_ALIGNMENT 16u
#define DRAM_ALIGNMENT 64u
#endif
#define NUM_CIRCULAR_BUFFERS LAUNCH_BUFFERS
#define NUM_NOCS 2
#define MEM_L1_BASE 0u
#define MEM_L1_SIZE LAUNCH_L1_BYTES
enum { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1, DM_INVALID_NOC = 2 }; /* a core has its own NoC: noc_mode is the first */
constexpr uint32_t INVALID = 0, VALID = 1; /* values that kernels write into semaphores */
constexpr uint32_t align_power_of_2(uint32_t x, uint32_t to) { return (x + to - 1) & ~(to - 1); }
constexpr uint32_t align(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }
constexpr bool is_power_of_2(uint32_t x) { return x != 0 && (x & (x - 1)) == 0; }

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
  c_31,
  /* names of the older API */
  c_in0 = 0,
  c_in1,
  c_in2,
  c_in3,
  c_in4,
  c_in5,
  c_in6,
  c_in7,
  dataflow0 = 8,
  dataflow1,
  dataflow2,
  dataflow3,
  dataflow4,
  dataflow5,
  dataflow6,
  dataflow7,
  c_out0 = 16,
  c_out1,
  c_out2,
  c_out3,
  c_out4,
  c_out5,
  c_out6,
  c_out7,
  c_intermed0 = 24,
  c_intermed1,
  c_intermed2,
  c_intermed3,
  c_intermed4,
  c_intermed5,
  c_intermed6,
  c_intermed7
};
using CB = CBIndex;
/* The oldest names of the buffers. */
enum HlkOperand : uint8_t {
  in0 = 0, in1, in2, in3, in4, in5, in6, in7,
  param0 = 8, param1, param2, param3, param4, param5, param6, param7,
  out0 = 16, out1, out2, out3, out4, out5, out6, out7,
  intermed0 = 24, intermed1, intermed2, intermed3, intermed4, intermed5, intermed6, intermed7
};
namespace constants {
constexpr uint32_t TILE_HEIGHT = TILE_ROWS, TILE_WIDTH = TILE_COLUMNS, TILE_HW = TILE_ROWS * TILE_COLUMNS;
constexpr uint32_t FACE_HEIGHT = FACE_ROWS, FACE_WIDTH = FACE_COLUMNS, FACE_HW = FACE_ROWS * FACE_COLUMNS;
} // namespace constants
} // namespace tt

/* Also used by readers that generate tiles of constants. */
namespace ckernel {
constexpr uint32_t TILE_R_DIM = TILE_ROWS, TILE_C_DIM = TILE_COLUMNS, FACE_R_DIM = FACE_ROWS, FACE_C_DIM = FACE_COLUMNS;
enum PoolType { SUM, AVG, MAX, MIN };
namespace reduce_dims { /* enum reduce_dim has these names outside */
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
}
using reduce_dims::ReduceDim;
enum class DataLayout : uint8_t { TILE, ROW_MAJOR };
} // namespace ckernel
using namespace ckernel;
/* Constants, so that a kernel can still define macros of these names after this header (kernel_api.h is included first). */
#ifndef REDUCE_OP
constexpr PoolType REDUCE_OP = PoolType::SUM;
#endif
#ifndef REDUCE_DIM
constexpr ReduceDim REDUCE_DIM = ReduceDim::REDUCE_ROW;
#endif
#ifndef ENABLE_FP32_DEST_ACC
#define ENABLE_FP32_DEST_ACC DST_ACCUM_MODE
#endif

/* The codes of enum data_format; in Dst the unsigned formats are stored like the signed ones. */
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

/* get_arg_val<uint32_t>(n): any type of four bytes. Common arguments are those that all kernels of the tile share (kernel.chip: args common). */
template <typename T> inline T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "get_arg_val: an argument has 32 bits");
  return __builtin_bit_cast(T, get_arg_val((uint32_t)index));
}
inline uintptr_t get_arg_addr(int index) { return KERNEL_ARGS + 4u * (uint32_t)index; }
inline uintptr_t get_common_arg_addr(int index) { return LAUNCH_FIELD(args) + 4u * (uint32_t)index; }
template <typename T> inline T get_common_arg_val(int index) {
  static_assert(sizeof(T) == 4, "get_common_arg_val: an argument has 32 bits");
  KERNEL_CHECK_VALUE((uint32_t)index < KERNEL_COMMON_ARG_COUNT,
                     KERNEL_ARG_LIMIT("get_common_arg_val", KERNEL_COMMON_ARG_COUNT), (uint32_t)index);
  return __builtin_bit_cast(T, tt_load((uint32_t)get_common_arg_addr(index)));
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

/* By sign and magnitude: NaNs and zeros have an order too. */
inline bool bfloat16_greater(uint16_t a, uint16_t b) {
  return ((a ^ b) & 0x8000) ? !(a & 0x8000) : (a & 0x8000) ? a < b : a > b;
}
/* FLOAT32 as bits, and integers: the smallest value of each type. */
constexpr uint32_t NEG_INF_FLOAT32 = 0xFF800000u, POS_INF_FLOAT32 = 0x7F800000u;
constexpr int32_t NEG_INF_INT32 = -0x7fffffff - 1, POS_INF_INT32 = 0x7fffffff;
inline bool float32_greater(uint32_t a, uint32_t b) {
  if ((a & 0x7fffffffu) > 0x7f800000u || (b & 0x7fffffffu) > 0x7f800000u || !((a | b) & 0x7fffffffu)) return false;
  return ((a ^ b) >> 31) ? !(a >> 31) : (a >> 31) ? a < b : a > b;
}
inline bool int32_greater(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b; }

/* Spins for at least this many cycles of the tile's clock. */
inline void riscv_wait(uint32_t cycles) {
  uint32_t start = tt_load(0xFFB121F0u);
  while (tt_load(0xFFB121F0u) - start < cycles) {}
}

inline void invalidate_l1_cache() { tt_fence(); }
/* The core's cache of L1, which is off at the start: bit 3 of CSR cfg0 turns it off, bit 24 keeps its lines longer. ISA: CSRs.md */
template <bool enable = true> inline void set_l1_data_cache() {
#ifndef TT_RECORD
  if (enable) {
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrrc zero, 0x7c0, %0\nfence\ncsrrs zero, 0x7c0, %1\n.option pop"
                     :
                     : "r"(1u << 3), "r"(1u << 24)
                     : "memory");
  } else {
    __asm__ volatile(".option push\n.option arch, +zicsr\nfence\ncsrrs zero, 0x7c0, %0\n.option pop"
                     :
                     : "r"(1u << 3)
                     : "memory");
  }
#endif
}

/* The tile's clock; a read of the lower half latches the upper one. */
struct c_tensix_core {
  static uint32_t read_wall_clock_l() { return tt_load(0xFFB121F0u); }
  static uint64_t read_wall_clock() {
    uint32_t low = read_wall_clock_l();
    return (uint64_t)tt_load(0xFFB121F8u) << 32 | low;
  }
};

namespace ckernel {
inline void wait(uint32_t cycles) { riscv_wait(cycles); }
/* A load whose value arrives before the next instruction. */
template <typename T> inline T load_blocking(volatile T *p) {
  T value = *p;
  __asm__ volatile("andi zero, %0, 0" : : "r"(value) : "memory");
  return value;
}
} // namespace ckernel

#endif
