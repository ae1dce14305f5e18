/* cores: trisc0 trisc1
 * code: 4
 * first line: mutex 2: thread 0 (unpack) last acquired it at mutex_never_released.c:@held in cycle */
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) { t6_mutex_acquire(2); /* held: no release */ }
#endif
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 100; i++) {}
  t6_mutex_acquire(2);
  t6_mutex_release(2);
}
#endif
