/* The PIC registers. Plain data; the functions are in tile/pic.h. */
#ifndef TESSERA_TENSIX_STATE_PIC_H
#define TESSERA_TENSIX_STATE_PIC_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"

#define TX_PIC_WORDS 78u
#define TX_PIC_SW_INT 6u  /* words 6..37 */
#define TX_PIC_HW_INT 38u /* words 38..41 */

struct tx_pic {
  uint32_t word[TX_PIC_WORDS];
};

#endif
