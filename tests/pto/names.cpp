// Every name of PTO's C++ interface that tessera/compat/pto/pto-inst.hpp promises, with its parameters in their order, used in kernels
// that run. tests/lib_pto_compat.sh compiles this with GCC and Clang and checks that no name is missing. Prints TAP.
#include <cmath>
#include <cstdio>
#include <pto/pto-inst.hpp>
#include <vector>

using namespace pto;

static int number, failures;
static void check(bool good, const char *what) {
  failures += !good;
  std::printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
  if (!good && tessera::pto_device::current().last().report.size())
    std::printf("# %s\n", tessera::pto_device::current().last().report.c_str());
}

// --- values and types ---

static_assert(Direction::DIR_C2V == 1 && Direction::DIR_V2C == 2 && Direction::DIR_BOTH == 3 && Direction::DIR_V2C_CTRL == 4,
              "values");
static_assert(Direction::DIR_C2V_GM == 5 && Direction::DIR_V2C_GM == 6 && Direction::DIR_BOTH_GM == 7 &&
                  sizeof(Direction) == 1,
              "8 bits");
static_assert(TileSplitAxis::TILE_NO_SPLIT == 0 && TileSplitAxis::TILE_UP_DOWN == 1 && TileSplitAxis::TILE_LEFT_RIGHT == 2,
              "values");
static_assert(TileSplitAxis::TILE_UP_DOWN_ODD == 3 && TileSplitAxis::TILE_LEFT_RIGHT_ODD == 4, "values");
static_assert(C0_SIZE_BYTE == 32 && sizeof(half) == 2 && sizeof(bfloat16_t) == 2, "sizes");
static_assert(PIPE_S != PIPE_MTE2 && PIPE_MTE1 != PIPE_M && PIPE_V != PIPE_MTE3 && PIPE_FIX != PIPE_ALL, "pipe_t");
static_assert(EVENT_ID0 == 0 && EVENT_ID1 == 1 && EVENT_ID2 == 2 && EVENT_ID3 == 3, "event_t");
static_assert(EVENT_ID4 == 4 && EVENT_ID5 == 5 && EVENT_ID6 == 6 && EVENT_ID7 == 7, "event_t");
constexpr pipe_t some_pipe = PIPE_V;
constexpr event_t some_event = EVENT_ID7;

using A = Tile<TileType::Mat, half, 16, 32, BLayout::ColMajor, 16, 32, SLayout::RowMajor, 512, PadValue::Zero>;
using B = Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512, PadValue::Null>;
static_assert(A::Loc == TileType::Mat && A::Rows == 16 && A::Cols == 32 && A::Numel == 512 && sizeof(A::DType) == 2,
              "members");
static_assert(TileLeft<half, 16, 32>::Loc == TileType::Left && TileRight<half, 32, 16>::Loc == TileType::Right, "aliases");
static_assert(TileLeft<half, 16, 32>::SFractal == SLayout::RowMajor &&
                  TileRight<half, 32, 16>::SFractal == SLayout::ColMajor,
              "boxed");
static_assert(TileAcc<float, 16, 16>::Loc == TileType::Acc, "aliases");
static_assert(TileAcc<float, 16, 16>::BFractal == BLayout::ColMajor && TileAcc<float, 16, 16>::SFractalSize == 1024,
              "accumulators");
static_assert(Tile<TileType::Bias, float, 1, 16>::Loc == TileType::Bias &&
                  Tile<TileType::Scaling, float, 1, 16>::Loc == TileType::Scaling,
              "others");
using G = GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<128, 128, 128, 16, 1>, Layout::ND>;
static_assert(sizeof(G::DType) == 4 && std::is_same_v<G::Shape, Shape<1, 1, 1, 8, 16>> &&
                  std::is_same_v<G::Stride, Stride<128, 128, 128, 16, 1>>,
              "members");

static void numbers() {
  bool good = true;
  for (unsigned bits = 0; bits < 65536; bits++) { // every half and every bfloat16 round-trips
    half h;
    bfloat16_t b;
    h.bits = b.bits = static_cast<std::uint16_t>(bits);
    float fh = h, fb = b;
    if (fh == fh) good = good && half(fh).bits == h.bits;
    if (fb == fb) good = good && bfloat16_t(fb).bits == b.bits;
  }
  check(good, "half and bfloat16_t convert to float and back");
  check(half(65520.0f).bits == 0x7c00 && half(65519.0f).bits == 0x7bff && half(5.9604645e-8f).bits == 1 &&
            half(2.9802322e-8f).bits == 0,
        "half rounds to nearest even");
  check(half(1.00048828125f).bits == 0x3c00 && half(1.00146484375f).bits == 0x3c02 && bfloat16_t(1.00390625f).bits == 0x3f80,
        "ties go to even");
}

PTO_INST int valid_elements(const B &tile) { return tile.GetValidRow() * tile.GetValidCol(); }

// --- element-wise operations and those by row, on both lanes ---

AICORE void vector_kernel(__gm__ float *out, __gm__ float *a, __gm__ float *b, __gm__ float *row) {
  B x(8, 16), y(8, 16), z(8, 16);
  Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> column, tmp;
  TASSIGN(x, 0x0);
  TASSIGN(y, 0x400);
  TASSIGN(z, 0x800);
  TASSIGN(column, 0xc00);
  TASSIGN(tmp, 0xd00);
  G ga(a + get_subblockid() * 128), gb(b + get_subblockid() * 128);
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>> gout(out + get_subblockid() * 128, {8, 16}, {16});
  GlobalTensor<float, Shape<1, 1, 1, 8, 1>, Stride<1, 1, 1, 1, 1>> grow(row + get_subblockid() * 8);
  TLOAD(x, ga);
  TLOAD<B, G>(y, gb);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TADD(z, x, y);
  TSUB(z, z, x); // y
  TMUL(z, z, x); // x y
  TMAX(z, z, x);
  TMIN(z, z, y);
  TADDS(z, z, 1.0);
  TMULS(z, z, 2.0);
  TDIV(z, z, y);
  TRELU(z, z);
  pipe_barrier(PIPE_V);
  TROWMAX(column, z, tmp);
  TROWEXPANDSUB(z, z, column); // at most 0
  TEXP(z, z);
  TROWSUM(column, z, tmp);
  TROWEXPANDDIV(z, z, column); // sums to 1
  TROWEXPANDMUL(z, z, column);
  TROWSUM(column, z);
  TCVT(z, z);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  TSTORE(gout, z);
  TSTORE<decltype(column), decltype(grow)>(grow, column);
  pipe_barrier(PIPE_ALL);
}

static void vector_operations() {
  std::vector<float> a(256), b(256), out(256), row(16);
  for (int i = 0; i < 256; i++) a[i] = static_cast<float>(i % 7 - 3), b[i] = static_cast<float>(i % 5 + 1);
  tessera::pto_device device("a2a3");
  tessera::pto_launch([&] { vector_kernel(out.data(), a.data(), b.data(), row.data()); }, 1, nullptr, nullptr);
  bool good = device.last().good();
  for (int r = 0; r < 16; r++) {
    float largest = -1e9f, sum = 0, got = 0;
    float e[16];
    for (int c = 0; c < 16; c++) {
      float x = a[r * 16 + c], y = b[r * 16 + c], z = std::min(std::max(x * y, x), y);
      z = (z + 1) * 2 / y;
      e[c] = z > 0 ? z : 0;
      largest = std::max(largest, e[c]);
    }
    for (float &v : e) v = static_cast<float>(std::exp(static_cast<double>(v - largest))), sum += v;
    for (int c = 0; c < 16; c++) good = good && std::abs(out[r * 16 + c] - e[c]) < 1e-6f, got += out[r * 16 + c];
    good = good && std::abs(row[r] - sum) < 1e-5f && std::abs(got - sum) < 1e-4f;
  }
  check(good, "element-wise operations and operations by row");
}

// --- matrices: every memory of the Cube, both pipes, in blocks ---

using Down = TPipe<0, Direction::DIR_C2V, 16 * 16 * 4, 2, 2, false, false>;
using Up = TPipe<2, Direction::DIR_V2C, 32 * 16 * 2, 2>;

__global__ AICORE void mixed_kernel(__gm__ float *out, __gm__ half *a, __gm__ std::int8_t *bq, __gm__ half *scale,
                                    __gm__ half *offset, __gm__ std::uint8_t *gm) {
  set_ffts_base_addr(0x1234);
  const std::int64_t block = get_block_idx();
  Down down(gm + block * 8192, 0x0, 0x0);
  Up up(gm + block * 8192 + 4096, 0x0, 0x0);
  // Vectors: 16 rows each of 32 x 16
  Tile<TileType::Vec, std::int8_t, 16, 16> quant;
  Tile<TileType::Vec, half, 16, 1, BLayout::ColMajor> s, o;
  Tile<TileType::Vec, half, 16, 16> b;
  TASSIGN(quant, 0x4000);
  TASSIGN(s, 0x4200);
  TASSIGN(o, 0x4400);
  TASSIGN(b, 0x4600);
  GlobalTensor<std::int8_t, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> gq(bq + get_subblockid() * 256);
  GlobalTensor<half, Shape<1, 1, 1, 16, 1>, Stride<1, 1, 1, 1, 1>, Layout::DN> gs(scale + get_subblockid() * 16),
      go(offset + get_subblockid() * 16);
  TLOAD(quant, gq);
  TLOAD(s, gs);
  TLOAD(o, go);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID2);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID2);
  TDEQUANT(b, quant, s, o);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
  up.prod.setAllocateStatus(true);
  up.prod.setRecordStatus(true);
  TPUSH<Up, decltype(b), TileSplitAxis::TILE_UP_DOWN>(up, b);
  // Cube: 16 x 32 by 32 x 16, A in NZ order: two blocks of 16 columns
  A ma;
  Tile<TileType::Mat, half, 32, 16> mb;
  TileLeft<half, 16, 32> left;
  TileRight<half, 32, 16> right;
  TileAcc<float, 16, 16> acc;
  TASSIGN(ma, 0x8000);
  TASSIGN(left, 0x0);
  TASSIGN(right, 0x0);
  TASSIGN(acc, 0x0);
  GlobalTensor<half, Shape<1, 2, 1, 16, 16>, Stride<512, 256, 256, 16, 1>, Layout::NZ> ga(a + block * 512);
  TLOAD(ma, ga);
  up.cons.setWaitStatus(true);
  up.cons.setFreeStatus(true);
  TPOP<Up, decltype(mb), TileSplitAxis::TILE_UP_DOWN>(up, mb);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID4);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID4);
  TMOV(left, ma);
  TMOV(right, mb);
  TFREE<Up, TileSplitAxis::TILE_UP_DOWN>(up);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID5);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID5);
  TMATMUL(acc, left, right);
  TMATMUL_ACC(acc, acc, left, right); // twice the product
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID6);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID6);
  TPUSH<Down, TileAcc<float, 16, 16>, TileSplitAxis::TILE_LEFT_RIGHT>(down, acc);
  Tile<TileType::Vec, float, 16, 8> part;
  TPOP<Down, decltype(part), TileSplitAxis::TILE_LEFT_RIGHT>(down, part);
  set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID7);
  wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID7);
  GlobalTensor<float, Shape<1, 1, 1, 16, 8>, Stride<1, 1, 1, 16, 1>> gout(out + block * 256 + get_subblockid() * 8);
  TSTORE(gout, part);
  (void)down.countPendingFreeCredits();
}

static void matrices() {
  const int blocks = 3;
  std::vector<half> a(blocks * 512), scale(32), offset(32);
  std::vector<std::int8_t> bq(512);
  std::vector<std::uint8_t> gm(blocks * 8192);
  std::vector<float> out(blocks * 256);
  auto nz = [](int r, int c) { return c / 16 * 256 + r * 16 + c % 16; };
  for (int i = 0; i < blocks * 512; i++) a[i] = static_cast<float>(i * 7 % 9 - 4);
  for (int i = 0; i < 512; i++) bq[i] = static_cast<std::int8_t>(i * 5 % 17 - 8);
  for (int i = 0; i < 32; i++) scale[i] = static_cast<float>(i % 3 + 1), offset[i] = static_cast<float>(i % 4 - 2);
  tessera::pto_device device("a2a3", "a2a3-head");
  tessera::pto_launch([&] { mixed_kernel(out.data(), a.data(), bq.data(), scale.data(), offset.data(), gm.data()); },
                      blocks);
  bool good = device.last().good();
  for (int n = 0; n < blocks; n++)
    for (int r = 0; r < 16; r++)
      for (int c = 0; c < 16; c++) {
        float sum = 0;
        for (int k = 0; k < 32; k++)
          sum += static_cast<float>(a[n * 512 + nz(r, k)]) *
                 (static_cast<float>(bq[k * 16 + c]) - static_cast<float>(offset[k])) * static_cast<float>(scale[k]);
        good = good && out[n * 256 + r * 16 + c] == 2 * sum;
      }
  check(good, "both pipes, NZ and DN tensors, three blocks");
  check(device.check() && device.explore(20), "a launch can be checked and explored");
}

// --- the global-tensor forms, and credits that are left ---

AICORE void slots(__gm__ float *out, __gm__ float *in, __gm__ float *gm, std::uint64_t *pending) {
  using Pipe = TPipe<0, Direction::DIR_V2C, 16 * 16 * 4, 4>;
  static_assert(std::is_class_v<Pipe::Producer> && std::is_class_v<Pipe::Consumer>, "nested");
  Pipe pipe(gm, 0, 0);
  using Half = GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<1, 1, 1, 16, 1>>;
  using Whole = GlobalTensor<float, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>>;
  Tile<TileType::Vec, float, 8, 16> v;
  TASSIGN(v, 0);
  Tile<TileType::Mat, float, 16, 16> m;
  TASSIGN(m, 0);
  TileLeft<float, 16, 16> left;
  TileRight<float, 16, 16> right;
  TileAcc<float, 16, 16> acc;
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  for (int t = 0; t < 6; t++) {
    Half mine;
    TALLOC<Pipe, Half, TileSplitAxis::TILE_UP_DOWN>(pipe, mine);
    Half from(in + t * 256 + get_subblockid() * 128);
    TLOAD(v, from);
    if (mine.data()) TSTORE(mine, v);
    TPUSH<Pipe, Half, TileSplitAxis::TILE_UP_DOWN>(pipe, mine);
    Whole slot;
    TPOP<Pipe, Whole, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    if (slot.data()) TLOAD(m, slot);
    TFREE<Pipe, Whole, TileSplitAxis::TILE_UP_DOWN>(pipe, slot);
    TMOV(left, m);
    TMOV(right, m);
    TMATMUL(acc, left, right);
    Whole to(out + t * 256);
    TSTORE(to, acc);
  }
  if (get_subblockid() == 1) *pending = pipe.countPendingFreeCredits();
}

static void global_forms() {
  std::vector<float> in(6 * 256), out(6 * 256), gm(4 * 256);
  for (std::size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i % 3) - 1;
  std::uint64_t pending = 99;
  tessera::pto_device device("a2a3", "a2a3-head"); // 6 pushes: 3 credits given, one taken
  tessera::pto_launch([&] { slots(out.data(), in.data(), gm.data(), &pending); }, 1);
  bool good = device.last().good();
  for (int t = 0; t < 6; t++)
    for (int i = 0; i < 256; i++) {
      float sum = 0;
      for (int k = 0; k < 16; k++) sum += in[t * 256 + i / 16 * 16 + k] * in[t * 256 + k * 16 + i % 16];
      good = good && out[t * 256 + i] == sum;
    }
  check(good, "TALLOC, TPUSH, TPOP and TFREE of global tensors");
  check(pending == 2, "countPendingFreeCredits");
}

// --- errors are reported with their line ---

static void mistakes() {
  std::vector<float> gm(4096);
  using Pipe = TPipe<0, Direction::DIR_C2V, 1024, 2>;
  tessera::pto_device device("a2a3");
  unsigned line = 0;
  tessera::pto_launch(
      [&] {
        line = __LINE__ + 1;
        Pipe pipe(gm.data(), 0, 0);
        TileAcc<float, 16, 16> acc;
        TASSIGN(acc, 0);
        TPUSH(pipe, acc);
      },
      1);
  std::string words, place = "line " + std::to_string(line);
  check(device.last().status == TESSERA_PTO_DEADLOCK, "a push without a pop hangs in the destructor");
  check(device.last().report.find("pipe destructor at " + place) != std::string::npos,
        "the report names the line of the pipe");
  check(!device.check(&words) && words.find(place) != std::string::npos, "check names the line of the pipe");
  bool thrown = false;
  try {
    Tile<TileType::Vec, float, 8, 8> x;
    TADD(x, x, x);
  } catch (const std::logic_error &) {
    thrown = true;
  }
  check(thrown, "an instruction outside of a launch is refused");
  tessera::pto_launch(
      [&] {
        std::vector<float> &in = gm;
        Tile<TileType::Vec, float, 8, 8> x, y;
        TASSIGN(x, 0);
        TASSIGN(y, 0x100);
        GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> g(in.data());
        TLOAD(x, g);
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0); // the wrong way round
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        TEXP(y, x);
      },
      1);
  check(device.last().report.find("unsynchronised") != std::string::npos, "a flag the wrong way round is a race");
}

static void padding() {
  std::vector<float> in(16, 5.0f), out(64, -1.0f);
  tessera::pto_device device("a5");
  tessera::pto_launch(
      [&] {
        Tile<TileType::Vec, float, 8, 8> full;
        Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 8, 8, SLayout::NoneBox, 512, PadValue::Zero> x;
        TASSIGN(full, 0);
        TASSIGN(x, 0);
        GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> all(out.data());
        GlobalTensor<float, Shape<1, 1, 1, 4, 4>, Stride<1, 1, 1, 4, 1>> small(in.data());
        if (get_subblockid()) return;
        TLOAD(full, all);
        TLOAD(x, small);
        TSTORE(all, x);
      },
      1);
  bool good = device.last().good();
  for (int i = 0; i < 64; i++) good = good && out[i] == (i / 8 < 4 && i % 8 < 4 ? 5.0f : 0.0f);
  check(good, "PadValue::Zero clears the rest of the tile");
}

int main() {
  numbers();
  check(valid_elements(B(3, 5)) == 15, "valid sizes come from the constructor");
  vector_operations();
  matrices();
  global_forms();
  mistakes();
  padding();
  check(some_pipe == PIPE_V && some_event == EVENT_ID7, "pipe_t and event_t are types");
  std::printf("1..%d\n", number);
  return failures ? 1 : 0;
}
