/* Cycles of the matrix unit, measured on the math core. Arguments: 3 fidelity, 4 throttle, 7 mode, 1 number of calls.
 *   mode 0   operands resident: the MOP of matmul repeated on one pair of tiles; measures math only
 *   mode 1   matmul_tiles with unpacking, eight tiles at a time, Src banks in phase (double buffered)
 *   mode 2   the same with the matrix unit's banks out of phase with the unpackers': unpacking and math alternate */
#include "compute.h"
#include "sfpu.h"
#include "wall_clock.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

/* The MOP of matmul without a release of banks. */
static void resident(uint32_t calls) {
  UNPACK(llk_unpack_AB_matmul(CB_A, CB_B, 0, 0);)
#ifdef TRISC_MATH
  if (MM_THROTTLE) matmul_mop_throttled(MATH_FIDELITY, MM_THROTTLE, p_setrwc_CLR_NONE);
  else matmul_mop(MATH_FIDELITY, p_setrwc_CLR_NONE);
  math_set_dst_tile(0);
  uint32_t runs = MM_THROTTLE > 3 && MATH_FIDELITY ? MATH_FIDELITY : 1;
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_SRCA_VLD | p_stall_SRCB_VLD);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  tensix_sync();
  uint32_t start = wall_clock();
  for (uint32_t i = 0; i < calls; i++)
    for (uint32_t run = 0; run < runs; run++) mop_run();
  tensix_sync();
  report_cycles(0, wall_clock() - start);
  TTI_SETRWC(p_setrwc_CLR_AB, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
#endif
  (void)calls;
}

static void calls_of_eight(uint32_t calls) {
  MATH(uint32_t start = wall_clock();)
  for (uint32_t i = 0; i < calls; i += 8) {
    cb_wait_front(CB_A, 8);
    cb_wait_front(CB_B, 8);
    for (uint32_t j = 0; j < 8; j++) matmul_tiles(CB_A, CB_B, j, j, 0);
    cb_pop_front(CB_A, 8);
    cb_pop_front(CB_B, 8);
  }
#ifdef TRISC_MATH
  tensix_sync();
  report_cycles(0, wall_clock() - start);
#endif
}

void kernel_main(void) {
  uint32_t calls = get_arg_val(1), mode = get_arg_val(7);
  mm_init(CB_A, CB_B, CB_OUT);
  tile_regs_acquire();
#ifdef TRISC_MATH
  if (mode == 2)
    TTI_SETRWC(p_setrwc_CLR_AB, 0, 0, 0, 0, p_setrwc_SET_ABD_F); /* switches to the other banks, which are empty */
  t6_semaphore_post(semaphore_MATH_DONE, p_stall_MATH);
#endif
#ifdef TRISC_UNPACK
  tt_poll(semaphore_address(semaphore_MATH_DONE), 15, 1); /* nothing is unpacked before */
  semaphore_get(semaphore_MATH_DONE);
#endif
  if (mode == 0) resident(calls);
  if (mode == 1 || mode == 2) calls_of_eight(calls);
  tile_regs_commit();
  tile_regs_wait();
  tile_regs_release();
}
