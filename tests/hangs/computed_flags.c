/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030014: nothing has written it; computed_flags.c:@here (BRISC) has been waiting for the word at 0x00030014 (now 0x0) to become other than 0x0 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
volatile uint32_t count = 5;
void kernel_main(void) {
  volatile uint32_t *flags = (volatile uint32_t *)0x30000;
  for (uint32_t i = 0; i < count; i++) flags[i] = 1; /* held: one too few */
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  volatile uint32_t *flags = (volatile uint32_t *)0x30000;
  for (uint32_t i = 0; i < 6; i++)
    while (!flags[i]) {} /* here */
}
#endif
