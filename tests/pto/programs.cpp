// Programs written for PTO's C++ interface, after the cases that its public documentation lists: matrix products whose result goes to
// the Vectors (cv), whose operand comes from them (vc), or both (dir_both), with every split, several depths and formats. Each one runs
// exactly under safe policies and breaks under the others. Prints TAP. Argument: per cent of the schedules.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <pto/pto-inst.hpp>
#include <string>
#include <vector>

using namespace pto;

static int number, failures, schedules = 60;
static void report(bool good, const std::string &what, const std::string &more = "") {
  failures += !good;
  std::printf("%sok %d - %s\n", good ? "" : "not ", ++number, what.c_str());
  if (!good) std::printf("# %s\n", more.c_str());
}

template <class T> std::vector<T> ints(std::size_t count, unsigned seed, int low, int high) {
  std::vector<T> v(count);
  for (auto &x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(static_cast<float>(low + static_cast<int>((seed >> 12) % static_cast<unsigned>(high - low + 1))));
  }
  return v;
}

// All later work of one pipe after all earlier work of another.
static void order(pipe_t from, pipe_t to, detail::at line = detail::at()) {
  set_flag(from, to, EVENT_ID0, line);
  wait_flag(from, to, EVENT_ID0, line);
}

template <class T, int R, int C, int RowStride = C> using Matrix = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, RowStride, 1>>;
template <class T, int RowStride> using Part = GlobalTensor<T, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, RowStride, 1>>;

// L1, L0A, L0B and UB addresses: rings and landing slots first, tiles after.
constexpr std::uint32_t RING = 0, TILES = 0x20000;

// The Cube multiplies [TM, K] by [K, N] into acc.
template <class T, class Sum, int TM, int K, int N> struct Product {
  Tile<TileType::Mat, T, TM, K, BLayout::ColMajor, TM, K, SLayout::RowMajor> a;
  Tile<TileType::Mat, T, K, N, BLayout::ColMajor, K, N, SLayout::RowMajor> b;
  TileLeft<T, TM, K> left;
  TileRight<T, K, N> right;
  TileAcc<Sum, TM, N> acc;
  Product() {
    TASSIGN(a, TILES);
    TASSIGN(b, TILES + 0x10000);
    TASSIGN(left, 0);
    TASSIGN(right, 0);
    TASSIGN(acc, 0);
  }
  void run(__gm__ T *from_a, __gm__ T *from_b) {
    Matrix<T, TM, K> ga(from_a);
    Matrix<T, K, N> gb(from_b);
    TLOAD(a, ga);
    TLOAD(b, gb);
    order(PIPE_MTE2, PIPE_MTE1);
    TMOV(left, a);
    TMOV(right, b);
    order(PIPE_MTE1, PIPE_M);
    TMATMUL(acc, left, right);
    order(PIPE_M, PIPE_FIX);
  }
  static void again() {
    order(PIPE_FIX, PIPE_M);
    order(PIPE_M, PIPE_MTE1);
    order(PIPE_MTE1, PIPE_MTE2);
  }
};

// A lane's part of a tile of R x C.
template <TileSplitAxis Split> struct Lane {
  static constexpr bool rows = Split == TILE_UP_DOWN || Split == TILE_UP_DOWN_ODD, cols = Split == TILE_LEFT_RIGHT || Split == TILE_LEFT_RIGHT_ODD;
  static constexpr int most_rows(int r) { return rows ? (r + 1) / 2 : r; }
  static constexpr int most_cols(int c) { return cols ? (c + 1) / 2 : c; }
  static int row(int r) { return rows && get_subblockid() ? (r + 1) / 2 : 0; }
  static int col(int c) { return cols && get_subblockid() ? (c + 1) / 2 : 0; }
  static int row_count(int r) { return rows ? (get_subblockid() ? r / 2 : (r + 1) / 2) : r; }
  static int col_count(int c) { return cols ? (get_subblockid() ? c / 2 : (c + 1) / 2) : c; }
};

// --- cv: out = A @ B + bias, tile by tile through a C2V ring ---

template <class T, int M, int K, int N, TileSplitAxis Split, int Slots, bool A5, int TM = (M < 16 ? M : 16), int Dir = DIR_C2V>
AICORE void cv(__gm__ float *out, __gm__ T *a, __gm__ T *b, __gm__ float *bias, __gm__ void *ring) {
  using L = Lane<Split>;
  if (A5 && Split == TILE_NO_SPLIT && get_subblockid() == 1) return; // A5 without split reaches lane 0 alone
  constexpr int R = L::most_rows(TM), C = L::most_cols(N);
  using Pipe = TPipe<0, Dir, TM * N * 4, Slots, 2, Split == TILE_NO_SPLIT>;
  Pipe pipe(ring, RING, RING);
  set_ffts_base_addr(0);
  Product<T, float, TM, K, N> product;
  using Half = Tile<TileType::Vec, float, R, C, BLayout::RowMajor, -1, -1>;
  Half popped(L::row_count(TM), L::col_count(N)), add(L::row_count(TM), L::col_count(N)), sum(L::row_count(TM), L::col_count(N));
  TASSIGN(add, TILES);
  TASSIGN(sum, TILES + 0x8000);
  for (int t = 0; t < M / TM; t++) {
    product.run(a + t * TM * K, b);
    TPUSH<Pipe, decltype(product.acc), Split>(pipe, product.acc);
    product.again();
    int at = (t * TM + L::row(TM)) * N + L::col(N);
    using Rest = Part<float, N>;
    Rest gbias(bias + at, {L::row_count(TM), L::col_count(N)}), gout(out + at, {L::row_count(TM), L::col_count(N)});
    TLOAD(add, gbias);
    TPOP<Pipe, Half, Split>(pipe, popped);
    order(PIPE_MTE2, PIPE_V);
    TADD(sum, popped, add);
    if (A5 && Dir == DIR_C2V) TFREE<Pipe, Split>(pipe);
    order(PIPE_V, PIPE_MTE3);
    TSTORE<Half, Rest>(gout, sum);
    order(PIPE_MTE3, PIPE_V);
    order(PIPE_V, PIPE_MTE2);
  }
}

// --- vc: out = A @ ((Bq - offset) * scale), rows of B dequantised on the Vectors, through a V2C ring ---

template <class Q, int M, int K, int N, int TK, TileSplitAxis Split, int Slots, bool A5>
AICORE void vc(__gm__ float *out, __gm__ float *a, __gm__ Q *bq, __gm__ float *scale, __gm__ float *offset, __gm__ void *ring) {
  using L = Lane<Split>;
  if (A5 && Split == TILE_NO_SPLIT && get_subblockid() == 1) return;
  constexpr int R = L::most_rows(TK), C = L::most_cols(N);
  using Pipe = TPipe<0, DIR_V2C, TK * N * 4, Slots, 2, Split == TILE_NO_SPLIT>;
  Pipe pipe(ring, RING, RING);
  Tile<TileType::Vec, Q, R, C> quant;
  Tile<TileType::Vec, float, R, 1, BLayout::ColMajor> factor, shift;
  Tile<TileType::Vec, float, R, C> half_b;
  TASSIGN(quant, TILES);
  TASSIGN(factor, TILES + 0x4000);
  TASSIGN(shift, TILES + 0x5000);
  TASSIGN(half_b, TILES + 0x6000);
  Tile<TileType::Mat, float, M, TK> part_a;
  Tile<TileType::Mat, float, TK, N> popped;
  TileLeft<float, M, TK> left;
  TileRight<float, TK, N> right;
  TileAcc<float, M, N> acc;
  TASSIGN(part_a, TILES);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  for (int t = 0; t < K / TK; t++) {
    Matrix<Q, R, C, N> gq(bq + (t * TK + L::row(TK)) * N + L::col(N));
    Matrix<float, R, 1> gs(scale + t * TK + L::row(TK)), go(offset + t * TK + L::row(TK));
    TLOAD(quant, gq);
    TLOAD(factor, gs);
    TLOAD(shift, go);
    order(PIPE_MTE2, PIPE_V);
    TDEQUANT(half_b, quant, factor, shift);
    order(PIPE_V, PIPE_MTE3);
    TPUSH<Pipe, decltype(half_b), Split>(pipe, half_b);
    order(PIPE_MTE3, PIPE_V);
    order(PIPE_V, PIPE_MTE2);
    Matrix<float, M, TK, K> ga(a + t * TK);
    TLOAD(part_a, ga);
    TPOP<Pipe, decltype(popped), Split>(pipe, popped);
    order(PIPE_MTE2, PIPE_MTE1);
    TMOV(left, part_a);
    TMOV(right, popped);
    if (A5) TFREE<Pipe, Split>(pipe);
    order(PIPE_MTE1, PIPE_M);
    if (t == 0) TMATMUL(acc, left, right);
    else TMATMUL_ACC(acc, acc, left, right);
    order(PIPE_M, PIPE_MTE1);
    order(PIPE_MTE1, PIPE_MTE2);
  }
  order(PIPE_M, PIPE_FIX);
  Matrix<float, M, N> gout(out);
  TSTORE(gout, acc);
}

// --- dir_both: G = (A + B) @ D - F, up and down through one pipe ---

template <int M, int K, int N, TileSplitAxis Split, int Slots, bool A5>
AICORE void dir_both(__gm__ float *g, __gm__ float *a, __gm__ float *b, __gm__ float *d, __gm__ float *f, __gm__ void *ring) {
  using L = Lane<Split>;
  constexpr int UpR = L::most_rows(M), UpC = L::most_cols(K), DownR = L::most_rows(M), DownC = L::most_cols(N);
  constexpr int Bytes = (K > N ? K : N) * M * 4;
  using Pipe = TPipe<0, DIR_BOTH, Bytes, Slots>;
  Pipe pipe(ring, RING, RING);
  Tile<TileType::Vec, float, UpR, UpC> va, vb, sum;
  Tile<TileType::Vec, float, DownR, DownC> popped, vf, out;
  constexpr std::uint32_t behind = Slots * Bytes;
  TASSIGN(va, behind);
  TASSIGN(vb, behind + UpR * UpC * 4);
  TASSIGN(sum, behind + 2 * UpR * UpC * 4);
  TASSIGN(vf, behind);
  TASSIGN(out, behind + DownR * DownC * 4);
  Tile<TileType::Mat, float, M, K> up;
  Tile<TileType::Mat, float, K, N> md;
  TileLeft<float, M, K> left;
  TileRight<float, K, N> right;
  TileAcc<float, M, N> acc;
  TASSIGN(md, Slots * Bytes);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  Matrix<float, UpR, UpC, K> ga(a + L::row(M) * K + L::col(K)), gb(b + L::row(M) * K + L::col(K));
  TLOAD(va, ga);
  TLOAD(vb, gb);
  order(PIPE_MTE2, PIPE_V);
  TADD(sum, va, vb);
  order(PIPE_V, PIPE_MTE3);
  TPUSH<Pipe, decltype(sum), Split>(pipe, sum);
  Matrix<float, K, N> gd(d);
  TLOAD(md, gd);
  TPOP<Pipe, decltype(up), Split>(pipe, up);
  order(PIPE_MTE2, PIPE_MTE1);
  TMOV(left, up);
  TMOV(right, md);
  if (A5) tessera::on_cube([&] { TFREE<Pipe, Split>(pipe); });
  order(PIPE_MTE1, PIPE_M);
  TMATMUL(acc, left, right);
  order(PIPE_M, PIPE_FIX);
  TPUSH<Pipe, decltype(acc), Split>(pipe, acc);
  order(PIPE_V, PIPE_MTE2);
  Matrix<float, DownR, DownC, N> gf(f + L::row(M) * N + L::col(N)), gg(g + L::row(M) * N + L::col(N));
  TLOAD(vf, gf);
  TPOP<Pipe, decltype(popped), Split>(pipe, popped);
  order(PIPE_MTE2, PIPE_V);
  TSUB(out, popped, vf);
  if (A5) tessera::on_vector([&] { TFREE<Pipe, Split>(pipe); });
  order(PIPE_V, PIPE_MTE3);
  TSTORE(gg, out);
}

// --- dir_both_concurrent: E = A @ D - F at the Vectors while (A + B) goes up and (A + B) @ D stays at the Cube ---

template <int M, bool A5> AICORE void concurrent(__gm__ float *e, __gm__ float *h, __gm__ float *a, __gm__ float *b, __gm__ float *d, __gm__ float *f, __gm__ void *ring) {
  constexpr TileSplitAxis Split = TILE_UP_DOWN;
  constexpr int Bytes = M * M * 4, R = M / 2;
  using L = Lane<Split>;
  using Pipe = TPipe<0, DIR_BOTH, Bytes, 2>;
  Pipe pipe(ring, RING, RING);
  Tile<TileType::Vec, float, R, M> va, vb, sum, popped, vf, out;
  Tile<TileType::Vec, float, R, M> *tiles[] = {&va, &vb, &sum, &vf, &out};
  for (unsigned i = 0; i < 5; i++) TASSIGN(*tiles[i], 2 * Bytes + i * R * M * 4);
  Tile<TileType::Mat, float, M, M> ma, md, up;
  TileLeft<float, M, M> left;
  TileRight<float, M, M> right;
  TileAcc<float, M, M> acc, acc2;
  TASSIGN(ma, 2 * Bytes);
  TASSIGN(md, 3 * Bytes);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  TASSIGN(acc2, Bytes);
  Matrix<float, M, M> ga(a), gd(d), gh(h);
  TLOAD(ma, ga);
  TLOAD(md, gd);
  order(PIPE_MTE2, PIPE_MTE1);
  TMOV(left, ma);
  TMOV(right, md);
  order(PIPE_MTE1, PIPE_M);
  TMATMUL(acc, left, right);
  order(PIPE_M, PIPE_FIX);
  TPUSH<Pipe, decltype(acc), Split>(pipe, acc);
  Matrix<float, R, M> va_part(a + L::row(M) * M), vb_part(b + L::row(M) * M), vf_part(f + L::row(M) * M), ve_part(e + L::row(M) * M);
  TLOAD(va, va_part);
  TLOAD(vb, vb_part);
  TLOAD(vf, vf_part);
  order(PIPE_MTE2, PIPE_V);
  TADD(sum, va, vb);
  order(PIPE_V, PIPE_MTE3);
  TPUSH<Pipe, decltype(sum), Split>(pipe, sum);
  TPOP<Pipe, decltype(up), Split>(pipe, up);
  order(PIPE_MTE2, PIPE_MTE1);
  order(PIPE_M, PIPE_MTE1);
  TMOV(left, up);
  if (A5) tessera::on_cube([&] { TFREE<Pipe, Split>(pipe); });
  order(PIPE_MTE1, PIPE_M);
  TMATMUL(acc2, left, right);
  order(PIPE_M, PIPE_FIX);
  TSTORE(gh, acc2);
  TPOP<Pipe, decltype(popped), Split>(pipe, popped);
  order(PIPE_MTE2, PIPE_V);
  TSUB(out, popped, vf);
  if (A5) tessera::on_vector([&] { TFREE<Pipe, Split>(pipe); });
  order(PIPE_V, PIPE_MTE3);
  TSTORE(ve_part, out);
}

// --- mixed_tile_size: A [M, K] and B [K, N] come up one after the other, both popped before use ---

template <int M, int K, int N, bool A5> AICORE void mixed(__gm__ float *out, __gm__ float *a, __gm__ float *b, __gm__ void *ring) {
  constexpr int Bytes = (M > N ? M : N) * K * 4;
  using L = Lane<TILE_UP_DOWN>;
  using Pipe = TPipe<0, DIR_V2C, Bytes, 8>;
  Pipe pipe(ring, RING, RING);
  Tile<TileType::Vec, float, M / 2, K> va;
  Tile<TileType::Vec, float, K / 2, N> vb;
  TASSIGN(va, 0);
  TASSIGN(vb, M * K * 2);
  Matrix<float, M / 2, K> ga(a + L::row(M) * K);
  Matrix<float, K / 2, N> gb(b + L::row(K) * N);
  TLOAD(va, ga);
  TLOAD(vb, gb);
  order(PIPE_MTE2, PIPE_MTE3);
  TPUSH<Pipe, decltype(va), TILE_UP_DOWN>(pipe, va);
  TPUSH<Pipe, decltype(vb), TILE_UP_DOWN>(pipe, vb);
  Tile<TileType::Mat, float, M, K> ma;
  Tile<TileType::Mat, float, K, N> mb;
  TileLeft<float, M, K> left;
  TileRight<float, K, N> right;
  TileAcc<float, M, N> acc;
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  TPOP<Pipe, decltype(ma), TILE_UP_DOWN>(pipe, ma);
  TPOP<Pipe, decltype(mb), TILE_UP_DOWN>(pipe, mb);
  order(PIPE_MTE2, PIPE_MTE1);
  TMOV(left, ma);
  TMOV(right, mb);
  if (A5) {
    TFREE<Pipe, TILE_UP_DOWN>(pipe);
    TFREE<Pipe, TILE_UP_DOWN>(pipe);
  }
  order(PIPE_MTE1, PIPE_M);
  TMATMUL(acc, left, right);
  order(PIPE_M, PIPE_FIX);
  Matrix<float, M, N> gout(out);
  TSTORE(gout, acc);
}

// --- subtile: four products fill one slot of [M, 4 N]; the Vectors load slices of it ---

template <int M, int K, int N, int Tiles, bool A5> AICORE void subtile(__gm__ float *out, __gm__ half *a, __gm__ half *b, __gm__ float *ring) {
  constexpr int W = 4 * N, Slice = 8;
  constexpr int Dir = A5 ? DIR_C2V_GM : DIR_C2V;
  using Pipe = TPipe<0, Dir, M * W * 4, 2>;
  Pipe pipe(ring, RING, RING);
  Product<half, float, M, K, N> product;
  using Whole = Matrix<float, M, W>;
  using Lower = Matrix<float, M / 2, W>;
  Tile<TileType::Vec, float, Slice, W> slice, result;
  TASSIGN(slice, 0);
  TASSIGN(result, Slice * W * 4);
  for (int t = 0; t < Tiles; t++) {
    Whole slot(nullptr);
    TALLOC<Pipe, Whole, TILE_UP_DOWN>(pipe, slot);
    for (int n = 0; n < 4; n++) {
      product.run(a + t * M * K, b + n * K * N);
      Matrix<float, M, N, W> quarter(slot.data() + n * N);
      if (slot.data()) TSTORE(quarter, product.acc);
      product.again();
    }
    TPUSH<Pipe, Whole, TILE_UP_DOWN>(pipe, slot);
    Lower mine(nullptr);
    TPOP<Pipe, Lower, TILE_UP_DOWN>(pipe, mine);
    for (int row = 0; row < M / 2; row += Slice) {
      Matrix<float, Slice, W> from(mine.data() + row * W), to(out + (t * M + get_subblockid() * M / 2 + row) * W);
      TLOAD(slice, from);
      order(PIPE_MTE2, PIPE_V);
      TADDS(result, slice, 3.5);
      order(PIPE_V, PIPE_MTE3);
      TSTORE(to, result);
      order(PIPE_MTE3, PIPE_V);
      order(PIPE_V, PIPE_MTE2);
    }
    TFREE<Pipe, Lower, TILE_UP_DOWN>(pipe, mine);
  }
}

// --- stream: Tiles tiles through a ring of Slots, the Vector holds Ahead of them at a time (A5: zero copy) ---

template <int Tiles, int Slots, int Ahead> AICORE void stream(__gm__ float *out, __gm__ half *a, __gm__ half *b) {
  using Pipe = TPipe<2, DIR_C2V, 8 * 16 * 4, Slots>;
  Pipe pipe(nullptr, RING, RING);
  Product<half, float, 16, 16, 16> product;
  using Half = Tile<TileType::Vec, float, 8, 16>;
  for (int t = 0; t < Tiles; t += Ahead) {
    for (int k = 0; k < Ahead; k++) {
      product.run(a + (t + k) * 256, b);
      TPUSH<Pipe, decltype(product.acc), TILE_UP_DOWN>(pipe, product.acc);
      product.again();
    }
    std::vector<Half> held(Ahead), sums(Ahead);
    for (int k = 0; k < Ahead; k++) TPOP<Pipe, Half, TILE_UP_DOWN>(pipe, held[k]);
    for (int k = 0; k < Ahead; k++) {
      TASSIGN(sums[k], TILES + k * 512);
      TMULS(sums[k], held[k], 2);
      TFREE<Pipe, TILE_UP_DOWN>(pipe);
      order(PIPE_V, PIPE_MTE3);
      Matrix<float, 8, 16> to(out + (t + k) * 256 + get_subblockid() * 128);
      TSTORE(to, sums[k]);
      order(PIPE_MTE3, PIPE_V);
    }
  }
}

// --- expected results ---

template <class A, class B> std::vector<float> product(const std::vector<A> &a, const std::vector<B> &b, int m, int k, int n) {
  std::vector<float> out(static_cast<std::size_t>(m) * n);
  for (int r = 0; r < m; r++)
    for (int c = 0; c < n; c++)
      for (int i = 0; i < k; i++) out[r * n + c] += static_cast<float>(a[r * k + i]) * static_cast<float>(b[i * n + c]);
  return out;
}

enum class Must { Work, Break, Either };

// Launches under a policy, compares, explores; a program that must break breaks in the run or under one of the schedules.
template <class F> void check(const std::string &name, const char *profile, const char *policy, Must must, std::vector<float> &out, const std::vector<float> &want, F kernel) {
  std::string title = name + ", " + profile + ", " + policy, words, more;
  std::fill(out.begin(), out.end(), -1.0f);
  tessera::pto_device device(profile, policy);
  const tessera::pto_result &r = tessera::pto_launch(kernel, 1);
  bool exact = r.good() && out == want;
  bool safe = exact && device.explore(static_cast<std::uint32_t>(schedules), &words);
  bool checked = device.check(&more);
  if (must == Must::Work)
    report(exact && safe && checked, title + ": exact, and safe under all schedules", r.report + words + more + (r.good() && !exact ? "wrong numbers" : ""));
  if (must == Must::Break) report(!safe, title + ": breaks", "nothing breaks");
}

// The policies of a family: safe ones, and the fixed drain, which hangs unless a full period happens to be left.
template <class F> void family(const std::string &name, bool a5, int tiles, std::uint32_t slots, std::vector<float> &out, const std::vector<float> &want, F kernel) {
  const char *profile = a5 ? "a5" : "a2a3";
  check(name, profile, "exact", Must::Work, out, want, kernel);
  check(name, profile, "a2a3-head", slots % 2 && slots > 3 ? Must::Break : Must::Work, out, want, kernel);
  if (slots <= 4) check(name, profile, "per-slot", Must::Work, out, want, kernel);
  std::uint64_t left = tessera_pto_free_credits("a2a3-head", static_cast<std::uint64_t>(tiles), slots, 0);
  bool hangs = left < tessera_pto_free_credits("fixed-drain", static_cast<std::uint64_t>(tiles), slots, 0);
  check(name, profile, "fixed-drain", hangs ? Must::Break : Must::Either, out, want, kernel);
  if (a5) check(name, profile, "a5-head", tiles > static_cast<int>(slots) ? Must::Break : Must::Either, out, want, kernel);
}

static std::vector<float> ring(1 << 20);

template <class T, int M, int K, int N, TileSplitAxis Split, int Slots, bool A5, int Dir = DIR_C2V> void run_cv(const char *name) {
  auto a = ints<T>(M * K, 1, -3, 3), b = ints<T>(K * N, 2, -3, 3);
  auto bias = ints<float>(M * N, 3, -9, 9);
  std::vector<float> out(M * N), want = product(a, b, M, K, N);
  for (int i = 0; i < M * N; i++) want[i] += bias[i];
  constexpr int TM = M < 16 ? M : 16;
  family(name, A5, M / TM, Slots, out, want, [&] { cv<T, M, K, N, Split, Slots, A5, TM, Dir>(out.data(), a.data(), b.data(), bias.data(), ring.data()); });
}

template <class Q, int K, int N, TileSplitAxis Split, bool A5> void run_vc(const char *name) {
  auto a = ints<float>(16 * K, 1, -3, 3), scale = ints<float>(K, 4, 1, 3), offset = ints<float>(K, 5, -2, 2);
  auto bq = ints<Q>(K * N, 2, -9, 9);
  std::vector<float> b(K * N), out(16 * N);
  for (int i = 0; i < K * N; i++) b[i] = (static_cast<float>(bq[i]) - offset[i / N]) * scale[i / N];
  family(name, A5, K / 64, 2, out, product(a, b, 16, K, N), [&] { vc<Q, 16, K, N, 64, Split, 2, A5>(out.data(), a.data(), bq.data(), scale.data(), offset.data(), ring.data()); });
}

template <TileSplitAxis Split, bool A5> void run_both(const char *name) {
  constexpr int M = 64, K = 32, N = 64;
  auto a = ints<float>(M * K, 1, -3, 3), b = ints<float>(M * K, 2, -3, 3), d = ints<float>(K * N, 3, -3, 3), f = ints<float>(M * N, 4, -9, 9), sum = a;
  for (int i = 0; i < M * K; i++) sum[i] += b[i];
  std::vector<float> out(M * N), want = product(sum, d, M, K, N);
  for (int i = 0; i < M * N; i++) want[i] -= f[i];
  auto kernel = [&] { dir_both<M, K, N, Split, 2, A5>(out.data(), a.data(), b.data(), d.data(), f.data(), ring.data()); };
  const char *profile = A5 ? "a5" : "a2a3";
  check(name, profile, "exact", Must::Work, out, want, kernel);
  check(name, profile, "a2a3-head", Must::Work, out, want, kernel);
  check(name, profile, "fixed-drain", Must::Break, out, want, kernel);
}

template <bool A5> void run_concurrent(const char *name) {
  constexpr int M = 32;
  auto a = ints<float>(M * M, 1, -3, 3), b = ints<float>(M * M, 2, -3, 3), d = ints<float>(M * M, 3, -3, 3), f = ints<float>(M * M, 4, -9, 9), sum = a;
  for (int i = 0; i < M * M; i++) sum[i] += b[i];
  std::vector<float> out(2 * M * M), want = product(a, d, M, M, M), upper = product(sum, d, M, M, M);
  for (int i = 0; i < M * M; i++) want[i] -= f[i];
  want.insert(want.end(), upper.begin(), upper.end());
  auto kernel = [&] { concurrent<M, A5>(out.data(), out.data() + M * M, a.data(), b.data(), d.data(), f.data(), ring.data()); };
  const char *profile = A5 ? "a5" : "a2a3";
  check(name, profile, "exact", Must::Work, out, want, kernel);
  check(name, profile, "a2a3-head", Must::Work, out, want, kernel);
  if (!A5) check(name, profile, "may-jul", Must::Break, out, want, kernel); // both rings start at the same address (#226)
}

template <int M, int K, int N, bool A5> void run_mixed(const char *name) {
  auto a = ints<float>(M * K, 1, -3, 3), b = ints<float>(K * N, 2, -3, 3);
  std::vector<float> out(M * N);
  auto want = product(a, b, M, K, N);
  auto kernel = [&] { mixed<M, K, N, A5>(out.data(), a.data(), b.data(), ring.data()); };
  const char *profile = A5 ? "a5" : "a2a3";
  check(name, profile, "exact", Must::Work, out, want, kernel);
  check(name, profile, "a2a3-head", Must::Work, out, want, kernel);
  if (!A5) check(name, profile, "may-jul", N < M ? Must::Break : Must::Work, out, want, kernel); // landing slots by tile size (#521)
}

template <int M, int Tiles, bool A5> void run_subtile(const char *name) {
  constexpr int K = 32, N = 16;
  auto a = ints<half>(Tiles * M * K, 1, -3, 3), b = ints<half>(4 * K * N, 2, -3, 3);
  std::vector<float> out(Tiles * M * 4 * N), want(out.size());
  for (int n = 0; n < 4; n++) {
    std::vector<half> quarter(b.begin() + n * K * N, b.begin() + (n + 1) * K * N);
    auto part = product(a, quarter, Tiles * M, K, N);
    for (int r = 0; r < Tiles * M; r++)
      for (int c = 0; c < N; c++) want[(r * 4 + n) * N + c] = part[r * N + c] + 3.5f;
  }
  family(name, A5, Tiles, 2, out, want, [&] { subtile<M, K, N, Tiles, A5>(out.data(), a.data(), b.data(), ring.data()); });
}

template <int Tiles, int Slots, int Ahead> void run_stream(const char *name) {
  auto a = ints<half>(Tiles * 256, 1, -3, 3), b = ints<half>(256, 2, -3, 3);
  std::vector<float> out(Tiles * 256), want = product(a, b, Tiles * 16, 16, 16);
  for (auto &x : want) x *= 2;
  family(name, true, Tiles, Slots, out, want, [&] { stream<Tiles, Slots, Ahead>(out.data(), a.data(), b.data()); });
}

// --- A2/A3 and A5 of the same program ---
template <bool A5> void all() {
  const std::string p = A5 ? "a5 " : "a2a3 ";
  auto name = [&](const char *what) { return p + what; };
  run_cv<half, 64, 32, 32, TILE_UP_DOWN, 2, A5>(name("cv 4: 64x32x32 f16 UD, wraps").c_str());
  run_cv<bfloat16_t, 64, 32, 32, TILE_LEFT_RIGHT, 2, A5>(name("cv 8: 64x32x32 bf16 LR, wraps").c_str());
  run_cv<half, 32, 32, 32, TILE_NO_SPLIT, 2, A5>(name("cv_nosplit 2: 32x32x32 f16").c_str());
  run_vc<std::int8_t, 128, 32, TILE_UP_DOWN, A5>(name("vc 2: int8 K 128 UD").c_str());
  run_vc<std::int16_t, 128, 32, TILE_LEFT_RIGHT, A5>(name("vc 11: int16 K 128 LR").c_str());
  run_vc<std::int16_t, 256, 32, TILE_NO_SPLIT, A5>(name("vc_nosplit 6: int16 K 256").c_str());
  run_both<TILE_UP_DOWN, A5>(name("dir_both UD").c_str());
  run_concurrent<A5>(name("dir_both_concurrent").c_str());
  run_mixed<32, 32, 64, A5>(name("mixed_tile_size 32x32x64").c_str());
  run_subtile<32, 5, A5>(name("subtile: 4 stores per slot").c_str());
#ifndef FEW_PROGRAMS // every split, format and direction once: the others take minutes to compile and to explore
  run_cv<half, 16, 32, 32, TILE_UP_DOWN, 1, A5>(name("cv 1: 16x32x32 f16 UD").c_str());
  run_cv<half, 32, 32, 32, TILE_UP_DOWN, 1, A5>(name("cv 2: 32x32x32 f16 UD").c_str());
  run_cv<float, 16, 32, 32, TILE_UP_DOWN, 1, A5>(name("cv 3: 16x32x32 f32 UD").c_str());
  run_cv<half, 16, 32, 32, TILE_LEFT_RIGHT, 1, A5>(name("cv 5: 16x32x32 f16 LR").c_str());
  run_cv<half, 32, 32, 32, TILE_LEFT_RIGHT, 1, A5>(name("cv 6: 32x32x32 f16 LR").c_str());
  run_cv<float, 16, 32, 32, TILE_LEFT_RIGHT, 1, A5>(name("cv 7: 16x32x32 f32 LR").c_str());
  run_cv<half, 16, 32, 32, TILE_NO_SPLIT, 2, A5>(name("cv_nosplit 1: 16x32x32 f16").c_str());
  run_cv<half, 640, 32, 64, TILE_NO_SPLIT, 8, A5>(name("cv_nosplit 4: 640x32x64 f16, 40 tiles, 8 slots").c_str());
  run_vc<std::int8_t, 64, 32, TILE_UP_DOWN, A5>(name("vc 1: int8 K 64 UD").c_str());
  run_vc<std::int8_t, 256, 32, TILE_UP_DOWN, A5>(name("vc 3: int8 K 256 UD").c_str());
  run_vc<std::int16_t, 64, 32, TILE_UP_DOWN, A5>(name("vc 4: int16 K 64 UD").c_str());
  run_vc<std::int16_t, 256, 32, TILE_UP_DOWN, A5>(name("vc 6: int16 K 256 UD").c_str());
  run_vc<std::int8_t, 128, 64, TILE_LEFT_RIGHT, A5>(name("vc 8: int8 K 128 LR").c_str());
  run_vc<std::int8_t, 256, 64, TILE_LEFT_RIGHT, A5>(name("vc 9: int8 K 256 LR").c_str());
  run_vc<std::int8_t, 128, 32, TILE_NO_SPLIT, A5>(name("vc_nosplit 2: int8 K 128").c_str());
  run_both<TILE_LEFT_RIGHT, A5>(name("dir_both LR").c_str());
  run_mixed<64, 64, 32, A5>(name("mixed_tile_size 64x64x32").c_str());
  run_mixed<32, 32, 16, A5>(name("mixed_tile_size 32x32x16").c_str());
#endif
}

int main(int argc, char **argv) {
  if (argc > 1) schedules = std::max(12, 200 * std::atoi(argv[1]) / 100);
#ifndef FEW_PROGRAMS
  all<false>();
#endif
  run_cv<float, 5, 32, 128, TILE_UP_DOWN_ODD, 1, false>("a2a3 cv 13: 5x32x128 f32 UD_ODD");
  run_cv<float, 5, 32, 127, TILE_LEFT_RIGHT_ODD, 1, false>("a2a3 cv 14: 5x32x127 f32 LR_ODD");
#ifndef FEW_PROGRAMS
  run_cv<half, 96, 32, 32, TILE_UP_DOWN, 5, false>("a2a3 cv: odd depth 5");
#endif
  all<true>();
  run_cv<float, 5, 32, 128, TILE_UP_DOWN_ODD, 2, true, DIR_C2V_GM>("a5 cv through GM: 5x32x128 f32 UD_ODD");
  run_cv<half, 64, 32, 32, TILE_UP_DOWN, 2, true, DIR_C2V_GM>("a5 cv through GM: 64x32x32 f16 UD");
  run_stream<10, 4, 1>("a5 multicore stream: 10 tiles, depth 4");
#ifndef FEW_PROGRAMS
  run_stream<16, 4, 1>("a5 fifo_wraparound: 16 tiles, depth 4");
  run_stream<12, 4, 2>("a5 delayed_free: two pops held at a time");
  run_stream<12, 8, 4>("a5 delayed_free: four pops held at a time");
#endif
  std::printf("1..%d\n", number);
  return failures ? 1 : 0;
}
