/* The PIC registers. Plain data; the functions are in tile/pic.h. */
#ifndef TESSERA_TENSIX_STATE_PIC_H
#define TESSERA_TENSIX_STATE_PIC_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"

#define TX_PIC_WORDS 78u
#define TX_PIC_SW_INT 6u  /* words 6..37 */
#define TX_PIC_HW_INT 38u /* words 38..41 */

#define TX_PIC_PC 42u /* words 42..77: handlers of the 32 software and 4 hardware interrupts */
#define TX_PIC_INTERRUPTS 36u

/* The two cores that can be interrupted: BRISC, NCRISC. */
struct tx_pic {
  uint32_t word[TX_PIC_WORDS];
  uint32_t in_handler[2]; /* 1 until mret */
  uint32_t restore_pc[2];
  uint32_t last[2]; /* the interrupt served last: the search starts at the next one */
};

#endif
