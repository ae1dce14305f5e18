/* The PIC registers. Plain data; the functions are in tile/pic.h. */
#ifndef TESSERA_TENSIX_STATE_PIC_H
#define TESSERA_TENSIX_STATE_PIC_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"

/* The two cores that can be interrupted: BRISC, NCRISC. */
struct tx_pic {
  uint32_t word[TX_PIC_WORDS];
  uint32_t in_handler[2]; /* 1 until mret */
  uint32_t restore_pc[2];
  uint32_t last[2]; /* the interrupt served last: the search starts at the next one */
};

#endif
