/* cores: brisc ncrisc
 * code: 4
 * first line: deadlock: BRISC -> NCRISC -> BRISC; lock_order.c:@here, called at lock_order.c:@held (BRISC, in tt_load) has been waiting for the word at 0x00030010 (now 0x1) to become 0x0 since cycle
 * also: lock_order.c:@here, called at lock_order.c:@there (NCRISC, in tt_load): waiting for the word at 0x00030000 */
#include "dataflow.h"
/* two locks, taken in different orders; a lock is a word that its holder sets */
#ifdef COMPILE_FOR_BRISC
__attribute__((noinline)) /* BRISC calls it, NCRISC has it inlined: both have the caller's line */
#endif
static void lock(uint32_t address) { while (tt_load(address)) {} /* here */ tt_store(address, 1); }
static void unlock(uint32_t address) { tt_store(address, 0); }
void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  lock(0x30000);
  for (volatile uint32_t i = 0; i < 200; i++) {}
  lock(0x30010); /* held */
#else
  lock(0x30010);
  for (volatile uint32_t i = 0; i < 200; i++) {}
  lock(0x30000); /* there */
#endif
  unlock(0x30000);
  unlock(0x30010);
}
