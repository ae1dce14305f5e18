// The TPUSH document's own listings and its three patterns, compiled against tessera/pto.hpp and run on the model. Prints TAP.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <pto/common/fifo.hpp>

using namespace pto;

// --- the listing of "C++ Intrinsic" ---
namespace listing {
using AccTile = Tile<TileType::Acc, float, 64, 64>;
using MyPipe = TPipe<0, Direction::DIR_C2V, 16384, 4, 2>;
MyPipe pipe(/* GM slot buffer */ reinterpret_cast<__gm__ void *>(0x100000),
            /* C2V consumer UB buf */ 0x8000,
            /* V2C consumer buf */ 0x9000);
void producer_side(AccTile &accTile) { TPUSH_IMPL(pipe, accTile); }
void producer_side_split(AccTile &accTile) { TPUSH_IMPL<MyPipe, AccTile, TileSplitAxis::TILE_UP_DOWN>(pipe, accTile); }
}  // namespace listing

// --- "TMPipe Usage" ---
namespace tmpipe {
using VecTile = Tile<TileType::Vec, float, 32, 64>;
using MatTile = Tile<TileType::Mat, float, 64, 64>;
using MyMultiPipe = TMPipe<4, FIFOType::GM_FIFO, 4, 1, VecTile, MatTile, false, 2, VecCubeRatio::V2C1_VECS>;
MyMultiPipe multiPipe(/* GM FIFO base */ reinterpret_cast<__gm__ float *>(0x200000), /* local FIFO base */ 0xA000);
void producer_vec(VecTile &vTile) { TPUSH_IMPL(vTile, multiPipe); }
}  // namespace tmpipe

namespace pattern1 {
using AccTile = Tile<TileType::Acc, float, 64, 64>;
using VecTile = Tile<TileType::Vec, float, 64, 64>;
using Acc2VecPipe = TPipe<0, Direction::DIR_C2V, 16384, 4, 2>;
Acc2VecPipe pipe(/* GM buffer */ 0x100000, /* C2V UB */ 0x8000, /* V2C buf */ 0x9000);
void cube_kernel(AccTile &acc) { TPUSH_IMPL(pipe, acc); }
void vec_kernel(VecTile &vec) { TPOP_IMPL(pipe, vec); }
}  // namespace pattern1

namespace pattern2 {
using ProdTile = Tile<TileType::Vec, half, 128, 256>;
using ConsTile = Tile<TileType::Mat, half, 256, 256>;
using Vec2MatPipe = TMPipe<2, FIFOType::MAT_FIFO, 4, 1, ProdTile, ConsTile, false, 2, VecCubeRatio::V2C1_VECS>;
Vec2MatPipe pipe(/* MAT FIFO base */ 0x300000);
void vec_producer(ProdTile &vec) { TPUSH_IMPL(vec, pipe); }
}  // namespace pattern2

static int number, failures;
static void check(bool good, const char *what, const std::string &more = "") {
  failures += !good;
  std::printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
  if (!good) std::printf("# %s\n", more.c_str());
}

static void run_listing(bool split) {
  using namespace listing;
  tessera::pto_session s("a2a3");
  int c = s.tensor("C", TESSERA_PTO_F32, 64, 64), one = s.tensor("one", TESSERA_PTO_F32, 64, 64);
  for (auto &v : s.values(one)) v = 3;
  Tile<TileType::Mat, float, 64, 64> m;
  Tile<TileType::Left, float, 64, 64> l;
  Tile<TileType::Right, float, 64, 64> r;
  AccTile acc;
  Tile<TileType::Vec, float, 64, 64> whole, sum;
  Tile<TileType::Vec, float, 32, 64> part, part_sum;
  s.cube([&] {
    TLOAD(m, one);
    TMOV(l, m);
    TMOV(r, m);
    TMATMUL(acc, l, r);
    if (split) producer_side_split(acc);
    else producer_side(acc);
  });
  s.vector([&] {
    if (split) {
      TPOP_IMPL<MyPipe, decltype(part), TileSplitAxis::TILE_UP_DOWN>(pipe, part);
      TADDS(part_sum, part, 1);
      TSTORE(c, part_sum, 0, 0, 32, 0);
    } else {
      TPOP_IMPL(whole, pipe);
      TADDS(sum, whole, 1);
      ON_LANE(0, [&] { TSTORE(c, sum); });
    }
  });
  auto result = s.run();
  bool right = result.status == TESSERA_PTO_RAN && result.hazards == 0;
  for (double v : s.values(c)) right = right && v == 64 * 9 + 1;
  check(right, split ? "the listing with TILE_UP_DOWN" : "the listing", result.report);
}

static void run_tmpipe() {
  using namespace tmpipe;
  tessera::pto_session s("a2a3");
  int x = s.tensor("X", TESSERA_PTO_F32, 64, 64), y = s.tensor("Y", TESSERA_PTO_F32, 64, 64), one = s.tensor("I", TESSERA_PTO_F32, 64, 64);
  for (std::size_t i = 0; i < 4096; i++) s.values(x)[i] = double(i % 97), s.values(one)[i] = i / 64 == i % 64;
  VecTile v;
  MatTile popped, identity;
  Tile<TileType::Left, float, 64, 64> l;
  Tile<TileType::Right, float, 64, 64> r;
  Tile<TileType::Acc, float, 64, 64> acc;
  s.vector([&] {
    TLOAD(v, x, 0, 0, 32, 0);
    producer_vec(v);
  });
  s.cube([&] {
    TLOAD(identity, one);
    TPOP_IMPL(popped, multiPipe);
    TMOV(l, popped);
    TMOV(r, identity);
    TFREE_IMPL(multiPipe);
    TMATMUL(acc, l, r);
    TSTORE(y, acc);
  });
  auto result = s.run();
  check(result.status == TESSERA_PTO_RAN && result.hazards == 0 && s.values(x) == s.values(y), "TMPipe usage", result.report);
}

static void run_pattern1() {
  using namespace pattern1;
  tessera::pto_session s("a2a3");
  AccTile acc;
  VecTile vec;
  s.cube([&] { for (int i = 0; i < 9; i++) cube_kernel(acc); });
  s.vector([&] { for (int i = 0; i < 9; i++) vec_kernel(vec); });
  auto result = s.run();
  std::string words;
  check(result.status == TESSERA_PTO_RAN && result.hazards == 0, "pattern 1", result.report);
  check(s.explore(300, &words), "pattern 1 under 300 schedules", words);
}

static void run_pattern2() {
  using namespace pattern2;
  tessera::pto_session s("a5");
  ProdTile vec;
  ConsTile mat;
  s.vector([&] { for (int i = 0; i < 6; i++) vec_producer(vec); });
  s.cube([&] {
    for (int i = 0; i < 6; i++) {
      TPOP_IMPL(pipe, mat);
      TFREE_IMPL(pipe);
    }
  });
  auto result = s.run();
  check(result.status == TESSERA_PTO_RAN && result.hazards == 0, "pattern 2", result.report);
}

static void run_pattern3() {
  using namespace pattern1;
  tessera::pto_session s("a2a3", "apr");
  AccTile tile;
  VecTile vec;
  const int period = 2;
  s.cube([&] {
    for (int iteration = 0; iteration < 16; iteration++) {
      pipe.prod.setAllocateStatus(iteration % period == 0);
      TPUSH_IMPL(pipe, tile);
    }
  });
  s.vector([&] { for (int i = 0; i < 16; i++) TPOP_IMPL(pipe, vec); });
  std::string words;
  bool safe = s.explore(300, &words);
  check(!safe && words.find("overwrite-before-read") != std::string::npos && words.find("writes tile") != std::string::npos,
        "pattern 3: the hazard is found and explained", words);
}

// --- what the headers have in addition to the listings: fixpipe configurations, global tensors, events, bare flags ---

static void run_config() {
  using Acc = Tile<TileType::Acc, float, 16, 32>;
  using F16Pipe = TPipe<0, Direction::DIR_C2V, 1024, 2, 2>;
  using DnPipe = TPipe<2, Direction::DIR_C2V, 2048, 2, 2>;
  F16Pipe pipe;
  DnPipe columns;
  tessera::pto_session s("a2a3");
  int a = s.tensor("A", TESSERA_PTO_F32, 16, 16), b = s.tensor("B", TESSERA_PTO_F32, 16, 32);
  int c = s.tensor("C", TESSERA_PTO_F16, 16, 32), d = s.tensor("D", TESSERA_PTO_F32, 32, 16);
  for (std::size_t i = 0; i < 256; i++) s.values(a)[i] = double(i % 7) - 3;
  for (std::size_t i = 0; i < 512; i++) s.values(b)[i] = double(i % 5) - 2;
  Tile<TileType::Mat, float, 16, 16> ma;
  Tile<TileType::Mat, float, 16, 32> mb;
  Tile<TileType::Left, float, 16, 16> l;
  Tile<TileType::Right, float, 16, 32> r;
  Acc acc;
  Tile<TileType::Vec, half, 16, 32> x;
  Tile<TileType::Vec, float, 32, 16> y;
  s.cube([&] {
    TLOAD(ma, a);
    TLOAD(mb, b);
    TMOV(l, ma);
    TMOV(r, mb);
    TMATMUL(acc, l, r);
    TPUSH_IMPL<F16Pipe, Acc, TConfig<QuantMode::F322F16, true>>(pipe, acc);
    auto event = TPUSH<DnPipe, Acc, TConfig<QuantMode::NoQuant, false, false, LayoutMode::NZ2DN>>(columns, acc);
    WAIT_EVENT(event);
    CROSS_SET(Pipe::S, 9);
  });
  s.vector([&] {
    TPOP(pipe, x);
    TPOP(columns, y);
    CROSS_WAIT(Pipe::S, 9);
    ON_LANE(0, [&] {
      TSTORE(c, x);
      TSTORE(d, y);
    });
  });
  auto result = s.run();
  bool right = result.status == TESSERA_PTO_RAN && result.hazards == 0;
  for (std::size_t i = 0; i < 16; i++)
    for (std::size_t j = 0; j < 32; j++) {
      double sum = 0;
      for (std::size_t k = 0; k < 16; k++) sum += s.values(a)[i * 16 + k] * s.values(b)[k * 32 + j];
      right = right && s.values(c)[i * 32 + j] == (sum > 0 ? sum : 0) && s.values(d)[j * 16 + i] == sum;
    }
  check(right, "TConfig: F322F16 with relu, NZ2DN; event and bare flag", result.report);
}

static void run_global() {
  using GPipe = TPipe<0, Direction::DIR_V2C, 32 * 32 * 4, 2, 2>;
  GPipe pipe;
  tessera::pto_session s("a2a3");
  int x = s.tensor("X", TESSERA_PTO_F32, 64, 32), y = s.tensor("Y", TESSERA_PTO_F32, 64, 32), one = s.tensor("I", TESSERA_PTO_F32, 32, 32);
  for (std::size_t i = 0; i < 2048; i++) s.values(x)[i] = double(i % 89);
  for (std::size_t i = 0; i < 1024; i++) s.values(one)[i] = i / 32 == i % 32;
  GlobalTensor<float, 16, 32, TileSplitAxis::TILE_UP_DOWN> half_slot;
  GlobalTensor<float, 32, 32, TileSplitAxis::TILE_UP_DOWN> slot;
  Tile<TileType::Vec, float, 8, 32> part;
  Tile<TileType::Mat, float, 32, 32> whole, identity;
  Tile<TileType::Left, float, 32, 32> l;
  Tile<TileType::Right, float, 32, 32> r;
  Tile<TileType::Acc, float, 32, 32> acc;
  s.vector([&] {
    for (unsigned n = 0; n < 2; n++) {
      TALLOC(pipe, half_slot);
      for (unsigned k = 0; k < 2; k++) {
        TLOAD(part, x, 32 * n + 8 * k, 0, 16, 0);
        TSTORE(half_slot, part, 8 * k);
      }
      TPUSH(pipe, half_slot);
    }
  });
  s.cube([&] {
    TLOAD(identity, one);
    TMOV(r, identity);
    for (unsigned n = 0; n < 2; n++) {
      TPOP(pipe, slot);
      TLOAD(whole, slot);
      TFREE(pipe, slot);
      TMOV(l, whole);
      TMATMUL(acc, l, r);
      TSTORE(y, acc, 32 * n);
    }
  });
  auto result = s.run();
  check(result.status == TESSERA_PTO_RAN && result.hazards == 0 && s.values(x) == s.values(y), "TALLOC, TPUSH, TPOP and TFREE of a GlobalTensor",
        result.report);
}

// TPUSH(pipe, tile, subBlockId): each lane fills the other's half of the slot. The line of a call is still its own.
static void run_lanes() {
  TPipe<0, Direction::DIR_V2C, 32 * 32 * 4, 2, 2> pipe;
  tessera::pto_session s("a2a3");
  int x = s.tensor("X", TESSERA_PTO_F32, 32, 32), y = s.tensor("Y", TESSERA_PTO_F32, 32, 32), one = s.tensor("I", TESSERA_PTO_F32, 32, 32);
  for (std::size_t i = 0; i < 1024; i++) s.values(x)[i] = double(i);
  for (std::size_t i = 0; i < 1024; i++) s.values(one)[i] = i / 32 == i % 32;
  Tile<TileType::Vec, float, 16, 32> half;
  Tile<TileType::Mat, float, 32, 32> whole, identity;
  Tile<TileType::Left, float, 32, 32> l;
  Tile<TileType::Right, float, 32, 32> r;
  Tile<TileType::Acc, float, 32, 32> acc;
  using P = decltype(pipe);
  using H = decltype(half);
  s.vector([&] {
    pipe.index(); // built on both lanes, before one of them uses it
    TLOAD(half, x, 0, 0, 16, 0);
    ON_LANE(0, [&] { TPUSH<P, H, TileSplitAxis::TILE_UP_DOWN>(pipe, half, 1); });
    ON_LANE(1, [&] { TPUSH_IMPL<H, P, TileSplitAxis::TILE_UP_DOWN>(half, pipe, 0u); });
  });
  s.cube([&] {
    TLOAD(identity, one);
    TMOV(r, identity);
    TPOP<P, decltype(whole), TileSplitAxis::TILE_UP_DOWN>(pipe, whole);
    TMOV(l, whole);
    TMATMUL(acc, l, r);
    TSTORE(y, acc);
  });
  auto result = s.run();
  bool swapped = true;
  for (std::size_t i = 0; i < 1024; i++) swapped = swapped && s.values(y)[i] == double((i + 512) % 1024);
  check(result.status == TESSERA_PTO_RAN && result.hazards == 0 && swapped, "TPUSH with an explicit lane", result.report);
  tessera::pto_session hangs("a2a3");
  unsigned line = 0;
  hangs.cube([&] {
    line = __LINE__ + 1;
    TPOP<P, decltype(whole), TileSplitAxis::TILE_UP_DOWN>(pipe, whole);
  });
  auto told = hangs.run();
  check(told.status == TESSERA_PTO_DEADLOCK && told.report.find("tpop at line " + std::to_string(line)) != std::string::npos,
        "a call knows its line", told.report);
  check(told.hang.waiter_count == told.waiters.size() && !told.waiters.empty() && told.waiters[told.hang.chain[0]].place.line == line,
        "a hang is a value with the line of the waiting call");
}

// The rest of what tessera/pto.h has: loops, flags between pipes, windows, rings in tensors, valid sizes, costs, blocks, text.
static void the_rest() {
  using VecTile = Tile<TileType::Vec, float, 8, 8>;
  using MatTile = Tile<TileType::Mat, float, 8, 8>;
  tessera::pto_session s("a2a3");
  int mem = s.memory("mem", 4096), out = s.tensor("out", TESSERA_PTO_F32, 8, 8);
  for (int i = 0; i < 64; i++) {
    float v = static_cast<float>(i + 1);
    std::memcpy(&s.bytes(mem)[i * 4], &v, 4);
  }
  TPipe<0, Direction::DIR_V2C, 256, 2> pipe;
  pipe.in_tensor(mem, 2048);
  s.vector([&] {
    VecTile x, y, z;
    Tile<TileType::Vec, float, 8, 1> row;
    MANUAL_SYNC();
    TLOAD(x, tessera_pto_window{mem, TESSERA_PTO_F32, 8, 8, 8, 1, 0, 0, 0});
    PAD_ZERO();
    SET_FLAG(Pipe::MTE2, Pipe::V, 1);
    WAIT_FLAG(Pipe::MTE2, Pipe::V, 1);
    TDIV(y, x, x);
    COST(100);
    TSUBS(y, y, -1);
    TMAX(z, x, y);
    TMIN(z, z, x);
    TROWMAX(row, z);
    TROWEXPANDSUB(z, z, row);
    TROWSUM(row, y);
    TROWEXPANDMUL(z, z, row);
    TROWEXPANDDIV(z, z, row);
    TDIVS(z, z, 1);
    SET_VALID(z, 8, 8);
    PIPE_BARRIER(Pipe::ALL);
    pipe.build();
    LOOP(3, [&] { TPUSH(pipe, x); });
    ON_LANE(0, [&] { TSTORE(out, z); });
    pipe.end();
  });
  s.cube([&] {
    MatTile m;
    pipe.build();
    LOOP(2, [&] { TPOP(pipe, m); });
    TPOP(pipe, m);
  });
  auto r = s.run();
  bool good = r.status == TESSERA_PTO_RAN && r.hazards == 0 && pipe.countPendingFreeCredits(nullptr, 3) == 2;
  for (int i = 0; i < 64; i++) good = good && s.values(out)[i] == static_cast<double>(i % 8) - 7;
  check(good && std::memcmp(s.bytes(mem).data(), s.bytes(mem).data() + 2048, 256) == 0, "what pto.h has beyond the page", r.report);
  auto text = tessera::pto_session::parse("module attributes {pto.blocks = 3} {\n pto.global @C : tensor<3x16xf32>\n"
                                          " func.func @v() attributes {pto.core = \"aiv0\"} {\n %b = pto.get_block_idx : index\n"
                                          " %t = pto.alloc_tile : !pto.tile_buf<vec, f32, 1, 16>\n %f = pto.texpands 7.0 : (f32) -> !pto.tile<vec, f32, 1, 16>\n"
                                          " %v = pto.partition_view @C, offsets = [%b, 0], sizes = [1, 16]\n pto.tstore %f, %v : (!pto.tile<f32, 1, 16>, !pto.ptr<f32>)\n }\n}\n");
  int c = text->watch("C", 48);
  text->blocks(2);
  text->dispatches(1);
  good = text->run().status == TESSERA_PTO_RAN && text->find_tensor("D") == -1;
  for (int i = 0; i < 48; i++) good = good && text->values(c)[i] == (i < 32 ? 7 : 0);
  check(good, "a program in text, two blocks of it");
  auto slow = tessera::pto_session::parse("module {\n pto.param @N = 1\n pto.global @A : tensor<${N * 8}x16xf32>\n func.func @v() attributes {pto.core = \"aiv0\"} {\n"
                                          " %x = pto.tload @A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, ${N * 8}, 16>\n }\n}\n",
                                          std::vector<tessera_pto_setting>{{"N", 4}});
  auto before = slow->run().cycles;
  slow->figure("gm_to_ub", 1000);
  slow->figures("start_cycles = 1 # all of them\n");
  tessera_pto_sweep_options options{};
  options.own_depth = 1;
  auto rows = tessera::pto_session::sweep({slow.get()}, options);
  slow->strict(true);
  check(slow->run().cycles > before && slow->run().summary.find("AIV0 MTE2") != std::string::npos && rows.size() == 1 && rows[0].fits, "parameters, figures and a sweep");
  using S = tessera::pto_session;
  check(S::profiles().find("gm_to_ub") != std::string::npos && S::policies().find("exact") == 0 && S::operations().find("pto.tpush") != std::string::npos &&
            S::reference().find("# PTO IR") == 0 && S::finding(1) == "overwrite-before-read",
        "texts of the library");
  check(S::result_name(TESSERA_PTO_DEADLOCK) == "deadlock" && S::dir_name(TESSERA_PTO_C2V) == "C2V" &&
            S::severity_name(TESSERA_PTO_WARNING) == "warning" && S::trace_format_name(TESSERA_PTO_TRACE_PERFETTO) == "perfetto",
        "names of enumerations");
  std::string words;
  tessera::pto_session bad("a2a3");
  unsigned line = __LINE__ + 1;
  TPipe<0, Direction::DIR_C2V, 256, 2> lonely;
  bad.cube([&] {
    Tile<TileType::Acc, float, 8, 8> acc;
    TPUSH(lonely, acc);
  });
  check(!bad.check(&words) && words.find("line " + std::to_string(line)) != std::string::npos, "check names the line of a pipe", words);
  tessera::pto_session first("a2a3"), second("a2a3");
  for (auto *one : {&first, &second}) {
    int o = one->tensor("o", TESSERA_PTO_F32, 2, 8);
    one->vector0([&] {
      Tile<TileType::Vec, float, 1, 8> x;
      TFILL(x, one == &first ? 1 : 2);
      TSTORE(o, x, one == &first ? 0u : 1u);
    });
  }
  bool both = tessera::pto_session::run_grid({&first, &second}).status == TESSERA_PTO_RAN;
  check(both && first.values(0)[0] == 1 && first.values(0)[8] == 2, "two sessions as blocks of one grid");
}

int main() {
  std::printf("1..18\n");
  run_listing(false);
  run_listing(true);
  run_tmpipe();
  run_pattern1();
  run_pattern2();
  run_pattern3();
  run_config();
  run_global();
  run_lanes();
  the_rest();
  try {
    listing::AccTile t;
    listing::producer_side(t);
    check(false, "a push outside of a kernel is refused");
  } catch (const std::logic_error &) {
    check(true, "a push outside of a kernel is refused");
  }
  return failures != 0;
}
