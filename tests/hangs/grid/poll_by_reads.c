/* grid: 1-2,2
 * cores: reader
 * code: 6
 * run: --max-cycles 100000
 * first line: cycles: 2 tiles ran
 * error: tile (1, 2): NCRISC still runs at reader.c:@there, and its loop has been polling at reader.c:@here for the word at 0x00071000 (now 0x0) to become other than 0x0 since cycle N: it is read from 0x00070000 of (2,2) over NoC 0; tile (2, 2): NCRISC still runs at reader.c:@there, and its loop has been polling at reader.c:@here for the word at 0x00071000 (now 0x0) to become other than 0x0 since cycle N: it is read from 0x00070000 of (1,2) over NoC 0
 * Two tiles that read each other's flag over the NoC, and set their own afterwards. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  do {
    noc_async_read(get_noc_addr(peer, my_y, 0x70000), 0x71000, 16);
    noc_async_read_barrier(); /* there */
  } while (tt_load(0x71000) == 0); /* here */
  tt_store(0x70000, 1);
}
