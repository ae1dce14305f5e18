/* A tile of Dst transposed where it is: the vector unit swaps faces 1 and 2, then each face goes through SrcB (32 bits: and SrcA), of which
 * the unpack core hands over a bank each. ISA: TRNSPSRCB.md, SFPLOAD.md */
#ifndef TENSIX_TRANSPOSE_DEST_H
#define TENSIX_TRANSPOSE_DEST_H

#include "math_reduce.h"
#include "unpack.h"

#ifdef TRISC_MATH
TT_INLINE void math_swap_faces(uint32_t dst) {
  uint32_t mode = DST_ACCUM_MODE ? (uint32_t)InstrModLoadStore_INT32 : sfpu_dst_mode(); /* all 32 bits, whatever they are */
  math_set_dst_tile(dst);
  math_reset_counters();
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  SFPU_ENDIF;
  for (uint32_t i = 0; i < 16; i += 2) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, 16 + i);
    TT_SFPLOAD(1, mode, ADDR_MOD_7, 32 + i);
    TT_SFPSTORE(0, mode, ADDR_MOD_7, 32 + i);
    TT_SFPSTORE(1, mode, ADDR_MOD_7, 16 + i);
  }
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
}

TT_INLINE void math_transpose_dest(uint32_t dst, uint32_t of_faces) {
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  if (of_faces) math_swap_faces(dst);
  if (DST_ACCUM_MODE) {
    math_transpose_faces_32b(dst, 0, 16);
    return;
  }
  math_set_dst_tile(dst);
  for (uint32_t row = 0; row < 64; row += 16) math_transpose_face_16b(row);
  TTI_SETRWC(p_setrwc_CLR_B, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}
#endif

TT_INLINE void transpose_dest_tile(uint32_t dst, uint32_t of_faces) {
#ifdef TRISC_UNPACK
  unpack_zero_srcb();
  if (DST_ACCUM_MODE) unpack_zero_srca();
#endif
  MATH(math_transpose_dest(dst, of_faces);)
  (void)dst, (void)of_faces;
}

#endif
