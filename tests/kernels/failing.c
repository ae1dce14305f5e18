/* Checks that do not hold, on four cores. Argument 0 selects the core: 1 NCRISC, whose check is in a function of its own; 2 TRISC0, in a call of
 * the library; 4 TRISC2. BRISC counts forever: the failed check still ends the run. */
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#include "dataflow.h"
#else
#include "compute.h"
#endif

#ifdef COMPILE_FOR_NCRISC
static void expect_three(unsigned x) { KERNEL_CHECK_VALUE(x == 3, "x is three, not %u", x); /* @own */ }
#endif

void kernel_main(void) {
  volatile unsigned four = 4;
  uint32_t fails = get_arg_val(0);
  (void)fails;
#if defined(COMPILE_FOR_BRISC)
  for (;;) four++;
#elif defined(COMPILE_FOR_NCRISC)
  if (fails & 1) expect_three(four); /* @call */
#elif defined(TRISC_UNPACK)
  if (fails & 2) copy_tile_init(four); /* @library */
#elif defined(TRISC_PACK)
  if (fails & 4) {
    while (four < 10000) four++;
    KERNEL_CHECK(four == 3, "the packer's check"); /* @packer */
  }
#endif
}
