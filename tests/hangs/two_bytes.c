/* cores: brisc ncrisc trisc0
 * code: 4
 * kernel run: the byte at 0x00030003: BRISC last wrote it at two_bytes.c:@there in cycle N and has returned; two_bytes.c:@here (NCRISC) has been waiting
 * first line: the byte at 0x00030003: BRISC last wrote it at two_bytes.c:@there in cycle N and has returned; two_bytes.c:@here (NCRISC) has been waiting for the byte at 0x00030003 (now 0x54) to become 0x55 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  while (*(volatile uint8_t *)0x30003 != 0x55) {} /* here */
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { *(volatile uint8_t *)0x30003 = 0x54; } /* there */
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (volatile unsigned i = 0; i < 100; i++) {}
  *(volatile uint8_t *)0x30002 = 0x55; /* later, another byte of the word */
}
#endif
