/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: (now 0x0) to become other than 0x0 since cycle N: no packet has written it, and the only other tile whose kernels have not ended, Tensix (1,2), waits itself
 * never: sends one that ends the wait
 * The flag is the last word of a message of 64 bytes: what it will contain is data, so no closed chain is claimed, nor that no tile sends it. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  volatile uint32_t *in = (volatile uint32_t *)0x70000, *out = (volatile uint32_t *)0x71000;
  while (in[15] == 0) {}
  out[15] = 1;
  noc_async_write(0x71000, get_noc_addr(peer, my_y, 0x70000), 64);
  noc_async_write_barrier();
}
