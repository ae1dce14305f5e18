/* The C++ names for kernels in C++ (such as those in tests/kernels), over the C functions of this library. Only namespaces
 * and templates. */
#ifndef TENSIX_COMPUTE_CPP_H
#define TENSIX_COMPUTE_CPP_H

#ifndef __cplusplus
#error "compute_kernel_api, ckernel_*.h and cmath_common.h are for C++ kernels; in C include compute.h and sfpu.h"
#endif

#include "api_common.h"
#include "api_compute.h"
#include "compute.h"
#include "sfpu.h"

/* The older form of a compute kernel is `namespace NAMESPACE { void MAIN { ... } }`; today's is `void kernel_main() { ... }`. MAIN closes the
 * namespace around kernel_main and opens it again. */
#define NAMESPACE compute_kernel
#define MAIN \
  compute_main(); \
  } \
  extern "C" void kernel_main(void) { compute_kernel::compute_main(); } \
  namespace compute_kernel { \
  void compute_main()

/* The host's choice of an approximate mode: a template argument of vector functions, which are exact to the table in both. */
#ifndef APPROX
constexpr bool APPROX = false;
#endif

enum MathFidelity : int { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum DstTileShape { Tile32x32, Tile32x16, Tile16x16 };
enum UnpackDestination { SrcRegs, DestReg };

namespace lltt {
constexpr uint32_t replay_insn(uint32_t start, uint32_t count) { return TT_OP_REPLAY(start, count, 0, 0); }
} // namespace lltt

namespace ckernel {

constexpr uint32_t CLR_NONE = p_setrwc::CLR_NONE, CLR_A = p_setrwc::CLR_A, CLR_B = p_setrwc::CLR_B,
                   CLR_AB = p_setrwc::CLR_AB;

/* Template 1 of the MOP expander: see mop_template_t. */
class ckernel_template {
  mop_template_t mop = {};

public:
  ckernel_template(uint32_t outer, uint32_t inner, uint32_t loop_op0, uint32_t loop_op1 = 0) {
    mop.outer = outer;
    mop.inner = inner;
    mop.loop_op0 = loop_op0;
    mop.loop_op1 = loop_op1;
  }
  void set_start_op(uint32_t op) { mop.start_op = op; }
  void set_end_op(uint32_t op) { mop.end_op0 = op; }
  void set_end_ops(uint32_t op0, uint32_t op1) {
    mop.end_op0 = op0;
    mop.end_op1 = op1;
  }
  void set_last_inner_loop_instr(uint32_t op) { mop.last_inner = op; }
  void set_last_outer_loop_instr(uint32_t op) { mop.last_outer = op; }
  void program() const { mop_program(&mop); }
  static void run() { mop_run(); }
};

/* Records the words that `record` pushes. */
template <typename F> inline void load_replay_buf(uint32_t start, uint32_t count, F record) {
  replay_record(start, count);
  record();
}

namespace math {
template <DstTileShape shape, UnpackDestination destination> inline void set_dst_write_addr(uint32_t tile) {
  static_assert(shape == Tile32x32, "this library has 32x32 tiles only");
#ifdef TRISC_MATH
  if (destination == DestReg) math_let_unpack_write_dst(); /* the unpack core computes the tile itself */
  math_set_dst_tile(tile);
#else
  (void)tile;
#endif
}
} // namespace math

} // namespace ckernel

using namespace ckernel;

#ifdef TRISC_MATH
/* set_dst_write_addr, the MOP, SETRWC: the math core's part of matmul_tiles. */
template <int fidelity, int throttle> inline void llk_math_matmul(uint32_t dst) {
  static_assert(throttle >= 0 && throttle <= MM_THROTTLE_MAX, "MM_THROTTLE is 0 to 5");
  math_matmul_tile(dst, fidelity, throttle);
}
#endif

#endif
