// Tessera: PTO's C++ interface as a recorder (C++17). Existing kernels compile against this header on any PC and run on the
// model of the Cube-Vector pipe.
//
//   #include <pto/pto-inst.hpp>                        // with -I .../include/tessera/compat -I .../include
//   AICORE void kernel(__gm__ float *out, __gm__ float *in) { ... TLOAD, TMATMUL, TPUSH, TPOP, TSTORE ... }
//   tessera::pto_device device("a2a3");                // profile, credit policy
//   tessera::pto_launch([&] { kernel(out, in); }, 1);  // in place of kernel<<<1, nullptr, stream>>>(out, in)
//   device.last().report;                              // hazards, deadlock or fault in words; empty: nothing to report
//
// `tessera pto launches FILE.cpp` rewrites the launches of a source. A launch calls the kernel once for every block and every core of
// the block (Cube, Vector 0, Vector 1) and records the instructions; then the model runs all of them. An instruction belongs to the
// core in whose memory its tiles lie: the other cores skip it, so that a kernel may contain both cores' code, with or without
// __DAV_CUBE__ and __DAV_VEC__ (both are defined). tessera::on_cube and tessera::on_vector guard code without tiles.
//
// GM pointers are host pointers: the launch copies the bytes that the kernel names into the model and back. Tiles hold their data
// in the model; their fractal layouts are accepted and have no effect there. A kernel that calls set_flag, wait_flag or pipe_barrier
// orders its pipes itself, and a race between them is a finding; in a kernel without any, data dependencies order the pipes.
#ifndef TESSERA_COMPAT_PTO_INST_HPP
#define TESSERA_COMPAT_PTO_INST_HPP

#ifdef TESSERA_PTO_HPP
#error "tessera/pto.hpp and pto/pto-inst.hpp define the same names: include one of them"
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/pto.h"

// --- qualifiers that are empty in a host build ---

#ifndef AICORE
#define AICORE
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __gm__
#define __gm__
#endif
#ifndef PTO_INST
#define PTO_INST
#endif
#ifndef __DAV_CUBE__
#define __DAV_CUBE__ 1
#endif
#ifndef __DAV_VEC__
#define __DAV_VEC__ 1
#endif

// --- names of the hardware ---

enum pipe_t { PIPE_S, PIPE_MTE2, PIPE_MTE1, PIPE_M, PIPE_V, PIPE_MTE3, PIPE_FIX, PIPE_ALL };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

static_assert(static_cast<int>(PIPE_FIX) == static_cast<int>(TESSERA_PTO_FIX) &&
                  static_cast<int>(PIPE_ALL) == static_cast<int>(TESSERA_PTO_ALL_UNITS),
              "pipes have the model's numbers");

namespace pto {

inline constexpr int C0_SIZE_BYTE = 32;

enum class TileType { Mat, Acc, Vec, Left, Right, Bias, Scaling };
enum class BLayout { RowMajor, ColMajor };
enum class SLayout { NoneBox, RowMajor, ColMajor };
enum class PadValue { Null, Zero };
enum class Layout { ND, DN, NZ };
enum Direction : std::uint8_t {
  DIR_C2V = 1,
  DIR_V2C = 2,
  DIR_BOTH = 3,
  DIR_V2C_CTRL = 4,
  DIR_C2V_GM = 5,
  DIR_V2C_GM = 6,
  DIR_BOTH_GM = 7
};
enum TileSplitAxis : std::uint8_t {
  TILE_NO_SPLIT = 0,
  TILE_UP_DOWN = 1,
  TILE_LEFT_RIGHT = 2,
  TILE_UP_DOWN_ODD = 3,
  TILE_LEFT_RIGHT_ODD = 4
};

namespace detail {
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
// To nearest even in both formats; overflow gives infinity.
inline std::uint16_t to_half(float value) {
  std::uint32_t x = bits_of(value), sign = x >> 16 & 0x8000u, magnitude = x & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  std::uint32_t shift = 13, mantissa = magnitude;
  if (magnitude < 0x38800000u) { /* below the normal numbers of half */
    if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);
    shift = 126 - (magnitude >> 23);
    mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  } else {
    mantissa = magnitude - 0x38000000u;
  }
  std::uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
  if (rest > tie || (rest == tie && (kept & 1u))) kept++;
  return static_cast<std::uint16_t>(sign | kept);
}
inline float of_half(std::uint16_t h) {
  std::uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, mantissa = h & 1023u;
  if (exponent == 31) return of_bits(sign | 0x7f800000u | mantissa << 13);
  if (exponent) return of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = static_cast<float>(mantissa) * (1.0f / 16777216.0f);
  return sign ? -magnitude : magnitude;
}
inline std::uint16_t to_bfloat16(float value) {
  std::uint32_t x = bits_of(value);
  if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(x >> 16 | 0x40u);
  return static_cast<std::uint16_t>((x + 0x7fffu + (x >> 16 & 1u)) >> 16);
}
} // namespace detail

// Sixteen-bit storage types; arithmetic on the host goes through float.
struct half {
  std::uint16_t bits;
  half() = default;
  half(float value) : bits(detail::to_half(value)) {}
  operator float() const { return detail::of_half(bits); }
};
struct bfloat16_t {
  std::uint16_t bits;
  bfloat16_t() = default;
  bfloat16_t(float value) : bits(detail::to_bfloat16(value)) {}
  operator float() const { return detail::of_bits(static_cast<std::uint32_t>(bits) << 16); }
};
static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2, "storage types of two bytes");

} // namespace pto

using pto::bfloat16_t;
using pto::half;

#include "tessera/compat/pto/detail/record.hpp"

namespace pto {

// --- shapes and global tensors ---

namespace detail {
template <int... D> struct dims {
  static_assert(sizeof...(D) == 5, "five dimensions");
  std::array<std::int64_t, 5> of{{D...}};
  static constexpr std::size_t dynamic = (0 + ... + (D == -1 ? 1 : 0));
  template <class... N, class = std::enable_if_t<sizeof...(N) == dynamic>> dims(N... sizes) {
    const std::array<std::int64_t, sizeof...(N) + 1> given{{static_cast<std::int64_t>(sizes)..., 0}};
    std::size_t next = 0;
    for (auto &d : of)
      if (d == -1) d = given[next++];
  }
};
} // namespace detail

template <int D0 = 1, int D1 = 1, int D2 = 1, int D3 = 1, int D4 = 1> struct Shape : detail::dims<D0, D1, D2, D3, D4> {
  using detail::dims<D0, D1, D2, D3, D4>::dims;
};
template <int D0 = 1, int D1 = 1, int D2 = 1, int D3 = 1, int D4 = 1> struct Stride : detail::dims<D0, D1, D2, D3, D4> {
  using detail::dims<D0, D1, D2, D3, D4>::dims;
};

// A part of global memory. ND and DN: the last two dimensions are rows and columns; NZ: columns come in blocks, shape
// (1, column blocks, row blocks, rows of a block, columns of a block).
template <class T, class Shape_, class Stride_, Layout Layout_ = Layout::ND> struct GlobalTensor : detail::global_tag {
  using DType = T;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;

  GlobalTensor() = default;
  explicit GlobalTensor(T *pointer) : pointer_(pointer) {}
  GlobalTensor(T *pointer, const Shape &shape) : pointer_(pointer), shape_(shape) {}
  GlobalTensor(T *pointer, const Shape &shape, const Stride &stride) : pointer_(pointer), shape_(shape), stride_(stride) {}
  T *data() const { return pointer_; }
  std::int64_t GetShape(std::size_t dim) const { return shape_.of[dim]; }
  std::int64_t GetStride(std::size_t dim) const { return stride_.of[dim]; }

  detail::window window() const {
    const auto &n = shape_.of, &step = stride_.of;
    detail::window w;
    w.at = reinterpret_cast<std::uintptr_t>(pointer_);
    w.dtype = detail::dtype<std::remove_cv_t<T>>::value;
    w.size = sizeof(T);
    if (Layout_ == Layout::NZ) {
      if (n[0] != 1 || (n[2] > 1 && step[2] != n[3] * step[3]))
        throw std::invalid_argument("an NZ tensor has one batch, and row blocks that follow each other");
      w.rows = n[2] * n[3];
      w.cols = n[1] * n[4];
      w.row_stride = step[3];
      w.col_stride = step[4];
      w.block_cols = n[1] > 1 ? n[4] : 0;
      w.block_stride = n[1] > 1 ? step[1] : 0;
      return w;
    }
    // Outer dimensions continue the rows where their strides allow it.
    w.rows = n[3];
    w.cols = n[4];
    w.row_stride = step[3];
    w.col_stride = step[4];
    for (int d = 2; d >= 0; d--) {
      if (n[d] > 1 && step[d] != w.rows * w.row_stride)
        throw std::invalid_argument("outer dimensions of a global tensor must follow each other in memory");
      w.rows *= n[d];
    }
    return w;
  }
  void bind(std::uintptr_t pointer) { pointer_ = reinterpret_cast<T *>(pointer); }

private:
  T *pointer_ = nullptr;
  Shape shape_{};
  Stride stride_{};
};

// --- tiles ---

template <TileType Loc_, class T, int Rows_, int Cols_, BLayout BLayout_ = BLayout::RowMajor, int RowValid_ = Rows_,
          int ColValid_ = Cols_, SLayout SLayout_ = SLayout::NoneBox, int FractalBytes_ = 512,
          PadValue Pad_ = PadValue::Null>
struct Tile : detail::tile_tag {
  using DType = T;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_, Cols = Cols_, Numel = Rows_ * Cols_;
  static constexpr int ValidRow = RowValid_, ValidCol = ColValid_;
  static constexpr BLayout BFractal = BLayout_;
  static constexpr SLayout SFractal = SLayout_;
  static constexpr int SFractalSize = FractalBytes_;
  static constexpr PadValue PadVal = Pad_;
  static constexpr int dynamic = (RowValid_ == -1 ? 1 : 0) + (ColValid_ == -1 ? 1 : 0);

  template <class... N, class = std::enable_if_t<sizeof...(N) == dynamic>> explicit Tile(N... sizes) {
    const int given[] = {static_cast<int>(sizes)..., 0, 0};
    state_.valid_rows = RowValid_ == -1 ? given[0] : RowValid_;
    state_.valid_cols = ColValid_ == -1 ? given[RowValid_ == -1 ? 1 : 0] : ColValid_;
    if (state_.valid_rows < 1 || state_.valid_rows > Rows_ || state_.valid_cols < 1 || state_.valid_cols > Cols_)
      throw std::invalid_argument("the valid part of a tile is not empty and not larger than the tile");
  }
  int GetValidRow() const { return state_.valid_rows; }
  int GetValidCol() const { return state_.valid_cols; }

  detail::tile_state &state() const { return state_; }

private:
  mutable detail::tile_state state_;
};

template <class T, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeft = Tile<TileType::Left, T, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::RowMajor, 512>;
template <class T, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRight = Tile<TileType::Right, T, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::ColMajor, 512>;
template <class T, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAcc = Tile<TileType::Acc, T, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor, 1024>;

template <class T, class Address> void TASSIGN(T &tile, Address address) {
  if constexpr (detail::is_global<T>) {
    tile.bind(detail::address_of(address));
  } else {
    static_assert(detail::is_tile<T>, "TASSIGN places a tile");
    tile.state().assign(static_cast<std::uint32_t>(detail::address_of(address)));
  }
}

// --- pipes ---

template <std::uint8_t FlagID, std::uint8_t DirType, std::uint32_t SlotSize, std::uint32_t SlotNum,
          std::uint32_t LocalSlotNum = 2, bool IsNoSplit = false, bool EN_UNIT_FLAG = false>
class TPipe : public detail::pipe_end {
public:
  template <class G, class C, class V>
  TPipe(G gm, C c2v_consumer_buffer, V v2c_consumer_buffer, detail::at line = detail::at())
      : detail::pipe_end(
            describe(detail::address_of(c2v_consumer_buffer), detail::address_of(v2c_consumer_buffer), line.number),
            detail::address_of(gm)),
        prod{this}, cons{this} {}

  // The switches of the two ends.
  struct Producer {
    TPipe *pipe;
    void setAllocateStatus(bool value, detail::at line = detail::at()) {
      pipe->status(TESSERA_PTO_ALLOCATE, value, line.number);
    }
    void setRecordStatus(bool value, detail::at line = detail::at()) {
      pipe->status(TESSERA_PTO_RECORD, value, line.number);
    }
    bool getAllocateStatus() const { return pipe->status_of(TESSERA_PTO_ALLOCATE); }
    bool getRecordStatus() const { return pipe->status_of(TESSERA_PTO_RECORD); }
    void setEntryOffset(std::int64_t bytes, detail::at line = detail::at()) {
      pipe->field(TESSERA_PTO_PROD_OFFSET, bytes, line.number);
    }
    void setTileId(std::int64_t id, detail::at line = detail::at()) { pipe->field(TESSERA_PTO_PROD_TILE, id, line.number); }
  };
  struct Consumer {
    TPipe *pipe;
    void setWaitStatus(bool value, detail::at line = detail::at()) { pipe->status(TESSERA_PTO_WAIT, value, line.number); }
    void setFreeStatus(bool value, detail::at line = detail::at()) { pipe->status(TESSERA_PTO_FREE, value, line.number); }
    bool getWaitStatus() const { return pipe->status_of(TESSERA_PTO_WAIT); }
    bool getFreeStatus() const { return pipe->status_of(TESSERA_PTO_FREE); }
    void setEntryOffset(std::int64_t bytes, detail::at line = detail::at()) {
      pipe->field(TESSERA_PTO_CONS_OFFSET, bytes, line.number);
    }
    void setTileId(std::int64_t id, detail::at line = detail::at()) { pipe->field(TESSERA_PTO_CONS_TILE, id, line.number); }
  };
  Producer prod;
  Consumer cons;

  // Credits that the destructor of this end returns after the pushes so far.
  std::uint64_t countPendingFreeCredits() const { return pending_free_credits(); }

private:
  static tessera_pto_pipe describe(std::uint64_t c2v, std::uint64_t v2c, std::uint32_t line) {
    static_assert(DirType >= DIR_C2V && DirType <= DIR_BOTH_GM, "a direction");
    static_assert(SlotNum > 0 && SlotSize > 0, "at least one slot of at least one byte");
    tessera_pto_pipe p{};
    p.flag_id = FlagID;
    p.dir = static_cast<tessera_pto_dir>(DirType);
    p.slot_size = SlotSize;
    p.slot_num = SlotNum;
    p.local_slot_num = LocalSlotNum;
    p.no_split = IsNoSplit;
    p.unit_flag = EN_UNIT_FLAG;
    p.gm_addr = UINT64_MAX;
    p.c2v_addr = static_cast<std::uint32_t>(c2v);
    p.v2c_addr = static_cast<std::uint32_t>(v2c);
    p.line = line;
    return p;
  }
};

template <class Pipe, class T, TileSplitAxis Split = TILE_NO_SPLIT>
void TPUSH(Pipe &pipe, const T &what, detail::at line = detail::at()) {
  pipe.push(what, Split, -1, line.number);
}
template <class Pipe, class T, TileSplitAxis Split = TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
void TPUSH(Pipe &pipe, const T &what, Lane subblock, detail::at line = detail::at()) {
  pipe.push(what, Split, static_cast<int>(subblock), line.number);
}
template <class Pipe, class T, TileSplitAxis Split = TILE_NO_SPLIT>
void TPOP(Pipe &pipe, T &what, detail::at line = detail::at()) {
  pipe.pop(what, Split, -1, line.number);
}
template <class Pipe, class T, TileSplitAxis Split = TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
void TPOP(Pipe &pipe, T &what, Lane subblock, detail::at line = detail::at()) {
  pipe.pop(what, Split, static_cast<int>(subblock), line.number);
}
template <class Pipe, TileSplitAxis Split = TILE_NO_SPLIT> void TFREE(Pipe &pipe, detail::at line = detail::at()) {
  pipe.free(Split, line.number);
}
template <class Pipe, class G, TileSplitAxis Split = TILE_NO_SPLIT, class = std::enable_if_t<detail::is_global<G>>>
void TFREE(Pipe &pipe, const G &global, detail::at line = detail::at()) {
  pipe.free_view(global.window(), Split, line.number);
}
template <class Pipe, class G, TileSplitAxis Split = TILE_NO_SPLIT>
void TALLOC(Pipe &pipe, G &global, detail::at line = detail::at()) {
  static_assert(detail::is_global<G>, "TALLOC binds a GlobalTensor");
  global.bind(pipe.alloc(global.window(), Split, line.number));
}

// --- data ---

template <class T, class G> void TLOAD(const T &tile, const G &global, detail::at line = detail::at()) {
  static_assert(detail::is_tile<T> && detail::is_global<G>, "TLOAD(tile, global)");
  static_assert(std::is_same_v<typename T::DType, std::remove_cv_t<typename G::DType>>, "TLOAD keeps the number format");
  detail::load(detail::tile_of(tile), global.window(), T::PadVal == PadValue::Zero, line.number);
}
template <class T, class G> void TSTORE(const G &global, const T &tile, detail::at line = detail::at()) {
  static_assert(detail::is_tile<T> && detail::is_global<G>, "TSTORE(global, tile)");
  detail::store(global.window(), detail::tile_of(tile), line.number);
}

#define TESSERA_PTO_UNARY(NAME, OP) \
  template <class D, class A> void NAME(const D &dst, const A &a, detail::at line = detail::at()) { \
    detail::operation(TESSERA_PTO_##OP, line.number, 0, dst, a); \
  }
#define TESSERA_PTO_BINARY(NAME, OP) \
  template <class D, class A, class B> void NAME(const D &dst, const A &a, const B &b, detail::at line = detail::at()) { \
    detail::operation(TESSERA_PTO_##OP, line.number, 0, dst, a, b); \
  }
#define TESSERA_PTO_SCALAR(NAME, OP) \
  template <class D, class A> void NAME(const D &dst, const A &a, double number, detail::at line = detail::at()) { \
    detail::operation(TESSERA_PTO_##OP, line.number, number, dst, a); \
  }
#define TESSERA_PTO_REDUCE(NAME, OP) /* with or without the scratch tile that hardware needs */ \
  TESSERA_PTO_UNARY(NAME, OP) \
  template <class D, class A, class S> void NAME(const D &dst, const A &a, const S &, detail::at line = detail::at()) { \
    detail::operation(TESSERA_PTO_##OP, line.number, 0, dst, a); \
  }

TESSERA_PTO_UNARY(TMOV, MOV)
TESSERA_PTO_UNARY(TEXP, EXP)
TESSERA_PTO_UNARY(TRELU, RELU)
TESSERA_PTO_UNARY(TCVT, CVT)
TESSERA_PTO_BINARY(TMATMUL, MATMUL)
TESSERA_PTO_BINARY(TADD, ADD)
TESSERA_PTO_BINARY(TSUB, SUB)
TESSERA_PTO_BINARY(TMUL, MUL)
TESSERA_PTO_BINARY(TDIV, DIV)
TESSERA_PTO_BINARY(TMAX, MAX)
TESSERA_PTO_BINARY(TMIN, MIN)
TESSERA_PTO_SCALAR(TADDS, ADDS)
TESSERA_PTO_SCALAR(TMULS, MULS)
TESSERA_PTO_REDUCE(TROWSUM, ROWSUM)
TESSERA_PTO_REDUCE(TROWMAX, ROWMAX)
TESSERA_PTO_BINARY(TROWEXPANDSUB, ROWEXPAND_SUB)
TESSERA_PTO_BINARY(TROWEXPANDMUL, ROWEXPAND_MUL)
TESSERA_PTO_BINARY(TROWEXPANDDIV, ROWEXPAND_DIV)
#undef TESSERA_PTO_UNARY
#undef TESSERA_PTO_BINARY
#undef TESSERA_PTO_SCALAR
#undef TESSERA_PTO_REDUCE

template <class D, class C, class A, class B>
void TMATMUL_ACC(const D &dst, const C &acc, const A &a, const B &b, detail::at line = detail::at()) {
  detail::operation(TESSERA_PTO_MATMUL_ACC, line.number, 0, dst, a, b, acc);
}
template <class D, class A, class S, class O>
void TDEQUANT(const D &dst, const A &src, const S &scale, const O &offset, detail::at line = detail::at()) {
  detail::operation(TESSERA_PTO_DEQUANT, line.number, 0, dst, src, scale, offset);
}

} // namespace pto

// --- order between pipes of one core, and guards by core ---

inline void set_flag(pipe_t from, pipe_t to, event_t event, pto::detail::at line = pto::detail::at()) {
  pto::detail::pipe_flag(tessera_pto_pipe_set, from, to, event, line.number);
}
inline void wait_flag(pipe_t from, pipe_t to, event_t event, pto::detail::at line = pto::detail::at()) {
  pto::detail::pipe_flag(tessera_pto_pipe_wait, from, to, event, line.number);
}
inline void pipe_barrier(pipe_t pipe, pto::detail::at line = pto::detail::at()) { pto::detail::barrier(pipe, line.number); }
inline std::int64_t get_block_idx() { return pto::detail::recording().block; }
inline std::int64_t get_block_num() { return pto::detail::recording().blocks; }
inline std::int64_t get_subblockid() { return pto::detail::recording().core == 2 ? 1 : 0; }
// The FFTS base is the device's own; the model's flags need none.
inline void set_ffts_base_addr(std::uint64_t) {}

namespace pto {
using ::EVENT_ID0;
using ::EVENT_ID1;
using ::EVENT_ID2;
using ::EVENT_ID3;
using ::EVENT_ID4;
using ::EVENT_ID5;
using ::EVENT_ID6;
using ::EVENT_ID7;
using ::event_t;
using ::get_block_idx;
using ::get_block_num;
using ::get_subblockid;
using ::PIPE_ALL;
using ::pipe_barrier;
using ::PIPE_FIX;
using ::PIPE_M;
using ::PIPE_MTE1;
using ::PIPE_MTE2;
using ::PIPE_MTE3;
using ::PIPE_S;
using ::pipe_t;
using ::PIPE_V;
using ::set_ffts_base_addr;
using ::set_flag;
using ::wait_flag;
} // namespace pto

namespace tessera {

// Runs body only on this kind of core: for code without tiles (a TALLOC through a BOTH pipe, scalar code).
template <class F> void on_cube(F body) { pto::detail::guarded(true, body); }
template <class F> void on_vector(F body) { pto::detail::guarded(false, body); }

// In place of kernel<<<blocks, ..., stream>>>(arguments): pto_launch([&] { kernel(arguments); }, blocks, ..., stream). Arguments
// after the blocks are ignored. Runs on the innermost pto_device of this thread; without one, on A2/A3, and then a launch that
// does not end well throws its report.
template <class F, class... Rest> const pto_result &pto_launch(F kernel, std::int64_t blocks, Rest &&...) {
  return pto_device::current().launch(kernel, blocks);
}

} // namespace tessera

#endif
