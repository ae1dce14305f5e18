/* cores: brisc
 * code: 0; run: --check none
 * first line: done after */
/* Polls the mover's busy bit: the mover finishes, and the poll ends. */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
static void copy(uint32_t bytes) {
  const uint32_t tdma = 0xFFB11000u;
  tt_store(tdma, 0x60000 >> 4);
  tt_store(tdma + 4, 0x80000 >> 4);
  tt_store(tdma + 8, bytes >> 4);
  tt_store(tdma + 12, 3); /* L1 to L1 */
  tt_store(tdma + 16, 0x40);
  __asm__ volatile("fence");
  while ((tt_load(tdma + 20) & 0x39) != 0x28) {} /* idle, no command queued, no parameters held */
}
void kernel_main(void) {
  tt_store(0x60000 + 65532, 0x1234);
  copy(4096);
  copy(65536);
  KERNEL_CHECK(tt_load(0x80000 + 65532) == 0x1234, "the copy has not come");
}
#endif
