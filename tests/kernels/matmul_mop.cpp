// The tile product below LLK: the math core sets Dst's address, starts the MOP that mm_init programmed and gives SrcB back itself.
#include "matmul_loop.h"
#ifdef TRISC_MATH
#include "ckernel_ops.h"
#include "ckernel_template.h"
#include "cmath_common.h"
#endif

namespace {
void multiply_tile() {
  UNPACK((llk_unpack_AB_matmul(left, right, 0, 0)));
#ifdef TRISC_MATH
  ckernel::math::set_dst_write_addr<DstTileShape::Tile32x32, UnpackDestination::SrcRegs>(0);
  ckernel_template::run();
  // The MOP's last MVMUL gives SrcA back; SrcB stays with the matrix unit until this instruction.
  TTI_SETRWC(p_setrwc::CLR_B, 0, 0, 0, 0, p_setrwc::SET_ABD_F);
#endif
}
}  // namespace
