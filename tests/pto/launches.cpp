// A source with kernel launches in device-compiler syntax: `tessera pto launches` converts it to C++.
#include <cstdio>
#include <pto/pto-inst.hpp>
#include <vector>

using namespace pto;

namespace kernels {
template <class T, int N> __global__ AICORE void scale(__gm__ T *out, __gm__ T *in, T factor) {
  Tile<TileType::Vec, T, 8, N> x;
  TASSIGN(x, 0);
  GlobalTensor<T, Shape<1, 1, 1, 8, N>, Stride<1, 1, 1, N, 1>> from(in + (get_block_idx() * 2 + get_subblockid()) * 8 * N), to(out + (get_block_idx() * 2 + get_subblockid()) * 8 * N);
  TLOAD(x, from);
  TMULS(x, x, static_cast<double>(factor));
  TSTORE(to, x);
}
}  // namespace kernels

__global__ AICORE void twice(__gm__ float *out, __gm__ float *in) { kernels::scale<float, (16 >> 1)>(out, in, 2.0f); }

int main() {
  std::vector<float> in(1024), out(1024);
  for (int i = 0; i < 1024; i++) in[i] = static_cast<float>(i);
  void *stream = nullptr;
  const char *text = "a<<<b>>>(c)"; // no launch: a string; nor is this comment: twice<<<1>>>(x)
  twice<<<8, nullptr, stream>>>(out.data(), in.data());
  bool good = text[1] == '<';
  for (int i = 0; i < 1024; i++) good = good && out[i] == 2.0f * static_cast<float>(i);
  kernels::scale<float, 8><<<(1 << 2) * 2,
                             nullptr, stream>>>(out.data(),
                                                in.data(), 3.0f);
  for (int i = 0; i < 1024; i++) good = good && out[i] == 3.0f * static_cast<float>(i);
  std::puts(good ? "right" : "wrong");
  return good ? 0 : 1;
}
