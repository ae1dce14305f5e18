/* cores: ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: SrcA: TRISC1 has returned and never released it; bank_never_given_back.c:@here (thread 0 (unpack), in matmul_tiles) has been waiting for a free bank of SrcA since cycle */
/* Unpacks three tiles, multiplies one: the unpackers find no free bank. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
    cb_reserve_back(1, 1);
    cb_push_back(1, 1);
  }
}
#endif
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  for (uint32_t i = 0; i < 3; i++) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
#ifdef TRISC_UNPACK
    matmul_tiles(0, 1, 0, 0, 0); /* here */
#endif
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
  }
}
#endif
