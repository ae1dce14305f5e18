/* cores: ncrisc trisc0
 * code: 4
 * first line: cycles: CB 0 is full (2 pages): NCRISC pushed 5 pages, the last at cond_pop.c:@there; TRISC0 popped 3 pages, the last at cond_pop.c:@held; cond_pop.c:@here (NCRISC) has been waiting for a free page since cycle
 * also: (TRISC0): waiting for page 6 of CB 1 since cycle N, behind NCRISC
 * two tiles: cycles: Tensix (1,2): CB 0 is full (2 pages): NCRISC pushed 5 pages, the last at cond_pop.c:@there; TRISC0 popped 3 pages */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 8; i++) {
    cb_reserve_back(0, 1); /* here */
    cb_reserve_back(1, 1);
    cb_push_back(0, 1); /* there */
    cb_push_back(1, 1);
  }
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 8; i++) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    if (i < 3) cb_pop_front(0, 1); /* held: never again, so this is no deadlock */
    cb_pop_front(1, 1);
  }
}
#endif
